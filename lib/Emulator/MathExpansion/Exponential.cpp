//===- Exponential.cpp - exp, exp2, expm1, sinh, cosh, tanh ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An argument is n * unit + r with an integer n and |r| at most half a unit,
// where e^unit = 2: a polynomial in r, and n in the exponent.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Parts.h"
#include "Polynomials.h"

namespace uop::math_expansion {

/// p * 2^n, where n is the lowest bits of `n`, and neither the number nor the
/// result is zero or subnormal. Of a NaN that was f32 the lowest bits are zero:
/// NaN stays NaN.
static Real scale(Real p, Bits n) {
  return fromBits(toBits(p) + (n << kMantissa));
}

static Real powerOfTwo(Bits n) {
  return fromBits((n << kMantissa) + bitsOf(1.0));
}

/// 2^(x * factor), of a product between -1000 and 1000. The polynomial is 1 at
/// 0, so that powers of two are exact.
Real power2(Real x, double factor) {
  Real rounded = factor == 1 ? x + kRounder : fma(x, factor, kRounder);
  Real whole = rounded - kRounder;
  Real rest = factor == 1 ? x - whole : fma(x, factor, -whole);
  return scale(polynomial(kExp2, rest), toBits(rounded));
}

/// Beyond these powers of two there is nothing in f32 but infinity and zero.
static Real clamp(Real x, double limit) {
  return atLeast(atMost(x, limit), -limit);
}

Real expandExp2(Real x) { return power2(clamp(x, 400), 1); }

Real expandExp(Real x) { return power2(clamp(x, 200), kLog2E); }

namespace {
/// x = n * ln2 + rest, with the n in the low bits of `n`.
struct Reduced {
  Real rest;
  Bits n;
};
} // namespace

static Reduced reduce(Real x) {
  Real rounded = fma(x, kLog2E, kRounder);
  return {fma(rounded - kRounder, -kLn2, x), toBits(rounded)};
}

/// e^x - 1 = 2^n * (e^r - 1) + (2^n - 1). Where n is 0 the second part is, and
/// else it does not cancel the first.
static Real exponentialLessOne(Real x) {
  auto [rest, n] = reduce(x);
  Real power = powerOfTwo(n);
  return fma(power, rest * polynomial(kExpM1, rest), power - 1.0);
}

Real expandExpM1(Real x) {
  return copySign(exponentialLessOne(clamp(x, 200)), x);
}

/// (e^2x - 1) / (e^2x + 1). It is 1 from 20 on.
Real expandTanh(Real x) {
  Real twice = atMost(abs(x), 20) * 2.0;
  Real e = exponentialLessOne(twice);
  return copySign(e / (e + 2.0), x);
}

namespace {
/// Hyperbolic functions of the two parts of an argument.
struct Hyperbolic {
  Real sinhRest, coshRest, sinhWhole, coshWhole;
};
} // namespace

static Hyperbolic hyperbolic(Real magnitude) {
  auto [rest, n] = reduce(atMost(magnitude, 200));
  Real square = rest * rest;
  Bits shifted = n << kMantissa;
  Real up = fromBits(shifted + bitsOf(0.5));
  Real down = fromBits(bitsOf(0.5) - shifted);
  return {rest * polynomial(kSinh, square), polynomial(kCosh, square),
          up - down, up + down};
}

/// sinh(a + b) = cosh(b) * sinh(a) + sinh(b) * cosh(a), with exact functions of
/// the part that is a multiple of ln2.
Real expandSinh(Real x) {
  Hyperbolic of = hyperbolic(abs(x));
  return copySign(fma(of.coshRest, of.sinhWhole, of.sinhRest * of.coshWhole),
                  x);
}

Real expandCosh(Real x) {
  Hyperbolic of = hyperbolic(abs(x));
  return fma(of.coshRest, of.coshWhole, of.sinhRest * of.sinhWhole);
}

} // namespace uop::math_expansion
