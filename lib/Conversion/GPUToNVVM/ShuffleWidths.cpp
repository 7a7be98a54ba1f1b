//===- ShuffleWidths.cpp - Shuffles of values that are not 32 bits wide ---===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace {

struct ShuffleIn32Bits : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getValue().getType();
    if (!type.isIntOrFloat())
      return failure();
    unsigned width = type.getIntOrFloatBitWidth();
    if (width == 32 || width > 64)
      return failure();

    Location loc = op.getLoc();
    Type bitsType = rewriter.getIntegerType(width);
    Type i32 = rewriter.getI32Type();
    Value bits = op.getValue();
    if (type != bitsType)
      bits = arith::BitcastOp::create(rewriter, loc, bitsType, bits);

    Value valid;
    auto shuffle = [&](Value word) -> Value {
      auto part = gpu::ShuffleOp::create(rewriter, loc, word, op.getOffset(),
                                         op.getWidth(), op.getMode());
      valid = part.getValid();
      return part.getShuffleResult();
    };

    Value result;
    if (width < 32) {
      Value word = arith::ExtUIOp::create(rewriter, loc, i32, bits);
      result = arith::TruncIOp::create(rewriter, loc, bitsType, shuffle(word));
    } else {
      Type i64 = rewriter.getI64Type();
      if (width != 64)
        bits = arith::ExtUIOp::create(rewriter, loc, i64, bits);
      Value by32 = arith::ConstantOp::create(rewriter, loc,
                                             rewriter.getI64IntegerAttr(32));
      Value low = arith::TruncIOp::create(rewriter, loc, i32, bits);
      Value high = arith::TruncIOp::create(
          rewriter, loc, i32,
          arith::ShRUIOp::create(rewriter, loc, bits, by32));
      low = arith::ExtUIOp::create(rewriter, loc, i64, shuffle(low));
      high = arith::ExtUIOp::create(rewriter, loc, i64, shuffle(high));
      high = arith::ShLIOp::create(rewriter, loc, high, by32);
      result = arith::OrIOp::create(rewriter, loc, low, high);
      if (width != 64)
        result = arith::TruncIOp::create(rewriter, loc, bitsType, result);
    }
    if (type != bitsType)
      result = arith::BitcastOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, {result, valid});
    return success();
  }
};

} // namespace

void uop::populateShuffleWidthPatterns(RewritePatternSet &patterns) {
  patterns.add<ShuffleIn32Bits>(patterns.getContext());
}
