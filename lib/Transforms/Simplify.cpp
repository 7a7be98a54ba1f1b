//===- Simplify.cpp - Simplify the index arithmetic of a kernel -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of index arithmetic are read as expressions, whose symbols are all
// other values. What the rest of the kernel uses of them (the roots) is
// simplified and written in front of where it was defined: there, everything
// that it is made of is at hand. Ops that have the value already are used.
//
// The indices of an access matter only where it takes place: where its mask
// holds, or the conditions of the scf.if ops around it. If they are simpler
// there the access gets indices of its own, and other users keep theirs. The
// mask stays.
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/Simplify.h"
#include "Uop/Analysis/IndexSimplifier.h"
#include "Uop/Analysis/IntegerRanges.h"
#include "Uop/IR/FreeRanges.h"
#include "Uop/IR/Injectivity.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace uop {
#define GEN_PASS_DEF_SIMPLIFY
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

namespace {

class KernelSimplifier {
public:
  explicit KernelSimplifier(KernelOp kernel)
      : kernel(kernel), simplifier(context) {}

  unsigned run();

private:
  // From values to expressions.
  void read(Operation *op);
  IndexExpr getExpr(Value value);
  /// The expression of an op that is index arithmetic; else null.
  IndexExpr readArithmetic(Operation *op);
  IndexExpr readComparison(arith::CmpIOp op);
  IndexExpr createSymbol(Value value, IndexBounds bounds);
  IndexBounds getBounds(Value value);
  IndexBounds getOpaqueBounds(Value value);
  Value getLimit(Value value);

  // Which values to rewrite, and to what.
  bool isOutside(Operation *user);
  bool isRoot(Value value);
  void chooseRewrites();
  IndexExpr getCondition(Operation *access);
  void chooseGuardedRewrites();

  // From expressions to values.
  Value write(IndexExpr expr, OpBuilder &builder, Location loc);
  Value find(IndexExpr expr, Block *block);
  bool mayReplace(Value value, Value replacement);
  void rewriteArithmetic(Operation *op, IndexExpr expr);
  bool rewriteGuarded(OpOperand &use, IndexExpr result);

  KernelOp kernel;
  IndexContext context;
  IndexSimplifier simplifier;
  /// What a value is to its users: an expression, or a symbol.
  llvm::DenseMap<Value, IndexExpr> exprs;
  llvm::DenseMap<int64_t, Value> symbolValues;
  /// Index arithmetic in program order, and what it computes.
  SmallVector<std::pair<Operation *, IndexExpr>> arithmetic;
  /// Expressions so long that their users see a symbol.
  llvm::DenseSet<Operation *> cut;
  llvm::DenseMap<Operation *, IndexExpr> rewrites;
  /// Accesses, and how many ops of `arithmetic` come before.
  SmallVector<std::pair<Operation *, size_t>> accesses;
  /// What operands of accesses become where these take place.
  llvm::MapVector<OpOperand *, IndexExpr> guarded;
  /// Buffers that are both loaded and stored to, in graph form.
  llvm::DenseSet<Value> inPlace;
  llvm::DenseMap<std::pair<IndexExpr, Block *>, Value> available;
  /// What has been written, in order.
  SmallVector<std::pair<IndexExpr, Block *>> written;
  unsigned numRewritten = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// From values to expressions
//===----------------------------------------------------------------------===//

IndexExpr KernelSimplifier::createSymbol(Value value, IndexBounds bounds) {
  IndexExpr symbol = value.getType().isIndex() ? context.createSymbol(bounds)
                                               : context.createBoolSymbol();
  symbolValues[symbol->getValue()] = value;
  return exprs[value] = symbol;
}

IndexExpr KernelSimplifier::getExpr(Value value) {
  if (IndexExpr known = exprs.lookup(value))
    return known;
  if (!value.getType().isIndex())
    return createSymbol(value, {});
  IndexBounds bounds = getOpaqueBounds(value);
  // The limit is made of older symbols.
  Value end = getLimit(value);
  IndexExpr limit = end ? getExpr(end) : nullptr;
  IndexExpr symbol = createSymbol(value, bounds);
  if (limit && limit->getOp() != IndexOp::Constant)
    context.setLimit(symbol->getValue(), limit);
  return symbol;
}

/// What a range or the variable of a loop is less than, where it has values.
Value KernelSimplifier::getLimit(Value value) {
  if (auto range = value.getDefiningOp<RangeOp>())
    return range.getExtent();
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto loop =
            dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp()))
      if (loop.getInductionVar() == value && !loop.getUnsignedCmp())
        return loop.getUpperBound();
  return {};
}

IndexBounds KernelSimplifier::getBounds(Value value) {
  return simplifier.getBounds(getExpr(value));
}

/// Bounds of the values of an integer type.
static IndexBounds getTypeBounds(Type type, bool isSigned) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (isSigned)
    return IndexBounds::between(-(WideInt(1) << (std::min(width, 65u) - 1)),
                                (WideInt(1) << (std::min(width, 65u) - 1)) - 1);
  return IndexBounds::between(0, (WideInt(1) << std::min(width, 65u)) - 1);
}

/// Of a value that counts from `first` and stays below `end`. It may have no
/// values at all; then any bounds do, but they must not be empty.
static IndexBounds getCountBounds(IndexBounds first, IndexBounds end) {
  IndexBounds bounds{first.low, std::nullopt};
  if (end.high && (!first.low || *end.high > *first.low))
    bounds.high = narrow(WideInt(*end.high) - 1);
  return bounds;
}

IndexBounds KernelSimplifier::getOpaqueBounds(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    auto loop =
        dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || loop.getInductionVar() != value || loop.getUnsignedCmp())
      return getArgumentBounds(value);
    IndexBounds first = getBounds(loop.getLowerBound());
    IndexBounds end = getBounds(loop.getUpperBound());
    IndexBounds bounds = getCountBounds(first, end);
    std::optional<int64_t> start = first.getConstant();
    std::optional<int64_t> step = getBounds(loop.getStep()).getConstant();
    if (start && step && *step > 0 && bounds.high)
      bounds.high =
          int64_t(*start + (WideInt(*bounds.high) - *start) / *step * *step);
    return bounds;
  }
  if (auto range = dyn_cast<RangeOp>(op)) {
    std::optional<int64_t> extent = range.getConstantExtent();
    return getCountBounds(IndexBounds::exactly(0),
                          extent ? IndexBounds::exactly(*extent)
                                 : getBounds(range.getExtent()));
  }
  if (isa<memref::DimOp>(op))
    return {0, std::nullopt};
  if (auto cast = dyn_cast<arith::IndexCastOp>(op))
    return getTypeBounds(cast.getIn().getType(), /*isSigned=*/true)
        .intersect(getArgumentBounds(cast.getIn()));
  if (auto cast = dyn_cast<arith::IndexCastUIOp>(op)) {
    // A negative number is a large one here.
    IndexBounds stated = getArgumentBounds(cast.getIn());
    IndexBounds bounds =
        getTypeBounds(cast.getIn().getType(), /*isSigned=*/false);
    return stated.isAtLeast(0) ? bounds.intersect(stated) : bounds;
  }
  return {};
}

IndexExpr KernelSimplifier::readComparison(arith::CmpIOp op) {
  using Predicate = arith::CmpIPredicate;
  if (!op.getLhs().getType().isIndex())
    return nullptr;
  IndexExpr lhs = getExpr(op.getLhs()), rhs = getExpr(op.getRhs());
  auto isUnsigned = [](Predicate predicate) {
    return predicate == Predicate::ult || predicate == Predicate::ule ||
           predicate == Predicate::ugt || predicate == Predicate::uge;
  };
  if (isUnsigned(op.getPredicate()) && (!getBounds(op.getLhs()).isAtLeast(0) ||
                                        !getBounds(op.getRhs()).isAtLeast(0)))
    return nullptr;
  switch (op.getPredicate()) {
  case Predicate::eq:
    return context.get(IndexOp::Equal, {lhs, rhs});
  case Predicate::ne:
    return context.get(IndexOp::NotEqual, {lhs, rhs});
  case Predicate::slt:
  case Predicate::ult:
    return context.get(IndexOp::Less, {lhs, rhs});
  case Predicate::sle:
  case Predicate::ule:
    return context.get(IndexOp::LessEqual, {lhs, rhs});
  case Predicate::sgt:
  case Predicate::ugt:
    return context.get(IndexOp::Greater, {lhs, rhs});
  case Predicate::sge:
  case Predicate::uge:
    return context.get(IndexOp::GreaterEqual, {lhs, rhs});
  }
  return nullptr;
}

IndexExpr KernelSimplifier::readArithmetic(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return nullptr;
  Type type = op->getResult(0).getType();
  bool isBool = type.isInteger(1);
  if (!type.isIndex() && !isBool)
    return nullptr;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = cast<IntegerAttr>(constant.getValue()).getValue();
    return isBool ? context.getBool(!value.isZero())
                  : context.getConstant(value.getSExtValue());
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return readComparison(compare);

  auto get = [&](IndexOp code) {
    SmallVector<IndexExpr, 3> operands;
    for (Value operand : op->getOperands())
      operands.push_back(getExpr(operand));
    return context.get(code, operands);
  };
  if (isBool) {
    // Conditions on data are left alone, unless they meet ones on indices.
    if (!isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) ||
        llvm::all_of(op->getOperands(),
                     [&](Value operand) { return getExpr(operand)->isLeaf(); }))
      return nullptr;
    if (isa<arith::AndIOp>(op))
      return get(IndexOp::And);
    if (isa<arith::OrIOp>(op))
      return get(IndexOp::Or);
    if (matchPattern(op->getOperand(1), m_One()))
      return context.get(IndexOp::Not, getExpr(op->getOperand(0)));
    return nullptr;
  }

  // Where no operand is negative, and no divisor is zero, the ops that round
  // towards zero and those on unsigned numbers are as their counterparts.
  auto areNonNegative = [&] {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return getBounds(operand).isAtLeast(0);
    });
  };
  auto canDivide = [&] {
    return areNonNegative() && getBounds(op->getOperand(1)).isAtLeast(1);
  };
  if (isa<arith::AddIOp>(op))
    return get(IndexOp::Add);
  if (isa<arith::SubIOp>(op))
    return get(IndexOp::Sub);
  if (isa<arith::MulIOp>(op))
    return get(IndexOp::Mul);
  if (isa<FloorDivOp, arith::FloorDivSIOp>(op))
    return get(IndexOp::FloorDiv);
  if (isa<FloorModOp>(op))
    return get(IndexOp::FloorMod);
  if (isa<arith::CeilDivSIOp>(op) ||
      (isa<arith::CeilDivUIOp>(op) && canDivide()))
    return get(IndexOp::CeilDiv);
  if (isa<arith::DivSIOp, arith::DivUIOp>(op) && canDivide())
    return get(IndexOp::FloorDiv);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op) && canDivide())
    return get(IndexOp::FloorMod);
  if (isa<arith::MinSIOp>(op) || (isa<arith::MinUIOp>(op) && areNonNegative()))
    return get(IndexOp::Min);
  if (isa<arith::MaxSIOp>(op) || (isa<arith::MaxUIOp>(op) && areNonNegative()))
    return get(IndexOp::Max);
  if (isa<arith::SelectOp>(op))
    return get(IndexOp::Select);
  return nullptr;
}

void KernelSimplifier::read(Operation *op) {
  if (IndexExpr expr = readArithmetic(op)) {
    Value result = op->getResult(0);
    arithmetic.push_back({op, expr});
    if (expr->getTreeSize() <= IndexSimplifier::kMaxTreeSize) {
      exprs[result] = expr;
      return;
    }
    // The bounds are not worked out: that would take the whole expression.
    cut.insert(op);
    createSymbol(result, {});
    return;
  }
  if (isa<LoadOp, StoreOp, memref::LoadOp, memref::StoreOp>(op))
    accesses.push_back({op, arithmetic.size()});
  for (Value result : op->getResults())
    if (result.getType().isIndex() || result.getType().isInteger(1))
      getExpr(result);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        if (argument.getType().isIndex() || argument.getType().isInteger(1))
          getExpr(argument);
}

//===----------------------------------------------------------------------===//
// What to rewrite
//===----------------------------------------------------------------------===//

/// Whether an op is no part of an expression.
bool KernelSimplifier::isOutside(Operation *user) {
  return user->getNumResults() != 1 || !exprs.contains(user->getResult(0)) ||
         exprs[user->getResult(0)]->isLeaf() || cut.contains(user);
}

bool KernelSimplifier::isRoot(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa<arith::ConstantOp>(op))
    return false;
  if (cut.contains(op))
    return true;
  return llvm::any_of(value.getUsers(),
                      [&](Operation *user) { return isOutside(user); });
}

void KernelSimplifier::chooseRewrites() {
  SmallVector<std::tuple<Operation *, IndexExpr, IndexExpr>> roots;
  for (auto [op, expr] : arithmetic)
    if (isRoot(op->getResult(0)))
      roots.push_back({op, expr, simplifier.simplify(expr)});
  auto countOps = [&](auto isRewritten) {
    SmallVector<IndexExpr> chosen;
    for (auto [op, expr, result] : roots)
      chosen.push_back(isRewritten(expr, result) ? result : expr);
    return IndexContext::countOps(chosen);
  };
  // One by one the expressions do not grow, but what they shared may be lost.
  auto never = [](IndexExpr, IndexExpr) { return false; };
  auto always = [](IndexExpr, IndexExpr) { return true; };
  auto ifSmaller = [](IndexExpr expr, IndexExpr result) {
    return IndexContext::countOps(result) < IndexContext::countOps(expr);
  };
  unsigned before = countOps(never);
  bool all = countOps(always) <= before;
  if (!all && countOps(ifSmaller) > before)
    return;
  for (auto [op, expr, result] : roots)
    if (all || ifSmaller(expr, result))
      rewrites[op] = result;
}

/// The condition under which an access takes place; null where there is none.
IndexExpr KernelSimplifier::getCondition(Operation *access) {
  IndexExpr condition = nullptr;
  auto conjoin = [&](IndexExpr part) {
    condition = condition ? context.get(IndexOp::And, {condition, part}) : part;
  };
  if (auto load = dyn_cast<LoadOp>(access)) {
    if (load.getMask() && !inPlace.contains(load.getSource()))
      conjoin(getExpr(load.getMask()));
  } else if (auto store = dyn_cast<StoreOp>(access)) {
    if (store.getMask() && !inPlace.contains(store.getTarget()))
      conjoin(getExpr(store.getMask()));
  }
  Operation *inner = access;
  while (inner != kernel) {
    Operation *outer = inner->getParentOp();
    if (auto choice = dyn_cast<scf::IfOp>(outer)) {
      IndexExpr part = getExpr(choice.getCondition());
      bool isThen = inner->getParentRegion() == &choice.getThenRegion();
      conjoin(isThen ? part : context.get(IndexOp::Not, part));
    }
    inner = outer;
  }
  if (condition && condition->getTreeSize() > IndexSimplifier::kMaxTreeSize)
    return nullptr;
  return condition;
}

void KernelSimplifier::chooseGuardedRewrites() {
  llvm::DenseMap<std::pair<IndexExpr, IndexExpr>, IndexExpr> known;
  llvm::MapVector<OpOperand *, IndexExpr> candidates;
  for (auto [access, position] : accesses) {
    IndexExpr condition = getCondition(access);
    if (!condition)
      continue;
    for (OpOperand &use : access->getOpOperands()) {
      if (!use.get().getType().isIndex())
        continue;
      IndexExpr expr = exprs[use.get()];
      if (!expr || expr->isLeaf())
        continue;
      IndexExpr &result = known[{expr, condition}];
      if (!result)
        result = simplifier.simplifyUnder(expr, condition);
      auto it = rewrites.find(use.get().getDefiningOp());
      IndexExpr otherwise = it == rewrites.end() ? expr : it->second;
      if (IndexContext::countOps(result) < IndexContext::countOps(otherwise))
        candidates[&use] = result;
    }
  }
  if (candidates.empty())
    return;

  // The ops of the whole kernel, with the operands that are accepted.
  auto countOps = [&](auto isAccepted) {
    SmallVector<IndexExpr> chosen;
    for (auto [op, expr] : arithmetic) {
      Value value = op->getResult(0);
      bool isUsed = cut.contains(op) ||
                    llvm::any_of(value.getUses(), [&](OpOperand &use) {
                      return isOutside(use.getOwner()) && !isAccepted(&use);
                    });
      auto it = rewrites.find(op);
      if (isUsed)
        chosen.push_back(it == rewrites.end() ? expr : it->second);
    }
    for (auto [use, result] : candidates)
      if (isAccepted(use))
        chosen.push_back(result);
    return IndexContext::countOps(chosen);
  };
  auto never = [](OpOperand *) { return false; };
  auto always = [&](OpOperand *use) { return candidates.contains(use); };
  // All users of the value agree, so that nothing is computed twice.
  auto ifAlone = [&](OpOperand *use) {
    auto it = candidates.find(use);
    return it != candidates.end() &&
           llvm::all_of(use->get().getUses(), [&](OpOperand &other) {
             auto candidate = candidates.find(&other);
             return candidate != candidates.end() &&
                    candidate->second == it->second;
           });
  };
  unsigned before = countOps(never);
  bool all = countOps(always) <= before;
  if (!all && countOps(ifAlone) > before)
    return;
  for (auto [use, result] : candidates)
    if (all || ifAlone(use))
      guarded[use] = result;
}

//===----------------------------------------------------------------------===//
// From expressions to values
//===----------------------------------------------------------------------===//

/// Ops are visited in program order, so that what has been seen in this block
/// or in one around it comes before what is written now.
Value KernelSimplifier::find(IndexExpr expr, Block *block) {
  for (; block; block = block->getParentOp()->getBlock()) {
    if (Value value = available.lookup({expr, block}))
      return value;
    if (block->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
  }
  return {};
}

Value KernelSimplifier::write(IndexExpr expr, OpBuilder &builder,
                              Location loc) {
  IndexOp code = expr->getOp();
  if (code == IndexOp::Symbol || code == IndexOp::BoolSymbol)
    return symbolValues.lookup(expr->getValue());
  Block *block = builder.getInsertionBlock();
  if (Value value = find(expr, block))
    return value;
  SmallVector<Value, 3> args;
  for (IndexExpr operand : expr->getOperands())
    args.push_back(write(operand, builder, loc));
  auto compare = [&](arith::CmpIPredicate predicate) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, args[0], args[1]);
  };
  Value result;
  switch (code) {
  case IndexOp::Constant:
    result = arith::ConstantIndexOp::create(builder, loc, expr->getValue());
    break;
  case IndexOp::BoolConstant:
    result = arith::ConstantIntOp::create(builder, loc, expr->getValue(), 1);
    break;
  case IndexOp::Add:
    result = arith::AddIOp::create(builder, loc, args[0], args[1]);
    break;
  case IndexOp::Sub:
    result = arith::SubIOp::create(builder, loc, args[0], args[1]);
    break;
  case IndexOp::Mul:
    result = arith::MulIOp::create(builder, loc, args[0], args[1]);
    break;
  case IndexOp::FloorDiv:
    result = FloorDivOp::create(builder, loc, args[0], args[1]);
    break;
  case IndexOp::FloorMod:
    result = FloorModOp::create(builder, loc, args[0], args[1]);
    break;
  case IndexOp::CeilDiv:
    result = arith::CeilDivSIOp::create(builder, loc, args[0], args[1]);
    break;
  case IndexOp::Min:
    result = arith::MinSIOp::create(builder, loc, args[0], args[1]);
    break;
  case IndexOp::Max:
    result = arith::MaxSIOp::create(builder, loc, args[0], args[1]);
    break;
  case IndexOp::Select:
    result = arith::SelectOp::create(builder, loc, args[0], args[1], args[2]);
    break;
  case IndexOp::Less:
    result = compare(arith::CmpIPredicate::slt);
    break;
  case IndexOp::LessEqual:
    result = compare(arith::CmpIPredicate::sle);
    break;
  case IndexOp::Greater:
    result = compare(arith::CmpIPredicate::sgt);
    break;
  case IndexOp::GreaterEqual:
    result = compare(arith::CmpIPredicate::sge);
    break;
  case IndexOp::Equal:
    result = compare(arith::CmpIPredicate::eq);
    break;
  case IndexOp::NotEqual:
    result = compare(arith::CmpIPredicate::ne);
    break;
  case IndexOp::And:
    result = arith::AndIOp::create(builder, loc, args[0], args[1]);
    break;
  case IndexOp::Or:
    result = arith::OrIOp::create(builder, loc, args[0], args[1]);
    break;
  case IndexOp::Not: {
    Value yes = write(context.getBool(true), builder, loc);
    result = arith::XOrIOp::create(builder, loc, args[0], yes);
    break;
  }
  case IndexOp::Symbol:
  case IndexOp::BoolSymbol:
    break;
  }
  written.push_back({expr, block});
  return available[{expr, block}] = result;
}

/// A load of a buffer that is also stored to must be free in the domain of the
/// store, even in a range of extent 1 or under a mask that never holds.
bool KernelSimplifier::mayReplace(Value value, Value replacement) {
  bool isInPlace = llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (auto load = dyn_cast<LoadOp>(user))
      return inPlace.contains(load.getSource());
    if (auto store = dyn_cast<StoreOp>(user))
      return inPlace.contains(store.getTarget());
    return false;
  });
  if (!isInPlace)
    return true;
  FreeRanges freeRanges;
  return freeRanges.of(value).size() == freeRanges.of(replacement).size();
}

void KernelSimplifier::rewriteArithmetic(Operation *op, IndexExpr expr) {
  Value value = op->getResult(0);
  auto it = rewrites.find(op);
  if (it == rewrites.end()) {
    available.try_emplace({expr, op->getBlock()}, value);
    return;
  }
  if (it->second == expr && !find(expr, op->getBlock())) {
    available[{expr, op->getBlock()}] = value;
    return;
  }
  OpBuilder builder(op);
  Value replacement = write(it->second, builder, op->getLoc());
  if (!mayReplace(value, replacement))
    return;
  value.replaceAllUsesWith(replacement);
  // A cut value goes on under its symbol.
  if (cut.contains(op))
    symbolValues[exprs[value]->getValue()] = replacement;
  numRewritten += it->second != expr;
}

/// Returns false, and leaves everything as it was, where the indices of a store
/// would no longer be proved injective: that proof knows nothing of masks.
bool KernelSimplifier::rewriteGuarded(OpOperand &use, IndexExpr result) {
  Operation *access = use.getOwner();
  OpBuilder builder(access);
  size_t numWritten = written.size();
  Value before = use.get();
  use.set(write(result, builder, access->getLoc()));
  auto store = dyn_cast<StoreOp>(access);
  if (!store || store.getKind() || store.getUnique())
    return true;
  FreeRanges freeRanges;
  RangeList domain = getRanges(store.getOver());
  if (findCollision(store.getIndices(), domain, freeRanges).kind ==
      Collision::Kind::Impossible)
    return true;
  use.set(before);
  while (written.size() > numWritten) {
    auto key = written.pop_back_val();
    available[key].getDefiningOp()->erase();
    available.erase(key);
  }
  return false;
}

unsigned KernelSimplifier::run() {
  for (BlockArgument argument : kernel.getBodyBlock().getArguments())
    if (llvm::any_of(argument.getUsers(), llvm::IsaPred<LoadOp>) &&
        llvm::any_of(argument.getUsers(), llvm::IsaPred<StoreOp>))
      inPlace.insert(argument);
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) { read(op); });
  chooseRewrites();
  chooseGuardedRewrites();
  // In program order: what is written comes before what uses it.
  auto access = accesses.begin();
  auto rewriteAccessesUpTo = [&](size_t position) {
    for (; access != accesses.end() && access->second <= position; ++access)
      for (OpOperand &use : access->first->getOpOperands())
        if (auto it = guarded.find(&use); it != guarded.end())
          numRewritten += rewriteGuarded(use, it->second);
  };
  for (auto [index, pair] : llvm::enumerate(arithmetic)) {
    rewriteAccessesUpTo(index);
    rewriteArithmetic(pair.first, pair.second);
  }
  rewriteAccessesUpTo(arithmetic.size());
  // Users come after what they use.
  for (auto [op, expr] : llvm::reverse(arithmetic))
    if (op->use_empty())
      op->erase();
  return numRewritten;
}

unsigned uop::foldKnownArguments(KernelOp kernel) {
  unsigned numFolded = 0;
  for (BlockArgument argument : kernel.getBodyBlock().getArguments()) {
    std::optional<int64_t> value = getArgumentBounds(argument).getConstant();
    if (!value || argument.use_empty())
      continue;
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBodyBlock());
    argument.replaceAllUsesWith(arith::ConstantOp::create(
        builder, argument.getLoc(),
        builder.getIntegerAttr(argument.getType(), *value)));
    ++numFolded;
  }
  return numFolded;
}

unsigned uop::simplifyIndices(KernelOp kernel) {
  foldKnownArguments(kernel);
  // Where expressions share ops, some are rewritten only after others have
  // been.
  unsigned total = 0;
  for (unsigned round = 0; round < 4; ++round) {
    unsigned numRewritten = KernelSimplifier(kernel).run();
    total += numRewritten;
    if (numRewritten == 0)
      break;
  }
  return total;
}

namespace {
struct Simplify : uop::impl::SimplifyBase<Simplify> {
  void runOnOperation() override {
    numRewritten += simplifyIndices(getOperation());
  }
};
} // namespace
