//===- TileLayout.cpp - Where the elements of a shared tile lie -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/TileLayout.h"
#include "Uop/Analysis/Divisibility.h"
#include "Uop/Analysis/LaunchShape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static bool movesChunks(TileLayoutAttr layout) {
  return layout.getKind() == TileLayoutKind::Xor ||
         layout.getKind() == TileLayoutKind::Rotate;
}

int64_t uop::getPlace(TileLayoutAttr layout, ArrayRef<int64_t> shape,
                      int64_t element) {
  if (shape.empty())
    return element;
  int64_t size = shape.back(), chunk = layout.getChunk();
  int64_t row = element / size, column = element % size;
  int64_t chunks = size / chunk;
  int64_t moved = column / chunk;
  switch (layout.getKind()) {
  case TileLayoutKind::Plain:
    return element;
  case TileLayoutKind::Pad:
    return row * (size + chunk) + column;
  case TileLayoutKind::Xor:
    moved ^= row / layout.getPeriod() % chunks;
    break;
  case TileLayoutKind::Rotate:
    moved = (moved + row / layout.getPeriod()) % chunks;
    break;
  }
  return row * size + moved * chunk + column % chunk;
}

int64_t uop::countPlaces(TileLayoutAttr layout, ArrayRef<int64_t> shape) {
  int64_t elements = ShapedType::getNumElements(shape);
  if (layout.getKind() != TileLayoutKind::Pad || shape.empty())
    return elements;
  return elements / shape.back() * (shape.back() + layout.getChunk());
}

std::string uop::findShapeObstacle(TileLayoutAttr layout,
                                   ArrayRef<int64_t> shape) {
  if (layout.getKind() == TileLayoutKind::Plain)
    return "";
  if (shape.size() < 2)
    return "the tile has one row";
  if (!movesChunks(layout))
    return "";
  int64_t size = shape.back(), chunk = layout.getChunk();
  if (size % chunk != 0)
    return "a row of " + std::to_string(size) +
           " elements has no whole number of chunks of " +
           std::to_string(chunk);
  if (layout.getKind() == TileLayoutKind::Xor &&
      !llvm::isPowerOf2_64(size / chunk))
    return "a row has " + std::to_string(size / chunk) +
           " chunks, which is no power of two; rotate takes any number";
  return "";
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {

/// A direct access to an allocation.
struct DirectAccess {
  MutableOperandRange indices;
  int64_t elements;
};

} // namespace

/// Nothing where the use is another.
static std::optional<DirectAccess> getDirectAccess(OpOperand &use) {
  using Result = std::optional<DirectAccess>;
  Type element = cast<MemRefType>(use.get().getType()).getElementType();
  auto ofVector = [&](auto access, VectorType vector) -> Result {
    if (vector.getRank() > 1 || vector.isScalable() ||
        vector.getElementType() != element)
      return std::nullopt;
    return DirectAccess{access.getIndicesMutable(), vector.getNumElements()};
  };
  return llvm::TypeSwitch<Operation *, Result>(use.getOwner())
      .Case<memref::LoadOp, memref::GenericAtomicRMWOp>([&](auto access) {
        return DirectAccess{access.getIndicesMutable(), 1};
      })
      .Case<memref::StoreOp, memref::AtomicRMWOp>([&](auto access) {
        return DirectAccess{access.getIndicesMutable(), 1};
      })
      .Case([&](vector::LoadOp access) {
        return ofVector(access, access.getVectorType());
      })
      .Case([&](vector::StoreOp access) {
        return ofVector(access, access.getVectorType());
      })
      .Case([&](nvgpu::DeviceAsyncCopyOp copy) -> Result {
        if (use.get() == copy.getSrc())
          return std::nullopt;
        return DirectAccess{copy.getDstIndicesMutable(),
                            copy.getDstElements().getSExtValue()};
      })
      .Default([](auto) { return std::nullopt; });
}

std::string uop::findUseObstacle(AllocOp alloc) {
  for (OpOperand &use : alloc.getResult().getUses())
    if (!getDirectAccess(use))
      return ("it is used by " + use.getOwner()->getName().getStringRef() +
              ", which is no direct access to elements or rows")
          .str();
  return "";
}

int64_t uop::getWidestAccess(AllocOp alloc) {
  int64_t widest = 1;
  for (OpOperand &use : alloc.getResult().getUses())
    if (std::optional<DirectAccess> access = getDirectAccess(use))
      widest = std::max(widest, access->elements);
  return widest;
}

std::string uop::findAccessObstacle(AllocOp alloc, TileLayoutAttr layout) {
  if (layout.getKind() == TileLayoutKind::Plain)
    return "";
  int64_t chunk = layout.getChunk();
  Divisibility divisibility;
  for (OpOperand &use : alloc.getResult().getUses()) {
    DirectAccess access = *getDirectAccess(use);
    if (access.elements == 1)
      continue;
    // Rows that are further apart must not make an access less aligned.
    if (chunk % access.elements != 0)
      return (use.getOwner()->getName().getStringRef() + " accesses " +
              std::to_string(access.elements) + " elements, which chunks of " +
              std::to_string(chunk) + " do not hold whole")
          .str();
    Value column = access.indices.getAsOperandRange().back();
    bool isMultiple =
        llvm::isPowerOf2_64(access.elements) &&
        divisibility.of(column) >= Divisibility::of(access.elements);
    if (movesChunks(layout) && !isMultiple)
      return (use.getOwner()->getName().getStringRef() + " accesses " +
              std::to_string(access.elements) +
              " elements at an index that is not proved to be a multiple of "
              "that, and may straddle two chunks")
          .str();
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Builds index arithmetic, folded where operands are constant.
class IndexBuilder {
public:
  IndexBuilder(Operation *before) : builder(before->getLoc(), before) {}

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  }
  template <typename Op> Value build(Value lhs, int64_t rhs) {
    bool isNeutral = rhs == (std::is_same_v<Op, arith::AddIOp> ? 0 : 1);
    return isNeutral ? lhs : build<Op>(lhs, constant(rhs));
  }
  template <typename Op> Value build(Value lhs, Value rhs) {
    return builder.createOrFold<Op>(builder.getLoc(), lhs, rhs);
  }

private:
  ImplicitLocOpBuilder builder;
};

} // namespace

/// The number of a row, counted over all dimensions but the last.
static Value buildRow(IndexBuilder &builder, ValueRange indices,
                      ArrayRef<int64_t> shape) {
  Value row = indices.front();
  for (size_t dim = 1; dim + 1 < indices.size(); ++dim)
    row = builder.build<arith::AddIOp>(
        builder.build<arith::MulIOp>(row, shape[dim]), indices[dim]);
  return row;
}

/// The column at which a layout places that of an access.
static Value buildColumn(IndexBuilder &builder, ValueRange indices,
                         ArrayRef<int64_t> shape, TileLayoutAttr layout) {
  Value column = indices.back();
  int64_t size = shape.back(), chunk = layout.getChunk();
  int64_t chunks = size / chunk;
  if (chunks == 1)
    return column;
  Value turn = builder.build<FloorDivOp>(buildRow(builder, indices, shape),
                                         layout.getPeriod());
  if (layout.getKind() == TileLayoutKind::Rotate) {
    // A row is whole chunks, so that the chunks wrap where the columns do.
    Value moved = builder.build<arith::AddIOp>(
        column, builder.build<arith::MulIOp>(turn, chunk));
    return builder.build<FloorModOp>(moved, size);
  }
  int64_t rows = ShapedType::getNumElements(shape) / size;
  if (llvm::divideCeil(rows, layout.getPeriod()) > uint64_t(chunks))
    turn = builder.build<FloorModOp>(turn, chunks);
  if (llvm::isPowerOf2_64(chunk))
    return builder.build<arith::XOrIOp>(
        column, builder.build<arith::MulIOp>(turn, chunk));
  Value moved = builder.build<arith::XOrIOp>(
      builder.build<FloorDivOp>(column, chunk), turn);
  return builder.build<arith::AddIOp>(
      builder.build<arith::MulIOp>(moved, chunk),
      builder.build<FloorModOp>(column, chunk));
}

void uop::applyLayout(AllocOp alloc, TileLayoutAttr layout) {
  auto plain = TileLayoutAttr::get(alloc.getContext(), TileLayoutKind::Plain,
                                   /*chunk=*/1, /*period=*/1);
  alloc.setLayoutAttr(plain);
  if (layout.getKind() == TileLayoutKind::Plain)
    return;
  auto type = cast<MemRefType>(alloc.getType());
  if (layout.getKind() == TileLayoutKind::Pad) {
    int64_t alignment = getAlignment(alloc);
    SmallVector<int64_t> shape(type.getShape());
    shape.back() += layout.getChunk();
    alloc.getResult().setType(MemRefType::Builder(type).setShape(shape));
    // A size that is less round would mean less alignment.
    if (getAlignment(alloc) < alignment)
      alloc.setAlignment(alignment);
    return;
  }
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : alloc.getResult().getUses())
    uses.push_back(&use);
  for (OpOperand *use : uses) {
    DirectAccess access = *getDirectAccess(*use);
    IndexBuilder builder(use->getOwner());
    OperandRange indices = access.indices.getAsOperandRange();
    SmallVector<Value> moved(indices);
    moved.back() = buildColumn(builder, indices, type.getShape(), layout);
    access.indices.assign(moved);
  }
}
