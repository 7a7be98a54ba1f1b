//===- FreeRanges.cpp - The ranges in which a value is free ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/FreeRanges.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uop;

RangeList uop::getRanges(ValueRange over) {
  RangeList ranges;
  for (Value value : over)
    if (auto range = value.getDefiningOp<RangeOp>())
      ranges.push_back(range);
  return ranges;
}

/// The ranges that the op removes from those of its operands.
static ValueRange getClosed(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getOver();
  if (auto stage = dyn_cast<StageOp>(op))
    return stage.getOver();
  return {};
}

/// Merges lists that are in order of definition into one.
static RangeList merge(ArrayRef<RangeOp> first, ArrayRef<RangeOp> second) {
  RangeList merged;
  auto before = [](RangeOp a, RangeOp b) {
    return a != b && a->isBeforeInBlock(b);
  };
  std::set_union(first.begin(), first.end(), second.begin(), second.end(),
                 std::back_inserter(merged), before);
  return merged;
}

ArrayRef<RangeOp> FreeRanges::of(Value root) {
  // In post-order with a stack of its own: expressions may be deep. They may
  // also be cyclic, before dominance is verified: an operand that is visited
  // already, but not known yet, counts for nothing.
  SmallVector<Value> stack{root};
  llvm::DenseSet<Value> visited;
  while (!stack.empty()) {
    Value value = stack.back();
    if (known.contains(value)) {
      stack.pop_back();
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op) {
      known[value] = {};
      stack.pop_back();
      continue;
    }
    if (auto range = dyn_cast<RangeOp>(op)) {
      known[value] = {range};
      stack.pop_back();
      continue;
    }
    if (visited.insert(value).second) {
      size_t height = stack.size();
      for (Value operand : op->getOperands())
        if (!known.contains(operand) && !visited.contains(operand))
          stack.push_back(operand);
      if (stack.size() != height)
        continue;
    }
    RangeList free;
    for (Value operand : op->getOperands())
      if (auto it = known.find(operand);
          it != known.end() && !it->second.empty())
        free = free.empty() ? it->second : merge(free, it->second);
    for (RangeOp closed : getRanges(getClosed(op)))
      llvm::erase(free, closed);
    for (Value result : op->getResults())
      known[result] = free;
    stack.pop_back();
  }
  return known[root];
}

RangeList FreeRanges::ofAny(ValueRange values) {
  RangeList free;
  for (Value value : values)
    free = merge(free, of(value));
  return free;
}

bool FreeRanges::isFreeIn(Value value, RangeOp range) {
  return llvm::is_contained(of(value), range);
}
