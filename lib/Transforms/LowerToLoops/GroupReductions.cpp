//===- GroupReductions.cpp - Reductions over the threads of a block -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread has combined the points of its own; now the threads of a group
// combine what they have, and all of them get the result:
//
// * Threads along x are lanes that follow one another. They exchange values by
//   shuffles, `xor` with 1, 2, 4, ...: after the one with k every lane has the
//   values of its 2k neighbours, combined in the order of the lanes.
// * What is left, the warps of a row and the threads along y and z, goes
//   through shared memory: one write, and every thread combines all of it, in
//   order. Up to 32 values of a power of two are combined by shuffles again.
//   The barriers that this takes are put when the kernel is complete.
//
// Every thread of the block takes part, also those beyond the extents: no
// shuffle and no barrier is under a guard. A combiner need not be commutative,
// and so the values are combined in the order of the points. Where x is not the
// innermost of the shared ranges, that order is not the order of the lanes, and
// all goes through memory.
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

static bool isAlongX(RangeOp range) {
  return range.getAxis().getThreadDimension() == Dimension::X;
}

//===----------------------------------------------------------------------===//
// Indices of threads
//===----------------------------------------------------------------------===//

Slot &LoopLowering::getThreadSlot(Dimension dimension) {
  return slots[getThreadSlotKey(dimension)];
}

/// The quotient or the remainder of the thread's index along x.
Value LoopLowering::getThreadPart(bool isQuotient, int64_t divisor) {
  Slot &slot = getThreadSlot(Dimension::X);
  if (divisor >= *slot.extent)
    return isQuotient ? getConstant(0) : slot.value;
  if (divisor == 1)
    return isQuotient ? slot.value : getConstant(0);
  Value &part = threadParts[{isQuotient, divisor}];
  if (part)
    return part;
  Value by = getConstant(divisor);
  OpBuilder::InsertionGuard guard(builder);
  insertAt(*levels.front());
  Location loc = slot.value.getLoc();
  if (isQuotient)
    part = FloorDivOp::create(builder, loc, slot.value, by);
  else
    part = FloorModOp::create(builder, loc, slot.value, by);
  return part;
}

/// Whether the lane has the earlier points of the two that exchange values at
/// the distance of `offset`, a power of two.
Value LoopLowering::getLaneIsFirst(int64_t offset) {
  Value &isFirst = lanesFirst[offset];
  if (isFirst)
    return isFirst;
  Value lane = getThreadPart(/*isQuotient=*/false, 2 * offset);
  Value bound = getConstant(offset);
  OpBuilder::InsertionGuard guard(builder);
  insertAt(*levels.front());
  return isFirst = arith::CmpIOp::create(
             builder, lane.getLoc(), arith::CmpIPredicate::slt, lane, bound);
}

Value LoopLowering::getShuffleConstant(int64_t value) {
  Value &constant = shuffleConstants[value];
  if (!constant) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(body);
    constant = arith::ConstantOp::create(builder, kernel.getLoc(),
                                         builder.getI32IntegerAttr(value));
  }
  return constant;
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// Combines the accumulators of `lanes` lanes, a power of two; the lanes of the
/// warp beyond them do the same among themselves.
void LoopLowering::combineLanes(ArrayRef<ReduceOp> group, int64_t lanes,
                                Accumulators &accumulators) {
  Value width = getShuffleConstant(kWarpSize);
  for (int64_t offset = 1; offset < lanes; offset *= 2) {
    Value distance = getShuffleConstant(offset);
    forEachPart(group, accumulators, [&](ReduceOp reduce, Part part) {
      Location loc = reduce.getLoc();
      Value isFirst = reduce.isGeneral() ? getLaneIsFirst(offset) : Value();
      insertAt(*levels.back());
      SmallVector<Value> later;
      for (Value value : part)
        later.push_back(gpu::ShuffleOp::create(builder, loc, value, distance,
                                               width, gpu::ShuffleMode::XOR)
                            .getShuffleResult());
      // The kinds are commutative.
      if (isFirst)
        for (auto [own, other] : llvm::zip_equal(part, later)) {
          Value first =
              arith::SelectOp::create(builder, loc, isFirst, own, other);
          other = arith::SelectOp::create(builder, loc, isFirst, other, own);
          own = first;
        }
      mergePart(reduce, part, later);
    });
  }
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

namespace {

/// One dimension of what the threads of a block write to shared memory.
struct Digit {
  int64_t extent;
  Value index;
};

} // namespace

/// Combines what `load` yields at each point of the extents, in order and
/// beginning with `accumulators`.
void LoopLowering::combineInSequence(
    ArrayRef<ReduceOp> group, ArrayRef<int64_t> extents,
    SmallVectorImpl<Value> &indices,
    function_ref<Accumulators(ValueRange)> load, Accumulators &accumulators) {
  if (extents.empty()) {
    Accumulators later = load(indices);
    size_t next = 0;
    return forEachPart(group, accumulators, [&](ReduceOp reduce, Part part) {
      mergePart(reduce, part, ArrayRef<Value>(later).slice(next, part.size()));
      next += part.size();
    });
  }
  Location loc = ReduceOp(group.front()).getLoc();
  Value zero = getConstant(0), one = getConstant(1);
  Value end = getConstant(extents.front());
  auto loop =
      scf::ForOp::create(builder, loc, zero, end, one, accumulators,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(loop.getBody());
    indices.push_back(loop.getInductionVar());
    accumulators.assign(loop.getRegionIterArgs().begin(),
                        loop.getRegionIterArgs().end());
    combineInSequence(group, extents.drop_front(), indices, load, accumulators);
    scf::YieldOp::create(builder, loc, accumulators);
    indices.pop_back();
  }
  accumulators.assign(loop.getResults().begin(), loop.getResults().end());
}

/// Combines the accumulators of threads, or, along x where `shuffled`, those of
/// warps, through shared memory.
void LoopLowering::combineInMemory(ArrayRef<ReduceOp> group,
                                   ArrayRef<RangeOp> over, bool shuffled,
                                   Accumulators &accumulators) {
  Location loc = ReduceOp(group.front()).getLoc();
  // Who writes: where, and under which conditions.
  SmallVector<Digit> digits, others;
  Value isWriter;
  auto require = [&](Value condition) {
    insertAt(*levels.front());
    isWriter = conjoin(isWriter, condition);
  };
  for (RangeOp range : over) {
    int64_t extent = *range.getConstantExtent();
    if (!shuffled || !isAlongX(range)) {
      digits.push_back({extent, getRangeValue(range)});
      require(getGuard(range));
      continue;
    }
    // One lane for its warp, of the warps that have a part in the range.
    int64_t row = *getThreadSlot(Dimension::X).extent;
    int64_t warps = llvm::divideCeil(extent, kWarpSize);
    Value zero = getConstant(0);
    auto requireAt = [&](arith::CmpIPredicate predicate, Value index,
                         Value bound) {
      insertAt(*levels.front());
      require(arith::CmpIOp::create(builder, loc, predicate, index, bound));
    };
    if (warps == 1) {
      requireAt(arith::CmpIPredicate::eq, getThreadPart(false, row), zero);
      continue;
    }
    requireAt(arith::CmpIPredicate::eq, getThreadPart(false, kWarpSize), zero);
    digits.push_back({warps, getThreadPart(true, kWarpSize)});
    if (warps < row / kWarpSize)
      requireAt(arith::CmpIPredicate::slt, digits.back().index,
                getConstant(warps));
  }
  // The other threads of the block, x innermost: lanes next to one another use
  // different banks.
  for (Dimension dimension : {Dimension::Z, Dimension::Y, Dimension::X}) {
    auto it = slots.find(getThreadSlotKey(dimension));
    bool isShared = llvm::any_of(over, [&](RangeOp range) {
      return range.getAxis().getThreadDimension() == dimension;
    });
    if (it != slots.end() && !isShared && it->second.extent != 1)
      others.push_back({*it->second.extent, it->second.value});
  }

  SmallVector<int64_t> shape, extents;
  SmallVector<Value> target, fixed;
  for (Digit digit : digits)
    extents.push_back(digit.extent);
  for (Digit digit : llvm::concat<Digit>(digits, others)) {
    shape.push_back(digit.extent);
    target.push_back(digit.index);
  }
  for (Digit digit : others)
    fixed.push_back(digit.index);
  if (shape.empty()) {
    shape.push_back(1);
    target.push_back(getConstant(0));
    fixed.push_back(getConstant(0));
  }
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  insertAt(*levels.front());
  SmallVector<Value> buffers;
  for (Value value : accumulators)
    buffers.push_back(
        AllocOp::create(builder, loc,
                        MemRefType::get(shape, value.getType(),
                                        MemRefLayoutAttrInterface(), space)));

  insertAt(*levels.back());
  auto write = [&](OpBuilder &b) {
    for (auto [value, buffer] : llvm::zip_equal(accumulators, buffers))
      memref::StoreOp::create(b, loc, value, buffer, target);
  };
  if (isWriter)
    scf::IfOp::create(builder, loc, isWriter, [&](OpBuilder &b, Location loc) {
      write(b);
      scf::YieldOp::create(b, loc);
    });
  else
    write(builder);

  auto load = [&](ValueRange indices) {
    SmallVector<Value> source(indices);
    llvm::append_range(source, fixed);
    Accumulators loaded;
    for (Value buffer : buffers)
      loaded.push_back(memref::LoadOp::create(builder, loc, buffer, source));
    return loaded;
  };
  if (digits.empty()) {
    accumulators = load({});
    return;
  }
  int64_t count = digits.front().extent;
  if (shuffled && digits.size() == 1 && over.size() == 1 &&
      llvm::isPowerOf2_64(count) && count <= kWarpSize) {
    Value lane = getThreadPart(/*isQuotient=*/false, count);
    insertAt(*levels.back());
    accumulators = load(lane);
    return combineLanes(group, count, accumulators);
  }
  accumulators = emitIdentities(group);
  insertAt(*levels.back());
  SmallVector<Value> indices;
  combineInSequence(group, extents, indices, load, accumulators);
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

/// Combines the accumulators of all threads along the ranges, which are in the
/// order of `over`; afterwards all threads have the same ones.
void LoopLowering::combineThreads(ArrayRef<ReduceOp> group,
                                  ArrayRef<RangeOp> over,
                                  Accumulators &accumulators) {
  bool isOrdered =
      llvm::any_of(group, [](ReduceOp reduce) { return reduce.isGeneral(); });
  const auto *alongX = llvm::find_if(over, isAlongX);
  bool shuffled =
      alongX != over.end() && (!isOrdered || std::next(alongX) == over.end());
  if (!shuffled)
    return combineInMemory(group, over, /*shuffled=*/false, accumulators);

  RangeOp range = *alongX;
  int64_t row = *getThreadSlot(Dimension::X).extent;
  bool isWhole = over.size() == 1 && row <= kWarpSize;
  if (Value guard = getGuard(range)) {
    Accumulators identities = emitIdentities(group);
    size_t next = 0;
    forEachPart(group, accumulators, [&](ReduceOp reduce, Part part) {
      // The others know whether they have a point.
      if (!tracksPresence(reduce)) {
        insertAt(*levels.back());
        part.front() = arith::SelectOp::create(builder, reduce.getLoc(), guard,
                                               part.front(), identities[next]);
      }
      next += part.size();
    });
  }
  // What every lane needs, or what the first one does.
  int64_t extent = std::min(*range.getConstantExtent(), kWarpSize);
  combineLanes(group, isWhole ? row : int64_t(llvm::PowerOf2Ceil(extent)),
               accumulators);
  if (!isWhole)
    combineInMemory(group, over, /*shuffled=*/true, accumulators);
}
