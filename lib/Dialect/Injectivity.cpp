//===- Injectivity.cpp - Do the indices of an access repeat? --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/Injectivity.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <map>
#include <numeric>

using namespace mlir;
using namespace uop;
using presburger::BoundType;

namespace {

/// The largest affine expression that is looked at: in nodes, and in the sum
/// of its coefficients, which stays far from overflow.
constexpr unsigned kMaxNodes = 2048;
constexpr double kMaxCoefficients = double(int64_t(1) << 52);

/// The divisions in the indices of a point that are given to the solver: each
/// is a variable, and its time grows steeply with them (0.2 s for 8, 20 s for
/// 14). Beyond that the points of a domain are enumerated, where they are few.
constexpr unsigned kMaxDivisions = 8;
constexpr int64_t kMaxPoints = 1 << 16;

/// The comparisons of a mask that are looked at, and how many divisions there
/// may be with theirs: inequalities make them harder.
constexpr unsigned kMaxComparisons = 16;
constexpr unsigned kMaxDivisionsWithMask = 5;

/// An affine expression and its size; null where a value is not affine.
struct Affine {
  AffineExpr expr;
  unsigned numNodes = 1;
  unsigned numDivisions = 0;
  double coefficients = 1;
};

/// Writes indices as affine expressions of the ranges of a domain (dimensions)
/// and of everything that does not vary over it (symbols).
class AffineBuilder {
public:
  AffineBuilder(ArrayRef<RangeOp> domain, unsigned firstDim,
                llvm::MapVector<Value, AffineExpr> &symbols,
                FreeRanges &freeRanges, MLIRContext *context)
      : context(context), symbols(symbols), freeRanges(freeRanges) {
    for (RangeOp range : domain)
      dims[range] = getAffineDimExpr(firstDim++, context);
  }

  /// The expression of `root`, with `domain[i]` as dimension `firstDim + i`;
  /// null where it is not affine.
  Affine build(Value root) {
    // In post-order with a stack of its own: expressions may be deep, and,
    // before dominance is verified, cyclic.
    SmallVector<Value> stack{root};
    llvm::DenseSet<Value> visited;
    while (!stack.empty()) {
      Value value = stack.back();
      if (known.contains(value)) {
        stack.pop_back();
        continue;
      }
      std::optional<Affine> leaf = buildLeaf(value);
      if (!leaf && visited.insert(value).second) {
        for (Value operand : value.getDefiningOp()->getOperands())
          stack.push_back(operand);
        continue;
      }
      Affine built = leaf ? *leaf : combine(value.getDefiningOp());
      if (built.numNodes > kMaxNodes || built.coefficients > kMaxCoefficients)
        built.expr = {};
      known[value] = built;
      stack.pop_back();
    }
    return known[root];
  }

private:
  /// The expression of a value without looking at operands; nothing where it
  /// has to.
  std::optional<Affine> buildLeaf(Value value) {
    if (auto it = dims.find(value); it != dims.end())
      return Affine{it->second};
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant))) {
      int64_t number = constant.getSExtValue();
      return Affine{getAffineConstantExpr(number, context), 1, 0,
                    std::abs(double(number))};
    }
    if (llvm::none_of(freeRanges.of(value), [&](RangeOp range) {
          return dims.contains(range.getResult());
        }))
      return Affine{getSymbol(value)};
    // Data arithmetic wraps: only index arithmetic is affine.
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp,
                         FloorDivOp, FloorModOp>(op) ||
        !value.getType().isIndex())
      return Affine{};
    return std::nullopt;
  }

  /// The expression of the result of an op, from those of its operands.
  Affine combine(Operation *op) {
    Affine lhs = known.lookup(op->getOperand(0));
    Affine rhs = known.lookup(op->getOperand(1));
    if (!lhs.expr || !rhs.expr)
      return {};
    Affine result{{},
                  lhs.numNodes + rhs.numNodes + 1,
                  lhs.numDivisions + rhs.numDivisions,
                  lhs.coefficients + rhs.coefficients};
    auto divisor = dyn_cast<AffineConstantExpr>(rhs.expr);
    if (isa<arith::AddIOp>(op)) {
      result.expr = lhs.expr + rhs.expr;
    } else if (isa<arith::SubIOp>(op)) {
      result.expr = lhs.expr - rhs.expr;
    } else if (isa<arith::MulIOp>(op)) {
      result.coefficients = lhs.coefficients * rhs.coefficients;
      // Before the product is made, which might overflow.
      if (result.coefficients <= kMaxCoefficients &&
          (divisor || isa<AffineConstantExpr>(lhs.expr)))
        result.expr = lhs.expr * rhs.expr;
    } else if (divisor && divisor.getValue() != 0) {
      // Affine division wants a positive divisor: a // -c is -a // c.
      int64_t number = divisor.getValue();
      AffineExpr quotient = number > 0 ? lhs.expr.floorDiv(number)
                                       : (-lhs.expr).floorDiv(-number);
      if (isa<FloorDivOp>(op))
        result.expr = quotient;
      else
        result.expr =
            number > 0 ? lhs.expr % number : lhs.expr - quotient * number;
      result.numNodes += lhs.numNodes;
      ++result.numDivisions;
    }
    return result;
  }

  AffineExpr getSymbol(Value value) {
    auto [it, isNew] = symbols.try_emplace(value);
    if (isNew)
      it->second = getAffineSymbolExpr(symbols.size() - 1, context);
    return it->second;
  }

  MLIRContext *context;
  llvm::MapVector<Value, AffineExpr> &symbols;
  FreeRanges &freeRanges;
  llvm::DenseMap<Value, AffineExpr> dims;
  llvm::DenseMap<Value, Affine> known;
};

/// One term of an index: a dimension times a coefficient.
struct Digit {
  int64_t coefficient;
  unsigned dim;
};

} // namespace

/// Whether digits that make up one index determine each of their dimensions:
/// sorted by coefficient, each exceeds the largest sum of all smaller ones. An
/// unknown extent may only be that of the largest.
static bool determineDigits(SmallVectorImpl<Digit> &digits,
                            ArrayRef<std::optional<int64_t>> extents) {
  llvm::sort(digits, [](const Digit &a, const Digit &b) {
    return a.coefficient < b.coefficient;
  });
  // In 128 bits, since coefficients and extents are any 64-bit numbers.
  __int128 largestSum = 0;
  for (const Digit &digit : digits) {
    if (largestSum < 0 || digit.coefficient <= largestSum)
      return false;
    if (!extents[digit.dim])
      largestSum = -1;
    else
      largestSum += __int128(digit.coefficient) * (*extents[digit.dim] - 1);
  }
  return true;
}

namespace {

/// The rule of digits over all indices: a dimension that one index determines
/// is known to the others. So is a sum of dimensions that a mask bounds: it is
/// a digit like any other, and determines its own digits in turn.
class DigitsRule {
public:
  DigitsRule(ArrayRef<std::optional<int64_t>> domain, unsigned numSymbols)
      : numDims(domain.size()), numSymbols(numSymbols), extents(domain) {}

  /// Adds expressions that are not negative at the points that count. False if
  /// there are no such points.
  bool addConditions(ArrayRef<AffineExpr> conditions);
  bool isInjective(ArrayRef<AffineExpr> indices);

private:
  using Row = SmallVector<int64_t>;

  /// The coefficients of dimensions, symbols and the constant; nothing where
  /// the expression has divisions.
  std::optional<Row> flatten(AffineExpr expr);
  Row substituteSums(Row row);

  unsigned numDims, numSymbols;
  /// Of the dimensions of the domain, then of the sums.
  SmallVector<std::optional<int64_t>> extents;
  SmallVector<Row> sums;
};

} // namespace

std::optional<DigitsRule::Row> DigitsRule::flatten(AffineExpr expr) {
  Row row;
  if (failed(getFlattenedAffineExpr(expr, numDims, numSymbols, &row)) ||
      row.size() != numDims + numSymbols + 1)
    return std::nullopt;
  return row;
}

/// Puts the sums that are known in the place of multiples of them.
DigitsRule::Row DigitsRule::substituteSums(Row row) {
  for (auto [number, sum] : llvm::enumerate(sums)) {
    row.resize(numDims + number, 0);
    int64_t factor = 0;
    bool isMultiple = true;
    for (auto [coefficient, part] : llvm::zip_equal(row, sum)) {
      if (part == 0)
        continue;
      if (factor == 0)
        factor = coefficient / part;
      isMultiple &= factor != 0 && coefficient % part == 0 &&
                    coefficient / part == factor;
    }
    if (isMultiple)
      for (auto [coefficient, part] : llvm::zip_equal(row, sum))
        coefficient = part == 0 ? coefficient : 0;
    row.push_back(isMultiple ? factor : 0);
  }
  return row;
}

bool DigitsRule::addConditions(ArrayRef<AffineExpr> conditions) {
  // Each says of a sum of dimensions that it is at most a constant.
  SmallVector<std::pair<Row, int64_t>> bounds;
  for (AffineExpr condition : conditions) {
    std::optional<Row> row = flatten(condition);
    if (!row ||
        llvm::any_of(ArrayRef(*row).slice(numDims, numSymbols),
                     [](int64_t coefficient) { return coefficient != 0; }))
      continue;
    int64_t largest = row->back(), divisor = 0;
    row->truncate(numDims);
    if (llvm::any_of(*row, [](int64_t coefficient) { return coefficient > 0; }))
      continue;
    if (largest < 0)
      return false;
    for (int64_t &coefficient : *row) {
      coefficient = -coefficient;
      divisor = std::gcd(divisor, coefficient);
    }
    if (divisor == 0 || largest == std::numeric_limits<int64_t>::max())
      continue;
    for (int64_t &coefficient : *row)
      coefficient /= divisor;
    bounds.push_back({*row, largest / divisor});
  }
  auto count = [](ArrayRef<int64_t> row) {
    return llvm::count_if(row, [](int64_t part) { return part != 0; });
  };
  // Short ones first, which may be parts of longer ones.
  for (unsigned length = 1; length <= numDims; ++length)
    for (auto &[bounded, largest] : bounds) {
      if (count(bounded) != length)
        continue;
      Row row = substituteSums(bounded);
      if (count(row) == 1) {
        auto *part = llvm::find_if(row, [](int64_t part) { return part != 0; });
        int64_t extent = largest / *part + 1;
        std::optional<int64_t> &known = extents[part - row.begin()];
        known = std::min(known.value_or(extent), extent);
        continue;
      }
      sums.push_back(row);
      extents.push_back(largest + 1);
    }
  return true;
}

bool DigitsRule::isInjective(ArrayRef<AffineExpr> indices) {
  unsigned numAll = extents.size();
  SmallVector<bool> determined(numAll, false);
  for (unsigned dim = 0; dim < numAll; ++dim)
    determined[dim] = extents[dim] && *extents[dim] <= 1;
  SmallVector<Row> rows;
  for (AffineExpr index : indices) {
    std::optional<Row> row = flatten(index);
    if (!row)
      continue;
    row->truncate(numDims);
    if (!sums.empty())
      rows.push_back(substituteSums(*row));
    row->resize(numAll, 0);
    rows.push_back(*row);
  }
  SmallVector<bool> isSumKnown(sums.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (ArrayRef<int64_t> row : rows) {
      SmallVector<Digit> digits;
      for (unsigned dim = 0; dim < numAll; ++dim)
        if (row[dim] != 0 && !determined[dim])
          digits.push_back({std::abs(row[dim]), dim});
      if (digits.empty() || !determineDigits(digits, extents))
        continue;
      for (const Digit &digit : digits)
        determined[digit.dim] = true;
      changed = true;
    }
    for (auto [number, sum] : llvm::enumerate(sums)) {
      if (!determined[numDims + number] || isSumKnown[number])
        continue;
      isSumKnown[number] = changed = true;
      Row row = sum;
      row.resize(numAll, 0);
      rows.push_back(row);
    }
  }
  return llvm::all_of(ArrayRef(determined).take_front(numDims),
                      [](bool known) { return known; });
}

namespace {

/// Two points, each in a domain of its own, as one set of integer constraints.
class TwoPoints {
public:
  TwoPoints(ArrayRef<RangeOp> firstDomain, ArrayRef<RangeOp> secondDomain,
            FreeRanges &freeRanges, MLIRContext *context)
      : context(context), first(firstDomain), second(secondDomain),
        firstBuilder(firstDomain, 0, symbols, freeRanges, context),
        secondBuilder(secondDomain, firstDomain.size(), symbols, freeRanges,
                      context) {}

  /// Adds the condition that the indices of the two points are equal; false if
  /// one is not affine.
  bool equate(ValueRange firstIndices, ValueRange secondIndices) {
    for (auto [a, b] : llvm::zip_equal(firstIndices, secondIndices)) {
      Affine lhs = firstBuilder.build(a);
      Affine rhs = secondBuilder.build(b);
      if (!lhs.expr || !rhs.expr)
        return false;
      firstExprs.push_back(lhs.expr);
      differences.push_back(lhs.expr - rhs.expr);
      numDivisions += std::max(lhs.numDivisions, rhs.numDivisions);
    }
    return true;
  }

  /// Adds the condition that the mask holds at both points, as far as it is a
  /// conjunction of affine comparisons.
  void restrict(Value mask);

  ArrayRef<AffineExpr> getFirstExprs() const { return firstExprs; }
  /// What is not negative at the first point, by its mask.
  ArrayRef<AffineExpr> getFirstConditions() const { return firstConditions; }
  /// Whether the mask says no more than the conditions.
  bool isWholeMask() const { return wholeMask; }
  ArrayRef<AffineExpr> getDifferences() const { return differences; }
  unsigned getNumSymbols() const { return symbols.size(); }
  bool isTooHard() const { return numDivisions > kMaxDivisions; }

  /// A pair of points at which the first `numEqual` dimensions agree and the
  /// next one is smaller at the first point; any pair without `numEqual`.
  Collision solve(std::optional<unsigned> numEqual) {
    unsigned numFirst = first.size(), numDims = numFirst + second.size();
    // Dynamic extents are symbols, and so known to the constraints.
    SmallVector<AffineExpr> exprs(differences);
    llvm::append_range(exprs, firstConditions);
    llvm::append_range(exprs, secondConditions);
    for (RangeOp range : getBothDomains())
      if (!range.getConstantExtent())
        exprs.push_back(firstBuilder.build(range.getExtent()).expr);
    unsigned numSymbols = symbols.size();
    std::vector<SmallVector<int64_t, 8>> rows;
    FlatLinearConstraints constraints(numDims, numSymbols);
    if (!exprs.empty() &&
        failed(getFlattenedAffineExprs(
            AffineMap::get(numDims, numSymbols, exprs, context), &rows,
            &constraints)))
      return {Collision::Kind::Unknown, {}, {}};
    unsigned numColumns = constraints.getNumCols();
    for (unsigned i = 0; i < differences.size(); ++i)
      constraints.addEquality(ArrayRef<int64_t>(rows[i]));
    unsigned nextExtent = differences.size();
    for (size_t i = 2 * firstConditions.size(); i > 0; --i)
      constraints.addInequality(ArrayRef<int64_t>(rows[nextExtent++]));
    unsigned dim = 0;
    for (RangeOp range : getBothDomains()) {
      constraints.addBound(BoundType::LB, dim, 0);
      if (std::optional<int64_t> extent = range.getConstantExtent()) {
        constraints.addBound(BoundType::UB, dim, *extent - 1);
      } else {
        ArrayRef<int64_t> extentRow(rows[nextExtent++]);
        SmallVector<int64_t> below(extentRow);
        below[dim] -= 1;
        below[numColumns - 1] -= 1;
        constraints.addInequality(ArrayRef<int64_t>(below));
      }
      ++dim;
    }
    if (numEqual) {
      SmallVector<int64_t> row(numColumns, 0);
      for (unsigned i = 0; i <= *numEqual; ++i) {
        row.assign(numColumns, 0);
        row[i] = -1;
        row[numFirst + i] = 1;
        if (i < *numEqual) {
          constraints.addEquality(ArrayRef<int64_t>(row));
        } else {
          row[numColumns - 1] = -1;
          constraints.addInequality(ArrayRef<int64_t>(row));
        }
      }
    }
    auto sample = constraints.findIntegerSample();
    if (!sample)
      return {Collision::Kind::Impossible, {}, {}};
    // For some value of the symbols only, or where the mask may not hold: not a
    // counterexample.
    if (numSymbols != 0 || !wholeMask)
      return {Collision::Kind::Unknown, {}, {}};
    Collision found{Collision::Kind::Found, {}, {}};
    for (unsigned i = 0; i < numDims; ++i)
      (i < numFirst ? found.first : found.second)
          .push_back(int64fromDynamicAPInt((*sample)[i]));
    return found;
  }

private:
  RangeList getBothDomains() {
    RangeList both(first);
    llvm::append_range(both, second);
    return both;
  }

  MLIRContext *context;
  ArrayRef<RangeOp> first, second;
  llvm::MapVector<Value, AffineExpr> symbols;
  AffineBuilder firstBuilder, secondBuilder;
  SmallVector<AffineExpr> firstExprs, differences;
  SmallVector<AffineExpr> firstConditions, secondConditions;
  unsigned numDivisions = 0;
  bool wholeMask = true;
};

} // namespace

/// What is not negative where the comparison holds; nothing where that is not
/// known.
static SmallVector<AffineExpr, 2>
getConditions(arith::CmpIPredicate predicate, AffineExpr lhs, AffineExpr rhs) {
  using Predicate = arith::CmpIPredicate;
  auto constant = dyn_cast<AffineConstantExpr>(rhs);
  bool isBounded = constant && constant.getValue() >= 0;
  switch (predicate) {
  case Predicate::eq:
    return {rhs - lhs, lhs - rhs};
  case Predicate::slt:
    return {rhs - lhs - 1};
  case Predicate::sle:
    return {rhs - lhs};
  case Predicate::sgt:
    return {lhs - rhs - 1};
  case Predicate::sge:
    return {lhs - rhs};
  // Unsigned numbers below a constant are not negative ones.
  case Predicate::ult:
    if (isBounded)
      return {rhs - lhs - 1, lhs};
    return {};
  case Predicate::ule:
    if (isBounded)
      return {rhs - lhs, lhs};
    return {};
  default:
    return {};
  }
}

void TwoPoints::restrict(Value mask) {
  SmallVector<Value> parts{mask};
  llvm::DenseSet<Value> visited;
  unsigned numComparisons = 0;
  while (!parts.empty()) {
    Value part = parts.pop_back_val();
    if (!visited.insert(part).second || matchPattern(part, m_One()))
      continue;
    if (auto both = part.getDefiningOp<arith::AndIOp>()) {
      parts.push_back(both.getRhs());
      parts.push_back(both.getLhs());
      continue;
    }
    auto compare = part.getDefiningOp<arith::CmpIOp>();
    if (!compare || !compare.getLhs().getType().isIndex() ||
        ++numComparisons > kMaxComparisons) {
      wholeMask = false;
      continue;
    }
    Affine lhs = firstBuilder.build(compare.getLhs());
    Affine rhs = firstBuilder.build(compare.getRhs());
    unsigned divisions = lhs.numDivisions + rhs.numDivisions;
    SmallVector<AffineExpr, 2> conditions;
    if (lhs.expr && rhs.expr &&
        (divisions == 0 || numDivisions + divisions <= kMaxDivisionsWithMask))
      conditions = getConditions(compare.getPredicate(), lhs.expr, rhs.expr);
    if (conditions.empty()) {
      wholeMask = false;
      continue;
    }
    numDivisions += divisions;
    llvm::append_range(firstConditions, conditions);
    llvm::append_range(
        secondConditions,
        getConditions(compare.getPredicate(),
                      secondBuilder.build(compare.getLhs()).expr,
                      secondBuilder.build(compare.getRhs()).expr));
  }
}

/// Whether a domain visibly has no points.
static bool isEmptyDomain(ArrayRef<RangeOp> domain) {
  return llvm::any_of(
      domain, [](RangeOp range) { return range.getConstantExtent() == 0; });
}

/// The value of an affine expression of the dimensions alone, whose divisors
/// are positive.
static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> point) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return point[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), point);
  int64_t rhs = evaluate(binary.getRHS(), point);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(lhs, rhs);
  default:
    llvm_unreachable("not a binary expression");
  }
}

/// Looks at every point of a small static domain at which no condition is
/// negative.
static Collision enumeratePoints(ArrayRef<AffineExpr> indices,
                                 ArrayRef<AffineExpr> conditions,
                                 ArrayRef<std::optional<int64_t>> extents) {
  int64_t numPoints = 1;
  for (std::optional<int64_t> extent : extents)
    if (!extent || llvm::MulOverflow(numPoints, *extent, numPoints) ||
        numPoints > kMaxPoints)
      return {Collision::Kind::Unknown, {}, {}};
  std::map<SmallVector<int64_t>, SmallVector<int64_t>> seen;
  SmallVector<int64_t> point(extents.size(), 0);
  for (int64_t number = 0; number < numPoints; ++number) {
    bool counts = llvm::all_of(conditions, [&](AffineExpr condition) {
      return evaluate(condition, point) >= 0;
    });
    if (counts) {
      SmallVector<int64_t> element;
      for (AffineExpr index : indices)
        element.push_back(evaluate(index, point));
      auto [other, isNew] = seen.try_emplace(element, point);
      if (!isNew)
        return {Collision::Kind::Found, other->second, point};
    }
    for (size_t dim = extents.size(); dim-- > 0;) {
      if (++point[dim] < *extents[dim])
        break;
      point[dim] = 0;
    }
  }
  return {Collision::Kind::Impossible, {}, {}};
}

Collision uop::findCollision(ValueRange indices, ArrayRef<RangeOp> domain,
                             FreeRanges &freeRanges, Value mask) {
  const Collision impossible{Collision::Kind::Impossible, {}, {}};
  const Collision unknown{Collision::Kind::Unknown, {}, {}};
  if (domain.empty() || isEmptyDomain(domain))
    return impossible;
  TwoPoints points(domain, domain, freeRanges, domain.front()->getContext());
  if (!points.equate(indices, indices))
    return unknown;
  if (mask)
    points.restrict(mask);
  SmallVector<std::optional<int64_t>> extents;
  for (RangeOp range : domain)
    extents.push_back(range.getConstantExtent());
  DigitsRule digits(extents, points.getNumSymbols());
  if (!digits.addConditions(points.getFirstConditions()) ||
      digits.isInjective(points.getFirstExprs()))
    return impossible;
  if (points.isTooHard()) {
    if (points.getNumSymbols() != 0)
      return unknown;
    Collision collision = enumeratePoints(points.getFirstExprs(),
                                          points.getFirstConditions(), extents);
    bool isFound = collision.kind == Collision::Kind::Found;
    return isFound && !points.isWholeMask() ? unknown : collision;
  }
  bool isKnown = true;
  for (unsigned dim = 0; dim < domain.size(); ++dim) {
    Collision collision = points.solve(dim);
    if (collision.kind == Collision::Kind::Found)
      return collision;
    isKnown &= collision.kind == Collision::Kind::Impossible;
  }
  return isKnown ? impossible : unknown;
}

/// The least and the greatest value of an expression without divisions, where
/// its dimensions are bounded.
static std::optional<std::pair<__int128, __int128>>
computeInterval(AffineExpr expr, ArrayRef<std::optional<int64_t>> extents) {
  using Interval = std::pair<__int128, __int128>;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Interval(constant.getValue(), constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    if (std::optional<int64_t> extent = extents[dim.getPosition()])
      return Interval(0, *extent - 1);
    return std::nullopt;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  auto lhs = computeInterval(binary.getLHS(), extents);
  auto rhs = computeInterval(binary.getRHS(), extents);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return Interval(lhs->first + rhs->first, lhs->second + rhs->second);
  // The right-hand side of a product is a constant. Products of 64 by 64 bits
  // do not overflow; those of larger intermediate values are not made.
  auto fits = [](const Interval &interval) {
    return interval.first >= std::numeric_limits<int64_t>::min() &&
           interval.second <= std::numeric_limits<int64_t>::max();
  };
  if (expr.getKind() != AffineExprKind::Mul || rhs->first != rhs->second ||
      !fits(*lhs) || !fits(*rhs))
    return std::nullopt;
  __int128 low = lhs->first * rhs->first, high = lhs->second * rhs->first;
  return Interval(std::min(low, high), std::max(low, high));
}

Collision uop::findOverlap(ValueRange firstIndices,
                           ArrayRef<RangeOp> firstDomain,
                           ValueRange secondIndices,
                           ArrayRef<RangeOp> secondDomain,
                           FreeRanges &freeRanges) {
  if (isEmptyDomain(firstDomain) || isEmptyDomain(secondDomain))
    return {Collision::Kind::Impossible, {}, {}};
  // What is cheap, and common in kernels with many stores: constant indices.
  for (auto [a, b] : llvm::zip_equal(firstIndices, secondIndices)) {
    APInt first, second;
    if (matchPattern(a, m_ConstantInt(&first)) &&
        matchPattern(b, m_ConstantInt(&second)) && first != second)
      return {Collision::Kind::Impossible, {}, {}};
  }
  if (firstDomain.empty() && secondDomain.empty() && firstIndices.empty())
    return {Collision::Kind::Found, {}, {}};
  MLIRContext *context =
      firstIndices.empty() ? (firstDomain.empty() ? secondDomain : firstDomain)
                                 .front()
                                 ->getContext()
                           : firstIndices.front().getContext();
  TwoPoints points(firstDomain, secondDomain, freeRanges, context);
  if (!points.equate(firstIndices, secondIndices))
    return {Collision::Kind::Unknown, {}, {}};
  // Cheaper than the solver, and enough where buffers are written in parts.
  SmallVector<std::optional<int64_t>> extents;
  for (ArrayRef<RangeOp> domain : {firstDomain, secondDomain})
    for (RangeOp range : domain)
      extents.push_back(range.getConstantExtent());
  for (AffineExpr difference : points.getDifferences())
    if (auto interval = computeInterval(difference, extents))
      if (interval->first > 0 || interval->second < 0)
        return {Collision::Kind::Impossible, {}, {}};
  if (points.isTooHard())
    return {Collision::Kind::Unknown, {}, {}};
  return points.solve(std::nullopt);
}

bool uop::overlapsItself(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> sizes, steps;
  for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
    if (size == 0)
      return false;
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(stride) ||
        size == 1)
      continue;
    sizes.push_back(size);
    steps.push_back(stride);
  }
  SmallVector<std::optional<int64_t>> extents(sizes.begin(), sizes.end());
  SmallVector<Digit> digits;
  for (auto [dim, step] : llvm::enumerate(steps)) {
    if (step == 0)
      return true;
    digits.push_back({std::abs(step), unsigned(dim)});
  }
  if (determineDigits(digits, extents))
    return false;
  // Interleaved layouts may still be injective: a difference of two indices
  // that comes to nothing, and whose first part is positive, shows the overlap.
  for (unsigned first = 0; first < sizes.size(); ++first) {
    presburger::IntegerPolyhedron differences(
        presburger::PresburgerSpace::getSetSpace(sizes.size()));
    SmallVector<int64_t> sum(steps);
    sum.push_back(0);
    differences.addEquality(ArrayRef<int64_t>(sum));
    for (unsigned dim = 0; dim < sizes.size(); ++dim) {
      int64_t low = dim < first ? 0 : dim == first ? 1 : 1 - sizes[dim];
      int64_t high = dim < first ? 0 : sizes[dim] - 1;
      differences.addBound(BoundType::LB, dim, low);
      differences.addBound(BoundType::UB, dim, high);
    }
    if (!differences.isIntegerEmpty())
      return true;
  }
  return false;
}
