//===- PlanFusion.cpp - Which linalg ops need no kernel of their own ------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op has written to a memref stays there until an op writes the whole
// of it again, or it is gone. If only linalg ops of the same block read it
// until then, each may compute what it reads itself: the sum of a product may
// begin with what a linalg.fill has written, and the product become a part of
// what is done with it. Then nothing else writes what the op reads before they
// do, and work is not repeated where that would cost more than memory does.
//
// Ops are looked at in their order, so that what is known of an op includes
// what has become a part of it.
//
//===----------------------------------------------------------------------===//

#include "LinalgToUop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace uop;

/// A kernel with more payload ops or memrefs than this takes in no more.
static constexpr unsigned kMaxPayloadOps = 256;
static constexpr unsigned kMaxMemRefs = 16;

/// What it takes to compute one element of an op's outputs.
namespace {
enum class Cost {
  /// A few instructions, and at most one load: cheaper than memory.
  Cheap,
  /// A function or a division, or several loads.
  Costly,
  Reduction,
};

struct Work {
  Cost cost = Cost::Cheap;
  unsigned payloadOps = 0;
  unsigned loads = 0;
  /// The memory that is read.
  llvm::SetVector<Value> reads;
};

class FusionPlanner {
public:
  FusionPlanner(ArrayRef<linalg::LinalgOp> ops, bool fuse, Memory &memory,
                FusionPlan &plan)
      : fuse(fuse), memory(memory), plan(plan) {
    for (linalg::LinalgOp op : ops)
      candidates.insert(op);
  }

  void run() {
    for (Operation *op : candidates) {
      auto linalgOp = cast<linalg::LinalgOp>(op);
      work[op] = measure(linalgOp);
      planProducer(linalgOp);
    }
  }

private:
  using Reads = SmallVector<OpOperand *>;
  Work measure(linalg::LinalgOp op);
  void planProducer(linalg::LinalgOp op);
  std::optional<Reads> findReads(linalg::LinalgOp op, OpOperand &output);
  bool endsWithBlock(Value memref, Block *block);
  bool mayCompute(linalg::LinalgOp op, const Reads &reads);
  bool isUnchanged(const Work &work, Operation *from, Operation *to);

  llvm::SetVector<Operation *> candidates;
  bool fuse;
  Memory &memory;
  FusionPlan &plan;
  llvm::DenseMap<Operation *, Work> work;
};
} // namespace

//===----------------------------------------------------------------------===//
// Properties of ops
//===----------------------------------------------------------------------===//

/// Whether the op writes every element of this output, at its own loops.
static bool writesWhole(linalg::LinalgOp op, OpOperand &output) {
  return op.getMatchingIndexingMap(&output).isProjectedPermutation();
}

static bool isReduction(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (OpOperand &output : op.getDpsInitsMutable())
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (extents[loop] != 1 &&
          !op.getMatchingIndexingMap(&output).isFunctionOfDim(loop))
        return true;
  return false;
}

static bool isCostly(Operation *op) {
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp>(op))
    return false;
  return isa<math::MathDialect>(op->getDialect()) ||
         isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemFOp,
             arith::RemSIOp, arith::RemUIOp>(op);
}

Work FusionPlanner::measure(linalg::LinalgOp op) {
  Work result;
  auto include = [&](const Work &part) {
    result.cost = std::max(result.cost, part.cost);
    result.payloadOps += part.payloadOps;
    result.loads += part.loads;
    result.reads.insert(part.reads.begin(), part.reads.end());
  };
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()) ||
        !op.payloadUsesValueFromOperand(&operand))
      continue;
    if (linalg::LinalgOp part = plan.producers.lookup(&operand)) {
      include(work[part]);
      continue;
    }
    ++result.loads;
    result.reads.insert(operand.get());
  }
  op.getBlock()->walk([&](Operation *payload) {
    ++result.payloadOps;
    if (isCostly(payload))
      result.cost = std::max(result.cost, Cost::Costly);
    if (auto load = dyn_cast<memref::LoadOp>(payload)) {
      ++result.loads;
      result.reads.insert(load.getMemRef());
    }
  });
  if (result.loads > 1)
    result.cost = std::max(result.cost, Cost::Costly);
  if (isReduction(op))
    result.cost = Cost::Reduction;
  return result;
}

//===----------------------------------------------------------------------===//
// Who reads what an op has written
//===----------------------------------------------------------------------===//

/// Whether nothing outside of its block, and nothing that is not known, sees
/// the memref when the block has ended.
bool FusionPlanner::endsWithBlock(Value memref, Block *block) {
  auto alloc = memref.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != block)
    return false;
  for (Value passed : block->getTerminator()->getOperands())
    if (isa<BaseMemRefType>(passed.getType()) &&
        memory.compare(passed, memref) != Overlap::None)
      return false;
  return llvm::all_of(memref.getUsers(), [](Operation *user) {
    return isa<linalg::LinalgOp, memref::DeallocOp, memref::DimOp,
               memref::LoadOp, memref::StoreOp, ViewLikeOpInterface>(user);
  });
}

/// The operands of other ops that read what the op has written to the output;
/// none where something else may read it.
std::optional<FusionPlanner::Reads>
FusionPlanner::findReads(linalg::LinalgOp op, OpOperand &output) {
  Value memref = output.get();
  Reads reads;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    auto dealloc = dyn_cast<memref::DeallocOp>(next);
    if (dealloc && dealloc.getMemref() == memref)
      return reads;
    auto reader = dyn_cast<linalg::LinalgOp>(next);
    if (!reader || !candidates.contains(reader)) {
      if (memory.mayAccess(next, memref))
        return std::nullopt;
      continue;
    }
    bool ends = false;
    for (OpOperand &operand : reader->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      bool isRead = reader.payloadUsesValueFromOperand(&operand);
      if (operand.get() != memref) {
        if ((isRead || reader.isDpsInit(&operand)) &&
            memory.compare(operand.get(), memref) != Overlap::None)
          return std::nullopt;
        continue;
      }
      if (isRead)
        reads.push_back(&operand);
      if (!reader.isDpsInit(&operand))
        continue;
      if (!writesWhole(reader, operand))
        return std::nullopt;
      ends = true;
    }
    if (memory.readsInPayload(reader, memref))
      return std::nullopt;
    if (ends)
      return reads;
  }
  if (!endsWithBlock(memref, op->getBlock()))
    return std::nullopt;
  return reads;
}

//===----------------------------------------------------------------------===//
// Whether they may compute it
//===----------------------------------------------------------------------===//

/// Whether what the work reads is the same at `to`, which comes after `from` in
/// its block, and is no output of `to`.
bool FusionPlanner::isUnchanged(const Work &work, Operation *from,
                                Operation *to) {
  return llvm::all_of(work.reads, [&](Value memref) {
    for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode())
      if (memory.mayWrite(op, memref))
        return false;
    return !memory.mayWrite(to, memref);
  });
}

bool FusionPlanner::mayCompute(linalg::LinalgOp op, const Reads &reads) {
  const Work &own = work[op];
  if (own.payloadOps > kMaxPayloadOps || own.reads.size() > kMaxMemRefs)
    return false;
  // A second time costs less than memory that is written and read twice.
  size_t maxReads = own.cost == Cost::Cheap    ? SIZE_MAX
                    : own.cost == Cost::Costly ? 2
                                               : 1;
  if (reads.size() > maxReads)
    return false;
  return llvm::all_of(reads, [&](OpOperand *read) {
    auto reader = cast<linalg::LinalgOp>(read->getOwner());
    // The previous value of an output is used once.
    bool isOnce = reader.isDpsInit(read) ||
                  reader.getMatchingIndexingMap(read).isPermutation();
    if (own.cost != Cost::Cheap && !isOnce)
      return false;
    // Threads that each do a whole reduction are better than fewer that do
    // several.
    if (own.cost == Cost::Reduction && isReduction(reader))
      return false;
    return isUnchanged(own, op, reader);
  });
}

void FusionPlanner::planProducer(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return;
  OpOperand &output = *op.getDpsInitOperand(0);
  // A part of another op's kernel does not read what that kernel writes.
  if (!writesWhole(op, output) || (op.payloadUsesValueFromOperand(&output) &&
                                   !plan.producers.contains(&output)))
    return;
  std::optional<Reads> reads = findReads(op, output);
  if (!reads || !mayCompute(op, *reads))
    return;
  bool isBeginning = llvm::all_of(*reads, [](OpOperand *read) {
    return cast<linalg::LinalgOp>(read->getOwner()).isDpsInit(read);
  });
  if (!fuse && !(isa<linalg::FillOp>(op) && isBeginning))
    return;
  for (OpOperand *read : *reads)
    plan.producers[read] = op;
  plan.fused.insert(op);
  plan.buffers.insert(output.get());
}

void uop::planFusion(ArrayRef<linalg::LinalgOp> ops, bool fuse, Memory &memory,
                     FusionPlan &plan) {
  FusionPlanner(ops, fuse, memory, plan).run();
}

/// Whether only ops that tell of the buffer, or free it, are left.
static bool isUnused(memref::AllocOp alloc) {
  return llvm::all_of(alloc->getUsers(), [](Operation *user) {
    if (auto dim = dyn_cast<memref::DimOp>(user))
      return dim.getConstantIndex().has_value();
    return isa<memref::DeallocOp>(user);
  });
}

void uop::eraseUnusedBuffers(const FusionPlan &plan) {
  for (Value buffer : plan.buffers) {
    auto alloc = buffer.getDefiningOp<memref::AllocOp>();
    if (!alloc || !isUnused(alloc))
      continue;
    MemRefType type = alloc.getType();
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers())) {
      if (auto dim = dyn_cast<memref::DimOp>(user)) {
        int64_t index = *dim.getConstantIndex();
        OpBuilder builder(dim);
        if (type.isDynamicDim(index))
          dim.replaceAllUsesWith(
              alloc.getDynamicSizes()[type.getDynamicDimIndex(index)]);
        else
          dim.replaceAllUsesWith(
              arith::ConstantIndexOp::create(builder, dim.getLoc(),
                                             type.getDimSize(index))
                  .getResult());
      }
      user->erase();
    }
    alloc.erase();
  }
}
