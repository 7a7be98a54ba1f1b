//===- VectorControl.cpp - Control flow of a vector of threads ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where all lanes decide alike an op stays what it is. Else each way is taken
// with a mask of the lanes that take it; what they do not define is zero there,
// not poison, for it may come into a mask.
//
// The guard of a kernel, `if (i < n)`, holds for all lanes but in the last
// vector, and so does the condition of a loop that walks over an array. Such
// code is there twice: without a mask, and under one.
//
//===----------------------------------------------------------------------===//

#include "VectorCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace uop;

// So many operations are computed for nothing rather than jumped over.
static constexpr unsigned maxSpeculated = 8;

// Of code with more operations there are no two copies.
static constexpr unsigned maxDuplicated = 200;

void VectorCode::yield(ValueRange targets, ValueRange values) {
  SmallVector<Value> parts;
  for (auto [target, value] : llvm::zip(targets, values))
    appendAs(target, value, parts);
  scf::YieldOp::create(b, parts);
}

//===----------------------------------------------------------------------===//
// All lanes at once
//===----------------------------------------------------------------------===//

/// Whether there may be two copies of the block.
static bool isSmall(Block &block) {
  unsigned count = 0;
  WalkResult walk = block.walk([&](Operation *) {
    return ++count > maxDuplicated ? WalkResult::interrupt()
                                   : WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

/// The predicate that holds of (y, x) where the given one holds of (x, y); none
/// for those that are not an order.
static std::optional<arith::CmpIPredicate> swap(arith::CmpIPredicate order) {
  using Predicate = arith::CmpIPredicate;
  static constexpr std::pair<Predicate, Predicate> pairs[] = {
      {Predicate::slt, Predicate::sgt},
      {Predicate::sle, Predicate::sge},
      {Predicate::ult, Predicate::ugt},
      {Predicate::ule, Predicate::uge}};
  for (auto [less, greater] : pairs) {
    if (order == less)
      return greater;
    if (order == greater)
      return less;
  }
  return std::nullopt;
}

static bool isSigned(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  return predicate == Predicate::slt || predicate == Predicate::sle ||
         predicate == Predicate::sgt || predicate == Predicate::sge;
}

/// Whether lanes go up, and so little that they wrap once at most: then none
/// has wrapped where the last one is not below the first.
static bool goesUp(LaneShape shape, Type type, int64_t lanes) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return shape.isStrided() && shape.stride > 0 && shape.stride < (1 << 20) &&
         llvm::isIntN(width, shape.stride * lanes);
}

Value VectorCode::holdsForAll(arith::CmpIOp op) {
  using Predicate = arith::CmpIPredicate;
  Value moving = op.getLhs(), bound = op.getRhs();
  std::optional<Predicate> predicate = op.getPredicate();
  std::optional<Predicate> swapped = swap(*predicate);
  if (shapes.get(moving).isUniform()) {
    std::swap(moving, bound);
    std::swap(predicate, swapped);
  }
  LaneShape shape = shapes.get(moving);
  if (!swapped || !predicate || !moving.getType().isIntOrIndex() ||
      !shapes.get(bound).isUniform() || !goesUp(shape, moving.getType(), lanes))
    return {};
  bool isLess = llvm::is_contained(
      {Predicate::slt, Predicate::sle, Predicate::ult, Predicate::ule},
      *predicate);
  Value low = first(moving), high = last(moving);
  Value holds =
      arith::CmpIOp::create(b, *predicate, isLess ? high : low, first(bound));
  if (isSigned(*predicate) && shape.exact)
    return holds;
  Value inOrder = arith::CmpIOp::create(
      b, isSigned(*predicate) ? Predicate::sle : Predicate::ule, low, high);
  return arith::AndIOp::create(b, inOrder, holds);
}

Value VectorCode::holdsForAll(Value condition) {
  if (shapes.get(condition).isUniform())
    return first(condition);
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return holdsForAll(compare);
  auto both = dyn_cast_or_null<arith::AndIOp>(op);
  if (!both)
    return {};
  Value lhs = holdsForAll(both.getLhs());
  Value rhs = lhs ? holdsForAll(both.getRhs()) : Value();
  return rhs ? arith::AndIOp::create(b, lhs, rhs) : Value();
}

//===----------------------------------------------------------------------===//
// scf.if
//===----------------------------------------------------------------------===//

/// Whether the branch may be computed for lanes that do not take it.
static bool isSpeculatable(Block *block, const LaneShapes &shapes) {
  unsigned count = 0;
  for (Operation &op : block->without_terminator()) {
    bool isScalar = llvm::all_of(op.getResults(), [&](Value result) {
      return shapes.get(result).isStrided();
    });
    if (op.getNumRegions() != 0 || !isPure(&op) ||
        (!isScalar && !isElementwise(&op)) || ++count > maxSpeculated)
      return false;
  }
  return true;
}

void VectorCode::emitIf(scf::IfOp op) {
  if (isFailure(op))
    return emitFailure(op);
  if (!shapes.diverges(op))
    return emitUniformIf(op);
  Value all;
  if (!mask && !isSpeculatable(op.thenBlock(), shapes) &&
      isSmall(*op.thenBlock()))
    all = holdsForAll(op.getCondition());
  if (!all)
    return defineAll(op.getResults(), emitMaskedIf(op));
  SmallVector<Type> types = partTypes(op.getResults());
  auto branch = scf::IfOp::create(b, types, all, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    emitBlock(*op.thenBlock());
    yield(op.getResults(), op.thenBlock()->getTerminator()->getOperands());
    b.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> results = emitMaskedIf(op);
    scf::YieldOp::create(b, results);
  }
  b.setLoc(op.getLoc());
  defineAll(op.getResults(), branch.getResults());
}

/// Each way under a mask; the vectors of the results.
SmallVector<Value> VectorCode::emitMaskedIf(scf::IfOp op) {
  Location loc = op.getLoc();
  Value outer = mask;
  Value condition = vector(op.getCondition());
  Value taken = narrow(condition);
  SmallVector<Value> results =
      emitUnder(taken, op.thenBlock(), op.getResults());
  if (op.elseBlock()) {
    Value flipped = arith::XOrIOp::create(
        b, condition,
        arith::ConstantOp::create(
            b, DenseElementsAttr::get(cast<ShapedType>(condition.getType()),
                                      true)));
    SmallVector<Value> others =
        emitUnder(narrow(flipped), op.elseBlock(), op.getResults());
    b.setLoc(loc);
    for (auto [result, other] : llvm::zip(results, others))
      result = arith::SelectOp::create(b, condition, result, other);
  }
  mask = outer;
  return results;
}

/// The branch for the lanes in `under`, and the vectors of what it yields.
SmallVector<Value> VectorCode::emitUnder(Value under, Block *block,
                                         ValueRange results) {
  Value outer = mask;
  mask = under;
  auto yielded = [&]() {
    SmallVector<Value> parts;
    for (Value value : block->getTerminator()->getOperands())
      llvm::append_range(parts, vectors(value));
    return parts;
  };
  SmallVector<Value> parts;
  if (isSpeculatable(block, shapes)) {
    emitBlock(*block);
    parts = yielded();
  } else {
    SmallVector<Type> types = partTypes(results);
    auto branch = scf::IfOp::create(b, types, anyOf(under),
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/!types.empty());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    emitBlock(*block);
    scf::YieldOp::create(b, yielded());
    if (!types.empty()) {
      b.setInsertionPointToStart(branch.elseBlock());
      SmallVector<Value> nothing;
      for (Type type : types)
        nothing.push_back(zero(type));
      scf::YieldOp::create(b, nothing);
    }
    llvm::append_range(parts, branch.getResults());
  }
  mask = outer;
  return parts;
}

void VectorCode::emitUniformIf(scf::IfOp op) {
  SmallVector<Type> types = partTypes(op.getResults());
  auto branch = scf::IfOp::create(b, types, first(op.getCondition()),
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/op.elseBlock() != nullptr);
  for (auto [from, to] : {std::pair(op.thenBlock(), branch.thenBlock()),
                          std::pair(op.elseBlock(), branch.elseBlock())}) {
    if (!from)
      continue;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(to);
    emitBlock(*from);
    yield(op.getResults(), from->getTerminator()->getOperands());
  }
  b.setLoc(op.getLoc());
  defineAll(op.getResults(), branch.getResults());
}

/// The first lane that fails ends the run, so nothing of it is a vector.
void VectorCode::emitFailure(scf::IfOp op) {
  Value failing = narrow(vector(op.getCondition()));
  auto branch = scf::IfOp::create(b, anyOf(failing), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenYield());
  emitLaneByLane(op);
}

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

void VectorCode::emitFor(scf::ForOp op) {
  if (shapes.diverges(op))
    return emitDivergentFor(op);
  SmallVector<Value> inits;
  for (auto [arg, init] : llvm::zip(op.getRegionIterArgs(), op.getInitArgs()))
    appendAs(arg, init, inits);
  auto loop = scf::ForOp::create(
      b, first(op.getLowerBound()), first(op.getUpperBound()),
      first(op.getStep()), inits, /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body = loop.getBody();
    if (!body->empty())
      body->back().erase();
    b.setInsertionPointToStart(body);
    define(op.getInductionVar(), loop.getInductionVar());
    defineAll(op.getRegionIterArgs(), loop.getRegionIterArgs());
    emitBlock(*op.getBody());
    yield(op.getRegionIterArgs(), op.getYieldedValues());
  }
  b.setLoc(op.getLoc());
  defineAll(op.getResults(), loop.getResults());
}

/// The iterations that all lanes run, as far as that is cheap to tell: those in
/// which the last lane is below the bound. Returns with what the rest begins:
/// the variable, and what the loop carries.
SmallVector<Value> VectorCode::emitWholeFor(scf::ForOp op) {
  Value variable = op.getInductionVar();
  SmallVector<Value> state;
  appendAs(variable, op.getLowerBound(), state);
  for (Value init : op.getInitArgs())
    llvm::append_range(state, vectors(init));
  LaneShape shape = shapes.get(variable);
  if (mask || !shapes.get(op.getUpperBound()).isUniform() ||
      !shapes.get(op.getStep()).isUniform() ||
      !goesUp(shape, variable.getType(), lanes) || !isSmall(*op.getBody()))
    return state;
  Value lower = state.front(), upper = first(op.getUpperBound());
  // Lane 0 runs to the bound less what the last lane is ahead, if there is such
  // a number; else the rest is all.
  Type type = variable.getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  APInt ahead(width, shape.stride * (lanes - 1));
  APInt least =
      op.getUnsignedCmp() ? ahead : APInt::getSignedMinValue(width) + ahead;
  auto constant = [&](const APInt &value) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  };
  Value isEnough =
      arith::CmpIOp::create(b,
                            op.getUnsignedCmp() ? arith::CmpIPredicate::uge
                                                : arith::CmpIPredicate::sge,
                            upper, constant(least));
  Value below = arith::SubIOp::create(b, upper, constant(ahead));
  Value end = arith::SelectOp::create(b, isEnough, below, lower);
  auto loop = scf::ForOp::create(b, lower, end, first(op.getStep()), state,
                                 /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(b);
  Block *body = loop.getBody();
  if (!body->empty())
    body->back().erase();
  b.setInsertionPointToStart(body);
  define(variable, loop.getInductionVar());
  defineAll(op.getRegionIterArgs(), loop.getRegionIterArgs().drop_front());
  emitBlock(*op.getBody());
  b.setLoc(op.getLoc());
  SmallVector<Value> next{
      arith::AddIOp::create(b, loop.getInductionVar(), first(op.getStep()))};
  for (Value value : op.getYieldedValues())
    llvm::append_range(next, vectors(value));
  scf::YieldOp::create(b, next);
  return SmallVector<Value>(loop.getResults());
}

/// Lanes leave one after another; who has left does not come back.
void VectorCode::emitDivergentFor(scf::ForOp op) {
  Location loc = op.getLoc();
  Value outer = mask, variable = op.getInductionVar();
  SmallVector<Value> inits{activeMask()};
  llvm::append_range(inits, emitWholeFor(op));
  constexpr unsigned numFixed = 2; // the mask and the variable
  SmallVector<Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto loop = scf::WhileOp::create(b, types, inits);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  define(variable, before->getArgument(1));
  auto predicate = op.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                       : arith::CmpIPredicate::slt;
  Value more = arith::CmpIOp::create(b, predicate, vector(variable),
                                     vector(op.getUpperBound()));
  mask = before->getArgument(0);
  SmallVector<Value> state(before->getArguments());
  state.front() = narrow(more);
  scf::ConditionOp::create(b, anyOf(state.front()), state);

  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  mask = after->getArgument(0);
  define(variable, after->getArgument(1));
  ValueRange carried = after->getArguments().drop_front(numFixed);
  defineAll(op.getRegionIterArgs(), carried);
  emitBlock(*op.getBody());
  b.setLoc(loc);
  SmallVector<Value> next{after->getArgument(0)};
  Value step = isStrided(variable) ? first(op.getStep()) : vector(op.getStep());
  next.push_back(arith::AddIOp::create(b, after->getArgument(1), step));
  for (Value value : op.getYieldedValues())
    llvm::append_range(next, vectors(value));
  for (auto [index, old] : llvm::enumerate(carried))
    next[numFixed + index] = arith::SelectOp::create(
        b, after->getArgument(0), next[numFixed + index], old);
  scf::YieldOp::create(b, next);
  b.setInsertionPointAfter(loop);
  mask = outer;
  defineAll(op.getResults(), loop.getResults().drop_front(numFixed));
}

//===----------------------------------------------------------------------===//
// scf.while
//===----------------------------------------------------------------------===//

void VectorCode::emitWhile(scf::WhileOp op) {
  if (shapes.diverges(op))
    return emitDivergentWhile(op);
  SmallVector<Value> inits;
  for (auto [arg, init] : llvm::zip(op.getBeforeArguments(), op.getInits()))
    appendAs(arg, init, inits);
  SmallVector<Type> types = partTypes(op.getAfterArguments());
  auto loop = scf::WhileOp::create(b, types, inits);
  auto createBlock = [&](Region &region, ArrayRef<Type> argTypes) {
    SmallVector<Location> locs(argTypes.size(), op.getLoc());
    return b.createBlock(&region, {}, argTypes, locs);
  };
  OpBuilder::InsertionGuard guard(b);
  Block *before =
      createBlock(loop.getBefore(), partTypes(op.getBeforeArguments()));
  defineAll(op.getBeforeArguments(), before->getArguments());
  emitBlock(*op.getBeforeBody());
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Value> forwarded;
  for (auto [arg, value] :
       llvm::zip(op.getAfterArguments(), condition.getArgs()))
    appendAs(arg, value, forwarded);
  scf::ConditionOp::create(b, first(condition.getCondition()), forwarded);
  Block *after = createBlock(loop.getAfter(), types);
  defineAll(op.getAfterArguments(), after->getArguments());
  emitBlock(*op.getAfterBody());
  yield(op.getBeforeArguments(), op.getYieldOp().getOperands());
  b.setInsertionPointAfter(loop);
  b.setLoc(op.getLoc());
  defineAll(op.getResults(), loop.getResults());
}

/// The state is the mask of who is still there, and what each lane last handed
/// on: to the body, or, for the last time, to what follows.
void VectorCode::emitDivergentWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  Value outer = mask;
  SmallVector<Value> inits{activeMask()};
  for (Value init : op.getInits())
    llvm::append_range(inits, vectors(init));
  SmallVector<Type> carried(ValueRange(inits).getTypes());
  SmallVector<Type> results = partTypes(op.getAfterArguments());
  for (Type type : results)
    inits.push_back(zero(type));
  SmallVector<Type> beforeTypes(ValueRange(inits).getTypes());
  SmallVector<Type> afterTypes{carried.front()};
  llvm::append_range(afterTypes, results);
  auto loop = scf::WhileOp::create(b, afterTypes, inits);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, beforeTypes,
                                SmallVector<Location>(beforeTypes.size(), loc));
  mask = before->getArgument(0);
  defineAll(op.getBeforeArguments(),
            before->getArguments().slice(1, carried.size() - 1));
  emitBlock(*op.getBeforeBody());
  b.setLoc(loc);
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Value> handed{narrow(vector(condition.getCondition()))};
  for (Value value : condition.getArgs())
    llvm::append_range(handed, vectors(value));
  ValueRange last = before->getArguments().drop_front(carried.size());
  for (auto [index, old] : llvm::enumerate(last))
    handed[1 + index] =
        arith::SelectOp::create(b, mask, handed[1 + index], old);
  scf::ConditionOp::create(b, anyOf(handed.front()), handed);

  Block *after = b.createBlock(&loop.getAfter(), {}, afterTypes,
                               SmallVector<Location>(afterTypes.size(), loc));
  mask = after->getArgument(0);
  defineAll(op.getAfterArguments(), after->getArguments().drop_front());
  emitBlock(*op.getAfterBody());
  b.setLoc(loc);
  SmallVector<Value> next{after->getArgument(0)};
  for (Value value : op.getYieldOp().getOperands())
    llvm::append_range(next, vectors(value));
  llvm::append_range(next, after->getArguments().drop_front());
  scf::YieldOp::create(b, next);
  b.setInsertionPointAfter(loop);
  mask = outer;
  defineAll(op.getResults(), loop.getResults().drop_front());
}
