//===- MathOps.cpp - Functions that are not exact -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computed by the C library in `long double` and rounded once to the type. With
// the 64 bits of precision that `long double` has on x86-64, and functions
// within 2 ulp of these, a result is within 0.501 ulp for f64 and closer for
// narrower types.
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace uop;
using llvm::APFloat;
using llvm::APInt;
using llvm::fltSemantics;

using Limits = std::numeric_limits<long double>;
static_assert(Limits::digits == 53 || Limits::digits == 64 ||
                  Limits::digits == 113,
              "long double is expected to be an IEEE or x87 format");

/// The value of a number of at most 64 bits, exactly.
static long double toLongDouble(const APFloat &value) {
  return value.convertToDouble();
}

/// The number of the format that is nearest to the value.
static APFloat fromLongDouble(const fltSemantics &format, long double value) {
  if (std::isnan(value))
    return APFloat::getQNaN(format);
  const fltSemantics &hostFormat = Limits::digits == 53 ? APFloat::IEEEdouble()
                                   : Limits::digits == 64
                                       ? APFloat::x87DoubleExtended()
                                       : APFloat::IEEEquad();
  uint64_t words[2] = {0, 0};
  std::memcpy(words, &value, std::min(sizeof(words), sizeof(value)));
  APFloat result(hostFormat, APInt(APFloat::getSizeInBits(hostFormat), words));
  bool losesInfo;
  result.convert(format, llvm::RoundingMode::NearestTiesToEven, &losesInfo);
  return result;
}

static const APFloat &asFloat(const Scalar *scalar) {
  return std::get<APFloat>(*scalar);
}

using UnaryFn = long double (*)(long double);
using BinaryFn = long double (*)(long double, long double);

static ScalarFunction unary(UnaryFn fn) {
  return [fn](ArrayRef<const Scalar *> operands) -> Outcome {
    const APFloat &value = asFloat(operands[0]);
    return fromLongDouble(value.getSemantics(), fn(toLongDouble(value)));
  };
}

static ScalarFunction binary(BinaryFn fn) {
  return [fn](ArrayRef<const Scalar *> operands) -> Outcome {
    const APFloat &lhs = asFloat(operands[0]);
    return fromLongDouble(
        lhs.getSemantics(),
        fn(toLongDouble(lhs), toLongDouble(asFloat(operands[1]))));
  };
}

/// Correctly rounded: exactly so in double, and a square root of a number of
/// up to 25 bits, rounded to the 53 of double and again to its own, is rounded
/// correctly (Figueroa, "When is double rounding innocuous?", 1995).
static Outcome squareRoot(ArrayRef<const Scalar *> operands) {
  const APFloat &value = asFloat(operands[0]);
  return fromLongDouble(value.getSemantics(),
                        std::sqrt(value.convertToDouble()));
}

static Outcome sineAndCosine(ArrayRef<const Scalar *> operands) {
  const APFloat &value = asFloat(operands[0]);
  long double x = toLongDouble(value);
  return Outcome(fromLongDouble(value.getSemantics(), std::sin(x)),
                 fromLongDouble(value.getSemantics(), std::cos(x)));
}

static long double reciprocalSquareRoot(long double x) {
  return 1.0L / std::sqrt(x);
}

/// Of powers of at most 64 bits, which `long double` holds on x86-64.
static Outcome integerPower(ArrayRef<const Scalar *> operands) {
  const APFloat &base = asFloat(operands[0]);
  const APInt &power = std::get<APInt>(*operands[1]);
  return fromLongDouble(
      base.getSemantics(),
      std::pow(toLongDouble(base),
               static_cast<long double>(power.getSExtValue())));
}

FailureOr<ScalarFunction> uop::getMathFunction(Operation *op) {
  using Result = ScalarFunction;
  Result function =
      llvm::TypeSwitch<Operation *, Result>(op)
          .Case([](math::SqrtOp) { return squareRoot; })
          .Case([](math::RsqrtOp) { return unary(reciprocalSquareRoot); })
          .Case([](math::CbrtOp) { return unary(std::cbrt); })
          .Case([](math::ExpOp) { return unary(std::exp); })
          .Case([](math::Exp2Op) { return unary(std::exp2); })
          .Case([](math::ExpM1Op) { return unary(std::expm1); })
          .Case([](math::LogOp) { return unary(std::log); })
          .Case([](math::Log2Op) { return unary(std::log2); })
          .Case([](math::Log10Op) { return unary(std::log10); })
          .Case([](math::Log1pOp) { return unary(std::log1p); })
          .Case([](math::SinOp) { return unary(std::sin); })
          .Case([](math::CosOp) { return unary(std::cos); })
          .Case([](math::TanOp) { return unary(std::tan); })
          .Case([](math::AsinOp) { return unary(std::asin); })
          .Case([](math::AcosOp) { return unary(std::acos); })
          .Case([](math::AtanOp) { return unary(std::atan); })
          .Case([](math::SinhOp) { return unary(std::sinh); })
          .Case([](math::CoshOp) { return unary(std::cosh); })
          .Case([](math::TanhOp) { return unary(std::tanh); })
          .Case([](math::AsinhOp) { return unary(std::asinh); })
          .Case([](math::AcoshOp) { return unary(std::acosh); })
          .Case([](math::AtanhOp) { return unary(std::atanh); })
          .Case([](math::ErfOp) { return unary(std::erf); })
          .Case([](math::ErfcOp) { return unary(std::erfc); })
          .Case([](math::Atan2Op) { return binary(std::atan2); })
          .Case([](math::PowFOp) { return binary(std::pow); })
          .Case([](math::FPowIOp) { return integerPower; })
          .Case([](math::SincosOp) { return sineAndCosine; })
          .Default([](Operation *) { return Result(); });
  if (!function)
    return function;
  if (auto power = dyn_cast<math::FPowIOp>(op))
    if (power.getRhs().getType().getIntOrFloatBitWidth() > 64)
      return op->emitOpError()
             << "is not known to the reference interpreter for powers of type "
             << power.getRhs().getType() << ": expected at most i64";
  auto type = cast<FloatType>(op->getOperand(0).getType());
  if (!hasArithmetic(type) || type.getWidth() > 64)
    return op->emitOpError() << "is not known to the reference interpreter for "
                             << type << ": expected "
                             << (type.getWidth() > 64 ? "at most f64"
                                                      : "a type that has a "
                                                        "sign, a zero and NaN");
  return function;
}
