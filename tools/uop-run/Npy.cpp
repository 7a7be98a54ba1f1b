//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;
using namespace uop;
using namespace uop::run;

static Error fail(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string NpyDtype::getName() const {
  if (kind == 'b')
    return "bool";
  StringRef base = StringSwitch<StringRef>(StringRef(&kind, 1))
                       .Case("i", "int")
                       .Case("u", "uint")
                       .Case("f", "float")
                       .Case("c", "complex")
                       .Default("void");
  return (base + Twine(bytes * 8)).str();
}

std::string NpyDtype::getDescr() const {
  return (Twine(bytes == 1 ? "|" : "<") + Twine(kind) + Twine(bytes)).str();
}

std::string run::formatNpyShape(ArrayRef<int64_t> shape) {
  std::string text =
      "(" +
      join(map_range(shape, [](int64_t size) { return std::to_string(size); }),
           ", ");
  return text + (shape.size() == 1 ? ",)" : ")");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads the header, a Python dictionary such as
/// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
public:
  HeaderParser(StringRef text) : text(text) {}

  Error parse() {
    if (!consume('{'))
      return malformed();
    while (!consume('}')) {
      std::optional<StringRef> key = parseString();
      if (!key || !consume(':'))
        return malformed();
      if (Error error = parseValue(*key))
        return error;
      if (!consume(',') && !text.ltrim().starts_with("}"))
        return malformed();
    }
    if (!text.trim().empty() || !descr || !fortranOrder || !shape)
      return malformed();
    return Error::success();
  }

  std::optional<StringRef> descr;
  std::optional<bool> fortranOrder;
  std::optional<SmallVector<int64_t>> shape;

private:
  Error malformed() { return fail("its header is malformed"); }

  bool consume(char c) {
    text = text.ltrim();
    return text.consume_front(StringRef(&c, 1));
  }

  std::optional<StringRef> parseString() {
    text = text.ltrim();
    if (!text.starts_with("'") && !text.starts_with("\""))
      return std::nullopt;
    size_t end = text.find(text.front(), 1);
    if (end == StringRef::npos)
      return std::nullopt;
    StringRef string = text.slice(1, end);
    text = text.drop_front(end + 1);
    return string;
  }

  Error parseValue(StringRef key) {
    text = text.ltrim();
    if (key == "descr") {
      if (text.starts_with("["))
        return fail("it is a structured array; save each field on its own");
      descr = parseString();
      return descr ? Error::success() : malformed();
    }
    if (key == "fortran_order") {
      if (text.consume_front("True"))
        fortranOrder = true;
      else if (text.consume_front("False"))
        fortranOrder = false;
      return fortranOrder ? Error::success() : malformed();
    }
    if (key == "shape")
      return parseShape();
    return malformed();
  }

  Error parseShape() {
    if (!consume('('))
      return malformed();
    shape.emplace();
    while (!consume(')')) {
      int64_t size;
      text = text.ltrim();
      if (text.consumeInteger(10, size) || size < 0)
        return malformed();
      // Python 2 wrote long integers with a suffix.
      text.consume_front("L");
      shape->push_back(size);
      if (!consume(',') && !text.ltrim().starts_with(")"))
        return malformed();
    }
    return Error::success();
  }

  StringRef text;
};
} // namespace

static Expected<NpyDtype> parseDescr(StringRef descr) {
  StringRef rest = descr;
  bool bigEndian = rest.consume_front(">");
  if (!bigEndian && !rest.consume_front("<") && !rest.consume_front("|"))
    rest.consume_front("=");
  if (rest.starts_with("O"))
    return fail("it is an array of Python objects; convert it with "
                "a.astype(numpy.float32), or another type of number");
  NpyDtype dtype;
  dtype.kind = rest.empty() ? '?' : rest.front();
  if (!StringRef("biufcV").contains(dtype.kind) ||
      rest.drop_front().getAsInteger(10, dtype.bytes) || dtype.bytes == 0 ||
      (dtype.kind == 'b' && dtype.bytes != 1))
    return fail("expected an array of numbers, but got the dtype '" + descr +
                "'");
  if (bigEndian && dtype.bytes > 1)
    return fail("it is big-endian ('" + descr +
                "'); convert it with a.astype('" + dtype.getDescr() + "')");
  return dtype;
}

/// The bytes of an array; nothing where they do not fit in 63 bits.
static std::optional<int64_t> getBytes(NpyDtype dtype,
                                       ArrayRef<int64_t> shape) {
  // A zero anywhere is an empty array, however large the rest is.
  if (is_contained(shape, 0))
    return 0;
  std::optional<int64_t> bytes = dtype.bytes;
  for (int64_t size : shape)
    if (bytes)
      bytes = checkedMul(*bytes, size);
  return bytes;
}

Expected<NpyArray> run::parseNpy(std::unique_ptr<MemoryBuffer> buffer) {
  StringRef rest = buffer->getBuffer();
  if (rest.starts_with("PK\x03\x04"))
    return fail("it is an .npz archive; save each array on its own with "
                "numpy.save");
  if (!rest.consume_front("\x93NUMPY"))
    return fail("it is not an .npy file");
  if (rest.size() < 2)
    return fail("it is truncated in its header");
  unsigned major = static_cast<unsigned char>(rest[0]);
  unsigned minor = static_cast<unsigned char>(rest[1]);
  rest = rest.drop_front(2);
  if (major < 1 || major > 3 || minor != 0)
    return fail("expected version 1.0, 2.0 or 3.0 of the format, but got " +
                Twine(major) + "." + Twine(minor));
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return fail("it is truncated in its header");
  size_t length = major == 1 ? support::endian::read16le(rest.data())
                             : support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return fail("it is truncated in its header");

  HeaderParser header(rest.take_front(length));
  if (Error error = header.parse())
    return error;
  Expected<NpyDtype> dtype = parseDescr(*header.descr);
  if (!dtype)
    return dtype.takeError();
  if (*header.fortranOrder)
    return fail("it is in Fortran order; save numpy.ascontiguousarray(a)");

  NpyArray array;
  array.dtype = *dtype;
  array.shape = std::move(*header.shape);
  array.data = rest.drop_front(length);
  std::optional<int64_t> bytes = getBytes(array.dtype, array.shape);
  std::string what =
      array.dtype.getName() + " of shape " + formatNpyShape(array.shape);
  if (!bytes)
    return fail(what + " does not fit in memory");
  auto expected = static_cast<size_t>(*bytes);
  if (array.data.size() < expected)
    return fail("it is truncated: expected " + Twine(expected) +
                " bytes of data for " + what + ", but got " +
                Twine(array.data.size()));
  if (array.data.size() > expected)
    return fail("expected " + Twine(expected) + " bytes of data for " + what +
                ", but got " + Twine(array.data.size() - expected) +
                " bytes more");
  array.buffer = std::move(buffer);
  return array;
}

Expected<NpyArray> run::readNpy(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail("cannot read '" + path + "': " + buffer.getError().message());
  Expected<NpyArray> array = parseNpy(std::move(*buffer));
  if (!array)
    return fail("cannot read '" + path + "': " + toString(array.takeError()));
  return array;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string run::makeNpyHeader(NpyDtype dtype, ArrayRef<int64_t> shape) {
  std::string dictionary =
      "{'descr': '" + dtype.getDescr() +
      "', 'fortran_order': False, 'shape': " + formatNpyShape(shape) + ", }";
  // Magic, version and length come before; a newline after. The data begins at
  // a multiple of 64 bytes.
  bool large = dictionary.size() > UINT16_MAX - 64;
  size_t before = large ? 12 : 10;
  size_t total = alignTo(before + dictionary.size() + 1, 64);
  dictionary.append(total - before - dictionary.size() - 1, ' ');
  dictionary += '\n';

  std::string header = large ? "\x93NUMPY\x02" : "\x93NUMPY\x01";
  header += '\0';
  char length[4];
  support::endian::write32le(length, dictionary.size());
  header.append(length, large ? 4 : 2);
  return header + dictionary;
}
