//===- Trigonometric.cpp - sin, cos, sincos, tan --------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The argument as a number of turns, of which only the fraction counts, for any
// f32. 1 / (2 pi) is a sum of parts of 29 bits each, so that their products
// with the 24 bits of the argument are exact. Of each product the integer part
// is dropped; of the argument 2^127 the fraction comes from the last parts, of
// 1 from the first. As no float of f32 is nearer to a multiple of pi / 2 than
// 2^-30 of a turn or so, the fraction is needed to 2^-68 of a turn.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Parts.h"
#include "Polynomials.h"

namespace uop::math_expansion {

namespace {
/// An angle of `quadrant` quarters of a turn and `rest`, at most an eighth.
struct Angle {
  Real rest;
  /// In the two lowest bits.
  Bits quadrant;
};
} // namespace

/// Products are counted in units of 2^-26 of a turn. Their whole units, less
/// full turns, are added without rounding, and so few bits are left that the
/// sum of the fractions of units is as exact as it has to be.
static Angle reduce(Real magnitude) {
  constexpr size_t parts = std::size(kTurns);
  Real units = constant(magnitude, 0.0);
  Real fraction = units;
  for (size_t i = 0; i + 1 < parts; ++i) {
    Real product = magnitude * kTurns[i];
    Real whole = roundEven(product);
    Real rest = product - whole;
    // Products with the last parts are below 2^33.
    if (i + 2 < parts)
      whole = fma(roundEven(whole * 0x1p-26), -0x1p26, whole);
    units = i ? units + whole : whole;
    fraction = i ? fraction + rest : rest;
  }
  fraction = fma(magnitude, kTurns[parts - 1], fraction);
  Real quarters = fma(units, 0x1p-24, kRounder);
  Real rest = fma(quarters - kRounder, -0x1p24, units) + fraction;
  return {rest * 0x1p-26, toBits(quarters)};
}

namespace {
/// Of the rest of an angle.
struct SinCos {
  Real sin, cos;
};
} // namespace

static SinCos ofRest(Real rest) {
  Real square = rest * rest;
  return {rest * polynomial(kSinTurns, square), polynomial(kCosTurns, square)};
}

/// The bits of the sine of the angle.
static Bits sine(SinCos rest, Bits quadrant) {
  Real value = select(isZero(quadrant & 1), rest.sin, rest.cos);
  return toBits(value) ^ ((quadrant << 62) & kSign);
}

std::pair<Real, Real> expandSinCos(Real x) {
  auto [rest, quadrant] = reduce(abs(x));
  SinCos of = ofRest(rest);
  return {fromBits(sine(of, quadrant) ^ (toBits(x) & kSign)),
          fromBits(sine(of, quadrant + 1))};
}

Real expandSin(Real x) {
  auto [rest, quadrant] = reduce(abs(x));
  return fromBits(sine(ofRest(rest), quadrant) ^ (toBits(x) & kSign));
}

Real expandCos(Real x) {
  auto [rest, quadrant] = reduce(abs(x));
  return fromBits(sine(ofRest(rest), quadrant + 1));
}

/// sin / cos, or -cos / sin in odd quadrants.
Real expandTan(Real x) {
  auto [rest, quadrant] = reduce(abs(x));
  SinCos of = ofRest(rest);
  Mask even = isZero(quadrant & 1);
  Real value = select(even, of.sin, of.cos) / select(even, of.cos, -of.sin);
  return fromBits(toBits(value) ^ (toBits(x) & kSign));
}

} // namespace uop::math_expansion
