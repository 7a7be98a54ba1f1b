//===- ThreadControl.cpp - Control flow that holds a barrier --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uop;

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
