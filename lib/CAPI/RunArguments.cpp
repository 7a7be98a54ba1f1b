//===- RunArguments.cpp - What a program is run on, for the C API ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunArguments.h"
#include "Handles.h"
#include "Uop/IR/Injectivity.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace uop;
using namespace uop::capi;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "scalars are read as little-endian bits");

static llvm::Error refuse(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

/// Takes sizes, strides and offset, and checks them against the type.
llvm::Error RunArguments::setLayout(const UopParameter &parameter,
                                    const UopArgument &argument,
                                    Buffer &buffer) {
  if (argument.rank != parameter.rank)
    return refuse("expected rank " + Twine(parameter.rank) + " of " +
                  parameter.type + ", but got " + Twine(argument.rank));
  if (argument.rank && !argument.sizes)
    return refuse("expected " + Twine(argument.rank) +
                  " sizes, but got NULL for them");
  buffer.sizes.assign(argument.sizes, argument.sizes + argument.rank);
  std::optional<int64_t> next = 1;
  SmallVector<int64_t> rowMajor(argument.rank);
  for (size_t dim = argument.rank; dim-- > 0;) {
    int64_t size = buffer.sizes[dim], expected = parameter.sizes[dim];
    if (size < 0)
      return refuse("expected a size of 0 or more, but dimension #" +
                    Twine(dim) + " is " + Twine(size));
    if (expected != UOP_DYNAMIC && size != expected)
      return refuse("expected size " + Twine(expected) + " of dimension #" +
                    Twine(dim) + " of " + parameter.type + ", but got " +
                    Twine(size));
    rowMajor[dim] = *next;
    next = llvm::checkedMul(*next, std::max<int64_t>(size, 1));
    if (!next)
      return refuse("expected a number of elements that fits 64 bits");
  }

  buffer.strides = rowMajor;
  if (argument.strides)
    buffer.strides.assign(argument.strides, argument.strides + argument.rank);
  bool isEmpty = llvm::is_contained(buffer.sizes, 0);
  for (size_t dim = 0; dim < argument.rank; ++dim) {
    int64_t expected =
        parameter.isRowMajor ? rowMajor[dim] : parameter.strides[dim];
    if (expected == UOP_DYNAMIC)
      continue;
    // Where there is one element, or none, any stride leads to it.
    bool matters = !isEmpty && buffer.sizes[dim] != 1;
    if (matters && buffer.strides[dim] != expected)
      return refuse("expected stride " + Twine(expected) + " of dimension #" +
                    Twine(dim) + " of " + parameter.type + ", but got " +
                    Twine(buffer.strides[dim]));
    buffer.strides[dim] = expected;
  }
  buffer.offset = argument.offset;
  if (parameter.offset != UOP_DYNAMIC && buffer.offset != parameter.offset)
    return refuse("expected offset " + Twine(parameter.offset) + " of " +
                  parameter.type + ", but got " + Twine(buffer.offset));
  return llvm::Error::success();
}

/// Finds the elements that the indices reach, whose bytes have to fit 63 bits.
llvm::Error RunArguments::setExtent(Buffer &buffer) {
  buffer.low = buffer.high = buffer.offset;
  if (llvm::is_contained(buffer.sizes, 0))
    return llvm::Error::success();
  auto tooFar = [] { return refuse("expected offsets that fit 64 bits"); };
  for (auto [size, stride] : llvm::zip(buffer.sizes, buffer.strides)) {
    std::optional<int64_t> reach = llvm::checkedMul(size - 1, stride);
    if (!reach)
      return tooFar();
    int64_t &end = *reach < 0 ? buffer.low : buffer.high;
    std::optional<int64_t> moved = llvm::checkedAdd(end, *reach);
    if (!moved)
      return tooFar();
    end = *moved;
  }
  std::optional<int64_t> high = llvm::checkedAdd<int64_t>(buffer.high, 1);
  if (!high || !llvm::checkedMul(*high, buffer.elementBytes) ||
      !llvm::checkedMul(buffer.low, buffer.elementBytes))
    return tooFar();
  buffer.high = *high;
  return llvm::Error::success();
}

llvm::Error RunArguments::setBuffer(const UopParameter &parameter,
                                    const UopArgument &argument,
                                    Buffer &buffer) {
  buffer.data = static_cast<char *>(argument.data);
  buffer.elementBytes = uopElementTypeGetBytes(parameter.elementType);
  buffer.isStored = parameter.isStored;
  if (llvm::Error error = setLayout(parameter, argument, buffer))
    return error;
  if (llvm::Error error = setExtent(buffer))
    return error;
  if (buffer.isEmpty())
    return llvm::Error::success();
  if (!buffer.data)
    return refuse("expected memory, but got NULL");
  if (reinterpret_cast<uintptr_t>(buffer.data) % parameter.alignment)
    return refuse("expected memory that is aligned to " +
                  Twine(parameter.alignment) +
                  " bytes, but got another address; pass a copy");
  if (buffer.isStored && overlapsItself(buffer.sizes, buffer.strides))
    return refuse("expected a layout that does not overlap itself, for the "
                  "function writes it");
  return llvm::Error::success();
}

void RunArguments::Buffer::forEachElement(
    llvm::function_ref<void(int64_t)> visit) const {
  if (isEmpty())
    return;
  SmallVector<int64_t> index(sizes.size(), 0);
  int64_t position = offset;
  while (true) {
    visit(position);
    size_t dim = sizes.size();
    for (; dim-- > 0;) {
      position += strides[dim];
      if (++index[dim] < sizes[dim])
        break;
      position -= strides[dim] * sizes[dim];
      index[dim] = 0;
    }
    // Beyond the outermost dimension.
    if (dim > sizes.size())
      return;
  }
}

/// Whether two memrefs have a byte in common: interleaved ones need not.
bool RunArguments::overlap(const Buffer &first, const Buffer &second) {
  uintptr_t low =
      std::max(first.getAddress(first.low), second.getAddress(second.low));
  uintptr_t high =
      std::min(first.getAddress(first.high), second.getAddress(second.high));
  if (first.isEmpty() || second.isEmpty() || high <= low)
    return false;
  llvm::BitVector used(high - low);
  auto forEachByte = [&](const Buffer &buffer,
                         llvm::function_ref<void(size_t)> visit) {
    buffer.forEachElement([&](int64_t element) {
      for (int64_t byte = 0; byte < buffer.elementBytes; ++byte) {
        uintptr_t address = buffer.getAddress(element) + byte;
        if (address >= low && address < high)
          visit(address - low);
      }
    });
  };
  bool found = false;
  forEachByte(first, [&](size_t byte) { used.set(byte); });
  forEachByte(second, [&](size_t byte) { found |= used.test(byte); });
  return found;
}

llvm::Error RunArguments::checkOverlap() const {
  for (auto [second, value] : llvm::enumerate(values))
    for (auto [first, earlier] :
         llvm::enumerate(ArrayRef(values).take_front(second))) {
      const Buffer &one = earlier.buffer, &other = value.buffer;
      if ((one.isStored || other.isStored) && overlap(one, other))
        return refuse("expected arguments that do not overlap, but #" +
                      Twine(first) + " and #" + Twine(second) +
                      " do, and the kernel writes #" +
                      Twine(one.isStored ? first : second) + "; pass a copy");
    }
  return llvm::Error::success();
}

void RunArguments::save() {
  for (Value &value : values) {
    Buffer &buffer = value.buffer;
    if (!buffer.isStored || buffer.isEmpty())
      continue;
    const char *begin = buffer.data + buffer.low * buffer.elementBytes;
    buffer.saved.assign(begin, begin + (buffer.high - buffer.low) *
                                           buffer.elementBytes);
  }
}

void RunArguments::restore() {
  for (Value &value : values) {
    const Buffer &buffer = value.buffer;
    if (!buffer.saved.empty())
      std::memcpy(buffer.data + buffer.low * buffer.elementBytes,
                  buffer.saved.data(), buffer.saved.size());
  }
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static StringRef describe(unsigned kind) {
  return kind == UOP_ARGUMENT_MEMREF   ? "a memref"
         : kind == UOP_ARGUMENT_SCALAR ? "a scalar"
                                       : "neither a memref nor a scalar";
}

/// Reads a scalar; the bits above its width are zero.
static uint64_t readScalar(UopElementType type, const void *data) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, uopElementTypeGetBytes(type));
  return type == UOP_TYPE_I1 ? bits != 0 : bits;
}

llvm::Error RunArguments::set(const Signature &signature, bool isKernel,
                              const UopArgument *arguments, size_t size) {
  if (size != signature.arguments.size())
    return refuse("expected " + Twine(signature.arguments.size()) +
                  " arguments of @" + signature.name + ", but got " +
                  Twine(size));
  if (size && !arguments)
    return refuse("expected arguments, but got NULL");
  values.resize(size);
  descriptors.reserve(size);
  for (size_t i = 0; i < size; ++i) {
    const UopParameter &parameter = signature.arguments[i]->info;
    const UopArgument &argument = arguments[i];
    auto inArgument = [&](const Twine &message) {
      return refuse("argument #" + Twine(i) + " of @" + signature.name + ": " +
                    message);
    };
    unsigned kind = getBits(argument.kind);
    if (kind != unsigned(parameter.kind))
      return inArgument("expected " + describe(parameter.kind) + " of type " +
                        parameter.type + ", but got " + describe(kind));
    unsigned type = getBits(argument.elementType);
    bool isMemRef = kind == UOP_ARGUMENT_MEMREF;
    if (type != unsigned(parameter.elementType)) {
      StringRef name = uopElementTypeGetName(argument.elementType);
      return inArgument(Twine("expected ") +
                        (isMemRef ? "elements" : "a scalar") + " of type " +
                        uopElementTypeGetName(parameter.elementType) +
                        ", but got " + (name.empty() ? "another" : name));
    }
    Value &value = values[i];
    value.isMemRef = isMemRef;
    if (!isMemRef) {
      if (!argument.data)
        return inArgument("expected the address of a scalar, but got NULL");
      value.bits = readScalar(parameter.elementType, argument.data);
      packed.push_back(&value.bits);
      continue;
    }
    if (llvm::Error error = setBuffer(parameter, argument, value.buffer))
      return inArgument(llvm::toString(std::move(error)));
    descriptors.emplace_back(argument.data, value.buffer.offset,
                             value.buffer.sizes, value.buffer.strides);
    packed.push_back(descriptors.back().descriptor());
  }
  return isKernel ? checkOverlap() : llvm::Error::success();
}

std::vector<KernelArgument>
RunArguments::getKernelArguments(ArrayRef<Type> types) const {
  std::vector<KernelArgument> arguments;
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    if (value.isMemRef) {
      BufferArgument buffer;
      buffer.data = value.buffer.data;
      buffer.elementType = cast<MemRefType>(type).getElementType();
      buffer.shape = value.buffer.sizes;
      buffer.strides = value.buffer.strides;
      buffer.offset = value.buffer.offset;
      buffer.allocatedElements = value.buffer.high;
      // The interpreter wants the beginning of the memory, which is not where
      // the pointer leads if a stride is negative.
      if (value.buffer.low < 0) {
        buffer.data =
            value.buffer.data + value.buffer.low * value.buffer.elementBytes;
        buffer.offset -= value.buffer.low;
        buffer.allocatedElements -= value.buffer.low;
      }
      arguments.emplace_back(buffer);
      continue;
    }
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    APInt bits(width, value.bits);
    if (auto floatType = dyn_cast<FloatType>(type))
      arguments.emplace_back(TypedAttr(FloatAttr::get(
          floatType, APFloat(floatType.getFloatSemantics(), bits))));
    else
      arguments.emplace_back(TypedAttr(IntegerAttr::get(type, bits)));
  }
  return arguments;
}
