//===- Values.cpp - Emission of values and loads --------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "Uop/Analysis/Speculation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uop;

Value LoopLowering::getRangeValue(RangeOp range) {
  if (range.getAxis().isUnrolled())
    return getConstant(positions.lookup(range));
  for (auto &level : llvm::reverse(levels))
    if (level->range == range)
      return level->inductionVar;
  if (isFoldedGroup(range))
    return getConstant(0);
  for (auto &[key, slot] : slots)
    if (llvm::is_contained(slot.ranges, range))
      return slot.value;
  llvm_unreachable("a value is emitted only where its serial ranges are open");
}

/// What stands for the value at the current positions, if it has been emitted.
Value LoopLowering::lookup(Value value) {
  if (isa<BlockArgument>(value))
    return arguments.lookup(value);
  if (auto range = value.getDefiningOp<RangeOp>())
    return getRangeValue(range);
  auto &emitted = getHome(value).emitted;
  auto it = emitted.find(value);
  if (it == emitted.end())
    return {};
  SmallVector<int64_t> copy;
  for (RangeOp range : getUnrolled(freeRanges.of(value)))
    copy.push_back(positions.lookup(range));
  auto found = it->second.find(copy);
  return found == it->second.end() ? Value() : found->second;
}

void LoopLowering::remember(Value value, Value emitted) {
  SmallVector<int64_t> copy;
  for (RangeOp range : getUnrolled(freeRanges.of(value)))
    copy.push_back(positions.lookup(range));
  getHome(value).emitted[value][copy] = emitted;
}

/// Emits a value, and what it needs, in post-order on a stack of its own:
/// expressions may be deep. A reduction or a stage takes its values inside its
/// loops.
Value LoopLowering::emit(Value root) {
  SmallVector<Value> stack{root};
  while (!stack.empty()) {
    Value value = stack.back();
    if (lookup(value)) {
      stack.pop_back();
      continue;
    }
    Operation *op = value.getDefiningOp();
    auto reduce = dyn_cast<ReduceOp>(op);
    auto stage = dyn_cast<StageOp>(op);
    ValueRange needed = reduce  ? ValueRange(reduce.getIdentities())
                        : stage ? ValueRange()
                                : ValueRange(op->getOperands());
    size_t height = stack.size();
    for (Value operand : llvm::reverse(needed))
      if (!lookup(operand))
        stack.push_back(operand);
    if (stack.size() != height)
      continue;
    if (reduce)
      emitReductions(reduce);
    else if (stage)
      emitStages(stage);
    else
      emitOperation(op);
    stack.pop_back();
  }
  return lookup(root);
}

void LoopLowering::emitOperation(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return emitLoad(load);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, lookup(operand));
  Value guard;
  if (!isSafeToSpeculate(op)) {
    guard = getGuardOfAny(op);
    Value inPlace = getGuardOfInPlace(op);
    insertAt(*levels.front());
    guard = conjoin(guard, inPlace);
  }
  insertAt(getHome(op->getResult(0)));
  if (!isSafeToSpeculate(op))
    guard = conjoinPointGuard(guard, op);
  ValueRange emitted;
  if (guard) {
    // Beyond a range an operand is nothing to divide by.
    auto guarded = scf::IfOp::create(
        builder, op->getLoc(), guard,
        [&](OpBuilder &b, Location loc) {
          scf::YieldOp::create(b, loc, b.clone(*op, mapping)->getResults());
        },
        [&](OpBuilder &b, Location loc) {
          SmallVector<Value> zeros;
          for (Type type : op->getResultTypes())
            zeros.push_back(arith::getZeroConstant(b, loc, type));
          scf::YieldOp::create(b, loc, zeros);
        });
    emitted = guarded.getResults();
  } else {
    emitted = builder.clone(*op, mapping)->getResults();
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), emitted))
    remember(result, value);
}

/// Which threads have read the buffers that are overwritten in place and that
/// the op depends on; null if all have.
Value LoopLowering::getGuardOfInPlace(Operation *op) {
  if (storeOf.empty())
    return {};
  Value condition;
  SetVector<Value> reached(op->operand_begin(), op->operand_end());
  for (size_t i = 0; i < reached.size(); ++i) {
    Operation *definition = reached[i].getDefiningOp();
    if (!definition)
      continue;
    if (auto load = dyn_cast<LoadOp>(definition))
      if (StoreOp store = storeOf.lookup(load.getSource())) {
        Value guard = getReaderGuard(store);
        insertAt(*levels.front());
        condition = conjoin(condition, guard);
      }
    reached.insert(definition->operand_begin(), definition->operand_end());
  }
  return condition;
}

/// Where the indices of the hardware are within all ranges in which the
/// operands of the op are free; null if everywhere.
Value LoopLowering::getGuardOfAny(Operation *op) {
  Value condition;
  for (RangeOp range : freeRanges.ofAny(op->getOperands())) {
    Value guard = getGuard(range);
    insertAt(*levels.front());
    condition = conjoin(condition, guard);
  }
  return condition;
}

/// The condition, and that the thread has a point of all ranges that the stages
/// being filled close and in which the operands of the op are free.
Value LoopLowering::conjoinPointGuard(Value condition, Operation *op) {
  SetVector<Value> guards;
  for (auto &level : levels)
    if (level->guard && llvm::any_of(op->getOperands(), [&](Value operand) {
          return freeRanges.isFreeIn(operand, level->range);
        }))
      guards.insert(level->guard);
  for (Value guard : guards)
    condition = conjoin(condition, guard);
  return condition;
}

/// A load reads where its own mask holds, and in no thread that is beyond the
/// extent of a range in which it is free.
void LoopLowering::emitLoad(LoadOp load) {
  Location loc = load.getLoc();
  SmallVector<Value> indices;
  for (Value index : load.getIndices())
    indices.push_back(lookup(index));
  Value source = lookup(load.getSource());
  Value condition = getGuardOfAny(load);
  if (StoreOp store = storeOf.lookup(load.getSource())) {
    Value guard = getReaderGuard(store);
    insertAt(*levels.front());
    condition = conjoin(condition, guard);
  }
  insertAt(getHome(load));
  condition = conjoinPointGuard(condition, load);
  if (load.getMask())
    condition = conjoin(condition, lookup(load.getMask()));
  if (!condition)
    return remember(load,
                    memref::LoadOp::create(builder, loc, source, indices));
  Value other = load.getOther()
                    ? lookup(load.getOther())
                    : arith::getZeroConstant(builder, loc, load.getType());
  auto guarded = scf::IfOp::create(
      builder, loc, condition,
      [&](OpBuilder &b, Location loc) {
        Value element = memref::LoadOp::create(b, loc, source, indices);
        scf::YieldOp::create(b, loc, element);
      },
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, other); });
  remember(load, guarded.getResult(0));
}
