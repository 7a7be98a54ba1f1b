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

OpFoldResult RangeOp::getMixedExtent() {
  if (getStaticExtentAttr())
    return Builder(getContext()).getIndexAttr(getStaticExtentAttr().getInt());
  return getExtent();
}

void RangeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), stringifyAxisKind(getAxis().getKind()));
}

LogicalResult RangeOp::verify() {
  if (bool(getExtent()) == bool(getStaticExtentAttr()))
    return emitOpError("expected either a static or a dynamic extent");
  std::optional<int64_t> extent = getConstantExtent();
  AxisAttr axis = getAxis();
  if (axis.needsStaticExtent()) {
    if (!extent && !getIndexConstant(getExtent()))
      return emitOpError()
             << "expected a static extent, a literal or constant, "
                "for axis '"
             << axis.str() << "', but got a dynamic one";
    int64_t value = extent ? *extent : *getIndexConstant(getExtent());
    if (value < 1)
      return emitOpError() << "expected an extent of at least 1 for axis '"
                           << axis.str() << "', but got " << value;
  }
  if (!extent)
    return success();
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
    if (!op.getExtent())
      return failure();
    std::optional<int64_t> extent = getIndexConstant(op.getExtent());
    if (!extent || *extent < 0)
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
  APInt zero = APInt::getZero(width);
  APInt extent = APInt::getSignedMaxValue(width);
  if (std::optional<int64_t> constant = getConstantExtent())
    extent = APInt(width, *constant);
  else if (!argRanges.empty())
    extent = argRanges.front().smax();
  // A range that may have no points must not have an empty interval.
  APInt last = extent.isStrictlyPositive() ? extent - 1 : zero;
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
  if (lhs && rhs && canDivide(*lhs, *rhs))
    return IntegerAttr::get(getType(),
                            *lhs - *rhs * llvm::divideFloorSigned(*lhs, *rhs));
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
