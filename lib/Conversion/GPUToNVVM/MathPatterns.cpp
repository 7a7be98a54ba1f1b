//===- MathPatterns.cpp - Functions that upstream's lowering lacks
//---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream calls the device library for nearly every function. For a square
// root the library asks a flag that nobody sets: sqrt.approx; LLVM's own
// intrinsic is sqrt.rn unless the operation allows approximation. What is one
// instruction anyway, a fused multiply-add above all, needs no library, and so
// no toolkit. Intrinsics are called by name since upstream's conversion marks
// the operations of some illegal.
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

/// An operation on floats as a call of the LLVM intrinsic of the same meaning.
template <typename Op> struct ToIntrinsic : OpRewritePattern<Op> {
  ToIntrinsic(MLIRContext *context, StringRef intrinsic)
      : OpRewritePattern<Op>(context), intrinsic(intrinsic) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (type && type.isScalable())
      return failure();
    if (!type || type.getRank() == 1) {
      auto call = LLVM::CallIntrinsicOp::create(
          rewriter, op.getLoc(), op.getType(),
          rewriter.getStringAttr(intrinsic), op->getOperands());
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
      SmallVector<Value> parts;
      for (Value operand : op->getOperands())
        parts.push_back(
            vector::ExtractOp::create(rewriter, op.getLoc(), operand, row));
      Operation *part =
          rewriter.create(op.getLoc(), op->getName().getIdentifier(), parts,
                          TypeRange(parts.front().getType()), op->getAttrs());
      result = vector::InsertOp::create(rewriter, op.getLoc(),
                                        part->getResult(0), result, row);
    }
    rewriter.replaceOp(op, result);
    return success();
  }

  StringRef intrinsic;
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
  MLIRContext *context = patterns.getContext();
  patterns.add<ToIntrinsic<math::SqrtOp>>(context, "llvm.sqrt");
  patterns.add<ToIntrinsic<math::FmaOp>>(context, "llvm.fma");
  patterns.add<ToIntrinsic<math::AbsFOp>>(context, "llvm.fabs");
  patterns.add<ToIntrinsic<math::CopySignOp>>(context, "llvm.copysign");
  patterns.add<ToIntrinsic<math::FloorOp>>(context, "llvm.floor");
  patterns.add<ToIntrinsic<math::CeilOp>>(context, "llvm.ceil");
  patterns.add<ToIntrinsic<math::RoundEvenOp>>(context, "llvm.roundeven");
  patterns.add<IsNormalToIntrinsic>(context);
}
