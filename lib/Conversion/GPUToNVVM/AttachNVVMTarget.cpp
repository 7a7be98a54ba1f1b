//===- AttachNVVMTarget.cpp - The target of a gpu.module ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's nvvm-attach-target adds a target without a look at the chip's
// name, and adds a second one where there is one already: two objects. This
// one checks, and replaces.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Conversion/GPUToNVVM/Chip.h"
#include "Uop/Conversion/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace uop {
#define GEN_PASS_DEF_ATTACHNVVMTARGET
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

/// What every NVIDIA chip allows.
static constexpr int32_t kMaxBlockSizes[] = {1024, 1024, 64};
static constexpr int64_t kMaxThreads = 1024;

namespace {

/// The block size of `launch` if it is constant and fits an i32.
std::optional<SmallVector<int32_t, 3>>
getConstantBlock(gpu::LaunchFuncOp launch) {
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  SmallVector<int32_t, 3> sizes;
  for (Value size : {block.x, block.y, block.z}) {
    APInt value;
    if (!matchPattern(size, m_ConstantInt(&value)) || !value.isSignedIntN(32))
      return std::nullopt;
    sizes.push_back(static_cast<int32_t>(value.getSExtValue()));
  }
  return sizes;
}

struct AttachNVVMTarget : uop::impl::AttachNVVMTargetBase<AttachNVVMTarget> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (optLevel > 3) {
      module.emitError() << "expected an opt-level from 0 to 3, but got "
                         << optLevel.getValue();
      return signalPassFailure();
    }
    for (auto gpuModule : module.getOps<gpu::GPUModuleOp>())
      if (failed(attachTarget(gpuModule)))
        return signalPassFailure();
    stateBlockSizes();
    if (failed(checkBlockSizes()) || failed(checkSharedMemory()))
      return signalPassFailure();
    keepSignatures();
  }

  LogicalResult attachTarget(gpu::GPUModuleOp gpuModule);
  void stateBlockSizes();
  LogicalResult checkBlockSizes();
  LogicalResult checkSharedMemory();
  void keepSignatures();
};

LogicalResult AttachNVVMTarget::attachTarget(gpu::GPUModuleOp gpuModule) {
  NVVM::NVVMTargetAttr old;
  if (ArrayAttr targets = gpuModule.getTargetsAttr())
    for (Attribute target : targets) {
      if (!isa<NVVM::NVVMTargetAttr>(target))
        return gpuModule.emitError()
               << "expected an #nvvm.target or none, but got " << target;
      if (old && chip.empty())
        return gpuModule.emitError() << "expected one target, but got " << old
                                     << " and " << target << "; name a chip";
      old = cast<NVVM::NVVMTargetAttr>(target);
    }

  std::string newChip = chip;
  std::string newFeatures = features;
  if (newChip.empty() && old)
    newChip = old.getChip().str();
  if (newChip.empty())
    newChip = uop::kDefaultChip.str();
  // A PTX version that was chosen for another chip says nothing about this one.
  if (newFeatures.empty() && old && old.getChip() == newChip)
    newFeatures = old.getFeatures().str();

  if (failed(uop::checkChip(newChip, newFeatures,
                            [&] { return gpuModule.emitError(); })))
    return failure();

  MLIRContext *context = &getContext();
  DictionaryAttr flags = old ? old.getFlags() : DictionaryAttr();
  if (fastMath)
    flags = DictionaryAttr::get(
        context, {{StringAttr::get(context, "fast"), UnitAttr::get(context)}});
  auto target = NVVM::NVVMTargetAttr::get(
      context, static_cast<int>(optLevel), uop::kNVPTXTriple, newChip,
      newFeatures, flags, old ? old.getLink() : ArrayAttr());
  gpuModule.setTargetsAttr(ArrayAttr::get(context, {target}));
  return success();
}

void AttachNVVMTarget::stateBlockSizes() {
  // Null marks a kernel whose launches differ or are not constant.
  llvm::MapVector<Operation *, std::optional<SmallVector<int32_t, 3>>> sizes;
  SymbolTableCollection symbols;
  getOperation().walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernel());
    if (!kernel || kernel.getKnownBlockSize())
      return;
    auto block = getConstantBlock(launch);
    auto [it, isNew] = sizes.insert({kernel, block});
    if (!isNew && it->second != block)
      it->second = std::nullopt;
  });
  for (auto &[kernel, block] : sizes)
    if (block)
      cast<gpu::GPUFuncOp>(kernel).setKnownBlockSize(
          std::optional<ArrayRef<int32_t>>(*block));
}

LogicalResult AttachNVVMTarget::checkBlockSizes() {
  WalkResult result = getOperation().walk([](gpu::GPUFuncOp function) {
    std::optional<ArrayRef<int32_t>> block = function.getKnownBlockSize();
    if (!block || block->size() != 3)
      return WalkResult::advance();
    int64_t threads = 1;
    for (auto [size, most, axis] :
         llvm::zip_equal(*block, kMaxBlockSizes, StringRef("xyz"))) {
      if (size < 1 || size > most) {
        function.emitError()
            << "expected 1 to " << most << " threads of a block along "
            << StringRef(&axis, 1) << ", but got " << size;
        return WalkResult::interrupt();
      }
      threads *= size;
    }
    if (threads > kMaxThreads) {
      function.emitError() << "expected at most " << kMaxThreads
                           << " threads a block, but got " << threads;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// What the driver would refuse at the launch, or ptxas.
LogicalResult AttachNVVMTarget::checkSharedMemory() {
  llvm::DenseMap<Operation *, int64_t> dynamicBytes;
  SymbolTableCollection symbols;
  getOperation().walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernel());
    int64_t &bytes = dynamicBytes[kernel];
    bytes = std::max(bytes, uop::getDynamicSharedBytes(launch).value_or(0));
  });
  WalkResult result = getOperation().walk([&](gpu::GPUFuncOp function) {
    auto module = function->getParentOfType<gpu::GPUModuleOp>();
    auto target = cast<NVVM::NVVMTargetAttr>(module.getTargetsAttr()[0]);
    int64_t fixed = uop::getStaticSharedBytes(function);
    if (failed(uop::checkSharedBytes(fixed + dynamicBytes.lookup(function),
                                     target.getChip(),
                                     [&] { return function.emitError(); })))
      return WalkResult::interrupt();
    if (fixed <= uop::kMaxStaticSharedBytes)
      return WalkResult::advance();
    function.emitError() << "expected at most " << uop::kMaxStaticSharedBytes
                         << " bytes of static shared memory a block, but got "
                         << fixed << "; use gpu.dynamic_shared_memory";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Upstream's lowering keeps the attributes of pointers only.
static void keepRanges(gpu::GPUFuncOp function) {
  SmallVector<Attribute> ranges;
  bool hasRange = false;
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    Attribute range =
        function.getArgAttr(index, LLVM::LLVMDialect::getRangeAttrName());
    hasRange |= bool(range);
    ranges.push_back(range ? range : UnitAttr::get(function.getContext()));
  }
  if (hasRange)
    function->setAttr(uop::kRangesAttrName,
                      ArrayAttr::get(function.getContext(), ranges));
}

/// The shapes of the arguments are gone once these are pointers, and a launcher
/// needs them.
void AttachNVVMTarget::keepSignatures() {
  getOperation().walk([](gpu::GPUFuncOp function) {
    // A kernel of dynamic memrefs has the one of its arguments.
    if (function.isKernel() && !function->hasAttr(uop::kSignatureAttrName))
      function->setAttr(uop::kSignatureAttrName,
                        TypeAttr::get(function.getFunctionType()));
    keepRanges(function);
  });
}

} // namespace
