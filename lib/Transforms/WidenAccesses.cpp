//===- WidenAccesses.cpp - One wide access for adjacent ones --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The indices of an access are read as sums of multiples of values. Accesses
// whose sums differ in their constants only are in one family: of two of them
// it is known whether they are to one element, and how far they are apart.
//
// The ops of a block are looked at once, in order. Loads wait to be joined by
// others until their element may be written, stores until theirs may be read or
// written; then what has come together is cut into aligned pieces. Loads move
// up to the first of their piece, stores down to the last. Nothing is rewritten
// before the whole kernel has been looked at.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Divisibility.h"
#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/LinearForms.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

namespace uop {
#define GEN_PASS_DEF_WIDENACCESSES
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

/// The widest access that a thread makes, in bytes, and the narrowest that is
/// worth putting together.
static constexpr int64_t kWidest = 16, kNarrowest = 4;

namespace {

/// Accesses to one memref whose indices differ in constants only.
struct Family {
  Value memref;
  /// What divides the address of the access whose constants are all 0.
  TrailingZeros alignment;
};

/// The constants of the indices of an access.
using Constants = SmallVector<int64_t, 4>;

struct Access {
  Operation *op;
  unsigned family;
  Constants constants;
  /// Its place in the kernel.
  unsigned number;
};

/// Adjacent accesses that become one.
struct Piece {
  /// By address; an element may be loaded more than once.
  SmallVector<SmallVector<Operation *, 1>> elements;
  /// Where the wide access is: at the first load, at the last store.
  Operation *place;
  /// Indices that are known there, of the element `distance` above the first.
  ValueRange indices;
  int64_t distance;
  int64_t bytes;
};

/// What may still be joined, of the memory of one argument or allocation.
struct OpenAccesses {
  SmallVector<Access> loads, stores;
  /// What has been stored to since the first of the loads: elements of one
  /// family.
  std::optional<unsigned> dirtyFamily;
  std::set<Constants> dirty;
  /// The elements of the stores, which are of one family.
  std::set<Constants> stored;
};

class KernelWidener {
public:
  explicit KernelWidener(KernelOp kernel)
      : kernel(kernel), divisibility(chooseLeastAllocation(kernel)) {}

  /// Returns the number of loads and stores that became part of a wider one.
  std::pair<unsigned, unsigned> run();

private:
  static TrailingZeros chooseLeastAllocation(KernelOp kernel);

  bool isWidenable(Value memref);
  Access describe(Operation *op, Value memref, ValueRange indices);

  void visit(Block &block);
  void visit(Operation *op);
  void visitLoad(memref::LoadOp load);
  void visitStore(memref::StoreOp store);
  void flushLoads(OpenAccesses &accesses);
  void flushStores(OpenAccesses &accesses);
  void flushAll();
  void cut(ArrayRef<Access> accesses, bool areLoads);
  void addPiece(ArrayRef<ArrayRef<Access>> elements, bool areLoads);

  void build(const Piece &piece);

  KernelOp kernel;
  Divisibility divisibility;
  LinearForms forms;
  std::map<std::vector<int64_t>, unsigned> familyNumbers;
  SmallVector<Family> families;
  unsigned numAccesses = 0;

  llvm::MapVector<Value, OpenAccesses> open;
  std::vector<Piece> pieces;
};

} // namespace

/// The argument or allocation that the memref is memory of; null where that is
/// not known.
static Value getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  if (memref.getDefiningOp<AllocOp>())
    return memref;
  auto argument = dyn_cast<BlockArgument>(memref);
  return argument && isa<KernelOp>(argument.getOwner()->getParentOp())
             ? memref
             : Value();
}

/// Allocations may be aligned for the widest access, unless that makes a block
/// need more shared memory than it has.
TrailingZeros KernelWidener::chooseLeastAllocation(KernelOp kernel) {
  // What every chip has.
  constexpr int64_t sharedBytes = 48 * 1024;
  int64_t bytes = 0;
  kernel.walk([&](AllocOp alloc) {
    if (isWorkgroup(alloc))
      bytes = llvm::alignTo(bytes, std::max(getAlignment(alloc), kWidest)) +
              getBytes(alloc);
  });
  return bytes <= sharedBytes || bytes == getSharedBytes(kernel)
             ? Divisibility::of(kWidest)
             : 0;
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

/// Whether several elements of the memref can be one vector, which also needs
/// them to be adjacent.
bool KernelWidener::isWidenable(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  Type element = type.getElementType();
  std::optional<int64_t> numBytes = getNumBytes(element);
  return getRoot(memref) && element.isIntOrFloat() && numBytes &&
         *numBytes < kWidest && type.getRank() != 0 &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

Access KernelWidener::describe(Operation *op, Value memref,
                               ValueRange indices) {
  std::vector<int64_t> key = {forms.getNumber(memref)};
  Access access{op, 0, {}, numAccesses++};
  for (Value index : indices) {
    const LinearForm &form = forms.read(index);
    access.constants.push_back(form.constant);
    key.push_back(form.terms.size());
    for (auto [number, coefficient] : form.terms) {
      key.push_back(number);
      key.push_back(coefficient);
    }
  }
  auto [it, isNew] = familyNumbers.try_emplace(key, families.size());
  access.family = it->second;
  if (!isNew)
    return access;
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  TrailingZeros ofElement = Divisibility::of(*getNumBytes(element));
  Family family{memref, divisibility.ofStart(memref)};
  for (auto [dimension, index] : llvm::enumerate(indices)) {
    TrailingZeros ofStride = divisibility.ofStride(memref, dimension);
    for (auto [number, coefficient] : forms.read(index).terms)
      family.alignment =
          std::min(family.alignment, divisibility.of(forms.getValue(number)) +
                                         Divisibility::of(coefficient) +
                                         ofStride + ofElement);
  }
  families.push_back(family);
  return access;
}

//===----------------------------------------------------------------------===//
// What may become one
//===----------------------------------------------------------------------===//

void KernelWidener::visitLoad(memref::LoadOp load) {
  OpenAccesses &accesses = open[getRoot(load.getMemRef())];
  Access access = describe(load, load.getMemRef(), load.getIndices());
  if (!accesses.stores.empty() &&
      (accesses.stores.front().family != access.family ||
       accesses.stored.count(access.constants)))
    flushStores(accesses);
  if (accesses.dirtyFamily && (*accesses.dirtyFamily != access.family ||
                               accesses.dirty.count(access.constants)))
    flushLoads(accesses);
  if (!load.getNontemporal())
    accesses.loads.push_back(access);
}

void KernelWidener::visitStore(memref::StoreOp store) {
  OpenAccesses &accesses = open[getRoot(store.getMemRef())];
  Access access = describe(store, store.getMemRef(), store.getIndices());
  if (!accesses.loads.empty()) {
    if (accesses.dirtyFamily.value_or(access.family) != access.family) {
      flushLoads(accesses);
    } else {
      accesses.dirtyFamily = access.family;
      accesses.dirty.insert(access.constants);
    }
  }
  if (!accesses.stores.empty() &&
      (accesses.stores.front().family != access.family ||
       accesses.stored.count(access.constants) || store.getNontemporal()))
    flushStores(accesses);
  if (store.getNontemporal())
    return;
  accesses.stores.push_back(access);
  accesses.stored.insert(access.constants);
}

/// Anything but a load or store that can be widened.
void KernelWidener::visit(Operation *op) {
  if (isMemoryEffectFree(op))
    return;
  auto effects = getEffectsRecursively(op);
  if (!effects)
    return flushAll();
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    if (isa<MemoryEffects::Allocate, MemoryEffects::Free>(effect.getEffect()))
      continue;
    Value root = effect.getValue() ? getRoot(effect.getValue()) : Value();
    if (!root)
      return flushAll();
    auto it = open.find(root);
    if (it == open.end())
      continue;
    flushStores(it->second);
    if (!isa<MemoryEffects::Read>(effect.getEffect()))
      flushLoads(it->second);
  }
}

void KernelWidener::visit(Block &block) {
  for (Operation &op : block) {
    auto load = dyn_cast<memref::LoadOp>(op);
    auto store = dyn_cast<memref::StoreOp>(op);
    if (load && isWidenable(load.getMemRef()))
      visitLoad(load);
    else if (store && isWidenable(store.getMemRef()))
      visitStore(store);
    else
      visit(&op);
  }
  flushAll();
  for (Operation &op : block)
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        visit(inner);
}

void KernelWidener::flushLoads(OpenAccesses &accesses) {
  cut(accesses.loads, /*areLoads=*/true);
  accesses.loads.clear();
  accesses.dirtyFamily.reset();
  accesses.dirty.clear();
}

void KernelWidener::flushStores(OpenAccesses &accesses) {
  cut(accesses.stores, /*areLoads=*/false);
  accesses.stores.clear();
  accesses.stored.clear();
}

void KernelWidener::flushAll() {
  for (auto &[root, accesses] : open) {
    flushLoads(accesses);
    flushStores(accesses);
  }
  open.clear();
}

/// Finds the aligned pieces, the widest first.
void KernelWidener::cut(ArrayRef<Access> accesses, bool areLoads) {
  if (accesses.size() < 2)
    return;
  SmallVector<Access> sorted(accesses);
  llvm::sort(sorted, [](const Access &a, const Access &b) {
    return std::tie(a.family, a.constants, a.number) <
           std::tie(b.family, b.constants, b.number);
  });
  SmallVector<ArrayRef<Access>> elements;
  for (ArrayRef<Access> rest = sorted; !rest.empty();) {
    const Access &first = rest.front();
    elements.push_back(rest.take_while([&](const Access &access) {
      return access.family == first.family &&
             access.constants == first.constants;
    }));
    rest = rest.drop_front(elements.back().size());
  }
  // Whether the element follows the one before in memory.
  auto follows = [&](size_t position) {
    const Access &a = elements[position - 1].front();
    const Access &b = elements[position].front();
    ArrayRef<int64_t> before = a.constants, after = b.constants;
    return a.family == b.family && before.drop_back() == after.drop_back() &&
           before.back() + 1 == after.back();
  };
  auto getAlignment = [&](const Access &access) {
    const Family &family = families[access.family];
    Type element = cast<MemRefType>(family.memref.getType()).getElementType();
    TrailingZeros zeros = family.alignment;
    for (auto [dimension, constant] : llvm::enumerate(access.constants))
      zeros =
          std::min(zeros, Divisibility::of(constant) +
                              divisibility.ofStride(family.memref, dimension) +
                              Divisibility::of(*getNumBytes(element)));
    return zeros;
  };
  for (size_t position = 0; position < elements.size();) {
    const Access &first = elements[position].front();
    int64_t numBytes =
        *getNumBytes(cast<MemRefType>(families[first.family].memref.getType())
                         .getElementType());
    TrailingZeros alignment = getAlignment(first);
    size_t length = 1;
    while (position + length < elements.size() && follows(position + length) &&
           int64_t(length) < kWidest / numBytes)
      ++length;
    int64_t bytes = kWidest;
    while (bytes >= kNarrowest && (bytes > int64_t(length) * numBytes ||
                                   Divisibility::of(bytes) > alignment))
      bytes /= 2;
    if (bytes < kNarrowest || bytes <= numBytes) {
      ++position;
      continue;
    }
    size_t count = bytes / numBytes;
    addPiece(ArrayRef(elements).slice(position, count), areLoads);
    position += count;
  }
}

void KernelWidener::addPiece(ArrayRef<ArrayRef<Access>> elements,
                             bool areLoads) {
  const Access *place = &elements.front().front();
  Piece piece;
  for (ArrayRef<Access> element : elements) {
    SmallVector<Operation *, 1> &ops = piece.elements.emplace_back();
    for (const Access &access : element) {
      ops.push_back(access.op);
      bool isBetter = areLoads ? access.number < place->number
                               : access.number > place->number;
      if (isBetter)
        place = &access;
    }
  }
  piece.place = place->op;
  auto getIndices = [&](const Access &access) -> ValueRange {
    return areLoads ? cast<memref::LoadOp>(access.op).getIndices()
                    : cast<memref::StoreOp>(access.op).getIndices();
  };
  // Those of the first element, if they are known at the place, as those of the
  // access there are.
  const Access &first = elements.front().front();
  bool isKnown = llvm::all_of(getIndices(first), [&](Value index) {
    Operation *op = index.getDefiningOp();
    return !op || op->getBlock() != place->op->getBlock() ||
           op->isBeforeInBlock(place->op);
  });
  const Access &known = isKnown ? first : *place;
  piece.indices = getIndices(known);
  piece.distance = known.constants.back() - first.constants.back();
  Value memref = families[first.family].memref;
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  piece.bytes = int64_t(elements.size()) * *getNumBytes(element);
  pieces.push_back(std::move(piece));
}

//===----------------------------------------------------------------------===//
// The wide accesses
//===----------------------------------------------------------------------===//

void KernelWidener::build(const Piece &piece) {
  SmallVector<Location> locations;
  for (ArrayRef<Operation *> ops : piece.elements)
    for (Operation *op : ops)
      locations.push_back(op->getLoc());
  OpBuilder builder(piece.place);
  Location loc = builder.getFusedLoc(locations);

  auto load = dyn_cast<memref::LoadOp>(piece.place);
  Value memref =
      load ? load.getMemRef() : cast<memref::StoreOp>(piece.place).getMemRef();
  if (auto alloc = getRoot(memref).getDefiningOp<AllocOp>())
    if (getAlignment(alloc) < piece.bytes)
      alloc.setAlignment(piece.bytes);

  SmallVector<Value> indices(piece.indices);
  if (piece.distance != 0) {
    Value distance =
        arith::ConstantIndexOp::create(builder, loc, -piece.distance);
    indices.back() =
        arith::AddIOp::create(builder, loc, indices.back(), distance);
  }
  int64_t count = piece.elements.size();
  auto type = VectorType::get(
      count, cast<MemRefType>(memref.getType()).getElementType());
  llvm::MaybeAlign alignment(piece.bytes);
  if (load) {
    auto wide = vector::LoadOp::create(builder, loc, type, memref, indices,
                                       /*nontemporal=*/false, alignment);
    for (auto [position, ops] : llvm::enumerate(piece.elements)) {
      Value element = vector::ExtractOp::create(builder, ops.front()->getLoc(),
                                                wide, int64_t(position));
      for (Operation *op : ops)
        op->getResult(0).replaceAllUsesWith(element);
    }
  } else {
    SmallVector<Value> elements;
    for (ArrayRef<Operation *> ops : piece.elements)
      elements.push_back(cast<memref::StoreOp>(ops.front()).getValueToStore());
    Value wide = vector::FromElementsOp::create(builder, loc, type, elements);
    vector::StoreOp::create(builder, loc, wide, memref, indices,
                            /*nontemporal=*/false, alignment);
  }
  for (ArrayRef<Operation *> ops : piece.elements)
    for (Operation *op : ops)
      op->erase();
}

std::pair<unsigned, unsigned> KernelWidener::run() {
  visit(kernel.getBodyBlock());
  unsigned numLoads = 0, numStores = 0;
  for (const Piece &piece : pieces) {
    bool areLoads = isa<memref::LoadOp>(piece.place);
    for (ArrayRef<Operation *> ops : piece.elements)
      (areLoads ? numLoads : numStores) += ops.size();
    build(piece);
  }
  return {numLoads, numStores};
}

namespace {
struct WidenAccesses : uop::impl::WidenAccessesBase<WidenAccesses> {
  void runOnOperation() override {
    if (getOperation().isGraphForm())
      return markAllAnalysesPreserved();
    auto [loads, stores] = KernelWidener(getOperation()).run();
    numLoads += loads;
    numStores += stores;
  }
};
} // namespace
