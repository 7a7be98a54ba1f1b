//===- Power.cpp - rsqrt, cbrt, powf, fpowi -------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Powers by way of log2 and exp2. The logarithm is within 2^-40 of its value
// and the product with the power below 150, or the result is not in f32: the
// result is within 2^-33 of its value.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Parts.h"

namespace uop::math_expansion {

Real expandRsqrt(Real x) { return 1.0 / squareRoot(x); }

Real expandCbrt(Real x) {
  return copySign(expandExp2(expandLog2(abs(x)) * (1.0 / 3)), x);
}

/// The power of the base's magnitude, with the base's sign if the power is odd.
static Real signedPower(Real base, Real power, Mask isOdd) {
  Real value = expandExp2(expandLog2(abs(base)) * power);
  return select(isOdd, copySign(value, base), value);
}

static Mask isWhole(Real x) { return floor(x) == x; }

Real expandPow(Real base, Real power) {
  Mask whole = isWhole(power);
  Mask isOdd = whole & !isWhole(power * 0.5);
  Real value = signedPower(base, power, isOdd);
  // A root of a negative number; infinity is not one of these.
  Mask isRoot = (base < 0.0) & (base > -kInfinity) & !whole;
  value = select(isRoot, kNaN, value);
  // Whatever the other operand is, NaN included.
  Mask isOne = (base == 1.0) | (power == 0.0);
  Mask isUnit = (abs(base) == 1.0) & (abs(power) == kInfinity);
  return select(isOne | isUnit, 1.0, value);
}

Real expandIntegerPower(Real base, Real power, Mask isOdd) {
  return select(power == 0.0, 1.0, signedPower(base, power, isOdd));
}

} // namespace uop::math_expansion
