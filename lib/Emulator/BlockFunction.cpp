//===- BlockFunction.cpp - The function that runs one block ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is cut into intervals: what a thread does from one barrier (or the
// start) to the next (or the end), along every path. An interval is run thread
// after thread; between two intervals all threads of the block are at one
// place. This is what a barrier means, no more: no order is added inside an
// interval, so a kernel that needs another barrier is not silently repaired.
// A shuffle ends an interval as a barrier does: each thread leaves its value in
// an array before, and takes that of its partner after.
//
//     run the first interval for every thread
//     while the place of arrival is not the end
//       run the interval that starts there, for every thread
//
// Intervals that can only follow each other are put in sequence, so a kernel
// with one barrier becomes two loops over threads, and a loop with two barriers
// becomes a loop of two loops over threads. Only kernels with more places to go
// to need a switch. Working on barrier-to-barrier intervals rather than on the
// loops and ifs themselves is what makes every nest of them work in one way,
// and the interval around a loop's back edge come out whole.
//
//===----------------------------------------------------------------------===//

#include "BlockFunction.h"

#include "BlockStorage.h"
#include "NormalizeKernel.h"
#include "ThreadCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uop;

namespace {

class BlockFunctionBuilder {
public:
  BlockFunctionBuilder(const KernelAnalysis &analysis, StringRef name,
                       func::FuncOp func,
                       ArrayRef<std::optional<int64_t>> blockSize,
                       int64_t subgroupSize, RuntimeCalls &runtime)
      : analysis(analysis), name(name), func(func),
        storage(analysis, func, blockSize, subgroupSize), runtime(runtime) {
    for (int i = 0; i < 2; ++i)
      bounds.addArgument(IndexType::get(func.getContext()), func.getLoc());
  }

  LogicalResult build(ArrayRef<StringAttr> workgroupGlobals);

private:
  // The code of an interval, not yet in its place, and where it leads.
  struct Interval {
    std::unique_ptr<Block> code;
    IntervalFacts facts;
    Value place; // of arrival; null when there is only one
    unsigned predecessors = 0;

    // The only place where all the threads can arrive.
    std::optional<int64_t> successor() const {
      return place ? std::nullopt
                   : std::optional<int64_t>(facts.arrivals.front());
    }
  };

  void emitInterval(int64_t start);
  Value createThreadLoops(OpBuilder &b, SmallVectorImpl<Value> &thread);
  Value createLaneLoop(OpBuilder &b, SmallVectorImpl<Value> &thread);
  Value gatherVotes(OpBuilder &b, const llvm::SetVector<Operation *> &decisions,
                    Value first, Value end);
  void endExits(OpBuilder &b, Interval &interval);
  Value appendChain(OpBuilder &b, int64_t start);
  void assemble();
  void assembleSubgroups();
  void runSubgroup(OpBuilder &b, Value start);
  void combineVotes(OpBuilder &b);
  Value isAt(OpBuilder &b, Value thread, int64_t place);
  void checkSubgroup(OpBuilder &b, Operation *stop, int64_t start,
                     const ThreadGroup &group);

  const KernelAnalysis &analysis;
  StringRef name;
  func::FuncOp func;
  BlockStorage storage;
  RuntimeCalls &runtime;
  func::FuncOp voteFunction;
  // By the place where the interval starts; the first one at Arrival::none.
  llvm::MapVector<int64_t, Interval> intervals;
  // In code that runs one subgroup, the ids where it begins and ends, until
  // they are known.
  Block bounds;
};

} // namespace

// Loops over the threads of the block; returns the linear id.
Value BlockFunctionBuilder::createThreadLoops(OpBuilder &b,
                                              SmallVectorImpl<Value> &thread) {
  Location loc = func.getLoc();
  Value zero = storage.index(0), one = storage.index(1);
  thread.assign(3, zero);
  // x innermost: neighbours in memory are neighbours in time, and the loop
  // that a vectoriser takes.
  Value linear;
  static constexpr StringLiteral axes[] = {"x", "y", "z"};
  for (unsigned axis : {2u, 1u, 0u}) {
    if (storage.staticBlockDim(axis) != 1) {
      auto loop = scf::ForOp::create(b, loc, zero, storage.blockDim(axis), one);
      loop->setAttr("uop.thread_loop", b.getStringAttr(axes[axis]));
      b.setInsertionPointToStart(loop.getBody());
      thread[axis] = loop.getInductionVar();
    }
    if (!linear) {
      linear = thread[axis];
      continue;
    }
    if (linear != zero)
      linear =
          b.createOrFold<arith::MulIOp>(loc, linear, storage.blockDim(axis));
    linear = linear == zero
                 ? thread[axis]
                 : b.createOrFold<arith::AddIOp>(loc, linear, thread[axis]);
  }
  return linear;
}

// Loops over the threads of a subgroup; returns the linear id.
Value BlockFunctionBuilder::createLaneLoop(OpBuilder &b,
                                           SmallVectorImpl<Value> &thread) {
  Location loc = func.getLoc();
  auto loop = scf::ForOp::create(b, loc, bounds.getArgument(0),
                                 bounds.getArgument(1), storage.index(1));
  b.setInsertionPointToStart(loop.getBody());
  Value linear = loop.getInductionVar(), rest = linear;
  for (unsigned axis : {0u, 1u}) {
    Value size = storage.blockDim(axis);
    thread.push_back(b.createOrFold<arith::RemUIOp>(loc, rest, size));
    rest = b.createOrFold<arith::DivUIOp>(loc, rest, size);
  }
  thread.push_back(rest);
  return linear;
}

// Loops over the threads around the interval that starts at `start`.
void BlockFunctionBuilder::emitInterval(int64_t start) {
  Interval interval;
  interval.code = std::make_unique<Block>();
  Location loc = func.getLoc();
  OpBuilder b(func.getContext());
  b.setInsertionPointToStart(interval.code.get());
  ThreadGroup group{storage.index(0), storage.threadCount(),
                    storage.lanesOfSubgroup(), storage.exits()};
  if (storage.runsSubgroups()) {
    group.first = bounds.getArgument(0);
    group.end = bounds.getArgument(1);
    interval.facts.alwaysVotes = true;
  }
  Operation *stop = start == Arrival::none
                        ? nullptr
                        : analysis.stops()[start - Arrival::firstStop];
  if (storage.runsSubgroups() && stop && isSubgroupStop(stop))
    checkSubgroup(b, stop, start, group);
  // What the whole block gave is worked on before the first subgroup goes on.
  if (stop && isCollective(stop) &&
      !(storage.runsSubgroups() && isBlockCollective(stop)))
    createExchange(b, stop, storage.exchangeArrays(stop), group);
  SmallVector<Value, 3> thread;
  Value linear = storage.runsSubgroups() ? createLaneLoop(b, thread)
                                         : createThreadLoops(b, thread);
  Value live = storage.runsSubgroups()
                   ? isAt(b, linear, start)
                   : createIsLive(b, loc, stop ? group.votes : Value(), linear);
  if (live) {
    auto ifOp = scf::IfOp::create(b, loc, live, /*withElseRegion=*/false);
    b.setInsertionPointToStart(ifOp.thenBlock());
  }
  ThreadCode code(analysis, storage, b, thread, linear, group, interval.facts);
  code.emit(stop);

  b.setInsertionPointToEnd(interval.code.get());
  storage.publish(b, interval.facts.storedScalars.getArrayRef());
  if (interval.facts.repeatedCollective)
    storage.publishGiven(b, interval.facts.repeatedCollective);
  // Lanes of a subgroup may have come to different places.
  if (!storage.runsSubgroups() && interval.facts.needsVote())
    interval.place =
        gatherVotes(b, interval.facts.decisions, group.first, group.end);
  else if (!storage.runsSubgroups() && interval.facts.arrivals.size() > 1)
    interval.place = memref::LoadOp::create(b, loc, storage.arrival());
  endExits(b, interval);
  intervals[start] = std::move(interval);
}

// A block all of whose threads have left is at its end.
void BlockFunctionBuilder::endExits(OpBuilder &b, Interval &interval) {
  IntervalFacts &facts = interval.facts;
  if (!facts.arrivals.remove(Arrival::exit))
    return;
  facts.arrivals.insert(Arrival::end);
  if (facts.needsVote() || !interval.place)
    return;
  Location loc = func.getLoc();
  Value isExit =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, interval.place,
                            storage.index(Arrival::exit));
  interval.place = arith::SelectOp::create(
      b, loc, isExit, storage.index(Arrival::end), interval.place);
}

Value BlockFunctionBuilder::gatherVotes(
    OpBuilder &b, const llvm::SetVector<Operation *> &decisions, Value first,
    Value end) {
  Location loc = func.getLoc();
  if (!voteFunction) {
    SmallVector<std::string> places{"reach the end of the kernel"};
    for (Operation *stop : analysis.stops()) {
      std::string place = "wait at the ";
      place += stop->getName().getStringRef();
      place += " at " + describeLocation(stop->getLoc());
      if (isSubgroupStop(stop))
        place += " (the whole subgroup must)";
      places.push_back(std::move(place));
    }
    voteFunction = runtime.voteFunction(
        name, analysis.kernel().getLoc(), places,
        analysis.hasExits() ? std::optional<int64_t>(leftVote) : std::nullopt);
  }
  std::string ops;
  for (Operation *op : decisions) {
    if (!ops.empty())
      ops += ", ";
    ops += op->getName().getStringRef().str() + " at " +
           describeLocation(op->getLoc());
  }
  ImplicitLocOpBuilder at(loc, b);
  Value text = runtime.text(at, ops);
  // One function for every number of threads.
  SmallVector<Value> args{memref::CastOp::create(
      at, voteFunction.getFunctionType().getInput(0), storage.votes())};
  args.append({first, end});
  for (unsigned axis = 0; axis < 3; ++axis)
    args.push_back(storage.blockId(axis));
  args.push_back(storage.blockDim(0));
  args.push_back(storage.blockDim(1));
  args.push_back(text);
  return func::CallOp::create(at, voteFunction, args).getResult(0);
}

// Moves an interval and those that can only follow it to the insertion point;
// returns the place where the last one arrives.
Value BlockFunctionBuilder::appendChain(OpBuilder &b, int64_t start) {
  while (true) {
    Interval &interval = intervals[start];
    Block *block = b.getInsertionBlock();
    block->getOperations().splice(b.getInsertionPoint(),
                                  interval.code->getOperations());
    std::optional<int64_t> next = interval.successor();
    if (!next)
      return interval.place;
    if (*next == Arrival::end || intervals[*next].predecessors > 1)
      return storage.index(*next);
    start = *next;
  }
}

void BlockFunctionBuilder::assemble() {
  for (auto &[start, interval] : intervals)
    for (int64_t place : interval.facts.arrivals)
      if (place != Arrival::end)
        ++intervals[place].predecessors;
  // An interval that is not put behind its only predecessor heads a chain.
  SmallVector<int64_t> heads;
  for (auto &[start, interval] : intervals) {
    bool inChain = false;
    for (auto &[other, before] : intervals)
      inChain |= before.successor() == start && interval.predecessors == 1;
    if (start != Arrival::none && !inChain)
      heads.push_back(start);
  }

  Location loc = func.getLoc();
  OpBuilder b = OpBuilder::atBlockEnd(&func.getBody().front());
  // Constants first: they may be created while code is being moved.
  Value end = storage.index(Arrival::end);
  for (int64_t place : llvm::make_first_range(intervals))
    storage.index(place);
  // The storage's builder stands at the end of the block: what it creates from
  // here on would follow the code that uses it.
  Value place = appendChain(b, Arrival::none);
  if (!heads.empty()) {
    Type type = b.getIndexType();
    auto loop = scf::WhileOp::create(b, loc, TypeRange{type}, place);
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&loop.getBefore(), {}, type, loc);
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                       before->getArgument(0), end);
    scf::ConditionOp::create(b, loc, more, before->getArguments());
    Block *after = b.createBlock(&loop.getAfter(), {}, type, loc);
    if (heads.size() == 1) {
      Value next = appendChain(b, heads.front());
      scf::YieldOp::create(b, loc, next);
    } else {
      ArrayRef<int64_t> cases = ArrayRef<int64_t>(heads).drop_back();
      auto choice = scf::IndexSwitchOp::create(
          b, loc, TypeRange{type}, after->getArgument(0), cases, cases.size());
      scf::YieldOp::create(b, loc, choice.getResults());
      for (auto [region, head] : llvm::zip(choice.getCaseRegions(), cases)) {
        b.createBlock(&region);
        Value next = appendChain(b, head);
        scf::YieldOp::create(b, loc, next);
      }
      b.createBlock(&choice.getDefaultRegion());
      Value next = appendChain(b, heads.back());
      scf::YieldOp::create(b, loc, next);
    }
  }
  b.setInsertionPointToEnd(&func.getBody().front());
  storage.free(b);
  func::ReturnOp::create(b, loc);
}

//===----------------------------------------------------------------------===//
// Subgroups that go ways of their own
//===----------------------------------------------------------------------===//

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
  // They disagree, so this does not return.
  gatherVotes(b, decisions, group.first, group.end);
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

LogicalResult
BlockFunctionBuilder::build(ArrayRef<StringAttr> workgroupGlobals) {
  if (failed(storage.allocate(workgroupGlobals)))
    return failure();
  SmallVector<int64_t> todo{Arrival::none};
  while (!todo.empty()) {
    int64_t start = todo.pop_back_val();
    if (intervals.contains(start))
      continue;
    emitInterval(start);
    for (int64_t place : intervals[start].facts.arrivals)
      if (place != Arrival::end)
        todo.push_back(place);
  }
  if (storage.runsSubgroups())
    assembleSubgroups();
  else
    assemble();
  return success();
}

FailureOr<func::FuncOp> uop::createBlockFunction(
    const KernelAnalysis &analysis, StringRef name,
    ArrayRef<std::optional<int64_t>> blockSize, int64_t subgroupSize,
    ArrayRef<StringAttr> workgroupGlobals, RuntimeCalls &runtime) {
  gpu::GPUFuncOp kernel = analysis.kernel();
  MLIRContext *context = kernel.getContext();
  SmallVector<Type> inputs(kernel.getFunctionType().getInputs());
  inputs.append(9, IndexType::get(context));
  OpBuilder b(context);
  auto func = func::FuncOp::create(b, kernel.getLoc(), (name + "_block").str(),
                                   b.getFunctionType(inputs, {}));
  func.setPrivate();
  runtime.symbols().insert(func);
  func.addEntryBlock();
  BlockFunctionBuilder builder(analysis, name, func, blockSize, subgroupSize,
                               runtime);
  if (failed(builder.build(workgroupGlobals)))
    return failure();
  return func;
}
