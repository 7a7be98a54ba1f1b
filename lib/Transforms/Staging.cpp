//===- Staging.cpp - From a load to a tile of shared memory ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/Staging.h"
#include "Uop/Analysis/IndexBounds.h"
#include "Uop/Analysis/SharedMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Deeper expressions are rare, and the stack is finite.
static constexpr unsigned kMaxDepth = 200;
static constexpr unsigned kMaxTerms = 4096;

using KnownBounds = llvm::DenseMap<Value, IndexBounds>;

static IndexBounds getBounds(Value value, KnownBounds &known,
                             unsigned depth = 0);

/// The bounds of a value that is made of ranges and constants.
static IndexBounds computeBounds(Value value, KnownBounds &known,
                                 unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return IndexBounds::exactly(*constant);
  Operation *op = value.getDefiningOp();
  if (!op || depth == kMaxDepth)
    return {};
  if (auto range = dyn_cast<RangeOp>(op)) {
    if (std::optional<int64_t> extent = range.getConstantExtent())
      return {0, std::max<int64_t>(*extent, 1) - 1};
    return {};
  }
  auto of = [&](unsigned operand) {
    return getBounds(op->getOperand(operand), known, depth + 1);
  };
  return llvm::TypeSwitch<Operation *, IndexBounds>(op)
      .Case<arith::AddIOp>([&](auto) { return of(0) + of(1); })
      .Case<arith::SubIOp>([&](auto) { return of(0) + of(1) * -1; })
      .Case<arith::MulIOp>([&](auto) { return of(0) * of(1); })
      .Case<arith::MinSIOp>([&](auto) { return of(0).min(of(1)); })
      .Case<arith::MaxSIOp>([&](auto) { return of(0).max(of(1)); })
      .Case<FloorDivOp>([&](auto) { return of(0).floorDiv(of(1)); })
      .Case<FloorModOp>([&](auto) -> IndexBounds {
        std::optional<int64_t> divisor = of(1).getConstant();
        if (!divisor || *divisor <= 0)
          return {};
        IndexBounds all{0, *divisor - 1}, own = of(0);
        return own.isAtLeast(0) && own.isAtMost(*divisor - 1) ? own : all;
      })
      .Default([](Operation *) { return IndexBounds(); });
}

static IndexBounds getBounds(Value value, KnownBounds &known, unsigned depth) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  IndexBounds bounds = computeBounds(value, known, depth);
  return known[value] = bounds;
}

namespace {

/// Takes index expressions apart.
class TilePlanner {
public:
  TilePlanner(TilePointsFn getPoints, FreeRanges &freeRanges)
      : getPoints(getPoints), freeRanges(freeRanges) {}

  /// The value as a sum; nothing where it is none that a tile can have, and
  /// then `reason` says why.
  std::optional<TiledIndex> split(Value value);
  bool isOuter(Value value);

  std::string reason;

private:
  bool addTerms(Value value, int64_t factor, TiledIndex &index, unsigned depth);
  bool addInner(Value value, int64_t factor, TiledIndex &index);

  TilePointsFn getPoints;
  FreeRanges &freeRanges;
  IndexBounds innerBounds;
  KnownBounds knownBounds;
  unsigned numVisited = 0;
};

} // namespace

/// Adds a term to a sum; fails beyond 64 bits.
static bool addTo(SmallVectorImpl<IndexTerm> &terms, Value value,
                  int64_t factor) {
  auto *same = llvm::find_if(
      terms, [&](const IndexTerm &term) { return term.value == value; });
  if (same == terms.end()) {
    terms.push_back({value, factor});
    return true;
  }
  if (llvm::AddOverflow(same->factor, factor, same->factor))
    return false;
  if (same->factor == 0)
    terms.erase(same);
  return true;
}

bool TilePlanner::isOuter(Value value) {
  return llvm::all_of(freeRanges.of(value),
                      [&](RangeOp range) { return getPoints(range) == 0; });
}

bool TilePlanner::addInner(Value value, int64_t factor, TiledIndex &index) {
  IndexBounds bounds = getBounds(value, knownBounds);
  if (auto range = value.getDefiningOp<RangeOp>())
    if (int64_t points = getPoints(range); points > 0)
      bounds = {0, points - 1};
  bounds = bounds * factor;
  innerBounds = innerBounds + bounds;
  if (!innerBounds.isBounded()) {
    reason = "has no bounds within a tile: it depends on data, or on a size "
             "that is dynamic";
    return false;
  }
  return addTo(index.inner, value, factor);
}

bool TilePlanner::addTerms(Value value, int64_t factor, TiledIndex &index,
                           unsigned depth) {
  // A shared operand counts each time that it is used.
  reason = "is too large an expression";
  if (++numVisited > kMaxTerms)
    return false;
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    int64_t product;
    return !llvm::MulOverflow(*constant, factor, product) &&
           !llvm::AddOverflow(index.constant, product, index.constant);
  }
  Operation *op = value.getDefiningOp();
  auto range = dyn_cast_or_null<RangeOp>(op);
  if (range && getPoints(range) != 0) {
    // What moves the tile when the range is split is not there yet.
    return (getPoints(range) == kAllPoints ||
            addTo(index.outer, value, factor)) &&
           addInner(value, factor, index);
  }
  if (op && depth < kMaxDepth) {
    if (isa<arith::AddIOp, arith::SubIOp>(op))
      return addTerms(op->getOperand(0), factor, index, depth + 1) &&
             addTerms(op->getOperand(1),
                      isa<arith::SubIOp>(op) ? 0 - uint64_t(factor) : factor,
                      index, depth + 1);
    if (isa<arith::MulIOp>(op))
      for (unsigned side : {0, 1}) {
        std::optional<int64_t> constant =
            getConstantIntValue(op->getOperand(side));
        int64_t product;
        if (constant && !llvm::MulOverflow(*constant, factor, product))
          return addTerms(op->getOperand(1 - side), product, index, depth + 1);
      }
  }
  if (isOuter(value))
    return addTo(index.outer, value, factor);
  if (llvm::any_of(freeRanges.of(value), [&](RangeOp range) {
        return getPoints(range) != kAllPoints;
      })) {
    reason = "is not a sum of what moves in the tile and what moves the tile";
    return false;
  }
  return addInner(value, factor, index);
}

std::optional<TiledIndex> TilePlanner::split(Value value) {
  TiledIndex index;
  innerBounds = IndexBounds::exactly(0);
  numVisited = 0;
  if (!addTerms(value, 1, index, 0))
    return std::nullopt;
  reason.clear();
  index.low = *innerBounds.low;
  int64_t last;
  if (llvm::SubOverflow(*innerBounds.high, *innerBounds.low, last) ||
      last == std::numeric_limits<int64_t>::max()) {
    reason = "takes more values in a tile than 64 bits hold";
    return std::nullopt;
  }
  index.size = last + 1;
  return index;
}

/// Whether two sums have the same terms, in any order.
static bool areSameTerms(ArrayRef<IndexTerm> a, ArrayRef<IndexTerm> b) {
  return a.size() == b.size() &&
         std::is_permutation(a.begin(), a.end(), b.begin());
}

/// The predicate that holds of b and a where this one holds of a and b.
static arith::CmpIPredicate exchangeOperands(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::eq:
  case Predicate::ne:
    return predicate;
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  case Predicate::ult:
    return Predicate::ugt;
  case Predicate::ule:
    return Predicate::uge;
  case Predicate::ugt:
    return Predicate::ult;
  case Predicate::uge:
    return Predicate::ule;
  }
  llvm_unreachable("all predicates are handled");
}

/// The conditions of which a mask is the conjunction.
static void collectConditions(Value mask, SmallVectorImpl<Value> &conditions) {
  SmallVector<Value> stack{mask};
  while (!stack.empty()) {
    Value value = stack.pop_back_val();
    if (auto both = value.getDefiningOp<arith::AndIOp>()) {
      stack.push_back(both.getRhs());
      stack.push_back(both.getLhs());
    } else {
      conditions.push_back(value);
    }
  }
}

FailureOr<TilePlan> uop::planTile(LoadOp load, TilePointsFn getPoints,
                                  FreeRanges &freeRanges, std::string &reason) {
  TilePlanner planner(getPoints, freeRanges);
  TilePlan plan;
  plan.load = load;
  auto type = dyn_cast<MemRefType>(load.getSource().getType());
  if (!type) {
    reason = "it reads a tile, which is in shared memory already";
    return failure();
  }
  if (load.getOther() && !planner.isOuter(load.getOther())) {
    reason = "what it yields where it reads nothing varies in the tile";
    return failure();
  }
  for (Operation *user : load.getSource().getUsers())
    if (isa<StoreOp>(user)) {
      reason = "the kernel stores to its buffer as well";
      return failure();
    }
  int64_t elements = 1;
  for (auto [number, value] : llvm::enumerate(load.getIndices())) {
    std::optional<TiledIndex> index = planner.split(value);
    if (!index) {
      reason = "its index #" + std::to_string(number) + " " + planner.reason;
      return failure();
    }
    if (llvm::MulOverflow(elements, index->size, elements) ||
        elements > (int64_t(1) << 40)) {
      reason = "its tile does not fit any memory";
      return failure();
    }
    plan.indices.push_back(std::move(*index));
  }
  if (!load.getMask())
    return std::move(plan);
  SmallVector<Value> conditions;
  collectConditions(load.getMask(), conditions);
  for (Value condition : conditions) {
    if (planner.isOuter(condition)) {
      plan.outerConditions.push_back(condition);
      continue;
    }
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    auto isMoved = [&](Value value, Value bound,
                       arith::CmpIPredicate predicate) {
      if (!value.getType().isIndex() || !planner.isOuter(bound))
        return false;
      std::optional<TiledIndex> index = planner.split(value);
      if (!index)
        return false;
      for (auto [dimension, other] : llvm::enumerate(plan.indices))
        if (areSameTerms(index->inner, other.inner)) {
          plan.conditions.push_back({predicate, dimension, *index, bound});
          return true;
        }
      return false;
    };
    if (!compare ||
        (!isMoved(compare.getLhs(), compare.getRhs(), compare.getPredicate()) &&
         !isMoved(compare.getRhs(), compare.getLhs(),
                  exchangeOperands(compare.getPredicate()))))
      plan.coversMask = false;
  }
  return std::move(plan);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

SmallVector<int64_t> TilePlan::getShape() const {
  SmallVector<int64_t> shape;
  for (const TiledIndex &index : indices)
    if (index.size != 1)
      shape.push_back(index.size);
  if (shape.empty())
    shape.push_back(1);
  return shape;
}

int64_t TilePlan::getNumElements() const {
  int64_t elements = 1;
  for (const TiledIndex &index : indices)
    elements *= index.size;
  return elements;
}

int64_t TilePlan::getBytes() const {
  LoadOp op = load;
  return getNumElements() * getStoredBytes(op.getType());
}

/// Whether two indices are at the same place in the tile's coordinates.
static bool isSamePlace(const TiledIndex &a, const TiledIndex &b) {
  return areSameTerms(a.outer, b.outer) &&
         a.constant + a.low == b.constant + b.low && a.size == b.size;
}

bool TilePlan::isSameTile(const TilePlan &other) const {
  LoadOp mine = load, theirs = other.load;
  return mine.getSource() == theirs.getSource() &&
         mine.getOther() == theirs.getOther() &&
         outerConditions == other.outerConditions &&
         llvm::equal(indices, other.indices, isSamePlace) &&
         llvm::equal(conditions, other.conditions,
                     [](const TiledCondition &a, const TiledCondition &b) {
                       return a.predicate == b.predicate &&
                              a.dimension == b.dimension &&
                              a.bound == b.bound &&
                              areSameTerms(a.index.outer, b.index.outer) &&
                              a.index.constant + a.index.low ==
                                  b.index.constant + b.index.low;
                     });
}

int64_t uop::getCopyWidth(const TilePlan &plan, int64_t maxBytes) {
  LoadOp load = plan.load;
  auto type = cast<MemRefType>(load.getSource().getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (plan.indices.empty() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      strides.back() != 1 || ShapedType::isDynamic(offset))
    return 1;
  int64_t bytes = getStoredBytes(load.getType()), alignment = bytes;
  if (auto argument = dyn_cast<BlockArgument>(load.getSource())) {
    auto kernel = load->getParentOfType<KernelOp>();
    if (auto attr = kernel.getArgAttrOfType<IntegerAttr>(
            argument.getArgNumber(), "llvm.align"))
      alignment = attr.getInt();
  }
  auto width = int64_t(llvm::bit_floor(
      uint64_t(std::max<int64_t>(std::min(maxBytes, alignment) / bytes, 1))));
  auto isMultiple = [&](int64_t value) { return value % width == 0; };
  auto beginsAtMultiple = [&](const TiledIndex &index, int64_t stride) {
    if (index.size == 1 && index.outer.empty() && index.constant == 0 &&
        index.low == 0)
      return true;
    if (ShapedType::isDynamic(stride))
      return false;
    if (isMultiple(stride))
      return true;
    // Only the last dimension of the tile moves by single elements.
    return stride == 1 && isMultiple(index.size) &&
           isMultiple(index.constant + index.low) &&
           llvm::all_of(index.outer, [&](const IndexTerm &term) {
             return isMultiple(term.factor);
           });
  };
  for (; width > 1; width /= 2)
    if (plan.indices.back().size > 1 && isMultiple(offset) &&
        llvm::all_of_zip(plan.indices, strides, beginsAtMultiple))
      break;
  return width;
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

namespace {

/// Builds index arithmetic at the rewriter's insertion point.
struct IndexBuilder {
  RewriterBase &rewriter;
  Location loc;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  Value add(Value a, Value b) {
    if (!a || !b)
      return a ? a : b;
    return arith::AddIOp::create(rewriter, loc, a, b);
  }
  /// The sum of terms and a constant; null for 0.
  Value sum(ArrayRef<IndexTerm> terms, int64_t addend) {
    Value total;
    for (const IndexTerm &term : terms)
      total = add(total, term.factor == 1
                             ? term.value
                             : arith::MulIOp::create(rewriter, loc, term.value,
                                                     constant(term.factor)));
    return addend == 0 ? total : add(total, constant(addend));
  }
};

} // namespace

StageOp uop::stageLoad(RewriterBase &rewriter, const TilePlan &plan,
                       StageOp existing) {
  LoadOp load = plan.load;
  auto type = cast<MemRefType>(load.getSource().getType());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(load);
  Location loc = load.getLoc();
  IndexBuilder build{rewriter, loc};

  StageOp stage = existing;
  if (!stage) {
    auto loop = AxisAttr::get(rewriter.getContext(), AxisKind::Loop);
    SmallVector<Value> over, points, indices;
    for (const TiledIndex &index : plan.indices) {
      Value point;
      if (index.size != 1)
        over.push_back(point =
                           RangeOp::create(rewriter, loc, loop, index.size));
      points.push_back(point);
    }
    if (over.empty())
      over.push_back(RangeOp::create(rewriter, loc, loop, int64_t(1)));
    Value mask;
    KnownBounds knownBounds;
    auto require = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
      Value condition =
          arith::CmpIOp::create(rewriter, loc, predicate, lhs, rhs);
      mask = mask ? arith::AndIOp::create(rewriter, loc, mask, condition)
                  : condition;
    };
    for (Value condition : plan.outerConditions)
      mask = mask ? arith::AndIOp::create(rewriter, loc, mask, condition)
                  : condition;
    auto getPlace = [&](const TiledIndex &index, Value point) {
      Value place =
          build.add(build.sum(index.outer, index.constant + index.low), point);
      return place ? place : build.constant(0);
    };
    for (const TiledCondition &condition : plan.conditions)
      require(condition.predicate,
              getPlace(condition.index, points[condition.dimension]),
              condition.bound);
    // Some of a tile may be beyond the buffer, where no load needs it.
    for (auto [dimension, index] : llvm::enumerate(plan.indices)) {
      Value place = getPlace(index, points[dimension]);
      indices.push_back(place);
      if (index.size == 1)
        continue;
      int64_t size = type.getDimSize(dimension);
      IndexBounds first = IndexBounds::exactly(index.constant + index.low);
      for (const IndexTerm &term : index.outer)
        first = first + getBounds(term.value, knownBounds) * term.factor;
      bool isDynamic = ShapedType::isDynamic(size);
      if (first.isAtLeast(0) && !isDynamic && first.isAtMost(size - index.size))
        continue;
      Value end = isDynamic ? memref::DimOp::create(rewriter, loc,
                                                    load.getSource(), dimension)
                                  .getResult()
                            : build.constant(size);
      if (!first.isAtLeast(0))
        require(arith::CmpIPredicate::sge, place, build.constant(0));
      require(arith::CmpIPredicate::slt, place, end);
    }
    Value element = LoadOp::create(rewriter, loc, load.getSource(), indices,
                                   mask, mask ? load.getOther() : Value());
    auto tile = TileType::get(rewriter.getContext(), plan.getShape(),
                              load.getType(), MemorySpace::Workgroup);
    stage = StageOp::create(rewriter, loc, tile, element, over, over);
  }

  SmallVector<Value> indices;
  for (const TiledIndex &index : plan.indices) {
    if (index.size == 1)
      continue;
    indices.push_back(build.sum(index.inner, -index.low));
  }
  if (indices.empty())
    indices.push_back(build.constant(0));
  bool needsMask = !plan.coversMask;
  Value element = LoadOp::create(rewriter, loc, stage.getResult(), indices,
                                 needsMask ? load.getMask() : Value(),
                                 needsMask ? load.getOther() : Value());
  rewriter.replaceAllUsesWith(load.getResult(), element);
  return stage;
}
