//===- Parts.h - What math functions share ----------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_MATHEXPANSION_PARTS_H
#define UOP_EMULATOR_MATHEXPANSION_PARTS_H

#include "Elementwise.h"

#include <limits>

namespace uop::math_expansion {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
inline constexpr double kLog2E = 0x1.71547652b82fep0;
inline constexpr uint64_t kSign = 1ull << 63;
/// Bits of the fraction of f64.
inline constexpr unsigned kMantissa = 52;
/// 1.5 * 2^52: the sum of this and of a number below 2^51 has the nearest
/// integer of the number in its low bits, as two's complement.
inline constexpr double kRounder = 0x1.8p52;

/// 2^(x * factor), for a product between -1000 and 1000.
Real power2(Real x, double factor);

} // namespace uop::math_expansion

#endif // UOP_EMULATOR_MATHEXPANSION_PARTS_H
