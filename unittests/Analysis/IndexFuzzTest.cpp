//===- IndexFuzzTest.cpp - Random index expressions, by brute force -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// UOP_FUZZ_SEED and UOP_FUZZ_COUNT in the environment choose other, and more,
// expressions than the test run has:
//
//   UOP_FUZZ_SEED=1000000 UOP_FUZZ_COUNT=10000000 UopAnalysisTests
//     --gtest_filter=IndexFuzz.SimplifiedEqualsOriginal
//
// What fails is printed with its seed, as it was made and as small as it could
// be made.
//
//===----------------------------------------------------------------------===//

#include "IndexGenerator.h"
#include "Uop/Analysis/IndexSimplifier.h"
#include "gtest/gtest.h"
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

using namespace uop;
using namespace uop::test;

namespace {

/// Ends the process with a message where one expression takes longer than any
/// should, with a wide margin for slow machines and sanitizers.
class Watchdog {
public:
  explicit Watchdog(std::chrono::seconds limit)
      : thread([this, limit] { watch(limit); }) {}
  ~Watchdog() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      isDone = true;
    }
    changed.notify_one();
    thread.join();
  }
  void start(uint64_t next) {
    std::lock_guard<std::mutex> lock(mutex);
    seed = next;
  }

private:
  void watch(std::chrono::seconds limit) {
    std::unique_lock<std::mutex> lock(mutex);
    while (!isDone) {
      uint64_t before = seed;
      if (changed.wait_for(lock, limit, [this] { return isDone; }) ||
          seed != before)
        continue;
      std::fprintf(stderr, "seed %llu does not come to an end: %s\n",
                   static_cast<unsigned long long>(seed),
                   toString(generateCase(seed)).c_str());
      std::_Exit(1);
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false;
  uint64_t seed = 0;
  std::thread thread;
};

} // namespace

/// Looks for a case that the rewrite gets wrong; describes the first one.
static std::optional<std::string> fuzz(uint64_t first, uint64_t count,
                                       const Rewrite &rewrite) {
  Watchdog watchdog(std::chrono::seconds(60));
  for (uint64_t seed = first; seed < first + count; ++seed) {
    watchdog.start(seed);
    Case source = generateCase(seed);
    std::optional<std::string> fault = findFault(source, rewrite);
    if (!fault)
      continue;
    Case smallest = shrink(source, [&](const Case &smaller) {
      return findFault(smaller, rewrite).has_value();
    });
    return "seed " + std::to_string(seed) + ": " + toString(source) + "\n  " +
           *fault + "\nat its smallest: " + toString(smallest) + "\n  " +
           *findFault(smallest, rewrite);
  }
  return std::nullopt;
}

static uint64_t getNumber(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

static IndexExpr simplify(IndexContext &context, IndexExpr expr,
                          IndexExpr condition) {
  IndexSimplifier simplifier(context);
  return condition ? simplifier.simplifyUnder(expr, condition)
                   : simplifier.simplify(expr);
}

// What is simplified equals the original, is no larger, and does not change
// when simplified again.
TEST(IndexFuzz, SimplifiedEqualsOriginal) {
  std::optional<std::string> fault =
      fuzz(getNumber("UOP_FUZZ_SEED", 1), getNumber("UOP_FUZZ_COUNT", 50000),
           simplify);
  EXPECT_FALSE(fault) << *fault;
}

// The value of an expression is within the bounds found for it.
TEST(IndexFuzz, ValuesAreWithinBounds) {
  uint64_t first = getNumber("UOP_FUZZ_SEED", 1);
  uint64_t count = getNumber("UOP_FUZZ_COUNT", 50000) / 10;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Case source = generateCase(seed);
    BuiltCase built(source);
    if (isBoolean(built.expr->getOp()))
      continue;
    IndexBounds bounds = IndexSimplifier(built.context).getBounds(built.expr);
    IndexEvaluator evaluate(built.expr);
    std::mt19937_64 random(seed);
    forEachPoint(built.symbols.bounds, 2000, random, [&](auto point) {
      if (!isWithinLimits(source, point))
        return true;
      std::optional<int64_t> value = evaluate(point);
      EXPECT_TRUE(!value || ((!bounds.low || *bounds.low <= *value) &&
                             (!bounds.high || *bounds.high >= *value)))
          << "seed " << seed << ": " << toString(source) << " at "
          << testing::PrintToString(point.vec());
      return !testing::Test::HasFailure();
    });
    if (testing::Test::HasFailure())
      return;
  }
}

//===----------------------------------------------------------------------===//
// Does the fuzzer find what is wrong?
//===----------------------------------------------------------------------===//

/// Rebuilds an expression with `change` made to each operation.
static IndexExpr mapNodes(
    IndexContext &context, IndexExpr expr,
    llvm::function_ref<IndexExpr(IndexOp, llvm::ArrayRef<IndexExpr>)> change) {
  if (expr->isLeaf())
    return expr;
  std::vector<IndexExpr> operands;
  for (IndexExpr operand : expr->getOperands())
    operands.push_back(mapNodes(context, operand, change));
  if (IndexExpr changed = change(expr->getOp(), operands))
    return changed;
  return context.get(expr->getOp(), operands);
}

// (x // 2) * 2 is not x where x is odd: 1 is the least odd number.
TEST(IndexFuzz, ShrinksAWrongRewriteToItsRule) {
  Rewrite wrong = [](IndexContext &context, IndexExpr expr, IndexExpr) {
    return mapNodes(context, expr, [](IndexOp op, auto operands) {
      bool isFound = op == IndexOp::Mul && operands[1]->isConstant(2) &&
                     operands[0]->getOp() == IndexOp::FloorDiv &&
                     operands[0]->getOperands()[1] == operands[1];
      return isFound ? operands[0]->getOperands()[0] : nullptr;
    });
  };
  BuiltCase built(Case{{}, {}, {{{-3, 60}}, {{0, 9}}, {{-1, 40}}}});
  IndexExpr expr =
      parseExpr(built.context, built.symbols,
                "select(b<4, min((a+c*3)//2*2+7, 90)%13, c*5+b) + a*(b+1)");
  ASSERT_NE(expr, nullptr);
  Case source{toTree(expr), {}, {{{-3, 60}}, {{0, 9}}, {{-1, 40}}}};
  auto fails = [&](const Case &smaller) {
    return findFault(smaller, wrong).has_value();
  };
  ASSERT_TRUE(fails(source));
  Case smallest = shrink(source, fails);
  EXPECT_EQ(toString(smallest), "(1 // 2) * 2");
}

// A dropped condition shows only where bounds allow it: i*4 + f < n is not
// i < n//4 where f may reach 4.
TEST(IndexFuzz, ShrinksBounds) {
  Rewrite wrong = [](IndexContext &context, IndexExpr expr, IndexExpr) {
    return mapNodes(context, expr, [&](IndexOp op, auto operands) -> IndexExpr {
      if (op != IndexOp::Less || operands[0]->getOp() != IndexOp::Add ||
          operands[0]->getOperands()[1]->getOp() != IndexOp::Symbol)
        return nullptr;
      IndexExpr multiple = operands[0]->getOperands()[0];
      if (multiple->getOp() != IndexOp::Mul ||
          !multiple->getOperands()[1]->isConstant(4) ||
          operands[1]->getOp() != IndexOp::Constant ||
          operands[1]->getValue() % 4 != 0)
        return nullptr;
      return context.get(IndexOp::Less,
                         {multiple->getOperands()[0],
                          context.getConstant(operands[1]->getValue() / 4)});
    });
  };
  BuiltCase built(Case{{}, {}, {{{0, 511}}, {{0, 256}}}});
  IndexExpr expr =
      parseExpr(built.context, built.symbols, "select(a*4+b<512,a+17,b*2)//3");
  ASSERT_NE(expr, nullptr);
  Case source{toTree(expr), {}, {{{0, 511}}, {{0, 256}}}};
  auto fails = [&](const Case &smaller) {
    return findFault(smaller, wrong).has_value();
  };
  ASSERT_TRUE(fails(source));
  EXPECT_EQ(toString(shrink(source, fails)),
            "select(((a * 4) + b) < 4, 0, 1), where a in [0,0], b in [4,4]");
}

// A wrong rule put into the simplifier is found among the random expressions,
// and printed with its seed.
TEST(IndexFuzz, FindsAWrongRule) {
  // x mod -c is not -(x mod c).
  Rewrite wrong = [](IndexContext &context, IndexExpr expr,
                     IndexExpr condition) {
    expr = mapNodes(context, expr, [&](IndexOp op, auto operands) -> IndexExpr {
      if (op != IndexOp::FloorMod ||
          operands[1]->getOp() != IndexOp::Constant ||
          operands[1]->getValue() >= 0)
        return nullptr;
      return context.get(
          IndexOp::FloorMod,
          {operands[0], context.getConstant(-operands[1]->getValue())});
    });
    return simplify(context, expr, condition);
  };
  std::optional<std::string> fault = fuzz(1, 50000, wrong);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rfind("seed ", 0), 0u) << *fault;
  // One remainder of a small number: nothing else is left of it.
  std::string smallest = fault->substr(fault->find("at its smallest: "));
  EXPECT_LE(smallest.find('\n'), 50u) << *fault;
  EXPECT_NE(smallest.find("%"), std::string::npos) << *fault;
}
