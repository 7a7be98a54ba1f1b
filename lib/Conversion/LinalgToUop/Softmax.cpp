//===- Softmax.cpp - A softmax on memrefs as three linalg ops -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream decomposes a softmax on tensors only. Here the exponentials are
// computed twice, for the sum and for the result: they take less time than
// memory that holds them.
//
//===----------------------------------------------------------------------===//

#include "LinalgToUop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace uop;

/// A memref with an element for each row of the softmax, filled with `value`.
static Value buildRows(ImplicitLocOpBuilder &builder, Value input, int64_t dim,
                       Attribute value) {
  auto type = cast<MemRefType>(input.getType());
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  for (int64_t other = 0; other < type.getRank(); ++other) {
    if (other == dim)
      continue;
    shape.push_back(type.getDimSize(other));
    if (type.isDynamicDim(other))
      sizes.push_back(memref::DimOp::create(builder, input, other));
  }
  Value rows = memref::AllocOp::create(
      builder, MemRefType::get(shape, type.getElementType()), sizes);
  Value fill = arith::ConstantOp::create(builder, cast<TypedAttr>(value));
  linalg::FillOp::create(builder, fill, rows);
  return rows;
}

LogicalResult uop::decomposeSoftmax(linalg::SoftmaxOp op) {
  auto type = dyn_cast<MemRefType>(op.getInput().getType());
  if (!type || !isa<MemRefType>(op.getOutput().getType()) ||
      !isa<FloatType>(type.getElementType()))
    return op.emitOpError("expected ranked memrefs of floating-point numbers, "
                          "but got ")
           << op.getInput().getType();
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value input = op.getInput(), output = op.getOutput();
  int64_t dim = op.getDimension(), rank = type.getRank();
  Type element = type.getElementType();

  AffineMap all = builder.getMultiDimIdentityMap(rank);
  AffineMap perRow = all.dropResult(dim);
  SmallVector<utils::IteratorType> reduce(rank, utils::IteratorType::parallel);
  SmallVector<utils::IteratorType> parallel = reduce;
  reduce[dim] = utils::IteratorType::reduction;
  using Body = function_ref<Value(OpBuilder &, Location, ValueRange)>;
  auto build = [&](ValueRange inputs, Value out, ArrayRef<AffineMap> maps,
                   ArrayRef<utils::IteratorType> iterators, Body body) {
    linalg::GenericOp::create(
        builder, inputs, out, maps, iterators,
        [&](OpBuilder &at, Location loc, ValueRange arguments) {
          linalg::YieldOp::create(at, loc, body(at, loc, arguments));
        });
  };
  auto exponential = [](OpBuilder &at, Location loc, Value x, Value max) {
    Value shifted = arith::SubFOp::create(at, loc, x, max);
    return math::ExpOp::create(at, loc, shifted);
  };

  using vector::CombiningKind;
  Value max = buildRows(builder, input, dim,
                        getReductionIdentity(CombiningKind::MAXNUMF, element));
  build(input, max, {all, perRow}, reduce,
        [](OpBuilder &at, Location loc, ValueRange arguments) {
          return arith::MaxNumFOp::create(at, loc, arguments[0], arguments[1]);
        });
  Value sum = buildRows(builder, input, dim,
                        getReductionIdentity(CombiningKind::ADD, element));
  build({input, max}, sum, {all, perRow, perRow}, reduce,
        [&](OpBuilder &at, Location loc, ValueRange arguments) {
          Value value = exponential(at, loc, arguments[0], arguments[1]);
          return arith::AddFOp::create(at, loc, value, arguments[2]);
        });
  build({input, max, sum}, output, {all, perRow, perRow, all}, parallel,
        [&](OpBuilder &at, Location loc, ValueRange arguments) {
          Value value = exponential(at, loc, arguments[0], arguments[1]);
          return arith::DivFOp::create(at, loc, value, arguments[2]);
        });
  memref::DeallocOp::create(builder, max);
  memref::DeallocOp::create(builder, sum);
  op.erase();
  return success();
}
