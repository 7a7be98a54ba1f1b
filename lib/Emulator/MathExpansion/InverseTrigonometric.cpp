//===- InverseTrigonometric.cpp - asin, acos, atan, atan2 -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Parts.h"
#include "Polynomials.h"

namespace uop::math_expansion {

static constexpr double kPi = 0x1.921fb54442d18p1;
static constexpr double kTanEighth = 0x1.a827999fcef32p-2;  // tan(pi / 8)
static constexpr double kTan3Eighths = 0x1.3504f333f9de6p1; // tan(3 pi / 8)

namespace {
/// An arc sine: asin(a) itself up to 1/2; beyond that
/// asin(a) = pi / 2 - 2 * asin(sqrt((1 - a) / 2)), and the second asin.
struct ArcSine {
  Real value;
  Mask isSmall;
};
} // namespace

static ArcSine arcSine(Real x) {
  Real a = abs(x);
  Mask isSmall = a <= 0.5;
  Real square = select(isSmall, a * a, (1.0 - a) * 0.5);
  Real root = select(isSmall, a, squareRoot(square));
  return {root * polynomial(kAsin, square), isSmall};
}

Real expandAsin(Real x) {
  auto [value, isSmall] = arcSine(x);
  return copySign(select(isSmall, value, fma(value, -2.0, kPi / 2)), x);
}

Real expandAcos(Real x) {
  auto [value, isSmall] = arcSine(x);
  Real middle = kPi / 2 - copySign(value, x);
  Real end = select(x < 0.0, kPi, constant(x, 0.0)) + copySign(value * 2.0, x);
  return select(isSmall, middle, end);
}

/// The angle of a point with coordinates that are not negative: one of the
/// angles 0, pi / 4 and pi / 2, and what is left, at most pi / 8.
static Real arcTangent(Real y, Real x) {
  Mask beyondFirst = y > x * kTanEighth;
  Mask beyondSecond = y > x * kTan3Eighths;
  Real upper = select(beyondFirst, select(beyondSecond, -x, y - x), y);
  Real lower = select(beyondFirst, select(beyondSecond, y, y + x), x);
  Real angle = select(beyondFirst, select(beyondSecond, kPi / 2, kPi / 4),
                      constant(y, 0.0));
  Real tangent = upper / lower;
  return fma(tangent, polynomial(kAtan, tangent * tangent), angle);
}

Real expandAtan(Real x) {
  return copySign(arcTangent(abs(x), constant(x, 1.0)), x);
}

/// In place of infinity stands a number that is as good: what it is divided by
/// is at most infinity, too, and what is divided by it underflows in f32.
Real expandAtan2(Real y, Real x) {
  Real high = atMost(abs(y), 0x1p900);
  Real wide = atMost(abs(x), 0x1p900);
  // Of two zeros the angle is 0.
  wide = select(high == 0.0, select(wide == 0.0, 1.0, wide), wide);
  Real angle = arcTangent(high, wide);
  Mask isLeft = fromBits((toBits(x) & (kSign)) | bitsOf(1.0)) < 0.0;
  return copySign(select(isLeft, kPi - angle, angle), y);
}

} // namespace uop::math_expansion
