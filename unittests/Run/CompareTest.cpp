//===- CompareTest.cpp - Compare an array with a reference ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace uop::run;

namespace {
class CompareTest : public ::testing::Test {
protected:
  Comparison compare(std::vector<double> got, std::vector<double> expected,
                     Tolerance tolerance = {},
                     llvm::ArrayRef<int64_t> shape = {}) {
    auto size = static_cast<int64_t>(got.size());
    return compareArrays(*Element::get(Float64Type::get(&context)),
                         shape.empty() ? llvm::ArrayRef(size) : shape,
                         reinterpret_cast<const char *>(got.data()),
                         reinterpret_cast<const char *>(expected.data()),
                         tolerance);
  }
  Comparison compare(int64_t got, int64_t expected, bool isUnsigned) {
    return compareArrays(*Element::get(IntegerType::get(&context, 64)), {},
                         reinterpret_cast<const char *>(&got),
                         reinterpret_cast<const char *>(&expected), {},
                         isUnsigned);
  }

  MLIRContext context;
};
} // namespace

TEST_F(CompareTest, EqualArrays) {
  Comparison equal = compare({1, -0.0, HUGE_VAL, NAN}, {1, 0, HUGE_VAL, -NAN});
  EXPECT_EQ(equal.elements, 4);
  EXPECT_EQ(equal.mismatches, 0);
  EXPECT_EQ(equal.maxAbsolute, 0);
  EXPECT_EQ(equal.maxRelative, 0);
}

TEST_F(CompareTest, FindsTheFirstMismatchInRowMajorOrder) {
  Comparison differs =
      compare({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 4, 8}, {}, {2, 3});
  EXPECT_EQ(differs.mismatches, 2);
  EXPECT_EQ(differs.index, (llvm::SmallVector<int64_t>{1, 1}));
  EXPECT_EQ(differs.maxAbsolute, 2);
  EXPECT_EQ(differs.maxRelative, 0.25);
  EXPECT_EQ(
      describeMismatch(differs, *Element::get(Float64Type::get(&context))),
      "2 of 6 elements, first at [1, 1]: expected 4, but got 5 (max abs "
      "error 2, max rel error 0.25)");
}

// As numpy.allclose: the relative tolerance is of the expected number.
TEST_F(CompareTest, Tolerance) {
  EXPECT_EQ(compare({90}, {100}, {0, 0.1}).mismatches, 0);
  EXPECT_EQ(compare({100}, {90}, {0, 0.1}).mismatches, 1);
  EXPECT_EQ(compare({100}, {90}, {1, 0.1}).mismatches, 0);
}

TEST_F(CompareTest, NothingIsCloseToNaNOrInfinity) {
  Tolerance large{1e300, 1e300};
  EXPECT_EQ(compare({NAN}, {1}, large).mismatches, 1);
  EXPECT_EQ(compare({1}, {NAN}, large).nans, 1);
  EXPECT_EQ(compare({HUGE_VAL}, {1}, large).mismatches, 1);
  EXPECT_EQ(compare({1}, {HUGE_VAL}, large).mismatches, 1);
  EXPECT_EQ(compare({-HUGE_VAL}, {HUGE_VAL}, large).mismatches, 1);
}

TEST_F(CompareTest, IntegersAreComparedExactly) {
  // Both are 2^62 as a double.
  int64_t large = int64_t(1) << 62;
  EXPECT_EQ(compare(large + 1, large, false).mismatches, 1);
  EXPECT_EQ(compare(large + 1, large, false).maxAbsolute, 1);
  EXPECT_EQ(compare(-1, 1, false).maxAbsolute, 2);
  EXPECT_EQ(compare(-1, 1, true).maxAbsolute, 0x1p64);
  EXPECT_EQ(compare(INT64_MIN, INT64_MAX, false).maxAbsolute, 0x1p64);
}

TEST_F(CompareTest, ParsesTolerances) {
  for (llvm::StringRef text :
       {"", "x", "1,", ",1", "-1", "nan", "inf", "1,2,3"})
    EXPECT_TRUE(static_cast<bool>(Tolerance::parse(text).takeError()))
        << text.str();
  llvm::Expected<Tolerance> tolerance = Tolerance::parse("1e-3,0.5");
  ASSERT_TRUE(static_cast<bool>(tolerance));
  EXPECT_EQ(tolerance->absolute, 1e-3);
  EXPECT_EQ(tolerance->relative, 0.5);
}
