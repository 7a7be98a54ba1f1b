//===- Reductions.cpp - Loops over the points of reductions ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "Uop/Analysis/Speculation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uop;

/// Whether the points have to be combined in their order with those of other
/// threads, because the combiner need not be commutative, while a range that
/// each thread runs over alone is outside of one that the threads share.
static bool needsOrder(ReduceOp reduce) {
  bool isInside = false;
  for (RangeOp range : getRanges(reduce.getOver())) {
    if (isGroup(range) && isInside)
      return reduce.isGeneral();
    isInside |= !isGroup(range) && !isFoldedGroup(range);
  }
  return false;
}

/// Emits all copies of a reduction, and of those that can share its loops:
/// which close the same ranges in the same order and are free in the same
/// serial ranges. That they are independent is a rule of graph form: nothing
/// that is free in a range depends on a result that closed it.
void LoopLowering::emitReductions(ReduceOp reduce) {
  auto getSerial = [&](ReduceOp op) {
    RangeList serial;
    for (RangeOp range : freeRanges.of(op.getResult(0)))
      if (isSerial(range))
        serial.push_back(range);
    return serial;
  };
  RangeList over = getRanges(reduce.getOver());
  RangeList serial = getSerial(reduce);
  SmallVector<ReduceOp> group;
  for (ReduceOp other : neededReductions)
    if (other == reduce ||
        (!over.empty() && getRanges(other.getOver()) == over &&
         getSerial(other) == serial &&
         needsOrder(other) == needsOrder(reduce) &&
         !lookup(other.getResult(0))))
      group.push_back(other);

  // What the threads share comes first: at the end, each thread has a part.
  RangeList threads, rest;
  bool isLeading = true;
  for (RangeOp range : over) {
    if (isFoldedGroup(range))
      continue;
    isLeading &= isGroup(range);
    bool isFirst = isGroup(range) && (isLeading || !needsOrder(reduce));
    (isFirst ? threads : rest).push_back(range);
  }
  // The loops go to the home of the results, whatever is open inside it.
  inHome(reduce.getResult(0), [&] {
    Accumulators accumulators = emitIdentities(group);
    emitOverOf(group, rest, accumulators);
    if (!threads.empty())
      combineThreads(group, threads, accumulators);
    forEachPart(group, accumulators, [&](ReduceOp member, Part part) {
      for (auto [result, value] : llvm::zip_first(member.getResults(), part))
        remember(result, value);
    });
  });
}

/// Calls `body` for each copy of each reduction of a nest, with its part of
/// the accumulators.
void LoopLowering::forEachPart(ArrayRef<ReduceOp> group,
                               Accumulators &accumulators,
                               function_ref<void(ReduceOp, Part)> body) {
  size_t next = 0;
  for (ReduceOp member : group) {
    size_t size = member.getInputs().size() + tracksPresence(member);
    forEachCopy(getUnrolled(freeRanges.of(member.getResult(0))), [&] {
      body(member, Part(accumulators).slice(next, size));
      next += size;
    });
  }
}

/// The accumulators before the first point.
Accumulators LoopLowering::emitIdentities(ArrayRef<ReduceOp> group) {
  Accumulators accumulators;
  for (ReduceOp member : group)
    forEachCopy(getUnrolled(freeRanges.of(member.getResult(0))), [&] {
      for (auto [index, input] : llvm::enumerate(member.getInputs())) {
        if (member.isGeneral()) {
          accumulators.push_back(emit(member.getIdentities()[index]));
          continue;
        }
        insertAt(*levels.front());
        accumulators.push_back(arith::ConstantOp::create(
            builder, member.getLoc(),
            getReductionIdentity(*member.getKind(), input.getType())));
      }
      if (!tracksPresence(member))
        return;
      insertAt(*levels.front());
      accumulators.push_back(arith::ConstantOp::create(
          builder, member.getLoc(), builder.getBoolAttr(false)));
    });
  return accumulators;
}

/// Emits the loops over the ranges, outermost first, and the combination of
/// all copies inside; `accumulators` go from their values before to after.
void LoopLowering::emitOverOf(ArrayRef<ReduceOp> group, ArrayRef<RangeOp> over,
                              Accumulators &accumulators) {
  if (over.empty())
    return forEachPart(group, accumulators, [&](ReduceOp reduce, Part part) {
      combinePoint(reduce, part);
    });
  if (ArrayRef<RangeOp> threads = over.take_while(isGroup); !threads.empty()) {
    // In each iteration of the loops around, to keep the order.
    Accumulators points = emitIdentities(group);
    emitOverOf(group, over.drop_front(threads.size()), points);
    combineThreads(group, threads, points);
    mergeParts(group, accumulators, points);
    return;
  }
  RangeOp range = over.front();
  if (range.getAxis().isUnrolled()) {
    for (int64_t i = 0, e = *range.getConstantExtent(); i < e; ++i) {
      positions[range] = i;
      emitOverOf(group, over.drop_front(), accumulators);
    }
    positions.erase(range);
    return;
  }
  Operation *openChild = openChildren.lookup(levels.back()->block);
  scf::ForOp loop = openLoop(range, accumulators);
  levels.back()->purpose.assign(group.begin(), group.end());
  accumulators.assign(loop.getRegionIterArgs().begin(),
                      loop.getRegionIterArgs().end());
  emitOverOf(group, over.drop_front(), accumulators);
  closeLoop(accumulators);
  openChildren[levels.back()->block] = openChild;
  accumulators.assign(loop.getResults().begin(), loop.getResults().end());
}

/// Keeps a product that is an accumulator from being contracted with what the
/// next copy of the code, or the user of the reduction, adds to it: in a loop
/// it would be an iter_arg, and unrolling must not change a rounding.
Value LoopLowering::markAccumulator(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return value;
  Operation *accumulator =
      product->use_empty() ? product : builder.clone(*product);
  accumulator->setDiscardableAttr(kAccumulatorAttrName, builder.getUnitAttr());
  return accumulator->getResult(0);
}

/// Whether the combiner may fail, as a division may.
static bool mayFail(ReduceOp reduce) {
  return reduce.isGeneral() &&
         !llvm::all_of(reduce.getCombiner().front().without_terminator(),
                       [](Operation &op) { return isSafeToSpeculate(&op); });
}

/// Where the indices of the hardware are within all ranges of the reduction,
/// closed ones included; null if everywhere.
Value LoopLowering::getPresenceGuard(ReduceOp reduce) {
  auto [it, isNew] = presenceGuards.try_emplace(reduce);
  if (!isNew)
    return it->second;
  Value guard = getGuardOfAny(reduce);
  if (mayFail(reduce)) {
    Value inPlace = getGuardOfInPlace(reduce);
    insertAt(*levels.front());
    guard = conjoin(guard, inPlace);
  }
  return presenceGuards[reduce] = guard;
}

/// Whether the accumulators of a thread come with a bit that says whether they
/// have any point in them. What a combiner makes of two identities is nobody's
/// concern in a serial loop, and often not a number (Welford, online softmax):
/// threads without points take no part in what the threads combine.
bool LoopLowering::tracksPresence(ReduceOp reduce) {
  if (auto it = presenceTracked.find(reduce); it != presenceTracked.end())
    return it->second;
  RangeList over = getRanges(reduce.getOver());
  bool mayBeAbsent =
      reduce.getMask() != nullptr || llvm::any_of(over, [](RangeOp range) {
        return isSerial(range) && range.getConstantExtent().value_or(0) == 0;
      });
  return presenceTracked[reduce] = reduce.isGeneral() &&
                                   llvm::any_of(over, isGroup) &&
                                   (mayBeAbsent || getPresenceGuard(reduce));
}

/// Combines two values of each accumulator at the insertion point.
SmallVector<Value> LoopLowering::combineTwo(ReduceOp reduce, ValueRange lhs,
                                            ValueRange rhs) {
  SmallVector<Value> combined;
  if (reduce.isGeneral()) {
    IRMapping mapping;
    Block &combiner = reduce.getCombiner().front();
    mapping.map(combiner.getArguments().take_front(lhs.size()), lhs);
    mapping.map(combiner.getArguments().drop_front(lhs.size()), rhs);
    for (Operation &op : combiner.without_terminator())
      builder.clone(op, mapping);
    for (Value value : combiner.getTerminator()->getOperands())
      combined.push_back(mapping.lookupOrDefault(value));
  } else {
    combined.push_back(vector::makeArithReduction(
        builder, reduce.getLoc(), *reduce.getKind(), lhs.front(), rhs.front()));
  }
  for (Value &value : combined)
    value = markAccumulator(value);
  return combined;
}

/// What `build` yields where the condition holds, else the other values.
static SmallVector<Value>
buildChoice(OpBuilder &builder, Location loc, Value condition, ValueRange other,
            function_ref<SmallVector<Value>()> build) {
  auto choice = scf::IfOp::create(builder, loc, TypeRange(other), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(builder, loc, build());
  builder.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(builder, loc, other);
  return choice.getResults();
}

/// Combines the value of one point into the accumulators of one copy.
void LoopLowering::combinePoint(ReduceOp reduce, Part part) {
  Location loc = reduce.getLoc();
  SmallVector<Value> inputs;
  for (Value input : reduce.getInputs())
    inputs.push_back(emit(input));
  Value mask = reduce.getMask() ? emit(reduce.getMask()) : Value();
  bool isTracked = tracksPresence(reduce);
  Value condition;
  if (isTracked || mayFail(reduce))
    condition = getPresenceGuard(reduce);
  insertAt(*levels.back());
  if (mayFail(reduce))
    condition = conjoinPointGuard(condition, reduce);
  condition = conjoin(condition, mask);
  SmallVector<Value> before(part.take_front(inputs.size()));
  SmallVector<Value> after;
  if (condition && mayFail(reduce)) {
    after = buildChoice(builder, loc, condition, before,
                        [&] { return combineTwo(reduce, before, inputs); });
  } else {
    after = combineTwo(reduce, before, inputs);
    // A masked point takes no part.
    if (condition)
      for (auto [value, unchanged] : llvm::zip_equal(after, before))
        value =
            arith::SelectOp::create(builder, loc, condition, value, unchanged);
  }
  llvm::copy(after, part.begin());
  if (!isTracked)
    return;
  if (condition)
    part.back() = arith::OrIOp::create(builder, loc, part.back(), condition);
  else
    part.back() =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
}

/// Combines the accumulators of later points into those of earlier ones, which
/// may belong to another thread.
void LoopLowering::mergePart(ReduceOp reduce, Part part, ValueRange later) {
  Location loc = reduce.getLoc();
  if (!tracksPresence(reduce)) {
    llvm::copy(combineTwo(reduce, ValueRange(part), later), part.begin());
    return;
  }
  size_t count = part.size() - 1;
  Value isPresent = part.back(), isLaterPresent = later.back();
  SmallVector<Value> earlier(part.take_front(count)), present;
  for (auto [first, second] : llvm::zip_first(earlier, later))
    present.push_back(
        arith::SelectOp::create(builder, loc, isPresent, first, second));
  Value areBoth =
      arith::AndIOp::create(builder, loc, isPresent, isLaterPresent);
  SmallVector<Value> merged;
  if (mayFail(reduce)) {
    merged = buildChoice(builder, loc, areBoth, present, [&] {
      return combineTwo(reduce, earlier, later.take_front(count));
    });
  } else {
    merged = combineTwo(reduce, earlier, later.take_front(count));
    for (auto [value, other] : llvm::zip_equal(merged, present))
      value = arith::SelectOp::create(builder, loc, areBoth, value, other);
  }
  llvm::copy(merged, part.begin());
  part.back() = arith::OrIOp::create(builder, loc, isPresent, isLaterPresent);
}

/// The same for all copies of all reductions of a nest.
void LoopLowering::mergeParts(ArrayRef<ReduceOp> group,
                              Accumulators &accumulators, ValueRange later) {
  size_t next = 0;
  forEachPart(group, accumulators, [&](ReduceOp reduce, Part part) {
    insertAt(*levels.back());
    mergePart(reduce, part, later.slice(next, part.size()));
    next += part.size();
  });
}
