//===- IndexMappingTest.cpp - Index expressions that mapping makes --------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each expression here is what splitting, folding or padding leaves of an
// address; beside it is what a person would write.
//
//===----------------------------------------------------------------------===//

#include "IndexCase.h"
#include "Uop/Analysis/IndexSimplifier.h"
#include "gtest/gtest.h"

using namespace uop;
using namespace uop::test;

/// An expression and what it becomes, over the same symbols.
static void expectForm(const char *bounds, const std::string &text,
                       const char *expected) {
  SCOPED_TRACE(text);
  IndexContext context;
  Symbols symbols = parseBounds(context, bounds);
  IndexExpr expr = parseExpr(context, symbols, text);
  ASSERT_NE(expr, nullptr);
  IndexSimplifier simplifier(context);
  EXPECT_EQ(toString(simplifier.simplify(expr), symbols), expected);
}

/// An expression and a form that what it becomes is at most as large as.
static void expectAsSmallAs(const char *bounds, const std::string &text,
                            const std::string &expected) {
  SCOPED_TRACE(text);
  IndexContext context;
  Symbols symbols = parseBounds(context, bounds);
  IndexExpr expr = parseExpr(context, symbols, text);
  IndexExpr person = parseExpr(context, symbols, expected);
  ASSERT_NE(expr, nullptr);
  ASSERT_NE(person, nullptr);
  IndexSimplifier simplifier(context);
  IndexExpr result = simplifier.simplify(expr);
  EXPECT_LE(IndexContext::countOps(result), IndexContext::countOps(person))
      << toString(result, symbols);
  std::mt19937_64 random(1);
  IndexEvaluator before(expr), after(result);
  forEachPoint(symbols.bounds, 20000, random, [&](auto point) {
    EXPECT_EQ(before(point), after(point)) << toString(result, symbols);
    return !testing::Test::HasFailure();
  });
}

/// An expression and what it becomes where a condition holds.
static void expectUnder(const char *bounds, const std::string &condition,
                        const std::string &text, const char *expected) {
  SCOPED_TRACE(text + " under " + condition);
  IndexContext context;
  Symbols symbols = parseBounds(context, bounds);
  IndexExpr expr = parseExpr(context, symbols, text);
  IndexExpr known = parseExpr(context, symbols, condition);
  ASSERT_NE(expr, nullptr);
  ASSERT_NE(known, nullptr);
  IndexSimplifier simplifier(context);
  EXPECT_EQ(toString(simplifier.simplifyUnder(expr, known), symbols), expected);
}

// Three axes of 5, 7 and 11 on one grid dimension g: their flat index is g.
TEST(IndexMapping, PutsFoldedAxesTogether) {
  const char *bounds = "g in [0,384]";
  std::string a = "(g//77)", b = "((g//11)%7)", c = "(g%11)";
  expectForm(bounds, a + "*77+" + b + "*11+" + c, "g");
  expectForm(bounds, c + "+(" + a + "*7+" + b + ")*11", "g");
  // Two of the three.
  expectForm(bounds, a + "*7+" + b, "g // 11");
  expectForm(bounds, b + "*11+" + c, "g % 77");
  // Without the middle one nothing can be done.
  expectForm(bounds, a + "*11+" + c, "((g // 77) * 11) + (g % 11)");
  // In another memory layout: rows of 16 elements.
  expectAsSmallAs(bounds, a + "*112+" + b + "*16+" + c, "g//11*5+g");
}

// Folded axes, each a block of tiles: block g, tile t of 4.
TEST(IndexMapping, PutsTiledAxesTogether) {
  const char *bounds = "g in [0,384], t in [0,3], u in [0,1]";
  std::string a = "(g//77)", b = "((g//11)%7)", c = "(g%11)";
  // (c is tiled): contiguous in g*4 + t.
  expectForm(bounds, a + "*308+" + b + "*44+" + c + "*4+t", "(g * 4) + t");
  expectForm(bounds, "(" + a + "*7+" + b + ")*44+(" + c + "*4+t)",
             "(g * 4) + t");
  // (b is tiled, too): rows of 44.
  expectAsSmallAs(bounds, "((" + a + "*14+(" + b + "*2+u))*11+" + c + ")*4+t",
                  "((g//11*2+u)*11+g%11)*4+t");
}

// (g*U + c)*L*V + l*V + v, taken apart and put together.
TEST(IndexMapping, SplitsInTheGpuLayout) {
  const char *bounds = "g in [0,9], c in [0,1], l in [0,31], v in [0,3]";
  std::string i = "((g*2+c)*32*4+l*4+v)";
  expectForm(bounds, i + "//128", "(g * 2) + c");
  expectForm(bounds, i + "//256", "g");
  expectForm(bounds, i + "%4", "v");
  expectForm(bounds, i + "//4%32", "l");
  expectForm(bounds, i + "//128%2", "c");
  expectForm(bounds, i + "%128", "(l * 4) + v");
  expectAsSmallAs(bounds, "(" + i + "//64)*64+" + i + "%64",
                  "((g*2+c)*32+l)*4+v");
}

// Six axes on one, and back.
TEST(IndexMapping, FoldsSixAxes) {
  const char *bounds = "a in [0,1], b in [0,2], c in [0,4], d in [0,6], "
                       "e in [0,10], f in [0,12]";
  std::string g = "(((((a*3+b)*5+c)*7+d)*11+e)*13+f)";
  expectForm(bounds, g + "//15015", "a");
  expectForm(bounds, g + "//5005%3", "b");
  expectForm(bounds, g + "//1001%5", "c");
  expectForm(bounds, g + "//143%7", "d");
  expectForm(bounds, g + "//13%11", "e");
  expectForm(bounds, g + "%13", "f");
  expectAsSmallAs(bounds,
                  "(" + g + "//1001)*1001+" + g + "//143%7*143+" + g +
                      "//13%11*13+" + g + "%13-f",
                  "((((a*3+b)*5+c)*7+d)*11+e)*13");

  const char *flat = "g in [0,30029]";
  expectForm(flat,
             "((((g//15015*3+g//5005%3)*5+g//1001%5)*7+g//143%7)*11+"
             "g//13%11)*13+g%13",
             "g");
  // The first three.
  expectForm(flat, "g//15015*15015+g//5005%3*5005+g//1001%5*1001",
             "(g // 1001) * 1001");
}

// A range of 17 padded to 32: under its mask the quotient by 17 is 0.
TEST(IndexMapping, UsesMasksOfPaddedRanges) {
  expectUnder("r in [0,31]", "r<17", "r//17", "0");
  expectUnder("r in [0,31], x in [0,9]", "r<17", "(x*17+r)//17", "x");
  expectUnder("r in [0,31], x in [0,9]", "r<17", "(x*17+r)%17", "r");
  // The padded range is split in two: the mask is on the sum.
  const char *split = "x in [0,9], g in [0,7], l in [0,3]";
  expectUnder(split, "g*4+l<17", "(g*4+l)//17", "0");
  expectUnder(split, "g*4+l<17", "(x*17+g*4+l)//17", "x");
  expectUnder(split, "g*4+l<17", "(x*17+(g*4+l))%17", "(g * 4) + l");
  expectUnder(split, "g*4+l<17", "min(g*4+l,16)", "(g * 4) + l");
  expectUnder(split, "g*4+l<17", "select(g<5,1,2)", "1");
  expectUnder(split, "g*4+l<17", "select(g*8+l*2<34,1,2)", "1");
  expectUnder(split, "g*4+l<17", "(g*4+l+3)//20", "0");
  expectUnder(split, "g*4+l<18", "(g*4+l)//17", "((g * 4) + l) // 17");
  expectUnder(split, "g*4+l<18", "(g*4+l)//18", "0");
}

// Ranges of dynamic extents: a below n, b below m.
TEST(IndexMapping, UsesExtents) {
  auto expect = [](const std::string &text, const char *expected) {
    SCOPED_TRACE(text);
    IndexContext context;
    Symbols symbols = parseBounds(context, "n in [0,99], m in [0,99], "
                                           "a in [0,98], b in [0,98], "
                                           "g in [0,9800]");
    context.setLimit(2, symbols.byName["n"]);
    context.setLimit(3, symbols.byName["m"]);
    context.setLimit(4, parseExpr(context, symbols, "n*m"));
    IndexExpr expr = parseExpr(context, symbols, text);
    ASSERT_NE(expr, nullptr);
    IndexSimplifier simplifier(context);
    EXPECT_EQ(toString(simplifier.simplify(expr), symbols), expected);
  };
  expect("a<n", "true");
  expect("n<=a", "false");
  expect("a==n", "false");
  expect("a+1<n", "n >= (a + 2)");
  expect("(a*m+b)//m", "a");
  expect("(a*m+b)%m", "b");
  expect("a*m+b<n*m", "true");
  expect("(a*m+b)//(n*m)", "0");
  expect("g//m*m+g%m", "g");
  expect("g<n*m", "true");
  expect("(g+a*n*m)//(n*m)", "a");
  // A digit of the wrong extent.
  expect("(a*m+b+1)//m", "a + ((b + 1) // m)");
  expect("(a*n+b)//n", "a + (b // n)");
}

// A division that a choice or mask guards is not taken out of it: the divisor
// may be zero elsewhere.
TEST(IndexMapping, KeepsGuardsOfDivisors) {
  expectForm("x in [0,9], d in [0,9]", "select(d>0,x//max(d,1),0)",
             "select(d >= 1, x // max(d, 1), 0)");
  expectUnder("x in [0,9], d in [0,9]", "d>0", "x//max(d,1)", "x // max(d, 1)");
  expectUnder("x in [0,9], d in [0,9]", "d>3", "x//d", "x // d");
}

// x//2 + (x+1)//2 is x, and so on for three.
TEST(IndexMapping, AddsUpQuotients) {
  expectForm("x in [0,99]", "(x+1)//2+x//2", "x");
  expectForm("x in [-50,99]", "x//3+(x+1)//3+(x+2)//3", "x");
  expectForm("x in [0,99], y in [0,9]", "((x+1)//2+x//2)*4+y", "(x * 4) + y");
  expectForm("x in [0,99]", "(x+1)//3+x//3", "(x // 3) + ((x + 1) // 3)");
}

// A quotient rounded up is one rounded down.
TEST(IndexMapping, RoundsUp) {
  expectForm("x in [0,99]", "ceildiv(x*4,4)", "x");
  expectForm("x in [0,99], y in [0,3]", "ceildiv(x*4-y,4)", "x");
  expectForm("x in [0,99]", "ceildiv(x,4)", "ceildiv(x, 4)");
  expectForm("x in [0,99]", "ceildiv(x,100)", "ceildiv(x, 100)");
}

// Products of sums are multiplied out where something cancels.
TEST(IndexMapping, MultipliesSums) {
  const char *bounds = "a in [0,9], b in [0,9], c in [0,9]";
  expectForm(bounds, "(a+b)*(a-b)-a*a+b*b", "0");
  expectForm(bounds, "(a+1)*(b+1)-a*b-a-b", "1");
  expectForm(bounds, "(a+b)*(c+1)", "(a + b) * (c + 1)");
  expectForm(bounds, "((a+b)*(c+1)-(a+b)*c)//2", "(a + b) // 2");
}
