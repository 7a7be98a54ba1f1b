//===- IndexBoundsTest.cpp - Intervals of quotients, products, minima -----===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/IndexBounds.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <limits>

using namespace uop;

static bool contains(IndexBounds bounds, int64_t value) {
  return (!bounds.low || *bounds.low <= value) &&
         (!bounds.high || *bounds.high >= value);
}

// Every pair of small intervals holds what it must.
TEST(IndexBounds, ContainEveryResult) {
  for (int64_t low = -5; low <= 5; ++low)
    for (int64_t high = low; high <= 5; ++high)
      for (int64_t otherLow = -4; otherLow <= 4; ++otherLow)
        for (int64_t otherHigh = otherLow; otherHigh <= 4; ++otherHigh) {
          IndexBounds a{low, high}, b{otherLow, otherHigh};
          // The same without an upper bound.
          IndexBounds openA{low, std::nullopt}, openB{otherLow, std::nullopt};
          for (int64_t x = low; x <= high; ++x)
            for (int64_t y = otherLow; y <= otherHigh; ++y) {
              EXPECT_TRUE(contains(a + b, x + y));
              EXPECT_TRUE(contains(a * b, x * y));
              EXPECT_TRUE(contains(openA * openB, x * y));
              EXPECT_TRUE(contains(a.min(b), std::min(x, y)));
              EXPECT_TRUE(contains(openA.max(b), std::max(x, y)));
              if (y == 0)
                continue;
              int64_t quotient = int64_t(floorDiv(x, y));
              EXPECT_TRUE(contains(a.floorDiv(b), quotient));
              EXPECT_TRUE(contains(openA.floorDiv(b), quotient));
              EXPECT_TRUE(contains(a.floorDiv(openB), quotient));
            }
        }
}

// Quotients by one number are as tight as they can be: -7..7 by 4 is -2..1.
TEST(IndexBounds, DivideTightly) {
  IndexBounds quotient = IndexBounds{-7, 7}.floorDiv(IndexBounds::exactly(4));
  EXPECT_EQ(quotient.low, -2);
  EXPECT_EQ(quotient.high, 1);
  quotient = IndexBounds{-7, 7}.floorDiv(IndexBounds::exactly(-4));
  EXPECT_EQ(quotient.low, -2);
  EXPECT_EQ(quotient.high, 1);
}

// What does not fit 64 bits is unbounded.
TEST(IndexBounds, GiveUpBeyond64Bits) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  IndexBounds sum = IndexBounds{0, most} + IndexBounds{1, 1};
  EXPECT_EQ(sum.low, 1);
  EXPECT_EQ(sum.high, std::nullopt);
  IndexBounds negated =
      IndexBounds::exactly(std::numeric_limits<int64_t>::min()) * -1;
  EXPECT_EQ(negated.low, std::nullopt);
}
