//===- ControlFlowPatterns.cpp - Reductions of loops and branches ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structured control flow gives way to one of the ways through it. Barriers and
// whole loops without results are erased as any op that nothing uses.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

/// Puts the block in the place of the op, of which it is a part; what its
/// terminator has becomes the results. `values` takes these from it.
static LogicalResult
replaceByBlock(Operation *op, Block &block, ValueRange arguments,
               PatternRewriter &rewriter,
               llvm::function_ref<OperandRange(Operation *)> values) {
  Operation *terminator = block.getTerminator();
  SmallVector<Value> results(values(terminator));
  if (results.size() != op->getNumResults())
    return failure();
  // They may be arguments of the block, which are about to go.
  for (Value &result : results)
    if (auto argument = dyn_cast<BlockArgument>(result))
      if (argument.getOwner() == &block)
        result = arguments[argument.getArgNumber()];
  rewriter.eraseOp(terminator);
  rewriter.inlineBlockBefore(&block, op, arguments);
  rewriter.replaceOp(op, results);
  return success();
}

static OperandRange getAllOperands(Operation *terminator) {
  return terminator->getOperands();
}

namespace {

/// Runs the body once, with the lower bound.
struct UnwrapFor : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> arguments{loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitArgs());
    return replaceByBlock(loop, *loop.getBody(), arguments, rewriter,
                          getAllOperands);
  }
};

/// Does not run the body.
struct SkipFor : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(loop, loop.getInitArgs());
    return success();
  }
};

/// A value that the loop carries stays what it is at the beginning.
class DropIterArg : public OpRewritePattern<scf::ForOp> {
public:
  DropIterArg(MLIRContext *context, unsigned index)
      : OpRewritePattern(context), index(index) {}

  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    if (index >= loop.getInitArgs().size())
      return failure();
    SmallVector<Value> inits(loop.getInitArgs());
    Value init = inits[index];
    inits.erase(inits.begin() + index);
    auto smaller = scf::ForOp::create(
        rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
        loop.getStep(), inits, nullptr, loop.getUnsignedCmp());
    if (!smaller.getBody()->empty())
      rewriter.eraseOp(smaller.getBody()->getTerminator());
    SmallVector<Value> arguments(smaller.getBody()->getArguments());
    arguments.insert(arguments.begin() + 1 + index, init);
    rewriter.mergeBlocks(loop.getBody(), smaller.getBody(), arguments);
    smaller.getBody()->getTerminator()->eraseOperand(index);
    SmallVector<Value> results(smaller.getResults());
    results.insert(results.begin() + index, init);
    rewriter.replaceOp(loop, results);
    return success();
  }

private:
  unsigned index;
};

/// Goes the one way or the other.
class TakeBranch : public OpRewritePattern<scf::IfOp> {
public:
  TakeBranch(MLIRContext *context, bool isThen)
      : OpRewritePattern(context), isThen(isThen) {}

  LogicalResult matchAndRewrite(scf::IfOp branch,
                                PatternRewriter &rewriter) const override {
    Block *block = isThen ? branch.thenBlock() : branch.elseBlock();
    if (!block)
      return failure();
    return replaceByBlock(branch, *block, {}, rewriter, getAllOperands);
  }

private:
  bool isThen;
};

/// Erases the branch that is not taken, where nothing needs its values.
struct DropElse : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IfOp branch,
                                PatternRewriter &rewriter) const override {
    if (!branch.elseBlock() || branch.getNumResults() != 0)
      return failure();
    rewriter.eraseBlock(branch.elseBlock());
    return success();
  }
};

class TakeCase : public OpRewritePattern<scf::IndexSwitchOp> {
public:
  TakeCase(MLIRContext *context, unsigned index)
      : OpRewritePattern(context), index(index) {}

  LogicalResult matchAndRewrite(scf::IndexSwitchOp choice,
                                PatternRewriter &rewriter) const override {
    // The default comes first.
    if (index >= choice->getNumRegions())
      return failure();
    return replaceByBlock(choice, choice->getRegion(index).front(), {},
                          rewriter, getAllOperands);
  }

private:
  unsigned index;
};

/// Runs what comes before the condition, once.
struct UnwrapWhile : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::WhileOp loop,
                                PatternRewriter &rewriter) const override {
    return replaceByBlock(loop, *loop.getBeforeBody(), loop.getInits(),
                          rewriter, [](Operation *terminator) {
                            return cast<scf::ConditionOp>(terminator).getArgs();
                          });
  }
};

struct InlineRegion : OpRewritePattern<scf::ExecuteRegionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ExecuteRegionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getRegion().hasOneBlock())
      return failure();
    return replaceByBlock(op, op.getRegion().front(), {}, rewriter,
                          getAllOperands);
  }
};

/// The ranges of the phase become those of the kernel.
struct InlinePhase : OpRewritePattern<PhaseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PhaseOp phase,
                                PatternRewriter &rewriter) const override {
    rewriter.inlineBlockBefore(&phase.getBody().front(), phase);
    rewriter.eraseOp(phase);
    return success();
  }
};

} // namespace

void uop::populateControlFlowPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<SkipFor, UnwrapFor, UnwrapWhile, InlineRegion>(context);
  patterns.add<TakeBranch>(context, /*isThen=*/true);
  patterns.add<TakeBranch>(context, /*isThen=*/false);
  patterns.add<DropElse, InlinePhase>(context);
  for (unsigned index = 0; index < kMaxAlternatives; ++index)
    patterns.add<TakeCase, DropIterArg>(context, index);
}
