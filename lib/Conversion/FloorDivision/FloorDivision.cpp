//===- FloorDivision.cpp - Floor divisions as arith ops -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/FloorDivision.h"
#include "Uop/Analysis/IntegerRanges.h"
#include "Uop/IR/Uop.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

namespace {
/// A floor division, and whether an unsigned one has the same result.
struct Division {
  Operation *op;
  bool isUnsigned;
};
} // namespace

/// The exponent, where the value is a constant power of two.
static std::optional<unsigned> getLog2(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      !constant.isStrictlyPositive() || !constant.isPowerOf2())
    return std::nullopt;
  return constant.logBase2();
}

static Value buildFloorDiv(ImplicitLocOpBuilder &builder, Value lhs, Value rhs,
                           bool isUnsigned) {
  if (isUnsigned)
    return arith::DivUIOp::create(builder, lhs, rhs);
  // An arithmetic shift rounds towards negative infinity.
  if (std::optional<unsigned> log2 = getLog2(rhs)) {
    Value shift = arith::ConstantIndexOp::create(builder, *log2);
    return arith::ShRSIOp::create(builder, lhs, shift);
  }
  return arith::FloorDivSIOp::create(builder, lhs, rhs);
}

static Value buildFloorMod(ImplicitLocOpBuilder &builder, Value lhs, Value rhs,
                           bool isUnsigned) {
  if (isUnsigned)
    return arith::RemUIOp::create(builder, lhs, rhs);
  // The low bits of a two's complement number, whatever its sign.
  if (std::optional<unsigned> log2 = getLog2(rhs)) {
    Value mask =
        arith::ConstantIndexOp::create(builder, (int64_t(1) << *log2) - 1);
    return arith::AndIOp::create(builder, lhs, mask);
  }
  // The truncating remainder has the sign of the numerator. Where it is not
  // zero and the divisor has the other sign, the next lower quotient leaves a
  // remainder that is larger by the divisor. The sum does not overflow, for
  // the two have different signs.
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  Value remainder = arith::RemSIOp::create(builder, lhs, rhs);
  Value isNonZero =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, remainder, zero);
  Value signs = arith::XOrIOp::create(builder, remainder, rhs);
  Value differ =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, signs, zero);
  Value adjust = arith::AndIOp::create(builder, isNonZero, differ);
  Value sum = arith::AddIOp::create(builder, remainder, rhs);
  return arith::SelectOp::create(builder, adjust, sum, remainder);
}

LogicalResult uop::lowerFloorDivisions(Operation *root) {
  SmallVector<Division> divisions;
  root->walk([&](Operation *op) {
    if (isa<FloorDivOp, FloorModOp>(op))
      divisions.push_back({op, false});
  });
  if (divisions.empty())
    return success();

  DataFlowSolver solver;
  loadIntegerRanges(solver);
  if (failed(solver.initializeAndRun(root)))
    return root->emitOpError("the ranges of its indices could not be analysed");
  // Before anything is replaced: the analysis knows only what it has seen.
  for (Division &division : divisions)
    division.isUnsigned =
        lookUpBounds(solver, division.op->getOperand(0)).isAtLeast(0) &&
        lookUpBounds(solver, division.op->getOperand(1)).isAtLeast(1);

  for (Division division : divisions) {
    Operation *op = division.op;
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    Value result = isa<FloorDivOp>(op)
                       ? buildFloorDiv(builder, lhs, rhs, division.isUnsigned)
                       : buildFloorMod(builder, lhs, rhs, division.isUnsigned);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    // Shifts and masks do without the divisor.
    if (Operation *divisor = rhs.getDefiningOp<arith::ConstantOp>();
        divisor && divisor->use_empty())
      divisor->erase();
  }
  return success();
}
