//===- Functions.h - Math functions as arithmetic of f64 --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For arguments that f32 holds, NaN, infinities, zeros and subnormal numbers
// included, each of these is within 2^-33 of the function, relative to its
// value, if not more is said; rounded to f32 once this is within 0.502 ulp. A
// result beyond the range of f32 is beyond it in f64, too. There are no
// branches, no memory and no calls.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_MATHEXPANSION_FUNCTIONS_H
#define UOP_EMULATOR_MATHEXPANSION_FUNCTIONS_H

#include "Elementwise.h"

namespace uop::math_expansion {

// Exponential.cpp
Real expandExp(Real x);
Real expandExp2(Real x);
Real expandExpM1(Real x);
Real expandSinh(Real x);
Real expandCosh(Real x);
Real expandTanh(Real x);

// Logarithm.cpp
Real expandLog(Real x);
Real expandLog2(Real x);
Real expandLog10(Real x);
Real expandLog1p(Real x);
Real expandAsinh(Real x);
Real expandAcosh(Real x);
Real expandAtanh(Real x);

// Trigonometric.cpp
Real expandSin(Real x);
Real expandCos(Real x);
Real expandTan(Real x);
std::pair<Real, Real> expandSinCos(Real x);

// InverseTrigonometric.cpp
Real expandAsin(Real x);
Real expandAcos(Real x);
Real expandAtan(Real x);
Real expandAtan2(Real y, Real x);

// ErrorFunction.cpp
Real expandErf(Real x);
Real expandErfc(Real x);

// Power.cpp
Real expandRsqrt(Real x);
Real expandCbrt(Real x);
Real expandPow(Real base, Real power);
/// The power of an integer, as a number and whether it is odd.
Real expandIntegerPower(Real base, Real power, Mask isOdd);

} // namespace uop::math_expansion

#endif // UOP_EMULATOR_MATHEXPANSION_FUNCTIONS_H
