//===- InjectivityTest.cpp - Injectivity against brute force --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/Injectivity.h"
#include "GraphBuilder.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace uop;

/// The value of an index at values of the ranges.
static int64_t evaluate(Value value,
                        const llvm::DenseMap<Value, int64_t> &point) {
  if (auto it = point.find(value); it != point.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast<arith::ConstantIndexOp>(op))
    return constant.value();
  int64_t lhs = evaluate(op->getOperand(0), point);
  int64_t rhs = evaluate(op->getOperand(1), point);
  if (isa<arith::AddIOp>(op))
    return lhs + rhs;
  if (isa<arith::SubIOp>(op))
    return lhs - rhs;
  if (isa<arith::MulIOp>(op))
    return lhs * rhs;
  int64_t quotient = lhs / rhs;
  if (lhs % rhs != 0 && (lhs < 0) != (rhs < 0))
    --quotient;
  return isa<FloorDivOp>(op) ? quotient : lhs - rhs * quotient;
}

using Point = SmallVector<int64_t>;

static Point evaluateAll(ArrayRef<Value> indices, ArrayRef<RangeOp> domain,
                         ArrayRef<int64_t> point) {
  llvm::DenseMap<Value, int64_t> values;
  for (auto [range, value] : llvm::zip_equal(domain, point))
    values[RangeOp(range).getResult()] = value;
  Point result;
  for (Value index : indices)
    result.push_back(evaluate(index, values));
  return result;
}

/// Each point of a domain, in order.
static std::vector<Point> getPoints(ArrayRef<RangeOp> domain) {
  std::vector<Point> points{{}};
  for (RangeOp range : domain) {
    std::vector<Point> longer;
    for (const Point &point : points)
      for (int64_t i = 0; i < *range.getConstantExtent(); ++i) {
        longer.push_back(point);
        longer.back().push_back(i);
      }
    points = longer;
  }
  return points;
}

namespace {

/// Small random index lists over small random domains.
class RandomIndices {
public:
  RandomIndices(GraphBuilder &graph, unsigned seed)
      : graph(graph), random(seed) {}

  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  RangeList makeDomain() {
    RangeList domain;
    for (int64_t i = pick(0, 3); i > 0; --i)
      domain.push_back(graph.range(AxisKind::Loop, pick(pick(0, 1), 5)));
    return domain;
  }
  SmallVector<Value> makeIndices(ArrayRef<RangeOp> domain, int64_t rank) {
    SmallVector<Value> indices;
    for (int64_t i = 0; i < rank; ++i)
      indices.push_back(makeIndex(domain, 3));
    return indices;
  }

private:
  Value makeIndex(ArrayRef<RangeOp> domain, unsigned depth) {
    if (depth == 0 || pick(0, 5) == 0) {
      if (domain.empty() || pick(0, 5) == 0)
        return graph.constant(pick(-4, 4));
      return RangeOp(domain[pick(0, domain.size() - 1)]);
    }
    Value lhs = makeIndex(domain, depth - 1);
    int64_t divisor = pick(1, 4) * (pick(0, 3) == 0 ? -1 : 1);
    switch (pick(0, 5)) {
    case 0:
    case 1:
      return graph.make<arith::AddIOp>(lhs, makeIndex(domain, depth - 1));
    case 2:
      return graph.make<arith::SubIOp>(lhs, makeIndex(domain, depth - 1));
    case 3:
      return graph.make<arith::MulIOp>(lhs, graph.constant(pick(-3, 5)));
    case 4:
      return graph.make<FloorDivOp>(lhs, graph.constant(divisor));
    default:
      return graph.make<FloorModOp>(lhs, graph.constant(divisor));
    }
  }

  GraphBuilder &graph;
  std::mt19937 random;
};

} // namespace

TEST(InjectivityTest, CollisionsAgreeWithBruteForce) {
  unsigned numKnown = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    GraphBuilder graph;
    RandomIndices random(graph, seed);
    RangeList domain = random.makeDomain();
    SmallVector<Value> indices = random.makeIndices(domain, random.pick(0, 3));
    bool repeats = false;
    std::map<Point, Point> seen;
    for (const Point &point : getPoints(domain))
      repeats |=
          !seen.try_emplace(evaluateAll(indices, domain, point), point).second;

    FreeRanges freeRanges;
    Collision collision = findCollision(indices, domain, freeRanges);
    if (collision.kind == Collision::Kind::Unknown)
      continue;
    ++numKnown;
    EXPECT_EQ(collision.kind == Collision::Kind::Found, repeats);
    if (collision.kind != Collision::Kind::Found)
      continue;
    EXPECT_NE(collision.first, collision.second);
    EXPECT_EQ(evaluateAll(indices, domain, collision.first),
              evaluateAll(indices, domain, collision.second));
    for (auto [range, a, b] :
         llvm::zip_equal(domain, collision.first, collision.second)) {
      EXPECT_GE(std::min(a, b), 0);
      EXPECT_LT(std::max(a, b), *range.getConstantExtent());
    }
  }
  // Constants that are not folded yet count as unknown; the rest is decided.
  EXPECT_GT(numKnown, 1300u);
}

/// Whether a mask, a conjunction of comparisons, holds at values of the ranges.
static bool holds(Value mask, const llvm::DenseMap<Value, int64_t> &point) {
  Operation *op = mask.getDefiningOp();
  if (isa<arith::AndIOp>(op))
    return holds(op->getOperand(0), point) && holds(op->getOperand(1), point);
  auto compare = cast<arith::CmpIOp>(op);
  int64_t lhs = evaluate(compare.getLhs(), point);
  int64_t rhs = evaluate(compare.getRhs(), point);
  return arith::applyCmpPredicate(compare.getPredicate(), APInt(64, lhs, true),
                                  APInt(64, rhs, true));
}

TEST(InjectivityTest, MaskedCollisionsAgreeWithBruteForce) {
  unsigned numImpossible = 0, numKnown = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    GraphBuilder graph;
    RandomIndices random(graph, seed);
    RangeList domain = random.makeDomain();
    SmallVector<Value> indices = random.makeIndices(domain, random.pick(1, 3));
    Value mask;
    for (int64_t i = random.pick(1, 3); i > 0; --i) {
      auto predicate = arith::CmpIPredicate(random.pick(0, 9));
      SmallVector<Value> sides = random.makeIndices(domain, 2);
      if (random.pick(0, 2) != 0)
        sides[1] = graph.constant(random.pick(-2, 8));
      Value part = arith::CmpIOp::create(graph.builder, graph.loc, predicate,
                                         sides[0], sides[1]);
      mask = mask ? graph.make<arith::AndIOp>(mask, part) : part;
    }
    auto holdsAt = [&](ArrayRef<int64_t> point) {
      llvm::DenseMap<Value, int64_t> values;
      for (auto [range, value] : llvm::zip_equal(domain, point))
        values[RangeOp(range).getResult()] = value;
      return holds(mask, values);
    };
    bool repeats = false;
    std::set<Point> seen;
    for (const Point &point : getPoints(domain))
      if (holdsAt(point))
        repeats |= !seen.insert(evaluateAll(indices, domain, point)).second;

    FreeRanges freeRanges;
    Collision collision = findCollision(indices, domain, freeRanges, mask);
    if (collision.kind == Collision::Kind::Unknown)
      continue;
    ++numKnown;
    numImpossible += collision.kind == Collision::Kind::Impossible;
    EXPECT_EQ(collision.kind == Collision::Kind::Found, repeats);
    if (collision.kind != Collision::Kind::Found)
      continue;
    EXPECT_TRUE(holdsAt(collision.first));
    EXPECT_TRUE(holdsAt(collision.second));
    EXPECT_NE(collision.first, collision.second);
    EXPECT_EQ(evaluateAll(indices, domain, collision.first),
              evaluateAll(indices, domain, collision.second));
  }
  EXPECT_GT(numKnown, 1000u);
  EXPECT_GT(numImpossible, 500u);
}

/// The tail of an axis: j = 32 * g + l is below 100, and so a digit of the flat
/// index 100 * i + j, as large as one by one the digits g and l are not.
TEST(InjectivityTest, MaskedSumIsADigit) {
  GraphBuilder graph;
  RangeList domain{graph.range(AxisKind::Loop, 3),
                   graph.range(AxisKind::Loop, 4),
                   graph.range(AxisKind::Loop, 32)};
  auto scale = [&](Value value, int64_t factor) -> Value {
    return graph.make<arith::MulIOp>(value, graph.constant(factor));
  };
  Value j = graph.make<arith::AddIOp>(scale(domain[1], 32), domain[2]);
  Value flat = graph.make<arith::AddIOp>(scale(domain[0], 100), j);
  auto isBelow = [&](int64_t bound) -> Value {
    return arith::CmpIOp::create(graph.builder, graph.loc,
                                 arith::CmpIPredicate::slt, j,
                                 graph.constant(bound));
  };
  FreeRanges freeRanges;
  auto find = [&](Value mask) {
    return findCollision(flat, domain, freeRanges, mask).kind;
  };
  EXPECT_EQ(find({}), Collision::Kind::Found);
  EXPECT_EQ(find(isBelow(100)), Collision::Kind::Impossible);
  // One more is element 0 of the next row.
  EXPECT_EQ(find(isBelow(101)), Collision::Kind::Found);
  // A condition on data: whether it holds there is not known.
  Value number = arith::IndexCastOp::create(
      graph.builder, graph.loc, graph.builder.getI32Type(), graph.argument(1));
  Value data = arith::CmpIOp::create(graph.builder, graph.loc,
                                     arith::CmpIPredicate::eq, number, number);
  Value both = graph.make<arith::AndIOp>(isBelow(101), data);
  EXPECT_EQ(find(both), Collision::Kind::Unknown);
}

TEST(InjectivityTest, OverlapsAgreeWithBruteForce) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    GraphBuilder graph;
    RandomIndices random(graph, seed);
    // Of domains that may have ranges in common.
    RangeList first = random.makeDomain(), second = random.makeDomain();
    if (!first.empty() && random.pick(0, 1))
      second.push_back(first.front());
    int64_t rank = random.pick(0, 2);
    SmallVector<Value> firstIndices = random.makeIndices(first, rank);
    SmallVector<Value> secondIndices = random.makeIndices(second, rank);
    bool overlaps = false;
    std::map<Point, Point> seen;
    for (const Point &point : getPoints(first))
      seen.try_emplace(evaluateAll(firstIndices, first, point), point);
    for (const Point &point : getPoints(second))
      overlaps |= seen.count(evaluateAll(secondIndices, second, point));

    FreeRanges freeRanges;
    Collision overlap =
        findOverlap(firstIndices, first, secondIndices, second, freeRanges);
    if (overlap.kind == Collision::Kind::Unknown)
      continue;
    EXPECT_EQ(overlap.kind == Collision::Kind::Found, overlaps);
    if (overlap.kind == Collision::Kind::Found)
      EXPECT_EQ(evaluateAll(firstIndices, first, overlap.first),
                evaluateAll(secondIndices, second, overlap.second));
  }
}

TEST(InjectivityTest, LayoutsAgreeWithBruteForce) {
  std::mt19937 random(0);
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  };
  for (unsigned round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    SmallVector<int64_t> shape, strides;
    for (int64_t i = pick(0, 4); i > 0; --i) {
      shape.push_back(pick(pick(0, 1), 4));
      strides.push_back(pick(-12, 24));
    }
    std::vector<int64_t> offsets{0};
    for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
      std::vector<int64_t> more;
      for (int64_t offset : offsets)
        for (int64_t i = 0; i < size; ++i)
          more.push_back(offset + i * stride);
      offsets = more;
    }
    std::set<int64_t> distinct(offsets.begin(), offsets.end());
    EXPECT_EQ(overlapsItself(shape, strides),
              distinct.size() != offsets.size());
  }
}

/// More divisions than the solver is given, over few points, which are then
/// looked at one by one.
TEST(InjectivityTest, EnumeratesWhatIsTooHardForTheSolver) {
  GraphBuilder graph;
  RangeList domain{graph.range(AxisKind::Loop, 64),
                   graph.range(AxisKind::Loop, 64)};
  Value index = graph.make<arith::AddIOp>(
      graph.make<arith::MulIOp>(domain[0], graph.constant(64)), domain[1]);
  // v is 8 * (v floordiv 8) + v floormod 8: the same number, again and again.
  for (unsigned i = 0; i < 3; ++i) {
    Value c = graph.constant(8);
    index = graph.make<arith::AddIOp>(
        graph.make<arith::MulIOp>(graph.make<FloorDivOp>(index, c), c),
        graph.make<FloorModOp>(index, c));
  }
  FreeRanges freeRanges;
  EXPECT_EQ(findCollision(index, domain, freeRanges).kind,
            Collision::Kind::Impossible);
  Value half = graph.make<FloorDivOp>(index, graph.constant(2));
  Collision collision = findCollision(half, domain, freeRanges);
  EXPECT_EQ(collision.kind, Collision::Kind::Found);
  EXPECT_EQ(evaluateAll({half}, domain, collision.first),
            evaluateAll({half}, domain, collision.second));
}

/// With a dynamic extent: rows of n elements are apart, if n is the extent.
TEST(InjectivityTest, DynamicExtents) {
  GraphBuilder graph;
  RangeList domain{graph.range(AxisKind::Loop, OpFoldResult(graph.argument(0))),
                   graph.range(AxisKind::Loop, 8)};
  FreeRanges freeRanges;
  Value apart = graph.make<arith::AddIOp>(
      graph.make<arith::MulIOp>(domain[0], graph.constant(8)), domain[1]);
  EXPECT_EQ(findCollision(apart, domain, freeRanges).kind,
            Collision::Kind::Impossible);
  // Only for some extents: not proved, and no counterexample either.
  Value near = graph.make<arith::AddIOp>(
      graph.make<arith::MulIOp>(domain[0], graph.constant(7)), domain[1]);
  EXPECT_EQ(findCollision(near, domain, freeRanges).kind,
            Collision::Kind::Unknown);
}
