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
