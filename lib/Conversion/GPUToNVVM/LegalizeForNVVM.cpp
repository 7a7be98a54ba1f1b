//===- LegalizeForNVVM.cpp - What upstream's lowering lacks ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First refuses what would be miscompiled or end in a crash, then rewrites what
// upstream lacks (see the patterns) or rounds otherwise than written.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Conversion/ExpandAtomics.h"
#include "Uop/Conversion/Passes.h"

#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace uop {
#define GEN_PASS_DEF_LEGALIZEFORNVVM
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

/// Lanes of a warp on every NVIDIA chip.
static constexpr unsigned kLanesOfWarp = 32;
/// Bits that one shuffle moves a lane.
static constexpr unsigned kShuffleWidth = 32;

/// True for the float types that the chips calculate with.
static bool isNativeFloat(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

/// Memrefs are bare pointers in every function of the device.
static LogicalResult checkArgument(FunctionOpInterface function, unsigned index,
                                   const LLVMTypeConverter &converter) {
  Type type = function.getArgumentTypes()[index];
  // A declaration has no arguments that would know their place.
  Location loc = function.isExternal() ? function.getLoc()
                                       : function.getArgument(index).getLoc();
  auto expected = [&] {
    return emitError(loc) << "expected argument " << index << " of @"
                          << function.getName() << " to ";
  };

  if (isa<UnrankedMemRefType>(type))
    return expected() << "be ranked, but got " << type;
  auto memref = dyn_cast<MemRefType>(type);
  Type element = memref ? memref.getElementType() : type;
  // LLVM has f80, but moves 32 bits of it on these chips.
  if (!converter.convertType(element) || getElementTypeOrSelf(element).isF80())
    return expected() << "be of a type that the chip has, but got " << type;
  if (!memref)
    return success();
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(memref.getStridesAndOffset(strides, offset)))
    return expected() << "have a strided layout, but got " << type;
  if (!memref.hasStaticShape() || ShapedType::isDynamic(offset) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return expected() << "have a static shape and layout, but got " << type
                      << "; a memref argument on the device is a bare pointer, "
                         "so cast it to a static type or pass the sizes as "
                         "scalars";
  return success();
}

/// Asynchronous copies are of the chips from sm_80 on. What upstream does not
/// look at: the number of groups, which would wrap.
static LogicalResult checkAsync(Operation *op, StringRef chip) {
  if (!isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp,
           nvgpu::DeviceAsyncWaitOp>(op))
    return success();
  if (!chip.empty() && !uop::hasAsyncCopies(chip))
    return op->emitError()
           << "'" << op->getName() << "' has no instruction on " << chip
           << ": expected sm_80 or later; copy through registers instead, with "
              "a load and a store";
  if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op))
    if (std::optional<int32_t> groups = wait.getNumGroups();
        groups && *groups < 0)
      return op->emitError() << "'" << op->getName()
                             << "' expected 0 groups or more to be left under "
                                "way, but got "
                             << *groups;
  return success();
}

/// Refuses `op` if it would be lowered to something wrong, or not at all but
/// with a message that does not name it.
static LogicalResult checkOperation(Operation *op) {
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    auto type = cast<MemRefType>(op->getResult(0).getType());
    if (isa<memref::AllocOp>(op) ||
        gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
      return op->emitError()
             << "'" << op->getName() << "' of " << type
             << " in device code is not memory of the block; expected a "
                "workgroup attribution of gpu.func (shared) or memref.alloca "
                "(private)";
  }
  // Those that use such a value say no more.
  for (Type type : op->getResultTypes())
    if (getElementTypeOrSelf(type).isF80())
      return op->emitError() << "'" << op->getName()
                             << "' on f80, which NVIDIA chips do not have; "
                                "expected f16, bf16, f32 or f64";
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    for (Type type : copy->getOperandTypes())
      if (auto memref = dyn_cast<MemRefType>(type);
          !memref || !memref.getLayout().isIdentity())
        return op->emitError()
               << "'memref.copy' of " << type
               << " is a call of the host's library; expected memrefs without "
                  "a layout, or a loop";
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
    Type type = atomic.getValue().getType();
    unsigned width = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
    if (!isNativeFloat(type) &&
        !(type.isInteger() &&
          llvm::is_contained({1u, 8u, 16u, 32u, 64u}, width)))
      return op->emitError() << "'memref.atomic_rmw' on " << type
                             << " has no instruction on NVIDIA chips; expected "
                                "an integer of 1, "
                                "8, 16, 32 or 64 bits, f16, bf16, f32 or f64";
  }
  if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) &&
      !op->hasTrait<OpTrait::ConstantLike>() && !isa<arith::SelectOp>(op)) {
    for (Type type :
         llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                  SmallVector<Type>(op->getResultTypes()))) {
      Type element = getElementTypeOrSelf(type);
      if (isa<FloatType>(element) && !isNativeFloat(element))
        return op->emitError()
               << "'" << op->getName() << "' on " << element
               << " has no instruction on NVIDIA chips; expected f16, bf16, "
                  "f32 or f64 (arith-emulate-unsupported-floats and integer "
                  "bit operations are ways out)";
    }
  }
  return success();
}

namespace {

/// Upstream divides by the size of a subgroup, and has no lowering for it.
struct SubgroupSizeToConstant : OpRewritePattern<gpu::SubgroupSizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::SubgroupSizeOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, kLanesOfWarp);
    return success();
  }
};

struct LegalizeForNVVM : uop::impl::LegalizeForNVVMBase<LegalizeForNVVM> {
  using Base::Base;

  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    configureGpuToNVVMTypeConverter(converter);
    if (failed(check(converter)))
      return signalPassFailure();
    declareDynamicSharedMemory();
    if (fastMath)
      allowApproximation();
    if (failed(expand(converter)) || failed(convertMath(converter)))
      signalPassFailure();
  }

  LogicalResult check(const LLVMTypeConverter &converter);
  StringRef getChip();
  void declareDynamicSharedMemory();
  void allowApproximation();
  LogicalResult expand(const LLVMTypeConverter &converter);
  LogicalResult convertMath(const LLVMTypeConverter &converter);
};

LogicalResult LegalizeForNVVM::check(const LLVMTypeConverter &converter) {
  for (auto function : getOperation().getOps<FunctionOpInterface>()) {
    if (isa<LLVM::LLVMFuncOp>(function))
      continue;
    // Workgroup and private memory follow the arguments, and are not counted.
    for (unsigned index = 0; index < function.getNumArguments(); ++index)
      if (failed(checkArgument(function, index, converter)))
        return failure();
  }
  // Report all, in the order of the text: they are independent.
  bool ok = true;
  StringRef chip = getChip();
  getOperation()->walk([&](Operation *op) {
    ok &= succeeded(checkOperation(op)) && succeeded(checkAsync(op, chip));
  });
  return success(ok);
}

/// Upstream makes a static array of dynamic shared memory. What becomes
/// `.extern .shared`, and so the memory that the launch gives, is a declaration
/// of a public variable without elements.
void LegalizeForNVVM::declareDynamicSharedMemory() {
  gpu::GPUModuleOp module = getOperation();
  SmallVector<gpu::DynamicSharedMemoryOp> ops;
  module.walk([&](gpu::DynamicSharedMemoryOp op) { ops.push_back(op); });
  if (ops.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type =
      MemRefType::get({0}, builder.getI8Type(), MemRefLayoutAttrInterface(),
                      ops.front().getType().getMemorySpace());
  auto memory = memref::GlobalOp::create(
      builder, ops.front().getLoc(), "uop_dynamic_shared",
      builder.getStringAttr("public"), type, /*initial_value=*/Attribute(),
      /*constant=*/false,
      builder.getI64IntegerAttr(uop::kDynamicSharedAlignment));
  StringAttr name =
      SymbolTable(module).insert(memory, module.getBody()->begin());
  for (gpu::DynamicSharedMemoryOp op : ops) {
    builder.setInsertionPoint(op);
    Value memref = memref::GetGlobalOp::create(builder, op.getLoc(), type,
                                               name.getValue());
    op.getResult().replaceAllUsesWith(
        memref::CastOp::create(builder, op.getLoc(), op.getType(), memref));
    op.erase();
  }
}

/// The chip of the module's target; empty if none is attached.
StringRef LegalizeForNVVM::getChip() {
  ArrayAttr targets = getOperation().getTargetsAttr();
  for (Attribute target : targets ? targets.getValue() : ArrayRef<Attribute>())
    if (auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target))
      return nvvm.getChip();
  return {};
}

void LegalizeForNVVM::allowApproximation() {
  getOperation()->walk([&](arith::ArithFastMathInterface op) {
    arith::FastMathFlags flags = arith::FastMathFlags::afn;
    if (arith::FastMathFlagsAttr old = op.getFastMathFlagsAttr())
      flags = flags | old.getValue();
    op->setAttr(op.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(&getContext(), flags));
  });
}

LogicalResult LegalizeForNVVM::expand(const LLVMTypeConverter &converter) {
  RewritePatternSet patterns(&getContext());
  populateGpuAllReducePatterns(patterns);
  populateGpuGlobalIdPatterns(patterns);
  populateGpuSubgroupIdPatterns(patterns);
  patterns.add<SubgroupSizeToConstant>(&getContext());
  populateGpuBreakDownSubgroupReducePatterns(patterns, kShuffleWidth);
  // What is wider than one shuffle becomes two afterwards.
  for (unsigned width : {kShuffleWidth, 2 * kShuffleWidth}) {
    PatternBenefit benefit = width == kShuffleWidth ? 2 : 1;
    populateGpuLowerSubgroupReduceToShufflePatterns(patterns, kLanesOfWarp,
                                                    width, benefit);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(
        patterns, kLanesOfWarp, width, benefit);
  }
  uop::populateShuffleWidthPatterns(patterns);
  uop::populateMathPatterns(patterns);

  memref::populateExpandOpsPatterns(patterns);
  uop::populateExpandAtomicsPatterns(
      patterns, converter, [](memref::AtomicRMWOp op) {
        return op.getKind() == arith::AtomicRMWKind::mulf ||
               op.getKind() == arith::AtomicRMWKind::muli ||
               op.getValue().getType().isInteger(1);
      });
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);

  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::Dot);
  vector::populateVectorGatherLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorMaskMaterializationPatterns(
      patterns, /*force32BitVectorIndices=*/false);
  vector::populateVectorMultiReductionLoweringPatterns(
      patterns, vector::VectorMultiReductionLowering::InnerParallel);
  vector::populateVectorScanLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorTransferLoweringPatterns(patterns,
                                                 /*maxTransferRank=*/1);
  vector::populateVectorTransposeLoweringPatterns(
      patterns, vector::VectorTransposeLowering::EltWise);
  return applyPatternsGreedily(getOperation(), std::move(patterns));
}

LogicalResult LegalizeForNVVM::convertMath(const LLVMTypeConverter &converter) {
  RewritePatternSet patterns(&getContext());
  populateMathToLLVMConversionPatterns(converter, patterns);
  ConversionTarget target(getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target
      .addIllegalOp<math::AbsIOp, math::CountLeadingZerosOp,
                    math::CountTrailingZerosOp, math::CtPopOp, math::TruncOp>();
  return applyPartialConversion(getOperation(), target, std::move(patterns));
}

} // namespace
