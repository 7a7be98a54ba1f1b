//===- ThreadData.cpp - What a thread computes and accesses ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockRun.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop::simt;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void Thread::runScalar(const Step &step) {
  size_t count = slots[step.operands[0]].lanes.size();
  SmallVector<uint64_t, 1> lanes;
  for (size_t lane = 0; lane < count; ++lane) {
    SmallVector<uint64_t, 3> inputs;
    for (unsigned slot : step.operands)
      inputs.push_back(slots[slot].lanes[lane]);
    std::optional<uint64_t> result = step.compute(*step.types, inputs);
    if (!result)
      return fail(step, "the result is undefined");
    lanes.push_back(truncate(*result, step.types->resultWidth));
  }
  slots[step.results[0]].lanes = std::move(lanes);
}

void Thread::runConstant(const Step &step) {
  Datum datum = step.constant;
  // A splat has one element for all.
  if (auto type = dyn_cast<VectorType>(step.op->getResult(0).getType()))
    datum.lanes.resize(type.getNumElements(), datum.lanes.front());
  slots[step.results[0]] = std::move(datum);
}

void Thread::runSelect(const Step &step) {
  const Datum &condition = slots[step.operands[0]];
  Datum result = slots[step.operands[condition.lanes[0] ? 1 : 2]];
  for (size_t lane = 1; lane < condition.lanes.size(); ++lane)
    result.lanes[lane] =
        slots[step.operands[condition.lanes[lane] ? 1 : 2]].lanes[lane];
  slots[step.results[0]] = std::move(result);
}

void Thread::runId(const Step &step) {
  const Launch &launch = block.getLaunch();
  auto along = [](gpu::Dimension dimension) { return unsigned(dimension); };
  int64_t size = launch.subgroupSize;
  int64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  int64_t value =
      llvm::TypeSwitch<Operation *, int64_t>(step.op)
          .Case(
              [&](gpu::ThreadIdOp op) { return id[along(op.getDimension())]; })
          .Case([&](gpu::BlockIdOp op) {
            return block.getId()[along(op.getDimension())];
          })
          .Case([&](gpu::BlockDimOp op) {
            return launch.block[along(op.getDimension())];
          })
          .Case([&](gpu::GridDimOp op) {
            return launch.grid[along(op.getDimension())];
          })
          .Case([&](gpu::GlobalIdOp op) {
            unsigned axis = along(op.getDimension());
            return block.getId()[axis] * launch.block[axis] + id[axis];
          })
          .Case([&](gpu::ClusterIdOp op) {
            unsigned axis = along(op.getDimension());
            return block.getId()[axis] / launch.cluster[axis];
          })
          .Case([&](gpu::ClusterBlockIdOp op) {
            unsigned axis = along(op.getDimension());
            return block.getId()[axis] % launch.cluster[axis];
          })
          .Case([&](gpu::ClusterDimOp op) {
            unsigned axis = along(op.getDimension());
            return launch.grid[axis] / launch.cluster[axis];
          })
          .Case([&](gpu::ClusterDimBlocksOp op) {
            return launch.cluster[along(op.getDimension())];
          })
          .Case([&](gpu::LaneIdOp) { return linearId % size; })
          .Case([&](gpu::SubgroupIdOp) { return linearId / size; })
          .Case(
              [&](gpu::NumSubgroupsOp) { return (threads + size - 1) / size; })
          .Default([&](Operation *) { return size; });
  setBits(step, value);
}

void Thread::runVector(const Step &step) {
  Datum result = slots[step.operands[0]];
  if (isa<vector::BroadcastOp>(step.op)) {
    if (result.lanes.size() != 1)
      return fail(step, "expected a broadcast of a scalar");
    auto type = cast<VectorType>(step.op->getResult(0).getType());
    result.lanes.resize(type.getNumElements(), result.lanes.front());
  } else if (auto op = dyn_cast<vector::ExtractOp>(step.op)) {
    if (op.getStaticPosition().size() != 1 || op.hasDynamicPosition() ||
        isa<VectorType>(op.getType()))
      return fail(step, "expected one constant position");
    result.lanes = {result.lanes[op.getStaticPosition()[0]]};
  } else if (auto op = dyn_cast<vector::InsertOp>(step.op)) {
    if (op.getStaticPosition().size() != 1 || op.hasDynamicPosition() ||
        result.lanes.size() != 1)
      return fail(step, "expected one constant position");
    uint64_t bits = result.lanes.front();
    result = slots[step.operands[1]];
    result.lanes[op.getStaticPosition()[0]] = bits;
  } else {
    result.lanes.clear();
    for (unsigned slot : step.operands)
      result.lanes.push_back(getBits(slot));
  }
  slots[step.results[0]] = std::move(result);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// Elements as in the memory of the host, which is little-endian.
static uint64_t readElement(const uint8_t *from, unsigned bytes) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < bytes; ++i)
    bits |= uint64_t(from[i]) << (8 * i);
  return bits;
}

static void writeElement(uint8_t *to, unsigned bytes, uint64_t bits) {
  for (unsigned i = 0; i < bytes; ++i)
    to[i] = uint8_t(bits >> (8 * i));
}

uint8_t *Thread::locate(const Step &step, unsigned memref, unsigned firstIndex,
                        int64_t count, unsigned bytes) {
  const MemRef &view = *slots[step.operands[memref]].memref;
  int64_t offset = view.offset;
  for (unsigned axis = 0; axis < view.sizes.size(); ++axis) {
    auto index = int64_t(getBits(step.operands[firstIndex + axis]));
    bool isLast = axis + 1 == view.sizes.size();
    int64_t most = view.sizes[axis] - (isLast ? count : 1);
    if (index < 0 || index > most) {
      fail(step, "the index " + llvm::Twine(index) + " of dimension " +
                     llvm::Twine(axis) + " is out of bounds");
      return nullptr;
    }
    offset += index * view.strides[axis];
  }
  if (offset < 0 || uint64_t(offset + count) * bytes > view.buffer->bytes) {
    fail(step, "beyond the buffer");
    return nullptr;
  }
  if (!view.buffer->isPrivate)
    block.countElements(count);
  return view.buffer->data + offset * bytes;
}

void Thread::runAllocate(const Step &step) {
  auto type = cast<MemRefType>(step.op->getResult(0).getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return fail(step, "expected static sizes");
  slots[step.results[0]] = allocate(type);
  slots[step.results[0]].memref->buffer->isPrivate = true;
}

void Thread::runGetGlobal(const Step &step) {
  Datum datum = block.getGlobal(cast<memref::GetGlobalOp>(step.op));
  if (!datum.memref)
    return fail(step, "expected a workgroup buffer of the gpu.module");
  slots[step.results[0]] = std::move(datum);
}

void Thread::runLoad(const Step &step) {
  Type type = step.op->getResult(0).getType();
  auto vector = dyn_cast<VectorType>(type);
  int64_t count = vector ? vector.getNumElements() : 1;
  unsigned bytes = getElementBytes(getElementTypeOrSelf(type));
  const uint8_t *from = locate(step, 0, 1, count, bytes);
  if (!from)
    return;
  Datum datum;
  for (int64_t i = 0; i < count; ++i)
    datum.lanes.push_back(
        truncate(readElement(from + i * bytes, bytes), getWidth(type)));
  slots[step.results[0]] = std::move(datum);
}

void Thread::runStore(const Step &step) {
  const Datum &datum = slots[step.operands[0]];
  unsigned bytes =
      getElementBytes(getElementTypeOrSelf(step.op->getOperand(0).getType()));
  uint8_t *to = locate(step, 1, 2, datum.lanes.size(), bytes);
  if (!to)
    return;
  for (auto [number, bits] : llvm::enumerate(datum.lanes))
    writeElement(to + number * bytes, bytes, bits);
}

void Thread::runAtomic(const Step &step) {
  auto op = cast<memref::AtomicRMWOp>(step.op);
  Type type = op.getType();
  unsigned bytes = getElementBytes(type);
  uint8_t *place = locate(step, 1, 2, 1, bytes);
  if (!place)
    return;
  uint64_t old = truncate(readElement(place, bytes), getWidth(type));
  std::optional<uint64_t> updated =
      combine(op.getKind(), type, old, getBits(step.operands[0]));
  if (!updated)
    return fail(step, "a kind that the type does not have");
  writeElement(place, bytes, *updated);
  setBits(step, old);
}

void Thread::runDim(const Step &step) {
  const MemRef &view = *slots[step.operands[0]].memref;
  uint64_t axis = getBits(step.operands[1]);
  if (axis >= view.sizes.size())
    return fail(step, "no such dimension");
  setBits(step, view.sizes[axis]);
}

void Thread::runCast(const Step &step) {
  Datum datum = slots[step.operands[0]];
  auto type = cast<MemRefType>(step.op->getResult(0).getType());
  for (auto [size, wanted] : llvm::zip(datum.memref->sizes, type.getShape()))
    if (!ShapedType::isDynamic(wanted) && wanted != size)
      return fail(step, "the sizes differ");
  slots[step.results[0]] = std::move(datum);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

Handler uop::simt::findHandler(StringRef op) {
  static const llvm::StringMap<Handler> handlers = {
      {"arith.constant", &Thread::runConstant},
      {"arith.select", &Thread::runSelect},
      {"cf.br", &Thread::runBranch},
      {"cf.cond_br", &Thread::runBranch},
      {"cf.switch", &Thread::runBranch},
      {"func.call", &Thread::runCall},
      {"func.return", &Thread::runReturn},
      {"gpu.all_reduce", &Thread::runWait},
      {"gpu.barrier", &Thread::runWait},
      {"gpu.block_dim", &Thread::runId},
      {"gpu.block_id", &Thread::runId},
      {"gpu.cluster_block_id", &Thread::runId},
      {"gpu.cluster_dim", &Thread::runId},
      {"gpu.cluster_dim_blocks", &Thread::runId},
      {"gpu.cluster_id", &Thread::runId},
      {"gpu.global_id", &Thread::runId},
      {"gpu.grid_dim", &Thread::runId},
      {"gpu.lane_id", &Thread::runId},
      {"gpu.num_subgroups", &Thread::runId},
      {"gpu.return", &Thread::runReturn},
      {"gpu.rotate", &Thread::runWait},
      {"gpu.shuffle", &Thread::runWait},
      {"gpu.subgroup_broadcast", &Thread::runWait},
      {"gpu.subgroup_id", &Thread::runId},
      {"gpu.subgroup_reduce", &Thread::runWait},
      {"gpu.subgroup_size", &Thread::runId},
      {"gpu.thread_id", &Thread::runId},
      {"memref.alloca", &Thread::runAllocate},
      {"memref.atomic_rmw", &Thread::runAtomic},
      {"memref.cast", &Thread::runCast},
      {"memref.dim", &Thread::runDim},
      {"memref.get_global", &Thread::runGetGlobal},
      {"memref.load", &Thread::runLoad},
      {"memref.memory_space_cast", &Thread::runCast},
      {"memref.store", &Thread::runStore},
      {"nvvm.vote.sync", &Thread::runWait},
      {"scf.condition", &Thread::runCondition},
      {"scf.execute_region", &Thread::runExecute},
      {"scf.for", &Thread::runFor},
      {"scf.if", &Thread::runIf},
      {"scf.index_switch", &Thread::runSwitch},
      {"scf.while", &Thread::runWhile},
      {"scf.yield", &Thread::runYield},
      {"vector.broadcast", &Thread::runVector},
      {"vector.extract", &Thread::runVector},
      {"vector.from_elements", &Thread::runVector},
      {"vector.insert", &Thread::runVector},
      {"vector.load", &Thread::runLoad},
      {"vector.store", &Thread::runStore},
  };
  return handlers.lookup(op);
}
