//===- MatchReduction.cpp - By what a linalg op combines its points -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linalg folds the points of its reduction loops one after another onto the
// previous value of the output. Graph form reduces them in an order of its own
// choice, so the fold must be by an associative operation: one of the kinds of
// uop.reduce, or the choice of the first point in an order of keys. A choice by
// a comparison of integers, or by an ordered one of floats, is associative,
// once points whose key is no number, which are never chosen, take no part.
//
//===----------------------------------------------------------------------===//

#include "LinalgToUop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace uop;

PayloadSlice uop::getPayloadSlice(linalg::LinalgOp op, ValueRange values) {
  Block *block = op.getBlock();
  llvm::SetVector<Value> needed(values.begin(), values.end());
  llvm::SmallPtrSet<Operation *, 16> inSlice;
  PayloadSlice slice;
  for (size_t i = 0; i < needed.size(); ++i) {
    Operation *definition = needed[i].getDefiningOp();
    if (!definition || definition->getBlock() != block) {
      slice.leaves.insert(needed[i]);
      continue;
    }
    inSlice.insert(definition);
    needed.insert(definition->operand_begin(), definition->operand_end());
    getUsedValuesDefinedAbove(definition->getRegions(), needed);
  }
  for (Operation &inner : *block)
    if (inSlice.contains(&inner))
      slice.ops.push_back(&inner);
  return slice;
}

/// Whether the value depends on the previous value of an output.
static bool readsOutput(linalg::LinalgOp op, Value value) {
  PayloadSlice slice = getPayloadSlice(op, value);
  return llvm::any_of(op.getRegionOutputArgs(), [&](BlockArgument argument) {
    return slice.leaves.contains(argument);
  });
}

/// The kind of `op`, where it is one or a subtraction from the accumulator.
static std::optional<vector::CombiningKind>
getKind(Operation *op, Value accumulator, bool &isNegated) {
  if (isa<arith::SubIOp, arith::SubFOp>(op) &&
      op->getOperand(0) == accumulator) {
    isNegated = true;
    return vector::CombiningKind::ADD;
  }
  isNegated = false;
  return linalg::getCombinerOpKind(op);
}

/// acc + a, acc * a, acc + a + b, acc - a. Upstream's matchReduction takes only
/// one operation from the accumulator to the yielded value.
static std::optional<Reduction> matchKind(linalg::LinalgOp op,
                                          unsigned output) {
  Operation *yield = op.getBlock()->getTerminator();
  Value accumulator = op.getRegionOutputArgs()[output];
  Reduction reduction;
  while (accumulator != yield->getOperand(output)) {
    if (!accumulator.hasOneUse())
      return std::nullopt;
    Operation *combiner = *accumulator.user_begin();
    if (combiner->getBlock() != op.getBlock() ||
        combiner->getNumOperands() != 2 || combiner->getNumResults() != 1)
      return std::nullopt;
    bool isNegated;
    std::optional<vector::CombiningKind> kind =
        getKind(combiner, accumulator, isNegated);
    Value value =
        combiner->getOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
    if (!kind ||
        (reduction.kind &&
         (kind != reduction.kind || isNegated != reduction.isNegated)) ||
        readsOutput(op, value))
      return std::nullopt;
    reduction.kind = kind;
    reduction.isNegated = isNegated;
    reduction.values.push_back(value);
    accumulator = combiner->getResult(0);
  }
  if (!reduction.kind || !accumulator.hasOneUse() ||
      !getReductionIdentity(*reduction.kind, accumulator.getType()))
    return std::nullopt;
  return reduction;
}

/// Whether the predicate puts keys in an order in which one may be before
/// another, and equal ones are before each other both or neither.
static bool isOrder(Operation *comparison, bool isTakenWhereTrue) {
  if (auto compare = dyn_cast<arith::CmpIOp>(comparison))
    return compare.getPredicate() != arith::CmpIPredicate::eq &&
           compare.getPredicate() != arith::CmpIPredicate::ne;
  // A comparison that holds for what is no number would choose such a key, and
  // replace it by whatever comes next.
  using arith::CmpFPredicate;
  CmpFPredicate predicate = cast<arith::CmpFOp>(comparison).getPredicate();
  if (!isTakenWhereTrue)
    return llvm::is_contained({CmpFPredicate::UGT, CmpFPredicate::UGE,
                               CmpFPredicate::ULT, CmpFPredicate::ULE},
                              predicate);
  return llvm::is_contained({CmpFPredicate::OGT, CmpFPredicate::OGE,
                             CmpFPredicate::OLT, CmpFPredicate::OLE},
                            predicate);
}

/// select(new > acc, value, acc).
static std::optional<Reduction> matchChoice(linalg::LinalgOp op,
                                            unsigned output) {
  Operation *yield = op.getBlock()->getTerminator();
  auto accumulators = op.getRegionOutputArgs();
  auto select = yield->getOperand(output).getDefiningOp<arith::SelectOp>();
  if (!select)
    return std::nullopt;
  Operation *comparison = select.getCondition().getDefiningOp();
  if (!isa_and_nonnull<arith::CmpIOp, arith::CmpFOp>(comparison))
    return std::nullopt;
  Reduction::Choice choice;
  choice.comparison = comparison;
  choice.isTakenWhereTrue = select.getFalseValue() == accumulators[output];
  choice.value =
      choice.isTakenWhereTrue ? select.getTrueValue() : select.getFalseValue();
  if (!choice.isTakenWhereTrue && select.getTrueValue() != accumulators[output])
    return std::nullopt;
  auto accumulator = dyn_cast<BlockArgument>(comparison->getOperand(1));
  choice.isNewFirst =
      accumulator && llvm::is_contained(accumulators, accumulator);
  if (!choice.isNewFirst)
    accumulator = dyn_cast<BlockArgument>(comparison->getOperand(0));
  if (!accumulator || !llvm::is_contained(accumulators, accumulator))
    return std::nullopt;
  choice.keyOutput =
      accumulator.getArgNumber() - accumulators.front().getArgNumber();
  choice.key = comparison->getOperand(choice.isNewFirst ? 0 : 1);
  if (!isOrder(comparison, choice.isTakenWhereTrue) ||
      readsOutput(op, choice.key) || readsOutput(op, choice.value))
    return std::nullopt;
  // The key is kept by the same choice.
  auto keySelect =
      yield->getOperand(choice.keyOutput).getDefiningOp<arith::SelectOp>();
  if (!keySelect || keySelect.getCondition() != select.getCondition())
    return std::nullopt;
  Value taken = choice.isTakenWhereTrue ? keySelect.getTrueValue()
                                        : keySelect.getFalseValue();
  Value kept = choice.isTakenWhereTrue ? keySelect.getFalseValue()
                                       : keySelect.getTrueValue();
  if (taken != choice.key || kept != accumulator)
    return std::nullopt;
  Reduction reduction;
  reduction.choice = choice;
  return reduction;
}

FailureOr<Reduction> uop::matchReduction(linalg::LinalgOp op, unsigned output) {
  if (std::optional<Reduction> reduction = matchKind(op, output))
    return *reduction;
  if (std::optional<Reduction> reduction = matchChoice(op, output))
    return *reduction;
  return op.emitOpError()
         << "combines the points of output #" << output
         << " in a way that is not known to be associative: expected its "
            "previous value to enter one addition, multiplication, minimum, "
            "maximum or bitwise operation, or a choice by an ordered "
            "comparison of keys; split it into such ops";
}
