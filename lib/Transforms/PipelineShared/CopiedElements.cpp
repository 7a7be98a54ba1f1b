//===- CopiedElements.cpp - Stores that an asynchronous copy can do -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoop.h"
#include "Uop/Analysis/Speculation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uop;

/// Whether all bits of a constant are zero: not so of -0.0.
static bool isZero(Value value) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return false;
  if (auto splat = dyn_cast<SplatElementsAttr>(attr))
    attr = splat.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(attr))
    return number.getValue().isPosZero();
  auto number = dyn_cast<IntegerAttr>(attr);
  return number && number.getValue().isZero();
}

/// A value that is loaded, or zero where a condition does not hold.
struct LoadedValue {
  Value value;
  Value condition;
};

/// Looks through the guard of a load. A further condition is more than a copy
/// can have.
static std::optional<LoadedValue> lookThroughGuard(Value value) {
  if (auto choice = value.getDefiningOp<arith::SelectOp>()) {
    if (!isZero(choice.getFalseValue()) ||
        !choice.getCondition().getType().isInteger(1))
      return std::nullopt;
    return LoadedValue{choice.getTrueValue(), choice.getCondition()};
  }
  auto guard = value.getDefiningOp<scf::IfOp>();
  if (!guard)
    return LoadedValue{value, {}};
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (!isZero(guard.elseYield().getOperand(number)))
    return std::nullopt;
  return LoadedValue{guard.thenYield().getOperand(number),
                     guard.getCondition()};
}

/// The vector of which these are the elements, in order, and no others.
static Value getVectorOf(ArrayRef<Value> elements) {
  Value vector;
  for (auto [position, element] : llvm::enumerate(elements)) {
    auto extract = element.getDefiningOp<vector::ExtractOp>();
    if (!extract || extract.hasDynamicPosition() ||
        extract.getStaticPosition() != ArrayRef<int64_t>(int64_t(position)) ||
        (vector && vector != extract.getSource()))
      return {};
    vector = extract.getSource();
  }
  auto type = vector ? dyn_cast<VectorType>(vector.getType()) : VectorType();
  return type && type.getRank() == 1 && !type.isScalable() &&
                 type.getNumElements() == int64_t(elements.size())
             ? vector
             : Value();
}

static std::optional<LoadedValue> getLoadedValue(Value stored) {
  auto whole = stored.getDefiningOp<vector::FromElementsOp>();
  if (!whole)
    return lookThroughGuard(stored);
  LoadedValue result;
  SmallVector<Value> elements;
  for (auto [position, element] : llvm::enumerate(whole.getElements())) {
    std::optional<LoadedValue> loaded = lookThroughGuard(element);
    if (!loaded || (position != 0 && loaded->condition != result.condition))
      return std::nullopt;
    result.condition = loaded->condition;
    elements.push_back(loaded->value);
  }
  result.value = getVectorOf(elements);
  return result.value ? std::optional(result) : std::nullopt;
}

/// Whether the value can be computed in front of an op in the block of the op:
/// it is there, or arithmetic that may be executed with any operands.
static bool isAvailable(Value value, Operation *before, unsigned depth = 0) {
  constexpr unsigned maxDepth = 32;
  Block *block = value.getParentBlock();
  if (block->getParentOp()->isAncestor(before->getBlock()->getParentOp()) &&
      block->findAncestorOpInBlock(*before))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth < maxDepth && op->getNumRegions() == 0 &&
         isSafeToSpeculate(op) && isMemoryEffectFree(op) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) {
               return isAvailable(operand, before, depth + 1);
             });
}

std::optional<CopiedElements>
uop::getCopiedElements(Operation *store, Divisibility &divisibility) {
  Value stored, target;
  ValueRange targetIndices;
  int64_t targetAlignment = 1;
  if (auto scalar = dyn_cast<memref::StoreOp>(store)) {
    stored = scalar.getValueToStore();
    target = scalar.getMemRef();
    targetIndices = scalar.getIndices();
  } else {
    auto vector = cast<vector::StoreOp>(store);
    stored = vector.getValueToStore();
    target = vector.getBase();
    targetIndices = vector.getIndices();
    targetAlignment = vector.getAlignment().value_or(1);
  }
  std::optional<LoadedValue> loaded = getLoadedValue(stored);
  if (!loaded)
    return std::nullopt;

  CopiedElements copied;
  copied.condition = loaded->condition;
  int64_t alignment = 1;
  if (auto load = loaded->value.getDefiningOp<memref::LoadOp>()) {
    copied.memref = load.getMemRef();
    copied.indices = load.getIndices();
  } else if (auto load = loaded->value.getDefiningOp<vector::LoadOp>()) {
    VectorType type = load.getVectorType();
    if (type.getRank() != 1 || type.isScalable())
      return std::nullopt;
    copied.memref = load.getBase();
    copied.indices = load.getIndices();
    copied.count = type.getNumElements();
    alignment = load.getAlignment().value_or(1);
  } else {
    return std::nullopt;
  }
  auto type = cast<MemRefType>(copied.memref.getType());
  std::optional<int64_t> numBytes = getNumBytes(type.getElementType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!numBytes || !type.getElementType().isIntOrFloat() ||
      type.getElementType() !=
          cast<MemRefType>(target.getType()).getElementType() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      (!strides.empty() && strides.back() != 1))
    return std::nullopt;
  copied.bytes = copied.count * *numBytes;
  if (!llvm::is_contained({4, 8, 16}, copied.bytes))
    return std::nullopt;
  auto isAligned = [&](Value memref, ValueRange indices, int64_t stated) {
    return stated % copied.bytes == 0 || copied.bytes <= *numBytes ||
           divisibility.ofAddress(memref, indices) >=
               Divisibility::of(copied.bytes);
  };
  if (!isAligned(copied.memref, copied.indices, alignment) ||
      !isAligned(target, targetIndices, targetAlignment) ||
      !isAvailable(copied.memref, store) ||
      !llvm::all_of(copied.indices,
                    [&](Value index) { return isAvailable(index, store); }))
    return std::nullopt;
  return copied;
}

/// Computes a value in front of the insertion point, if it is not there.
static Value makeAvailable(Value value, Operation *before, OpBuilder &builder,
                           IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (isAvailable(value, before, /*depth=*/~0u))
    return value;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, makeAvailable(operand, before, builder, mapping));
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

void uop::buildAsyncCopy(Operation *store, const CopiedElements &copied,
                         Value tile, ValueRange indices) {
  ImplicitLocOpBuilder builder(store->getLoc(), store);
  IRMapping mapping;
  Value source = makeAvailable(copied.memref, store, builder, mapping);
  SmallVector<Value> sourceIndices;
  for (Value index : copied.indices)
    sourceIndices.push_back(makeAvailable(index, store, builder, mapping));
  Value sourceCount;
  if (copied.condition) {
    Value all = arith::ConstantIndexOp::create(builder, copied.count);
    Value none = arith::ConstantIndexOp::create(builder, 0);
    sourceCount = arith::SelectOp::create(builder, copied.condition, all, none);
  }
  // The instruction that leaves the first cache alone takes 16 bytes.
  UnitAttr bypass = copied.bytes == 16 ? builder.getUnitAttr() : UnitAttr();
  auto token = nvgpu::DeviceAsyncTokenType::get(builder.getContext());
  nvgpu::DeviceAsyncCopyOp::create(
      builder, token, tile, indices, source, sourceIndices,
      builder.getIndexAttr(copied.count), sourceCount, bypass);
  store->erase();
}
