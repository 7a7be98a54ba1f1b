//===- AccessAddress.cpp - Where an access is in its buffer ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAddress.h"
#include "Uop/Analysis/SharedMemory.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::traffic;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The bytes of an element in memory; 0 where they are not known.
static int64_t getElementBytes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  auto complex = dyn_cast<ComplexType>(type);
  Type scalar = vector    ? vector.getElementType()
                : complex ? complex.getElementType()
                          : type;
  if (!scalar.isIntOrIndexOrFloat() || (vector && vector.isScalable()))
    return 0;
  return getStoredBytes(type);
}

namespace {

/// Adds up where an access is, through views, up to the buffer.
class AddressBuilder {
public:
  AddressBuilder(FoundAccess &found, const KnownValues &known)
      : found(found), known(known) {}

  void build(Value memref, ValueRange indices);

private:
  void addTerm(OpFoldResult index, int64_t bytes);
  /// Adds the distance of the first element of a view from its buffer.
  void addBase(Value memref);
  std::optional<int64_t> getStride(Value memref, unsigned dimension);
  /// Adds indices times the strides of a memref.
  void addIndices(Value memref, ArrayRef<OpFoldResult> indices);
  void refuse(const Twine &reason) {
    if (found.access.reason.empty())
      found.access.reason = reason.str();
  }

  FoundAccess &found;
  const KnownValues &known;
};

} // namespace

void AddressBuilder::addTerm(OpFoldResult index, int64_t bytes) {
  std::optional<int64_t> constant = getConstantIntValue(index);
  if (!constant)
    constant = known.getConstant(cast<Value>(index));
  if (constant)
    found.address.offset += *constant * bytes;
  else
    found.address.terms.push_back({cast<Value>(index), bytes});
}

std::optional<int64_t> AddressBuilder::getStride(Value memref,
                                                 unsigned dimension) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  if (!ShapedType::isDynamic(strides[dimension]))
    return strides[dimension];
  if (isa<BlockArgument>(memref)) {
    // Row-major, with sizes that the launch gives.
    if (!type.getLayout().isIdentity())
      return std::nullopt;
    int64_t stride = 1;
    for (unsigned inner = dimension + 1; inner < type.getRank(); ++inner) {
      std::optional<int64_t> size = known.getSize(memref, inner);
      if (!size)
        return std::nullopt;
      stride *= *size;
    }
    return stride;
  }
  if (auto cast = memref.getDefiningOp<memref::CastOp>())
    return isa<MemRefType>(cast.getSource().getType())
               ? getStride(cast.getSource(), dimension)
               : std::nullopt;
  if (auto subview = memref.getDefiningOp<memref::SubViewOp>()) {
    // Of the dimensions of the source those that are not dropped, in order.
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    unsigned kept = 0;
    for (unsigned dim = 0; dim < dropped.size(); ++dim) {
      if (dropped[dim] || kept++ != dimension)
        continue;
      std::optional<int64_t> outer = getStride(subview.getSource(), dim);
      std::optional<int64_t> own =
          getConstantIntValue(subview.getMixedStrides()[dim]);
      return outer && own ? std::optional(*outer * *own) : std::nullopt;
    }
  }
  return std::nullopt;
}

void AddressBuilder::addIndices(Value memref, ArrayRef<OpFoldResult> indices) {
  for (auto [dimension, index] : llvm::enumerate(indices)) {
    if (isConstantIntValue(index, 0))
      continue;
    std::optional<int64_t> stride = getStride(memref, dimension);
    if (!stride)
      return refuse("the stride of dimension #" + Twine(dimension) +
                    " of its memref is not known");
    addTerm(index, *stride * found.access.elementBytes);
  }
}

void AddressBuilder::addBase(Value memref) {
  found.access.buffer = memref;
  Operation *op = memref.getDefiningOp();
  if (!op) {
    auto type = cast<MemRefType>(memref.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!isa<KernelOp>(cast<BlockArgument>(memref).getOwner()->getParentOp()))
      return refuse("its memref is carried by a loop");
    if (failed(type.getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamic(offset))
      return refuse("the offset of its memref is not known");
    found.address.offset += offset * found.access.elementBytes;
    return;
  }
  if (isa<AllocOp, memref::GetGlobalOp>(op))
    return;
  if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
    addIndices(subview.getSource(), subview.getMixedOffsets());
    return addBase(subview.getSource());
  }
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    addTerm(view.getByteShift(), 1);
    return addBase(view.getSource());
  }
  // Its offset counts from the buffer, whatever view it is a cast of.
  if (auto reinterpreted = dyn_cast<memref::ReinterpretCastOp>(op)) {
    addTerm(reinterpreted.getMixedOffsets().front(), found.access.elementBytes);
    ValueAddress own = found.address;
    if (isa<MemRefType>(reinterpreted.getSource().getType()))
      addBase(reinterpreted.getSource());
    else
      refuse("its memref is the result of " + op->getName().getStringRef());
    found.address = own;
    return;
  }
  if (isa<memref::CastOp, memref::MemorySpaceCastOp, memref::CollapseShapeOp,
          memref::ExpandShapeOp, memref::AssumeAlignmentOp>(op) &&
      isa<MemRefType>(op->getOperand(0).getType()))
    return addBase(op->getOperand(0));
  refuse("its memref is the result of " + op->getName().getStringRef());
}

void AddressBuilder::build(Value memref, ValueRange indices) {
  addIndices(memref, getAsOpFoldResult(indices));
  addBase(memref);
  for (auto [index, bytes] : found.address.terms)
    if (Value unknown = known.getUnknown(index))
      return refuse("its address depends on " + KnownValues::describe(unknown));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {

class AccessFinder {
public:
  AccessFinder(Operation *op, const KnownValues &known)
      : op(op), known(known) {}

  /// An access to one element, or to adjacent ones.
  void add(AccessKind kind, Value memref, ValueRange indices,
           int64_t elements = 1, Value count = {});
  void addVector(AccessKind kind, Value memref, ValueRange indices,
                 VectorType vector);
  /// An access that a lowering makes several of.
  void addOpaque(AccessKind kind, Value memref);

  SmallVector<FoundAccess, 2> found;

private:
  FoundAccess *create(AccessKind kind, Value memref);

  Operation *op;
  const KnownValues &known;
};

} // namespace

static bool isPrivate(MemRefType type) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == gpu::AddressSpace::Private;
}

FoundAccess *AccessFinder::create(AccessKind kind, Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || isPrivate(type))
    return nullptr;
  FoundAccess &result = found.emplace_back();
  WarpAccess &access = result.access;
  access.op = op;
  access.kind = kind;
  access.isShared = gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
  access.buffer = memref;
  access.elementType = type.getElementType();
  access.elementBytes = getElementBytes(type.getElementType());
  if (access.elementBytes == 0)
    access.reason = "the size of its elements is not known";
  if (Operation *control = known.getForeignControl(op->getBlock()))
    access.reason =
        (control->getName().getStringRef() + " around it is not followed")
            .str();
  else if (Value unknown = known.getUnknownControl(op->getBlock()))
    access.reason =
        "whether it is executed depends on " + KnownValues::describe(unknown);
  return &result;
}

void AccessFinder::add(AccessKind kind, Value memref, ValueRange indices,
                       int64_t elements, Value count) {
  FoundAccess *result = create(kind, memref);
  if (!result)
    return;
  result->access.elements = elements;
  result->count = count;
  if (count)
    if (Value unknown = known.getUnknown(count))
      result->access.reason =
          "its size depends on " + KnownValues::describe(unknown);
  AddressBuilder(*result, known).build(memref, indices);
}

void AccessFinder::addVector(AccessKind kind, Value memref, ValueRange indices,
                             VectorType vector) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getElementType() == vector)
    return add(kind, memref, indices);
  bool isRow = vector.getRank() <= 1 && !vector.isScalable() &&
               type.getElementType() == vector.getElementType() &&
               (type.getElementType().isIndex() ||
                type.getElementTypeBitWidth() % 8 == 0);
  if (isRow)
    add(kind, memref, indices, vector.getNumElements());
  else
    addOpaque(kind, memref);
}

void AccessFinder::addOpaque(AccessKind kind, Value memref) {
  FoundAccess *result = create(kind, memref);
  if (result && result->access.reason.empty())
    result->access.reason =
        "its lowering makes several accesses of it; lower it before";
}

/// Whether a transfer accesses one row of adjacent elements, all in bounds.
static bool isRow(VectorTransferOpInterface transfer) {
  return transfer.getVectorType().getRank() == 1 && !transfer.getMask() &&
         !transfer.hasOutOfBoundsDim() &&
         transfer.getPermutationMap().isMinorIdentity() &&
         isa<MemRefType>(transfer.getShapedType());
}

SmallVector<FoundAccess, 2> traffic::findAccesses(Operation *op,
                                                  const KnownValues &known) {
  AccessFinder finder(op, known);
  constexpr AccessKind load = AccessKind::Load, store = AccessKind::Store;
  auto addTransfer = [&](VectorTransferOpInterface transfer, AccessKind kind) {
    if (isRow(transfer))
      finder.addVector(kind, transfer.getBase(), transfer.getIndices(),
                       transfer.getVectorType());
    else
      finder.addOpaque(kind, transfer.getBase());
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](memref::LoadOp access) {
        finder.add(load, access.getMemRef(), access.getIndices());
      })
      .Case([&](memref::StoreOp access) {
        finder.add(store, access.getMemRef(), access.getIndices());
      })
      .Case([&](memref::AtomicRMWOp access) {
        finder.add(AccessKind::Atomic, access.getMemref(), access.getIndices());
      })
      .Case([&](memref::GenericAtomicRMWOp access) {
        finder.add(AccessKind::Atomic, access.getMemref(), access.getIndices());
      })
      .Case([&](vector::LoadOp access) {
        finder.addVector(load, access.getBase(), access.getIndices(),
                         access.getVectorType());
      })
      .Case([&](vector::StoreOp access) {
        finder.addVector(store, access.getBase(), access.getIndices(),
                         access.getVectorType());
      })
      .Case(
          [&](vector::TransferReadOp transfer) { addTransfer(transfer, load); })
      .Case([&](vector::TransferWriteOp transfer) {
        addTransfer(transfer, store);
      })
      .Case([&](nvgpu::DeviceAsyncCopyOp copy) {
        int64_t elements = copy.getDstElements().getSExtValue();
        finder.add(load, copy.getSrc(), copy.getSrcIndices(), elements,
                   copy.getSrcElements());
        finder.add(store, copy.getDst(), copy.getDstIndices(), elements);
      })
      .Case([&](nvgpu::LdMatrixOp matrix) {
        // Each lane gives the address of a row of 16 bytes; of fewer than four
        // matrices some lanes give none.
        auto type = cast<MemRefType>(matrix.getSrcMemref().getType());
        int64_t bytes = getElementBytes(type.getElementType());
        constexpr int64_t rowBytes = 16;
        if (matrix.getNumTiles() == 4 && bytes > 0 && rowBytes % bytes == 0)
          finder.add(load, matrix.getSrcMemref(), matrix.getIndices(),
                     rowBytes / bytes);
        else
          finder.addOpaque(load, matrix.getSrcMemref());
      })
      .Default([&](Operation *op) {
        auto effects = dyn_cast<MemoryEffectOpInterface>(op);
        if (!effects || isa<memref::PrefetchOp, AllocOp>(op))
          return;
        for (Value operand : op->getOperands()) {
          if (effects.getEffectOnValue<MemoryEffects::Read>(operand))
            finder.addOpaque(load, operand);
          if (effects.getEffectOnValue<MemoryEffects::Write>(operand))
            finder.addOpaque(store, operand);
        }
      });
  return std::move(finder.found);
}
