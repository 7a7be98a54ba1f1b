//===- IndexGenerator.cpp - Random index expressions ----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexGenerator.h"

using namespace uop;
using namespace uop::test;

namespace {

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  Case generate();

private:
  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  bool oneIn(int64_t n) { return pick(1, n) == 1; }

  CaseSymbol makeSymbol();
  Tree constant(int64_t value) { return {IndexOp::Constant, value}; }
  Tree make(IndexOp op, Tree a, Tree b) {
    return {op, 0, {std::move(a), std::move(b)}};
  }
  Tree symbol() { return {IndexOp::Symbol, pick(0, numIntegers - 1)}; }
  Tree number();
  Tree factor() { return oneIn(10) ? symbol() : number(); }
  // Now and then a symbol, or more, which may be zero: such points do not
  // count.
  Tree divisor() {
    if (oneIn(30))
      return make(IndexOp::Add, symbol(), number());
    if (oneIn(30) && !conditions.empty())
      return {IndexOp::Select,
              0,
              {conditions[pick(0, conditions.size() - 1)], symbol(), number()}};
    return oneIn(12) ? symbol() : number();
  }

  Tree integer(unsigned depth);
  Tree anyInteger(unsigned depth);
  Tree condition(unsigned depth);
  Tree anyCondition(unsigned depth);
  Tree digits(unsigned depth);
  Tree congruence(unsigned depth);
  Tree choice(unsigned depth);

  std::mt19937_64 random;
  int64_t numIntegers = 0, numBools = 0;
  /// Whether some numbers are near the limits of 64 bits.
  bool isWide = false;
  /// What has been made, to be used again: most rules need the same expression
  /// in two places.
  std::vector<Tree> integers, conditions;
};

} // namespace

CaseSymbol Generator::makeSymbol() {
  int64_t low = oneIn(4) ? pick(-12, 5) : 0;
  CaseSymbol symbol{{low, low + pick(0, 3) * pick(0, 5) + pick(0, 7)}};
  if (isWide && oneIn(2))
    symbol.bounds.high = low + (int64_t(1) << pick(20, 61));
  else if (oneIn(8))
    symbol.bounds.high = low + pick(0, 400);
  symbol.isDeclared = isWide || !oneIn(12);
  return symbol;
}

/// Small numbers with common factors, of either sign.
Tree Generator::number() {
  static const int64_t numbers[] = {1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 10, 12, 16};
  int64_t value = numbers[pick(0, std::size(numbers) - 1)];
  if (isWide && oneIn(4))
    value *= int64_t(1) << pick(10, 57);
  return constant(oneIn(5) ? -value : value);
}

Tree Generator::integer(unsigned depth) {
  if (!integers.empty() && oneIn(5))
    return integers[pick(0, integers.size() - 1)];
  Tree tree = anyInteger(depth);
  if (depth != 0)
    integers.push_back(tree);
  return tree;
}

Tree Generator::anyInteger(unsigned depth) {
  if (depth == 0)
    return oneIn(5) ? constant(pick(-9, 20)) : symbol();
  auto rest = [&] { return integer(pick(0, depth - 1)); };
  switch (pick(0, 14)) {
  case 0:
  case 1:
  case 2:
    return make(IndexOp::Add, integer(depth - 1), rest());
  case 3:
    return make(IndexOp::Sub, integer(depth - 1), rest());
  case 4:
    return make(IndexOp::Mul, integer(depth - 1), oneIn(6) ? rest() : factor());
  case 5:
    return make(IndexOp::Mul, integer(depth - 1), factor());
  case 6:
    return make(oneIn(5) ? IndexOp::CeilDiv : IndexOp::FloorDiv,
                integer(depth - 1), divisor());
  case 7:
    return make(IndexOp::FloorDiv, integer(depth - 1), divisor());
  case 8:
  case 9:
    return make(IndexOp::FloorMod, integer(depth - 1), divisor());
  case 10:
    return make(oneIn(2) ? IndexOp::Min : IndexOp::Max, integer(depth - 1),
                rest());
  case 11:
    return choice(depth);
  case 12:
    return congruence(depth);
  default:
    return digits(depth);
  }
}

/// Digits of one number, put together again, all of them or most, with the
/// right weights or nearly, each perhaps tiled and shifted.
Tree Generator::digits(unsigned depth) {
  Tree whole = integer(depth - 1);
  int64_t factorOfAll = oneIn(3) ? pick(-3, 8) : 1;
  int64_t step = oneIn(4) ? pick(2, 5) : 1;
  unsigned numDigits = pick(2, 4);
  bool isTiled = oneIn(4);
  int64_t tile = pick(2, 4);
  std::vector<Tree> parts;
  int64_t below = 1;
  for (unsigned i = 0; i < numDigits; ++i) {
    bool isLast = i + 1 == numDigits;
    int64_t radix = pick(2, 7);
    Tree digit = whole;
    if (below * step != 1)
      digit = make(IndexOp::FloorDiv, digit, constant(below * step));
    if (!isLast || oneIn(4))
      digit = make(IndexOp::FloorMod, digit, constant(radix));
    int64_t weight = below * factorOfAll;
    if (oneIn(16))
      weight += pick(-1, 1);
    if (isTiled)
      digit = make(IndexOp::Add, make(IndexOp::Mul, digit, constant(tile)),
                   symbol());
    if (weight != 1)
      digit = make(IndexOp::Mul, digit, constant(weight));
    below *= radix;
    if (!oneIn(16))
      parts.push_back(digit);
  }
  for (size_t i = parts.size(); i > 1; --i)
    std::swap(parts[i - 1], parts[pick(0, i - 1)]);
  Tree sum = constant(pick(-2, 2));
  for (Tree &part : parts)
    sum = make(IndexOp::Add, sum, part);
  if (oneIn(3))
    sum = make(oneIn(2) ? IndexOp::FloorDiv : IndexOp::FloorMod, sum,
               constant(oneIn(2) ? below : pick(2, 12)));
  return sum;
}

/// A sum with factors around a modulus.
Tree Generator::congruence(unsigned depth) {
  int64_t modulus = pick(2, 60);
  Tree sum = constant(pick(-modulus, 2 * modulus));
  for (int64_t i = pick(1, 3); i != 0; --i)
    sum = make(IndexOp::Add, sum,
               make(IndexOp::Mul, i == 1 ? integer(depth - 1) : symbol(),
                    constant(pick(-2, 2) * modulus + pick(-3, 3))));
  return make(oneIn(2) ? IndexOp::FloorMod : IndexOp::FloorDiv, sum,
              constant(modulus));
}

/// A choice whose operands may be decided by what chooses them.
Tree Generator::choice(unsigned depth) {
  Tree chooser = condition(depth - 1);
  Tree a = integer(depth - 1), b = integer(pick(0, depth - 1));
  if (oneIn(3))
    a = {IndexOp::Select, 0, {chooser, a, integer(0)}};
  if (oneIn(3)) {
    conditions.push_back(chooser);
    b = {IndexOp::Select, 0, {condition(depth - 1), b, integer(0)}};
  }
  return {IndexOp::Select, 0, {chooser, a, b}};
}

Tree Generator::condition(unsigned depth) {
  if (!conditions.empty() && oneIn(5))
    return conditions[pick(0, conditions.size() - 1)];
  Tree tree = anyCondition(depth);
  conditions.push_back(tree);
  return tree;
}

Tree Generator::anyCondition(unsigned depth) {
  int64_t kind = pick(0, depth == 0 ? 6 : 10);
  if (kind == 6 && numBools != 0)
    return {IndexOp::BoolSymbol, numIntegers + pick(0, numBools - 1)};
  if (kind == 7 || kind == 8)
    return make(IndexOp::And, condition(depth - 1), condition(depth - 1));
  if (kind == 9)
    return make(IndexOp::Or, condition(depth - 1), condition(depth - 1));
  if (kind == 10)
    return {IndexOp::Not, 0, {condition(depth - 1)}};
  return make(IndexOp(int(IndexOp::Less) + pick(0, 5)), integer(depth),
              oneIn(3) ? integer(depth) : constant(pick(-9, 30)));
}

Case Generator::generate() {
  isWide = oneIn(8);
  numIntegers = pick(1, 4);
  numBools = pick(0, 1);
  Case result;
  for (int64_t i = 0; i < numIntegers; ++i) {
    result.symbols.push_back(makeSymbol());
    // As a range is less than its extent.
    if (i != 0 && oneIn(6))
      result.symbols.back().limit = pick(0, i - 1);
  }
  for (int64_t i = 0; i < numBools; ++i)
    result.symbols.push_back({{0, 1}});
  unsigned depth = pick(1, 5);
  if (oneIn(5))
    result.condition = condition(pick(0, 1));
  result.expr = oneIn(5) ? condition(depth) : integer(depth);
  return result;
}

Case uop::test::generateCase(uint64_t seed) {
  return Generator(seed).generate();
}
