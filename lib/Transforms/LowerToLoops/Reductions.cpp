//===- Reductions.cpp - Loops over the points of reductions ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uop;

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
         getSerial(other) == serial && !lookup(other.getResult(0))))
      group.push_back(other);

  // The loops go to the home of the results, whatever is open inside it: set
  // the deeper levels aside.
  size_t home = 0;
  for (size_t i = 0; i < levels.size(); ++i)
    if (levels[i].get() == &getHome(reduce.getResult(0)))
      home = i;
  std::vector<std::unique_ptr<Level>> deeper(
      std::make_move_iterator(levels.begin() + home + 1),
      std::make_move_iterator(levels.end()));
  levels.resize(home + 1);
  Operation *openChild = levels.back()->openChild;
  llvm::DenseMap<Operation *, int64_t> outerPositions = positions;

  SmallVector<Value> accumulators;
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
    });
  emitOverOf(group, over, accumulators);
  levels.back()->openChild = openChild;

  auto *next = accumulators.begin();
  for (ReduceOp member : group)
    forEachCopy(getUnrolled(freeRanges.of(member.getResult(0))), [&] {
      for (Value result : member.getResults())
        remember(result, *next++);
    });
  positions = std::move(outerPositions);
  std::move(deeper.begin(), deeper.end(), std::back_inserter(levels));
}

/// Emits the loops over the ranges, outermost first, and the combination of
/// all copies inside; `accumulators` go from their values before to after.
void LoopLowering::emitOverOf(ArrayRef<ReduceOp> group, ArrayRef<RangeOp> over,
                              SmallVectorImpl<Value> &accumulators) {
  if (over.empty())
    return combine(group, accumulators);
  RangeOp range = over.front();
  if (range.getAxis().isUnrolled()) {
    for (int64_t i = 0, e = *range.getConstantExtent(); i < e; ++i) {
      positions[range] = i;
      emitOverOf(group, over.drop_front(), accumulators);
    }
    positions.erase(range);
    return;
  }
  Operation *openChild = levels.back()->openChild;
  scf::ForOp loop = openLoop(range, accumulators);
  accumulators.assign(loop.getRegionIterArgs().begin(),
                      loop.getRegionIterArgs().end());
  emitOverOf(group, over.drop_front(), accumulators);
  closeLoop(accumulators);
  levels.back()->openChild = openChild;
  accumulators.assign(loop.getResults().begin(), loop.getResults().end());
}

/// Combines the value of one point into the accumulators of all copies.
void LoopLowering::combine(ArrayRef<ReduceOp> group,
                           SmallVectorImpl<Value> &accumulators) {
  auto *next = accumulators.begin();
  for (ReduceOp reduce : group)
    forEachCopy(getUnrolled(freeRanges.of(reduce.getResult(0))), [&] {
      size_t count = reduce.getInputs().size();
      SmallVector<Value> before(next, next + count);
      for (Value combined : combineOnce(reduce, before))
        *next++ = combined;
    });
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

SmallVector<Value> LoopLowering::combineOnce(ReduceOp reduce,
                                             ValueRange accumulators) {
  Location loc = reduce.getLoc();
  SmallVector<Value> inputs;
  for (Value input : reduce.getInputs())
    inputs.push_back(emit(input));
  Value mask = reduce.getMask() ? emit(reduce.getMask()) : Value();
  insertAt(*levels.back());
  SmallVector<Value> combined;
  if (reduce.isGeneral()) {
    IRMapping mapping;
    Block &combiner = reduce.getCombiner().front();
    for (auto [argument, value] : llvm::zip_equal(
             combiner.getArguments(),
             llvm::concat<Value>(SmallVector<Value>(accumulators), inputs)))
      mapping.map(argument, value);
    for (Operation &op : combiner.without_terminator())
      builder.clone(op, mapping);
    for (Value value : combiner.getTerminator()->getOperands())
      combined.push_back(mapping.lookupOrDefault(value));
  } else {
    combined.push_back(vector::makeArithReduction(
        builder, loc, *reduce.getKind(), accumulators.front(), inputs.front()));
  }
  for (Value &value : combined)
    value = markAccumulator(value);
  // A masked point takes no part.
  if (mask)
    for (auto [value, before] : llvm::zip_equal(combined, accumulators))
      value = arith::SelectOp::create(builder, loc, mask, value, before);
  return combined;
}
