//===- NarrowIndex.cpp - Index arithmetic in 32 bits where it fits --------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A 64-bit addition takes two instructions on an NVIDIA chip, a 64-bit product
// or division many. An operation on index values is done in 32 bits if its
// operands and its result all lie in the range of a signed 32-bit integer.
//
// Upstream's arith-int-range-narrowing also accepts values of the unsigned
// range. It then gives signed operations (divsi, remsi, shrsi, minsi, cmpi slt)
// other results for values of 2^31 and more, and leaves shift amounts of 32 and
// more, which are undefined in 32 bits. Hence the narrower rule here.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/IntegerRanges.h"
#include "Uop/Conversion/Passes.h"

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace uop {
#define GEN_PASS_DEF_NARROWINDEX
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

namespace {

/// What is proved of an index value.
struct Bounds {
  bool fitsInt32 = false;
  bool isNonNegative = false;
  bool isShiftAmount = false;
};

/// An operation that can be done in 32 bits.
struct Candidate {
  Operation *op;
  /// Whether the result, if it is an index, is extended by zeros.
  bool isNonNegative;
};

struct NarrowIndex : uop::impl::NarrowIndexBase<NarrowIndex> {
  using Base::Base;

  void runOnOperation() override;
};

} // namespace

static Bounds getBounds(const DataFlowSolver &solver, Value value) {
  uop::IndexBounds known = uop::lookUpBounds(solver, value);
  Bounds bounds;
  bounds.fitsInt32 = known.isAtLeast(std::numeric_limits<int32_t>::min()) &&
                     known.isAtMost(std::numeric_limits<int32_t>::max());
  bounds.isNonNegative = known.isAtLeast(0);
  bounds.isShiftAmount = bounds.isNonNegative && known.isAtMost(31);
  return bounds;
}

/// The operations whose 32-bit form has the same result whenever operands and
/// result fit, shifts by less than 32 bits among them.
static bool isNarrowable(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
             arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::MinSIOp, arith::MaxSIOp,
             arith::MinUIOp, arith::MaxUIOp, arith::ShLIOp, arith::ShRSIOp,
             arith::ShRUIOp, arith::CmpIOp, arith::SelectOp>(op);
}

/// Unsigned operations take a negative number for a large one, which differs
/// between the widths.
static bool isUnsigned(Operation *op) {
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return cmp.getPredicate() >= arith::CmpIPredicate::ult;
  return isa<arith::DivUIOp, arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp,
             arith::ShRUIOp>(op);
}

/// Whether a constant is added to what only accesses use as an index. In the
/// width of an address it is the offset of an instruction, and neighbours have
/// visibly the same base; in 32 bits it is an addition, and they may have not.
static bool isAddedToAddress(Operation *op) {
  return isa<arith::AddIOp>(op) &&
         llvm::any_of(
             op->getOperands(),
             [](Value value) { return matchPattern(value, m_Constant()); }) &&
         llvm::all_of(op->getUsers(),
                      llvm::IsaPred<memref::LoadOp, memref::StoreOp>);
}

static std::optional<Candidate> getCandidate(const DataFlowSolver &solver,
                                             Operation *op) {
  if (!isNarrowable(op) || isAddedToAddress(op))
    return std::nullopt;
  bool hasIndex = false;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIndex())
      continue;
    hasIndex = true;
    Bounds bounds = getBounds(solver, operand);
    if (!bounds.fitsInt32 || (isUnsigned(op) && !bounds.isNonNegative))
      return std::nullopt;
  }
  if (!hasIndex)
    return std::nullopt;
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op) &&
      !getBounds(solver, op->getOperand(1)).isShiftAmount)
    return std::nullopt;
  Candidate candidate{op, false};
  if (op->getResult(0).getType().isIndex()) {
    Bounds bounds = getBounds(solver, op->getResult(0));
    if (!bounds.fitsInt32)
      return std::nullopt;
    candidate.isNonNegative = bounds.isNonNegative;
  }
  return candidate;
}

/// Whether a loop can count in 32 bits: also beyond its last iteration. Where
/// something is divided in it, LLVM would make a 64-bit counter of what is.
static bool isNarrowable(const DataFlowSolver &solver, scf::ForOp loop) {
  APInt step;
  if (!loop.getInductionVar().getType().isIndex() ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isSignedIntN(32) || !step.isStrictlyPositive())
    return false;
  WalkResult walk = loop.walk([](Operation *op) {
    return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
               op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return false;
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  return getBounds(solver, loop.getLowerBound()).fitsInt32 &&
         getBounds(solver, loop.getUpperBound()).fitsInt32 &&
         uop::lookUpBounds(solver, loop.getUpperBound())
             .isAtMost(most - step.getSExtValue());
}

void NarrowIndex::runOnOperation() {
  DataFlowSolver solver;
  uop::loadIntegerRanges(solver);
  if (failed(solver.initializeAndRun(getOperation())))
    return signalPassFailure();

  // All questions come before the first change: new values have no bounds.
  SmallVector<Candidate> candidates;
  getOperation()->walk([&](Operation *op) {
    if (std::optional<Candidate> candidate = getCandidate(solver, op))
      candidates.push_back(*candidate);
  });

  struct Loop {
    scf::ForOp op;
    bool isNonNegative;
  };
  SmallVector<Loop> loops;
  getOperation()->walk([&](scf::ForOp loop) {
    if (isNarrowable(solver, loop))
      loops.push_back(
          {loop, getBounds(solver, loop.getLowerBound()).isNonNegative});
  });

  OpBuilder builder(&getContext());
  Type i32 = builder.getI32Type();
  // The 32-bit values behind the index values that were extended from them.
  llvm::DenseMap<Value, Value> narrowed;
  auto narrow = [&](Value value) -> Value {
    if (!value.getType().isIndex())
      return value;
    if (Value known = narrowed.lookup(value))
      return known;
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return arith::ConstantOp::create(
          builder, value.getLoc(),
          builder.getI32IntegerAttr(
              static_cast<int32_t>(constant.getSExtValue())));
    if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      if (cast.getIn().getType() == i32)
        return cast.getIn();
    return arith::IndexCastOp::create(builder, value.getLoc(), i32, value);
  };
  auto extend = [&](Value value, bool isNonNegative) -> Value {
    Type index = builder.getIndexType();
    if (isNonNegative)
      return arith::IndexCastUIOp::create(builder, value.getLoc(), index,
                                          value);
    return arith::IndexCastOp::create(builder, value.getLoc(), index, value);
  };

  for (auto [loop, isNonNegative] : loops) {
    builder.setInsertionPoint(loop);
    for (OpOperand *bound :
         {&loop.getLowerBoundMutable(), &loop.getUpperBoundMutable(),
          &loop.getStepMutable()})
      bound->set(narrow(bound->get()));
    BlockArgument variable = loop.getBody()->getArgument(0);
    variable.setType(i32);
    builder.setInsertionPointToStart(loop.getBody());
    Value wide = extend(variable, isNonNegative);
    variable.replaceAllUsesExcept(wide, wide.getDefiningOp());
    narrowed[wide] = variable;
    ++numNarrowed;
  }

  for (auto [op, isNonNegative] : candidates) {
    builder.setInsertionPoint(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(narrow(operand));
    Value old = op->getResult(0);
    bool isIndex = old.getType().isIndex();
    OperationState state(op->getLoc(), op->getName(), operands,
                         isIndex ? i32 : old.getType());
    if (auto cmp = dyn_cast<arith::CmpIOp>(op))
      state.addAttribute(cmp.getPredicateAttrName(), cmp.getPredicateAttr());
    Value result = builder.create(state)->getResult(0);
    if (isIndex) {
      Value wide = extend(result, isNonNegative);
      narrowed[wide] = result;
      result = wide;
    }
    old.replaceAllUsesWith(result);
    op->erase();
    ++numNarrowed;
  }
}
