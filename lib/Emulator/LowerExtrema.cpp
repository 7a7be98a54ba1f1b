//===- LowerExtrema.cpp - The larger and the smaller of two numbers -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace uop {
#define GEN_PASS_DEF_LOWEREXTREMA
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

/// Replaces an op by the intrinsic, where LLVM has the type.
template <typename Intrinsic, typename Op> static void lower(Op op) {
  Type type = op.getType();
  if (!LLVM::isCompatibleType(type))
    return;
  OpBuilder builder(op);
  Value result =
      Intrinsic::create(builder, op.getLoc(), type, op.getLhs(), op.getRhs());
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {
/// The values of a function that LLVM may know to be no NaN.
class Numbers {
public:
  bool contains(Value value) const {
    Operation *op = value.getDefiningOp();
    if (!op || lowered.contains(value))
      return op;
    llvm::APFloat constant(0.0);
    if (matchPattern(value, m_ConstantFloat(&constant)))
      return !constant.isNaN();
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
      return true;
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return contains(select.getTrueValue()) &&
             contains(select.getFalseValue());
    return isa<arith::ExtFOp, arith::TruncFOp, arith::NegFOp, math::AbsFOp,
               math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp,
               math::RoundEvenOp>(op) &&
           contains(op->getOperand(0));
  }
  void insert(Value value) { lowered.insert(value); }

private:
  llvm::DenseSet<Value> lowered;
};
} // namespace

/// The same where a number beats NaN. LLVM 22 compiles its intrinsics for that,
/// of an operand that it knows to be a number, to code for AVX-512 that gives
/// NaN where the other one is NaN: these become the intrinsic without NaN, and
/// a selection. There is none for two numbers, and so none in a chain.
template <typename Intrinsic, typename Op>
static void lowerNumber(Op op, StringRef intrinsic, Numbers &numbers) {
  Type type = op.getType();
  if (!LLVM::isCompatibleType(type))
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value lhs = op.getLhs(), rhs = op.getRhs();
  bool isLhs = numbers.contains(lhs), isRhs = numbers.contains(rhs);
  Value result;
  if (!isLhs && !isRhs) {
    result = LLVM::CallIntrinsicOp::create(
                 builder, type, builder.getStringAttr(intrinsic), {lhs, rhs})
                 .getResult(0);
  } else {
    result = Intrinsic::create(builder, type, lhs, rhs);
    if (!isLhs || !isRhs) {
      auto [number, other] = isLhs ? std::pair(lhs, rhs) : std::pair(rhs, lhs);
      Value isNaN = arith::CmpFOp::create(builder, arith::CmpFPredicate::UNO,
                                          other, other);
      result = arith::SelectOp::create(builder, isNaN, number, result);
    }
    numbers.insert(result);
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {
class LowerExtrema : public uop::impl::LowerExtremaBase<LowerExtrema> {
public:
  using LowerExtremaBase::LowerExtremaBase;

  void runOnOperation() override {
    Numbers numbers;
    getOperation()->walk([&](Operation *op) {
      if (auto maximum = dyn_cast<arith::MaximumFOp>(op))
        lower<LLVM::MaximumOp>(maximum);
      else if (auto minimum = dyn_cast<arith::MinimumFOp>(op))
        lower<LLVM::MinimumOp>(minimum);
      else if (auto maxnum = dyn_cast<arith::MaxNumFOp>(op))
        lowerNumber<LLVM::MaximumOp>(maxnum, "llvm.maximumnum", numbers);
      else if (auto minnum = dyn_cast<arith::MinNumFOp>(op))
        lowerNumber<LLVM::MinimumOp>(minnum, "llvm.minimumnum", numbers);
    });
  }
};
} // namespace
