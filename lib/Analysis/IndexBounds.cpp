//===- IndexBounds.cpp - Bounds of index values ---------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/IndexBounds.h"
#include <algorithm>
#include <limits>

using namespace uop;

std::optional<int64_t> uop::narrow(WideInt value) {
  if (value < std::numeric_limits<int64_t>::min() ||
      value > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return int64_t(value);
}

WideInt uop::floorDiv(WideInt numerator, WideInt divisor) {
  WideInt quotient = numerator / divisor;
  bool isExact = quotient * divisor == numerator;
  return isExact || (numerator < 0) == (divisor < 0) ? quotient : quotient - 1;
}

WideInt uop::floorMod(WideInt numerator, WideInt divisor) {
  return numerator - divisor * floorDiv(numerator, divisor);
}

WideInt uop::ceilDiv(WideInt numerator, WideInt divisor) {
  return -floorDiv(-numerator, divisor);
}

IndexBounds IndexBounds::intersect(IndexBounds other) const {
  IndexBounds both = *this;
  if (other.low && (!low || *other.low > *low))
    both.low = other.low;
  if (other.high && (!high || *other.high < *high))
    both.high = other.high;
  if (both.isBounded() && *both.low > *both.high)
    return *this;
  return both;
}

IndexBounds IndexBounds::unite(IndexBounds other) const {
  IndexBounds around;
  if (low && other.low)
    around.low = std::min(*low, *other.low);
  if (high && other.high)
    around.high = std::max(*high, *other.high);
  return around;
}

IndexBounds IndexBounds::operator+(IndexBounds other) const {
  IndexBounds sum;
  if (low && other.low)
    sum.low = narrow(WideInt(*low) + *other.low);
  if (high && other.high)
    sum.high = narrow(WideInt(*high) + *other.high);
  return sum;
}

IndexBounds IndexBounds::operator*(int64_t factor) const {
  if (factor == 0)
    return exactly(0);
  IndexBounds product;
  if (low)
    (factor > 0 ? product.low : product.high) = narrow(WideInt(*low) * factor);
  if (high)
    (factor > 0 ? product.high : product.low) = narrow(WideInt(*high) * factor);
  return product;
}

IndexBounds IndexBounds::operator*(IndexBounds other) const {
  if (isBounded() && other.isBounded()) {
    WideInt corners[] = {
        WideInt(*low) * *other.low, WideInt(*low) * *other.high,
        WideInt(*high) * *other.low, WideInt(*high) * *other.high};
    return between(*std::min_element(corners, corners + 4),
                   *std::max_element(corners, corners + 4));
  }
  if (isAtLeast(0) && other.isAtLeast(0))
    return {narrow(WideInt(*low) * *other.low), std::nullopt};
  return {};
}

IndexBounds IndexBounds::floorDiv(IndexBounds divisor) const {
  // A negative divisor is a positive one of the negated numerator.
  if (divisor.isAtMost(-1)) {
    if (divisor.low == std::numeric_limits<int64_t>::min())
      divisor.low = std::nullopt;
    return (*this * -1).floorDiv(divisor * -1);
  }
  // The divisor is not zero.
  if (divisor.isAtLeast(0)) {
    int64_t least = std::max<int64_t>(*divisor.low, 1);
    // Without an upper bound the quotient still has the sign of the numerator.
    auto divide = [&](int64_t numerator, bool byLeast) -> int64_t {
      if (byLeast)
        return int64_t(uop::floorDiv(numerator, least));
      if (divisor.high)
        return int64_t(
            uop::floorDiv(numerator, std::max(*divisor.high, least)));
      return numerator < 0 ? -1 : 0;
    };
    IndexBounds quotient;
    if (low)
      quotient.low = divide(*low, /*byLeast=*/*low < 0);
    if (high)
      quotient.high = divide(*high, /*byLeast=*/*high >= 0);
    return quotient;
  }
  // Of either sign: the quotient is no further from zero than the numerator.
  if (isBounded()) {
    WideInt most = std::max(WideInt(*low) < 0 ? -WideInt(*low) : *low,
                            WideInt(*high) < 0 ? -WideInt(*high) : *high);
    return between(-most, most);
  }
  return {};
}

IndexBounds IndexBounds::min(IndexBounds other) const {
  IndexBounds result;
  if (low && other.low)
    result.low = std::min(*low, *other.low);
  if (high && other.high)
    result.high = std::min(*high, *other.high);
  else
    result.high = high ? high : other.high;
  return result;
}

IndexBounds IndexBounds::max(IndexBounds other) const {
  return ((*this * -1).min(other * -1)) * -1;
}
