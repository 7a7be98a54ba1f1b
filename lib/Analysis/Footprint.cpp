//===- Footprint.cpp - The elements that accesses touch -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Footprint.h"
#include "Uop/Analysis/AddressForms.h"
#include "Uop/Analysis/MemoryAccess.h"
#include "Uop/Analysis/SharedMemory.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace uop;

namespace {

class FootprintBuilder {
public:
  explicit FootprintBuilder(KernelOp kernel)
      : uniformity(kernel), forms(kernel, uniformity), accesses(kernel) {}

  llvm::MapVector<Value, BufferFootprint> build();

private:
  struct Parts {
    std::vector<DigitBox> boxes;
    bool isKnown = true, isExact = true;
  };

  void add(const MemoryAccess &access, Parts &parts);
  /// False where an atom has no bounds.
  bool addTerms(const LinearForm &form, const AccessAddress &address,
                DigitSet &set);
  /// Whether all points of the box are accessed, as far as the control flow
  /// around the access goes.
  bool isCertain(const MemoryAccess &access, const AccessAddress &address,
                 ArrayRef<int64_t> shape);
  bool isImplied(FormNumber condition, const AccessAddress &address,
                 ArrayRef<int64_t> shape);
  static std::optional<FootprintSize> finish(const Parts &parts,
                                             MemRefType type);

  Uniformity uniformity;
  AddressForms forms;
  MemoryAccesses accesses;
  /// The atoms of an access, each as often as it has it.
  SmallVector<AtomNumber> atoms;
};

} // namespace

static IndexBounds getBounds(AddressForms &forms, const AccessAddress &address,
                             AtomNumber number) {
  IndexBounds bounds = forms.getAtom(number).bounds;
  if (auto it = address.bounds.find(number); it != address.bounds.end())
    bounds = bounds.intersect(it->second);
  return bounds;
}

//===----------------------------------------------------------------------===//
// Independence
//===----------------------------------------------------------------------===//

namespace {

/// Whether the atoms of an access take all combinations of their values where
/// it is executed: indices and counters do; their quotients and remainders, and
/// what conditions say of these, are tried out.
class Independence {
public:
  Independence(AddressForms &forms, const AccessAddress &address)
      : forms(forms), address(address) {}

  bool holds(ArrayRef<AtomNumber> atoms);

private:
  static constexpr int64_t kMaxPoints = 1 << 16;

  /// False where there is an atom that is no number of the launch.
  bool addLeaves(AtomNumber number);
  int64_t evaluate(AtomNumber number) const;
  int64_t evaluateForm(FormNumber number) const;
  /// Whether all atoms have values that the conditions around the access allow.
  bool isAllowed(ArrayRef<AtomNumber> atoms) const;

  AddressForms &forms;
  const AccessAddress &address;
  llvm::MapVector<AtomNumber, int64_t> leaves;
};

} // namespace

static bool isLeaf(const Atom &atom) {
  return atom.kind == Atom::Kind::Thread || atom.kind == Atom::Kind::Block ||
         atom.kind == Atom::Kind::Counter;
}

bool Independence::addLeaves(AtomNumber number) {
  const Atom &atom = forms.getAtom(number);
  if (isLeaf(atom)) {
    leaves.insert({number, 0});
    return true;
  }
  if (atom.kind == Atom::Kind::Uniform || atom.kind == Atom::Kind::Varying)
    return false;
  auto addForm = [&](FormNumber form) {
    return llvm::all_of(forms.getForm(form).terms,
                        [&](auto term) { return addLeaves(term.first); });
  };
  return addForm(atom.form) &&
         (atom.kind != Atom::Kind::Xor || addForm(atom.other));
}

int64_t Independence::evaluateForm(FormNumber number) const {
  const LinearForm &form = forms.getForm(number);
  int64_t value = form.constant;
  for (auto [atom, coefficient] : form.terms)
    value += coefficient * evaluate(atom);
  return value;
}

int64_t Independence::evaluate(AtomNumber number) const {
  const Atom &atom = forms.getAtom(number);
  switch (atom.kind) {
  case Atom::Kind::FloorDiv:
    return int64_t(floorDiv(evaluateForm(atom.form), atom.divisor));
  case Atom::Kind::FloorMod:
    return int64_t(floorMod(evaluateForm(atom.form), atom.divisor));
  case Atom::Kind::Xor:
    return evaluateForm(atom.form) ^ evaluateForm(atom.other);
  default:
    return leaves.lookup(number);
  }
}

bool Independence::isAllowed(ArrayRef<AtomNumber> atoms) const {
  return llvm::all_of(atoms, [&](AtomNumber atom) {
    IndexBounds bounds = getBounds(forms, address, atom);
    int64_t value = evaluate(atom);
    return (!bounds.low || value >= *bounds.low) &&
           (!bounds.high || value <= *bounds.high);
  });
}

bool Independence::holds(ArrayRef<AtomNumber> atoms) {
  // Those that only a condition has.
  SmallVector<AtomNumber> restricted;
  for (auto [atom, bounds] : address.bounds)
    if (!isLeaf(forms.getAtom(atom))) {
      restricted.push_back(atom);
      if (!addLeaves(atom))
        return false;
    }
  SmallVector<AtomNumber> unique(atoms);
  llvm::sort(unique);
  if (std::unique(unique.begin(), unique.end()) != unique.end())
    return false;
  SmallVector<AtomNumber> composed;
  for (AtomNumber atom : unique)
    if (!isLeaf(forms.getAtom(atom))) {
      composed.push_back(atom);
      if (!addLeaves(atom))
        return false;
    }
  if (composed.empty() && restricted.empty())
    return true;
  for (AtomNumber atom : unique)
    if (leaves.contains(atom))
      composed.push_back(atom);
  llvm::append_range(restricted, composed);
  int64_t points = 1, combinations = 1;
  auto multiplyBy = [&](int64_t &product, AtomNumber atom) {
    IndexBounds bounds = getBounds(forms, address, atom);
    return bounds.isBounded() &&
           !llvm::MulOverflow(product, *bounds.high - *bounds.low + 1,
                              product) &&
           product <= kMaxPoints;
  };
  for (auto [leaf, value] : leaves)
    if (!multiplyBy(points, leaf))
      return false;
  for (AtomNumber atom : composed)
    if (!multiplyBy(combinations, atom))
      return false;
  std::set<SmallVector<int64_t, 4>> seen;
  for (int64_t point = 0; point < points; ++point) {
    int64_t rest = point;
    for (auto &[leaf, value] : leaves) {
      IndexBounds bounds = getBounds(forms, address, leaf);
      int64_t count = *bounds.high - *bounds.low + 1;
      value = *bounds.low + rest % count;
      rest /= count;
    }
    if (!isAllowed(restricted))
      continue;
    SmallVector<int64_t, 4> values;
    for (AtomNumber atom : composed)
      values.push_back(evaluate(atom));
    seen.insert(values);
  }
  return int64_t(seen.size()) == combinations;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool FootprintBuilder::addTerms(const LinearForm &form,
                                const AccessAddress &address, DigitSet &set) {
  for (auto [number, coefficient] : form.terms) {
    IndexBounds bounds = getBounds(forms, address, number);
    if (!bounds.isBounded())
      return false;
    atoms.push_back(number);
    set.setBase(set.getLeast() + coefficient * *bounds.low);
    set.addDigit(coefficient, *bounds.high - *bounds.low + 1);
  }
  return true;
}

/// Whether a condition leaves out nothing of the box, or only what clipping it
/// to the buffer does: of `f >= 0` that f is never negative, is about one atom,
/// whose bounds have it, or is the distance from the end of the buffer.
bool FootprintBuilder::isImplied(FormNumber condition,
                                 const AccessAddress &address,
                                 ArrayRef<int64_t> shape) {
  const LinearForm &form = forms.getForm(condition);
  if (forms.getBounds(condition).isAtLeast(0))
    return true;
  if (form.terms.size() == 1) {
    auto [atom, coefficient] = form.terms.front();
    IndexBounds bounds = getBounds(forms, address, atom);
    IndexBounds values = bounds * coefficient;
    return values.isBounded() && *values.low >= -form.constant;
  }
  for (auto [dimension, start] : llvm::enumerate(address.starts)) {
    std::optional<FormNumber> rest =
        forms.add(forms.getConstant(shape[dimension] - 1), start, -1);
    if (rest == condition || start == condition)
      return true;
  }
  return false;
}

bool FootprintBuilder::isCertain(const MemoryAccess &access,
                                 const AccessAddress &address,
                                 ArrayRef<int64_t> shape) {
  if (address.uncertain)
    return false;
  // It may read fewer than it writes.
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(access.op);
      copy && copy.getSrcElements())
    return false;
  for (FormNumber condition : address.conditions)
    if (!isImplied(condition, address, shape))
      return false;
  for (Operation *parent = access.op->getParentOp(); !isa<KernelOp>(parent);
       parent = parent->getParentOp()) {
    if (isa<scf::IfOp, PhaseOp>(parent))
      continue;
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      return false;
    std::optional<FormNumber> distance = forms.add(
        forms.get(loop.getUpperBound()), forms.get(loop.getLowerBound()), -1);
    if (!distance || !forms.getBounds(*distance).getConstant() ||
        !forms.getBounds(*distance).isAtLeast(1))
      return false;
  }
  return true;
}

/// One box an access; a whole dimension where it goes anywhere in it.
void FootprintBuilder::add(const MemoryAccess &access, Parts &parts) {
  auto type = dyn_cast<MemRefType>(access.root.getType());
  if (!type || !type.hasStaticShape()) {
    parts.isKnown = false;
    return;
  }
  AccessAddress address;
  if (access.memref)
    address = forms.resolve(access);
  const LaunchShape &launch = forms.getLaunch();
  if (llvm::is_contained(launch.grid, 0) || llvm::is_contained(launch.block, 0))
    return;
  bool isPlaced = access.memref && address.isKnown && !address.isInBytes &&
                  address.starts.size() == size_t(type.getRank());
  DigitBox box;
  atoms.clear();
  bool isExact = isPlaced;
  for (int64_t dimension = 0; dimension < type.getRank(); ++dimension) {
    int64_t extent = type.getDimSize(dimension);
    DigitSet whole(0, extent);
    if (!isPlaced) {
      box.push_back(whole);
      continue;
    }
    const LinearForm &form = forms.getForm(address.starts[dimension]);
    std::optional<int64_t> covered = address.sizes.empty()
                                         ? std::optional<int64_t>(1)
                                         : address.sizes[dimension];
    DigitSet set(form.constant, covered.value_or(extent));
    bool isBounded = addTerms(form, address, set);
    if (isBounded)
      set.clip(extent);
    else
      set = whole;
    isExact &= isBounded;
    isExact &= covered.has_value();
    box.push_back(set.size() > extent ? whole : set);
  }
  parts.isExact &= isExact && Independence(forms, address).holds(atoms) &&
                   isCertain(access, address, type.getShape());
  parts.boxes.push_back(std::move(box));
}

/// Whether different indices are known to be different places.
static bool isInjective(MemRefType type) {
  if (type.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  SmallVector<std::pair<int64_t, int64_t>> digits;
  for (auto [stride, extent] : llvm::zip_equal(strides, type.getShape()))
    if (extent > 1)
      digits.push_back({stride, extent});
  llvm::sort(digits);
  // From the first place to the last one of the digits so far; a stride that
  // is not known is negative.
  int64_t reach = 0, distance;
  for (auto [stride, extent] : digits)
    if (stride <= reach || llvm::MulOverflow(stride, extent - 1, distance) ||
        llvm::AddOverflow(reach, distance, reach))
      return false;
  return true;
}

std::optional<FootprintSize> FootprintBuilder::finish(const Parts &parts,
                                                      MemRefType type) {
  if (!parts.isKnown)
    return std::nullopt;
  FootprintSize size = countUnion(parts.boxes);
  size.isExact &= parts.isExact && (!type || isInjective(type));
  if (type && type.hasStaticShape() && size.elements > type.getNumElements())
    size = {type.getNumElements(), false};
  return size;
}

llvm::MapVector<Value, BufferFootprint> FootprintBuilder::build() {
  llvm::MapVector<Value, std::pair<Parts, Parts>> partsOf;
  for (const MemoryAccess &access : accesses.getAll()) {
    // The wait of a copy writes shared memory.
    if (access.isShared() || access.issue)
      continue;
    auto &[reads, writes] = partsOf[access.root];
    if (!access.isWrite || access.isAtomic)
      add(access, reads);
    if (access.isWrite)
      add(access, writes);
  }
  llvm::MapVector<Value, BufferFootprint> footprints;
  for (auto &[root, parts] : partsOf) {
    auto type = dyn_cast<MemRefType>(root.getType());
    BufferFootprint &footprint = footprints[root];
    Type element = getElementTypeOrSelf(root.getType());
    footprint.elementBytes =
        element.isIntOrIndexOrFloat() ? getStoredBytes(element) : 0;
    footprint.reads = finish(parts.first, type);
    footprint.writes = finish(parts.second, type);
  }
  return footprints;
}

llvm::MapVector<Value, BufferFootprint>
uop::computeFootprints(KernelOp kernel) {
  return FootprintBuilder(kernel).build();
}
