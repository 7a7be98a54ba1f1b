//===- MathPatterns.cpp - Functions that upstream's lowering lacks
//---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream calls the device library for a square root, and its function asks a
// flag that nobody sets: sqrt.approx. LLVM's own intrinsic is sqrt.rn unless
// the operation allows approximation. It is called by name since upstream's
// conversion marks the intrinsic's operation illegal.
//
// math.isnormal has no lowering upstream: LLVM's test of a number's class.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/FloatingPointMode.h"

using namespace mlir;

namespace {

struct SqrtToIntrinsic : OpRewritePattern<math::SqrtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SqrtOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (type && type.isScalable())
      return failure();
    if (!type || type.getRank() == 1) {
      auto call = LLVM::CallIntrinsicOp::create(
          rewriter, op.getLoc(), op.getType(),
          rewriter.getStringAttr("llvm.sqrt"), op.getOperand());
      call.setFastmathFlags(
          arith::convertArithFastMathFlagsToLLVM(op.getFastmath()));
      rewriter.replaceOp(op, call.getResults());
      return success();
    }

    // Row by row: the intrinsic takes vectors of at most one dimension.
    if (type.getRank() == 0)
      return failure();
    Value result = ub::PoisonOp::create(rewriter, op.getLoc(), type);
    for (int64_t row = 0; row < type.getDimSize(0); ++row) {
      Value part = vector::ExtractOp::create(rewriter, op.getLoc(),
                                             op.getOperand(), row);
      part = math::SqrtOp::create(rewriter, op.getLoc(), part,
                                  op.getFastmathAttr());
      result =
          vector::InsertOp::create(rewriter, op.getLoc(), part, result, row);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct IsNormalToIntrinsic : OpRewritePattern<math::IsNormalOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsNormalOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (type && type.getRank() != 1)
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::IsFPClass>(
        op, op.getType(), op.getOperand(),
        static_cast<uint32_t>(llvm::fcNormal));
    return success();
  }
};

} // namespace

void uop::populateMathPatterns(RewritePatternSet &patterns) {
  patterns.add<SqrtToIntrinsic, IsNormalToIntrinsic>(patterns.getContext());
}
