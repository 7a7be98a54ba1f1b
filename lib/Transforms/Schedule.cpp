//===- Schedule.cpp - Primitives of scheduling ----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/Schedule.h"
#include "Uop/Analysis/LaunchShape.h"
#include "Uop/IR/FreeRanges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

std::optional<MutableOperandRange> uop::getOverList(Operation *op) {
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getOverMutable();
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getOverMutable();
  if (auto stage = dyn_cast<StageOp>(op))
    return stage.getOverMutable();
  return std::nullopt;
}

void uop::substituteRange(RewriterBase &rewriter, RangeOp range,
                          ValueRange parts, Value value) {
  llvm::SmallSetVector<Operation *, 8> users;
  for (Operation *user : range->getUsers())
    users.insert(user);
  for (Operation *user : users) {
    std::optional<MutableOperandRange> over = getOverList(user);
    if (!over)
      continue;
    SmallVector<Value> list;
    for (OpOperand &element : *over) {
      if (element.get() == range.getResult())
        llvm::append_range(list, parts);
      else
        list.push_back(element.get());
    }
    rewriter.modifyOpInPlace(user, [&] { over->assign(list); });
  }
  rewriter.replaceOp(range, value);
}

LogicalResult uop::setAxis(RewriterBase &rewriter, RangeOp range,
                           AxisAttr axis) {
  if (axis.needsStaticExtent()) {
    std::optional<int64_t> extent = getStaticExtent(range);
    if (!extent)
      return emitError(range.getLoc())
             << "expected a static extent for axis '" << axis.str()
             << "', but this one is dynamic; make the size part of the type";
    if (*extent < 1)
      return emitError(range.getLoc())
             << "expected an extent of at least 1 for axis '" << axis.str()
             << "', but got " << *extent;
  }
  rewriter.modifyOpInPlace(range, [&] { range.setAxisAttr(axis); });
  return success();
}

/// A dynamic extent as a value times a constant, as padding writes it.
static std::pair<Value, int64_t> getMultiple(Value extent) {
  auto product = extent.getDefiningOp<arith::MulIOp>();
  if (!product)
    return {extent, 1};
  for (auto [factor, other] : {std::pair(product.getRhs(), product.getLhs()),
                               std::pair(product.getLhs(), product.getRhs())})
    if (std::optional<int64_t> constant = getConstantIntValue(factor);
        constant && *constant > 0)
      return {other, *constant};
  return {extent, 1};
}

FailureOr<SplitRanges> uop::splitRange(RewriterBase &rewriter, RangeOp range,
                                       int64_t amount, AxisAttr axis,
                                       SplitPosition position) {
  if (amount < 1)
    return emitError(range.getLoc())
           << "expected to split off at least 1 point, but got " << amount;
  std::optional<int64_t> extent = getStaticExtent(range);
  Value steps;
  int64_t factor = 1;
  if (extent && *extent % amount != 0)
    return emitError(range.getLoc())
           << "expected an amount that divides the extent " << *extent
           << ", but got " << amount << "; choose "
           << describeNearestDivisors(*extent, amount) << ", or pad the range";
  if (!extent && amount > 1) {
    std::tie(steps, factor) = getMultiple(range.getExtent());
    if (factor % amount != 0)
      return emitError(range.getLoc()) << "expected an amount that is known to "
                                          "divide the dynamic extent, "
                                          "but got "
                                       << amount << "; pad the range first";
  }

  bool isInner = position == SplitPosition::Inner;
  if (extent && amount == *extent) {
    if (failed(setAxis(rewriter, range, axis)))
      return failure();
    return isInner ? SplitRanges{{}, range} : SplitRanges{range, {}};
  }
  if (amount == 1)
    return isInner ? SplitRanges{range, {}} : SplitRanges{{}, range};

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(range);
  Location loc = range.getLoc();
  OpFoldResult rest, split = rewriter.getIndexAttr(amount);
  if (extent) {
    rest = rewriter.getIndexAttr(*extent / amount);
  } else {
    Value scale =
        arith::ConstantIndexOp::create(rewriter, loc, factor / amount);
    rest = factor == amount
               ? steps
               : arith::MulIOp::create(rewriter, loc, steps, scale).getResult();
  }
  AxisAttr restAxis = range.getAxis();
  auto outer = RangeOp::create(rewriter, loc, isInner ? restAxis : axis,
                               isInner ? rest : split);
  auto inner = RangeOp::create(rewriter, loc, isInner ? axis : restAxis,
                               isInner ? split : rest);
  Value width =
      getValueOrCreateConstantIndexOp(rewriter, loc, isInner ? split : rest);
  Value base = arith::MulIOp::create(rewriter, loc, outer, width);
  Value sum = arith::AddIOp::create(rewriter, loc, base, inner);
  substituteRange(rewriter, range, {outer, inner}, sum);
  return SplitRanges{outer, inner};
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

ReduceOp uop::findCombiner(RangeOp range) {
  for (Operation *user : range->getUsers()) {
    auto reduce = dyn_cast<ReduceOp>(user);
    if (reduce && reduce.isGeneral() &&
        llvm::is_contained(reduce.getOver(), range.getResult()))
      return reduce;
  }
  return {};
}

FailureOr<SplitRanges> uop::groupRange(RewriterBase &rewriter, RangeOp range,
                                       int64_t amount, Dimension dimension,
                                       bool isOutermost) {
  if (range.getAxis().getKind() != AxisKind::Reduce)
    return emitError(range.getLoc())
           << "expected axis 'reduce' for a range that threads of a block are "
              "to reduce together, but got '"
           << range.getAxis().str() << "'";
  if (ReduceOp reduce = findCombiner(range); reduce && !isOutermost) {
    InFlightDiagnostic diag =
        emitError(range.getLoc())
        << "cannot be interleaved between threads, which changes the order in "
           "which a combiner takes the points; group the outermost part";
    diag.attachNote(reduce.getLoc()) << "the combiner is here";
    return diag;
  }
  auto axis =
      AxisAttr::get(rewriter.getContext(), AxisKind::GroupReduce, dimension);
  return splitRange(rewriter, range, amount, axis,
                    isOutermost ? SplitPosition::Outer : SplitPosition::Inner);
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

void RewrittenDomains::note(RangeOp range) {
  for (Operation *user : range->getUsers())
    if (auto store = dyn_cast<StoreOp>(user))
      if (llvm::is_contained(store.getOver(), range.getResult()))
        buffers.insert(store.getTarget());
}

void RewrittenDomains::markUnique(RewriterBase &rewriter, KernelOp kernel) {
  for (StoreOp store : kernel.getBodyBlock().getOps<StoreOp>())
    if (!store.getKind() && buffers.contains(store.getTarget()))
      rewriter.modifyOpInPlace(store, [&] { store.setUnique(true); });
}
