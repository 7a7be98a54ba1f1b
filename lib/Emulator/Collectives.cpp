//===- Collectives.cpp - Where threads exchange values --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"

#include "MatrixOps.h"
#include "Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Values in memory
//===----------------------------------------------------------------------===//

Type uop::storedType(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type;
}

Value uop::toStored(OpBuilder &b, Location loc, Value value) {
  if (!value.getType().isInteger(1))
    return value;
  return arith::ExtUIOp::create(b, loc, b.getI8Type(), value);
}

Value uop::fromStored(OpBuilder &b, Location loc, Value value, Type type) {
  if (!type.isInteger(1))
    return value;
  return arith::TruncIOp::create(b, loc, b.getI1Type(), value);
}

Value uop::createIsLive(OpBuilder &b, Location loc, Value votes,
                        Value linearId) {
  if (!votes)
    return {};
  Value vote = memref::LoadOp::create(b, loc, votes, linearId);
  Value left = arith::ConstantIntOp::create(b, loc, leftVote, 64);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, vote, left);
}

//===----------------------------------------------------------------------===//
// Which ops
//===----------------------------------------------------------------------===//

bool uop::isCollective(Operation *op) {
  return isa<gpu::ShuffleOp>(op) || isReduction(op) || isMatrixOp(op);
}

bool uop::isBlockCollective(Operation *op) { return isa<gpu::AllReduceOp>(op); }

static LogicalResult checkShuffle(gpu::ShuffleOp op, int64_t subgroupSize) {
  auto vector = dyn_cast<VectorType>(op.getValue().getType());
  if (vector && vector.isScalable())
    return op.emitOpError("expected a vector of a known length, but got ")
           << vector;
  llvm::APInt width;
  if (!matchPattern(op.getWidth(), m_ConstantInt(&width)))
    return success();
  if (width.slt(1) || width.sgt(subgroupSize))
    return op.emitOpError("expected the width of a shuffle to be 1 to ")
           << subgroupSize << ", the subgroup's size, but got "
           << width.getSExtValue();
  return success();
}

LogicalResult uop::checkCollective(Operation *op, int64_t subgroupSize) {
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return checkShuffle(shuffle, subgroupSize);
  return isMatrixOp(op) ? checkMatrixOp(op, subgroupSize)
                        : checkReduction(op, subgroupSize);
}

SmallVector<Value> uop::getTakeOperands(Operation *op) {
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return {shuffle.getOffset(), shuffle.getWidth()};
  return {};
}

SmallVector<ExchangeArray> uop::getExchangeArrays(Operation *op,
                                                  int64_t subgroupSize) {
  if (isMatrixOp(op))
    return getMatrixArrays(op);
  SmallVector<ExchangeArray> arrays{{storedType(op->getOperand(0).getType())}};
  // Which lanes must take part is asked before any of them takes.
  auto shuffle = dyn_cast<gpu::ShuffleOp>(op);
  if (shuffle && !matchPattern(shuffle.getWidth(), m_Constant()))
    arrays.push_back({shuffle.getWidth().getType()});
  return arrays;
}

//===----------------------------------------------------------------------===//
// Who reads from whom at a shuffle
//===----------------------------------------------------------------------===//

namespace {
struct ShuffleSource {
  // The linear id of the thread whose value is read; the reader's own where
  // `valid` is false.
  Value thread;
  Value valid;
};
} // namespace

static ShuffleSource createShuffleSource(OpBuilder &b, gpu::ShuffleOp op,
                                         Value offset, Value numLanes,
                                         Value linearId,
                                         const ThreadGroup &group) {
  Location loc = op.getLoc();
  Value size = arith::ConstantIndexOp::create(b, loc, group.subgroupSize);
  Value width =
      b.createOrFold<arith::IndexCastUIOp>(loc, b.getIndexType(), numLanes);
  Value lane = b.createOrFold<arith::RemUIOp>(loc, linearId, size);
  Value first = b.createOrFold<arith::SubIOp>(loc, linearId, lane);
  Value distance =
      b.createOrFold<arith::IndexCastUIOp>(loc, b.getIndexType(), offset);
  // As an unsigned number: below lane 0 is far beyond the width.
  Value partner;
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    partner = b.createOrFold<arith::XOrIOp>(loc, lane, distance);
    break;
  case gpu::ShuffleMode::DOWN:
    partner = b.createOrFold<arith::AddIOp>(loc, lane, distance);
    break;
  case gpu::ShuffleMode::UP:
    partner = b.createOrFold<arith::SubIOp>(loc, lane, distance);
    break;
  case gpu::ShuffleMode::IDX:
    partner = distance;
    break;
  }
  auto below = [&](Value value, Value bound) {
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, value,
                                         bound);
  };
  Value source = b.createOrFold<arith::AddIOp>(loc, first, partner);
  Value takesPart = below(lane, width);
  Value inWidth = below(partner, width);
  // A block's last subgroup may have fewer threads than lanes.
  Value inBlock = below(source, group.end);
  Value valid = b.createOrFold<arith::AndIOp>(loc, takesPart, inWidth);
  valid = b.createOrFold<arith::AndIOp>(loc, valid, inBlock);
  Value thread = arith::SelectOp::create(b, loc, valid, source, linearId);
  // Of a thread that has left there is no value.
  if (Value live = createIsLive(b, loc, group.votes, thread)) {
    valid = arith::AndIOp::create(b, loc, valid, live);
    thread = arith::SelectOp::create(b, loc, valid, source, linearId);
  }
  return {thread, valid};
}

//===----------------------------------------------------------------------===//
// The three steps
//===----------------------------------------------------------------------===//

void uop::createGive(OpBuilder &b, Operation *op, Lookup lookup,
                     ValueRange arrays, Value linearId, int64_t subgroupSize) {
  if (isMatrixOp(op))
    return giveMatrix(b, op, lookup, arrays, linearId, subgroupSize);
  Location loc = op->getLoc();
  Value value = toStored(b, loc, lookup(op->getOperand(0)));
  memref::StoreOp::create(b, loc, value, arrays.front(), linearId);
  if (arrays.size() > 1)
    memref::StoreOp::create(b, loc, lookup(cast<gpu::ShuffleOp>(op).getWidth()),
                            arrays.back(), linearId);
}

Value uop::createRequiredEnd(OpBuilder &b, Operation *stop, ValueRange arrays,
                             const ThreadGroup &group,
                             llvm::function_ref<Value(Value)> isHere) {
  auto shuffle = dyn_cast<gpu::ShuffleOp>(stop);
  if (!shuffle)
    return group.end;
  Location loc = stop->getLoc();
  Value width = shuffle.getWidth();
  llvm::APInt known;
  if (matchPattern(width, m_ConstantInt(&known))) {
    width = arith::ConstantIndexOp::create(b, loc, known.getSExtValue());
  } else {
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    auto loop = scf::ForOp::create(b, loc, group.first, group.end, one,
                                   ValueRange{none});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value thread = loop.getInductionVar();
    Value mine = memref::LoadOp::create(b, loc, arrays.back(), thread);
    mine = arith::IndexCastOp::create(b, loc, b.getIndexType(), mine);
    mine = arith::SelectOp::create(b, loc, isHere(thread), mine, none);
    Value most = arith::MaxSIOp::create(b, loc, mine, loop.getRegionIterArg(0));
    scf::YieldOp::create(b, loc, most);
    width = loop.getResult(0);
  }
  Value end = arith::AddIOp::create(b, loc, group.first, width);
  return arith::MinSIOp::create(b, loc, end, group.end);
}

void uop::createExchange(OpBuilder &b, Operation *op, ValueRange arrays,
                         const ThreadGroup &group) {
  if (isReduction(op))
    createReduction(b, op, arrays.front(), group);
  if (isMatrixOp(op))
    multiplyMatrices(b, op, arrays, group);
}

SmallVector<Value> uop::createTake(OpBuilder &b, Operation *op, Lookup lookup,
                                   ValueRange arrays, Value linearId,
                                   const ThreadGroup &group) {
  if (isMatrixOp(op))
    return {takeMatrix(b, op, arrays, linearId, group)};
  Location loc = op->getLoc();
  auto load = [&](Value thread) {
    Value value = memref::LoadOp::create(b, loc, arrays.front(), thread);
    return fromStored(b, loc, value, op->getResult(0).getType());
  };
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
    ShuffleSource source =
        createShuffleSource(b, shuffle, lookup(shuffle.getOffset()),
                            lookup(shuffle.getWidth()), linearId, group);
    return {load(source.thread), source.valid};
  }
  return {load(createReductionPlace(b, op, linearId, group))};
}
