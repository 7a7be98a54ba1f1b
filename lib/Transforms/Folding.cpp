//===- Folding.cpp - Several ranges as one --------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/LaunchShape.h"
#include "Uop/IR/FreeRanges.h"
#include "Uop/Transforms/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// A store that lacks some of the ranges in its domain.
namespace {
struct PartialStore {
  StoreOp store;
  SmallVector<RangeOp> missing;
};
} // namespace

/// Whether the ranges follow one another in a list, in their order.
static bool isInOrder(const RangeList &listed, ArrayRef<RangeOp> ranges) {
  ArrayRef<RangeOp> rest = ArrayRef<RangeOp>(listed).drop_until(
      [&](RangeOp range) { return range == ranges.front(); });
  return rest.take_front(ranges.size()) == ranges;
}

/// Finds the stores that have some of the ranges in their domain and not all.
/// A reduction or stage with such a list is an error, and so is
/// a reduction that would combine the points in another order.
static FailureOr<SmallVector<PartialStore>>
findPartialStores(ArrayRef<RangeOp> ranges) {
  SmallVector<PartialStore> stores;
  for (Operation &op : *RangeOp(ranges.front())->getBlock()) {
    std::optional<MutableOperandRange> over = getOverList(&op);
    if (!over)
      continue;
    RangeList listed = getRanges(OperandRange(*over));
    SmallVector<RangeOp> missing;
    for (RangeOp range : ranges)
      if (!llvm::is_contained(listed, range))
        missing.push_back(range);
    if (missing.empty() && isa<ReduceOp>(op) && !isInOrder(listed, ranges))
      return op.emitOpError(
          "closes the ranges in another order than they are folded in, or "
          "others in between; fold ranges that follow one another in its "
          "'over' list, the outermost first");
    if (missing.empty() || missing.size() == ranges.size())
      continue;
    if (auto store = dyn_cast<StoreOp>(op)) {
      stores.push_back({store, missing});
      continue;
    }
    InFlightDiagnostic diag =
        op.emitOpError("closes some of the ranges that are folded into one, "
                       "and not all; fold those that it closes");
    diag.attachNote(missing.front().getLoc()) << "this range is not among them";
    return diag;
  }
  return stores;
}

/// Moves what computes the extents of the ranges before an op. It depends on
/// arguments and constants only.
static void hoistExtents(RewriterBase &rewriter, ArrayRef<RangeOp> ranges,
                         Operation *position) {
  SetVector<Operation *> late;
  SmallVector<Operation *> stack;
  for (RangeOp range : ranges)
    if (range.getExtent())
      if (Operation *op = range.getExtent().getDefiningOp())
        stack.push_back(op);
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val();
    if (op->isBeforeInBlock(position) || !late.insert(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        stack.push_back(definition);
  }
  SmallVector<Operation *> ordered = late.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ordered)
    rewriter.moveOpBefore(op, position);
}

FailureOr<RangeOp> uop::foldRanges(RewriterBase &rewriter,
                                   ArrayRef<RangeOp> ranges, AxisAttr axis) {
  if (ranges.size() == 1) {
    if (failed(setAxis(rewriter, ranges.front(), axis)))
      return failure();
    return ranges.front();
  }
  RangeOp first = ranges.front();
  // Nothing is divided where there are no points, but not by 0 either.
  auto getDivisor = [](int64_t size) { return std::max<int64_t>(size, 1); };
  std::optional<int64_t> product = 1;
  bool isEmpty = false;
  int64_t most = 1;
  for (RangeOp range : ranges) {
    std::optional<int64_t> size = getStaticExtent(range);
    if (size && llvm::MulOverflow(most, getDivisor(*size), most))
      return emitError(range.getLoc())
             << "cannot be folded: the product of the extents exceeds 64 bits";
    isEmpty |= size == 0;
    product = product && size ? std::optional(*product * *size) : std::nullopt;
  }
  if (isEmpty)
    product = 0;
  FailureOr<SmallVector<PartialStore>> partial = findPartialStores(ranges);
  if (failed(partial))
    return failure();

  OpBuilder::InsertionGuard guard(rewriter);
  RangeOp earliest = *llvm::min_element(
      ranges, [](RangeOp a, RangeOp b) { return a->isBeforeInBlock(b); });
  hoistExtents(rewriter, ranges, earliest);
  rewriter.setInsertionPoint(earliest);
  Location loc = first.getLoc();
  auto getExtent = [&](RangeOp range) -> Value {
    if (std::optional<int64_t> size = getStaticExtent(range))
      return arith::ConstantIndexOp::create(rewriter, loc, getDivisor(*size));
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    return arith::MaxSIOp::create(rewriter, loc, range.getExtent(), one);
  };
  // widths[i] is the number of points of all ranges inside of range i.
  SmallVector<Value> extents, widths(ranges.size());
  for (RangeOp range : ranges)
    extents.push_back(getExtent(range));
  int64_t staticWidth = 1;
  Value width;
  for (size_t i = ranges.size(); i-- > 1;) {
    std::optional<int64_t> size = getStaticExtent(ranges[i]);
    if (size && (!width || getConstantIntValue(width))) {
      staticWidth *= getDivisor(*size);
      width = arith::ConstantIndexOp::create(rewriter, loc, staticWidth);
    } else {
      width = width ? arith::MulIOp::create(rewriter, loc, extents[i], width)
                    : extents[i];
    }
    widths[i - 1] = width;
  }
  RangeOp folded;
  if (product) {
    folded = RangeOp::create(rewriter, loc, axis, *product);
  } else {
    // Not the product of the divisors: one extent may be 0. Nor that of the
    // extents, of which two may be negative, and have no points.
    Value extent, zero;
    for (RangeOp range : ranges) {
      Value own = getValueOrCreateConstantIndexOp(rewriter, loc,
                                                  range.getMixedExtent());
      if (!getStaticExtent(range) && !own.getDefiningOp<memref::DimOp>()) {
        if (!zero)
          zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
        own = arith::MaxSIOp::create(rewriter, loc, own, zero);
      }
      extent = extent ? arith::MulIOp::create(rewriter, loc, extent, own) : own;
    }
    folded = RangeOp::create(rewriter, loc, axis, OpFoldResult(extent));
  }

  SmallVector<Value> values;
  for (size_t i = 0; i < ranges.size(); ++i) {
    Value value = folded;
    if (i + 1 != ranges.size())
      value = FloorDivOp::create(rewriter, loc, value, widths[i]);
    if (i != 0)
      value = FloorModOp::create(rewriter, loc, value, extents[i]);
    values.push_back(value);
  }
  // What a domain lacks is at index 0. So is what is read and then overwritten
  // by such a store, lest another thread reads it too late.
  Value zero;
  for (PartialStore &entry : *partial) {
    SmallVector<Operation *> masked{entry.store};
    for (Operation *user : entry.store.getTarget().getUsers())
      if (auto load = dyn_cast<LoadOp>(user))
        masked.push_back(load);
    llvm::sort(masked, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    for (RangeOp range : entry.missing) {
      if (getStaticExtent(range) == 1)
        continue;
      if (!zero)
        zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
      size_t index = llvm::find(ranges, range) - ranges.begin();
      Value isFirst = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, values[index], zero);
      addMask(rewriter, masked, isFirst);
    }
  }
  for (auto [range, value] : llvm::zip_equal(
           SmallVector<RangeOp>(ranges.begin(), ranges.end()), values)) {
    // The new range stands where the first of them that is listed stood.
    llvm::SmallSetVector<Operation *, 8> users(range->user_begin(),
                                               range->user_end());
    for (Operation *user : users) {
      std::optional<MutableOperandRange> over = getOverList(user);
      if (!over || !llvm::is_contained(OperandRange(*over), range.getResult()))
        continue;
      SmallVector<Value> list;
      bool isListed =
          llvm::is_contained(OperandRange(*over), folded.getResult());
      for (Value element : OperandRange(*over)) {
        if (element != range.getResult())
          list.push_back(element);
        else if (!isListed)
          list.push_back(folded);
      }
      rewriter.modifyOpInPlace(user, [&] { over->assign(list); });
    }
    rewriter.replaceOp(range, value);
  }
  return folded;
}
