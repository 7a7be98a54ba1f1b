//===- Padding.cpp - Ranges that run on beyond their points ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One mechanism for tails, for padding and for guards: a mask on whatever has
// an effect or a result. What is computed in between, from loads that read
// nothing, goes nowhere. A mask is never a branch around other code, so
// barriers stay outside of it.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/Speculation.h"
#include "Uop/IR/FreeRanges.h"
#include "Uop/Transforms/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

namespace {

/// What a new point of a range must not reach.
struct PaddedUsers {
  /// Loads, stores and reductions, and divisions, in program order.
  SmallVector<Operation *> masked, divisions;
};

} // namespace

static bool isDivision(Operation *op) {
  return isa<FloorDivOp, FloorModOp, arith::DivSIOp, arith::DivUIOp,
             arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

static FailureOr<PaddedUsers> findUsers(RangeOp range) {
  FreeRanges freeRanges;
  PaddedUsers users;
  auto closes = [&](OperandRange over) {
    return llvm::is_contained(over, range.getResult());
  };
  for (Operation &op : *range->getBlock()) {
    if (auto store = dyn_cast<StoreOp>(op)) {
      if (closes(store.getOver()))
        users.masked.push_back(store);
      continue;
    }
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      if (closes(reduce.getOver()))
        users.masked.push_back(reduce);
      continue;
    }
    if (auto stage = dyn_cast<StageOp>(op)) {
      if (!closes(stage.getOver()))
        continue;
      InFlightDiagnostic diag =
          emitError(range.getLoc())
          << "cannot be padded: a stage closes the range, and a tile has no "
             "mask; choose an amount that divides it";
      diag.attachNote(stage.getLoc()) << "the stage is here";
      return diag;
    }
    bool isFree = llvm::any_of(op.getOperands(), [&](Value operand) {
      return freeRanges.isFreeIn(operand, range);
    });
    if (!isFree)
      continue;
    if (isa<LoadOp>(op)) {
      users.masked.push_back(&op);
    } else if (!isSafeToSpeculate(&op)) {
      if (!isDivision(&op)) {
        InFlightDiagnostic diag =
            emitError(range.getLoc())
            << "cannot be padded: '" << op.getName()
            << "' may not be executed beyond the range; choose an amount that "
               "divides it";
        diag.attachNote(op.getLoc()) << "the op is here";
        return diag;
      }
      users.divisions.push_back(&op);
    }
  }
  return users;
}

/// Where the mask of a load, store or reduction is kept.
static MutableOperandRange getMask(Operation *op) {
  return llvm::TypeSwitch<Operation *, MutableOperandRange>(op)
      .Case<LoadOp, StoreOp, ReduceOp>(
          [](auto masked) { return masked.getMaskMutable(); });
}

void uop::addMask(RewriterBase &rewriter, ArrayRef<Operation *> ops,
                  Value mask) {
  // Ops with one mask keep one mask.
  llvm::DenseMap<Value, Value> conjunctions;
  OpBuilder::InsertionGuard guard(rewriter);
  for (Operation *op : ops) {
    MutableOperandRange own = getMask(op);
    Value both = mask;
    if (!own.empty()) {
      Value &known = conjunctions[own[0].get()];
      if (!known) {
        rewriter.setInsertionPoint(op);
        known =
            arith::AndIOp::create(rewriter, op->getLoc(), own[0].get(), mask);
      }
      both = known;
    }
    rewriter.modifyOpInPlace(op, [&] { own.assign(both); });
  }
}

FailureOr<bool> uop::padRange(RewriterBase &rewriter, RangeOp range,
                              int64_t multiple, bool needsOnePoint) {
  if (multiple < 1)
    return emitError(range.getLoc())
           << "expected to pad to a multiple of at least 1, but got "
           << multiple;
  std::optional<int64_t> size = getStaticExtent(range);
  needsOnePoint &= size.value_or(0) == 0;
  if (!needsOnePoint && (multiple == 1 || (size && *size % multiple == 0)))
    return false;
  int64_t padded = 0;
  if (size && (llvm::AddOverflow(*size, multiple - *size % multiple, padded)))
    return emitError(range.getLoc())
           << "cannot be padded: the next multiple of " << multiple << " after "
           << *size << " exceeds 64 bits";
  FailureOr<PaddedUsers> users = findUsers(range);
  if (failed(users))
    return failure();

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(range);
  Location loc = range.getLoc();
  Value extent = range.getExtent();
  if (size) {
    extent = arith::ConstantIndexOp::create(rewriter, loc, *size);
    rewriter.modifyOpInPlace(range, [&] {
      range.getExtentMutable().clear();
      range.setStaticExtent(padded);
    });
  } else {
    Value step = arith::ConstantIndexOp::create(rewriter, loc, multiple);
    Value most = arith::ConstantIndexOp::create(rewriter, loc, multiple - 1);
    Value sum = arith::AddIOp::create(rewriter, loc, extent, most);
    Value steps = FloorDivOp::create(rewriter, loc, sum, step);
    if (needsOnePoint) {
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
      steps = arith::MaxSIOp::create(rewriter, loc, steps, one);
    }
    Value larger = arith::MulIOp::create(rewriter, loc, steps, step);
    rewriter.modifyOpInPlace(range,
                             [&] { range.getExtentMutable().assign(larger); });
  }

  rewriter.setInsertionPointAfter(range);
  Value isWithin = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::slt, range.getResult(), extent);
  addMask(rewriter, users->masked, isWithin);
  for (Operation *division : users->divisions) {
    rewriter.setInsertionPoint(division);
    Value divisor = division->getOperand(1);
    Value one = arith::ConstantOp::create(
        rewriter, division->getLoc(),
        rewriter.getIntegerAttr(divisor.getType(), 1));
    Value safe = arith::SelectOp::create(rewriter, division->getLoc(), isWithin,
                                         divisor, one);
    rewriter.modifyOpInPlace(division, [&] { division->setOperand(1, safe); });
  }
  return true;
}
