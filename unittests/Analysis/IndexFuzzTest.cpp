//===- IndexFuzzTest.cpp - Random index expressions, by brute force -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// UOP_FUZZ_SEED and UOP_FUZZ_COUNT in the environment choose other, and more,
// expressions than the test run has.
//
//===----------------------------------------------------------------------===//

#include "IndexText.h"
#include "Uop/Analysis/IndexSimplifier.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace uop;
using namespace uop::test;

namespace {

/// Makes expressions of the kinds that mapping makes, and others.
class Generator {
public:
  Generator(IndexContext &context, std::mt19937_64 &random)
      : context(context), random(random) {
    static const char *const names[] = {"a", "b", "c", "d"};
    unsigned numSymbols = pick(1, 4);
    // Some expressions are near the limits of 64 bits.
    isWide = pick(0, 7) == 0;
    for (unsigned i = 0; i < numSymbols; ++i) {
      int64_t low = pick(0, 3) == 0 ? pick(-12, 5) : 0;
      IndexBounds bounds{low, low + pick(0, 3) * pick(0, 5) + pick(0, 7)};
      if (isWide && pick(0, 1))
        bounds.high = *bounds.low + (int64_t(1) << pick(20, 61));
      symbols.names.push_back(names[i]);
      symbols.bounds.push_back(bounds);
      symbols.byName[names[i]] = context.createSymbol(bounds);
    }
  }

  IndexExpr integer(unsigned depth) {
    if (depth == 0)
      return pick(0, 4) == 0 ? context.getConstant(pick(-9, 20)) : symbol();
    switch (pick(0, 11)) {
    case 0:
    case 1:
    case 2:
      return get(IndexOp::Add, integer(depth - 1), integer(pick(0, depth - 1)));
    case 3:
      return get(IndexOp::Sub, integer(depth - 1), integer(pick(0, depth - 1)));
    case 4:
    case 5:
      return get(IndexOp::Mul, integer(depth - 1), factor());
    case 6:
    case 7:
      return get(IndexOp::FloorDiv, integer(depth - 1), divisor());
    case 8:
    case 9:
      return get(IndexOp::FloorMod, integer(depth - 1), divisor());
    case 10:
      return get(pick(0, 1) ? IndexOp::Min : IndexOp::Max, integer(depth - 1),
                 integer(pick(0, depth - 1)));
    default:
      return context.get(IndexOp::Select,
                         {condition(depth - 1), integer(depth - 1),
                          integer(pick(0, depth - 1))});
    }
  }

  IndexExpr condition(unsigned depth) {
    int64_t choice = pick(0, depth == 0 ? 5 : 8);
    if (choice == 6 || choice == 7)
      return get(choice == 6 ? IndexOp::And : IndexOp::Or, condition(depth - 1),
                 condition(depth - 1));
    if (choice == 8)
      return context.get(IndexOp::Not, condition(depth - 1));
    return get(IndexOp(int(IndexOp::Less) + choice), integer(depth),
               integer(pick(0, 2) ? 0 : depth));
  }

  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }

  Symbols symbols;

private:
  IndexExpr get(IndexOp op, IndexExpr a, IndexExpr b) {
    return context.get(op, {a, b});
  }
  IndexExpr symbol() {
    return symbols.byName[symbols.names[pick(0, symbols.names.size() - 1)]];
  }
  IndexExpr factor() {
    if (pick(0, 9) == 0)
      return symbol();
    return constant();
  }
  // Now and then a symbol, which may be zero: such points do not count.
  IndexExpr divisor() {
    if (pick(0, 14) == 0)
      return symbol();
    return constant();
  }
  // Small numbers with common factors, of either sign.
  IndexExpr constant() {
    static const int64_t numbers[] = {1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 10, 12, 16};
    int64_t number = numbers[pick(0, std::size(numbers) - 1)];
    if (isWide && pick(0, 3) == 0)
      number <<= pick(10, 57);
    return context.getConstant(pick(0, 4) == 0 ? -number : number);
  }

  IndexContext &context;
  std::mt19937_64 &random;
  bool isWide;
};

} // namespace

static uint64_t getNumber(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// What is simplified equals the original, on a machine that wraps, wherever the
// original divides by no zero and overflows nowhere; is no larger; and does not
// change when simplified again.
TEST(IndexFuzz, SimplifiedEqualsOriginal) {
  uint64_t first = getNumber("UOP_FUZZ_SEED", 1);
  uint64_t count = getNumber("UOP_FUZZ_COUNT", 20000);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(seed);
    IndexContext context;
    Generator generator(context, random);
    unsigned depth = generator.pick(1, 5);
    IndexExpr expr = generator.pick(0, 4) == 0 ? generator.condition(depth)
                                               : generator.integer(depth);
    IndexSimplifier simplifier(context);
    IndexExpr result = simplifier.simplify(expr);
    const Symbols &symbols = generator.symbols;
    auto describe = [&] {
      std::string text = "seed " + std::to_string(seed) + ": ";
      for (size_t i = 0; i < symbols.names.size(); ++i)
        text += symbols.names[i] + " in [" +
                std::to_string(*symbols.bounds[i].low) + "," +
                std::to_string(*symbols.bounds[i].high) + "] ";
      return text + toString(expr, symbols) + " became " +
             toString(result, symbols);
    };
    ASSERT_LE(IndexContext::countOps(result), IndexContext::countOps(expr))
        << describe();
    ASSERT_EQ(simplifier.simplify(result), result)
        << describe() << ", then "
        << toString(simplifier.simplify(result), symbols);
    IndexBounds bounds = simplifier.getBounds(expr);
    IndexEvaluator before(expr), after(result);
    forEachPoint(symbols.bounds, 2000, random, [&](auto point) {
      std::optional<int64_t> expected = before(point);
      if (!expected)
        return true;
      std::optional<int64_t> value = after(point, /*wraps=*/true);
      EXPECT_TRUE(value && *value == *expected)
          << describe() << " at " << testing::PrintToString(point.vec());
      EXPECT_TRUE((!bounds.low || *bounds.low <= *expected) &&
                  (!bounds.high || *bounds.high >= *expected))
          << describe() << " is out of its bounds at "
          << testing::PrintToString(point.vec());
      return !testing::Test::HasFailure();
    });
    if (testing::Test::HasFailure())
      return;
  }
}
