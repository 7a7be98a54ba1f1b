//===- BlockStorage.cpp - The memory of one emulated block ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockStorage.h"

#include "CarriedPlaces.h"
#include "Collectives.h"
#include "Vectorize/LaneShapes.h"

#include "Uop/Analysis/SharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uop;

// One cache line, and the widest vector.
static constexpr int64_t bufferAlignment = 64;

// What a block may have of the stack. A short block takes no longer than the
// heap would; the threads of an OpenMP runtime have a few megabytes.
static constexpr int64_t stackBytesOfBlock = 128 * 1024;

BlockStorage::BlockStorage(const KernelAnalysis &analysis, func::FuncOp func,
                           ArrayRef<std::optional<int64_t>> blockSize,
                           int64_t subgroupSize)
    : analysis(analysis), func(func),
      prologue(ImplicitLocOpBuilder::atBlockEnd(func.getLoc(),
                                                &func.getBody().front())),
      blockSize(blockSize), subgroupSize(subgroupSize),
      stackBytesLeft(stackBytesOfBlock),
      bySubgroup(analysis.subgroupsDiverge()) {
  threads = nullptr;
  std::optional<int64_t> count = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::optional<int64_t> size = blockSize[axis];
    blockDims.push_back(size ? index(*size) : argument(6 + axis));
    count =
        count && size ? std::optional<int64_t>(*count * *size) : std::nullopt;
  }
  knownThreads = count;
  if (count)
    threads = index(*count);
  else
    threads = prologue.createOrFold<arith::MulIOp>(
        blockDims[0],
        prologue.createOrFold<arith::MulIOp>(blockDims[1], blockDims[2]));
}

Value BlockStorage::argument(unsigned index) const {
  func::FuncOp op = func;
  return op.getArgument(op.getNumArguments() - 9 + index);
}

Value BlockStorage::index(int64_t value) {
  Value &constant = constants[value];
  if (!constant)
    constant = arith::ConstantIndexOp::create(prologue, value);
  return constant;
}

//===----------------------------------------------------------------------===//
// Values that are one for the block
//===----------------------------------------------------------------------===//

Value BlockStorage::invariant(Value value) {
  if (!analysis.isInvariant(value))
    return {};
  auto it = invariants.find(value);
  if (it != invariants.end())
    return it->second;
  Value result;
  Operation *op = value.getDefiningOp();
  if (!op) {
    result = func.getArgument(cast<BlockArgument>(value).getArgNumber());
  } else if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
    result = blockId(static_cast<unsigned>(id.getDimension()));
  } else if (auto dim = dyn_cast<gpu::GridDimOp>(op)) {
    result = gridDim(static_cast<unsigned>(dim.getDimension()));
  } else if (auto dim = dyn_cast<gpu::BlockDimOp>(op)) {
    result = blockDim(static_cast<unsigned>(dim.getDimension()));
  } else {
    if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      result = globals.lookup(global.getNameAttr().getAttr());
    if (!result) {
      IRMapping map;
      for (Value operand : op->getOperands())
        map.map(operand, invariant(operand));
      Operation *copy = prologue.clone(*op, map);
      result = copy->getResult(cast<OpResult>(value).getResultNumber());
    }
  }
  invariants[value] = result;
  return result;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// A pattern that shows: a NaN that no computation makes, or 0xA5 bytes.
static TypedAttr poisonOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    TypedAttr element = poisonOf(vector.getElementType());
    if (!element || vector.isScalable())
      return {};
    return DenseElementsAttr::get(vector, element);
  }
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    if (!llvm::APFloat::semanticsHasNaN(semantics))
      return FloatAttr::get(floatType, llvm::APFloat::getLargest(semantics));
    llvm::APInt payload = llvm::APInt::getSplat(64, llvm::APInt(8, 0xA5));
    return FloatAttr::get(
        floatType,
        llvm::APFloat::getQNaN(semantics, /*Negative=*/false, &payload));
  }
  if (!type.isIntOrIndex())
    return {};
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  llvm::APInt pattern =
      llvm::APInt::getSplat(llvm::alignTo(width, 8), llvm::APInt(8, 0xA5));
  return IntegerAttr::get(type, pattern.trunc(width));
}

void BlockStorage::fill(Value buffer, bool zeroed, Value size) {
  auto type = cast<MemRefType>(buffer.getType());
  TypedAttr attr = zeroed
                       ? TypedAttr(prologue.getZeroAttr(type.getElementType()))
                       : poisonOf(type.getElementType());
  OpBuilder::InsertionGuard guard(prologue);
  Value pattern = arith::ConstantOp::create(prologue, attr);
  // As one row: LLVM scatters along the outer of two short loops.
  if (type.getRank() > 1) {
    ReassociationIndices axes =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    buffer = memref::CollapseShapeOp::create(prologue, buffer, axes);
  }
  SmallVector<Value> indices;
  if (type.getRank() > 0) {
    Value end = size ? size : index(type.getNumElements());
    auto loop = scf::ForOp::create(prologue, index(0), end, index(1));
    indices.push_back(loop.getInductionVar());
    prologue.setInsertionPointToStart(loop.getBody());
  }
  memref::StoreOp::create(prologue, pattern, buffer, indices);
}

// The limit of CUDA, whatever the chip.
static constexpr int64_t maxPrivateBytes = 512 << 10;

// Whether a buffer may have such elements.
static bool isStorable(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && isStorable(vector.getElementType());
  return type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
}

// On the stack at the very start, before the loops that fill workgroup memory:
// LLVM gives a place in the frame, or registers, only to what is allocated in a
// function's first block.
Value BlockStorage::allocateBuffer(MemRefType type, Value size) {
  IntegerAttr alignment = prologue.getI64IntegerAttr(bufferAlignment);
  if (type.hasStaticShape()) {
    int64_t elementBytes = getStoredBytes(type.getElementType());
    if (type.getNumElements() <= stackBytesLeft / elementBytes) {
      stackBytesLeft -=
          llvm::alignTo(type.getNumElements() * elementBytes, bufferAlignment);
      OpBuilder b = OpBuilder::atBlockBegin(&func.getBody().front());
      return memref::AllocaOp::create(b, func.getLoc(), type, alignment);
    }
  }
  SmallVector<Value> sizes(type.getNumDynamicDims(), size ? size : threads);
  heap.push_back(memref::AllocOp::create(prologue, type, sizes, alignment));
  return heap.back();
}

LogicalResult BlockStorage::allocateShared(Value key, Type type, Location loc,
                                           bool zeroed, Value size) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getNumDynamicDims() != (size ? 1 : 0) ||
      !memref.getLayout().isIdentity())
    return emitError(loc) << "expected workgroup memory of a static shape and "
                             "the identity layout, but got "
                          << type;
  if (!poisonOf(memref.getElementType()))
    return emitError(loc) << "expected workgroup memory of integers, floats or "
                             "vectors of these, but got "
                          << type;
  Value buffer = allocateBuffer(memref, size);
  fill(buffer, zeroed, size);
  invariants[key] = buffer;
  return success();
}

// Whether the buffer may have any layout: each element by itself is loaded and
// stored. Then neighbouring threads have theirs side by side.
static bool isReadByElement(Value buffer) {
  return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
    if (auto store = dyn_cast<memref::StoreOp>(use.getOwner()))
      return store.getMemRef() == buffer &&
             !isa<VectorType>(store.getValue().getType());
    auto load = dyn_cast<memref::LoadOp>(use.getOwner());
    return load && !isa<VectorType>(load.getType());
  });
}

LogicalResult BlockStorage::allocatePrivate(Value value, bool perThread) {
  auto type = dyn_cast<MemRefType>(value.getType());
  Type element = type ? type.getElementType() : Type();
  if (auto vector = dyn_cast_or_null<VectorType>(element))
    element = vector.isScalable() ? Type() : vector.getElementType();
  if (!element || !element.isIntOrIndexOrFloat() || !type.hasStaticShape() ||
      !type.getLayout().isIdentity())
    return emitError(value.getLoc())
           << "expected a private buffer of a static shape of integers, floats "
              "or vectors of these, but got "
           << value.getType();
  int64_t size = getStoredBytes(type.getElementType());
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(size, extent, size) || size > maxPrivateBytes)
      return emitError(value.getLoc())
             << "expected a private buffer of at most " << maxPrivateBytes
             << " bytes, the local memory of a thread, but got "
             << value.getType();
  if (!perThread) {
    Value buffer = allocateBuffer(type);
    buffer.getDefiningOp()->setAttr(privateBufferAttrName,
                                    prologue.getUnitAttr());
    privateBuffers[value] = {buffer};
    return success();
  }
  if (knownThreads && isReadByElement(value)) {
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(*knownThreads);
    Value buffer = allocateBuffer(MemRefType::get(shape, element));
    privateBuffers[value] = {buffer, PrivateBuffer::Interleaved};
    return success();
  }
  int64_t bytes = llvm::alignTo(type.getNumElements() *
                                    getStoredBytes(type.getElementType()),
                                bufferAlignment);
  Value buffer;
  if (knownThreads) {
    buffer = allocateBuffer(
        MemRefType::get({*knownThreads * bytes}, prologue.getI8Type()));
  } else {
    Value total = prologue.createOrFold<arith::MulIOp>(threads, index(bytes));
    buffer = memref::AllocOp::create(
        prologue, MemRefType::get({ShapedType::kDynamic}, prologue.getI8Type()),
        ValueRange{total}, prologue.getI64IntegerAttr(bufferAlignment));
    heap.push_back(buffer);
  }
  privateBuffers[value] = {buffer, PrivateBuffer::BehindEachOther, bytes};
  return success();
}

Value BlockStorage::allocateArray(Type element, int64_t perSubgroup) {
  if (perSubgroup == 0)
    return allocateBuffer(MemRefType::get(
        {knownThreads.value_or(ShapedType::kDynamic)}, element));
  if (knownThreads) {
    int64_t groups = llvm::divideCeil(*knownThreads, subgroupSize);
    return allocateBuffer(MemRefType::get({groups * perSubgroup}, element));
  }
  Value groups =
      arith::CeilDivUIOp::create(prologue, threads, index(subgroupSize));
  Value size = arith::MulIOp::create(prologue, groups, index(perSubgroup));
  heap.push_back(memref::AllocOp::create(
      prologue, MemRefType::get({ShapedType::kDynamic}, element),
      ValueRange{size}, prologue.getI64IntegerAttr(bufferAlignment)));
  return heap.back();
}

// In the first block, as in allocateBuffer.
Value BlockStorage::allocateScalar(Type type) {
  OpBuilder b = OpBuilder::atBlockBegin(&func.getBody().front());
  return memref::AllocaOp::create(b, func.getLoc(), MemRefType::get({}, type));
}

LogicalResult BlockStorage::allocate(ArrayRef<StringAttr> workgroupGlobals) {
  gpu::GPUFuncOp kernel = analysis.kernel();
  for (auto [i, arg] : llvm::enumerate(kernel.getWorkgroupAttributions())) {
    bool zeroed = kernel.getWorkgroupAttributionAttr(i, "uop.zero") != nullptr;
    // What the launch gives is as long as the kernel's last argument says.
    Value size;
    if (kernel.getWorkgroupAttributionAttr(i, kDynamicSharedMemory))
      size = func.getArgument(func.getNumArguments() - 10);
    if (failed(allocateShared(arg, arg.getType(), arg.getLoc(), zeroed, size)))
      return failure();
  }
  for (StringAttr name : workgroupGlobals) {
    // One buffer for all the ops that name it.
    memref::GetGlobalOp use;
    kernel.walk([&](memref::GetGlobalOp op) {
      if (op.getNameAttr().getAttr() == name)
        use = op;
    });
    if (failed(allocateShared(use.getResult(), use.getType(), use.getLoc(),
                              /*zeroed=*/false, /*size=*/{})))
      return failure();
    globals[name] = invariants[use.getResult()];
  }
  SmallVector<Value> buffers(kernel.getPrivateAttributions());
  kernel.walk([&](memref::AllocaOp op) { buffers.push_back(op.getResult()); });
  for (Value buffer : buffers)
    if (failed(allocatePrivate(buffer, analysis.remembered().contains(buffer))))
      return failure();

  llvm::DenseMap<Value, Value> carried = findCarriedPlaces(analysis);
  for (Value value : analysis.remembered()) {
    if (privateBuffers.contains(value) || carried.contains(value))
      continue;
    Type type = storedType(value.getType());
    if (!isStorable(type)) {
      Operation *op = value.getDefiningOp();
      if (!op)
        op = value.getParentBlock()->getParentOp();
      return op->emitOpError("gives a value of type ")
             << value.getType()
             << " that is used beyond a gpu.barrier or gpu.shuffle, which the "
                "emulator can keep for integers, floats and vectors only";
    }
    Place place;
    if (analysis.isUniform(value) && !bySubgroup) {
      place.current = allocateScalar(type);
      place.next = allocateScalar(type);
    } else {
      place.array = allocateArray(type);
    }
    places[value] = place;
  }
  for (auto [value, variable] : carried)
    places[value] = places.lookup(variable);
  return success();
}

Value BlockStorage::privateBuffer(OpBuilder &b, Value value, Value linearId) {
  PrivateBuffer buffer = privateBuffers.lookup(value);
  Location loc = value.getLoc();
  auto type = cast<MemRefType>(value.getType());
  switch (buffer.threads) {
  case PrivateBuffer::Shared:
    return buffer.memory;
  case PrivateBuffer::BehindEachOther: {
    Value offset = arith::MulIOp::create(b, loc, linearId, index(buffer.bytes));
    return memref::ViewOp::create(b, loc, type, buffer.memory, offset,
                                  ValueRange());
  }
  case PrivateBuffer::Interleaved:
    break;
  }
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes(
      getAsIndexOpFoldResult(b.getContext(), type.getShape()));
  SmallVector<OpFoldResult> strides(type.getRank() + 1, b.getIndexAttr(1));
  offsets.push_back(linearId);
  sizes.push_back(b.getIndexAttr(1));
  MemRefType one = memref::SubViewOp::inferRankReducedResultType(
      type.getShape(), cast<MemRefType>(buffer.memory.getType()), offsets,
      sizes, strides);
  return memref::SubViewOp::create(b, loc, one, buffer.memory, offsets, sizes,
                                   strides);
}

void BlockStorage::store(OpBuilder &b, Value value, Value current,
                         Value linearId) {
  Location loc = value.getLoc();
  Place place = places.lookup(value);
  current = toStored(b, loc, current);
  if (place.isScalar())
    memref::StoreOp::create(b, loc, current, place.next);
  else
    memref::StoreOp::create(b, loc, current, place.array, linearId);
}

Value BlockStorage::load(OpBuilder &b, Value value, Value linearId) {
  Location loc = value.getLoc();
  Place place = places.lookup(value);
  Value current =
      place.isScalar()
          ? memref::LoadOp::create(b, loc, place.current).getResult()
          : memref::LoadOp::create(b, loc, place.array, linearId).getResult();
  return fromStored(b, loc, current, value.getType());
}

ArrayRef<Value> BlockStorage::exchangeArrays(Operation *collective,
                                             bool repeated) {
  auto &[current, next] = given[collective];
  Arrays &arrays = repeated ? next : current;
  if (arrays.empty())
    for (ExchangeArray array : getExchangeArrays(collective, subgroupSize))
      arrays.push_back(allocateArray(array.element, array.perSubgroup));
  return arrays;
}

void BlockStorage::publishGiven(OpBuilder &b, Operation *collective) {
  auto [current, next] = given.lookup(collective);
  for (auto [from, to] : llvm::zip(next, current))
    memref::CopyOp::create(b, collective->getLoc(), from, to);
}

void BlockStorage::publish(OpBuilder &b, ArrayRef<Value> stored) {
  for (Value value : stored) {
    Place place = places.lookup(value);
    Value next = memref::LoadOp::create(b, value.getLoc(), place.next);
    memref::StoreOp::create(b, value.getLoc(), next, place.current);
  }
}

Value BlockStorage::arrival() {
  if (!arrivalPlace)
    arrivalPlace = allocateScalar(prologue.getIndexType());
  return arrivalPlace;
}

Value BlockStorage::votes() {
  if (votePlaces)
    return votePlaces;
  votePlaces = allocateArray(prologue.getI64Type());
  // Nobody has left yet.
  if (analysis.hasExits() || bySubgroup)
    clear(votePlaces);
  return votePlaces;
}

Value BlockStorage::copyVotes(OpBuilder &b, Value first, Value end) {
  if (!voteCopies)
    voteCopies = allocateArray(prologue.getI64Type());
  Location loc = func.getLoc();
  auto loop = scf::ForOp::create(b, loc, first, end, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value thread = loop.getInductionVar();
  Value vote = memref::LoadOp::create(b, loc, votes(), thread);
  memref::StoreOp::create(b, loc, vote, voteCopies, thread);
  return voteCopies;
}

void BlockStorage::clear(Value array) {
  OpBuilder::InsertionGuard guard(prologue);
  Value zero = arith::ConstantIntOp::create(prologue, 0, 64);
  auto loop = scf::ForOp::create(prologue, index(0), threads, index(1));
  prologue.setInsertionPointToStart(loop.getBody());
  memref::StoreOp::create(prologue, zero, array, loop.getInductionVar());
}

Value BlockStorage::blockWays() {
  if (!blockWayPlaces) {
    blockWayPlaces = allocateArray(prologue.getI64Type());
    clear(blockWayPlaces);
  }
  return blockWayPlaces;
}

Value BlockStorage::way() {
  if (wayPlace)
    return wayPlace;
  wayPlace = allocateScalar(prologue.getI64Type());
  wayPlace.getDefiningOp()->setAttr(privateBufferAttrName,
                                    prologue.getUnitAttr());
  return wayPlace;
}

void BlockStorage::free(OpBuilder &b) {
  for (Value buffer : heap)
    memref::DeallocOp::create(b, func.getLoc(), buffer);
}
