//===- ExpandMath.cpp - Math functions of the emulator --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace uop {
#define GEN_PASS_DEF_EXPANDMATH
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

namespace {
class ExpandMath : public uop::impl::ExpandMathBase<ExpandMath> {
public:
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    // The C library has no reciprocal square root: a division by the root.
    RewritePatternSet expansions(&getContext());
    math::populateExpansionPatterns(expansions, {"rsqrt"});
    if (failed(applyPatternsGreedily(getOperation(), std::move(expansions))))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, func::FuncDialect,
                           LLVM::LLVMDialect, vector::VectorDialect>();
    // Instructions with one right answer, which LLVM has as such.
    target.addLegalOp<math::AbsFOp, math::CeilOp, math::CopySignOp,
                      math::FloorOp, math::FmaOp, math::RoundEvenOp,
                      math::RoundOp, math::SqrtOp, math::TruncOp>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
