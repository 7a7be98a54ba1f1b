//===- UopRangeOps.cpp - Ranges and index arithmetic ----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/Uop.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// The value of an index constant.
static std::optional<int64_t> getIndexConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

int64_t uop::getShuffleRowSize(int64_t threads) {
  return threads <= kWarpSize ? llvm::PowerOf2Ceil(threads)
                              : llvm::alignTo(threads, kWarpSize);
}

//===----------------------------------------------------------------------===//
// RangeOp
//===----------------------------------------------------------------------===//

void RangeOp::build(OpBuilder &builder, OperationState &state, AxisAttr axis,
                    int64_t extent) {
  build(builder, state, builder.getIndexType(), axis, Value(),
        builder.getI64IntegerAttr(extent));
}

void RangeOp::build(OpBuilder &builder, OperationState &state, AxisAttr axis,
                    OpFoldResult extent) {
  if (std::optional<int64_t> constant = getConstantIntValue(extent))
    return build(builder, state, axis, *constant);
  build(builder, state, builder.getIndexType(), axis, cast<Value>(extent),
        IntegerAttr());
}

std::optional<int64_t> RangeOp::getConstantExtent() {
  if (auto attr = getStaticExtentAttr())
    return attr.getInt();
  return getExtent() ? getIndexConstant(getExtent()) : std::nullopt;
}

OpFoldResult RangeOp::getMixedExtent() {
  if (getStaticExtentAttr())
    return Builder(getContext()).getIndexAttr(getStaticExtentAttr().getInt());
  return getExtent();
}

void RangeOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  // Each allocates its loop, which keeps equal ranges apart.
  effects.emplace_back(MemoryEffects::Allocate::get(), (*this)->getOpResult(0),
                       LoopResource::get());
  // In loop form the threads that execute the kernel are there with or without
  // a use of their index.
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (kernel && kernel.getLoops())
    effects.emplace_back(MemoryEffects::Write::get(), LoopResource::get());
}

void RangeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), stringifyAxisKind(getAxis().getKind()));
}

LogicalResult RangeOp::verify() {
  if (!(*this)->getParentOfType<KernelOp>())
    return emitOpError("expected to be inside a uop.kernel");
  if (bool(getExtent()) == bool(getStaticExtentAttr()))
    return emitOpError("expected either a static or a dynamic extent");
  std::optional<int64_t> extent = getConstantExtent();
  AxisAttr axis = getAxis();
  if (!extent) {
    if (axis.needsStaticExtent())
      return emitOpError()
             << "expected a static extent, a literal or constant, "
                "for axis '"
             << axis.str() << "', but got a dynamic one";
    return success();
  }
  int64_t least = axis.needsStaticExtent() ? 1 : 0;
  if (*extent < least)
    return emitOpError() << "expected an extent of at least " << least
                         << " for axis '" << axis.str() << "', but got "
                         << *extent;
  if (axis.isThreadIndex()) {
    int64_t limit = axis.getKind() == AxisKind::Warp
                        ? kWarpSize
                        : kMaxBlockSize[unsigned(axis.getThreadDimension())];
    if (*extent > limit)
      return emitOpError() << "expected an extent of at most " << limit
                           << " for axis '" << axis.str() << "', but got "
                           << *extent << "; split the range";
  }
  if (axis.isBlockIndex()) {
    int64_t limit = kMaxGridSize[unsigned(*axis.getDimension())];
    if (*extent > limit)
      return emitOpError() << "expected an extent of at most " << limit
                           << " for axis '" << axis.str() << "', but got "
                           << *extent
                           << "; split the range over several dimensions";
  }
  return success();
}

OpFoldResult RangeOp::fold(FoldAdaptor) {
  // The only point of a range of extent 1. Who closes it, or has it in a
  // domain, keeps the constant in its place.
  if (getConstantExtent() == 1)
    return IntegerAttr::get(IndexType::get(getContext()), 0);
  return {};
}

namespace {
struct MakeExtentStatic : OpRewritePattern<RangeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RangeOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> extent = op.getConstantExtent();
    if (!op.getExtent() || !extent || *extent < 0)
      return failure();
    rewriter.replaceOpWithNewOp<RangeOp>(op, op.getAxis(), *extent);
    return success();
  }
};
} // namespace

void RangeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<MakeExtentStatic>(context);
}

void RangeOp::inferResultRanges(ArrayRef<ConstantIntRanges> argRanges,
                                SetIntRangeFn setResultRange) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(getType());
  APInt zero = APInt::getZero(width), one(width, 1);
  APInt least = zero, most = APInt::getSignedMaxValue(width);
  if (std::optional<int64_t> constant = getConstantExtent()) {
    least = most = APInt(width, *constant, /*isSigned=*/true);
  } else if (!argRanges.empty()) {
    least = argRanges.front().smin();
    most = argRanges.front().smax();
  }
  APInt last = most.isStrictlyPositive() ? most - 1 : zero;
  // A range that may have no points must not have an empty interval; nor one
  // of a single value, or the range would be replaced by that value and have
  // one point.
  if (!least.isStrictlyPositive() && last.isZero())
    last = one;
  setResultRange(getResult(), ConstantIntRanges::fromSigned(zero, last));
}

void RangeOp::populateBoundsForIndexValue(Value value,
                                          ValueBoundsConstraintSet &cstr) {
  cstr.bound(value) >= 0;
  if (std::optional<int64_t> extent = getConstantExtent())
    cstr.bound(value) < std::max<int64_t>(*extent, 1);
  else
    cstr.bound(value) < cstr.getExpr(getExtent());
}

//===----------------------------------------------------------------------===//
// FloorDivOp and FloorModOp
//===----------------------------------------------------------------------===//

/// Rejects a divisor that is known to be zero.
static LogicalResult verifyDivisor(Operation *op, Value divisor) {
  if (getIndexConstant(divisor) == 0)
    return op->emitOpError("expected a divisor other than 0");
  return success();
}

static Speculation::Speculatability getDivisorSpeculatability(Value divisor) {
  std::optional<int64_t> constant = getIndexConstant(divisor);
  return constant && *constant != 0 ? Speculation::Speculatable
                                    : Speculation::NotSpeculatable;
}

static std::optional<int64_t> getInt(Attribute attr) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    return integer.getValue().getSExtValue();
  return std::nullopt;
}

/// Whether lhs / rhs is defined and does not overflow 64 bits.
static bool canDivide(int64_t lhs, int64_t rhs) {
  return rhs != 0 && !(lhs == std::numeric_limits<int64_t>::min() && rhs == -1);
}

LogicalResult FloorDivOp::verify() { return verifyDivisor(*this, getRhs()); }
LogicalResult FloorModOp::verify() { return verifyDivisor(*this, getRhs()); }

Speculation::Speculatability FloorDivOp::getSpeculatability() {
  return getDivisorSpeculatability(getRhs());
}
Speculation::Speculatability FloorModOp::getSpeculatability() {
  return getDivisorSpeculatability(getRhs());
}

OpFoldResult FloorDivOp::fold(FoldAdaptor adaptor) {
  std::optional<int64_t> lhs = getInt(adaptor.getLhs());
  std::optional<int64_t> rhs = getInt(adaptor.getRhs());
  if (rhs == 1)
    return getLhs();
  if (lhs && rhs && canDivide(*lhs, *rhs))
    return IntegerAttr::get(getType(), llvm::divideFloorSigned(*lhs, *rhs));
  return {};
}

OpFoldResult FloorModOp::fold(FoldAdaptor adaptor) {
  std::optional<int64_t> lhs = getInt(adaptor.getLhs());
  std::optional<int64_t> rhs = getInt(adaptor.getRhs());
  if (rhs == 1 || rhs == -1)
    return IntegerAttr::get(getType(), 0);
  if (lhs && rhs && canDivide(*lhs, *rhs)) {
    // Not lhs - rhs * quotient, whose product may overflow.
    int64_t remainder = *lhs % *rhs;
    if (remainder != 0 && (remainder < 0) != (*rhs < 0))
      remainder += *rhs;
    return IntegerAttr::get(getType(), remainder);
  }
  return {};
}

void FloorDivOp::inferResultRanges(ArrayRef<ConstantIntRanges> argRanges,
                                   SetIntRangeFn setResultRange) {
  setResultRange(getResult(), intrange::inferFloorDivS(argRanges));
}

void FloorModOp::inferResultRanges(ArrayRef<ConstantIntRanges> argRanges,
                                   SetIntRangeFn setResultRange) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(getType());
  const ConstantIntRanges &lhs = argRanges[0], &rhs = argRanges[1];
  APInt zero = APInt::getZero(width);
  APInt low = APInt::getSignedMinValue(width);
  APInt high = APInt::getSignedMaxValue(width);
  if (rhs.smin().isStrictlyPositive()) {
    low = zero;
    high = rhs.smax() - 1;
    // Numerators of one quotient keep their distance from its multiple.
    if (rhs.smin() == rhs.smax()) {
      int64_t divisor = rhs.smin().getSExtValue();
      int64_t first = lhs.smin().getSExtValue();
      int64_t last = lhs.smax().getSExtValue();
      int64_t quotient = llvm::divideFloorSigned(first, divisor);
      if (quotient == llvm::divideFloorSigned(last, divisor)) {
        low = lhs.smin() - APInt(width, quotient, true) * rhs.smin();
        high = lhs.smax() - APInt(width, quotient, true) * rhs.smin();
      }
    }
  } else if (rhs.smax().isNegative() && !rhs.smin().isMinSignedValue()) {
    low = rhs.smin() + 1;
    high = zero;
  }
  setResultRange(getResult(), ConstantIntRanges::fromSigned(low, high));
}

void FloorDivOp::populateBoundsForIndexValue(Value value,
                                             ValueBoundsConstraintSet &cstr) {
  std::optional<int64_t> divisor = getIndexConstant(getRhs());
  if (divisor && *divisor > 0)
    cstr.bound(value) == cstr.getExpr(getLhs()).floorDiv(*divisor);
}

void FloorModOp::populateBoundsForIndexValue(Value value,
                                             ValueBoundsConstraintSet &cstr) {
  std::optional<int64_t> divisor = getIndexConstant(getRhs());
  if (divisor && *divisor > 0)
    cstr.bound(value) == cstr.getExpr(getLhs()) % *divisor;
}
