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
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

/// The `over` list of an op that has one.
static std::optional<MutableOperandRange> getOverList(Operation *op) {
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

FailureOr<SplitRanges> uop::splitRange(RewriterBase &rewriter, RangeOp range,
                                       int64_t amount, AxisAttr axis,
                                       SplitPosition position) {
  if (amount < 1)
    return emitError(range.getLoc())
           << "expected to split off at least 1 point, but got " << amount;
  std::optional<int64_t> extent = getStaticExtent(range);
  if (!extent)
    return emitError(range.getLoc())
           << "expected a static extent to split, but this one is dynamic; "
              "make the size part of the type";
  if (*extent % amount != 0)
    return emitError(range.getLoc())
           << "expected an amount that divides the extent " << *extent
           << ", but got " << amount << "; choose "
           << describeNearestDivisors(*extent, amount);

  bool isInner = position == SplitPosition::Inner;
  if (amount == *extent) {
    if (failed(setAxis(rewriter, range, axis)))
      return failure();
    return isInner ? SplitRanges{{}, range} : SplitRanges{range, {}};
  }
  if (amount == 1)
    return isInner ? SplitRanges{range, {}} : SplitRanges{{}, range};

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(range);
  Location loc = range.getLoc();
  int64_t rest = *extent / amount;
  AxisAttr restAxis = range.getAxis();
  auto outer = RangeOp::create(rewriter, loc, isInner ? restAxis : axis,
                               isInner ? rest : amount);
  auto inner = RangeOp::create(rewriter, loc, isInner ? axis : restAxis,
                               isInner ? amount : rest);
  Value width =
      arith::ConstantIndexOp::create(rewriter, loc, isInner ? amount : rest);
  Value base = arith::MulIOp::create(rewriter, loc, outer, width);
  Value sum = arith::AddIOp::create(rewriter, loc, base, inner);
  substituteRange(rewriter, range, {outer, inner}, sum);
  return SplitRanges{outer, inner};
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

static ScheduleAxis getAxisOf(RangeOp range) {
  return {range, getStaticExtent(range)};
}

/// Whether all stores have the same `over` list, folded ranges included.
static bool haveOneDomain(ArrayRef<StoreOp> stores) {
  StoreOp front = stores.front();
  return llvm::all_of(stores, [&](StoreOp store) {
    OperandRange first = front.getOver(), over = store.getOver();
    return first.size() == over.size() &&
           llvm::all_of(llvm::zip_equal(first, over), [](auto pair) {
             auto [a, b] = pair;
             return a == b || (!a.template getDefiningOp<RangeOp>() &&
                               !b.template getDefiningOp<RangeOp>());
           });
  });
}

SmallVector<ScheduleAxis> uop::getOutputAxes(KernelOp kernel) {
  SmallVector<StoreOp> stores(kernel.getBodyBlock().getOps<StoreOp>());
  llvm::SmallSetVector<Operation *, 8> inDomains;
  for (StoreOp store : stores)
    for (RangeOp range : getRanges(store.getOver()))
      inDomains.insert(range);
  SmallVector<ScheduleAxis> axes;
  for (RangeOp range : kernel.getBodyBlock().getOps<RangeOp>())
    if (inDomains.contains(range))
      axes.push_back(getAxisOf(range));
  if (stores.empty() || !haveOneDomain(stores))
    return axes;
  for (auto [index, value] : llvm::enumerate(stores.front().getOver()))
    if (!value.getDefiningOp<RangeOp>())
      axes.insert(axes.begin() + index, ScheduleAxis{{}, 1});
  return axes;
}

SmallVector<ScheduleAxis> uop::getReduceAxes(KernelOp kernel) {
  llvm::SmallPtrSet<Operation *, 8> closed;
  for (ReduceOp reduce : kernel.getBodyBlock().getOps<ReduceOp>())
    for (RangeOp range : getRanges(reduce.getOver()))
      closed.insert(range);
  SmallVector<ScheduleAxis> axes;
  for (RangeOp range : kernel.getBodyBlock().getOps<RangeOp>())
    if (closed.contains(range))
      axes.push_back(getAxisOf(range));
  return axes;
}

std::string uop::describeNearestDivisors(int64_t size, int64_t amount) {
  // Bounds the time for a size and an amount of any magnitude.
  constexpr int64_t kMaxSteps = 4096;
  std::string text;
  int64_t start = std::min(amount, size);
  for (int64_t below = start; below > 1 && start - below < kMaxSteps; --below)
    if (size % below == 0) {
      text = std::to_string(below);
      break;
    }
  if (text.empty())
    text = "1";
  for (int64_t above = amount; above <= size && above - amount < kMaxSteps;
       ++above)
    if (size % above == 0) {
      std::string other = std::to_string(above);
      return text == other ? text : text + " or " + other;
    }
  return text;
}
