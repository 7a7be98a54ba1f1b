//===- BoundsTest.cpp - The bounds of ranges, floordiv and floormod -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace uop;
using presburger::BoundType;

static ConstantIntRanges makeInterval(int64_t low, int64_t high) {
  return ConstantIntRanges::fromSigned(APInt(64, low, true),
                                       APInt(64, high, true));
}

static ConstantIntRanges infer(Value value,
                               ArrayRef<ConstantIntRanges> operands) {
  std::optional<ConstantIntRanges> result;
  cast<InferIntRangeInterface>(value.getDefiningOp())
      .inferResultRanges(operands, [&](Value, const ConstantIntRanges &range) {
        result = range;
      });
  return *result;
}

static void expectInterval(const ConstantIntRanges &range, int64_t low,
                           int64_t high) {
  EXPECT_EQ(range.smin().getSExtValue(), low);
  EXPECT_EQ(range.smax().getSExtValue(), high);
}

TEST(BoundsTest, IntegerRangesOfRanges) {
  GraphBuilder graph;
  expectInterval(infer(graph.range(AxisKind::Loop, 8), {}), 0, 7);
  expectInterval(infer(graph.range(AxisKind::Loop, 1), {}), 0, 0);
  // Neither an inverted interval, nor a single value that would replace it.
  expectInterval(infer(graph.range(AxisKind::Loop, 0), {}), 0, 1);
  int64_t most = std::numeric_limits<int64_t>::max();
  expectInterval(infer(graph.range(AxisKind::Loop, most), {}), 0, most - 1);

  RangeOp dynamic =
      graph.range(AxisKind::Loop, OpFoldResult(graph.argument(0)));
  expectInterval(infer(dynamic, makeInterval(2, 9)), 0, 8);
  expectInterval(infer(dynamic, makeInterval(1, 1)), 0, 0);
  expectInterval(infer(dynamic, makeInterval(0, 1)), 0, 1);
  expectInterval(infer(dynamic, makeInterval(-5, -2)), 0, 1);
  expectInterval(
      infer(dynamic, makeInterval(std::numeric_limits<int64_t>::min(), most)),
      0, most - 1);
}

// Every quotient and remainder of every number in the intervals lies in the
// interval that is inferred.
TEST(BoundsTest, IntegerRangesOfFloorDivisionsAreSound) {
  GraphBuilder graph;
  Value div = graph.make<FloorDivOp>(graph.argument(0), graph.argument(1));
  Value mod = graph.make<FloorModOp>(graph.argument(0), graph.argument(1));
  std::mt19937 random(0);
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  };
  for (unsigned round = 0; round < 4000; ++round) {
    int64_t a = pick(-20, 20), b = a + pick(0, 12);
    int64_t c = pick(-9, 9), d = c + (pick(0, 1) ? 0 : pick(0, 6));
    if (c == 0 && d == 0)
      continue;
    SCOPED_TRACE(testing::Message()
                 << "[" << a << ", " << b << "] by [" << c << ", " << d << "]");
    ConstantIntRanges operands[] = {makeInterval(a, b), makeInterval(c, d)};
    ConstantIntRanges quotients = infer(div, operands);
    ConstantIntRanges remainders = infer(mod, operands);
    for (int64_t x = a; x <= b; ++x)
      for (int64_t y = c; y <= d; ++y) {
        if (y == 0)
          continue;
        int64_t quotient = x / y - (x % y != 0 && (x < 0) != (y < 0));
        int64_t remainder = x - y * quotient;
        EXPECT_LE(quotients.smin().getSExtValue(), quotient);
        EXPECT_GE(quotients.smax().getSExtValue(), quotient);
        EXPECT_LE(remainders.smin().getSExtValue(), remainder);
        EXPECT_GE(remainders.smax().getSExtValue(), remainder);
        EXPECT_TRUE(remainders.umin().ule(APInt(64, remainder, true)));
        EXPECT_TRUE(remainders.umax().uge(APInt(64, remainder, true)));
      }
  }
}

// At the ends of 64 bits nothing overflows into a wrong interval.
TEST(BoundsTest, IntegerRangesAtTheEndsOfTheType) {
  GraphBuilder graph;
  int64_t least = std::numeric_limits<int64_t>::min();
  int64_t most = std::numeric_limits<int64_t>::max();
  Value mod = graph.make<FloorModOp>(graph.argument(0), graph.argument(1));
  Value div = graph.make<FloorDivOp>(graph.argument(0), graph.argument(1));
  expectInterval(infer(mod, {makeInterval(least, most), makeInterval(3, 3)}), 0,
                 2);
  // -2^63 is 3 * -3074457345618258603 + 1.
  expectInterval(infer(mod, {makeInterval(least, least), makeInterval(3, 3)}),
                 1, 1);
  expectInterval(infer(mod, {makeInterval(least, most), makeInterval(-4, -2)}),
                 -3, 0);
  expectInterval(
      infer(mod, {makeInterval(least, most), makeInterval(least, least)}),
      least, most);
  // 2^63 is no 64-bit number: nothing is known.
  ConstantIntRanges overflow =
      infer(div, {makeInterval(least, least + 1), makeInterval(-1, -1)});
  EXPECT_TRUE(overflow.smax().getSExtValue() == most);
}

static std::optional<int64_t> computeBound(BoundType type, Value value) {
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      type, {value, std::nullopt}, nullptr, /*closedUB=*/true);
  return succeeded(bound) ? std::optional<int64_t>(*bound) : std::nullopt;
}

TEST(BoundsTest, ValueBounds) {
  GraphBuilder graph;
  RangeOp i = graph.range(AxisKind::Loop, 10);
  EXPECT_EQ(computeBound(BoundType::LB, i), 0);
  EXPECT_EQ(computeBound(BoundType::UB, i), 9);
  RangeOp none = graph.range(AxisKind::Loop, 0);
  EXPECT_EQ(computeBound(BoundType::LB, none), 0);
  EXPECT_EQ(computeBound(BoundType::UB, none), 0);
  // A quotient of a remainder.
  Value shifted = graph.make<FloorDivOp>(
      graph.make<FloorModOp>(i, graph.constant(10)), graph.constant(4));
  EXPECT_EQ(computeBound(BoundType::LB, shifted), 0);
  EXPECT_EQ(computeBound(BoundType::UB, shifted), 2);
  Value remainder =
      graph.make<FloorModOp>(graph.argument(0), graph.constant(6));
  EXPECT_EQ(computeBound(BoundType::LB, remainder), 0);
  EXPECT_EQ(computeBound(BoundType::UB, remainder), 5);
  // Of a divisor that is not a positive constant nothing is said.
  Value unknown = graph.make<FloorModOp>(i, graph.argument(0));
  EXPECT_EQ(computeBound(BoundType::UB, unknown), std::nullopt);
  Value negative = graph.make<FloorModOp>(i, graph.constant(-3));
  EXPECT_EQ(computeBound(BoundType::UB, negative), std::nullopt);
}
