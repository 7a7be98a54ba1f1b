//===- KernelCase.cpp - A kernel and its arguments ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"
#include "Uop/Interpreter/Interpreter.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Numbers of all sorts: small ones mostly, since these make equal and exact
/// values; any bits else.
static uint64_t makeBits(std::mt19937_64 &random, Type type,
                         ArgumentRule rule) {
  uint64_t bits = random();
  if (rule.kind == ArgumentRule::Exactly)
    return rule.value;
  if (rule.kind == ArgumentRule::Divisors)
    return 1 + bits % 9;
  bool isModerate = rule.kind == ArgumentRule::Moderate;
  if (auto format = dyn_cast<FloatType>(type)) {
    unsigned kind = isModerate ? 16 : random() % 16;
    if (kind > 2) {
      llvm::APFloat value(int64_t(random() % 257) / 16.0 - 8.0);
      if (random() % 3 == 0)
        value = llvm::APFloat((int64_t(random() >> 11)) * 0x1p-52 - 0.5);
      bool losesInfo;
      value.convert(format.getFloatSemantics(),
                    llvm::RoundingMode::NearestTiesToEven, &losesInfo);
      return value.bitcastToAPInt().getZExtValue();
    }
    // A subnormal number.
    if (kind == 2)
      bits &= 1ull << (format.getWidth() - 1) |
              ((1ull << (format.getFPMantissaWidth() - 1)) - 1);
    return bits;
  }
  if (type.isInteger(1))
    return bits & 1;
  if (isModerate || random() % 4 != 0)
    bits = random() % 21 - 10;
  return bits;
}

KernelCase::KernelCase(KernelOp kernel, uint64_t seed,
                       ArrayRef<ArgumentRule> rules) {
  std::mt19937_64 random(seed);
  SmallVector<unsigned> bufferNumbers;
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    ArgumentRule rule = number < rules.size() ? rules[number] : ArgumentRule();
    types.push_back(type);
    bufferNumbers.push_back(buffers.size());
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      uint64_t bits = makeBits(random, type, rule);
      if (auto format = dyn_cast<FloatType>(type)) {
        APInt value(format.getWidth(), bits, false, true);
        scalars.push_back(FloatAttr::get(
            type, llvm::APFloat(format.getFloatSemantics(), value)));
      } else {
        unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
        scalars.push_back(
            IntegerAttr::get(type, APInt(width, bits, false, true)));
      }
      continue;
    }
    Buffer &buffer = buffers.emplace_back();
    buffer.type = memref;
    buffer.rule = rule;
    LogicalResult isStrided =
        memref.getStridesAndOffset(buffer.strides, buffer.offset);
    assert(succeeded(isStrided) && "kernels have strided memrefs");
    (void)isStrided;
    // Memory without elements has strides that say nothing.
    if (llvm::is_contained(memref.getShape(), 0))
      buffer.strides.assign(memref.getRank(), 0);
    int64_t elements = buffer.offset + 1;
    for (auto [size, stride] : llvm::zip(memref.getShape(), buffer.strides))
      elements += std::max<int64_t>(size - 1, 0) * stride;
    unsigned bytes = getElementBytes(memref.getElementType());
    buffer.bytes.resize((elements + 4) * bytes);
    for (int64_t i = 0; i < elements + 4; ++i) {
      uint64_t bits = makeBits(random, memref.getElementType(), rule);
      std::memcpy(&buffer.bytes[i * bytes], &bits, bytes);
    }
  }
  for (Buffer &buffer : buffers)
    if (buffer.rule.magnitudes)
      buffer.magnitudes = bufferNumbers[*buffer.rule.magnitudes];
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

LogicalResult KernelCase::interpret(KernelOp kernel, bool contract,
                                    std::vector<Buffer> &memory) const {
  memory = buffers;
  std::vector<KernelArgument> arguments;
  auto buffer = memory.begin();
  auto scalar = scalars.begin();
  for (Type type : types) {
    if (!isa<MemRefType>(type)) {
      arguments.emplace_back(*scalar++);
      continue;
    }
    BufferArgument argument;
    argument.data = buffer->bytes.data();
    argument.elementType = buffer->type.getElementType();
    argument.shape.assign(buffer->type.getShape().begin(),
                          buffer->type.getShape().end());
    argument.strides = buffer->strides;
    argument.offset = buffer->offset;
    argument.allocatedElements =
        buffer->bytes.size() / getElementBytes(argument.elementType);
    arguments.emplace_back(argument);
    ++buffer;
  }
  InterpreterOptions options;
  options.contract = contract;
  return interpretKernel(kernel, arguments, options);
}

std::string KernelCase::emulate(Jit &jit, StringRef name,
                                std::vector<Buffer> &memory) const {
  memory = buffers;
  std::vector<MemRefArgument> descriptors;
  descriptors.reserve(memory.size());
  std::vector<uint64_t> words(scalars.size());
  SmallVector<void *> packed;
  auto buffer = memory.begin();
  size_t scalar = 0;
  for (Type type : types) {
    if (!isa<MemRefType>(type)) {
      Attribute attribute = scalars[scalar];
      APInt bits = isa<FloatAttr>(attribute)
                       ? cast<FloatAttr>(attribute).getValue().bitcastToAPInt()
                       : cast<IntegerAttr>(attribute).getValue();
      words[scalar] = bits.getZExtValue();
      packed.push_back(&words[scalar++]);
      continue;
    }
    descriptors.emplace_back(buffer->bytes.data(), buffer->offset,
                             buffer->type.getShape(), buffer->strides);
    packed.push_back(descriptors.back().descriptor());
    ++buffer;
  }
  if (llvm::Error error = jit.invoke(name, packed))
    return llvm::toString(std::move(error));
  return {};
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

namespace {

/// An element of a buffer.
struct Element {
  Element(const Buffer &buffer, size_t at)
      : type(buffer.type.getElementType()) {
    std::memcpy(&bits, &buffer.bytes[at], getElementBytes(type));
  }
  /// For floats only.
  llvm::APFloat getFloat() const {
    auto format = cast<FloatType>(type);
    return llvm::APFloat(format.getFloatSemantics(),
                         APInt(format.getWidth(), bits, false, true));
  }
  double getDouble() const {
    llvm::APFloat value = getFloat();
    bool losesInfo;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::RoundingMode::NearestTiesToEven, &losesInfo);
    return value.convertToDouble();
  }
  bool operator==(const Element &other) const {
    return bits == other.bits || (isa<FloatType>(type) && getFloat().isNaN() &&
                                  other.getFloat().isNaN());
  }

  Type type;
  uint64_t bits = 0;
};

} // namespace

/// Whether two values of a sum or product of n terms are both right.
///
/// With unit roundoff u and g(n) = n*u / (1 - n*u), a sum of n terms in any
/// order has an error of at most g(n) times the sum of the magnitudes, a
/// product one of at most g(n) times its magnitude, and so has a sum of
/// products that are not rounded themselves: Higham, Accuracy and Stability of
/// Numerical Algorithms, 2nd edition, sections 3.1 and 4.2. Two values have
/// twice that between them. The sum of the magnitudes is itself computed, and
/// may be too small by the same share.
static bool agree(const Element &want, const Element &got, int64_t terms,
                  const Element &magnitudes) {
  double most = std::abs(magnitudes.getDouble());
  // Whether a sum of terms overflows on its way may depend on the order.
  if (std::isinf(most))
    return true;
  double difference = std::abs(want.getDouble() - got.getDouble());
  auto format = cast<FloatType>(want.type);
  double roundoff = std::ldexp(1.0, -int(format.getFPMantissaWidth()));
  double share = double(terms) * roundoff;
  if (share >= 0.5)
    return !std::isnan(difference);
  share /= 1 - share;
  double smallest =
      llvm::APFloat::getSmallest(format.getFloatSemantics()).convertToDouble();
  return difference <=
         2 * share / (1 - share) * most + double(terms) * smallest;
}

std::string KernelCase::findDifference(ArrayRef<Buffer> expected,
                                       ArrayRef<Buffer> actual,
                                       bool isReordered) {
  for (auto [number, want, got] : llvm::enumerate(expected, actual)) {
    unsigned bytes = getElementBytes(want.type.getElementType());
    for (size_t at = 0; at < want.bytes.size(); at += bytes) {
      Element wanted(want, at), found(got, at);
      if (wanted == found)
        continue;
      if (isReordered && want.rule.terms &&
          agree(wanted, found, *want.rule.terms,
                want.magnitudes ? Element(expected[*want.magnitudes], at)
                                : wanted))
        continue;
      std::string text;
      llvm::raw_string_ostream(text)
          << "expected 0x" << llvm::utohexstr(wanted.bits) << ", but got 0x"
          << llvm::utohexstr(found.bits) << " in element " << at / bytes
          << " of memref number " << number << ", " << want.type;
      return text;
    }
  }
  return {};
}
