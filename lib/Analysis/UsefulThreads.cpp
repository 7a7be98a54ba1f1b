//===- UsefulThreads.cpp - The threads that have something to do ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/UsefulThreads.h"
#include "Uop/IR/FreeRanges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

namespace {

/// Finds the values that are uniform: equally often each number from 0 to a
/// bound.
class UniformValues {
public:
  /// The bound, exclusive; nothing where the value is not known to be uniform.
  std::optional<int64_t> getExtent(Value value, unsigned depth = 0);

private:
  bool areIndependent(Value a, Value b);

  FreeRanges freeRanges;
};

} // namespace

bool UniformValues::areIndependent(Value a, Value b) {
  return llvm::none_of(freeRanges.of(a), [&](RangeOp range) {
    return freeRanges.isFreeIn(b, range);
  });
}

std::optional<int64_t> UniformValues::getExtent(Value value, unsigned depth) {
  // Deeper than any split and fold of axes.
  constexpr unsigned maxDepth = 64;
  if (depth == maxDepth)
    return std::nullopt;
  if (auto range = value.getDefiningOp<RangeOp>())
    return range.getConstantExtent();
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return std::nullopt;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (isa<FloorDivOp, FloorModOp>(op)) {
    std::optional<int64_t> divisor = getConstantIntValue(rhs);
    std::optional<int64_t> extent = getExtent(lhs, depth + 1);
    if (!divisor || !extent || *divisor < 1 || *extent % *divisor != 0)
      return std::nullopt;
    return isa<FloorModOp>(op) ? *divisor : *extent / *divisor;
  }
  if (!isa<arith::AddIOp>(op))
    return std::nullopt;
  // A number with two digits.
  for (auto [scaled, digit] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
    auto product = scaled.getDefiningOp<arith::MulIOp>();
    if (!product)
      continue;
    for (auto [high, factor] :
         {std::pair(product.getLhs(), product.getRhs()),
          std::pair(product.getRhs(), product.getLhs())}) {
      std::optional<int64_t> width = getConstantIntValue(factor);
      if (!width || *width < 1 || !areIndependent(high, digit) ||
          getExtent(digit, depth + 1) != width)
        continue;
      std::optional<int64_t> extent = getExtent(high, depth + 1);
      int64_t total;
      if (!extent || llvm::MulOverflow(*extent, *width, total))
        return std::nullopt;
      return total;
    }
  }
  return std::nullopt;
}

/// The share of the points at which the comparison is true, or 1.
static double getShare(arith::CmpIOp compare, UniformValues &values) {
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (predicate == arith::CmpIPredicate::sgt) {
    std::swap(lhs, rhs);
    predicate = arith::CmpIPredicate::slt;
  }
  std::optional<int64_t> bound = getConstantIntValue(rhs);
  bool isFirst = predicate == arith::CmpIPredicate::eq && bound == 0;
  if (!bound || (predicate != arith::CmpIPredicate::slt && !isFirst))
    return 1;
  std::optional<int64_t> extent = values.getExtent(lhs);
  if (!extent || *extent == 0)
    return 1;
  int64_t count = isFirst ? 1 : std::clamp<int64_t>(*bound, 0, *extent);
  return double(count) / double(*extent);
}

/// The share of the points at which a mask holds.
static double getMaskShare(Value mask, UniformValues &values) {
  double share = 1;
  llvm::SetVector<Value> conditions;
  if (mask)
    conditions.insert(mask);
  for (size_t i = 0; i < conditions.size(); ++i) {
    Operation *op = conditions[i].getDefiningOp();
    if (auto both = dyn_cast_or_null<arith::AndIOp>(op))
      conditions.insert(both->operand_begin(), both->operand_end());
    else if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
      share *= getShare(compare, values);
  }
  return share;
}

/// The share of the threads of a block that are within the ranges. Along a
/// dimension of which there is none it is that of one thread, where
/// `isOneOtherwise`, or all.
static double getThreadShare(ArrayRef<RangeOp> ranges, const LaunchShape &shape,
                             bool isOneOtherwise) {
  double share = 1;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    int64_t threads = isOneOtherwise ? 1 : shape.block[dimension];
    for (RangeOp range : ranges)
      if (range.getAxis().isThreadIndex() &&
          unsigned(range.getAxis().getThreadDimension()) == dimension)
        threads = range.getConstantExtent().value_or(1);
    share *= double(threads) / double(shape.block[dimension]);
  }
  return share;
}

double uop::computeUsefulThreadShare(KernelOp kernel,
                                     const LaunchShape &shape) {
  UniformValues values;
  FreeRanges freeRanges;
  Block &body = kernel.getBodyBlock();
  if (body.getOps<StoreOp>().empty())
    return 1;
  double largest = 0, largestMask = 0;
  for (StoreOp store : body.getOps<StoreOp>()) {
    double ofMask = getMaskShare(store.getMask(), values);
    largestMask = std::max(largestMask, ofMask);
    largest = std::max(
        largest, ofMask * getThreadShare(getRanges(store.getOver()), shape,
                                         /*isOneOtherwise=*/true));
  }
  // What the threads of a group reduce is for outputs within their axes.
  for (ReduceOp reduce : body.getOps<ReduceOp>()) {
    RangeList closed = getRanges(reduce.getOver());
    if (llvm::none_of(closed, [](RangeOp range) {
          return range.getAxis().getKind() == AxisKind::GroupReduce;
        }))
      continue;
    RangeList ranges = freeRanges.ofAny(reduce.getOperands());
    llvm::append_range(ranges, closed);
    largest =
        std::max(largest, largestMask * getMaskShare(reduce.getMask(), values) *
                              getThreadShare(ranges, shape,
                                             /*isOneOtherwise=*/false));
  }
  return largest;
}
