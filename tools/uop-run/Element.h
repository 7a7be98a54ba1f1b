//===- Element.h - The elements of a buffer ---------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What uop-run knows of a type that a buffer or a scalar argument may have: its
// size in memory, the dtypes that NumPy keeps it in, and its text.
//
// NumPy has no bf16 and no 8-bit floating-point number: they are read and
// written as their bit patterns, in uint16 and uint8.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_ELEMENT_H
#define UOP_TOOLS_UOP_RUN_ELEMENT_H

#include "Npy.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include <optional>

namespace uop::run {

/// A type of at most 64 bits. A value is handed around as its bits; those above
/// the width are zero.
class Element {
public:
  /// i1, i8, i16, i32, i64, index, f16, bf16, f32, f64 and the 8-bit
  /// floating-point types; nothing for any other.
  static std::optional<Element> get(mlir::Type type);

  mlir::Type getType() const { return type; }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(type); }
  bool isBool() const { return width == 1; }
  unsigned getWidth() const { return width; }
  /// The bytes in memory and in a file.
  int64_t getBytes() const { return (width + 7) / 8; }

  /// The dtype in which it is written.
  NpyDtype getDtype() const;
  /// Whether it is read from this dtype. Integers may be signed or not.
  bool accepts(NpyDtype dtype) const;
  /// What it is read from, for a message.
  std::string getExpectedDtype() const;

  uint64_t read(const char *address) const;
  void write(char *address, uint64_t bits) const;

  llvm::APFloat toFloat(uint64_t bits) const;
  /// The nearest value, ties to even.
  uint64_t fromDouble(double value) const;
  /// An integer wraps to the width; a floating-point number is rounded.
  uint64_t fromInteger(int64_t value) const;

  /// Reads 3, -2, 0.5, 0x1p-3, inf, nan, true. An integer may be in the signed
  /// or in the unsigned range; a number too large for the type is an error.
  llvm::Expected<uint64_t> parse(llvm::StringRef text) const;
  /// Prints a value such that `parse` reads the same one.
  std::string format(uint64_t bits, bool isUnsigned = false) const;

  /// What marks an element that nobody has written: a NaN, or bytes 0xA5 (true
  /// for i1).
  uint64_t getSentinel() const;

private:
  Element(mlir::Type type, unsigned width) : type(type), width(width) {}

  mlir::Type type;
  unsigned width;
};

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_ELEMENT_H
