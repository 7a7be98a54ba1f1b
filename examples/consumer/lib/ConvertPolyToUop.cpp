//===- ConvertPolyToUop.cpp - From poly.eval to a uop kernel --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel in graph form has no order and no loops to nest: a range for each
// dimension, a load, arithmetic, a store.
//
//===----------------------------------------------------------------------===//

#include "Poly/Poly.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace poly {
#define GEN_PASS_DEF_CONVERTPOLYTOUOP
#include "Poly/PolyPasses.h.inc"

namespace {

/// The extent of a dimension: a number, or a memref.dim.
OpFoldResult getExtent(ImplicitLocOpBuilder &b, Value array, int64_t dim) {
  auto type = cast<MemRefType>(array.getType());
  if (!type.isDynamicDim(dim))
    return b.getIndexAttr(type.getDimSize(dim));
  Value number = arith::ConstantIndexOp::create(b, dim);
  return memref::DimOp::create(b, array, number).getResult();
}

void buildBody(ImplicitLocOpBuilder &b, EvalOp op, Value x, Value y) {
  auto axis = uop::AxisAttr::get(b.getContext(), uop::AxisKind::Loop);
  SmallVector<Value> ranges;
  for (int64_t dim : llvm::seq(cast<MemRefType>(x.getType()).getRank()))
    ranges.push_back(uop::RangeOp::create(b, axis, getExtent(b, x, dim)));

  auto constant = [&](float value) -> Value {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  };
  Value point = uop::LoadOp::create(b, x, ranges);
  ArrayRef<float> coefficients = op.getCoefficients();
  Value sum = constant(coefficients.back());
  for (float coefficient : llvm::reverse(coefficients.drop_back())) {
    Value product = arith::MulFOp::create(b, sum, point);
    sum = arith::AddFOp::create(b, product, constant(coefficient));
  }
  uop::StoreOp::create(b, sum, y, ranges, /*over=*/ranges, /*mask=*/Value(),
                       /*kind=*/nullptr, /*unique=*/false);
}

struct ConvertPolyToUop : impl::ConvertPolyToUopBase<ConvertPolyToUop> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    getOperation().walk([&](EvalOp op) {
      Type type = op.getX().getType();
      ImplicitLocOpBuilder b(op.getLoc(), &getContext());
      auto kernel =
          uop::KernelOp::create(b, "poly", b.getFunctionType({type, type}, {}));
      symbols.insert(kernel);
      Block &body = kernel.getBodyBlock();
      b.setInsertionPointToStart(&body);
      buildBody(b, op, body.getArgument(0), body.getArgument(1));

      b.setInsertionPoint(op);
      uop::LaunchOp::create(b, kernel.getSymName(),
                            ValueRange{op.getX(), op.getY()});
      op.erase();
    });
  }
};

} // namespace
} // namespace poly
