//===- Element.cpp - The elements of a buffer -----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Element.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace uop;
using namespace uop::run;

// Elements are copied between files, memory and values byte by byte.
static_assert(llvm::endianness::native == llvm::endianness::little,
              "uop-run needs a little-endian machine");

std::optional<Element> Element::get(Type type) {
  if (isa<IndexType>(type))
    return Element(type, 64);
  if (type.isSignlessInteger(1) || type.isSignlessInteger(8) ||
      type.isSignlessInteger(16) || type.isSignlessInteger(32) ||
      type.isSignlessInteger(64))
    return Element(type, type.getIntOrFloatBitWidth());
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) ||
      (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8))
    return Element(type, type.getIntOrFloatBitWidth());
  return std::nullopt;
}

/// Whether NumPy has the type only as its bit pattern.
static bool isPattern(Type type) {
  return isa<BFloat16Type>(type) ||
         (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8);
}

NpyDtype Element::getDtype() const {
  auto bytes = static_cast<unsigned>(getBytes());
  if (isBool())
    return {'b', bytes};
  if (isPattern(type))
    return {'u', bytes};
  return {isFloat() ? 'f' : 'i', bytes};
}

bool Element::accepts(NpyDtype dtype) const {
  if (dtype == getDtype())
    return true;
  if (dtype.bytes != getBytes() || isBool())
    return false;
  // The extension package ml_dtypes saves its types as kind V, or as f where
  // there is no such standard type.
  if (isPattern(type))
    return dtype.kind == 'V' || (dtype.kind == 'f' && width == 8);
  return !isFloat() && dtype.kind == 'u';
}

std::string Element::getExpectedDtype() const {
  std::string name = getDtype().getName();
  if (isPattern(type))
    return name + " (the bit patterns)";
  if (!isFloat() && !isBool())
    return name + " or u" + name;
  return name;
}

uint64_t Element::read(const char *address) const {
  uint64_t bits = 0;
  std::memcpy(&bits, address, getBytes());
  return isBool() ? bits != 0 : bits;
}

void Element::write(char *address, uint64_t bits) const {
  std::memcpy(address, &bits, getBytes());
}

APFloat Element::toFloat(uint64_t bits) const {
  return APFloat(cast<FloatType>(type).getFloatSemantics(), APInt(width, bits));
}

uint64_t Element::fromDouble(double value) const {
  APFloat number(value);
  bool losesInfo;
  number.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

uint64_t Element::fromInteger(int64_t value) const {
  if (!isFloat())
    return static_cast<uint64_t>(value) &
           llvm::maskTrailingOnes<uint64_t>(width);
  APFloat number(cast<FloatType>(type).getFloatSemantics());
  number.convertFromAPInt(APInt(64, value, /*isSigned=*/true),
                          /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  return number.bitcastToAPInt().getZExtValue();
}

static llvm::Expected<uint64_t> parseFloat(StringRef text, FloatType type) {
  auto fail = [&](const Twine &why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
  };
  APFloat number(type.getFloatSemantics());
  bool saysNan = text.ltrim("+-").take_front(3).equals_insensitive("nan");
  bool saysInf = text.ltrim("+-").take_front(3).equals_insensitive("inf");
  llvm::Expected<APFloat::opStatus> status =
      number.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (!status)
    llvm::consumeError(status.takeError());
  // APFloat takes an exponent without digits for 0.
  if (!status ||
      !(saysNan || saysInf || llvm::isDigit(text.back()) || text.back() == '.'))
    return fail("'" + text + "' is not a number");
  // Not every format has infinities, or a NaN: another value took their place.
  if ((*status & APFloat::opOverflow) || number.isNaN() != saysNan ||
      number.isInfinity() != saysInf) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    return fail("'" + text + "' is out of the range of " + name);
  }
  return number.bitcastToAPInt().getZExtValue();
}

llvm::Expected<uint64_t> Element::parse(StringRef text) const {
  if (text.empty())
    return llvm::createStringError("expected a number, but got nothing");
  if (isFloat())
    return parseFloat(text, cast<FloatType>(type));
  if (isBool() && (text == "true" || text == "false"))
    return text == "true";
  StringRef digits = text;
  bool negative = digits.consume_front("-");
  if (!negative)
    digits.consume_front("+");
  APInt value;
  if (digits.getAsInteger(0, value))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "'" + text + "' is not an integer" +
                                       (isBool() ? ", true or false" : ""));
  // The unsigned range up, the signed range down.
  unsigned active = value.getActiveBits();
  bool fits = negative
                  ? active < width || (active == width && value.isPowerOf2())
                  : active <= width;
  if (!fits) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "'" + text + "' is out of the range of " +
                                       name);
  }
  uint64_t bits = value.zextOrTrunc(64).getZExtValue();
  return (negative ? -bits : bits) & llvm::maskTrailingOnes<uint64_t>(width);
}

std::string Element::format(uint64_t bits, bool isUnsigned) const {
  if (isFloat()) {
    SmallString<32> text;
    toFloat(bits).toString(text);
    return text.str().str();
  }
  if (isBool())
    return bits ? "true" : "false";
  SmallString<32> text;
  APInt(width, bits).toString(text, /*Radix=*/10, /*Signed=*/!isUnsigned);
  return text.str().str();
}

uint64_t Element::getSentinel() const {
  if (isFloat())
    return APFloat::getNaN(cast<FloatType>(type).getFloatSemantics())
        .bitcastToAPInt()
        .getZExtValue();
  return UINT64_C(0xA5A5A5A5A5A5A5A5) & llvm::maskTrailingOnes<uint64_t>(width);
}
