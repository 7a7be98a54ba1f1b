//===- IndexBounds.h - Bounds of index values -------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intervals of mathematical integers. A bound that does not fit 64 bits is
// given up (unbounded on that side), so no operation here can overflow.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_INDEXBOUNDS_H
#define UOP_ANALYSIS_INDEXBOUNDS_H

#include <cstdint>
#include <optional>

namespace uop {

/// Wide enough for any product of two 64-bit integers, and sums of these.
using WideInt = __int128;

/// The value where it fits 64 bits.
std::optional<int64_t> narrow(WideInt value);

/// Quotient rounded towards negative infinity; the divisor is not zero.
WideInt floorDiv(WideInt numerator, WideInt divisor);
/// The remainder of floorDiv, with the sign of the divisor.
WideInt floorMod(WideInt numerator, WideInt divisor);
/// Quotient rounded towards positive infinity; the divisor is not zero.
WideInt ceilDiv(WideInt numerator, WideInt divisor);

/// The integers from `low` to `high`, both included; a missing bound is
/// infinite.
struct IndexBounds {
  std::optional<int64_t> low, high;

  static IndexBounds exactly(int64_t value) { return {value, value}; }
  static IndexBounds between(WideInt low, WideInt high) {
    return {narrow(low), narrow(high)};
  }

  bool isBounded() const { return low && high; }
  std::optional<int64_t> getConstant() const {
    return isBounded() && *low == *high ? low : std::nullopt;
  }
  bool isAtLeast(int64_t value) const { return low && *low >= value; }
  bool isAtMost(int64_t value) const { return high && *high <= value; }

  /// What is in both intervals. Where nothing is, which happens only for code
  /// that no point reaches, this one.
  IndexBounds intersect(IndexBounds other) const;
  /// The least interval around both.
  IndexBounds unite(IndexBounds other) const;

  IndexBounds operator+(IndexBounds other) const;
  IndexBounds operator*(int64_t factor) const;
  IndexBounds operator*(IndexBounds other) const;
  /// Of the quotient rounded towards negative infinity. The divisor is never
  /// zero, by the contract of uop.floordiv, whatever its bounds say.
  IndexBounds floorDiv(IndexBounds divisor) const;
  IndexBounds min(IndexBounds other) const;
  IndexBounds max(IndexBounds other) const;
};

} // namespace uop

#endif // UOP_ANALYSIS_INDEXBOUNDS_H
