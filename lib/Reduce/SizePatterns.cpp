//===- SizePatterns.cpp - Reductions of numbers ---------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extents, constants and amounts become small: a given number, or half of what
// they are.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace uop;

namespace {

/// What a number becomes.
struct Target {
  /// Nothing is half of the number.
  std::optional<int64_t> value;

  /// The new number, if it is nearer to 0.
  std::optional<int64_t> of(int64_t number) const {
    int64_t smaller = value.value_or(number / 2);
    bool isNearer =
        number < 0 ? smaller > number && smaller <= 0 : smaller < number;
    return isNearer ? std::optional<int64_t>(smaller) : std::nullopt;
  }
};

class ShrinkExtent : public OpRewritePattern<RangeOp> {
public:
  ShrinkExtent(MLIRContext *context, Target target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(RangeOp range,
                                PatternRewriter &rewriter) const override {
    // One that is not static becomes so.
    std::optional<int64_t> smaller =
        range.getExtent() ? target.value
                          : target.of(range.getStaticExtentAttr().getInt());
    // Without points there is nothing to be seen.
    if (!smaller || *smaller == 0)
      return failure();
    rewriter.replaceOpWithNewOp<RangeOp>(range, range.getAxis(), *smaller);
    return success();
  }

private:
  Target target;
};

/// Whether a loop would not come on if the value was 0.
bool isStep(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto loop = dyn_cast<LoopLikeOpInterface>(use.getOwner());
    if (!loop)
      return false;
    std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
    return steps && llvm::is_contained(*steps, OpFoldResult(use.get()));
  });
}

class ShrinkConstant : public OpRewritePattern<arith::ConstantOp> {
public:
  ShrinkConstant(MLIRContext *context, Target target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(arith::ConstantOp constant,
                                PatternRewriter &rewriter) const override {
    auto value = dyn_cast<IntegerAttr>(constant.getValue());
    if (!value || value.getValue().getSignificantBits() > 64)
      return failure();
    std::optional<int64_t> smaller = target.of(value.getValue().getSExtValue());
    if (!smaller || (*smaller == 0 && isStep(constant)))
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        constant, IntegerAttr::get(value.getType(), *smaller));
    return success();
  }

private:
  Target target;
};

/// The amount of a step of the schedule, one of the last.
class ShrinkOpt : public OpRewritePattern<KernelOp> {
public:
  ShrinkOpt(MLIRContext *context, unsigned index, Target target)
      : OpRewritePattern(context), index(index), target(target) {}

  LogicalResult matchAndRewrite(KernelOp kernel,
                                PatternRewriter &rewriter) const override {
    ScheduleAttr schedule = kernel.getScheduleAttr();
    if (!schedule || index >= schedule.getOpts().size())
      return failure();
    SmallVector<OptAttr> opts(schedule.getOpts());
    OptAttr &opt = opts[opts.size() - 1 - index];
    std::optional<int64_t> smaller = target.of(opt.getAmount());
    if (!smaller || *smaller == 0)
      return failure();
    opt = OptAttr::get(kernel.getContext(), opt.getKind(), opt.getAxis(),
                       *smaller);
    setOpts(rewriter, kernel, opts);
    return success();
  }

private:
  unsigned index;
  Target target;
};

} // namespace

void uop::populateSizePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  Target half;
  for (int64_t value : {1, 2, 3, 5})
    patterns.add<ShrinkExtent>(context, Target{value});
  patterns.add<ShrinkExtent>(context, half);
  for (int64_t value : {0, 1, 2, 3})
    patterns.add<ShrinkConstant>(context, Target{value});
  patterns.add<ShrinkConstant>(context, half);
  for (unsigned index = 0; index < kMaxAlternatives; ++index) {
    patterns.add<ShrinkOpt>(context, index, Target{2});
    patterns.add<ShrinkOpt>(context, index, half);
  }
}
