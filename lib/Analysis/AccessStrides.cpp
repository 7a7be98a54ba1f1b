//===- AccessStrides.cpp - How far an access moves with a range -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/AccessStrides.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// Sums nested deeper than this have no known coefficients.
static constexpr unsigned kMaxDepth = 64;

using MaybeInt = std::optional<int64_t>;

static MaybeInt add(MaybeInt a, MaybeInt b) {
  int64_t sum;
  if (!a || !b || llvm::AddOverflow(*a, *b, sum))
    return std::nullopt;
  return sum;
}

static MaybeInt multiply(MaybeInt a, MaybeInt b) {
  int64_t product;
  if (!a || !b || llvm::MulOverflow(*a, *b, product))
    return std::nullopt;
  return product;
}

std::optional<int64_t> AccessStrides::getCoefficient(Value value, RangeOp range,
                                                     unsigned depth) {
  if (value == range.getResult())
    return 1;
  if (!freeRanges.isFreeIn(value, range))
    return 0;
  Operation *op = value.getDefiningOp();
  if (depth == kMaxDepth ||
      !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  auto [it, isNew] = coefficients.try_emplace({value, range.getOperation()});
  if (!isNew)
    return it->second;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  MaybeInt result;
  if (isa<arith::MulIOp>(op)) {
    if (MaybeInt factor = getConstantIntValue(rhs))
      result = multiply(getCoefficient(lhs, range, depth + 1), factor);
    else if (MaybeInt factor = getConstantIntValue(lhs))
      result = multiply(getCoefficient(rhs, range, depth + 1), factor);
  } else {
    MaybeInt second = getCoefficient(rhs, range, depth + 1);
    if (isa<arith::SubIOp>(op))
      second = multiply(second, -1);
    result = add(getCoefficient(lhs, range, depth + 1), second);
  }
  coefficients[{value, range.getOperation()}] = result;
  return result;
}

std::optional<int64_t> AccessStrides::ofAccess(Type buffer, ValueRange indices,
                                               RangeOp range) {
  SmallVector<int64_t> strides;
  if (auto memref = dyn_cast<MemRefType>(buffer)) {
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)))
      return std::nullopt;
  } else {
    ArrayRef<int64_t> shape = cast<TileType>(buffer).getShape();
    strides.assign(shape.size(), 1);
    for (size_t dim = shape.size(); dim-- > 1;)
      strides[dim - 1] = strides[dim] * shape[dim];
  }
  MaybeInt total = 0;
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    MaybeInt coefficient = getCoefficient(index, range, 0);
    if (coefficient == 0)
      continue;
    if (ShapedType::isDynamic(stride))
      return std::nullopt;
    total = add(total, multiply(coefficient, stride));
  }
  return total;
}

std::optional<int64_t> AccessStrides::of(LoadOp load, RangeOp range) {
  return ofAccess(load.getSource().getType(), load.getIndices(), range);
}

std::optional<int64_t> AccessStrides::of(StoreOp store, RangeOp range) {
  return ofAccess(store.getTarget().getType(), store.getIndices(), range);
}
