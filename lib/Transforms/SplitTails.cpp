//===- SplitTails.cpp - Loops without the guards of tails
//------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A guard of a tail is a condition `a * i + rest < limit` on the variable of a
// loop, so it holds up to some iteration. The loop becomes two, of which the
// first has all iterations in which all such guards hold. There the copies of
// an upcast axis are straight-line code, which LLVM makes vectors of.
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace uop {
#define GEN_PASS_DEF_SPLITTAILS
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

/// The ops that splitting may add to a kernel: the time of LLVM grows faster
/// than its input.
static constexpr int64_t kMaxNewOps = 8192;

/// Limits on the parts of a guard, within which its end fits 64 bits: the
/// number of values, their coefficients, the values, and the number.
static constexpr size_t kMaxTerms = 4;
static constexpr int64_t kMaxCoefficient = int64_t(1) << 20;
static constexpr int64_t kMaxValue = int64_t(1) << 40;
static constexpr int64_t kMaxNumber = int64_t(1) << 60;

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

namespace {

/// A sum of values times coefficients, and a number.
struct LinearForm {
  llvm::SmallMapVector<Value, int64_t, 4> terms;
  int64_t constant = 0;
};

/// A condition that holds in the iterations below ceil(limit / step).
struct Guard {
  Value condition;
  /// Without the variable of the loop.
  LinearForm limit;
  int64_t step;
};

} // namespace

/// Adds `factor * value` to a form. Fails where numbers exceed 64 bits.
static LogicalResult addTo(LinearForm &form, Value value, int64_t factor) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    int64_t product;
    return failure(llvm::MulOverflow(factor, number.getSExtValue(), product) ||
                   llvm::AddOverflow(form.constant, product, form.constant));
  }
  if (auto add = value.getDefiningOp<arith::AddIOp>())
    return failure(failed(addTo(form, add.getLhs(), factor)) ||
                   failed(addTo(form, add.getRhs(), factor)));
  if (auto sub = value.getDefiningOp<arith::SubIOp>())
    return failure(factor == std::numeric_limits<int64_t>::min() ||
                   failed(addTo(form, sub.getLhs(), factor)) ||
                   failed(addTo(form, sub.getRhs(), -factor)));
  if (auto mul = value.getDefiningOp<arith::MulIOp>())
    if (matchPattern(mul.getRhs(), m_ConstantInt(&number))) {
      int64_t product;
      return failure(
          llvm::MulOverflow(factor, number.getSExtValue(), product) ||
          failed(addTo(form, mul.getLhs(), product)));
    }
  int64_t &coefficient = form.terms[value];
  return failure(llvm::AddOverflow(coefficient, factor, coefficient));
}

/// The comparison as a guard of the loop, if it is one that fails at the end.
static std::optional<Guard> asGuard(arith::CmpIOp compare, scf::ForOp loop) {
  Value less = compare.getLhs(), more = compare.getRhs();
  if (!less.getType().isIndex())
    return std::nullopt;
  bool isStrict = false;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    isStrict = true;
    break;
  case arith::CmpIPredicate::sle:
    break;
  case arith::CmpIPredicate::sgt:
    isStrict = true;
    std::swap(less, more);
    break;
  case arith::CmpIPredicate::sge:
    std::swap(less, more);
    break;
  default:
    return std::nullopt;
  }
  Guard guard{compare, {}, 0};
  // Holds where `limit - step * i > 0`.
  if (failed(addTo(guard.limit, more, 1)) ||
      failed(addTo(guard.limit, less, -1)) ||
      (!isStrict && llvm::AddOverflow<int64_t>(guard.limit.constant, 1,
                                               guard.limit.constant)))
    return std::nullopt;
  auto variable = guard.limit.terms.find(loop.getInductionVar());
  if (variable == guard.limit.terms.end() || variable->second >= 0 ||
      variable->second == std::numeric_limits<int64_t>::min())
    return std::nullopt;
  guard.step = -variable->second;
  guard.limit.terms.erase(variable);
  guard.limit.terms.remove_if([](auto &term) { return term.second == 0; });
  if (guard.limit.terms.size() > kMaxTerms || guard.step > kMaxCoefficient ||
      guard.limit.constant > kMaxNumber || guard.limit.constant < -kMaxNumber)
    return std::nullopt;
  for (auto &[value, coefficient] : guard.limit.terms)
    if (!loop.isDefinedOutsideOfLoop(value) || coefficient > kMaxCoefficient ||
        coefficient < -kMaxCoefficient)
      return std::nullopt;
  return guard;
}

/// The guards of the loop on accesses and steps of reductions inside of it.
static SmallVector<Guard> findGuards(scf::ForOp loop) {
  llvm::SetVector<Value> conditions;
  loop.getBody()->walk(
      [&](scf::IfOp op) { conditions.insert(op.getCondition()); });
  SmallVector<Guard> guards;
  for (size_t i = 0; i < conditions.size(); ++i) {
    Operation *op = conditions[i].getDefiningOp();
    if (!op || !loop->isProperAncestor(op))
      continue;
    if (isa<arith::AndIOp>(op))
      conditions.insert(op->operand_begin(), op->operand_end());
    else if (auto compare = dyn_cast<arith::CmpIOp>(op))
      if (std::optional<Guard> guard = asGuard(compare, loop))
        guards.push_back(*guard);
  }
  return guards;
}

//===----------------------------------------------------------------------===//
// The two loops
//===----------------------------------------------------------------------===//

/// ceil(limit / step), at the insertion point.
static Value buildEnd(ImplicitLocOpBuilder &builder, const LinearForm &limit,
                      int64_t step) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, value);
  };
  // ceil(x / s) = floor((x + s - 1) / s).
  Value sum = constant(limit.constant + step - 1);
  for (auto &[value, coefficient] : limit.terms) {
    Value term = value;
    if (coefficient != 1)
      term = arith::MulIOp::create(builder, term, constant(coefficient));
    sum = arith::AddIOp::create(builder, sum, term);
  }
  if (step == 1)
    return sum;
  return FloorDivOp::create(builder, sum, constant(step));
}

/// Whether a value cannot be larger than memory, or than time allows.
static bool isIndexOrSize(Value value) {
  if (value.getDefiningOp<RangeOp>() || value.getDefiningOp<memref::DimOp>())
    return true;
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && loop.getInductionVar() == value;
}

/// Splits the loop where its first guard fails. Returns the loop of the rest.
static scf::ForOp split(scf::ForOp loop, ArrayRef<Guard> guards) {
  // Of guards that differ by a number only, the one that fails first.
  SmallVector<const Guard *> first;
  for (const Guard &guard : guards) {
    auto same = llvm::find_if(first, [&](const Guard *other) {
      return other->step == guard.step &&
             other->limit.terms.size() == guard.limit.terms.size() &&
             llvm::all_of(guard.limit.terms, [&](auto &term) {
               return other->limit.terms.lookup(term.first) == term.second;
             });
    });
    if (same == first.end())
      first.push_back(&guard);
    else if (guard.limit.constant < (*same)->limit.constant)
      *same = &guard;
  }

  ImplicitLocOpBuilder builder(loop.getLoc(), loop);
  Value end = loop.getUpperBound();
  for (const Guard *guard : first)
    end = arith::MinSIOp::create(builder, end,
                                 buildEnd(builder, guard->limit, guard->step));
  end = arith::MaxSIOp::create(builder, end, loop.getLowerBound());
  // With any other number the end may not fit 64 bits. Then all is left to the
  // second loop.
  llvm::SetVector<Value> numbers;
  for (const Guard *guard : first)
    for (auto &[value, coefficient] : guard->limit.terms)
      if (!isIndexOrSize(value))
        numbers.insert(value);
  for (Value number : numbers)
    for (auto [predicate, bound] :
         {std::pair(arith::CmpIPredicate::sge, -kMaxValue),
          std::pair(arith::CmpIPredicate::sle, kMaxValue)}) {
      Value limit = arith::ConstantIndexOp::create(builder, bound);
      Value fits = arith::CmpIOp::create(builder, predicate, number, limit);
      end = arith::SelectOp::create(builder, fits, end, loop.getLowerBound());
    }

  builder.setInsertionPointAfter(loop);
  IRMapping mapping;
  auto rest = cast<scf::ForOp>(builder.clone(*loop, mapping));
  loop.replaceAllUsesWith(rest.getResults());
  rest.getLowerBoundMutable().assign(end);
  rest.getInitArgsMutable().assign(loop.getResults());
  loop.getUpperBoundMutable().assign(end);

  auto setTo = [&](Value condition, bool value) {
    builder.setInsertionPoint(condition.getDefiningOp());
    condition.replaceAllUsesWith(
        arith::ConstantOp::create(builder, builder.getBoolAttr(value)));
  };
  for (const Guard &guard : guards) {
    // From its end on a guard fails, if it is the one that ends the loop.
    if (first.size() == 1 && numbers.empty() &&
        guard.limit.constant == first.front()->limit.constant)
      setTo(mapping.lookup(guard.condition), false);
    setTo(guard.condition, true);
  }
  return rest;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

class SplitTails : public uop::impl::SplitTailsBase<SplitTails> {
public:
  void runOnOperation() override {
    if (getOperation().isGraphForm())
      return markAllAnalysesPreserved();
    // Outer loops first: what is split last is the innermost, in all copies.
    SmallVector<scf::ForOp> loops;
    auto push = [&](Operation *root) {
      SmallVector<scf::ForOp> found;
      root->walk<WalkOrder::PreOrder>(
          [&](scf::ForOp loop) { found.push_back(loop); });
      llvm::append_range(loops, found);
    };
    push(getOperation());
    int64_t newOps = 0;
    for (size_t i = 0; i < loops.size(); ++i) {
      scf::ForOp loop = loops[i];
      if (getConstantIntValue(loop.getStep()) != 1 ||
          !loop.getInductionVar().getType().isIndex())
        continue;
      SmallVector<Guard> guards = findGuards(loop);
      if (guards.empty())
        continue;
      int64_t size = 0;
      loop.walk([&](Operation *) { ++size; });
      if (newOps + size > kMaxNewOps)
        continue;
      newOps += size;
      scf::ForOp rest = split(loop, guards);
      // The loops inside; of its own guards at most later ones are left.
      for (Region &region : rest->getRegions())
        for (Operation &op : region.getOps())
          push(&op);
      ++numSplit;
    }
  }
};

} // namespace
