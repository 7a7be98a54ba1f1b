//===- DecomposeLinalg.cpp - Linalg ops without a payload -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some linalg ops are several in one, without loops and a payload. Upstream
// has their parts, on tensors.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace uop {
#define GEN_PASS_DEF_DECOMPOSELINALG
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

using namespace mlir;

namespace {

/// Upstream's functions want a transform, not a pattern.
template <typename Op, auto lower> struct LowerRelayout : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    return success(succeeded(lower(rewriter, op, /*asSlice=*/true)));
  }
};

class DecomposeLinalg : public uop::impl::DecomposeLinalgBase<DecomposeLinalg> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateDecomposeWinogradOpsPatterns(patterns);
    patterns.add<LowerRelayout<linalg::PackOp, linalg::lowerPack>,
                 LowerRelayout<linalg::UnPackOp, linalg::lowerUnPack>>(
        &getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
