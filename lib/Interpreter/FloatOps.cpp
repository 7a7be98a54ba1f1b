//===- FloatOps.cpp - Ops on floating-point numbers -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op rounds once, to nearest even, in the format of its type. Formats
// without a NaN, a zero or a sign (f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
// hold data but have no arithmetic: an op could have no result in them.
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;
using llvm::APFloat;
using llvm::APInt;
using llvm::fltSemantics;
using llvm::RoundingMode;
using vector::CombiningKind;

constexpr RoundingMode kNearest = RoundingMode::NearestTiesToEven;

static const APFloat &asFloat(const Scalar *scalar) {
  return std::get<APFloat>(*scalar);
}

template <typename Fn> static ScalarFunction unary(Fn fn) {
  return [fn](ArrayRef<const Scalar *> operands) -> Outcome {
    return fn(asFloat(operands[0]));
  };
}

template <typename Fn> static ScalarFunction binary(Fn fn) {
  return [fn](ArrayRef<const Scalar *> operands) -> Outcome {
    return fn(asFloat(operands[0]), asFloat(operands[1]));
  };
}

static std::string print(const APFloat &value) {
  llvm::SmallString<32> text;
  value.toString(text);
  return text.str().str();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static APFloat add(APFloat a, const APFloat &b) {
  a.add(b, kNearest);
  return a;
}

static APFloat subtract(APFloat a, const APFloat &b) {
  a.subtract(b, kNearest);
  return a;
}

static APFloat multiply(APFloat a, const APFloat &b) {
  a.multiply(b, kNearest);
  return a;
}

static APFloat divide(APFloat a, const APFloat &b) {
  a.divide(b, kNearest);
  return a;
}

/// The remainder of truncated division, exact, with the sign of the dividend.
static APFloat truncatedRemainder(APFloat a, const APFloat &b) {
  a.mod(b);
  return a;
}

// If exactly one operand is NaN, the other one; zeros are ordered by sign.
static APFloat maxnum(const APFloat &a, const APFloat &b) {
  return llvm::maximumnum(a, b);
}

static APFloat minnum(const APFloat &a, const APFloat &b) {
  return llvm::minimumnum(a, b);
}

// If an operand is NaN, so is the result; zeros are ordered by sign.
static APFloat maximum(const APFloat &a, const APFloat &b) {
  return llvm::maximum(a, b);
}

static APFloat minimum(const APFloat &a, const APFloat &b) {
  return llvm::minimum(a, b);
}

bool uop::hasArithmetic(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return true;
  const fltSemantics &format = floatType.getFloatSemantics();
  return APFloat::semanticsHasNaN(format) &&
         APFloat::semanticsHasZero(format) &&
         APFloat::semanticsHasSignedRepr(format);
}

ScalarFunction uop::getFusedFunction(bool negateProduct, bool negateAddend) {
  return [=](ArrayRef<const Scalar *> operands) -> Outcome {
    APFloat a = asFloat(operands[0]);
    APFloat c = asFloat(operands[2]);
    if (negateProduct)
      a.changeSign();
    if (negateAddend)
      c.changeSign();
    a.fusedMultiplyAdd(asFloat(operands[1]), c, kNearest);
    return a;
  };
}

static ScalarFunction rounding(RoundingMode mode) {
  return unary([mode](APFloat value) {
    value.roundToIntegral(mode);
    return value;
  });
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

static const fltSemantics &getFormat(Type type) {
  return cast<FloatType>(type).getFloatSemantics();
}

static RoundingMode getRounding(std::optional<arith::RoundingMode> mode) {
  switch (mode.value_or(arith::RoundingMode::to_nearest_even)) {
  case arith::RoundingMode::to_nearest_even:
    return RoundingMode::NearestTiesToEven;
  case arith::RoundingMode::downward:
    return RoundingMode::TowardNegative;
  case arith::RoundingMode::upward:
    return RoundingMode::TowardPositive;
  case arith::RoundingMode::toward_zero:
    return RoundingMode::TowardZero;
  case arith::RoundingMode::to_nearest_away:
    return RoundingMode::NearestTiesToAway;
  }
  llvm_unreachable("all rounding modes are handled");
}

static ScalarFunction conversion(const fltSemantics &format,
                                 RoundingMode mode) {
  return unary([&format, mode](APFloat value) -> Outcome {
    bool fits =
        (APFloat::semanticsHasNaN(format) || value.isFinite()) &&
        (APFloat::semanticsHasZero(format) || !value.isZero()) &&
        (APFloat::semanticsHasSignedRepr(format) || !value.isNegative());
    if (!fits)
      return Outcome::poison("is undefined: " + print(value) +
                             " has no counterpart in the type");
    bool losesInfo;
    value.convert(format, mode, &losesInfo);
    return value;
  });
}

static ScalarFunction toInteger(Type type, bool isSigned) {
  return unary([width = type.getIntOrFloatBitWidth(),
                isSigned](const APFloat &value) -> Outcome {
    llvm::APSInt result(width, /*isUnsigned=*/!isSigned);
    bool isExact;
    if (value.convertToInteger(result, RoundingMode::TowardZero, &isExact) &
        APFloat::opInvalidOp)
      return Outcome::poison("is undefined: " + print(value) +
                             " does not fit " + Twine(width) + " " +
                             (isSigned ? "signed" : "unsigned") + " bits");
    return APInt(result);
  });
}

static ScalarFunction fromInteger(Type type, bool isSigned) {
  return [&format = getFormat(type),
          isSigned](ArrayRef<const Scalar *> operands) -> Outcome {
    APFloat result(format);
    result.convertFromAPInt(std::get<APInt>(*operands[0]), isSigned, kNearest);
    return result;
  };
}

static ScalarFunction bitcast(Type type) {
  return [type](ArrayRef<const Scalar *> operands) -> Outcome {
    const APFloat *number = std::get_if<APFloat>(operands[0]);
    APInt bits =
        number ? number->bitcastToAPInt() : std::get<APInt>(*operands[0]);
    if (auto floatType = dyn_cast<FloatType>(type))
      return APFloat(floatType.getFloatSemantics(), bits);
    return bits;
  };
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

FailureOr<ScalarFunction> uop::getFloatFunction(Operation *op) {
  using Result = ScalarFunction;
  using Float = const APFloat &;
  Result function =
      llvm::TypeSwitch<Operation *, Result>(op)
          .Case([](arith::AddFOp) { return binary(add); })
          .Case([](arith::SubFOp) { return binary(subtract); })
          .Case([](arith::MulFOp) { return binary(multiply); })
          .Case([](arith::DivFOp) { return binary(divide); })
          .Case([](arith::RemFOp) { return binary(truncatedRemainder); })
          .Case([](arith::MaximumFOp) { return binary(maximum); })
          .Case([](arith::MinimumFOp) { return binary(minimum); })
          .Case([](arith::MaxNumFOp) { return binary(maxnum); })
          .Case([](arith::MinNumFOp) { return binary(minnum); })
          .Case([](arith::NegFOp) {
            return unary([](APFloat a) {
              a.changeSign();
              return a;
            });
          })
          .Case([](arith::SIToFPOp op) {
            return fromInteger(op.getType(), /*isSigned=*/true);
          })
          .Case([](arith::UIToFPOp op) {
            return fromInteger(op.getType(), /*isSigned=*/false);
          })
          .Case([](math::FmaOp) { return getFusedFunction(false, false); })
          .Case([](math::AbsFOp) {
            return unary([](APFloat a) {
              a.clearSign();
              return a;
            });
          })
          .Case([](math::CopySignOp) {
            return binary([](APFloat a, Float b) {
              a.copySign(b);
              return a;
            });
          })
          .Case([](math::FloorOp) {
            return rounding(RoundingMode::TowardNegative);
          })
          .Case([](math::CeilOp) {
            return rounding(RoundingMode::TowardPositive);
          })
          .Case(
              [](math::TruncOp) { return rounding(RoundingMode::TowardZero); })
          .Case([](math::RoundOp) {
            return rounding(RoundingMode::NearestTiesToAway);
          })
          .Case([](math::RoundEvenOp) { return rounding(kNearest); })
          .Default([](Operation *) { return Result(); });
  if (function) {
    Type type = op->getResult(0).getType();
    if (!hasArithmetic(type))
      return op->emitOpError()
             << "has no result for some values of type " << type
             << ", which has no arithmetic; compute in f32";
    return function;
  }
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](arith::CmpFOp op) {
        return binary([predicate = op.getPredicate()](Float a, Float b) {
          return arith::applyCmpPredicate(predicate, a, b);
        });
      })
      .Case([](arith::ExtFOp op) {
        return conversion(getFormat(op.getType()), kNearest);
      })
      .Case([](arith::TruncFOp op) {
        return conversion(getFormat(op.getType()),
                          getRounding(op.getRoundingmode()));
      })
      .Case([](arith::FPToSIOp op) {
        return toInteger(op.getType(), /*isSigned=*/true);
      })
      .Case([](arith::FPToUIOp op) {
        return toInteger(op.getType(), /*isSigned=*/false);
      })
      .Case([](arith::BitcastOp op) { return bitcast(op.getType()); })
      .Case([](math::IsFiniteOp) {
        return unary([](Float a) { return a.isFinite(); });
      })
      .Case([](math::IsInfOp) {
        return unary([](Float a) { return a.isInfinity(); });
      })
      .Case([](math::IsNaNOp) {
        return unary([](Float a) { return a.isNaN(); });
      })
      .Case([](math::IsNormalOp) {
        return unary([](Float a) { return a.isNormal(); });
      })
      .Default([](Operation *) { return Result(); });
}

//===----------------------------------------------------------------------===//
// Combining kinds
//===----------------------------------------------------------------------===//

template <typename Fn> static ScalarFunction combineIntegers(Fn fn) {
  return [fn](ArrayRef<const Scalar *> operands) -> Outcome {
    return fn(std::get<APInt>(*operands[0]), std::get<APInt>(*operands[1]));
  };
}

ScalarFunction uop::getCombiningFunction(CombiningKind kind, Type type) {
  using Int = const APInt &;
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case CombiningKind::ADD:
    if (isFloat)
      return binary(add);
    return combineIntegers([](Int a, Int b) { return a + b; });
  case CombiningKind::MUL:
    if (isFloat)
      return binary(multiply);
    return combineIntegers([](Int a, Int b) { return a * b; });
  case CombiningKind::MAXIMUMF:
    return binary(maximum);
  case CombiningKind::MINIMUMF:
    return binary(minimum);
  case CombiningKind::MAXNUMF:
    return binary(maxnum);
  case CombiningKind::MINNUMF:
    return binary(minnum);
  case CombiningKind::MAXSI:
    return combineIntegers([](Int a, Int b) { return a.sgt(b) ? a : b; });
  case CombiningKind::MAXUI:
    return combineIntegers([](Int a, Int b) { return a.ugt(b) ? a : b; });
  case CombiningKind::MINSI:
    return combineIntegers([](Int a, Int b) { return a.slt(b) ? a : b; });
  case CombiningKind::MINUI:
    return combineIntegers([](Int a, Int b) { return a.ult(b) ? a : b; });
  case CombiningKind::AND:
    return combineIntegers([](Int a, Int b) { return a & b; });
  case CombiningKind::OR:
    return combineIntegers([](Int a, Int b) { return a | b; });
  case CombiningKind::XOR:
    return combineIntegers([](Int a, Int b) { return a ^ b; });
  }
  llvm_unreachable("all kinds are handled");
}

FailureOr<ScalarFunction> uop::getScalarFunction(Operation *op) {
  for (auto getFunction :
       {getIntegerFunction, getFloatFunction, getMathFunction}) {
    FailureOr<ScalarFunction> function = getFunction(op);
    if (failed(function) || *function)
      return function;
  }
  return op->emitOpError("is not known to the reference interpreter");
}
