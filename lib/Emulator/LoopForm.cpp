//===- LoopForm.cpp - From a gpu kernel to loop form ----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/LoopForm.h"

#include "Checked/AccessShapes.h"
#include "KernelAnalysis.h"
#include "NormalizeKernel.h"
#include "PrepareKernel.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Memory spaces
//===----------------------------------------------------------------------===//

/// The number of a memory space as its name in the gpu dialect; null for one
/// that has none.
static Attribute getNamedSpace(IntegerAttr number) {
  gpu::AddressSpace space;
  switch (number.getInt()) {
  case 1:
    space = gpu::AddressSpace::Global;
    break;
  case 3:
    space = gpu::AddressSpace::Workgroup;
    break;
  case 5:
    space = gpu::AddressSpace::Private;
    break;
  default:
    return {};
  }
  return gpu::AddressSpaceAttr::get(number.getContext(), space);
}

static void nameMemorySpaces(Operation *op) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    auto number = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
    Attribute space = number ? getNamedSpace(number) : Attribute();
    if (!space)
      return std::nullopt;
    return MemRefType(MemRefType::Builder(type).setMemorySpace(space));
  });
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Gives a memref, and all views of it, another memory space.
static void setMemorySpace(Value memref, Attribute space) {
  SmallVector<Value> worklist{memref};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type || type.getMemorySpace() == space)
      continue;
    value.setType(MemRefType::Builder(type).setMemorySpace(space));
    for (Operation *user : value.getUsers())
      if (isa<ViewLikeOpInterface, memref::AssumeAlignmentOp>(user) &&
          user->getNumResults() > 0 && user->getOperand(0) == value)
        worklist.push_back(user->getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {

class Raising {
public:
  Raising(gpu::GPUFuncOp source, const LaunchSizes &launch)
      : source(source), launch(launch),
        b(ImplicitLocOpBuilder::atBlockBegin(source.getLoc(),
                                             &source.getBody().front())) {}

  KernelOp run();

private:
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value createIndex(AxisKind kind, Dimension dimension, int64_t extent);
  void createIndices();
  Value getLinearThread();
  /// What an op of the gpu dialect stands for; null for one that stays.
  Value getReplacement(Operation *op);
  void replaceOps();
  void createAllocations();
  Value allocate(MemRefType type, gpu::AddressSpace space);

  gpu::GPUFuncOp source;
  LaunchSizes launch;
  ImplicitLocOpBuilder b;
  std::array<Value, 3> blocks, threads;
};

} // namespace

Value Raising::createIndex(AxisKind kind, Dimension dimension, int64_t extent) {
  if (extent == 1)
    return number(0);
  auto axis = AxisAttr::get(b.getContext(), kind, dimension);
  return RangeOp::create(b, axis, extent);
}

void Raising::createIndices() {
  for (unsigned i = 0; i < 3; ++i) {
    auto dimension = Dimension(i);
    blocks[i] = createIndex(AxisKind::Global, dimension, launch.grid[i]);
    threads[i] = createIndex(AxisKind::Local, dimension, launch.block[i]);
  }
}

Value Raising::getLinearThread() {
  Value sum = threads[2];
  for (unsigned i : {1u, 0u}) {
    Value rows = arith::MulIOp::create(b, sum, number(launch.block[i]));
    sum = arith::AddIOp::create(b, rows, threads[i]);
  }
  return sum;
}

Value Raising::getReplacement(Operation *op) {
  int64_t warp = launch.warpSize;
  int64_t blockThreads = launch.block[0] * launch.block[1] * launch.block[2];
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](gpu::ThreadIdOp id) {
        return threads[unsigned(id.getDimension())];
      })
      .Case([&](gpu::BlockIdOp id) {
        return blocks[unsigned(id.getDimension())];
      })
      .Case([&](gpu::BlockDimOp size) {
        return number(launch.block[unsigned(size.getDimension())]);
      })
      .Case([&](gpu::GridDimOp size) {
        return number(launch.grid[unsigned(size.getDimension())]);
      })
      .Case([&](gpu::GlobalIdOp id) -> Value {
        unsigned i = unsigned(id.getDimension());
        Value first =
            arith::MulIOp::create(b, blocks[i], number(launch.block[i]));
        return arith::AddIOp::create(b, first, threads[i]);
      })
      .Case([&](gpu::LaneIdOp) -> Value {
        return FloorModOp::create(b, getLinearThread(), number(warp));
      })
      .Case([&](gpu::SubgroupIdOp) -> Value {
        return FloorDivOp::create(b, getLinearThread(), number(warp));
      })
      .Case([&](gpu::NumSubgroupsOp) {
        return number((blockThreads + warp - 1) / warp);
      })
      .Case([&](gpu::SubgroupSizeOp) { return number(warp); })
      .Case([&](gpu::DynamicSharedMemoryOp memory) -> Value {
        auto bytes =
            MemRefType::get({launch.dynamicSharedBytes}, b.getI8Type());
        Value alloc = allocate(bytes, gpu::AddressSpace::Workgroup);
        auto type = MemRefType(
            MemRefType::Builder(memory.getType())
                .setMemorySpace(
                    cast<MemRefType>(alloc.getType()).getMemorySpace()));
        return memref::CastOp::create(b, type, alloc);
      })
      .Default([](Operation *) { return Value(); });
}

Value Raising::allocate(MemRefType type, gpu::AddressSpace space) {
  auto named = gpu::AddressSpaceAttr::get(b.getContext(), space);
  return AllocOp::create(
      b, MemRefType(MemRefType::Builder(type).setMemorySpace(named)));
}

void Raising::createAllocations() {
  auto privateSpace =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Private);
  auto replace = [&](Value memory, gpu::AddressSpace space) {
    b.setLoc(memory.getLoc());
    Value alloc = allocate(cast<MemRefType>(memory.getType()), space);
    setMemorySpace(memory, gpu::AddressSpaceAttr::get(b.getContext(), space));
    memory.replaceAllUsesWith(alloc);
  };
  for (BlockArgument memory : source.getWorkgroupAttributions())
    replace(memory, gpu::AddressSpace::Workgroup);
  for (BlockArgument memory : source.getPrivateAttributions())
    replace(memory, gpu::AddressSpace::Private);
  source.walk([&](memref::AllocaOp op) {
    setMemorySpace(op, privateSpace);
    if (!op.getType().hasStaticShape())
      return;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    b.setLoc(op.getLoc());
    op.replaceAllUsesWith(AllocOp::create(b, op.getType()).getResult());
    op.erase();
  });
}

void Raising::replaceOps() {
  SmallVector<Operation *> ops;
  source.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (auto barrier = dyn_cast<gpu::BarrierOp>(op)) {
      // An exit only marks where a thread has left.
      if (!isExit(op)) {
        OpBuilder before(op);
        BarrierOp::create(before, op->getLoc());
      }
      op->erase();
      continue;
    }
    b.setLoc(op->getLoc());
    if (Value value = getReplacement(op)) {
      op->replaceAllUsesWith(ValueRange(value));
      op->erase();
    }
  }
}

KernelOp Raising::run() {
  // What is created goes before an op that stays: the first one may go.
  Operation *anchor = arith::ConstantIndexOp::create(b, 0);
  b.setInsertionPoint(anchor);
  createIndices();
  createAllocations();
  replaceOps();
  anchor->erase();

  // Beside the gpu.module.
  OpBuilder outer(source->getParentOp());
  auto type =
      FunctionType::get(source.getContext(), source.getArgumentTypes(), {});
  KernelOp kernel = KernelOp::create(outer, source.getLoc(), source.getName(),
                                     type, /*loops=*/true);
  for (unsigned i = 0; i < source.getNumArguments(); ++i)
    kernel.setArgAttrs(i, source.getArgAttrDict(i));
  Region &body = kernel.getBody();
  if (body.empty())
    body.emplaceBlock();
  Block &target = body.front(), &entry = source.getBody().front();
  for (unsigned i = target.getNumArguments(); i < type.getNumInputs(); ++i)
    target.addArgument(type.getInput(i), source.getArgument(i).getLoc());
  for (auto [to, from] :
       llvm::zip(target.getArguments(), source.getArguments())) {
    to.setLoc(from.getLoc());
    from.replaceAllUsesWith(to);
  }
  entry.getTerminator()->erase();
  target.getOperations().splice(target.end(), entry.getOperations());
  return kernel;
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

static LogicalResult checkAttributions(gpu::GPUFuncOp kernel) {
  for (BlockArgument memory : kernel.getWorkgroupAttributions())
    if (!hasKnownElements(memory.getType()))
      return emitError(memory.getLoc())
             << "expected workgroup memory of integers, floats or vectors of "
                "these, but got "
             << memory.getType();
  return success();
}

FailureOr<OwningOpRef<ModuleOp>>
uop::raiseToLoopForm(gpu::GPUFuncOp kernel, const LaunchSizes &launch) {
  // Verifiers ask the module around an op for the layout of its data.
  OwningOpRef<ModuleOp> module(ModuleOp::create(kernel.getLoc()));
  auto device = cast<gpu::GPUModuleOp>(kernel->getParentOp()->clone());
  module->push_back(device);
  auto function = device.lookupSymbol<gpu::GPUFuncOp>(kernel.getName());
  PassManager affine(kernel.getContext());
  affine.addPass(createLowerAffinePass());
  if (failed(checkAttributions(function)) || failed(affine.run(*module)) ||
      failed(inlineCalls(function)) ||
      failed(structureControlFlow(function, /*showsLoops=*/true)) ||
      failed(lowerDeviceOps(function, launch.warpSize)))
    return failure();
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has control flow that cannot be brought into "
                                "structured form");
  nameMemorySpaces(function);
  Raising(function, launch).run();
  device.erase();
  return std::move(module);
}
