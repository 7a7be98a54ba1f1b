//===- ConvertUopToGPU.cpp - Kernels as device functions with launches ----===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kernel in loop form becomes two functions: one for the device, in a
// gpu.module that all kernels of a module share, and one for the host, of the
// kernel's name and arguments, that launches it.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/ArgumentChecks.h"
#include "Uop/Conversion/FloorDivision.h"
#include "Uop/Conversion/Passes.h"
#include "Uop/Transforms/HostFunction.h"
#include "UopToGPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/FoldUtils.h"
#include "llvm/ADT/MapVector.h"

namespace uop {
#define GEN_PASS_DEF_CONVERTUOPTOGPU
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// The host function
//===----------------------------------------------------------------------===//

/// The parameters of the device function for each argument of the host's.
static SmallVector<SmallVector<Value>>
buildParameters(ImplicitLocOpBuilder &builder, func::FuncOp host) {
  SmallVector<SmallVector<Value>> parameters;
  for (Value argument : host.getArguments()) {
    Type type = argument.getType();
    if (hasDynamicLayout(type))
      parameters.push_back(takeApart(builder, argument));
    else if (Type deviceType = getDeviceArgumentType(type); deviceType != type)
      parameters.push_back(
          {memref::CastOp::create(builder, deviceType, argument)});
    else
      parameters.push_back({argument});
  }
  return parameters;
}

/// Fills the host's function. A grid without blocks is not launched: the
/// driver takes it for an error.
static void buildLaunch(KernelOp kernel, const KernelLaunch &launch,
                        func::FuncOp host, SymbolRefAttr device) {
  ImplicitLocOpBuilder builder(kernel.getLoc(), kernel.getContext());
  builder.setInsertionPointToStart(&host.getBody().front());
  if (launch.isEmpty()) {
    func::ReturnOp::create(builder);
    return;
  }

  buildRangeChecks(builder, kernel, host.getArguments());
  SmallVector<SmallVector<Value>> parts = buildParameters(builder, host);
  HostGrid grid =
      buildHostGrid(builder, kernel, launch, host.getArguments(), parts);
  SmallVector<Value, 3> block;
  for (int64_t extent : launch.block)
    block.push_back(arith::ConstantIndexOp::create(builder, extent));
  Value hasBlocks = buildHasBlocks(builder, launch, grid);
  func::ReturnOp end = func::ReturnOp::create(builder);
  builder.setInsertionPoint(end);
  if (hasBlocks) {
    auto guard =
        scf::IfOp::create(builder, hasBlocks, /*withElseRegion=*/false);
    builder.setInsertionPoint(guard.thenBlock()->getTerminator());
  }
  buildGridLimits(builder, kernel, launch, grid);
  buildAlignmentChecks(builder, kernel, host.getArguments());
  SmallVector<Value> parameters;
  for (ArrayRef<Value> own : parts)
    llvm::append_range(parameters, own);
  Value dynamicBytes;
  if (int64_t bytes = getDynamicSharedBytes(kernel))
    dynamicBytes = arith::ConstantIntOp::create(builder, bytes, 32);
  gpu::LaunchFuncOp::create(
      builder, device,
      gpu::KernelDim3{grid.extents[0], grid.extents[1], grid.extents[2]},
      gpu::KernelDim3{block[0], block[1], block[2]}, dynamicBytes, parameters);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Folds the dimensions of static memrefs, and the extents that are computed
/// from them, to constants.
static void foldDimensions(KernelOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() == 1 && op->getNumRegions() == 0 &&
        op->getResult(0).getType().isIndex() && isMemoryEffectFree(op) &&
        !isa<arith::ConstantOp>(op))
      ops.push_back(op);
  });
  OperationFolder folder(kernel.getContext());
  for (Operation *op : ops)
    (void)folder.tryToFold(op);
}

namespace {

class ConvertUopToGPU : public uop::impl::ConvertUopToGPUBase<ConvertUopToGPU> {
public:
  void runOnOperation() override {
    llvm::MapVector<ModuleOp, SmallVector<KernelOp>> modules;
    bool isRefused = false;
    getOperation().walk([&](KernelOp kernel) {
      auto module = dyn_cast<ModuleOp>(kernel->getParentOp());
      isRefused |= failed(check(kernel, module));
      modules[module].push_back(kernel);
    });
    // While uop.range still says how large its values are.
    if (isRefused || failed(lowerFloorDivisions(getOperation())))
      return signalPassFailure();
    for (auto &[module, kernels] : modules)
      if (failed(convert(module, kernels)))
        return signalPassFailure();
  }

private:
  LogicalResult check(KernelOp kernel, ModuleOp module) {
    if (!module)
      return kernel.emitOpError("expected a kernel directly in a module");
    if (kernel.isGraphForm())
      return kernel.emitOpError()
             << "expected loop form, but got graph form; run "
             << (kernel.isMapped() ? "" : "--uop-gpu-map and ")
             << "--uop-lower-to-loops first";
    foldDimensions(kernel);
    FailureOr<KernelLaunch> launch = getKernelLaunch(kernel);
    return failed(launch) ? failure() : checkKernel(kernel, *launch);
  }

  LogicalResult convert(ModuleOp module, MutableArrayRef<KernelOp> kernels) {
    OpBuilder builder(module.getContext());
    // What is wrong with the target is reported at the first kernel.
    KernelOp first = kernels.front();
    auto device =
        gpu::GPUModuleOp::create(builder, first.getLoc(), "uop_kernels");
    // Gives it another name where this one is taken.
    SymbolTable(module).insert(device, Block::iterator(first));
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    builder.getUnitAttr());

    // All before the first change: new ops have no ranges.
    SmallVector<KernelLaunch> launches;
    for (KernelOp kernel : kernels) {
      FailureOr<KernelLaunch> launch = getKernelLaunch(kernel);
      if (failed(launch))
        return failure();
      launches.push_back(*launch);
    }
    if (failed(boundGrids(module, launches)))
      return failure();
    for (auto [kernel, launch] : llvm::zip_equal(kernels, launches)) {
      builder.setInsertionPoint(kernel);
      func::FuncOp host = buildHostFunction(kernel, builder);
      auto name =
          SymbolRefAttr::get(device.getSymNameAttr(),
                             {FlatSymbolRefAttr::get(kernel.getSymNameAttr())});
      buildLaunch(kernel, launch, host, name);
      builder.setInsertionPointToEnd(device.getBody());
      gpu::GPUFuncOp func = buildDeviceFunction(kernel, launch, builder);
      for (NamedAttribute attr : kernel->getDiscardableAttrs())
        if (isDeviceAttr(attr))
          func->setAttr(attr.getName(), attr.getValue());
      kernel.erase();
    }
    module.walk([&](LaunchOp launch) {
      builder.setInsertionPoint(launch);
      func::CallOp::create(builder, launch.getLoc(), launch.getKernelAttr(),
                           TypeRange(), launch.getArgs());
      launch.erase();
    });
    return success();
  }
};

} // namespace
