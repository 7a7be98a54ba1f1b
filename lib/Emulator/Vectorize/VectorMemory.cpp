//===- VectorMemory.cpp - Loads and stores of a vector of threads ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of two lanes that store to one place the later one is seen, as in a loop over
// the threads: LLVM's scatter promises it.
//
//===----------------------------------------------------------------------===//

#include "VectorCode.h"

#include "../Checked/ShadowCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uop;

// Lanes this far apart are picked from what is loaded in one piece: a gather
// takes as long as a load for each lane.
static constexpr int64_t maxPickedStride = 4;

/// One element of each lane, or a row of `elements` of them.
struct VectorCode::Access {
  /// Lane 0's.
  Value memref;
  SmallVector<Value> indices;
  SmallVector<LaneShape> shapes;
  /// Of the memref's axes, and how far apart the elements of a row are.
  SmallVector<int64_t> strides;
  int64_t elementStride = 1;
  int64_t elements = 1;
  /// The axis along which a row lies.
  unsigned rowAxis = 0;
  /// Elements from one lane's memref to the next one's.
  int64_t memrefStride = 0;
  /// Elements from the place of each lane to that of the next, if that is one
  /// number.
  std::optional<int64_t> laneStride;

  /// All lanes access one place.
  bool isOnePlace() const { return laneStride == 0; }
};

Value VectorCode::bufferOf(Value memref) {
  Value &buffer = buffers[memref];
  if (buffer)
    return buffer;
  auto type = cast<MemRefType>(memref.getType());
  auto func = threads->getParentOfType<func::FuncOp>();
  auto top = ImplicitLocOpBuilder::atBlockBegin(memref.getLoc(),
                                                &func.getBody().front());
  IntegerAttr alignment = top.getI64IntegerAttr(64);
  if (shapes.isInterleaved(memref)) {
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(lanes);
    buffer = memref::AllocaOp::create(
        top, MemRefType::get(shape, type.getElementType()), alignment);
    return buffer;
  }
  Value bytes = memref::AllocaOp::create(
      top,
      MemRefType::get({LaneShapes::bytesOfLane(type) * lanes}, top.getI8Type()),
      alignment);
  buffer = memref::ViewOp::create(
      top, type, bytes, arith::ConstantIndexOp::create(top, 0), ValueRange());
  return buffer;
}

VectorCode::Access VectorCode::findAccess(Value memref, ValueRange indices,
                                          int64_t elements) {
  Access access;
  access.memref = first(memref);
  access.elements = elements;
  access.memrefStride = shapes.get(memref).stride;
  access.rowAxis = indices.empty() ? 0 : indices.size() - 1;
  for (Value value : indices) {
    access.indices.push_back(value);
    access.shapes.push_back(shapes.get(value));
  }
  int64_t offset;
  auto type = cast<MemRefType>(access.memref.getType());
  // The layout is strided: it was checked.
  (void)type.getStridesAndOffset(access.strides, offset);
  if (!indices.empty())
    access.elementStride = access.strides[access.rowAxis];
  std::optional<int64_t> sum = access.memrefStride;
  for (auto [shape, stride] : llvm::zip(access.shapes, access.strides)) {
    if (shape.isUniform())
      continue;
    if (!shape.isStrided() || ShapedType::isDynamic(stride))
      sum.reset();
    if (sum)
      *sum += shape.stride * stride;
  }
  // A private buffer has an element of all lanes in a row.
  if (sum && access.strides.size() > indices.size())
    *sum += 1;
  access.laneStride = sum;
  return access;
}

/// The memory as one row of elements, and the place in it of the first element
/// of lane 0 (of what all lanes have in common, where lanes vary).
Value VectorCode::flatten(const Access &access, Value &offset) {
  auto type = cast<MemRefType>(access.memref.getType());
  SmallVector<int64_t> strides;
  int64_t start;
  (void)type.getStridesAndOffset(strides, start);
  Value flat = access.memref;
  SmallVector<Value> steps;
  bool isRow = type.getRank() == 1 && strides.front() == 1;
  if (isRow) {
    steps.push_back(index(1));
  } else {
    auto metadata = memref::ExtractStridedMetadataOp::create(b, access.memref);
    for (auto [axis, stride] : llvm::enumerate(strides))
      steps.push_back(ShapedType::isDynamic(stride)
                          ? Value(metadata.getStrides()[axis])
                          : index(stride));
    // No access asks for the size.
    constexpr int64_t size = std::numeric_limits<int64_t>::max() / 64;
    auto layout = StridedLayoutAttr::get(b.getContext(), start, {1});
    OpFoldResult origin = b.getIndexAttr(start);
    if (ShapedType::isDynamic(start))
      origin = Value(metadata.getOffset());
    flat = memref::ReinterpretCastOp::create(
        b,
        MemRefType::get({ShapedType::kDynamic}, type.getElementType(), layout),
        metadata.getBaseBuffer(), origin, ArrayRef<OpFoldResult>{index(size)},
        ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  }
  offset = index(0);
  for (auto [value, shape, step] :
       llvm::zip(access.indices, access.shapes, steps))
    if (shape.isUniform() || (access.laneStride && shape.isStrided()))
      offset = b.createOrFold<arith::AddIOp>(
          offset, b.createOrFold<arith::MulIOp>(first(value), step));
  return flat;
}

/// How far the place of each lane is from what flatten gives.
Value VectorCode::offsetsOf(const Access &access) {
  if (access.laneStride)
    return multiplesOf(*access.laneStride, b.getIndexType());
  Value sum = multiplesOf(access.memrefStride, b.getIndexType());
  memref::ExtractStridedMetadataOp metadata;
  for (auto [axis, value] : llvm::enumerate(access.indices)) {
    if (access.shapes[axis].isUniform())
      continue;
    int64_t stride = access.strides[axis];
    Value step = nullptr;
    if (ShapedType::isDynamic(stride)) {
      if (!metadata)
        metadata = memref::ExtractStridedMetadataOp::create(b, access.memref);
      step = metadata.getStrides()[axis];
    } else {
      step = index(stride);
    }
    Value places = vector(value);
    if (stride != 1)
      places = arith::MulIOp::create(b, places, spread(step, 0));
    sum = arith::AddIOp::create(b, sum, places);
  }
  // The lanes of a private buffer.
  if (access.strides.size() > access.indices.size())
    sum = arith::AddIOp::create(b, sum, multiplesOf(1, b.getIndexType()));
  return sum;
}

/// Lane 0's place as indices of the memref itself, for element `part` of a row,
/// or null where only the row of all elements has neighbours side by side.
std::optional<SmallVector<Value>>
VectorCode::directIndices(const Access &access, int64_t part) {
  if (access.memrefStride != 0 || access.strides.empty() ||
      access.strides.back() != 1)
    return std::nullopt;
  unsigned rank = access.strides.size();
  SmallVector<Value> result;
  for (auto [axis, value] : llvm::enumerate(access.indices)) {
    if (axis + 1 < rank && !access.shapes[axis].isUniform())
      return std::nullopt;
    Value place = first(value);
    if (part != 0 && axis == access.rowAxis)
      place = arith::AddIOp::create(b, place, index(part));
    result.push_back(place);
  }
  if (result.size() < rank)
    result.push_back(index(0));
  return result;
}

/// The memory, as it is or as one row, and lane 0's place in it of element
/// `part` of its row.
std::pair<Value, SmallVector<Value>> VectorCode::placeOf(const Access &access,
                                                         int64_t part) {
  if (access.laneStride == 1)
    if (auto direct = directIndices(access, part))
      return {access.memref, *direct};
  Value offset;
  Value base = flatten(access, offset);
  if (part != 0)
    offset =
        arith::AddIOp::create(b, offset, index(part * access.elementStride));
  return {base, {offset}};
}

Value VectorCode::loadPart(const Access &access, Type element, int64_t part) {
  VectorType type = vectorOf(element);
  auto [base, indices] = placeOf(access, part);
  int64_t stride = access.laneStride.value_or(0);
  // What lies between the first and the last lane is in their buffer.
  if (!mask && stride > 1 && stride <= maxPickedStride) {
    auto all = VectorType::get({(lanes - 1) * stride + 1}, element);
    Value words = vector::LoadOp::create(b, all, base, indices);
    SmallVector<int64_t> places;
    for (int64_t lane = 0; lane < lanes; ++lane)
      places.push_back(lane * stride);
    return vector::ShuffleOp::create(b, words, words, places);
  }
  if (stride != 1)
    return vector::GatherOp::create(b, type, base, indices, offsetsOf(access),
                                    activeMask(), zero(type));
  if (mask)
    return vector::MaskedLoadOp::create(b, type, base, indices, mask,
                                        zero(type));
  return vector::LoadOp::create(b, type, base, indices);
}

void VectorCode::storePart(const Access &access, Value value, int64_t part) {
  auto [base, indices] = placeOf(access, part);
  if (access.laneStride != 1)
    vector::ScatterOp::create(b, /*resultType=*/Type(), base, indices,
                              offsetsOf(access), activeMask(), value);
  else if (mask)
    vector::MaskedStoreOp::create(b, base, indices, mask, value);
  else
    vector::StoreOp::create(b, value, base, indices);
}

/// The mask of rows of `elements`, element by element.
Value VectorCode::maskOfRows(int64_t elements) {
  SmallVector<int64_t> places;
  for (int64_t lane = 0; lane < lanes; ++lane)
    places.append(elements, lane);
  return vector::ShuffleOp::create(b, mask, mask, places);
}

/// Rows of the lanes that lie one behind the other, in one piece.
void VectorCode::loadRows(const Access &access, Type element, Parts &parts) {
  Value offset;
  Value flat = flatten(access, offset);
  auto type = VectorType::get({lanes * access.elements}, element);
  Value rows;
  if (mask)
    rows = vector::MaskedLoadOp::create(
        b, type, flat, offset, maskOfRows(access.elements), zero(type));
  else
    rows = vector::LoadOp::create(b, type, flat, offset);
  for (int64_t part = 0; part < access.elements; ++part) {
    SmallVector<int64_t> places;
    for (int64_t lane = 0; lane < lanes; ++lane)
      places.push_back(lane * access.elements + part);
    parts.push_back(vector::ShuffleOp::create(b, rows, rows, places));
  }
}

void VectorCode::storeRows(const Access &access, ArrayRef<Value> parts) {
  Value all = parts.front();
  for (auto [count, part] : llvm::enumerate(parts.drop_front())) {
    auto places = llvm::to_vector(
        llvm::seq<int64_t>(0, (static_cast<int64_t>(count) + 2) * lanes));
    all = vector::ShuffleOp::create(b, all, part, places);
  }
  SmallVector<int64_t> places;
  for (int64_t lane = 0; lane < lanes; ++lane)
    for (int64_t part = 0; part < access.elements; ++part)
      places.push_back(part * lanes + lane);
  Value rows = vector::ShuffleOp::create(b, all, all, places);
  Value offset;
  Value flat = flatten(access, offset);
  if (mask)
    vector::MaskedStoreOp::create(b, flat, offset, maskOfRows(access.elements),
                                  rows);
  else
    vector::StoreOp::create(b, rows, flat, offset);
}

/// Lanes that access different words are looked up together; those that access
/// one are known to be several.
void VectorCode::emitShadowAccess(func::CallOp call) {
  Value states = call.getOperand(0), word = call.getOperand(1);
  Access access = findAccess(states, word, 1);
  bool areApart = access.laneStride && *access.laneStride != 0;
  if (!areApart && (!access.isOnePlace() || mask))
    return emitLaneByLane(call);
  Value thread = call.getOperand(2);
  ShadowAccess kind = ShadowAccess::get(call);
  Value any;
  if (areApart) {
    Value threadsHere =
        arith::IndexCastOp::create(b, vectorOf(b.getI64Type()), vector(thread));
    Value old = loadPart(access, b.getI64Type(), 0);
    ShadowUpdate update =
        updateShadow(b, kind, old, threadsHere, /*byAll=*/false);
    storePart(access, update.states, 0);
    any = anyOf(narrow(update.bad));
  } else {
    Value one = arith::IndexCastOp::create(b, b.getI64Type(), first(thread));
    Value old = memref::LoadOp::create(b, first(states), first(word));
    ShadowUpdate update = updateShadow(b, kind, old, one, /*byAll=*/true);
    memref::StoreOp::create(b, update.states, first(states), first(word));
    any = update.bad;
  }
  auto branch = scf::IfOp::create(b, any, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenYield());
  createFire(b);
}

void VectorCode::emitLoad(Operation *op, Value memref, ValueRange indices) {
  Value result = op->getResult(0);
  auto type = cast<MemRefType>(memref.getType());
  auto row = dyn_cast<VectorType>(result.getType());
  Type element = type.getElementType();
  if (!isVectorElement(element))
    return emitLaneByLane(op);
  Access access = findAccess(memref, indices, row ? row.getNumElements() : 1);
  if (ShapedType::isDynamic(access.elementStride))
    return emitLaneByLane(op);
  Parts parts;
  if (access.elements > 1 && access.elementStride == 1 &&
      access.laneStride == access.elements) {
    loadRows(access, element, parts);
  } else {
    for (int64_t part = 0; part < access.elements; ++part)
      parts.push_back(loadPart(access, element, part));
  }
  define(result, parts);
}

void VectorCode::emitStore(Operation *op, Value stored, Value memref,
                           ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  auto row = dyn_cast<VectorType>(stored.getType());
  bool isPlain = isVectorElement(type.getElementType());
  Access access = findAccess(memref, indices, row ? row.getNumElements() : 1);
  if (access.isOnePlace() && isStrided(stored) &&
      shapes.get(stored).isUniform())
    return emitScalar(op);
  if (!isPlain || ShapedType::isDynamic(access.elementStride) ||
      access.isOnePlace())
    return emitLaneByLane(op);
  Parts parts = vectors(stored);
  if (access.elements > 1 && access.elementStride == 1 &&
      access.laneStride == access.elements)
    return storeRows(access, parts);
  for (auto [part, value] : llvm::enumerate(parts))
    storePart(access, value, part);
}
