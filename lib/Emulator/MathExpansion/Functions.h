//===- Functions.h - Math functions as arithmetic of f64 --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For arguments that f32 holds, NaN, infinities, zeros and subnormal numbers
// included, each of these is within 2^-38 of the function, relative to its
// value, or 2^-33 if it is a power; rounded to f32 once that is within 0.5001
// and 0.502 ulp. A result beyond the range of f32 is beyond it here, too. There
// are no branches, no memory and no calls. Where a polynomial is named, its
// interval, degree and error are in Polynomials.h.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_MATHEXPANSION_FUNCTIONS_H
#define UOP_EMULATOR_MATHEXPANSION_FUNCTIONS_H

#include "Elementwise.h"

namespace uop::math_expansion {

//===----------------------------------------------------------------------===//
// Exponential.cpp: n is an integer, |r| at most 1/2 or ln2 / 2
//===----------------------------------------------------------------------===//

/// 2^n * p(r), x = (n + r) * ln2: kExp2, degree 8, error 2^-40.
Real expandExp(Real x);
/// 2^n * p(r), x = n + r: kExp2. Exact for integers.
Real expandExp2(Real x);
/// 2^n * (r * p(r)) + (2^n - 1), x = n * ln2 + r: kExpM1, degree 8, 2^-43.
Real expandExpM1(Real x);
/// e / (e + 2), where e is expm1(2 * |x|).
Real expandTanh(Real x);
/// By the functions of n * ln2, exact, and of r: kSinh and kCosh, degree 4 in
/// r^2, errors 2^-49 and 2^-45.
Real expandSinh(Real x);
Real expandCosh(Real x);

//===----------------------------------------------------------------------===//
// Logarithm.cpp: x = 2^n * (1 + s), 1 + s from sqrt(1/2) to sqrt(2)
//===----------------------------------------------------------------------===//

/// n * ln2 + s * p(s): kLog1p, degree 14, error 2^-40.
Real expandLog(Real x);
/// n + s * p(s) * log2(e). Exact for powers of two.
Real expandLog2(Real x);
Real expandLog10(Real x);
/// The logarithm of 1 + x, of which no bit is lost.
Real expandLog1p(Real x);
/// log1p of a function of x.
Real expandAsinh(Real x);
Real expandAcosh(Real x);
Real expandAtanh(Real x);

//===----------------------------------------------------------------------===//
// Trigonometric.cpp: x = n / 4 + r turns, |r| at most 1/8, for every x
//===----------------------------------------------------------------------===//

/// kSinTurns and kCosTurns, degree 5 in r^2, errors 2^-47 and 2^-43.
Real expandSin(Real x);
Real expandCos(Real x);
std::pair<Real, Real> expandSinCos(Real x);
/// Their quotient.
Real expandTan(Real x);

//===----------------------------------------------------------------------===//
// InverseTrigonometric.cpp
//===----------------------------------------------------------------------===//

/// a * p(a^2), a at most 1/2: kAsin, degree 9, error 2^-43.
Real expandAsin(Real x);
Real expandAcos(Real x);
/// A multiple of pi / 4 and t * p(t^2), |t| at most tan(pi / 8): kAtan, degree
/// 8, error 2^-45.
Real expandAtan(Real x);
Real expandAtan2(Real y, Real x);

//===----------------------------------------------------------------------===//
// ErrorFunction.cpp
//===----------------------------------------------------------------------===//

/// |x| < 1: kErf, degree 8 in x^2, error 2^-40. Else 1 - e^(-x^2) * p(|x|):
/// kErfcxTail, degree 12, error 2^-38.
Real expandErf(Real x);
/// e^(-x^2) * p(t): kErfcx, degree 15, error 2^-41.
Real expandErfc(Real x);

//===----------------------------------------------------------------------===//
// Power.cpp
//===----------------------------------------------------------------------===//

/// A quotient and a root, in f64.
Real expandRsqrt(Real x);
/// exp2(log2(|base|) * power) and a sign.
Real expandCbrt(Real x);
Real expandPow(Real base, Real power);
/// Of an integer, as a number and whether it is odd.
Real expandIntegerPower(Real base, Real power, Mask isOdd);

} // namespace uop::math_expansion

#endif // UOP_EMULATOR_MATHEXPANSION_FUNCTIONS_H
