//===- IndexSimplifierTest.cpp - The handed cases and traps ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/IndexSimplifier.h"
#include "IndexText.h"
#include "gtest/gtest.h"
#include <fstream>
#include <set>
#include <sstream>

using namespace uop;
using namespace uop::test;

/// Rows whose expected size is not reached yet. A row that is reached must
/// leave this list.
static const std::set<std::string> kNotReached = {};

static std::vector<std::vector<std::string>> readRows(const char *name) {
  std::ifstream file(std::string(UOP_TEST_DATA_DIR) + "/" + name);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#' || line.rfind("id\t", 0) == 0)
      continue;
    std::vector<std::string> row;
    std::stringstream fields(line);
    std::string field;
    while (std::getline(fields, field, '\t'))
      row.push_back(field);
    rows.push_back(row);
  }
  return rows;
}

/// Whether two expressions are equal at all points, or at 20,000 of them.
static testing::AssertionResult areEqual(IndexExpr a, IndexExpr b,
                                         const Symbols &symbols) {
  std::mt19937_64 random(1);
  testing::AssertionResult result = testing::AssertionSuccess();
  IndexEvaluator first(a), second(b);
  forEachPoint(symbols.bounds, 20000, random, [&](auto point) {
    if (first(point) == second(point))
      return true;
    result = testing::AssertionFailure()
             << toString(a, symbols) << " is not " << toString(b, symbols)
             << " at " << testing::PrintToString(point.vec());
    return false;
  });
  return result;
}

// Each handed row keeps its value and comes down to the size of the form that
// is given for it.
TEST(IndexSimplifier, ReachesTheHandedForms) {
  auto rows = readRows("index_algebra.tsv");
  ASSERT_FALSE(rows.empty());
  unsigned numReached = 0;
  for (const auto &row : rows) {
    ASSERT_EQ(row.size(), 5u);
    SCOPED_TRACE(row[0] + ": " + row[3]);
    IndexContext context;
    Symbols symbols = parseBounds(context, row[2]);
    IndexExpr expr = parseExpr(context, symbols, row[3]);
    ASSERT_NE(expr, nullptr);
    IndexExpr expected =
        row[4] == "KEEP" ? expr : parseExpr(context, symbols, row[4]);
    ASSERT_NE(expected, nullptr);
    IndexSimplifier simplifier(context);
    IndexExpr result = simplifier.simplify(expr);
    EXPECT_TRUE(areEqual(expr, result, symbols));
    EXPECT_EQ(simplifier.simplify(result), result) << "is not idempotent";
    bool isReached =
        IndexContext::countOps(result) <= IndexContext::countOps(expected);
    EXPECT_EQ(isReached, kNotReached.count(row[0]) == 0)
        << "got " << toString(result, symbols) << ", expected "
        << toString(expected, symbols) << "; is the list of rows not reached "
        << "up to date?";
    numReached += isReached;
  }
  RecordProperty("reached", numReached);
  RecordProperty("rows", rows.size());
}

// The tempting wrong rewrites are wrong, and ours is right at each point.
TEST(IndexSimplifier, FallsIntoNoTrap) {
  auto rows = readRows("index_traps.tsv");
  ASSERT_FALSE(rows.empty());
  for (const auto &row : rows) {
    ASSERT_EQ(row.size(), 5u);
    SCOPED_TRACE(row[0] + ": " + row[2]);
    IndexContext context;
    Symbols symbols = parseBounds(context, row[1]);
    IndexExpr expr = parseExpr(context, symbols, row[2]);
    IndexExpr wrong = parseExpr(context, symbols, row[3]);
    ASSERT_NE(expr, nullptr);
    ASSERT_NE(wrong, nullptr);
    IndexSimplifier simplifier(context);
    IndexExpr result = simplifier.simplify(expr);
    EXPECT_TRUE(areEqual(expr, result, symbols));
    EXPECT_FALSE(areEqual(expr, wrong, symbols)) << "the trap is none";
    EXPECT_NE(result, wrong);
  }
}

/// An expression and what it becomes, over the same symbols.
static void expectForm(const char *bounds, const char *text,
                       const char *expected) {
  IndexContext context;
  Symbols symbols = parseBounds(context, bounds);
  IndexExpr expr = parseExpr(context, symbols, text);
  ASSERT_NE(expr, nullptr);
  IndexSimplifier simplifier(context);
  EXPECT_EQ(toString(simplifier.simplify(expr), symbols), expected);
}

// Operands have one order, that of the symbols; constants come last.
TEST(IndexSimplifier, OrdersOperands) {
  const char *bounds = "a in [0,7], b in [0,7]";
  expectForm(bounds, "b+16*a", "(a * 16) + b");
  expectForm(bounds, "a*16+b", "(a * 16) + b");
  expectForm(bounds, "3+(b+a)", "(a + b) + 3");
  expectForm(bounds, "min(3,min(b,a))", "min(min(a, b), 3)");
}

// A rest that may reach the divisor is not dropped.
TEST(IndexSimplifier, KeepsWhatBoundsDoNotDecide) {
  expectForm("x in [0,63], y in [0,16]", "(x*16+y)//16", "x + (y // 16)");
  expectForm("x in [-1,63]", "x//64", "x // 64");
  expectForm("i in [0,511], f in [0,4]", "i*4+f<512", "((i * 4) + f) < 512");
}

// The last value of a condition is that of the whole sum, also where a
// remainder in it is written with another constant (found by the fuzzer).
TEST(IndexSimplifier, ComparesRemaindersBySymbols) {
  expectForm("b in [0,19], d in [0,11]", "(b+d+9)%d!=0", "((b + 9) % d) >= 1");
}

// Where a number would leave 64 bits the operation stays.
TEST(IndexSimplifier, LeavesWhatOverflows) {
  IndexContext context;
  Symbols symbols = parseBounds(context, "a in [0,9]");
  std::string big = "4611686018427387904";
  IndexExpr expr = parseExpr(context, symbols, "a*" + big + "*" + big);
  IndexSimplifier simplifier(context);
  EXPECT_EQ(simplifier.simplify(expr), expr);
}

// (b - 6)*a fits 64 bits where the code is right, but a*b need not (found by
// the fuzzer).
TEST(IndexSimplifier, DividesNothingThatMayOverflow) {
  expectForm("a in [0,2305843009213693952], b in [0,10]", "((b-6)*a)%3",
             "((b - 6) * a) % 3");
  expectForm("a in [0,1000], b in [0,10]", "((b-6)*a)%3", "(a * b) % 3");
}

// A condition, or a choice, is read under those that it stands under.
TEST(IndexSimplifier, UsesConditions) {
  const char *bounds = "i in [0,100], f in [0,3]";
  expectForm(bounds, "select(i<8,select(i*4+f<32,1,2),3)",
             "select(i < 8, 1, 3)");
  expectForm(bounds, "select(i<50,i%50,i)", "i");
  expectForm(bounds, "select(i<50,i,50)", "min(i, 50)");
}

// What both operands share is outside of min, max and select.
TEST(IndexSimplifier, TakesOutWhatIsCommon) {
  const char *bounds = "a in [0,20], b in [0,20]";
  expectForm(bounds, "min(a*4,b*4)", "min(a, b) * 4");
  expectForm(bounds, "max(a+3,b+3)", "max(a, b) + 3");
  expectForm(bounds, "select(a<5,b+1,b+2)", "select(a < 5, 1, 2) + b");
  expectForm(bounds, "min(-a,-b)", "max(a, b) * -1");
}
