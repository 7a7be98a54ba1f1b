//===- AlternateRemainders.cpp - The parity of a loop, carried ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of two tiles an iteration reads is the remainder of its number by 2.
// Of that LLVM makes a part of the code that fills the other tile, with a
// constant where nothing is filled, and further counters. A value that is
// carried it leaves alone.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace uop {
#define GEN_PASS_DEF_ALTERNATEREMAINDERS
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

namespace {

/// A remainder by 2, and whether it is that of the next iteration.
struct Remainder {
  Operation *op;
  bool isNext;
};

struct AlternateRemainders
    : uop::impl::AlternateRemaindersBase<AlternateRemainders> {
  using Base::Base;

  void runOnOperation() override;
};

} // namespace

static bool isConstant(Value value, int64_t expected) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) &&
         constant.getSignificantBits() <= 64 &&
         constant.getSExtValue() == expected;
}

/// The remainders by 2 of the values that differ from the variable by a
/// constant. The unsigned ones, as what is below 0 has others if signed; a sum
/// that wraps keeps its parity.
static SmallVector<Remainder> findRemainders(scf::ForOp loop) {
  SmallVector<Remainder> found;
  auto addUsers = [&](Value value, bool isNext) {
    for (Operation *user : value.getUsers())
      if (auto remainder = dyn_cast<arith::RemUIOp>(user))
        if (remainder.getLhs() == value && isConstant(remainder.getRhs(), 2))
          found.push_back({remainder, isNext});
  };
  Value variable = loop.getInductionVar();
  addUsers(variable, false);
  for (Operation *user : variable.getUsers()) {
    auto sum = dyn_cast<arith::AddIOp>(user);
    APInt constant;
    if (sum && sum.getLhs() == variable &&
        matchPattern(sum.getRhs(), m_ConstantInt(&constant)))
      addUsers(sum, constant[0]);
  }
  return found;
}

void AlternateRemainders::runOnOperation() {
  SmallVector<scf::ForOp> loops;
  getOperation()->walk([&](scf::ForOp loop) {
    if (loop.getInductionVar().getType().isIndex() &&
        isConstant(loop.getLowerBound(), 0) && isConstant(loop.getStep(), 1))
      loops.push_back(loop);
  });
  IRRewriter rewriter(&getContext());
  for (scf::ForOp loop : loops) {
    // One alone costs the loop a register, and saves it nothing.
    if (findRemainders(loop).size() < 2)
      continue;
    rewriter.setInsertionPoint(loop);
    FailureOr<LoopLikeOpInterface> made = loop.replaceWithAdditionalYields(
        rewriter, loop.getLowerBound(),
        /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &b, Location loc, ArrayRef<BlockArgument> carried) {
          Value one = arith::ConstantIndexOp::create(b, loc, 1);
          return SmallVector<Value>{
              arith::XOrIOp::create(b, loc, carried.back(), one)};
        });
    if (failed(made))
      continue;
    auto newLoop = cast<scf::ForOp>(made->getOperation());
    Value current = newLoop.getRegionIterArgs().back();
    Operation *next = newLoop.getBody()
                          ->getTerminator()
                          ->getOperands()
                          .back()
                          .getDefiningOp();
    // What is to be filled is known at the start of the iteration.
    Operation *one = next->getOperand(1).getDefiningOp();
    rewriter.moveOpBefore(next, &newLoop.getBody()->front());
    rewriter.moveOpBefore(one, next);
    for (auto [op, isNext] : findRemainders(newLoop))
      rewriter.replaceOp(op, isNext ? next->getResult(0) : current);
    ++numAlternated;
  }
}
