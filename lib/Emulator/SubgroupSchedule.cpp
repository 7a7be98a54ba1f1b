//===- SubgroupSchedule.cpp - Subgroups that go ways of their own ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockFunctionBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uop;

// True where the thread's vote is for this place.
Value BlockFunctionBuilder::isAt(OpBuilder &b, Value thread, int64_t place) {
  Location loc = func.getLoc();
  Value vote = memref::LoadOp::create(b, loc, storage.votes(), thread);
  Value mine = arith::TruncIOp::create(b, loc, b.getI32Type(), vote);
  Value wanted = arith::ConstantIntOp::create(b, loc, place, 32);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, mine, wanted);
}

// Ends the run where a lane that must take part in the stop is elsewhere.
void BlockFunctionBuilder::checkSubgroup(OpBuilder &b, Operation *stop,
                                         int64_t start,
                                         const ThreadGroup &group) {
  Location loc = func.getLoc();
  ArrayRef<Value> arrays;
  if (isCollective(stop))
    arrays = storage.exchangeArrays(stop);
  Value end = createRequiredEnd(b, stop, arrays, group, [&](Value thread) {
    return isAt(b, thread, start);
  });
  Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
  auto loop = scf::ForOp::create(b, loc, group.first, end, storage.index(1),
                                 ValueRange{no});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value thread = loop.getInductionVar();
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value isElsewhere =
      arith::XOrIOp::create(b, loc, isAt(b, thread, start), yes);
  if (Value live = createIsLive(b, loc, group.votes, thread))
    isElsewhere = arith::AndIOp::create(b, loc, isElsewhere, live);
  Value any =
      arith::OrIOp::create(b, loc, isElsewhere, loop.getRegionIterArg(0));
  scf::YieldOp::create(b, loc, any);
  b.setInsertionPointAfter(loop);
  auto ifOp = scf::IfOp::create(b, loc, loop.getResult(0),
                                /*withElseRegion=*/false);
  b.setInsertionPointToStart(ifOp.thenBlock());
  llvm::SetVector<Operation *> decisions;
  for (Operation *op = stop->getParentOp(); op != analysis.kernel();
       op = op->getParentOp())
    if (!analysis.isDecisionUniform(op))
      decisions.insert(op);
  // They disagree, so this does not return; in checked mode it does, and the
  // block is at its end.
  gatherVotes(b, decisions, group.first, group.end);
  if (!runtime.isChecked())
    return;
  Value end64 = arith::ConstantIntOp::create(b, loc, Arrival::end, 64);
  auto all = scf::ForOp::create(b, loc, storage.index(0), storage.threadCount(),
                                storage.index(1));
  b.setInsertionPointToStart(all.getBody());
  memref::StoreOp::create(b, loc, end64, storage.votes(),
                          all.getInductionVar());
}

// Runs the subgroup within the bounds from the place until all its threads are
// at a stop of the whole block, or at the end. Where they are is in their
// votes. Lanes that are at different stops of the subgroup go on from that
// which comes first in the text, so that they meet again where their ways do.
void BlockFunctionBuilder::runSubgroup(OpBuilder &b, Value start) {
  Location loc = func.getLoc();
  Type type = b.getIndexType();
  auto loop = scf::WhileOp::create(b, loc, TypeRange{type}, start);
  OpBuilder::InsertionGuard guard(b);
  Block *after = b.createBlock(&loop.getAfter(), {}, type, loc);
  scf::YieldOp::create(b, loc, after->getArguments());
  Block *before = b.createBlock(&loop.getBefore(), {}, type, loc);
  SmallVector<int64_t> cases(llvm::make_first_range(intervals));
  cases.pop_back();
  auto choice = scf::IndexSwitchOp::create(
      b, loc, TypeRange{}, before->getArgument(0), cases, cases.size());
  SmallVector<Region *> regions(
      llvm::make_pointer_range(choice.getCaseRegions()));
  regions.push_back(&choice.getDefaultRegion());
  for (auto [region, interval] :
       llvm::zip(regions, llvm::make_second_range(intervals))) {
    OpBuilder::InsertionGuard inner(b);
    Block *block = b.createBlock(region);
    block->getOperations().splice(block->end(), interval.code->getOperations());
    b.setInsertionPointToEnd(block);
    scf::YieldOp::create(b, loc);
  }
  int64_t firstOfBlock = Arrival::firstStop + analysis.numSubgroupStops();
  Value bound = storage.index(firstOfBlock);
  auto lanes =
      scf::ForOp::create(b, loc, bounds.getArgument(0), bounds.getArgument(1),
                         storage.index(1), ValueRange{bound});
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(lanes.getBody());
    Value vote = memref::LoadOp::create(b, loc, storage.votes(),
                                        lanes.getInductionVar());
    Value place = arith::TruncIOp::create(b, loc, b.getI32Type(), vote);
    place = arith::IndexCastUIOp::create(b, loc, type, place);
    Value isStop =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, place,
                              storage.index(Arrival::firstStop));
    place = arith::SelectOp::create(b, loc, isStop, place, bound);
    Value least =
        arith::MinUIOp::create(b, loc, place, lanes.getRegionIterArg(0));
    scf::YieldOp::create(b, loc, least);
  }
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                     lanes.getResult(0), bound);
  scf::ConditionOp::create(b, loc, more, lanes.getResults());
}

// Puts, beside the place of each thread, its way to it of the whole block.
void BlockFunctionBuilder::combineVotes(OpBuilder &b) {
  Location loc = func.getLoc();
  auto loop = scf::ForOp::create(b, loc, storage.index(0),
                                 storage.threadCount(), storage.index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value thread = loop.getInductionVar();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  };
  Value vote = memref::LoadOp::create(b, loc, storage.votes(), thread);
  Value way = memref::LoadOp::create(b, loc, storage.blockWays(), thread);
  Value place = arith::AndIOp::create(b, loc, vote, number(0xFFFFFFFF));
  way = arith::ShLIOp::create(b, loc, way, number(32));
  Value both = arith::OrIOp::create(b, loc, place, way);
  Value hasLeft = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, vote,
                                        number(leftVote));
  both = arith::SelectOp::create(b, loc, hasLeft, vote, both);
  memref::StoreOp::create(b, loc, both, storage.votes(), thread);
}

// From one stop of the block to the next, each subgroup is run by itself:
//
//     while the place is not the end
//       for each subgroup
//         run its intervals until it is at a stop of the block
//       the place is where all the subgroups are
void BlockFunctionBuilder::assembleSubgroups() {
  Location loc = func.getLoc();
  // What the storage still has to create comes first, as in assemble.
  Value zero = storage.index(0), end = storage.index(Arrival::end);
  Value size = storage.index(storage.lanesOfSubgroup());
  storage.index(1);
  storage.votes();
  storage.blockWays();
  for (int64_t place : llvm::make_first_range(intervals))
    storage.index(place);
  storage.index(Arrival::firstStop);
  storage.index(Arrival::firstStop + analysis.numSubgroupStops());

  OpBuilder b = OpBuilder::atBlockEnd(&func.getBody().front());
  Type type = b.getIndexType();
  auto loop = scf::WhileOp::create(b, loc, TypeRange{type},
                                   storage.index(Arrival::none));
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, type, loc);
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                     before->getArgument(0), end);
  scf::ConditionOp::create(b, loc, more, before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, type, loc);
  Value place = after->getArgument(0);
  for (int64_t start : llvm::make_first_range(intervals)) {
    Operation *stop = start == Arrival::none
                          ? nullptr
                          : analysis.stops()[start - Arrival::firstStop];
    if (!stop || !isBlockCollective(stop))
      continue;
    Value isHere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                         place, storage.index(start));
    auto ifOp = scf::IfOp::create(b, loc, isHere, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    storage.publishGiven(b, stop);
    createExchange(b, stop, storage.exchangeArrays(stop),
                   {zero, storage.threadCount(), storage.lanesOfSubgroup(),
                    storage.exits()});
  }
  auto subgroups =
      scf::ForOp::create(b, loc, zero, storage.threadCount(), size);
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(subgroups.getBody());
    Value first = subgroups.getInductionVar();
    Value last = arith::AddIOp::create(b, loc, first, size);
    last = arith::MinSIOp::create(b, loc, last, storage.threadCount());
    runSubgroup(b, place);
    bounds.getArgument(0).replaceAllUsesWith(first);
    bounds.getArgument(1).replaceAllUsesWith(last);
  }
  combineVotes(b);
  llvm::SetVector<Operation *> decisions;
  for (auto &[start, interval] : intervals)
    for (Operation *op : interval.facts.decisions)
      if (analysis.holdsBlockStop(op))
        decisions.insert(op);
  Value next = gatherVotes(b, decisions, zero, storage.threadCount());
  scf::YieldOp::create(b, loc, next);
  b.setInsertionPointToEnd(&func.getBody().front());
  storage.free(b);
  func::ReturnOp::create(b, loc);
}
