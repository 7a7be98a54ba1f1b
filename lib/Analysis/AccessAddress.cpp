//===- AccessAddress.cpp - Where, and under which conditions --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/AddressForms.h"
#include "Uop/Analysis/SharedMemory.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

void AddressForms::restrict(AtomNumber atom, IndexBounds bounds,
                            AccessAddress &address) {
  auto [it, isNew] = address.bounds.try_emplace(atom, atoms[atom].bounds);
  IndexBounds both = it->second.intersect(bounds);
  // Bounds that exclude one another: no thread comes here, as the conditions
  // say, too.
  it->second = both;
}

/// Requires that a form is not negative.
void AddressForms::require(std::optional<FormNumber> number,
                           AccessAddress &address) {
  // What is not required leaves more points, which is the safe side; but none
  // of them is a counterexample.
  if (!number)
    return;
  const LinearForm &form = getForm(*number);
  if (getBounds(*number).isAtLeast(0))
    return;
  if (form.terms.size() == 1) {
    auto [atom, coefficient] = form.terms.front();
    IndexBounds bounds;
    if (coefficient > 0)
      bounds.low = narrow(ceilDiv(-WideInt(form.constant), coefficient));
    else
      bounds.high =
          narrow(uop::floorDiv(WideInt(form.constant), -WideInt(coefficient)));
    IndexBounds known = atoms[atom].bounds;
    auto it = address.bounds.find(atom);
    if (it != address.bounds.end())
      known = it->second;
    bool excluded = (bounds.low && known.high && *bounds.low > *known.high) ||
                    (bounds.high && known.low && *bounds.high < *known.low);
    if (!excluded)
      return restrict(atom, bounds, address);
  }
  address.conditions.push_back(*number);
}

bool AddressForms::addComparison(arith::CmpIOp compare, bool isTrue,
                                 AccessAddress &address) {
  using Predicate = arith::CmpIPredicate;
  if (!compare.getLhs().getType().isSignlessIntOrIndex() ||
      compare.getLhs().getType().isInteger(1))
    return false;
  FormNumber lhs = get(compare.getLhs()), rhs = get(compare.getRhs());
  Predicate predicate = isTrue ? compare.getPredicate()
                               : arith::invertPredicate(compare.getPredicate());
  bool isLhsKnown = getBounds(lhs).isAtLeast(0);
  bool isRhsKnown = getBounds(rhs).isAtLeast(0);
  auto atMost = [&](FormNumber less, FormNumber more, int64_t distance) {
    std::optional<FormNumber> difference = add(more, less, -1);
    if (difference)
      difference = add(*difference, getConstant(distance), -1);
    require(difference, address);
    return difference.has_value();
  };
  switch (predicate) {
  case Predicate::eq:
    return llvm::all_of(
        std::initializer_list<bool>{atMost(lhs, rhs, 0), atMost(rhs, lhs, 0)},
        [](bool isKnown) { return isKnown; });
  case Predicate::ne: {
    // At the end of what it may be.
    std::optional<FormNumber> difference = add(lhs, rhs, -1);
    if (!difference)
      return false;
    IndexBounds bounds = getBounds(*difference);
    if (bounds.isAtLeast(0))
      return atMost(rhs, lhs, 1);
    if (bounds.isAtMost(0))
      return atMost(lhs, rhs, 1);
    return bounds.isAtLeast(1) || bounds.isAtMost(-1);
  }
  case Predicate::ult:
  case Predicate::ule: {
    // Below what is not negative is no negative number.
    if (!isRhsKnown)
      return false;
    bool isKnown = atMost(lhs, rhs, predicate == Predicate::ult ? 1 : 0);
    if (!isLhsKnown)
      isKnown &= atMost(getConstant(0), lhs, 0);
    return isKnown;
  }
  case Predicate::ugt:
  case Predicate::uge:
    if (!isLhsKnown || !isRhsKnown)
      return false;
    return atMost(rhs, lhs, predicate == Predicate::ugt ? 1 : 0);
  case Predicate::slt:
    return atMost(lhs, rhs, 1);
  case Predicate::sle:
    return atMost(lhs, rhs, 0);
  case Predicate::sgt:
    return atMost(rhs, lhs, 1);
  case Predicate::sge:
    return atMost(rhs, lhs, 0);
  }
  return false;
}

/// Adds what is understood of a condition; false where it says more.
bool AddressForms::addCondition(Value condition, bool isTrue,
                                AccessAddress &address) {
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant))) {
    if (constant.isZero() == isTrue)
      require(getConstant(-1), address);
    return true;
  }
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return addComparison(compare, isTrue, address);
  if ((isTrue && isa_and_nonnull<arith::AndIOp>(op)) ||
      (!isTrue && isa_and_nonnull<arith::OrIOp>(op))) {
    bool first = addCondition(op->getOperand(0), isTrue, address);
    bool second = addCondition(op->getOperand(1), isTrue, address);
    return first && second;
  }
  if (isa_and_nonnull<arith::XOrIOp>(op))
    for (unsigned side : {0u, 1u})
      if (matchPattern(op->getOperand(side), m_One()))
        return addCondition(op->getOperand(1 - side), !isTrue, address);
  return false;
}

/// Adds the conditions under which an op is executed.
void AddressForms::addConditions(Operation *op, AccessAddress &address) {
  Block *threads = &kernel.getBodyBlock();
  for (Operation *inner = op, *parent = op->getParentOp(); parent != kernel;
       inner = parent, parent = parent->getParentOp()) {
    bool isKnown = true;
    Region *region = inner->getParentRegion();
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      isKnown = addCondition(branch.getCondition(),
                             region == &branch.getThenRegion(), address);
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      FormNumber index = get(loop.getInductionVar());
      APInt step;
      isKnown = matchPattern(loop.getStep(), m_ConstantInt(&step)) &&
                step.getSExtValue() > 0 && !loop.getUnsignedCmp();
      std::optional<FormNumber> rest;
      if (!loop.getUnsignedCmp())
        rest = add(get(loop.getUpperBound()), index, -1);
      if (rest)
        rest = add(*rest, getConstant(1), -1);
      isKnown &= rest.has_value();
      require(rest, address);
    } else if (auto choice = dyn_cast<scf::IndexSwitchOp>(parent)) {
      unsigned number = region->getRegionNumber();
      isKnown = number != 0;
      if (isKnown) {
        FormNumber argument = get(choice.getArg());
        FormNumber value = getConstant(choice.getCases()[number - 1]);
        require(add(argument, value, -1), address);
        require(add(value, argument, -1), address);
      }
    } else if (isa<PhaseOp>(parent)) {
      threads = inner->getBlock();
    } else if (!isa<memref::GenericAtomicRMWOp>(parent)) {
      isKnown = isa<scf::ExecuteRegionOp>(parent) && region->hasOneBlock();
    }
    if (!isKnown)
      address.uncertain = parent;
  }
  // The threads of a phase, or all of them.
  std::array<std::optional<int64_t>, 3> extents;
  for (auto range : threads->getOps<RangeOp>())
    if (range.getAxis().isThreadIndex())
      extents[unsigned(range.getAxis().getThreadDimension())] =
          range.getConstantExtent();
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    bool isPhase = threads != &kernel.getBodyBlock();
    int64_t extent =
        extents[dimension].value_or(isPhase ? 1 : launch.block[dimension]);
    if (extent < launch.block[dimension])
      restrict(getThreadAtom(dimension), IndexBounds::between(0, extent - 1),
               address);
  }
  // A grid may be shorter than its bounds say; blocks are within their ranges.
  for (auto range : kernel.getBodyBlock().getOps<RangeOp>())
    if (range.getAxis().isBlockIndex() && range.getExtent() &&
        !getStaticExtent(range)) {
      LinearForm last;
      last.terms.push_back(
          {getBlockAtom(unsigned(*range.getAxis().getDimension())), -1});
      last.constant = -1;
      require(add(get(range.getExtent()), unique(last)), address);
    }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The bytes from one element of a memref to the next; nothing where that is
/// not known.
static std::optional<int64_t> getElementBytes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  Type scalar = vector ? vector.getElementType() : type;
  if (!scalar.isIntOrIndexOrFloat() || (vector && vector.isScalable()))
    return std::nullopt;
  return getStoredBytes(type);
}

/// Strides in bytes, and the offset; nothing where one is not static.
static std::optional<std::pair<SmallVector<int64_t>, int64_t>>
getByteStrides(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type)
    return std::nullopt;
  SmallVector<int64_t> strides;
  int64_t offset;
  std::optional<int64_t> bytes = getElementBytes(type.getElementType());
  if (!bytes || failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  for (auto [stride, size] : llvm::zip_equal(strides, type.getShape())) {
    if (size == 1)
      stride = 0;
    if (ShapedType::isDynamic(stride) ||
        llvm::MulOverflow(stride, *bytes, stride))
      return std::nullopt;
  }
  return std::pair(strides, offset);
}

static bool keepsPlace(Operation *op) {
  return isa<memref::CastOp, memref::MemorySpaceCastOp,
             memref::AssumeAlignmentOp>(op);
}

/// Goes from indices of a view to those of the root it is made of; false where
/// the view has another shape.
bool AddressForms::resolveView(Value memref, AccessAddress &address) {
  while (Operation *op = memref.getDefiningOp()) {
    if (isa<AllocOp>(op))
      return true;
    if (keepsPlace(op)) {
      memref = op->getOperand(0);
      continue;
    }
    if (auto transpose = dyn_cast<memref::TransposeOp>(op)) {
      AccessAddress source = address;
      for (auto [number, result] :
           llvm::enumerate(transpose.getPermutation().getResults())) {
        unsigned dim = cast<AffineDimExpr>(result).getPosition();
        source.starts[dim] = address.starts[number];
        source.sizes[dim] = address.sizes[number];
      }
      address.starts = source.starts;
      address.sizes = source.sizes;
      memref = transpose.getIn();
      continue;
    }
    auto subview = dyn_cast<memref::SubViewOp>(op);
    if (!subview)
      return false;
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    SmallVector<FormNumber, 4> starts;
    SmallVector<std::optional<int64_t>, 4> sizes;
    unsigned next = 0;
    for (unsigned dim = 0; dim < dropped.size(); ++dim) {
      OpFoldResult mixed = subview.getMixedOffsets()[dim];
      std::optional<int64_t> offset = getConstantIntValue(mixed);
      FormNumber start =
          offset ? getConstant(*offset) : get(cast<Value>(mixed));
      std::optional<int64_t> size = 1;
      if (!dropped[dim]) {
        std::optional<int64_t> stride =
            getConstantIntValue(subview.getMixedStrides()[dim]);
        if (!stride || *stride <= 0)
          return false;
        std::optional<FormNumber> sum =
            add(start, address.starts[next], *stride);
        if (!sum)
          return false;
        start = *sum;
        size = address.sizes[next];
        // What lies between is covered, too.
        if (size && *stride != 1 && *size > 1) {
          size = (*size - 1) * *stride + 1;
          address.uncertain = op;
        }
        ++next;
      }
      starts.push_back(start);
      sizes.push_back(size);
    }
    address.starts = starts;
    address.sizes = sizes;
    memref = subview.getSource();
  }
  return true;
}

AccessAddress AddressForms::resolve(const MemoryAccess &access) {
  AccessAddress address;
  addConditions(access.issue ? access.issue : access.op, address);
  if (isa<vector::MaskedLoadOp, vector::MaskedStoreOp>(access.op))
    address.uncertain = access.op;
  auto type = access.memref ? dyn_cast<MemRefType>(access.memref.getType())
                            : MemRefType();
  bool isWhole = access.indices.empty() && !access.sizes.empty();
  if (!type || (isWhole && int64_t(access.sizes.size()) != type.getRank()) ||
      (isWhole && !isa<memref::CopyOp>(access.op))) {
    address.isKnown = false;
    address.whyUnknown = access.memref ? "any element may be accessed"
                                       : "the memory may be one of several";
    return address;
  }
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    address.starts.push_back(isWhole ? getConstant(0)
                                     : get(access.indices[dim]));
    std::optional<int64_t> size = 1;
    if (!access.sizes.empty()) {
      size = access.sizes[dim];
      if (ShapedType::isDynamic(*size))
        size = std::nullopt;
    }
    address.sizes.push_back(size);
  }
  AccessAddress inRoot = address;
  if (resolveView(access.memref, inRoot))
    return inRoot;
  if (auto inBytes = convertToBytes(access, address))
    return *inBytes;
  address.isKnown = false;
  address.whyUnknown = "the place of a view is not known";
  return address;
}

std::optional<AccessAddress>
AddressForms::convertToBytes(const MemoryAccess &access,
                             const AccessAddress &address) {
  AccessAddress result = address;
  result.isInBytes = true;
  result.starts.clear();
  result.sizes.clear();
  result.spans.clear();
  // Where the access is in the memref that it names.
  auto layout = getByteStrides(access.memref);
  if (!layout)
    return std::nullopt;
  FormNumber place = getConstant(0);
  for (auto [dim, stride] : llvm::enumerate(layout->first)) {
    if (!access.indices.empty()) {
      auto sum = add(place, get(access.indices[dim]), stride);
      if (!sum)
        return std::nullopt;
      place = *sum;
    }
    if (access.sizes.empty() || access.sizes[dim] == 1)
      continue;
    if (ShapedType::isDynamic(access.sizes[dim]))
      return std::nullopt;
    result.spans.push_back({access.sizes[dim], stride});
  }
  auto type = cast<MemRefType>(access.memref.getType());
  result.spans.push_back({*getElementBytes(type.getElementType()), 1});
  // Where that begins in the root.
  Value memref = access.memref;
  while (Operation *op = memref.getDefiningOp()) {
    if (isa<AllocOp>(op))
      break;
    std::optional<FormNumber> sum = place;
    auto addMixed = [&](OpFoldResult mixed, int64_t factor) {
      if (!sum)
        return;
      if (std::optional<int64_t> constant = getConstantIntValue(mixed))
        sum = add(*sum, getConstant(*constant), factor);
      else
        sum = add(*sum, get(cast<Value>(mixed)), factor);
    };
    if (keepsPlace(op) || isa<memref::TransposeOp, memref::ExpandShapeOp,
                              memref::CollapseShapeOp, memref::ReshapeOp>(op)) {
      memref = op->getOperand(0);
    } else if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
      auto source = getByteStrides(subview.getSource());
      if (!source)
        return std::nullopt;
      for (auto [offset, stride] :
           llvm::zip_equal(subview.getMixedOffsets(), source->first))
        addMixed(offset, stride);
      memref = subview.getSource();
    } else if (auto view = dyn_cast<memref::ViewOp>(op)) {
      addMixed(view.getByteShift(), 1);
      memref = view.getSource();
    } else if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
      // Its offset is from the beginning of the memory, whatever the source.
      auto resultType = llvm::cast<MemRefType>(cast.getType());
      addMixed(cast.getMixedOffsets().front(),
               *getElementBytes(resultType.getElementType()));
      SmallVector<Value, 1> roots{access.root};
      auto root = getByteStrides(access.root);
      if (!root || root->second != 0)
        return std::nullopt;
      memref = access.root;
    } else {
      return std::nullopt;
    }
    if (!sum)
      return std::nullopt;
    place = *sum;
  }
  result.starts.push_back(place);
  return result;
}
