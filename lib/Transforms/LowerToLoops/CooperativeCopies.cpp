//===- CooperativeCopies.cpp - Tiles that a block fills together ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The points of a stage, with the last range fastest, are dealt out to the
// threads of the block in passes: pass c gives thread t the points that begin
// at (c*T + t)*V. Neighbouring threads have neighbouring points.
//
// Few passes are copies of the code, and all values of all stages are computed
// before the first is written, so that many loads are on their way at a time;
// many passes are a loop over some. In the last pass there may be less points
// than threads. Each access of its own has a guard there: all threads come to
// every pass, for what is inside of it may need the whole block.
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

/// So many passes are copies of the code; more are a loop.
static constexpr int64_t kMaxUnrolledPasses = 16;
/// The passes in an iteration of that loop.
static constexpr int64_t kPassesPerIteration = 4;

CopyShape LoopLowering::getCopyShape(StageOp stage) {
  CopyShape shape;
  RangeList over = getRanges(stage.getOver());
  for (RangeOp range : over)
    shape.points *= *range.getConstantExtent();
  for (auto &[key, slot] : slots)
    if (isThreadSlot(key))
      shape.threads *= std::max<int64_t>(1, *slot.extent);
  if (shape.points > 1)
    shape.width = std::min<int64_t>(stage.getVector(), shape.points);
  shape.isAligned =
      over.empty() || *over.back().getConstantExtent() % shape.width == 0;
  return shape;
}

//===----------------------------------------------------------------------===//
// Which point a thread has
//===----------------------------------------------------------------------===//

/// An operation on an index and a constant. What follows from the thread alone
/// stands once, at the top of the kernel; the rest is in `block`.
Value LoopLowering::getIndex(IndexOperation operation, Value lhs, int64_t rhs,
                             Block *block) {
  switch (operation) {
  case IndexOperation::Add:
    if (rhs == 0)
      return lhs;
    break;
  case IndexOperation::Multiply:
  case IndexOperation::Divide:
    if (rhs == 1)
      return lhs;
    break;
  case IndexOperation::Remainder:
  case IndexOperation::IsLess:
    break;
  }
  bool isAtTop = lhs.getParentBlock() == body;
  std::tuple key(unsigned(operation), lhs.getAsOpaquePointer(), rhs);
  if (Value known = topIndices.lookup(key))
    return known;
  Location loc = lhs.getLoc();
  Value constant = getConstant(rhs);
  OpBuilder::InsertionGuard guard(builder);
  insertIn(isAtTop ? body : block);
  Value result;
  switch (operation) {
  case IndexOperation::Add:
    result = arith::AddIOp::create(builder, loc, lhs, constant);
    break;
  case IndexOperation::Multiply:
    result = arith::MulIOp::create(builder, loc, lhs, constant);
    break;
  case IndexOperation::Divide:
    result = FloorDivOp::create(builder, loc, lhs, constant);
    break;
  case IndexOperation::Remainder:
    result = FloorModOp::create(builder, loc, lhs, constant);
    break;
  case IndexOperation::IsLess:
    result = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lhs,
                                   constant);
    break;
  }
  if (isAtTop)
    topIndices[key] = result;
  return result;
}

/// The number of the thread in its block.
Value LoopLowering::getLinearThread() {
  if (linearThread)
    return linearThread;
  int64_t stride = 1;
  for (Dimension dimension : {Dimension::X, Dimension::Y, Dimension::Z}) {
    auto it = slots.find(getThreadSlotKey(dimension));
    if (it == slots.end() || it->second.extent == 1)
      continue;
    Value index =
        getIndex(IndexOperation::Multiply, it->second.value, stride, body);
    stride *= *it->second.extent;
    if (linearThread) {
      insertAt(*levels.front());
      index =
          arith::AddIOp::create(builder, index.getLoc(), linearThread, index);
    }
    linearThread = index;
  }
  if (!linearThread)
    linearThread = getConstant(0);
  return linearThread;
}

namespace uop {

/// The number of a point: what the thread adds, from 0 to below `extent`, and
/// what all threads have in common, a multiple of `extent`: a constant and a
/// part that varies with a loop. Values may be absent, for 0.
struct PointNumber {
  Value thread;
  int64_t extent = 1;
  int64_t constant = 0;
  Value loop;
};

} // namespace uop

/// The number as a value.
Value LoopLowering::getSum(const PointNumber &number, Block *block) {
  Value sum = number.thread;
  if (number.loop && sum) {
    insertIn(block);
    sum = arith::AddIOp::create(builder, sum.getLoc(), number.loop, sum);
  } else if (number.loop) {
    sum = number.loop;
  }
  if (!sum)
    return getConstant(number.constant);
  return getIndex(IndexOperation::Add, sum, number.constant, block);
}

/// The indices along ranges of the extents, of which the last is the fastest.
SmallVector<Value> LoopLowering::getPosition(PointNumber number,
                                             ArrayRef<int64_t> extents,
                                             Block *block) {
  SmallVector<Value> position(extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    int64_t extent = extents[i];
    if (extent == 1) {
      position[i] = getConstant(0);
    } else if (i == 0) {
      position[i] = getSum(number, block);
    } else if (number.extent % extent == 0) {
      // All passes have the same one.
      bool isWhole = number.extent == extent;
      position[i] = isWhole ? number.thread
                            : getIndex(IndexOperation::Remainder, number.thread,
                                       extent, block);
      number.thread = isWhole ? Value()
                              : getIndex(IndexOperation::Divide, number.thread,
                                         extent, block);
      number.extent /= extent;
      number.constant /= extent;
      if (number.loop)
        number.loop =
            getIndex(IndexOperation::Divide, number.loop, extent, block);
    } else if (!number.loop && extent % number.extent == 0) {
      // All threads are in one row.
      PointNumber inRow = number;
      inRow.constant %= extent;
      position[i] = getSum(inRow, block);
      number = {Value(), 1, number.constant / extent, Value()};
    } else {
      Value sum = getSum(number, block);
      position[i] = getIndex(IndexOperation::Remainder, sum, extent, block);
      // Nothing is known of it: treat it as one that varies with a loop.
      number = {Value(), 1, 0,
                getIndex(IndexOperation::Divide, sum, extent, block)};
    }
  }
  return position;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Emits the values of passes, from `loopPass` + `first` on, in the block;
/// those that follow `loopPass`, where there is one, are whole.
void LoopLowering::emitPasses(StageOp stage, const CopyShape &shape,
                              Block *block, Value loopPass, int64_t first,
                              int64_t count,
                              SmallVectorImpl<TileWrite> &writes) {
  RangeList over = getRanges(stage.getOver());
  SmallVector<int64_t> extents;
  for (RangeOp range : over)
    extents.push_back(*range.getConstantExtent());
  // Numbers count what has neighbours of its own: chunks, or single points.
  int64_t chunk = shape.isAligned ? shape.width : 1;
  int64_t perThread = shape.width / chunk;
  if (!over.empty())
    extents.back() /= chunk;
  int64_t points = shape.points / chunk;
  int64_t perPass = shape.threads * perThread;
  Value thread;
  if (shape.threads != 1)
    thread =
        getIndex(IndexOperation::Multiply, getLinearThread(), perThread, block);
  Value loop;
  if (loopPass)
    loop = getIndex(IndexOperation::Multiply, loopPass, perPass, block);

  for (int64_t pass = first; pass < first + count; ++pass)
    for (int64_t i = 0; i < perThread; ++i) {
      int64_t begin = pass * perPass + i;
      // What the first and the last thread of the block have.
      if (!loopPass && begin >= points)
        continue;
      bool isPartial =
          !loopPass && begin + (shape.threads - 1) * perThread >= points;
      PointNumber number{thread, perPass, pass * perPass, loop};
      if (thread)
        number.thread = getIndex(IndexOperation::Add, thread, i, block);
      else
        number.constant += i;
      Value guard;
      if (isPartial)
        guard = getIndex(IndexOperation::IsLess, number.thread,
                         points - pass * perPass, block);
      SmallVector<Value> position = getPosition(number, extents, block);
      if (over.empty()) {
        emitPoint(stage, guard, writes);
        continue;
      }
      for (auto [range, value] : llvm::zip_equal(
               ArrayRef(over).drop_back(), ArrayRef(position).drop_back()))
        openPoint(stage, range, value, block, guard);
      Value last =
          getIndex(IndexOperation::Multiply, position.back(), chunk, block);
      for (int64_t element = 0; element < chunk; ++element) {
        Value neighbour = getIndex(IndexOperation::Add, last, element, block);
        openPoint(stage, over.back(), neighbour, block, guard);
        emitPoint(stage, guard, writes);
        levels.pop_back();
      }
      levels.resize(levels.size() - over.size() + 1);
    }
}

/// Where a stage has many passes, emits the loop over most of them, with its
/// writes. Returns how many these are.
int64_t LoopLowering::emitPassLoop(StageOp stage, const CopyShape &shape,
                                   Block *block) {
  int64_t copies = countCopies(stage) * shape.width;
  int64_t whole = shape.getNumFullPasses();
  if (whole + shape.hasTail() <=
      std::min(kMaxUnrolledPasses, kMaxCopies / copies))
    return 0;
  int64_t step =
      std::clamp<int64_t>(kMaxCopies / copies, 1, kPassesPerIteration);
  int64_t looped = whole / step * step;
  Value begin = getConstant(0), end = getConstant(looped);
  Value by = getConstant(step);
  Operation *openChild = openChildren.lookup(block);
  insertIn(block);
  auto loop =
      scf::ForOp::create(builder, stage.getLoc(), begin, end, by, ValueRange(),
                         [](OpBuilder &, Location, Value, ValueRange) {});
  openChildren[block] = loop;
  SmallVector<TileWrite> writes;
  emitPasses(stage, shape, loop.getBody(), loop.getInductionVar(), /*first=*/0,
             step, writes);
  insertIn(loop.getBody());
  writeTiles(writes);
  scf::YieldOp::create(builder, stage.getLoc());
  openChildren[block] = openChild;
  return looped;
}

/// Fills the tiles of all copies of stages that live in the innermost level.
void LoopLowering::fillTogether(ArrayRef<StageOp> group) {
  Block *block = levels.back()->block;
  // Loops first: no value of the others waits through them.
  SmallVector<int64_t> looped;
  for (StageOp stage : group)
    looped.push_back(emitPassLoop(stage, getCopyShape(stage), block));
  SmallVector<TileWrite> writes;
  for (auto [stage, first] : llvm::zip_equal(group, looped)) {
    CopyShape shape = getCopyShape(stage);
    int64_t passes = shape.getNumFullPasses() + shape.hasTail();
    emitPasses(stage, shape, block, /*loopPass=*/{}, first, passes - first,
               writes);
  }
  insertIn(block);
  writeTiles(writes);
}
