//===- BijectionTest.cpp - Every point once, proved -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splitting, padding and folding replace an axis by an expression of other
// ranges, under masks. MLIR's Presburger library proves, for static shapes,
// that blocks, threads and copies reach each point of the axes, and reach it
// once. The map is read off the indices of the store, so this is about the
// kernel that comes out and not about how it was made.
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/FreeRanges.h"
#include "Uop/Transforms/Mapping.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/PresburgerRelation.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace uop;
using presburger::BoundType;
using presburger::IntegerPolyhedron;
using presburger::PresburgerSet;
using presburger::PresburgerSpace;
using presburger::VarKind;

namespace {

/// A linear expression over the variables of a set; the last coefficient is the
/// constant. Missing ones, of variables that came later, are 0.
using Linear = SmallVector<int64_t>;

/// Points of a domain as variables of a set, and what is computed from them.
class PointSet {
public:
  /// The first variables are free; then come those of the points.
  PointSet(unsigned numFree, unsigned numPoints, RangeList domain)
      : set(PresburgerSpace::getSetSpace(numFree + numPoints * domain.size())),
        numFree(numFree), domain(domain) {
    for (unsigned point = 0; point < numPoints; ++point)
      for (auto [number, range] : llvm::enumerate(domain)) {
        unsigned variable = getVariable(point, number);
        set.addBound(BoundType::LB, variable, 0);
        set.addBound(BoundType::UB, variable, *range.getConstantExtent() - 1);
      }
  }

  unsigned getVariable(unsigned point, unsigned range) const {
    return numFree + point * domain.size() + range;
  }

  /// An index at a point; quotients become further variables.
  Linear evaluate(Value value, unsigned point) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return makeConstant(constant.getSExtValue());
    if (auto range = value.getDefiningOp<RangeOp>()) {
      Linear result = makeConstant(0);
      result[getVariable(point, llvm::find(domain, range) - domain.begin())] =
          1;
      return result;
    }
    Operation *op = value.getDefiningOp();
    Linear lhs = evaluate(op->getOperand(0), point);
    Linear rhs = evaluate(op->getOperand(1), point);
    if (isa<arith::AddIOp>(op))
      return combine(lhs, 1, rhs, 1);
    if (isa<arith::SubIOp>(op))
      return combine(lhs, 1, rhs, -1);
    if (isa<arith::MulIOp>(op))
      return isConstant(rhs) ? combine(lhs, rhs.back(), makeConstant(0), 1)
                             : combine(rhs, lhs.back(), makeConstant(0), 1);
    EXPECT_TRUE((isa<FloorDivOp, FloorModOp>(op) && isConstant(rhs)));
    int64_t divisor = rhs.back();
    set.addLocalFloorDiv(extend(lhs), divisor);
    Linear quotient = makeConstant(0);
    quotient[quotient.size() - 2] = 1;
    if (isa<FloorDivOp>(op))
      return quotient;
    return combine(lhs, 1, quotient, -divisor);
  }

  /// Restricts a point to where a mask of conjunctions holds.
  void addMask(Value mask, unsigned point) {
    if (!mask)
      return;
    Operation *op = mask.getDefiningOp();
    if (isa<arith::AndIOp>(op)) {
      addMask(op->getOperand(0), point);
      addMask(op->getOperand(1), point);
      return;
    }
    auto compare = cast<arith::CmpIOp>(op);
    Linear lhs = evaluate(compare.getLhs(), point);
    Linear rhs = evaluate(compare.getRhs(), point);
    Linear difference = combine(rhs, 1, lhs, -1);
    if (compare.getPredicate() == arith::CmpIPredicate::eq) {
      set.addEquality(difference);
      return;
    }
    EXPECT_EQ(compare.getPredicate(), arith::CmpIPredicate::slt);
    difference.back() -= 1;
    set.addInequality(difference);
  }

  void addEquality(const Linear &a, const Linear &b) {
    set.addEquality(combine(a, 1, b, -1));
  }
  Linear makeVariable(unsigned variable) {
    Linear result = makeConstant(0);
    result[variable] = 1;
    return result;
  }

  IntegerPolyhedron set;

private:
  Linear makeConstant(int64_t value) {
    Linear result(set.getNumVars() + 1, 0);
    result.back() = value;
    return result;
  }
  static bool isConstant(const Linear &a) {
    return llvm::all_of(ArrayRef(a).drop_back(),
                        [](int64_t c) { return c == 0; });
  }
  Linear extend(Linear a) {
    int64_t constant = a.pop_back_val();
    a.resize(set.getNumVars(), 0);
    a.push_back(constant);
    return a;
  }
  Linear combine(const Linear &a, int64_t by, const Linear &b, int64_t other) {
    Linear result = extend(a), right = extend(b);
    for (auto [x, y] : llvm::zip_equal(result, right))
      x = x * by + y * other;
    return result;
  }

  unsigned numFree;
  RangeList domain;
};

class BijectionTest : public ::testing::Test {
protected:
  BijectionTest() { context.loadDialect<UopDialect, arith::ArithDialect>(); }

  /// A kernel that fills memory of the given shape, an axis a dimension.
  KernelOp makeFill(ArrayRef<int64_t> shape) {
    std::string type = "memref<", ranges, indices;
    for (auto [number, size] : llvm::enumerate(shape)) {
      std::string name = "%i" + std::to_string(number);
      type += std::to_string(size) + "x";
      ranges += name + " = uop.range loop " + std::to_string(size) + "\n";
      indices += (number ? ", " : "") + name;
    }
    type += "i8>";
    module = parseSourceString<ModuleOp>(
        "uop.kernel @fill(%out: " + type + ") {\n" + ranges +
            "%one = arith.constant 1 : i8\nuop.store %one, %out[" + indices +
            "] : " + type + "\n}",
        &context);
    return *module->getOps<KernelOp>().begin();
  }

  static StoreOp getStore(KernelOp kernel) {
    return *kernel.getBodyBlock().getOps<StoreOp>().begin();
  }

  static bool proveInjective(StoreOp store);
  static bool proveOnto(StoreOp store, ArrayRef<int64_t> shape);
  static bool proveCount(StoreOp store, ArrayRef<int64_t> shape);
  static void checkDigits(ArrayRef<int64_t> widths, int64_t size);
  void checkSplitGrid(ArrayRef<int64_t> shape, size_t numDimensions);

  void check(ArrayRef<int64_t> shape, StringRef schedule) {
    SCOPED_TRACE(schedule.str());
    KernelOp kernel = makeFill(shape);
    auto attribute = dyn_cast_or_null<ScheduleAttr>(
        parseAttribute(("#uop.schedule<" + schedule + ">").str(), &context));
    ASSERT_TRUE(attribute);
    IRRewriter rewriter(&context);
    ASSERT_TRUE(succeeded(applySchedule(rewriter, kernel, attribute)));
    ASSERT_TRUE(succeeded(verify(*module)));
    EXPECT_TRUE(proveInjective(getStore(kernel)));
    EXPECT_TRUE(shape.size() == 1 ? proveOnto(getStore(kernel), shape)
                                  : proveCount(getStore(kernel), shape));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

/// No two points of the domain with equal images: of two that differ, the first
/// range in which they do is larger in one of them.
bool BijectionTest::proveInjective(StoreOp store) {
  RangeList domain = getRanges(store.getOver());
  PointSet points(0, 2, domain);
  for (unsigned point : {0, 1})
    points.addMask(store.getMask(), point);
  for (Value index : store.getIndices()) {
    Linear first = points.evaluate(index, 0);
    points.addEquality(first, points.evaluate(index, 1));
  }
  for (unsigned number = 0; number < domain.size(); ++number) {
    IntegerPolyhedron distinct = points.set;
    auto addDifference = [&](unsigned range, bool isEqual) {
      SmallVector<int64_t> row(distinct.getNumVars() + 1, 0);
      row[points.getVariable(1, range)] = 1;
      row[points.getVariable(0, range)] = -1;
      row.back() = isEqual ? 0 : -1;
      if (isEqual)
        distinct.addEquality(row);
      else
        distinct.addInequality(row);
    };
    for (unsigned before = 0; before < number; ++before)
      addDifference(before, /*isEqual=*/true);
    addDifference(number, /*isEqual=*/false);
    if (!distinct.isIntegerEmpty())
      return false;
  }
  return true;
}

/// No point of the shape without a point of the domain that stores to it, by
/// subtracting the image from the shape.
bool BijectionTest::proveOnto(StoreOp store, ArrayRef<int64_t> shape) {
  PointSet points(shape.size(), 1, getRanges(store.getOver()));
  IntegerPolyhedron box(PresburgerSpace::getSetSpace(shape.size()));
  points.addMask(store.getMask(), 0);
  for (auto [dim, index] : llvm::enumerate(store.getIndices())) {
    Linear image = points.evaluate(index, 0);
    points.addEquality(points.makeVariable(dim), image);
    box.addBound(BoundType::LB, dim, 0);
    box.addBound(BoundType::UB, dim, shape[dim] - 1);
  }
  points.set.convertVarKind(VarKind::SetDim, shape.size(),
                            points.set.getNumDimVars(), VarKind::Local);
  PresburgerSet image(points.set), all(box);
  return all.subtract(image).isIntegerEmpty() &&
         image.subtract(all).isIntegerEmpty();
}

/// Whether a mask of conjunctions holds, by values of the ranges.
static int64_t evaluateAt(Value value,
                          const llvm::DenseMap<Value, int64_t> &at) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (auto it = at.find(value); it != at.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  int64_t a = evaluateAt(op->getOperand(0), at);
  int64_t b = evaluateAt(op->getOperand(1), at);
  if (isa<arith::AddIOp>(op))
    return a + b;
  if (isa<arith::MulIOp>(op))
    return a * b;
  if (isa<FloorDivOp>(op))
    return a / b;
  if (isa<FloorModOp>(op))
    return a % b;
  return isa<arith::AndIOp>(op) ? a && b : a < b;
}

/// As many points in the domain as in the shape, whose images all are in it:
/// with injectivity that is a bijection. Subtracting sets takes too long where
/// five axes are folded.
bool BijectionTest::proveCount(StoreOp store, ArrayRef<int64_t> shape) {
  RangeList domain = getRanges(store.getOver());
  for (auto [dim, index] : llvm::enumerate(store.getIndices()))
    for (bool isBelow : {true, false}) {
      PointSet points(0, 1, domain);
      points.addMask(store.getMask(), 0);
      Linear outside = points.evaluate(index, 0);
      for (int64_t &coefficient : outside)
        coefficient = isBelow ? -coefficient : coefficient;
      outside.back() += isBelow ? -1 : -shape[dim];
      points.set.addInequality(outside);
      if (!points.set.isIntegerEmpty())
        return false;
    }
  int64_t wanted = 1, found = 0, total = 1;
  for (int64_t size : shape)
    wanted *= size;
  for (RangeOp range : domain)
    total *= *range.getConstantExtent();
  if (!store.getMask())
    return total == wanted;
  for (int64_t point = 0; point < total; ++point) {
    llvm::DenseMap<Value, int64_t> at;
    int64_t rest = point;
    for (RangeOp range : domain) {
      at[range.getResult()] = rest % *range.getConstantExtent();
      rest /= *range.getConstantExtent();
    }
    found += evaluateAt(store.getMask(), at);
  }
  return found == wanted;
}

//===----------------------------------------------------------------------===//
// Grids that are too long for one dimension
//===----------------------------------------------------------------------===//
//
// Where all blocks are numbered along one line, the number is what block
// indices and axes have in common: its digits in two systems of mixed radix.
// The library does not come to an end on the composition of the two, whose
// divisors are large and share no factor. But a digit at a time it does: that
// n -> (n // w, n mod w) is a bijection, of the numbers below a size to the
// pairs whose number w * q + r is below it. That the steps of a system compose,
// and that the kernel has these digits, is read off its indices here.

/// Whether no point of the set has a row of `constraints`, each a linear
/// expression, of at least 0.
static bool areNever(const IntegerPolyhedron &set,
                     ArrayRef<Linear> constraints) {
  return llvm::all_of(constraints, [&](const Linear &constraint) {
    IntegerPolyhedron violated = set;
    violated.addInequality(constraint);
    return violated.isIntegerEmpty();
  });
}

/// The step from numbers below `size` to quotients and remainders by `width`.
static bool proveStep(int64_t size, int64_t width) {
  // n; then n // width. Neither number is out of its bounds.
  IntegerPolyhedron numbers(PresburgerSpace::getSetSpace(1));
  numbers.addBound(BoundType::LB, 0, 0);
  numbers.addBound(BoundType::UB, 0, size - 1);
  numbers.addLocalFloorDiv(Linear{1, 0}, width);
  int64_t last = (size - 1) / width;
  if (!areNever(numbers, {{0, -1, -1},
                          {0, 1, -last - 1},
                          {-1, width, -1},
                          {1, -width, -width}}))
    return false;
  // q and r; then (width * q + r) // width, which is no other than q. The
  // number of the pair from n is n: width * q + (n - width * q).
  IntegerPolyhedron pairs(PresburgerSpace::getSetSpace(2));
  pairs.addBound(BoundType::LB, 0, 0);
  pairs.addBound(BoundType::UB, 0, last);
  pairs.addBound(BoundType::LB, 1, 0);
  pairs.addBound(BoundType::UB, 1, width - 1);
  pairs.addInequality(Linear{-width, -1, size - 1});
  pairs.addLocalFloorDiv(Linear{width, 1, 0}, width);
  return areNever(pairs, {{1, 0, -1, -1}, {-1, 0, 1, -1}});
}

/// Of numbers below `size`, (n // inner) // outer is n // (inner * outer).
static bool proveNested(int64_t size, int64_t inner, int64_t outer) {
  IntegerPolyhedron numbers(PresburgerSpace::getSetSpace(1));
  numbers.addBound(BoundType::LB, 0, 0);
  numbers.addBound(BoundType::UB, 0, size - 1);
  numbers.addLocalFloorDiv(Linear{1, 0}, inner);
  numbers.addLocalFloorDiv(Linear{0, 1, 0}, outer);
  numbers.addLocalFloorDiv(Linear{1, 0, 0, 0}, inner * outer);
  return areNever(numbers, {{0, 0, 1, -1, -1}, {0, 0, -1, 1, -1}});
}

/// The digits of the numbers below `size`, the innermost of which is below the
/// last of the widths, and so on; the outermost, above all of these, is what is
/// left.
void BijectionTest::checkDigits(ArrayRef<int64_t> widths, int64_t size) {
  for (int64_t width : llvm::reverse(widths)) {
    EXPECT_TRUE(proveStep(size, width)) << size << " by " << width;
    size = (size - 1) / width + 1;
  }
}

/// Maps a kernel that fills memory, of more blocks than x can have.
void BijectionTest::checkSplitGrid(ArrayRef<int64_t> shape,
                                   size_t numDimensions) {
  KernelOp kernel = makeFill(shape);
  IRRewriter rewriter(&context);
  ASSERT_TRUE(succeeded(applySchedule(
      rewriter, kernel, ScheduleAttr::get(&context, {}, UpcastLayout::GPU))));
  ASSERT_TRUE(succeeded(verify(*module)));
  StoreOp store = getStore(kernel);
  int64_t total = 1;
  for (int64_t size : shape)
    total *= size;

  // The number of a block is masked to be below that of all blocks.
  auto mask = store.getMask().getDefiningOp<arith::CmpIOp>();
  ASSERT_TRUE(mask);
  ASSERT_EQ(mask.getPredicate(), arith::CmpIPredicate::slt);
  APInt limit;
  ASSERT_TRUE(matchPattern(mask.getRhs(), m_ConstantInt(&limit)));
  ASSERT_EQ(limit.getSExtValue(), total);
  Value number = mask.getLhs();

  // It has the block indices for digits, all below their extents: the factor of
  // each is the product of the extents of those inside of it.
  RangeList domain = getRanges(store.getOver());
  ASSERT_EQ(domain.size(), numDimensions);
  PointSet points(0, 1, domain);
  Linear factors = points.evaluate(number, 0);
  ASSERT_EQ(factors.size(), domain.size() + 1);
  EXPECT_EQ(factors.back(), 0);
  SmallVector<std::pair<int64_t, int64_t>> blocks;
  for (auto [position, range] : llvm::enumerate(domain))
    blocks.push_back({factors[position], *range.getConstantExtent()});
  llvm::sort(blocks, std::greater<>());
  int64_t factor = 1;
  SmallVector<int64_t> extents;
  for (auto [own, extent] : llvm::reverse(blocks)) {
    EXPECT_EQ(own, factor);
    factor *= extent;
    extents.insert(extents.begin(), extent);
  }
  EXPECT_GE(factor, total);
  checkDigits(ArrayRef(extents).drop_front(), total);

  // And the axes: their indices are its digits (n // width) mod size, of which
  // the outermost needs no remainder.
  checkDigits(shape.drop_front(), total);
  int64_t width = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    Value index = store.getIndices()[dim];
    auto expectConstant = [](Value value, int64_t expected) {
      APInt constant;
      ASSERT_TRUE(matchPattern(value, m_ConstantInt(&constant)));
      EXPECT_EQ(constant.getSExtValue(), expected);
    };
    if (dim != 0) {
      auto remainder = index.getDefiningOp<FloorModOp>();
      ASSERT_TRUE(remainder);
      expectConstant(remainder.getRhs(), shape[dim]);
      index = remainder.getLhs();
    }
    if (width != 1) {
      auto quotient = index.getDefiningOp<FloorDivOp>();
      ASSERT_TRUE(quotient);
      expectConstant(quotient.getRhs(), width);
      index = quotient.getLhs();
    }
    EXPECT_EQ(index, number);
    // Dividing by the width is dividing by the sizes inside, one by one.
    if (dim != 0 && width != 1) {
      EXPECT_TRUE(proveNested(total, width, shape[dim]));
    }
    width *= shape[dim];
  }
}

// A step by a width that is not that of the digits is no bijection, and the
// proof of nested quotients can fail.
TEST_F(BijectionTest, FindsWrongDigits) {
  EXPECT_TRUE(proveStep(4900140001, 70001));
  IntegerPolyhedron numbers(PresburgerSpace::getSetSpace(1));
  numbers.addBound(BoundType::LB, 0, 0);
  numbers.addBound(BoundType::UB, 0, 4900140000);
  numbers.addLocalFloorDiv(Linear{1, 0}, 70001);
  // Some quotient is 70000, none is 70001.
  EXPECT_FALSE(areNever(numbers, {Linear{0, 1, -70000}}));
  EXPECT_TRUE(areNever(numbers, {Linear{0, 1, -70001}}));
}

// More than 2^31 - 1 blocks: over two dimensions of the grid, and over three.
TEST_F(BijectionTest, SplitsLongGrids) {
  checkSplitGrid({70001, 70001}, 2);
  checkSplitGrid({2, 3, 70001, 70001}, 2);
  checkSplitGrid({2, 70001, 2147483647}, 3);
}

// What the proofs say of maps that are no bijections.
TEST_F(BijectionTest, FindsCollisionsAndGaps) {
  auto parse = [&](StringRef index, int64_t size) {
    module = parseSourceString<ModuleOp>(
        ("uop.kernel @k(%out: memref<64xi8>) {\n"
         "%i = uop.range loop 4\n%j = uop.range loop 4\n"
         "%c2 = arith.constant 2 : index\n%c4 = arith.constant 4 : index\n"
         "%c5 = arith.constant 5 : index\n"
         "%a = arith.muli %i, " +
         index +
         " : index\n"
         "%b = arith.addi %a, %j : index\n%one = arith.constant 1 : i8\n"
         "uop.store %one, %out[%b] unique : memref<64xi8>\n}")
            .str(),
        &context);
    StoreOp store = getStore(*module->getOps<KernelOp>().begin());
    return std::pair(proveInjective(store), proveOnto(store, {size}));
  };
  EXPECT_EQ(parse("%c4", 16), std::pair(true, true));
  EXPECT_EQ(parse("%c2", 10), std::pair(false, true));
  EXPECT_EQ(parse("%c5", 19), std::pair(true, false));
}

// One axis of a composite, a prime and a small size, in both layouts.
TEST_F(BijectionTest, Splits) {
  for (int64_t size : {1, 2, 12, 13, 64, 70, 1009})
    for (StringRef opts :
         {"[LOCAL 0:4]", "[UPCAST 0:3]", "[LOCAL 0:4, UPCAST 0:3]",
          "[LOCAL 0:8, UPCAST 0:2, VECTORIZE 0:4]", "[LOCAL 0:7, PADTO 0:10]"})
      for (StringRef layout : {"gpu", "cpu"})
        check({size}, (opts + ", upcast_layout = " + layout).str());
}

// Five axes on three dimensions, with and without tiles and tails.
TEST_F(BijectionTest, Folds) {
  check({2, 3, 4, 5, 6}, "[]");
  check({3, 5, 7, 11, 13}, "[]");
  check({1, 5, 1, 11, 13}, "[]");
  check({3, 5, 7, 11, 13}, "[LOCAL 4:4, LOCAL 3:4]");
  check({4, 2, 2, 4, 2},
        "[LOCAL 0:2, LOCAL 1:2, LOCAL 2:2, LOCAL 3:2, LOCAL 4:2]");
  check({3, 5, 7, 11, 13}, "[LOCAL 4:8, UPCAST 3:2, UPCAST 0:3, SWAP 0:4]");
}

// Beyond the limits of a dimension: 65535 along y, and 2^31 - 1 along x.
TEST_F(BijectionTest, RespectsLimits) {
  check({2, 70001, 3}, "[]");
  check({2, 70001, 3}, "[LOCAL 2:2]");
  check({2, 3, 70001}, "[LOCAL 2:32, SWAP 0:2]");
}

// Merged axes, whose tile need not divide any of them.
TEST_F(BijectionTest, Merges) {
  check({4, 5, 6}, "[MERGE 0:3]");
  check({4, 5, 6}, "[MERGE 0:3, LOCAL 0:32]");
  check({4, 5, 6}, "[MERGE 1:2, LOCAL 1:7, UPCAST 0:3]");
}
