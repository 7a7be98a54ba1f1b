//===- AccessShapes.cpp - What memory an operation accesses ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessShapes.h"

#include "Uop/Analysis/SharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

bool uop::hasKnownElements(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref)
    return true;
  Type element = memref.getElementType();
  if (auto vector = dyn_cast<VectorType>(element))
    element = vector.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return element.isIntOrIndexOrFloat();
}

int64_t uop::getElementBytes(MemRefType type) {
  return getStoredBytes(type.getElementType());
}

static Value number(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

MemRefShape::MemRefShape(ImplicitLocOpBuilder &b, Value memref)
    : memref(memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> knownStrides;
  int64_t knownOffset = 0;
  if (type.hasStaticShape() &&
      succeeded(type.getStridesAndOffset(knownStrides, knownOffset)) &&
      !llvm::is_contained(knownStrides, ShapedType::kDynamic) &&
      ShapedType::isStatic(knownOffset)) {
    offset = number(b, knownOffset);
    for (int64_t size : type.getShape())
      sizes.push_back(number(b, size));
    for (int64_t stride : knownStrides)
      strides.push_back(number(b, stride));
    return;
  }
  auto metadata = memref::ExtractStridedMetadataOp::create(b, memref);
  offset = metadata.getOffset();
  sizes.assign(metadata.getSizes().begin(), metadata.getSizes().end());
  strides.assign(metadata.getStrides().begin(), metadata.getStrides().end());
}

Value MemRefShape::getStart(ImplicitLocOpBuilder &b) const {
  return getAddress(b, {});
}

Value MemRefShape::getAddress(ImplicitLocOpBuilder &b,
                              ArrayRef<Value> indices) const {
  Value element = offset;
  for (auto [index, stride] : llvm::zip(indices, strides))
    element = arith::AddIOp::create(b, element,
                                    arith::MulIOp::create(b, index, stride));
  Value bytes = number(b, getElementBytes(cast<MemRefType>(memref.getType())));
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, memref);
  return arith::AddIOp::create(b, base,
                               arith::MulIOp::create(b, element, bytes));
}

Value MemRefShape::getEnd(ImplicitLocOpBuilder &b) const {
  Value one = number(b, 1);
  SmallVector<Value> last;
  for (Value size : sizes)
    last.push_back(arith::SubIOp::create(b, size, one));
  Value bytes = number(b, getElementBytes(cast<MemRefType>(memref.getType())));
  return arith::AddIOp::create(b, getAddress(b, last), bytes);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value CheckedAccess::forAllElements(ImplicitLocOpBuilder &b, bool asks,
                                    VisitFn visit) const {
  if (!getElement)
    return visit(b, indices, {});
  OpBuilder::InsertionGuard guard(b);
  Value yes =
      asks ? arith::ConstantIntOp::create(b, 1, 1).getResult() : Value();
  Value zero = number(b, 0), one = number(b, 1);
  SmallVector<Value> position;
  SmallVector<scf::ForOp> loops;
  SmallVector<Value> carried;
  if (asks)
    carried.push_back(yes);
  for (int64_t size : shape) {
    auto loop = scf::ForOp::create(b, zero, number(b, size), one, carried);
    position.push_back(loop.getInductionVar());
    carried.assign(loop.getRegionIterArgs().begin(),
                   loop.getRegionIterArgs().end());
    b.setInsertionPointToStart(loop.getBody());
    loops.push_back(loop);
  }
  Value isAccessed;
  SmallVector<Value> element = getElement(b, position, isAccessed);
  Value result;
  if (isAccessed) {
    SmallVector<Type> types;
    if (asks)
      types.push_back(b.getI1Type());
    auto branch = scf::IfOp::create(b, types, isAccessed, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value inside = visit(b, element, position);
    scf::YieldOp::create(b, asks ? ValueRange(inside) : ValueRange());
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, asks ? ValueRange(yes) : ValueRange());
    result = asks ? branch.getResult(0) : Value();
  } else {
    result = visit(b, element, position);
  }
  if (!asks) {
    // Loops without results have their terminators already.
    return Value();
  }
  if (loops.empty())
    return result;
  result = arith::AndIOp::create(b, carried.front(), result);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, result);
    result = loop.getResult(0);
  }
  return result;
}

Value uop::getElementNumber(ImplicitLocOpBuilder &b, ArrayRef<Value> position,
                            ArrayRef<int64_t> shape) {
  Value at = number(b, 0);
  for (auto [index, size] : llvm::zip_equal(position, shape)) {
    at = arith::MulIOp::create(b, at, number(b, size));
    at = arith::AddIOp::create(b, at, index);
  }
  return at;
}

/// A bit of a mask of any rank.
static Value getBit(ImplicitLocOpBuilder &b, Value mask,
                    ArrayRef<Value> position) {
  auto type = cast<VectorType>(mask.getType());
  auto flat = VectorType::get({type.getNumElements()}, type.getElementType());
  if (type.getRank() != 1)
    mask = vector::ShapeCastOp::create(b, flat, mask);
  Value at = getElementNumber(b, position, type.getShape());
  return vector::ExtractOp::create(b, mask, OpFoldResult(at));
}

/// Moves the last indices on by a position.
static SmallVector<Value> moveOn(ImplicitLocOpBuilder &b, ValueRange indices,
                                 ArrayRef<Value> position) {
  SmallVector<Value> moved(indices);
  for (auto [index, step] :
       llvm::zip(MutableArrayRef(moved).take_back(position.size()), position))
    index = arith::AddIOp::create(b, index, step);
  return moved;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isKnownVector(VectorType type) { return !type.isScalable(); }

static CheckedAccess getScalar(SiteKind kind, Value memref,
                               ValueRange indices) {
  CheckedAccess access;
  access.kind = kind;
  access.memref = memref;
  access.indices.assign(indices.begin(), indices.end());
  access.bytes = getElementBytes(cast<MemRefType>(memref.getType()));
  access.alignment = access.bytes;
  return access;
}

/// The elements from `indices` on, along the last axes of a memref.
static LogicalResult addSlice(Operation *op, SiteKind kind, Value memref,
                              ValueRange indices, VectorType type,
                              std::optional<uint64_t> alignment,
                              SmallVectorImpl<CheckedAccess> &accesses) {
  if (!isKnownVector(type))
    return failure();
  CheckedAccess access = getScalar(kind, memref, indices);
  bool isElement =
      isa<VectorType>(cast<MemRefType>(memref.getType()).getElementType());
  access.alignment = std::max<int64_t>(access.alignment, alignment.value_or(1));
  if (!isElement && type.getRank() == 1) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    access.length = number(b, type.getNumElements());
    access.bytes *= type.getNumElements();
  } else if (!isElement && type.getRank() > 1) {
    access.shape.assign(type.getShape().begin(), type.getShape().end());
    access.alignment = access.bytes;
    SmallVector<Value> start(indices);
    access.getElement = [start](ImplicitLocOpBuilder &b,
                                ArrayRef<Value> position,
                                Value &) { return moveOn(b, start, position); };
  }
  accesses.push_back(std::move(access));
  return success();
}

/// The elements under a mask, along the last axes or at `offsets` along the
/// last one.
static LogicalResult addMasked(SiteKind kind, Value memref, ValueRange indices,
                               Value mask, Value offsets,
                               SmallVectorImpl<CheckedAccess> &accesses) {
  auto type = cast<VectorType>(mask.getType());
  if (!isKnownVector(type) || !isa<MemRefType>(memref.getType()))
    return failure();
  CheckedAccess access = getScalar(kind, memref, indices);
  access.shape.assign(type.getShape().begin(), type.getShape().end());
  SmallVector<Value> start(indices);
  access.getElement = [start, mask, offsets](ImplicitLocOpBuilder &b,
                                             ArrayRef<Value> position,
                                             Value &isAccessed) {
    isAccessed = getBit(b, mask, position);
    if (!offsets)
      return moveOn(b, start, position);
    Value offset = getBit(b, offsets, position);
    if (!offset.getType().isIndex())
      offset = arith::IndexCastOp::create(b, b.getIndexType(), offset);
    return moveOn(b, start, offset);
  };
  accesses.push_back(std::move(access));
  return success();
}

static LogicalResult addTransfer(VectorTransferOpInterface op, SiteKind kind,
                                 SmallVectorImpl<CheckedAccess> &accesses) {
  Value memref = op.getBase();
  VectorType type = op.getVectorType();
  auto memrefType = dyn_cast<MemRefType>(memref.getType());
  if (!memrefType || isa<VectorType>(memrefType.getElementType()) ||
      !isKnownVector(type))
    return failure();
  CheckedAccess access = getScalar(kind, memref, op.getIndices());
  access.shape.assign(type.getShape().begin(), type.getShape().end());
  access.isRow = type.getRank() == 1 && !op.getMask() &&
                 !op.hasOutOfBoundsDim() &&
                 op.getPermutationMap().isMinorIdentity();
  access.getElement = [op, memref](ImplicitLocOpBuilder &b,
                                   ArrayRef<Value> position,
                                   Value &isAccessed) mutable {
    SmallVector<Value> indices(op.getIndices());
    auto require = [&](Value bit) {
      isAccessed = isAccessed ? arith::AndIOp::create(b, isAccessed, bit) : bit;
    };
    for (auto [axis, expr] :
         llvm::enumerate(op.getPermutationMap().getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      Value &index = indices[dim.getPosition()];
      index = arith::AddIOp::create(b, index, position[axis]);
      // What is beyond the end of such an axis is padding.
      if (!op.isDimInBounds(axis))
        require(arith::CmpIOp::create(
            b, arith::CmpIPredicate::slt, index,
            memref::DimOp::create(b, memref, dim.getPosition())));
    }
    if (Value mask = op.getMask()) {
      AffineMap toMask =
          inversePermutation(compressUnusedDims(op.getPermutationMap()));
      SmallVector<Value> maskPosition;
      for (AffineExpr expr : toMask.getResults())
        maskPosition.push_back(
            position[cast<AffineDimExpr>(expr).getPosition()]);
      require(getBit(b, mask, maskPosition));
    }
    return indices;
  };
  accesses.push_back(std::move(access));
  return success();
}

static LogicalResult addAsyncCopy(nvgpu::DeviceAsyncCopyOp op,
                                  SmallVectorImpl<CheckedAccess> &accesses) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  int64_t count = op.getDstElements().getSExtValue();
  Value length = number(b, count);
  CheckedAccess target =
      getScalar(SiteKind::AsyncCopy, op.getDst(), op.getDstIndices());
  target.length = length;
  target.bytes *= count;
  target.alignment = target.bytes;
  CheckedAccess source =
      getScalar(SiteKind::Load, op.getSrc(), op.getSrcIndices());
  source.alignment = target.bytes;
  if (Value elements = op.getSrcElements()) {
    // As many as are asked for, one by one; the rest is zeros.
    source.shape = {count};
    source.isRow = true;
    source.prefix = elements;
    SmallVector<Value> start(op.getSrcIndices());
    source.getElement = [start, elements](ImplicitLocOpBuilder &b,
                                          ArrayRef<Value> position,
                                          Value &isAccessed) {
      isAccessed = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                         position.front(), elements);
      return moveOn(b, start, position);
    };
    source.alignment = source.bytes;
  } else {
    source.length = length;
    source.bytes *= count;
  }
  accesses.push_back(std::move(source));
  accesses.push_back(std::move(target));
  return success();
}

LogicalResult uop::getMemoryAccesses(Operation *op,
                                     SmallVectorImpl<CheckedAccess> &accesses) {
  auto add = [&](CheckedAccess access) {
    accesses.push_back(std::move(access));
    return success();
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](memref::LoadOp load) {
        return add(
            getScalar(SiteKind::Load, load.getMemRef(), load.getIndices()));
      })
      .Case([&](memref::StoreOp store) {
        return add(
            getScalar(SiteKind::Store, store.getMemRef(), store.getIndices()));
      })
      .Case<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>([&](auto atomic) {
        return add(getScalar(SiteKind::Atomic, atomic.getMemref(),
                             atomic.getIndices()));
      })
      .Case([&](vector::LoadOp load) {
        return addSlice(op, SiteKind::Load, load.getBase(), load.getIndices(),
                        load.getVectorType(), load.getAlignment(), accesses);
      })
      .Case([&](vector::StoreOp store) {
        return addSlice(op, SiteKind::Store, store.getBase(),
                        store.getIndices(), store.getVectorType(),
                        store.getAlignment(), accesses);
      })
      .Case([&](vector::MaskedLoadOp load) {
        return addMasked(SiteKind::Load, load.getBase(), load.getIndices(),
                         load.getMask(), Value(), accesses);
      })
      .Case([&](vector::MaskedStoreOp store) {
        return addMasked(SiteKind::Store, store.getBase(), store.getIndices(),
                         store.getMask(), Value(), accesses);
      })
      .Case([&](vector::GatherOp gather) {
        return addMasked(SiteKind::Load, gather.getBase(), gather.getOffsets(),
                         gather.getMask(), gather.getIndices(), accesses);
      })
      .Case([&](vector::ScatterOp scatter) {
        return addMasked(SiteKind::Store, scatter.getBase(),
                         scatter.getOffsets(), scatter.getMask(),
                         scatter.getIndices(), accesses);
      })
      .Case([&](vector::TransferReadOp read) {
        return addTransfer(read, SiteKind::Load, accesses);
      })
      .Case([&](vector::TransferWriteOp write) {
        return addTransfer(write, SiteKind::Store, accesses);
      })
      .Case([&](nvgpu::DeviceAsyncCopyOp copy) {
        return addAsyncCopy(copy, accesses);
      })
      .Default([](Operation *) { return failure(); });
}
