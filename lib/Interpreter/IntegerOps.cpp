//===- IntegerOps.cpp - Ops on integers and indices -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data integers wrap. An index is a mathematical integer of which 64 bits are
// kept: where it would wrap, the program is undefined.
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;
using llvm::APInt;

static const APInt &asInteger(const Scalar *scalar) {
  return std::get<APInt>(*scalar);
}

template <typename Fn> static ScalarFunction unary(Fn fn) {
  return [fn](ArrayRef<const Scalar *> operands) -> Outcome {
    return fn(asInteger(operands[0]));
  };
}

template <typename Fn> static ScalarFunction binary(Fn fn) {
  return [fn](ArrayRef<const Scalar *> operands) -> Outcome {
    return fn(asInteger(operands[0]), asInteger(operands[1]));
  };
}

static std::string print(const APInt &value) {
  return llvm::toString(value, 10, /*Signed=*/true);
}

//===----------------------------------------------------------------------===//
// Addition, subtraction, multiplication, left shift
//===----------------------------------------------------------------------===//

namespace {
/// What an op does when its result does not fit.
struct Wrapping {
  bool isIndex = false;
  bool noSigned = false;
  bool noUnsigned = false;

  Wrapping(Type type, arith::IntegerOverflowFlags flags)
      : isIndex(isa<IndexType>(type)),
        noSigned(bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nsw)),
        noUnsigned(
            bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nuw)) {}

  Outcome get(APInt wrapped, bool signedOverflow, bool unsignedOverflow,
              StringRef what, const APInt &lhs, const APInt &rhs) const {
    if (isIndex && signedOverflow)
      return Outcome::undefined("is undefined: the " + what +
                                " of the indices " + print(lhs) + " and " +
                                print(rhs) + " does not fit 64 bits");
    if (noSigned && signedOverflow)
      return Outcome::poison("is undefined: the " + what + " of " + print(lhs) +
                             " and " + print(rhs) + " overflows, but is nsw");
    if (noUnsigned && unsignedOverflow)
      return Outcome::poison("is undefined: the " + what + " of " + print(lhs) +
                             " and " + print(rhs) + " overflows, but is nuw");
    return wrapped;
  }
};
} // namespace

/// An op given by the two members of APInt that report overflow.
template <APInt (APInt::*signedFn)(const APInt &, bool &) const,
          APInt (APInt::*unsignedFn)(const APInt &, bool &) const>
static ScalarFunction wrapping(Wrapping rule, StringRef what) {
  return binary([rule, what](const APInt &lhs, const APInt &rhs) {
    bool signedOverflow, unsignedOverflow;
    APInt result = (lhs.*signedFn)(rhs, signedOverflow);
    (void)(lhs.*unsignedFn)(rhs, unsignedOverflow);
    return rule.get(result, signedOverflow, unsignedOverflow, what, lhs, rhs);
  });
}

static bool isTooFar(const APInt &value, const APInt &amount) {
  return amount.uge(value.getBitWidth());
}

static Outcome shiftTooFar(const APInt &value, const APInt &amount) {
  return Outcome::poison("is undefined: a shift of " +
                         Twine(value.getBitWidth()) + " bits by " +
                         llvm::toString(amount, 10, /*Signed=*/false));
}

static ScalarFunction shiftLeft(Wrapping rule) {
  return binary([rule](const APInt &value, const APInt &amount) -> Outcome {
    if (isTooFar(value, amount))
      return shiftTooFar(value, amount);
    APInt result = value.shl(amount);
    return rule.get(result, result.ashr(amount) != value,
                    result.lshr(amount) != value, "left shift", value, amount);
  });
}

template <typename Fn> static ScalarFunction shiftRight(bool isExact, Fn fn) {
  return binary([=](const APInt &value, const APInt &amount) -> Outcome {
    if (isTooFar(value, amount))
      return shiftTooFar(value, amount);
    if (isExact && fn(value, amount).shl(amount) != value)
      return Outcome::poison(
          "is undefined: an exact shift that drops bits of " + print(value));
    return fn(value, amount);
  });
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

enum class Signedness { Signed, Unsigned };

/// A quotient (`fn` of two integers). `overflows` is whether the least integer
/// divided by -1 is undefined: for a remainder it is 0.
template <typename Fn>
static ScalarFunction division(Signedness signedness, bool overflows,
                               bool isExact, Fn fn) {
  return binary([=](const APInt &lhs, const APInt &rhs) -> Outcome {
    if (rhs.isZero())
      return Outcome::undefined("is undefined: " + print(lhs) +
                                " is divided by zero");
    bool isSigned = signedness == Signedness::Signed;
    if (overflows && isSigned && lhs.isMinSignedValue() && rhs.isAllOnes())
      return Outcome::undefined("is undefined: " + print(lhs) +
                                " divided by -1 overflows");
    if (isExact && !(isSigned ? lhs.srem(rhs) : lhs.urem(rhs)).isZero())
      return Outcome::poison("is undefined: an exact division of " +
                             print(lhs) + " by " + print(rhs) +
                             " has a remainder");
    return fn(lhs, rhs);
  });
}

/// The quotient rounded towards negative infinity.
static APInt floorDivide(const APInt &lhs, const APInt &rhs) {
  APInt quotient = lhs.sdiv(rhs), remainder = lhs.srem(rhs);
  bool roundedUp =
      !remainder.isZero() && remainder.isNegative() != rhs.isNegative();
  return roundedUp ? quotient - 1 : quotient;
}

static APInt floorModulo(const APInt &lhs, const APInt &rhs) {
  APInt remainder = lhs.srem(rhs);
  bool otherSign =
      !remainder.isZero() && remainder.isNegative() != rhs.isNegative();
  return otherSign ? remainder + rhs : remainder;
}

/// The quotient rounded towards positive infinity.
static APInt ceilDivide(const APInt &lhs, const APInt &rhs) {
  APInt quotient = lhs.sdiv(rhs), remainder = lhs.srem(rhs);
  bool roundedDown =
      !remainder.isZero() && remainder.isNegative() == rhs.isNegative();
  return roundedDown ? quotient + 1 : quotient;
}

static APInt ceilDivideUnsigned(const APInt &lhs, const APInt &rhs) {
  APInt quotient = lhs.udiv(rhs);
  return lhs.urem(rhs).isZero() ? quotient : quotient + 1;
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// `base` to a signed power, as a truncated quotient where that is negative.
static Outcome power(const APInt &base, const APInt &exponent) {
  unsigned width = base.getBitWidth();
  if (exponent.isNegative()) {
    if (base.isZero())
      return Outcome::undefined("is undefined: 0 to the power " +
                                print(exponent));
    // In one bit -1 is also 1.
    if (base.isOne())
      return base;
    if (base.isAllOnes())
      return exponent[0] ? base : APInt(width, 1);
    return APInt::getZero(width);
  }
  APInt result(width, 1), square = base;
  for (unsigned bit = 0; bit < exponent.getActiveBits(); ++bit) {
    if (exponent[bit])
      result *= square;
    square *= square;
  }
  return result;
}

/// The same of indices, which do not wrap.
static Outcome indexPower(const APInt &base, const APInt &exponent) {
  // A base of -1, 0 or 1 never overflows, another one soon does.
  if (exponent.isNegative() || base.isZero() || base.isOne() ||
      base.isAllOnes())
    return power(base, exponent);
  APInt result(base.getBitWidth(), 1);
  for (APInt left = exponent; !left.isZero(); --left) {
    bool overflow;
    result = result.smul_ov(base, overflow);
    if (overflow)
      return Outcome::undefined("is undefined: the index " + print(base) +
                                " to the power " + print(exponent) +
                                " does not fit 64 bits");
  }
  return result;
}

static ScalarFunction absoluteValue(bool isIndex) {
  return unary([isIndex](const APInt &value) -> Outcome {
    if (isIndex && value.isMinSignedValue())
      return Outcome::undefined(
          "is undefined: the absolute value of the index " + print(value) +
          " does not fit 64 bits");
    return value.abs();
  });
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

static unsigned getIntegerWidth(Type type) {
  return isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

static ScalarFunction truncation(arith::TruncIOp op) {
  unsigned width = getIntegerWidth(op.getType());
  arith::IntegerOverflowFlags flags = op.getOverflowFlags();
  bool nsw = bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nsw);
  bool nuw = bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nuw);
  return unary([=](const APInt &value) -> Outcome {
    APInt result = value.trunc(width);
    if ((nsw && result.sext(value.getBitWidth()) != value) ||
        (nuw && result.zext(value.getBitWidth()) != value))
      return Outcome::poison("is undefined: " + print(value) +
                             " does not fit " + Twine(width) + " bits");
    return result;
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

FailureOr<ScalarFunction> uop::getIntegerFunction(Operation *op) {
  using Result = ScalarFunction;
  using Ints = const APInt &;
  constexpr auto Signed = Signedness::Signed;
  constexpr auto Unsigned = Signedness::Unsigned;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](arith::AddIOp op) {
        return wrapping<&APInt::sadd_ov, &APInt::uadd_ov>(
            {op.getType(), op.getOverflowFlags()}, "sum");
      })
      .Case([](arith::SubIOp op) {
        return wrapping<&APInt::ssub_ov, &APInt::usub_ov>(
            {op.getType(), op.getOverflowFlags()}, "difference");
      })
      .Case([](arith::MulIOp op) {
        return wrapping<&APInt::smul_ov, &APInt::umul_ov>(
            {op.getType(), op.getOverflowFlags()}, "product");
      })
      .Case([](arith::ShLIOp op) {
        return shiftLeft({op.getType(), op.getOverflowFlags()});
      })
      .Case([](arith::ShRUIOp op) {
        return shiftRight(op.getIsExact(),
                          [](Ints a, Ints b) { return a.lshr(b); });
      })
      .Case([](arith::ShRSIOp op) {
        return shiftRight(op.getIsExact(),
                          [](Ints a, Ints b) { return a.ashr(b); });
      })
      .Case([=](arith::DivSIOp op) {
        return division(Signed, true, op.getIsExact(),
                        [](Ints a, Ints b) { return a.sdiv(b); });
      })
      .Case([=](arith::DivUIOp op) {
        return division(Unsigned, true, op.getIsExact(),
                        [](Ints a, Ints b) { return a.udiv(b); });
      })
      .Case<arith::FloorDivSIOp, FloorDivOp>([=](Operation *) {
        return division(Signed, true, false, floorDivide);
      })
      .Case([=](FloorModOp) {
        return division(Signed, false, false, floorModulo);
      })
      .Case([=](arith::CeilDivSIOp) {
        return division(Signed, true, false, ceilDivide);
      })
      .Case([=](arith::CeilDivUIOp) {
        return division(Unsigned, true, false, ceilDivideUnsigned);
      })
      .Case([=](arith::RemSIOp) {
        return division(Signed, false, false,
                        [](Ints a, Ints b) { return a.srem(b); });
      })
      .Case([=](arith::RemUIOp) {
        return division(Unsigned, false, false,
                        [](Ints a, Ints b) { return a.urem(b); });
      })
      .Case([](arith::AndIOp) {
        return binary([](Ints a, Ints b) { return a & b; });
      })
      .Case([](arith::OrIOp) {
        return binary([](Ints a, Ints b) { return a | b; });
      })
      .Case([](arith::XOrIOp) {
        return binary([](Ints a, Ints b) { return a ^ b; });
      })
      .Case([](arith::MaxSIOp) {
        return binary([](Ints a, Ints b) { return a.sgt(b) ? a : b; });
      })
      .Case([](arith::MaxUIOp) {
        return binary([](Ints a, Ints b) { return a.ugt(b) ? a : b; });
      })
      .Case([](arith::MinSIOp) {
        return binary([](Ints a, Ints b) { return a.slt(b) ? a : b; });
      })
      .Case([](arith::MinUIOp) {
        return binary([](Ints a, Ints b) { return a.ult(b) ? a : b; });
      })
      .Case([](arith::CmpIOp op) {
        return binary([predicate = op.getPredicate()](Ints a, Ints b) {
          return arith::applyCmpPredicate(predicate, a, b);
        });
      })
      .Case([](arith::AddUIExtendedOp) {
        return binary([](Ints a, Ints b) {
          bool overflow;
          APInt sum = a.uadd_ov(b, overflow);
          return Outcome(sum, APInt(1, overflow));
        });
      })
      .Case([](arith::MulSIExtendedOp) {
        return binary([](Ints a, Ints b) {
          unsigned width = a.getBitWidth();
          APInt product = a.sext(2 * width) * b.sext(2 * width);
          return Outcome(product.trunc(width),
                         product.lshr(width).trunc(width));
        });
      })
      .Case([](arith::MulUIExtendedOp) {
        return binary([](Ints a, Ints b) {
          unsigned width = a.getBitWidth();
          APInt product = a.zext(2 * width) * b.zext(2 * width);
          return Outcome(product.trunc(width),
                         product.lshr(width).trunc(width));
        });
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([](Operation *op) {
        unsigned width = getIntegerWidth(op->getResult(0).getType());
        return unary([width](Ints a) { return a.zextOrTrunc(width); });
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([](Operation *op) {
        unsigned width = getIntegerWidth(op->getResult(0).getType());
        return unary([width](Ints a) { return a.sextOrTrunc(width); });
      })
      .Case([](arith::TruncIOp op) { return truncation(op); })
      .Case([](math::AbsIOp op) {
        return absoluteValue(isa<IndexType>(op.getType()));
      })
      .Case([](math::CountLeadingZerosOp) {
        return unary(
            [](Ints a) { return APInt(a.getBitWidth(), a.countl_zero()); });
      })
      .Case([](math::CountTrailingZerosOp) {
        return unary(
            [](Ints a) { return APInt(a.getBitWidth(), a.countr_zero()); });
      })
      .Case([](math::CtPopOp) {
        return unary(
            [](Ints a) { return APInt(a.getBitWidth(), a.popcount()); });
      })
      .Case([](math::IPowIOp op) {
        return binary(isa<IndexType>(op.getType()) ? indexPower : power);
      })
      .Default([](Operation *) { return Result(); });
}
