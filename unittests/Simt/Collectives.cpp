//===- Collectives.cpp - What threads do together -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockRun.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace uop::simt;

static bool isWaiting(const Thread *thread) {
  return thread && thread->getState() == Thread::State::Waiting;
}

static bool isOfBlock(Operation *op) {
  return isa<gpu::BarrierOp, gpu::AllReduceOp>(op);
}

// As soon as no thread can run by itself. Subgroups go on by themselves; only
// when none can does the block.
bool BlockRun::resumeWaiting() {
  bool any = false;
  auto count = int64_t(threads.size());
  for (int64_t first = 0; first < count; first += launch.subgroupSize)
    any |= resumeSubgroup(first, std::min(first + launch.subgroupSize, count));
  return any || resumeBlock();
}

bool BlockRun::resumeBlock() {
  const Step *step = nullptr;
  SmallVector<Thread *> members;
  bool hasLeft = false;
  for (Thread &thread : threads) {
    members.push_back(isWaiting(&thread) ? &thread : nullptr);
    hasLeft |= !members.back();
    if (!members.back())
      continue;
    const Step *where = &thread.getWaiting();
    if (step && step != where)
      return false;
    step = where;
  }
  if (!isOfBlock(step->op))
    return false;
  outcome.exitsBeforeBarrier |= hasLeft;
  if (isa<gpu::AllReduceOp>(step->op)) {
    reduce(*step, members, llvm::PowerOf2Ceil(members.size()), 1);
    return true;
  }
  for (Thread *thread : members)
    if (thread)
      thread->resume({});
  return true;
}

//===----------------------------------------------------------------------===//
// Subgroups
//===----------------------------------------------------------------------===//

// The lanes of a shuffle that take part.
static uint64_t getWidth(const Thread &thread, uint64_t subgroupSize) {
  const Step &step = thread.getWaiting();
  if (auto rotate = dyn_cast<gpu::RotateOp>(step.op))
    return rotate.getWidth();
  if (isa<gpu::ShuffleOp>(step.op))
    return thread.getBits(step.operands[2]);
  return subgroupSize;
}

bool BlockRun::needs(const Thread &thread, const Step &step, uint64_t width) {
  if (thread.getState() == Thread::State::Done)
    return false;
  bool isThere = isWaiting(&thread) && &thread.getWaiting() == &step;
  return !isThere &&
         uint64_t(thread.getLinearId()) % launch.subgroupSize < width;
}

// Runs the first operation in the text at which all lanes are that it needs.
bool BlockRun::resumeSubgroup(int64_t first, int64_t end) {
  std::map<unsigned, Thread *> places;
  for (int64_t i = first; i < end; ++i)
    if (isWaiting(&threads[i]) && !isOfBlock(threads[i].getWaiting().op))
      places.try_emplace(program.getPosition(threads[i].getWaiting().op),
                         &threads[i]);
  for (auto [position, example] : places) {
    const Step &step = example->getWaiting();
    uint64_t width = ::getWidth(*example, launch.subgroupSize);
    SmallVector<Thread *> lanes;
    bool complete = true;
    for (int64_t i = first; i < end; ++i) {
      Thread &thread = threads[i];
      complete &= !needs(thread, step, width);
      bool isThere = isWaiting(&thread) && &thread.getWaiting() == &step;
      lanes.push_back(isThere ? &thread : nullptr);
    }
    if (!complete)
      continue;
    runSubgroup(step, lanes, width);
    return true;
  }
  return false;
}

void BlockRun::runSubgroup(const Step &step, ArrayRef<Thread *> lanes,
                           uint64_t width) {
  if (isa<gpu::ShuffleOp, gpu::RotateOp>(step.op)) {
    if (width < 1 || width > uint64_t(launch.subgroupSize))
      return fail("expected a width from 1 to the size of a subgroup");
    return shuffle(step, lanes, width);
  }
  if (isa<gpu::SubgroupBroadcastOp>(step.op))
    return broadcast(step, lanes);
  if (isa<NVVM::VoteSyncOp>(step.op))
    return vote(step, lanes);
  auto op = cast<gpu::SubgroupReduceOp>(step.op);
  reduce(step, lanes, op.getClusterSize().value_or(launch.subgroupSize),
         op.getClusterStride());
}

// The lane from which `lane` takes a value; beyond the width if there is none.
static uint64_t findPartner(const Step &step, const Thread &thread,
                            uint64_t lane, uint64_t width) {
  if (auto rotate = dyn_cast<gpu::RotateOp>(step.op))
    return (lane + rotate.getOffset()) % width;
  uint64_t offset = thread.getBits(step.operands[1]);
  switch (cast<gpu::ShuffleOp>(step.op).getMode()) {
  case gpu::ShuffleMode::XOR:
    return lane ^ offset;
  case gpu::ShuffleMode::UP:
    return offset <= lane ? lane - offset : width;
  case gpu::ShuffleMode::DOWN:
    return lane + offset;
  case gpu::ShuffleMode::IDX:
    return offset;
  }
  return width;
}

void BlockRun::shuffle(const Step &step, ArrayRef<Thread *> lanes,
                       uint64_t width) {
  SmallVector<std::pair<Thread *, SmallVector<Datum>>> results;
  for (auto [lane, thread] : llvm::enumerate(lanes)) {
    if (!thread)
      continue;
    if (::getWidth(*thread, launch.subgroupSize) != width)
      return fail("the lanes of a shuffle differ about its width");
    uint64_t partner = findPartner(step, *thread, lane, width);
    bool isNamed = lane < width && partner < width;
    bool valid = isNamed && partner < lanes.size() && lanes[partner];
    outcome.readsInactiveLane |= isNamed && !valid;
    const Thread *from = valid ? lanes[partner] : thread;
    SmallVector<Datum> values{from->get(step.operands[0]), Datum()};
    values.back().lanes.push_back(valid);
    results.emplace_back(thread, values);
  }
  for (auto &[thread, values] : results)
    thread->resume(values);
}

void BlockRun::broadcast(const Step &step, ArrayRef<Thread *> lanes) {
  auto op = cast<gpu::SubgroupBroadcastOp>(step.op);
  const Thread *from = nullptr;
  for (auto [lane, thread] : llvm::enumerate(lanes))
    if (thread &&
        (!op.getLane() || thread->getBits(step.operands[1]) == lane)) {
      from = thread;
      break;
    }
  if (!from)
    return fail("expected a broadcast from a lane that is there");
  Datum value = from->get(step.operands[0]);
  for (Thread *thread : lanes)
    if (thread)
      thread->resume(value);
}

void BlockRun::vote(const Step &step, ArrayRef<Thread *> lanes) {
  uint64_t yes = 0, all = 0;
  for (auto [lane, thread] : llvm::enumerate(lanes)) {
    if (!thread)
      continue;
    uint64_t bit = uint64_t(1) << lane;
    all |= bit;
    if (thread->getBits(step.operands[1]))
      yes |= bit;
  }
  Datum result;
  switch (cast<NVVM::VoteSyncOp>(step.op).getKind()) {
  case NVVM::VoteSyncKind::any:
    result.lanes.push_back(yes != 0);
    break;
  case NVVM::VoteSyncKind::all:
    result.lanes.push_back(yes == all);
    break;
  case NVVM::VoteSyncKind::uni:
    result.lanes.push_back(yes == 0 || yes == all);
    break;
  case NVVM::VoteSyncKind::ballot:
    result.lanes.push_back(yes);
    break;
  }
  for (Thread *thread : lanes)
    if (thread)
      thread->resume(result);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// The values of `count` members from `first` on, each `stride` lanes behind the
// one before: the halves by themselves, then together. Who is not there has no
// part in it.
static std::optional<uint64_t>
combineMembers(const Step &step, ArrayRef<Thread *> members, int64_t first,
               int64_t count, int64_t stride, gpu::AllReduceOperation kind) {
  if (first >= int64_t(members.size()))
    return std::nullopt;
  if (count == 1) {
    if (!members[first])
      return std::nullopt;
    return members[first]->getBits(step.operands[0]);
  }
  int64_t half = count / 2;
  auto left = combineMembers(step, members, first, half, stride, kind);
  auto right =
      combineMembers(step, members, first + half * stride, half, stride, kind);
  if (!left || !right)
    return left ? left : right;
  return combine(kind, step.op->getResult(0).getType(), *left, *right);
}

void BlockRun::reduce(const Step &step, ArrayRef<Thread *> members,
                      int64_t size, int64_t stride) {
  std::optional<gpu::AllReduceOperation> kind;
  if (auto op = dyn_cast<gpu::AllReduceOp>(step.op))
    kind = op.getOp();
  else
    kind = cast<gpu::SubgroupReduceOp>(step.op).getOp();
  if (!kind || isa<VectorType>(step.op->getResult(0).getType()))
    return fail("expected a reduction of scalars of a named kind");
  SmallVector<Datum> results(members.size());
  std::map<int64_t, std::optional<uint64_t>> clusters;
  for (auto [place, thread] : llvm::enumerate(members)) {
    if (!thread)
      continue;
    int64_t first = place - int64_t(place) / stride % size * stride;
    auto [it, isNew] = clusters.try_emplace(first);
    if (isNew)
      it->second = combineMembers(step, members, first, size, stride, *kind);
    if (!it->second)
      return fail("a reduction of a kind that the type does not have");
    results[place].lanes.push_back(*it->second);
  }
  for (auto [thread, result] : llvm::zip(members, results))
    if (thread)
      thread->resume(result);
}
