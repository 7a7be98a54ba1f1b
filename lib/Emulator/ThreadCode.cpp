//===- ThreadCode.cpp - One thread from one barrier to the next -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Places and values
//===----------------------------------------------------------------------===//

ThreadCode::Flow ThreadCode::arriveAt(int64_t place) {
  facts.arrivals.insert(place);
  Flow flow;
  flow.place = storage.index(place);
  flow.mayContinue = false;
  return flow;
}

Value ThreadCode::placeOf(const Flow &flow) {
  return flow.place ? flow.place : storage.index(Arrival::none);
}

Value ThreadCode::poison(Type type) {
  return ub::PoisonOp::create(b, analysis.kernel().getLoc(), type,
                              ub::PoisonAttr::get(b.getContext()));
}

SmallVector<Value> ThreadCode::valuesOf(const Flow &flow, TypeRange types) {
  if (flow.mayContinue)
    return flow.values;
  return llvm::map_to_vector(types, [&](Type type) { return poison(type); });
}

Value ThreadCode::lookup(Value value) {
  if (Value current = environment.lookup(value))
    return current;
  if (Value current = storage.invariant(value))
    return current;
  Operation *op = value.getDefiningOp();
  if (auto id = dyn_cast_or_null<gpu::ThreadIdOp>(op))
    return threadId[static_cast<unsigned>(id.getDimension())];
  Value current;
  if (storage.isPrivateBuffer(value)) {
    current = storage.privateBuffer(b, value, linearId);
  } else if (storage.isRemembered(value)) {
    current = storage.load(b, value, linearId);
  } else {
    IRMapping map;
    for (Value operand : op->getOperands())
      map.map(operand, lookup(operand));
    current =
        b.clone(*op, map)->getResult(cast<OpResult>(value).getResultNumber());
  }
  environment.insert(value, current);
  return current;
}

void ThreadCode::define(Value value, Value current) {
  environment.insert(value, current);
  if (!storage.isRemembered(value))
    return;
  storage.store(b, value, current, linearId);
  if (storage.isScalar(value))
    facts.storedScalars.insert(value);
}

void ThreadCode::define(ValueRange values, ValueRange current) {
  for (auto [value, now] : llvm::zip(values, current))
    define(value, now);
}

// A decision that may differ among the threads is voted on. The place where
// the threads arrive is not enough: two of them may come to one barrier in
// different iterations of a loop. So each also leaves a hash of its decisions.
void ThreadCode::decide(Operation *op, Value decision, bool uniform) {
  if (uniform)
    return;
  if (!analysis.holdsStop(op)) {
    facts.exitsDiffer = true;
    return;
  }
  facts.decisions.insert(op);
  addToWay(op, decision, wayTaken, {});
  if (storage.runsSubgroups() && analysis.holdsBlockStop(op))
    addToWay(op, decision, storage.blockWays(), linearId);
}

void ThreadCode::addToWay(Operation *op, Value decision, Value way,
                          ValueRange indices) {
  Location loc = op->getLoc();
  Value old = memref::LoadOp::create(b, loc, way, indices);
  Value factor = arith::ConstantIntOp::create(b, loc, 31, 64);
  Value one = arith::ConstantIntOp::create(b, loc, 1, 64);
  Value bit = arith::ExtUIOp::create(b, loc, b.getI64Type(), decision);
  Value digit = arith::AddIOp::create(b, loc, bit, one);
  Value product = arith::MulIOp::create(b, loc, old, factor);
  Value sum = arith::AddIOp::create(b, loc, product, digit);
  memref::StoreOp::create(b, loc, sum, way, indices);
}

//===----------------------------------------------------------------------===//
// Straight on
//===----------------------------------------------------------------------===//

ThreadCode::Flow ThreadCode::continueAfter(const Flow &flow, TypeRange types,
                                           llvm::function_ref<Flow()> rest) {
  if (!flow.mayContinue)
    return flow;
  if (!flow.place)
    return rest();
  Location loc = flow.place.getLoc();
  Value here = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                     flow.place, storage.index(Arrival::none));
  SmallVector<Type> resultTypes{b.getIndexType()};
  llvm::append_range(resultTypes, types);
  auto guard =
      scf::IfOp::create(b, loc, resultTypes, here, /*addThenBlock=*/true,
                        /*addElseBlock=*/true);
  OpBuilder::InsertionGuard insertion(b);
  Flow result;
  {
    Scope scope(environment);
    b.setInsertionPointToStart(guard.thenBlock());
    Flow inner = rest();
    result.mayContinue = inner.mayContinue;
    SmallVector<Value> yields{placeOf(inner)};
    llvm::append_range(yields, valuesOf(inner, types));
    scf::YieldOp::create(b, loc, yields);
  }
  b.setInsertionPointToStart(guard.elseBlock());
  SmallVector<Value> yields{flow.place};
  for (Type type : types)
    yields.push_back(poison(type));
  scf::YieldOp::create(b, loc, yields);
  result.place = guard.getResult(0);
  result.values.assign(guard.result_begin() + 1, guard.result_end());
  return result;
}

void ThreadCode::emitWhole(Operation *op) {
  if (isa<gpu::ThreadIdOp>(op) || llvm::any_of(op->getResults(), [&](Value v) {
        return storage.isPrivateBuffer(v);
      }))
    return;
  if (op->getNumResults() != 0 && llvm::all_of(op->getResults(), [&](Value v) {
        return analysis.isInvariant(v);
      }))
    return;
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  IRMapping map;
  for (Value value : used)
    map.map(value, lookup(value));
  Operation *copy = b.clone(*op, map);
  define(op->getResults(), copy->getResults());
}

ThreadCode::Flow ThreadCode::emitFrom(Block *block, Block::iterator it) {
  for (; it != block->end(); ++it) {
    Operation &op = *it;
    if (isa<gpu::ReturnOp>(op))
      return arriveAt(Arrival::end);
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      Flow flow;
      for (Value operand : op.getOperands())
        flow.values.push_back(lookup(operand));
      return flow;
    }
    if (!analysis.isSplit(&op)) {
      emitWhole(&op);
      continue;
    }
    Flow flow = emitSplit(&op);
    if (flow.mayContinue && !flow.place) {
      define(op.getResults(), flow.values);
      continue;
    }
    return continueAfter(flow, block->getTerminator()->getOperandTypes(),
                         [&]() {
                           define(op.getResults(), flow.values);
                           return emitFrom(block, std::next(it));
                         });
  }
  llvm_unreachable("a block without a terminator");
}

void ThreadCode::give(Operation *collective) {
  // Other subgroups may not have taken yet what was given to the whole block.
  bool ofBlock = storage.runsSubgroups() && isBlockCollective(collective);
  bool repeated = collective == startStop || ofBlock;
  createGive(
      b, collective, [&](Value value) { return lookup(value); },
      storage.exchangeArrays(collective, repeated), linearId,
      group.subgroupSize);
  if (repeated && !ofBlock)
    facts.repeatedCollective = collective;
}

void ThreadCode::take(Operation *collective) {
  SmallVector<Value> results = createTake(
      b, collective, [&](Value value) { return lookup(value); },
      storage.exchangeArrays(collective), linearId, group);
  define(collective->getResults(), results);
}

ThreadCode::Flow ThreadCode::emitSplit(Operation *op) {
  if (isExit(op))
    return arriveAt(Arrival::exit);
  if (isStop(op)) {
    if (isCollective(op))
      give(op);
    return arriveAt(Arrival::firstStop + analysis.stopNumber(op));
  }
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return emitIf(ifOp);
  if (auto forOp = dyn_cast<scf::ForOp>(op)) {
    SmallVector<Value> inits;
    for (Value init : forOp.getInitArgs())
      inits.push_back(lookup(init));
    return emitFor(forOp, lookup(forOp.getLowerBound()), inits);
  }
  auto whileOp = cast<scf::WhileOp>(op);
  SmallVector<Value> inits, results;
  for (Value init : whileOp.getInits())
    inits.push_back(lookup(init));
  for (Type type : whileOp.getResultTypes())
    results.push_back(poison(type));
  return emitWhile(whileOp, storage.index(Arrival::none), inits, results);
}

//===----------------------------------------------------------------------===//
// Control flow that holds a barrier
//===----------------------------------------------------------------------===//

ThreadCode::Flow ThreadCode::emitIf(scf::IfOp op) {
  Location loc = op.getLoc();
  Value condition = lookup(op.getCondition());
  auto emitBranch = [&](Block *block) {
    return block ? emitFrom(block, block->begin()) : Flow();
  };
  llvm::APInt known;
  if (matchPattern(condition, m_ConstantInt(&known)))
    return emitBranch(known.isOne() ? op.thenBlock() : op.elseBlock());
  decide(op, condition, analysis.isUniform(op.getCondition()));
  SmallVector<Type> types{b.getIndexType()};
  llvm::append_range(types, op.getResultTypes());
  auto copy = scf::IfOp::create(b, loc, types, condition, /*addThenBlock=*/true,
                                /*addElseBlock=*/true);
  OpBuilder::InsertionGuard insertion(b);
  Flow result;
  result.mayContinue = false;
  for (auto [source, target] : {std::pair(op.thenBlock(), copy.thenBlock()),
                                std::pair(op.elseBlock(), copy.elseBlock())}) {
    Scope scope(environment);
    b.setInsertionPointToStart(target);
    Flow flow = emitBranch(source);
    result.mayContinue |= flow.mayContinue;
    SmallVector<Value> yields{placeOf(flow)};
    llvm::append_range(yields, valuesOf(flow, op.getResultTypes()));
    scf::YieldOp::create(b, loc, yields);
  }
  result.place = copy.getResult(0);
  result.values.assign(copy.result_begin() + 1, copy.result_end());
  return result;
}

// Runs the loop from the iteration `first` on, until it arrives or is over.
ThreadCode::Flow ThreadCode::emitFor(scf::ForOp op, Value first,
                                     ValueRange carried) {
  Location loc = op.getLoc();
  Value upper = lookup(op.getUpperBound());
  bool uniform = analysis.isDecisionUniform(op);
  auto predicate = op.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                       : arith::CmpIPredicate::slt;
  auto startIteration = [&](Value current, ValueRange args) {
    define(op.getInductionVar(), current);
    define(op.getRegionIterArgs(), args);
    return emitFrom(op.getBody(), op.getBody()->begin());
  };
  Flow result;
  if (analysis.alwaysReachesStop(op.getBody())) {
    // One iteration is as far as a thread gets.
    Value more = b.createOrFold<arith::CmpIOp>(loc, predicate, first, upper);
    llvm::APInt known;
    if (matchPattern(more, m_ConstantInt(&known))) {
      if (known.isOne())
        return startIteration(first, carried);
      result.values.assign(carried.begin(), carried.end());
      return result;
    }
    decide(op, more, uniform);
    SmallVector<Type> types{b.getIndexType()};
    llvm::append_range(types, op.getResultTypes());
    auto branch = scf::IfOp::create(b, loc, types, more, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    OpBuilder::InsertionGuard insertion(b);
    {
      Scope scope(environment);
      b.setInsertionPointToStart(branch.thenBlock());
      Flow flow = startIteration(first, carried);
      SmallVector<Value> yields{placeOf(flow)};
      llvm::append_range(yields, valuesOf(flow, op.getResultTypes()));
      scf::YieldOp::create(b, loc, yields);
    }
    b.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> yields{storage.index(Arrival::none)};
    llvm::append_range(yields, carried);
    scf::YieldOp::create(b, loc, yields);
    result.place = branch.getResult(0);
    result.values.assign(branch.result_begin() + 1, branch.result_end());
    return result;
  }

  SmallVector<Value> inits{storage.index(Arrival::none), first};
  llvm::append_range(inits, carried);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto loop = scf::WhileOp::create(b, loc, types, inits);
  SmallVector<Location> locs(types.size(), loc);
  OpBuilder::InsertionGuard insertion(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  Value step = op.getStep();
  {
    Scope scope(environment);
    b.setInsertionPointToStart(before);
    // The decision counts only while the thread is on its way.
    Value here = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                       before->getArgument(0),
                                       storage.index(Arrival::none));
    auto ask = scf::IfOp::create(b, loc, TypeRange{b.getI1Type()}, here,
                                 /*addThenBlock=*/true, /*addElseBlock=*/true);
    b.setInsertionPointToStart(ask.thenBlock());
    Value more =
        arith::CmpIOp::create(b, loc, predicate, before->getArgument(1), upper);
    decide(op, more, uniform);
    scf::YieldOp::create(b, loc, more);
    b.setInsertionPointToStart(ask.elseBlock());
    scf::YieldOp::create(b, loc, here);
    b.setInsertionPointToEnd(before);
    scf::ConditionOp::create(b, loc, ask.getResult(0), before->getArguments());
  }
  {
    Scope scope(environment);
    b.setInsertionPointToStart(after);
    Flow flow = startIteration(after->getArgument(1),
                               after->getArguments().drop_front(2));
    Value next =
        arith::AddIOp::create(b, loc, after->getArgument(1), lookup(step));
    SmallVector<Value> yields{placeOf(flow), next};
    llvm::append_range(yields, valuesOf(flow, op.getResultTypes()));
    scf::YieldOp::create(b, loc, yields);
  }
  result.place = loop.getResult(0);
  result.values.assign(loop.result_begin() + 2, loop.result_end());
  return result;
}

// Runs the loop from a state: the place of the thread (or that the loop is
// over), what it carries, and its results when it is over. That the loop is
// over is a place and not a flag beside it, because such a flag would be poison
// where the thread has arrived, and must not be branched on.
ThreadCode::Flow ThreadCode::emitWhile(scf::WhileOp op, Value place,
                                       ValueRange carried, ValueRange results) {
  Location loc = op.getLoc();
  unsigned numCarried = carried.size();
  SmallVector<Value> inits{place};
  llvm::append_range(inits, carried);
  llvm::append_range(inits, results);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto loop = scf::WhileOp::create(b, loc, types, inits);
  SmallVector<Location> locs(types.size(), loc);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  auto is = [&](Value current, int64_t which) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, current,
                                 storage.index(which));
  };
  b.setInsertionPointToStart(before);
  Value here = is(before->getArgument(0), Arrival::none);
  scf::ConditionOp::create(b, loc, here, before->getArguments());
  {
    Scope scope(environment);
    b.setInsertionPointToStart(after);
    define(op.getBeforeArguments(),
           after->getArguments().drop_front().take_front(numCarried));
    Flow head = emitFrom(op.getBeforeBody(), op.getBeforeBody()->begin());
    TypeRange stateTypes = TypeRange(types).drop_front();
    Flow flow = continueAfter(head, stateTypes, [&]() {
      return emitWhileBody(op, head.values.front(),
                           ArrayRef<Value>(head.values).drop_front());
    });
    SmallVector<Value> yields{placeOf(flow)};
    llvm::append_range(yields, valuesOf(flow, stateTypes));
    scf::YieldOp::create(b, loc, yields);
  }
  b.setInsertionPointAfter(loop);
  Flow result;
  result.place =
      arith::SelectOp::create(b, loc, is(loop.getResult(0), Arrival::over),
                              storage.index(Arrival::none), loop.getResult(0));
  result.values.assign(loop.result_begin() + 1 + numCarried, loop.result_end());
  return result;
}

// What follows the condition of the loop: its body, or its end, which is the
// place Arrival::over. The flow hands on what the loop carries and its results.
ThreadCode::Flow ThreadCode::emitWhileBody(scf::WhileOp op, Value condition,
                                           ValueRange forwarded) {
  Location loc = op.getLoc();
  decide(op, condition, analysis.isUniform(op.getConditionOp().getCondition()));
  TypeRange carriedTypes = op.getInits().getTypes();
  TypeRange resultTypes = op.getResultTypes();
  SmallVector<Type> types{b.getIndexType()};
  llvm::append_range(types, carriedTypes);
  llvm::append_range(types, resultTypes);
  auto branch = scf::IfOp::create(b, loc, types, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard insertion(b);
  {
    Scope scope(environment);
    b.setInsertionPointToStart(branch.thenBlock());
    define(op.getAfterArguments(), forwarded);
    Flow flow = emitFrom(op.getAfterBody(), op.getAfterBody()->begin());
    SmallVector<Value> yields{placeOf(flow)};
    llvm::append_range(yields, valuesOf(flow, carriedTypes));
    for (Type type : resultTypes)
      yields.push_back(poison(type));
    scf::YieldOp::create(b, loc, yields);
  }
  b.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> yields{storage.index(Arrival::over)};
  for (Type type : carriedTypes)
    yields.push_back(poison(type));
  llvm::append_range(yields, forwarded);
  scf::YieldOp::create(b, loc, yields);
  Flow result;
  result.place = branch.getResult(0);
  result.values.assign(branch.result_begin() + 1, branch.result_end());
  return result;
}

//===----------------------------------------------------------------------===//
// Outwards
//===----------------------------------------------------------------------===//

ThreadCode::Flow ThreadCode::leaveBlock(Block *block, const Flow &flow) {
  return continueAfter(flow, {}, [&]() -> Flow {
    Operation *parent = block->getParentOp();
    if (auto forOp = dyn_cast<scf::ForOp>(parent)) {
      Value next = b.createOrFold<arith::AddIOp>(
          parent->getLoc(), lookup(forOp.getInductionVar()),
          lookup(forOp.getStep()));
      return leaveOp(parent, emitFor(forOp, next, flow.values));
    }
    if (auto whileOp = dyn_cast<scf::WhileOp>(parent)) {
      SmallVector<Value> carried, results;
      Value place = storage.index(Arrival::none);
      if (block == whileOp.getAfterBody()) {
        carried = flow.values;
        for (Type type : whileOp.getResultTypes())
          results.push_back(poison(type));
      } else {
        Flow body = emitWhileBody(whileOp, flow.values.front(),
                                  ArrayRef<Value>(flow.values).drop_front());
        ArrayRef<Value> state = body.values;
        unsigned numCarried = whileOp.getInits().size();
        place = body.place;
        llvm::append_range(carried, state.take_front(numCarried));
        llvm::append_range(results, state.drop_front(numCarried));
      }
      return leaveOp(parent, emitWhile(whileOp, place, carried, results));
    }
    // A branch of scf.if: its values are the results.
    Flow here;
    here.values = flow.values;
    return leaveOp(parent, here);
  });
}

ThreadCode::Flow ThreadCode::leaveOp(Operation *op, const Flow &flow) {
  return continueAfter(flow, {}, [&]() {
    define(op->getResults(), flow.values);
    Block *block = op->getBlock();
    return leaveBlock(block, emitFrom(block, std::next(op->getIterator())));
  });
}

void ThreadCode::emit(Operation *stop) {
  startStop = stop;
  Scope scope(environment);
  Location loc = analysis.kernel().getLoc();
  OpBuilder::InsertionGuard insertion(b);
  // Whether a vote is needed shows at the end; it starts from nothing.
  Operation *start = nullptr;
  if (!analysis.stops().empty()) {
    wayTaken = storage.way();
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 64);
    start = memref::StoreOp::create(b, loc, zero, wayTaken);
  }
  Block *body = &analysis.kernel().getBody().front();
  if (stop && isCollective(stop))
    take(stop);
  Flow flow = stop ? leaveBlock(stop->getBlock(),
                                emitFrom(stop->getBlock(),
                                         std::next(stop->getIterator())))
                   : emitFrom(body, body->begin());
  if (!facts.needsVote() && start) {
    Operation *zero = start->getOperand(0).getDefiningOp();
    start->erase();
    zero->erase();
  }
  if (facts.arrivals.size() < 2 && !facts.needsVote())
    return;
  Value place = placeOf(flow);
  if (!facts.needsVote()) {
    memref::StoreOp::create(b, loc, place, storage.arrival());
    return;
  }
  // Place and way in one word: the place is a small number. Whoever has left
  // keeps this vote, for no other bits are set than those of a negative place.
  Value word = arith::IndexCastOp::create(b, loc, b.getI64Type(), place);
  Value shift = arith::ConstantIntOp::create(b, loc, 32, 64);
  Value way = memref::LoadOp::create(b, loc, wayTaken);
  Value high = arith::ShLIOp::create(b, loc, way, shift);
  Value vote = arith::OrIOp::create(b, loc, high, word);
  memref::StoreOp::create(b, loc, vote, storage.votes(), linearId);
}
