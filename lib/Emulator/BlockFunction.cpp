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
// A collective ends an interval as a barrier does: each thread leaves its
// values in arrays before, and takes its result after. Where the subgroups of a
// block may go different ways to one, they are run by themselves:
// SubgroupSchedule.cpp.
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

#include "BlockFunctionBuilder.h"
#include "Checked/InstrumentKernel.h"
#include "Checked/ShadowCode.h"
#include "NormalizeKernel.h"
#include "Vectorize/LaneShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uop;

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
      loop->setAttr(threadLoopAttrName, b.getStringAttr(axes[axis]));
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
  if (runtime.onlyDetects() && (!stop || !isSubgroupStop(stop))) {
    ImplicitLocOpBuilder at(loc, b);
    advanceClock(at, /*isNewBlock=*/!stop);
  }
  if (storage.runsSubgroups() && stop && isSubgroupStop(stop))
    checkSubgroup(b, stop, start, group);
  // What the whole block gave is worked on before the first subgroup goes on.
  if (stop && isCollective(stop) &&
      !(storage.runsSubgroups() && isBlockCollective(stop)))
    createExchange(b, stop, storage.exchangeArrays(stop), group);
  // A thread may leave behind a shuffle before another one takes its value.
  ThreadGroup taking = group;
  if (isa_and_nonnull<gpu::ShuffleOp>(stop) && group.votes)
    taking.votes = storage.copyVotes(b, group.first, group.end);
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
  // A barrier does not wait for those who have left, where that is let pass.
  if (runtime.isChecked() && !runtime.onlyDetects() && stop) {
    ImplicitLocOpBuilder at(loc, b);
    Value alive = callCheck(at, runtime, "uop_check_is_alive", linear,
                            /*hasResult=*/true);
    Value none = arith::ConstantIntOp::create(at, 0, 64);
    alive = arith::CmpIOp::create(at, arith::CmpIPredicate::ne, alive, none);
    auto guard = scf::IfOp::create(at, alive, /*withElseRegion=*/false);
    b.setInsertionPointToStart(guard.thenBlock());
  }
  ThreadCode code(analysis, storage, b, thread, linear, taking, interval.facts);
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

/// For CheckSession: an op that decided, and all places by number.
std::string BlockFunctionBuilder::describeDecision(Operation *op) const {
  llvm::json::Array places{
      llvm::json::Object{{"place", "have returned"},
                         {"isBarrier", false},
                         {"where", toJSON(SourcePosition())}}};
  for (Operation *stop : analysis.stops())
    places.push_back(llvm::json::Object{
        {"place", ("wait at the " + stop->getName().getStringRef()).str()},
        {"isBarrier", isa<gpu::BarrierOp>(stop)},
        {"where", toJSON(getSourcePosition(stop->getLoc()))}});
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(
      llvm::json::Object{{"op", op->getName().getStringRef()},
                         {"where", toJSON(getSourcePosition(op->getLoc()))},
                         {"places", std::move(places)}});
  return text;
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
  if (runtime.isChecked())
    ops = describeDecision(decisions.empty() ? analysis.kernel()
                                             : decisions.front());
  else
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
  setInternal(func);
  runtime.symbols().insert(func);
  func.addEntryBlock();
  func->setAttr(blockFunctionAttrName, b.getUnitAttr());
  BlockFunctionBuilder builder(analysis, name, func, blockSize, subgroupSize,
                               runtime);
  if (failed(builder.build(workgroupGlobals)))
    return failure();
  return func;
}
