//===- Reductions.cpp - Reductions of subgroups and blocks ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace uop;

// The most threads of a block, up to which a tree may grow.
static constexpr int64_t maxThreads = 1024;

bool uop::isReduction(Operation *op) {
  return isa<gpu::AllReduceOp, gpu::SubgroupReduceOp, gpu::SubgroupBroadcastOp>(
      op);
}

LogicalResult uop::checkReduction(Operation *op, int64_t subgroupSize) {
  Type type = op->getResult(0).getType();
  auto vector = dyn_cast<VectorType>(type);
  if (vector && vector.isScalable())
    return op->emitOpError("expected a vector of a known length, but got ")
           << vector;
  if (!getElementTypeOrSelf(type).isIntOrIndexOrFloat() ||
      (!vector && isa<ShapedType>(type)))
    return op->emitOpError("expected an integer, a float or a vector of these "
                           "on the emulator, but got ")
           << type;
  if (auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op)) {
    int64_t size = reduce.getClusterSize().value_or(1);
    int64_t stride = reduce.getClusterStride();
    if (size * stride > subgroupSize)
      return op->emitOpError(
                 "expected clusters of lanes of one subgroup, which "
                 "has ")
             << subgroupSize << ", but got " << size << " lanes at a stride of "
             << stride;
  }
  auto reduce = dyn_cast<gpu::AllReduceOp>(op);
  if (!reduce || reduce.getOp())
    return success();
  // The combiner is copied to where the values are combined, which is no
  // thread's code.
  if (!reduce.getBody().hasOneBlock())
    return op->emitOpError("expected a combiner of one block on the emulator");
  for (Operation &inner : reduce.getBody().front())
    if (!isa<gpu::YieldOp>(inner) &&
        (!isMemoryEffectFree(&inner) ||
         isa_and_nonnull<gpu::GPUDialect>(inner.getDialect())))
      return inner.emitOpError("is not supported by the emulator in the "
                               "combiner of a gpu.all_reduce");
  return success();
}

namespace {
// A cluster has `size` threads, at this stride; the cluster of a block has all
// of them.
struct Clusters {
  int64_t size, stride;
};
} // namespace

static Clusters getClusters(Operation *op, int64_t subgroupSize) {
  if (isa<gpu::AllReduceOp>(op))
    return {maxThreads, 1};
  auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op);
  if (!reduce || !reduce.getClusterSize())
    return {subgroupSize, 1};
  return {*reduce.getClusterSize(), reduce.getClusterStride()};
}

static Value combine(OpBuilder &b, Operation *op, Value left, Value right) {
  std::optional<gpu::AllReduceOperation> kind;
  if (auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op))
    kind = reduce.getOp();
  else if (auto reduce = dyn_cast<gpu::AllReduceOp>(op))
    kind = reduce.getOp();
  if (kind)
    return vector::makeArithReduction(
        b, op->getLoc(), gpu::convertReductionKind(*kind), left, right);
  auto reduce = dyn_cast<gpu::AllReduceOp>(op);
  if (!reduce)
    return left;
  Block &body = reduce.getBody().front();
  IRMapping map;
  map.map(body.getArgument(0), left);
  map.map(body.getArgument(1), right);
  for (Operation &inner : body.without_terminator())
    b.clone(inner, map);
  return map.lookupOrDefault(body.getTerminator()->getOperand(0));
}

// Combines the value at `thread` with that at `other`, of which each is there
// or not. `present` has a byte for each thread, or is null when all are there.
static void combineInPlace(OpBuilder &b, Operation *op, Value array,
                           Value present, Value thread, Value other) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  auto load = [&](Value place) {
    Value value = memref::LoadOp::create(b, loc, array, place);
    return fromStored(b, loc, value, type);
  };
  auto store = [&](Value value) {
    memref::StoreOp::create(b, loc, toStored(b, loc, value), array, thread);
  };
  if (!present) {
    store(combine(b, op, load(thread), load(other)));
    return;
  }
  auto isThere = [&](Value place) {
    Value byte = memref::LoadOp::create(b, loc, present, place);
    return fromStored(b, loc, byte, b.getI1Type());
  };
  Value right = isThere(other);
  auto ifRight = scf::IfOp::create(b, loc, right, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifRight.thenBlock());
  Value left = isThere(thread);
  auto ifLeft = scf::IfOp::create(b, loc, left, /*withElseRegion=*/true);
  memref::StoreOp::create(b, loc, toStored(b, loc, right), present, thread);
  b.setInsertionPointToStart(ifLeft.thenBlock());
  store(combine(b, op, load(thread), load(other)));
  b.setInsertionPointToStart(ifLeft.elseBlock());
  store(load(other));
}

void uop::createReduction(OpBuilder &b, Operation *op, Value array,
                          const ThreadGroup &group) {
  Location loc = op->getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value one = index(1);
  // Which values are there changes as they are combined.
  Value present;
  if (group.votes) {
    Value count = memref::DimOp::create(b, loc, array, index(0));
    present = memref::AllocOp::create(
        b, loc, MemRefType::get({ShapedType::kDynamic}, b.getI8Type()), count);
    auto loop = scf::ForOp::create(b, loc, group.first, group.end, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value thread = loop.getInductionVar();
    Value live = createIsLive(b, loc, group.votes, thread);
    memref::StoreOp::create(b, loc, toStored(b, loc, live), present, thread);
  }
  auto [size, stride] = getClusters(op, group.subgroupSize);
  std::optional<int64_t> end = getConstantIntValue(group.end);
  for (int64_t half = 1; half < size && (!end || half < *end); half *= 2) {
    // All pairs of halves: each at a multiple of twice their distance, and of
    // those `stride` neighbouring clusters.
    int64_t distance = half * stride;
    Value offset = index(distance);
    Value last = arith::SubIOp::create(b, loc, group.end, offset);
    OpBuilder::InsertionGuard guard(b);
    auto pairs =
        scf::ForOp::create(b, loc, group.first, last, index(2 * distance));
    b.setInsertionPointToStart(pairs.getBody());
    Value thread = pairs.getInductionVar();
    if (stride > 1) {
      // Lanes of a pair that have no partner are beyond `last`.
      Value stop = arith::MinSIOp::create(
          b, loc, last, arith::AddIOp::create(b, loc, thread, index(stride)));
      auto lanes = scf::ForOp::create(b, loc, thread, stop, one);
      b.setInsertionPointToStart(lanes.getBody());
      thread = lanes.getInductionVar();
    }
    Value other = arith::AddIOp::create(b, loc, thread, offset);
    combineInPlace(b, op, array, present, thread, other);
  }
  if (present)
    memref::DeallocOp::create(b, loc, present);
}

Value uop::createReductionPlace(OpBuilder &b, Operation *op, Value linearId,
                                const ThreadGroup &group) {
  Location loc = op->getLoc();
  if (isBlockCollective(op))
    return arith::ConstantIndexOp::create(b, loc, 0);
  auto [size, stride] = getClusters(op, group.subgroupSize);
  // The lane's number in its cluster is linearId / stride % size.
  Value number = linearId;
  Value step = arith::ConstantIndexOp::create(b, loc, stride);
  if (stride > 1)
    number = arith::DivUIOp::create(b, loc, number, step);
  Value count = arith::ConstantIndexOp::create(b, loc, size);
  number = arith::RemUIOp::create(b, loc, number, count);
  if (stride > 1)
    number = arith::MulIOp::create(b, loc, number, step);
  return arith::SubIOp::create(b, loc, linearId, number);
}
