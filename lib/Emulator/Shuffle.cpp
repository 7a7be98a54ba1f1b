//===- Shuffle.cpp - Who reads from whom at a shuffle ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uop;

LogicalResult uop::checkShuffle(gpu::ShuffleOp op, int64_t subgroupSize) {
  auto vector = dyn_cast<VectorType>(op.getValue().getType());
  if (vector && vector.isScalable())
    return op.emitOpError("expected a vector of a known length, but got ")
           << vector;
  llvm::APInt width;
  if (!matchPattern(op.getWidth(), m_ConstantInt(&width)))
    return op.emitOpError("expected the width of a shuffle to be a constant");
  if (!width.isPowerOf2() || width.sgt(subgroupSize))
    return op.emitOpError("expected the width of a shuffle to be a power of "
                          "two of at most ")
           << subgroupSize << ", the subgroup's size, but got "
           << width.getSExtValue();
  return success();
}

ShuffleSource uop::createShuffleSource(OpBuilder &b, gpu::ShuffleOp op,
                                       Value offset, Value linearId,
                                       Value threadCount,
                                       int64_t subgroupSize) {
  Location loc = op.getLoc();
  llvm::APInt widthValue;
  matchPattern(op.getWidth(), m_ConstantInt(&widthValue));
  Value size = arith::ConstantIndexOp::create(b, loc, subgroupSize);
  Value width =
      arith::ConstantIndexOp::create(b, loc, widthValue.getZExtValue());
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
  Value inBlock = below(source, threadCount);
  Value valid = b.createOrFold<arith::AndIOp>(loc, takesPart, inWidth);
  valid = b.createOrFold<arith::AndIOp>(loc, valid, inBlock);
  Value thread = arith::SelectOp::create(b, loc, valid, source, linearId);
  return {thread, valid};
}
