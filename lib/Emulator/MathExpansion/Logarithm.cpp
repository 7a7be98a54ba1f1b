//===- Logarithm.cpp - Logarithms and inverse hyperbolic functions --------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number is 2^n * (1 + s) with 1 + s from sqrt(1/2) to sqrt(2): a polynomial
// in s, and n times a constant. Subnormal numbers of f32 are normal in f64.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Parts.h"
#include "Polynomials.h"

namespace uop::math_expansion {

static constexpr double kLog10E = 0x1.bcb7b1526e50ep-2;
static constexpr double kLog10Of2 = 0x1.34413509f79ffp-2;

namespace {
/// n, and s, of a positive normal number; of others something.
struct Split {
  Real exponent, offset;
};
} // namespace

static Split split(Real x) {
  const uint64_t one = bitsOf(1.0);
  Bits bits = toBits(x);
  // The exponent, with its bias, steps at sqrt(1/2) instead of at 1.
  Bits moved = bits + (one - bitsOf(0x1.6a09e667f3bcdp-1));
  // As the low bits of 2^52 it is a number.
  Real biased = fromBits((moved >> kMantissa) | bitsOf(0x1p52));
  Bits mantissa = bits - (moved & ~((1ull << kMantissa) - 1)) + one;
  return {biased - (0x1p52 + 1023), fromBits(mantissa) - 1.0};
}

static Real logarithmOf1p(Real offset) {
  return offset * polynomial(kLog1p, offset);
}

/// What a logarithm is where there is no positive finite number.
static Real atEnds(Real result, Real x) {
  Real end = select(x == 0.0, -kInfinity, kNaN);
  return select(x > 0.0, select(x < kInfinity, result, x), end);
}

Real expandLog(Real x) {
  auto [exponent, offset] = split(x);
  return atEnds(fma(exponent, kLn2, logarithmOf1p(offset)), x);
}

/// Exact for powers of two, where the offset is zero.
Real expandLog2(Real x) {
  auto [exponent, offset] = split(x);
  return atEnds(fma(logarithmOf1p(offset), kLog2E, exponent), x);
}

Real expandLog10(Real x) {
  auto [exponent, offset] = split(x);
  return atEnds(fma(exponent, kLog10Of2, logarithmOf1p(offset) * kLog10E), x);
}

/// Where 1 + x has the exponent 0 and may lose bits of x, the offset is x.
Real expandLog1p(Real x) {
  Real sum = x + 1.0;
  auto [exponent, offset] = split(sum);
  offset = select(abs(x) < 0.25, x, offset);
  Real result = fma(exponent, kLn2, logarithmOf1p(offset));
  return copySign(atEnds(result, sum), x);
}

/// log(a + sqrt(1 + a^2)), as the log1p of what that is beyond 1.
Real expandAsinh(Real x) {
  Real a = abs(x);
  Real square = a * a;
  Real beyond = a + square / (squareRoot(square + 1.0) + 1.0);
  // The quotient of infinities is NaN.
  return copySign(select(a < kInfinity, expandLog1p(beyond), a), x);
}

/// log(x + sqrt(x^2 - 1)), with x = 1 + t.
Real expandAcosh(Real x) {
  Real t = x - 1.0;
  Real result = expandLog1p(t + squareRoot(t * (x + 1.0)));
  return select(x >= 1.0, result, kNaN);
}

/// log((1 + a) / (1 - a)) / 2.
Real expandAtanh(Real x) {
  Real a = abs(x);
  return copySign(expandLog1p(a * 2.0 / (1.0 - a)) * 0.5, x);
}

} // namespace uop::math_expansion
