//===- Loops.cpp - Open loops, copies, and where values live --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

/// Where later values of a block go: before the loop that is open in it.
void LoopLowering::insertIn(Block *block) {
  if (Operation *openChild = openChildren.lookup(block))
    builder.setInsertionPoint(openChild);
  else
    builder.setInsertionPointToEnd(block);
}

Level &LoopLowering::getHome(Value value) {
  for (auto &level : llvm::reverse(levels))
    if (level->range && freeRanges.isFreeIn(value, level->range))
      return *level;
  return *levels.front();
}

/// Runs `body` in the level in which the value lives, as if nothing were open
/// inside of it.
void LoopLowering::inHome(Value value, function_ref<void()> body) {
  Level *level = &getHome(value);
  size_t home =
      llvm::find_if(levels,
                    [&](auto &candidate) { return candidate.get() == level; }) -
      levels.begin();
  std::vector<std::unique_ptr<Level>> deeper(
      std::make_move_iterator(levels.begin() + home + 1),
      std::make_move_iterator(levels.end()));
  levels.resize(home + 1);
  Operation *openChild = openChildren.lookup(levels.back()->block);
  llvm::DenseMap<Operation *, int64_t> outerPositions = positions;
  body();
  openChildren[levels.back()->block] = openChild;
  positions = std::move(outerPositions);
  std::move(deeper.begin(), deeper.end(), std::back_inserter(levels));
}

/// Opens a loop in the innermost level.
scf::ForOp LoopLowering::openLoop(RangeOp range, ValueRange initArgs) {
  Value extent = getExtent(range);
  Value zero = getConstant(0), one = getConstant(1);
  Level &parent = *levels.back();
  insertAt(parent);
  auto loop =
      scf::ForOp::create(builder, range.getLoc(), zero, extent, one, initArgs,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  openChildren[parent.block] = loop;
  auto level = std::make_unique<Level>();
  level->range = range;
  level->inductionVar = loop.getInductionVar();
  level->block = loop.getBody();
  levels.push_back(std::move(level));
  return loop;
}

void LoopLowering::closeLoop(ValueRange yielded) {
  insertAt(*levels.back());
  scf::YieldOp::create(builder, levels.back()->range.getLoc(), yielded);
  levels.pop_back();
  openChildren[levels.back()->block] = nullptr;
}

/// Constants stand at the beginning of the kernel, above everything.
Value LoopLowering::getConstant(int64_t value) {
  Value &constant = constants[value];
  if (!constant) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(body);
    constant = arith::ConstantIndexOp::create(builder, kernel.getLoc(), value);
  }
  return constant;
}

Value LoopLowering::getExtent(RangeOp range) {
  if (std::optional<int64_t> extent = range.getConstantExtent())
    return getConstant(*extent);
  return emit(range.getExtent());
}

RangeList LoopLowering::getUnrolled(ArrayRef<RangeOp> ranges) {
  RangeList unrolled;
  for (RangeOp range : ranges)
    if (range.getAxis().isUnrolled())
      unrolled.push_back(range);
  return unrolled;
}

/// Calls `body` once for each combination of the positions of the ranges, the
/// last one fastest.
void LoopLowering::forEachCopy(ArrayRef<RangeOp> unrolled,
                               function_ref<void()> body) {
  if (unrolled.empty())
    return body();
  RangeOp range = unrolled.front();
  for (int64_t i = 0, e = *range.getConstantExtent(); i < e; ++i) {
    positions[range] = i;
    forEachCopy(unrolled.drop_front(), body);
  }
  positions.erase(range);
}
