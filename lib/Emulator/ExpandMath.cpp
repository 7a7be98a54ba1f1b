//===- ExpandMath.cpp - Math functions of the emulator --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of types that f32 holds become arithmetic of f64 (MathExpansion),
// rounded once. Those of f64 become calls of the C library.
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "MathExpansion/Functions.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"

namespace uop {
#define GEN_PASS_DEF_EXPANDMATH
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop::math_expansion;

using UnaryFn = Real (*)(Real);

/// The expansion of a function of one number, or null.
static UnaryFn getUnary(Operation *op) {
  return llvm::TypeSwitch<Operation *, UnaryFn>(op)
      .Case([](math::ExpOp) { return expandExp; })
      .Case([](math::Exp2Op) { return expandExp2; })
      .Case([](math::ExpM1Op) { return expandExpM1; })
      .Case([](math::LogOp) { return expandLog; })
      .Case([](math::Log2Op) { return expandLog2; })
      .Case([](math::Log10Op) { return expandLog10; })
      .Case([](math::Log1pOp) { return expandLog1p; })
      .Case([](math::SinOp) { return expandSin; })
      .Case([](math::CosOp) { return expandCos; })
      .Case([](math::TanOp) { return expandTan; })
      .Case([](math::AsinOp) { return expandAsin; })
      .Case([](math::AcosOp) { return expandAcos; })
      .Case([](math::AtanOp) { return expandAtan; })
      .Case([](math::SinhOp) { return expandSinh; })
      .Case([](math::CoshOp) { return expandCosh; })
      .Case([](math::TanhOp) { return expandTanh; })
      .Case([](math::AsinhOp) { return expandAsinh; })
      .Case([](math::AcoshOp) { return expandAcosh; })
      .Case([](math::AtanhOp) { return expandAtanh; })
      .Case([](math::ErfOp) { return expandErf; })
      .Case([](math::ErfcOp) { return expandErfc; })
      .Case([](math::RsqrtOp) { return expandRsqrt; })
      .Case([](math::CbrtOp) { return expandCbrt; })
      .Default([](Operation *) { return UnaryFn(); });
}

/// The element of a number or of a vector, or null.
static FloatType getElement(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  return dyn_cast<FloatType>(type);
}

static bool isInexact(Operation *op) {
  return getUnary(op) ||
         isa<math::Atan2Op, math::PowFOp, math::FPowIOp, math::SincosOp>(op);
}

namespace {
/// Puts arithmetic in the place of one operation. The type is f64 or one that
/// f32 holds.
class Expander {
public:
  Expander(Operation *op, FloatType element)
      : op(op), element(element), at(op, op->getResult(0).getType()) {}

  /// Does nothing where a function of f64 is to become a call.
  void run() {
    SmallVector<Real, 2> results = element.isF64() ? onDouble() : onSingle();
    if (results.empty())
      return;
    for (auto [result, number] : llvm::zip_equal(op->getResults(), results))
      result.replaceAllUsesWith(narrow(number.value));
    op->erase();
  }

private:
  SmallVector<Real, 2> onSingle() {
    if (UnaryFn unary = getUnary(op))
      return {unary(operand(0))};
    if (isa<math::Atan2Op>(op))
      return {expandAtan2(operand(0), operand(1))};
    if (isa<math::PowFOp>(op))
      return {expandPow(operand(0), operand(1))};
    if (auto power = dyn_cast<math::FPowIOp>(op)) {
      auto [number, isOdd] = readPower(power.getRhs());
      return {expandIntegerPower(operand(0), number, isOdd)};
    }
    auto [sine, cosine] = expandSinCos(operand(0));
    return {sine, cosine};
  }

  /// What the C library does not have, by what it has.
  SmallVector<Real, 2> onDouble() {
    Real x = operand(0);
    auto call = [&](auto make) { return Real(&at, make(at.builder)); };
    if (isa<math::RsqrtOp>(op))
      return {expandRsqrt(x)};
    if (isa<math::SincosOp>(op))
      return {call([&](ImplicitLocOpBuilder &b) {
                return math::SinOp::create(b, x.value);
              }),
              call([&](ImplicitLocOpBuilder &b) {
                return math::CosOp::create(b, x.value);
              })};
    if (auto power = dyn_cast<math::FPowIOp>(op)) {
      auto [number, isOdd] = readPower(power.getRhs());
      Value to = number.value;
      Real value = call([&](ImplicitLocOpBuilder &b) {
        return math::PowFOp::create(b, abs(x).value, to);
      });
      return {select(isOdd, copySign(value, x), value)};
    }
    return {};
  }

  /// An integer as a number, and whether it is odd.
  std::pair<Real, Mask> readPower(Value power) {
    ImplicitLocOpBuilder &b = at.builder;
    if (getElementTypeOrSelf(power).isIndex())
      power =
          arith::IndexCastOp::create(b, at.withElement(b.getI64Type()), power);
    Type bit = at.withElement(b.getI1Type());
    Value isOdd = power.getType() == bit
                      ? power
                      : Value(arith::TruncIOp::create(b, bit, power));
    Value number =
        arith::SIToFPOp::create(b, at.withElement(b.getF64Type()), power);
    return {Real(&at, number), Mask{&at, isOdd}};
  }

  /// Between f64 and types that uop-narrow-floats does not know is f32.
  bool isByWayOfF32() {
    return element.getWidth() < 32 && !element.isF16() && !element.isBF16();
  }

  Real operand(unsigned index) {
    ImplicitLocOpBuilder &b = at.builder;
    Value value = op->getOperand(index);
    if (isByWayOfF32())
      value = arith::ExtFOp::create(b, at.withElement(b.getF32Type()), value);
    if (!element.isF64())
      value = arith::ExtFOp::create(b, at.withElement(b.getF64Type()), value);
    return {&at, value};
  }

  Value narrow(Value value) {
    ImplicitLocOpBuilder &b = at.builder;
    if (isByWayOfF32())
      value = arith::TruncFOp::create(b, at.withElement(b.getF32Type()), value);
    if (!element.isF64())
      value = arith::TruncFOp::create(b, at.withElement(element), value);
    return value;
  }

  Operation *op;
  FloatType element;
  Elementwise at;
};

class ExpandMath : public uop::impl::ExpandMathBase<ExpandMath> {
public:
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    WalkResult walked = getOperation()->walk([](Operation *op) {
      FloatType element =
          isInexact(op) ? getElement(op->getResult(0).getType()) : FloatType();
      if (!element)
        return WalkResult::advance();
      if (element.getWidth() > 64) {
        op->emitOpError() << "is not known to the emulator for " << element
                          << ": expected at most f64";
        return WalkResult::interrupt();
      }
      Expander(op, element).run();
      return WalkResult::advance();
    });
    if (walked.wasInterrupted() || failed(callLibrary()))
      signalPassFailure();
  }

private:
  /// What is left is of f64, and is called for each element.
  LogicalResult callLibrary() {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, func::FuncDialect,
                           LLVM::LLVMDialect, vector::VectorDialect>();
    // Instructions with one right answer, which LLVM has as such.
    target.addLegalOp<math::AbsFOp, math::CeilOp, math::CopySignOp,
                      math::FloorOp, math::FmaOp, math::RoundEvenOp,
                      math::RoundOp, math::SqrtOp, math::TruncOp>();
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};
} // namespace
