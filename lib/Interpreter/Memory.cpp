//===- Memory.cpp - The buffers that a kernel sees ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Uop/IR/ArgumentRanges.h"
#include "Uop/IR/Injectivity.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace uop;
using llvm::APFloat;
using llvm::APInt;

int64_t uop::getElementBytes(Type elementType) {
  if (!elementType.isSignlessInteger() && !isa<FloatType>(elementType))
    return 0;
  return llvm::PowerOf2Ceil(
      llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8));
}

Scalar uop::getScalar(TypedAttr attr) {
  if (auto floatAttr = dyn_cast<FloatAttr>(attr))
    return floatAttr.getValue();
  return cast<IntegerAttr>(attr).getValue();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// The elements from the least to the greatest that a buffer reaches.
struct Span {
  int64_t low = 0, high = -1;
  bool isEmpty() const { return high < low; }
};
} // namespace

/// Fails if an offset does not fit 64 bits.
static FailureOr<Span> getSpan(const BufferArgument &buffer) {
  if (llvm::is_contained(buffer.shape, 0))
    return Span();
  Span span = {buffer.offset, buffer.offset};
  for (auto [size, stride] : llvm::zip_equal(buffer.shape, buffer.strides)) {
    int64_t extent;
    int64_t &end = stride < 0 ? span.low : span.high;
    if (llvm::MulOverflow(size - 1, stride, extent) ||
        llvm::AddOverflow(end, extent, end))
      return failure();
  }
  return span;
}

static LogicalResult checkBuffer(Operation *op, unsigned index, MemRefType type,
                                 const BufferArgument &buffer) {
  auto refuse = [&] {
    return op->emitOpError() << "argument #" << index << ": ";
  };
  if (buffer.elementType != type.getElementType())
    return refuse() << "expected elements of type " << type.getElementType()
                    << ", but got " << buffer.elementType;
  if (int64_t(buffer.shape.size()) != type.getRank() ||
      buffer.strides.size() != buffer.shape.size())
    return refuse() << "expected rank " << type.getRank() << " of " << type
                    << ", but got " << buffer.shape.size() << " sizes and "
                    << buffer.strides.size() << " strides";
  for (auto [dim, expected, size] :
       llvm::enumerate(type.getShape(), buffer.shape)) {
    if (size < 0)
      return refuse() << "expected a size of 0 or more, but dimension #" << dim
                      << " is " << size;
    if (!ShapedType::isDynamic(expected) && size != expected)
      return refuse() << "expected size " << expected << " of dimension #"
                      << dim << " of " << type << ", but got " << size;
  }

  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return refuse() << "expected a strided layout, but got " << type;
  if (type.getLayout().isIdentity()) {
    // Row-major, whatever the sizes are.
    int64_t stride = 1;
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      strides[dim] = stride;
      if (llvm::MulOverflow(stride, buffer.shape[dim], stride))
        return refuse() << "expected a number of elements that fits 64 bits";
    }
  }
  bool isEmpty = llvm::is_contained(buffer.shape, 0);
  for (auto [dim, expected, stride] : llvm::enumerate(strides, buffer.strides))
    if (!isEmpty && buffer.shape[dim] != 1 &&
        !ShapedType::isDynamic(expected) && stride != expected)
      return refuse() << "expected stride " << expected << " of dimension #"
                      << dim << " of " << type << ", but got " << stride;
  if (!ShapedType::isDynamic(offset) && buffer.offset != offset)
    return refuse() << "expected offset " << offset << " of " << type
                    << ", but got " << buffer.offset;

  FailureOr<Span> span = getSpan(buffer);
  if (failed(span))
    return refuse() << "expected offsets that fit 64 bits";
  if (span->isEmpty())
    return success();
  if (span->low < 0 || span->high >= buffer.allocatedElements)
    return refuse() << "expected the elements to be among the "
                    << buffer.allocatedElements
                    << " that are allocated, but they reach from " << span->low
                    << " to " << span->high;
  if (!buffer.data)
    return refuse() << "expected memory, but got a null pointer";
  if (overlapsItself(buffer.shape, buffer.strides))
    return refuse() << "expected a layout that does not overlap itself";
  return success();
}

/// Whether a scalar is what the kernel's argument says that it is.
static LogicalResult checkRange(Operation *op, unsigned index,
                                TypedAttr argument) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto integer = dyn_cast<IntegerAttr>(argument);
  if (!function || !integer)
    return success();
  std::optional<ConstantIntRanges> range = getArgumentRange(function, index);
  APInt value = integer.getValue();
  if (!range || (value.sge(range->smin()) && value.sle(range->smax())))
    return success();
  return op->emitOpError() << "argument #" << index << ": expected "
                           << range->smin().getSExtValue() << " to "
                           << range->smax().getSExtValue()
                           << ", as its llvm.range says, but got "
                           << value.getSExtValue();
}

LogicalResult uop::checkArguments(Operation *op, ArrayRef<Type> types,
                                  ArrayRef<KernelArgument> arguments) {
  if (types.size() != arguments.size())
    return op->emitOpError() << "expected " << types.size()
                             << " arguments, but got " << arguments.size();
  for (auto [index, type, argument] : llvm::enumerate(types, arguments)) {
    const auto *buffer = std::get_if<BufferArgument>(&argument);
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (!buffer)
        return op->emitOpError() << "argument #" << index << ": expected "
                                 << type << ", but got a scalar";
      if (failed(checkBuffer(op, index, memref, *buffer)))
        return failure();
      continue;
    }
    if (buffer)
      return op->emitOpError()
             << "argument #" << index << ": expected a scalar " << type
             << ", but got a buffer";
    auto attr = std::get<TypedAttr>(argument);
    if (!isa_and_nonnull<IntegerAttr, FloatAttr>(attr))
      return op->emitOpError()
             << "argument #" << index << ": expected a scalar " << type
             << ", but got none";
    if (attr.getType() != type)
      return op->emitOpError()
             << "argument #" << index << ": expected a scalar " << type
             << ", but got " << attr.getType();
    if (failed(checkRange(op, index, attr)))
      return failure();
  }
  return success();
}

/// Calls `fn` with the offset of each element of a buffer that has some.
static void forEachElement(const BufferArgument &buffer,
                           llvm::function_ref<void(int64_t)> fn) {
  SmallVector<int64_t> indices(buffer.shape.size(), 0);
  int64_t offset = buffer.offset;
  while (true) {
    fn(offset);
    int64_t dim = int64_t(indices.size()) - 1;
    for (; dim >= 0; --dim) {
      offset += buffer.strides[dim];
      if (++indices[dim] < buffer.shape[dim])
        break;
      offset -= buffer.strides[dim] * buffer.shape[dim];
      indices[dim] = 0;
    }
    if (dim < 0)
      return;
  }
}

/// Whether two buffers have a byte in common: interleaved ones need not.
static bool overlap(const BufferArgument &first, const BufferArgument &second) {
  Span firstSpan = *getSpan(first), secondSpan = *getSpan(second);
  if (firstSpan.isEmpty() || secondSpan.isEmpty())
    return false;
  auto address = [](const BufferArgument &buffer, int64_t offset) {
    return uintptr_t(buffer.data) +
           uintptr_t(offset * getElementBytes(buffer.elementType));
  };
  uintptr_t low =
      std::max(address(first, firstSpan.low), address(second, secondSpan.low));
  uintptr_t end = std::min(address(first, firstSpan.high + 1),
                           address(second, secondSpan.high + 1));
  if (end <= low)
    return false;

  llvm::BitVector used(end - low);
  bool found = false;
  auto forEachByte = [&](const BufferArgument &buffer,
                         llvm::function_ref<void(unsigned)> fn) {
    forEachElement(buffer, [&](int64_t offset) {
      uintptr_t begin = address(buffer, offset);
      for (int64_t i = 0; i < getElementBytes(buffer.elementType); ++i)
        if (begin + i >= low && begin + i < end)
          fn(begin + i - low);
    });
  };
  forEachByte(first, [&](unsigned byte) { used.set(byte); });
  forEachByte(second, [&](unsigned byte) { found |= used.test(byte); });
  return found;
}

LogicalResult uop::checkOverlap(KernelOp kernel,
                                ArrayRef<KernelArgument> arguments,
                                ArrayRef<bool> isStored) {
  for (auto [second, argument] : llvm::enumerate(arguments)) {
    const auto *buffer = std::get_if<BufferArgument>(&argument);
    if (!buffer)
      continue;
    for (auto [first, earlier] :
         llvm::enumerate(arguments.take_front(second))) {
      const auto *other = std::get_if<BufferArgument>(&earlier);
      if (!other || !(isStored[first] || isStored[second]) ||
          !overlap(*other, *buffer))
        continue;
      return kernel.emitOpError()
             << "expected arguments that do not overlap, but #" << first
             << " and #" << second << " do, and #"
             << (isStored[first] ? first : second) << " is stored; pass a copy";
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Buffer
//===----------------------------------------------------------------------===//

Buffer::Buffer(const BufferArgument &argument)
    : argument(&argument), elementBytes(getElementBytes(argument.elementType)),
      width(argument.elementType.getIntOrFloatBitWidth()),
      valueBytes(llvm::divideCeil(width, 8)) {
  Span span = *getSpan(argument);
  low = span.low;
  count = span.high - span.low + 1;
}

int64_t Buffer::getOffset(ArrayRef<int64_t> indices) const {
  int64_t offset = argument->offset;
  for (auto [index, stride] : llvm::zip_equal(indices, argument->strides))
    offset += index * stride;
  return offset;
}

void Buffer::prepareStores() {
  if (count == 0)
    return;
  const auto *begin =
      static_cast<const uint8_t *>(argument->data) + low * elementBytes;
  exit.assign(begin, begin + count * elementBytes);
  isWritten.assign(count, false);
  writers.assign(count, Writer());
}

Scalar Buffer::load(const uint8_t *bytes) const {
  APInt value(8 * valueBytes, 0);
  llvm::LoadIntFromMemory(value, bytes, valueBytes);
  value = value.trunc(width);
  if (auto floatType = dyn_cast<FloatType>(argument->elementType))
    return APFloat(floatType.getFloatSemantics(), value);
  return value;
}

Scalar Buffer::loadEntry(int64_t offset) const {
  return load(static_cast<const uint8_t *>(argument->data) +
              offset * elementBytes);
}

Scalar Buffer::loadExit(int64_t offset) const {
  return load(exit.data() + (offset - low) * elementBytes);
}

void Buffer::storeExit(int64_t offset, const Scalar &value) {
  APInt bits = std::holds_alternative<APFloat>(value)
                   ? std::get<APFloat>(value).bitcastToAPInt()
                   : std::get<APInt>(value);
  uint8_t *bytes = exit.data() + (offset - low) * elementBytes;
  std::memset(bytes, 0, elementBytes);
  llvm::StoreIntToMemory(bits.zext(8 * valueBytes), bytes, valueBytes);
  isWritten[offset - low] = true;
}

void Buffer::commit() {
  auto *memory = static_cast<uint8_t *>(argument->data);
  for (int64_t index = 0; index < int64_t(isWritten.size()); ++index)
    if (isWritten[index])
      std::memcpy(memory + (low + index) * elementBytes,
                  exit.data() + index * elementBytes, elementBytes);
}
