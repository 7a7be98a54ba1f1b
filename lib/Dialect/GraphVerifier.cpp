//===- GraphVerifier.cpp - The rules of graph form ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One method a rule, in the order in which the dialect's documentation lists
// them. A later rule may rely on the earlier ones.
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/FreeRanges.h"
#include "Uop/IR/Injectivity.h"
#include "Verifier.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <memory>
#include <unordered_map>

using namespace mlir;
using namespace uop;

std::string uop::describe(RangeOp range) {
  std::string text = range.getAxis().str() + " ";
  if (std::optional<int64_t> extent = range.getConstantExtent())
    return text + std::to_string(*extent);
  return text + "of dynamic extent";
}

FailureOr<std::array<int64_t, 3>>
uop::computeBlockSize(ArrayRef<RangeOp> ranges) {
  std::array<int64_t, 3> size = {1, 1, 1};
  RangeOp rowReduction;
  for (RangeOp range : ranges) {
    AxisAttr axis = range.getAxis();
    if (!axis.isThreadIndex())
      continue;
    int64_t &extent = size[unsigned(axis.getThreadDimension())];
    // Lanes are lanes of whole warps.
    int64_t needed = axis.getKind() == AxisKind::Warp
                         ? kWarpSize
                         : range.getConstantExtent().value_or(1);
    extent = std::max(extent, needed);
    if (axis.getKind() == AxisKind::GroupReduce &&
        axis.getThreadDimension() == Dimension::X && needed != 1)
      rowReduction = range;
    if (rowReduction)
      size[0] = getShuffleRowSize(size[0]);
    if (size[0] * size[1] * size[2] > kMaxThreadsPerBlock) {
      InFlightDiagnostic diag =
          range.emitOpError()
          << "makes a block of " << size[0] << "x" << size[1] << "x" << size[2]
          << " threads: expected at most " << kMaxThreadsPerBlock
          << "; give each thread more outputs, or split "
             "the range over more blocks";
      if (rowReduction)
        diag.attachNote(rowReduction.getLoc())
            << "a reduction over threads along x rounds x up, to a power of "
               "two or to whole warps";
      return diag;
    }
  }
  return size;
}

LogicalResult uop::verifyHardwareDimensions(Operation *op,
                                            ArrayRef<RangeOp> ranges) {
  for (size_t index = 0; index < ranges.size(); ++index) {
    RangeOp range = ranges[index];
    AxisAttr axis = range.getAxis();
    if (!axis.isHardware())
      continue;
    for (RangeOp other : ranges.take_front(index)) {
      AxisAttr otherAxis = other.getAxis();
      bool clash =
          (axis.isBlockIndex() && axis == otherAxis) ||
          (axis.isThreadIndex() && otherAxis.isThreadIndex() &&
           axis.getThreadDimension() == otherAxis.getThreadDimension()) ||
          (axis.getKind() == AxisKind::Thread && axis == otherAxis);
      if (!clash)
        continue;
      InFlightDiagnostic diag =
          op->emitOpError()
          << "is free in two ranges of one hardware dimension, '"
          << describe(other) << "' and '" << describe(range)
          << "'; give one of them another dimension or a serial axis";
      diag.attachNote(other.getLoc()) << "the first range is defined here";
      diag.attachNote(range.getLoc()) << "the second range is defined here";
      return diag;
    }
  }
  return success();
}

namespace {

/// For each value the first one that is computed in the same way from the same
/// ranges, arguments and loads.
class ExpressionLeaders {
public:
  void build(Block &block);
  Value getLeader(Value value) const {
    auto it = leaders.find(value);
    return it == leaders.end() ? value : it->second;
  }
  bool isBuilt = false;

private:
  llvm::DenseMap<Value, Value> leaders;
};

class GraphVerifier {
public:
  explicit GraphVerifier(KernelOp kernel) : kernel(kernel) {
    for (Operation &op : kernel.getBodyBlock()) {
      if (auto range = dyn_cast<RangeOp>(op))
        ranges.push_back(range);
      if (auto store = dyn_cast<StoreOp>(op))
        stores.push_back(store);
      if (auto load = dyn_cast<LoadOp>(op))
        loads.push_back(load);
    }
  }

  LogicalResult verify() {
    // Reported by upstream, after this verifier, as one clear message.
    if (!isInOrder())
      return success();
    if (failed(verifyOps()) || failed(verifyExtents()) ||
        failed(verifyHardware()) || failed(verifyClosing()) ||
        failed(verifyDomains()) || failed(verifyMemory()) ||
        failed(verifyStages()))
      return failure();
    if (stores.empty())
      return kernel.emitOpError(
          "stores nothing: expected at least one uop.store");
    return success();
  }

private:
  bool isInOrder();
  LogicalResult verifyOps();
  LogicalResult verifyOp(Operation &op);
  LogicalResult verifyExtents();
  LogicalResult verifyHardware();
  LogicalResult verifyClosing();
  LogicalResult verifyDomains();
  LogicalResult verifyInjective(StoreOp store);
  LogicalResult verifyMemory();
  LogicalResult verifyStoreKinds(StoreOp first, StoreOp second);
  LogicalResult verifyStorePair(StoreOp first, StoreOp second);
  LogicalResult verifyLoadOfStored(LoadOp load, ArrayRef<StoreOp> bufferStores);
  LogicalResult verifyStages();
  bool areSameIndices(ValueRange first, ValueRange second);

  KernelOp kernel;
  FreeRanges freeRanges;
  ExpressionLeaders expressions;
  RangeList ranges;
  SmallVector<StoreOp> stores;
  SmallVector<LoadOp> loads;
};

} // namespace

/// Whether operands are defined before they are used.
bool GraphVerifier::isInOrder() {
  for (Operation &op : kernel.getBodyBlock())
    for (Value operand : op.getOperands())
      if (Operation *definition = operand.getDefiningOp();
          definition && (definition->getBlock() != op.getBlock() ||
                         !definition->isBeforeInBlock(&op)))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Which ops there are
//===----------------------------------------------------------------------===//

LogicalResult GraphVerifier::verifyOps() {
  for (Operation &op : kernel.getBodyBlock())
    if (failed(verifyOp(op)))
      return failure();
  return success();
}

LogicalResult GraphVerifier::verifyOp(Operation &op) {
  auto isArgument = [](Value value) { return isa<BlockArgument>(value); };
  if (isa<AllocOp, BarrierOp, PhaseOp>(op))
    return op.emitOpError("is not allowed in graph form; write the kernel in "
                          "loop form, 'uop.kernel loops'");
  if (auto load = dyn_cast<LoadOp>(op)) {
    if (isa<MemRefType>(load.getSource().getType()) &&
        !isArgument(load.getSource()))
      return op.emitOpError("expected to load an argument of the kernel or a "
                            "tile");
    return success();
  }
  if (auto store = dyn_cast<StoreOp>(op)) {
    if (!isArgument(store.getTarget()))
      return op.emitOpError("expected to store to an argument of the kernel");
    return success();
  }
  if (isa<RangeOp, ReduceOp, StageOp, FloorDivOp, FloorModOp>(op))
    return success();
  if (isa<memref::DimOp>(op)) {
    if (!isArgument(op.getOperand(0)))
      return op.emitOpError("expected the dimension of an argument of the "
                            "kernel");
    return success();
  }
  Dialect *dialect = op.getDialect();
  bool isKnown =
      isa_and_nonnull<arith::ArithDialect, math::MathDialect, ub::UBDialect>(
          dialect);
  if (!isKnown || op.getNumRegions() != 0 || !isMemoryEffectFree(&op) ||
      op.hasTrait<OpTrait::IsTerminator>())
    return op.emitOpError("is not allowed in graph form: expected uop ops and "
                          "pure scalar arith and math; memory is read and "
                          "written by uop.load and uop.store");
  for (Type type : op.getResultTypes())
    if (!type.isSignlessIntOrIndexOrFloat())
      return op.emitOpError() << "expected scalar results in graph form, but "
                                 "got "
                              << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

LogicalResult GraphVerifier::verifyExtents() {
  for (RangeOp range : ranges) {
    if (!range.getExtent())
      continue;
    SetVector<Value> reached;
    reached.insert(range.getExtent());
    for (size_t i = 0; i < reached.size(); ++i) {
      Operation *op = reached[i].getDefiningOp();
      if (!op)
        continue;
      if (isa<RangeOp, LoadOp, ReduceOp>(op)) {
        InFlightDiagnostic diag = range.emitOpError();
        if (auto other = dyn_cast<RangeOp>(op))
          diag << "expected an extent that depends on no range, but it depends "
                  "on '"
               << describe(other) << "'; use the largest extent, and a mask";
        else
          diag << "expected an extent of constants, scalar arguments, memref "
                  "dimensions and arithmetic on these, but it depends on "
               << op->getName();
        diag.attachNote(op->getLoc()) << "the extent depends on this";
        return diag;
      }
      reached.insert(op->operand_begin(), op->operand_end());
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Hardware dimensions
//===----------------------------------------------------------------------===//

LogicalResult GraphVerifier::verifyHardware() {
  for (Operation &op : kernel.getBodyBlock())
    if (failed(
            verifyHardwareDimensions(&op, freeRanges.ofAny(op.getOperands()))))
      return failure();
  return computeBlockSize(ranges);
}

//===----------------------------------------------------------------------===//
// One range, one loop
//===----------------------------------------------------------------------===//

LogicalResult GraphVerifier::verifyClosing() {
  // Which op closes a range, for the messages; one of several.
  llvm::MapVector<RangeOp, Operation *> closers;
  // The ranges that a value depends on through a result that closed them; most
  // values share the set of an operand.
  using RangeSet = llvm::DenseSet<RangeOp>;
  llvm::DenseMap<Value, std::shared_ptr<const RangeSet>> closedBelow;
  auto unite = [](std::shared_ptr<const RangeSet> set, const auto &added) {
    std::shared_ptr<RangeSet> larger;
    for (RangeOp range : added) {
      if (set && set->contains(range))
        continue;
      if (!larger)
        set = larger = set ? std::make_shared<RangeSet>(*set)
                           : std::make_shared<RangeSet>();
      larger->insert(range);
    }
    return set;
  };
  for (Operation &op : kernel.getBodyBlock()) {
    std::shared_ptr<const RangeSet> closed;
    for (Value operand : op.getOperands()) {
      auto it = closedBelow.find(operand);
      if (it == closedBelow.end() || it->second == closed)
        continue;
      if (!closed || closed->size() < it->second->size())
        closed = unite(it->second, closed ? *closed : RangeSet());
      else
        closed = unite(closed, *it->second);
    }

    RangeList own;
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      own = getRanges(reduce.getOver());
      for (Value identity : reduce.getIdentities())
        for (RangeOp range : own)
          if (freeRanges.isFreeIn(identity, range))
            return op.emitOpError()
                   << "expected the identities not to depend on the ranges in "
                      "'over', but one is free in '"
                   << describe(range) << "'";
    } else if (auto stage = dyn_cast<StageOp>(op)) {
      own = getRanges(stage.getOver());
    }

    RangeList open = freeRanges.ofAny(op.getOperands());
    llvm::append_range(open, own);
    for (RangeOp range : open) {
      if (!closed || !closed->contains(range))
        continue;
      InFlightDiagnostic diag =
          op.emitOpError()
          << "is free in '" << describe(range)
          << "' and depends on a result that closed it; give the second loop "
             "its own range";
      diag.attachNote(range.getLoc()) << "the range is defined here";
      diag.attachNote(closers[range]->getLoc()) << "it is closed here";
      return diag;
    }
    for (RangeOp range : own)
      closers.insert({range, &op});
    closed = unite(closed, own);
    if (closed)
      for (Value result : op.getResults())
        closedBelow[result] = closed;
  }

  for (StoreOp store : stores) {
    for (RangeOp range : getRanges(store.getOver())) {
      auto it = closers.find(range);
      if (it == closers.end())
        continue;
      InFlightDiagnostic diag =
          store.emitOpError()
          << "has '" << describe(range)
          << "' in its domain, which is also closed by "
          << it->second->getName()
          << "; a range is closed or in store domains, never both: give one "
             "of them its own range";
      diag.attachNote(it->second->getLoc()) << "it is closed here";
      return diag;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

LogicalResult GraphVerifier::verifyDomains() {
  for (StoreOp store : stores) {
    RangeList domain = getRanges(store.getOver());
    SmallVector<Value> operands{store.getValue()};
    llvm::append_range(operands, store.getIndices());
    if (store.getMask())
      operands.push_back(store.getMask());
    for (RangeOp range : freeRanges.ofAny(operands)) {
      if (llvm::is_contained(domain, range))
        continue;
      InFlightDiagnostic diag = store.emitOpError()
                                << "is free in '" << describe(range)
                                << "', which is not in its domain; add it to "
                                   "'over', or close it with uop.reduce";
      diag.attachNote(range.getLoc()) << "the range is defined here";
      return diag;
    }
    for (RangeOp range : domain) {
      if (range.getAxis().isOutput())
        continue;
      InFlightDiagnostic diag =
          store.emitOpError()
          << "expected output axes in its domain, but got '" << describe(range)
          << "'; close it with uop.reduce, or give it an output axis";
      diag.attachNote(range.getLoc()) << "the range is defined here";
      return diag;
    }
    if (failed(verifyInjective(store)))
      return failure();
  }
  return success();
}

/// Prints the point of a domain as `(0, 3)`.
static void printPoint(InFlightDiagnostic &diag, ArrayRef<int64_t> point) {
  diag << "(";
  llvm::interleaveComma(point, diag, [&](int64_t value) { diag << value; });
  diag << ")";
}

LogicalResult GraphVerifier::verifyInjective(StoreOp store) {
  if (store.getKind() || store.getUnique())
    return success();
  RangeList domain = getRanges(store.getOver());
  Collision collision =
      findCollision(store.getIndices(), domain, freeRanges, store.getMask());
  switch (collision.kind) {
  case Collision::Kind::Impossible:
    return success();
  case Collision::Kind::Found: {
    InFlightDiagnostic diag = store.emitOpError()
                              << "writes one element at two points of its "
                                 "domain, ";
    printPoint(diag, collision.first);
    diag << " and ";
    printPoint(diag, collision.second);
    diag << "; make the indices injective, or accumulate with a kind such as "
            "'add'";
    return diag;
  }
  case Collision::Kind::Unknown:
    return store.emitOpError(
        "has indices that cannot be proved injective over its domain; mark "
        "the store 'unique' if no two points write one element, or accumulate "
        "with a kind such as 'add'");
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void ExpressionLeaders::build(Block &block) {
  isBuilt = true;
  std::unordered_map<size_t, SmallVector<Operation *, 1>> candidates;
  for (Operation &op : block) {
    if (isa<RangeOp>(op) || op.getNumRegions() != 0 || op.getNumResults() == 0)
      continue;
    size_t hash = OperationEquivalence::computeHash(
        &op, [&](Value operand) { return hash_value(getLeader(operand)); },
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
    SmallVector<Operation *, 1> &alike = candidates[hash];
    auto *first = llvm::find_if(alike, [&](Operation *other) {
      return OperationEquivalence::isEquivalentTo(
          &op, other,
          [&](Value x, Value y) {
            return success(getLeader(x) == getLeader(y));
          },
          /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
    });
    if (first == alike.end()) {
      alike.push_back(&op);
      continue;
    }
    for (auto [result, leader] :
         llvm::zip_equal(op.getResults(), (*first)->getResults()))
      leaders[result] = leader;
  }
}

bool GraphVerifier::areSameIndices(ValueRange first, ValueRange second) {
  if (first == second)
    return true;
  if (!expressions.isBuilt)
    expressions.build(kernel.getBodyBlock());
  return llvm::all_of(llvm::zip_equal(first, second), [&](auto pair) {
    return expressions.getLeader(std::get<0>(pair)) ==
           expressions.getLeader(std::get<1>(pair));
  });
}

/// Whether two lists have the same ranges, in any order.
static bool areSameRanges(ArrayRef<RangeOp> first, ArrayRef<RangeOp> second) {
  return first.size() == second.size() &&
         llvm::all_of(first, [&](RangeOp range) {
           return llvm::is_contained(second, range);
         });
}

/// The dimensions in which all stores to a buffer have a constant index.
static SmallVector<unsigned> getConstantDims(ArrayRef<StoreOp> stores) {
  SmallVector<unsigned> dims;
  StoreOp first = stores.front();
  for (unsigned dim = 0, e = first.getIndices().size(); dim < e; ++dim)
    if (llvm::all_of(stores, [&](StoreOp store) {
          return getConstantIntValue(store.getIndices()[dim]).has_value();
        }))
      dims.push_back(dim);
  return dims;
}

LogicalResult GraphVerifier::verifyMemory() {
  llvm::MapVector<Value, SmallVector<StoreOp>> storesOf;
  for (StoreOp store : stores)
    storesOf[store.getTarget()].push_back(store);
  for (auto &[buffer, bufferStores] : storesOf) {
    // Of many stores to parts of a buffer few are worth comparing.
    SmallVector<unsigned> constantDims = getConstantDims(bufferStores);
    std::map<SmallVector<int64_t>, SmallVector<StoreOp>> parts;
    for (StoreOp second : bufferStores) {
      if (failed(verifyStoreKinds(bufferStores.front(), second)))
        return failure();
      if (second.getKind())
        continue;
      SmallVector<int64_t> part;
      for (unsigned dim : constantDims)
        part.push_back(*getConstantIntValue(second.getIndices()[dim]));
      SmallVector<StoreOp> &earlier = parts[part];
      for (StoreOp first : earlier)
        if (failed(verifyStorePair(first, second)))
          return failure();
      earlier.push_back(second);
    }
  }
  for (LoadOp load : loads)
    if (auto *it = storesOf.find(load.getSource()); it != storesOf.end())
      if (failed(verifyLoadOfStored(load, it->second)))
        return failure();
  return success();
}

LogicalResult GraphVerifier::verifyStoreKinds(StoreOp first, StoreOp second) {
  if (first.getKind() == second.getKind())
    return success();
  InFlightDiagnostic diag = second.emitOpError(
      "stores to a buffer that another store writes in another way; expected "
      "one accumulating kind for all stores of a buffer");
  diag.attachNote(first.getLoc()) << "the first store is here";
  return diag;
}

LogicalResult GraphVerifier::verifyStorePair(StoreOp first, StoreOp second) {
  RangeList firstDomain = getRanges(first.getOver());
  RangeList secondDomain = getRanges(second.getOver());
  if (areSameRanges(firstDomain, secondDomain) &&
      areSameIndices(first.getIndices(), second.getIndices()))
    return success();
  if (first.getUnique() && second.getUnique())
    return success();
  Collision overlap =
      findOverlap(first.getIndices(), firstDomain, second.getIndices(),
                  secondDomain, freeRanges);
  if (overlap.kind == Collision::Kind::Impossible)
    return success();
  InFlightDiagnostic diag = second.emitOpError();
  if (overlap.kind == Collision::Kind::Found) {
    diag << "writes at point ";
    printPoint(diag, overlap.second);
    diag << " an element that another store writes at point ";
    printPoint(diag, overlap.first);
    diag << "; expected two stores to one buffer to have equal domains and "
            "indices, or to be disjoint";
  } else {
    diag << "cannot be proved disjoint from another store to its buffer; mark "
            "both 'unique' if no element is written twice";
  }
  diag.attachNote(first.getLoc()) << "the first store is here";
  return diag;
}

LogicalResult
GraphVerifier::verifyLoadOfStored(LoadOp load, ArrayRef<StoreOp> bufferStores) {
  StoreOp store = bufferStores.front();
  auto refuse = [&](const Twine &reason, StoreOp cause) -> LogicalResult {
    InFlightDiagnostic diag =
        load.emitOpError() << "reads a buffer that the kernel stores to, "
                           << reason << "; read a copy of the buffer instead";
    diag.attachNote(cause.getLoc()) << "the store is here";
    return diag;
  };
  RangeList domain = getRanges(store.getOver());
  for (StoreOp other : bufferStores) {
    if (other.getKind())
      return refuse("and accumulates into", other);
    if (!areSameIndices(load.getIndices(), other.getIndices()))
      return refuse("at indices other than those of the store", other);
    if (!areSameRanges(domain, getRanges(other.getOver())))
      return refuse("and its stores have different domains", other);
  }
  if (!areSameRanges(domain, RangeList(freeRanges.of(load))))
    return refuse("but is not free in exactly the domain of the store", store);
  // Every store that sees the value runs where the element is written; else
  // another thread could read the element after it was overwritten.
  SetVector<Operation *> users;
  users.insert(load);
  for (size_t i = 0; i < users.size(); ++i) {
    for (Operation *user : users[i]->getUsers())
      users.insert(user);
    if (auto user = dyn_cast<StoreOp>(users[i]))
      if (!areSameRanges(domain, getRanges(user.getOver())))
        return refuse("but the value also goes to a store with another domain",
                      user);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

LogicalResult GraphVerifier::verifyStages() {
  for (auto stage : kernel.getBodyBlock().getOps<StageOp>()) {
    RangeList closed = getRanges(stage.getOver());
    for (Operation *user : stage->getUsers())
      if (!isa<LoadOp>(user)) {
        InFlightDiagnostic diag =
            user->emitOpError("uses a tile: expected tiles to be read by "
                              "uop.load only");
        diag.attachNote(stage.getLoc()) << "the tile is defined here";
        return diag;
      }
    Collision collision = findCollision(stage.getIndices(), closed, freeRanges);
    if (collision.kind != Collision::Kind::Impossible)
      return stage.emitOpError(
          "has indices that are not provably injective over the ranges that it "
          "closes");
    for (auto [dim, pair] : llvm::enumerate(
             llvm::zip_equal(stage.getIndices(), stage.getType().getShape()))) {
      Value index = std::get<0>(pair);
      int64_t size = std::get<1>(pair);
      auto bound = [&](presburger::BoundType type) {
        return ValueBoundsConstraintSet::computeConstantBound(
            type, {index, std::nullopt}, nullptr,
            /*closedUB=*/true);
      };
      FailureOr<int64_t> low = bound(presburger::BoundType::LB);
      FailureOr<int64_t> high = bound(presburger::BoundType::UB);
      if ((succeeded(low) && *low < 0) || (succeeded(high) && *high >= size))
        return stage.emitOpError()
               << "writes outside of its tile: expected index #" << dim
               << " in [0, " << size << "), but its bounds are ["
               << (succeeded(low) ? std::to_string(*low) : "?") << ", "
               << (succeeded(high) ? std::to_string(*high) : "?") << "]";
    }
    for (Value index : stage.getIndices())
      for (RangeOp range : freeRanges.of(index))
        if (!llvm::is_contained(closed, range) && range.getAxis().isHardware())
          return stage.emitOpError()
                 << "has an index that is free in '" << describe(range)
                 << "', which it does not close";
    if (stage.getType().getMemorySpace() != MemorySpace::Workgroup)
      continue;
    // One tile serves all threads of the block.
    for (RangeOp range : freeRanges.of(stage)) {
      if (!range.getAxis().isThreadIndex() &&
          range.getAxis().getKind() != AxisKind::Thread)
        continue;
      InFlightDiagnostic diag =
          stage.emitOpError()
          << "is a workgroup tile and free in '" << describe(range)
          << "': expected its value not to vary between the threads of a "
             "block; close the range, or stage in private memory";
      diag.attachNote(range.getLoc()) << "the range is defined here";
      return diag;
    }
    // What needs all threads cannot be inside a loop that is divided among
    // them.
    SetVector<Operation *> inside;
    inside.insert(stage);
    for (size_t i = 0; i < inside.size(); ++i)
      for (Value operand : inside[i]->getOperands()) {
        Operation *op = operand.getDefiningOp();
        if (!op || !inside.insert(op))
          continue;
        auto reduce = dyn_cast<ReduceOp>(op);
        auto inner = dyn_cast<StageOp>(op);
        bool isCollective =
            (inner &&
             inner.getType().getMemorySpace() == MemorySpace::Workgroup) ||
            (reduce &&
             llvm::any_of(getRanges(reduce.getOver()), [](RangeOp range) {
               return range.getAxis().getKind() == AxisKind::GroupReduce;
             }));
        if (!isCollective)
          continue;
        for (RangeOp range : closed) {
          if (!llvm::is_contained(freeRanges.of(op->getResult(0)), range))
            continue;
          InFlightDiagnostic diag =
              stage.emitOpError()
              << "closes '" << describe(range) << "', in which a "
              << (inner ? "workgroup stage" : "group reduction")
              << " inside it is free: all threads of the block take part in "
                 "that, but each copies other points";
          diag.attachNote(op->getLoc()) << "it is here";
          return diag;
        }
      }
  }
  return success();
}

LogicalResult uop::verifyGraphForm(KernelOp kernel) {
  return GraphVerifier(kernel).verify();
}
