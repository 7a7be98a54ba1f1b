//===- ErrorFunction.cpp - erf and erfc -----------------------------------===//
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

/// A polynomial below 1, and 1 - e^(-a^2) * p(a) above. From 4 on f32 has 1.
Real expandErf(Real x) {
  Real a = atMost(abs(x), 4);
  Real square = a * a;
  Real low = a * polynomial(kErf, square);
  Real rest = power2(square, -kLog2E) * polynomial(kErfcxTail, a - 2.5);
  return copySign(select(a < 1.0, low, 1.0 - rest), x);
}

/// e^(-a^2) * p(t(a)). At 10.1 it is less than half of the least f32. The
/// square of a number of 24 bits is exact.
Real expandErfc(Real x) {
  Real a = atMost(abs(x), 0x1.43p3);
  Real t = (a - 2.5) / (a + 2.5);
  Real value = power2(a * a, -kLog2E) * polynomial(kErfcx, t);
  return select(x < 0.0, 2.0 - value, value);
}

} // namespace uop::math_expansion
