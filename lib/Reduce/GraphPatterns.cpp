//===- GraphPatterns.cpp - Reductions of graph form -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In graph form to take one point of a loop is to put a constant in the place
// of its range.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Uop/IR/Uop.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uop;

/// The value where ranges are what `points` maps them to: copies what depends
/// on them to before `op`, which is in the block of the value's definition.
static Value evaluateAt(Value value, IRMapping &points, Operation *op,
                        PatternRewriter &rewriter) {
  llvm::SetVector<Operation *> slice;
  if (Operation *definition = value.getDefiningOp())
    slice.insert(definition);
  for (size_t i = 0; i < slice.size(); ++i)
    for (Value operand : slice[i]->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        slice.insert(definition);
  rewriter.setInsertionPoint(op);
  for (Operation &each : llvm::make_early_inc_range(*op->getBlock())) {
    if (&each == op)
      break;
    if (!slice.contains(&each) || isa<RangeOp>(each))
      continue;
    // Who closes a range does not depend on its point.
    ValueRange closed;
    if (auto reduce = dyn_cast<ReduceOp>(each))
      closed = reduce.getOver();
    else if (auto stage = dyn_cast<StageOp>(each))
      closed = stage.getOver();
    auto isMapped = [&](Value operand) { return points.contains(operand); };
    if (llvm::any_of(each.getOperands(), isMapped) &&
        llvm::none_of(closed, isMapped))
      rewriter.clone(each, points);
  }
  return points.lookupOrDefault(value);
}

/// Takes a value out of a list of closed or domain operands.
static void eraseFrom(MutableOperandRange over, Value value) {
  for (unsigned index = over.size(); index-- > 0;)
    if (over[index].get() == value)
      over.erase(index);
}

namespace {

/// The results are the values, at the first point of the ranges.
struct DropReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp reduce,
                                PatternRewriter &rewriter) const override {
    Value zero = getConstant(rewriter, reduce, rewriter.getIndexAttr(0));
    IRMapping points;
    for (Value range : reduce.getOver())
      points.map(range, zero);
    SmallVector<Value> results;
    for (Value input : reduce.getInputs())
      results.push_back(evaluateAt(input, points, reduce, rewriter));
    rewriter.replaceOp(reduce, results);
    return success();
  }
};

/// Who reads the tile computes the element.
struct DropStage : OpRewritePattern<StageOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(StageOp stage,
                                PatternRewriter &rewriter) const override {
    // Where the point of each closed range is one of the indices.
    SmallVector<unsigned> dims;
    for (Value range : stage.getOver()) {
      auto indices = stage.getIndices();
      auto it = llvm::find(indices, range);
      if (it == indices.end())
        return failure();
      dims.push_back(std::distance(indices.begin(), it));
    }
    SmallVector<LoadOp> loads;
    for (Operation *user : stage->getUsers()) {
      auto load = dyn_cast<LoadOp>(user);
      if (!load)
        return failure();
      loads.push_back(load);
    }
    if (loads.empty())
      return failure();
    for (LoadOp load : loads) {
      IRMapping points;
      for (auto [range, dim] : llvm::zip_equal(stage.getOver(), dims))
        points.map(range, load.getIndices()[dim]);
      Value value = evaluateAt(stage.getValue(), points, load, rewriter);
      rewriter.replaceOp(load, value);
    }
    rewriter.eraseOp(stage);
    return success();
  }
};

/// Leaves the first point of the range. Loop form has ranges, too.
struct DropRange : OpRewritePattern<RangeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RangeOp range,
                                PatternRewriter &rewriter) const override {
    Value zero = getConstant(rewriter, range, rewriter.getIndexAttr(0));
    SmallVector<ReduceOp> reductions;
    llvm::SetVector<Operation *> users(llvm::from_range, range->getUsers());
    for (Operation *user : users)
      rewriter.modifyOpInPlace(user, [&] {
        if (auto store = dyn_cast<StoreOp>(user))
          eraseFrom(store.getOverMutable(), range);
        if (auto stage = dyn_cast<StageOp>(user))
          eraseFrom(stage.getOverMutable(), range);
        if (auto reduce = dyn_cast<ReduceOp>(user)) {
          eraseFrom(reduce.getOverMutable(), range);
          if (reduce.getOver().empty())
            reductions.push_back(reduce);
        }
      });
    rewriter.replaceOp(range, zero);
    for (ReduceOp reduce : reductions)
      rewriter.replaceOp(reduce, reduce.getInputs());
    return success();
  }
};

template <typename OpT> struct DropMask : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getMaskMutable().clear();
      if constexpr (std::is_same_v<OpT, LoadOp>)
        op.getOtherMutable().clear();
    });
    return success();
  }
};

/// Where nothing is read there is zero.
struct DropOther : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoadOp load,
                                PatternRewriter &rewriter) const override {
    if (!load.getOther())
      return failure();
    rewriter.modifyOpInPlace(load, [&] { load.getOtherMutable().clear(); });
    return success();
  }
};

} // namespace

void uop::populateGraphPatterns(RewritePatternSet &patterns) {
  patterns.add<DropReduce, DropStage, DropRange, DropMask<LoadOp>,
               DropMask<StoreOp>, DropMask<ReduceOp>, DropOther>(
      patterns.getContext());
}
