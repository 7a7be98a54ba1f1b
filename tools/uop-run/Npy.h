//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes .npy files as NumPy's format specification defines them
// (numpy.lib.format, versions 1.0 to 3.0): little-endian, row-major numbers.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_NPY_H
#define UOP_TOOLS_UOP_RUN_NPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace uop::run {

/// The type of an element: NumPy's kind (b, i, u, f, c or V) and its size.
struct NpyDtype {
  char kind = 'V';
  unsigned bytes = 1;

  bool operator==(const NpyDtype &other) const {
    return kind == other.kind && bytes == other.bytes;
  }
  /// NumPy's name, such as float32.
  std::string getName() const;
  /// What stands in a file, such as <f4.
  std::string getDescr() const;
};

/// An array in memory, row-major and contiguous.
struct NpyArray {
  NpyDtype dtype;
  llvm::SmallVector<int64_t> shape;
  /// Every byte of every element, backed by `buffer`.
  llvm::StringRef data;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
};

/// The shape as NumPy prints it: (), (3,), (3, 4).
std::string formatNpyShape(llvm::ArrayRef<int64_t> shape);

/// Reads an array. The error says what is wrong with the file, without its
/// name, and how to mend it.
llvm::Expected<NpyArray> parseNpy(std::unique_ptr<llvm::MemoryBuffer> buffer);

/// Reads an array from a file; the error begins with its name.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path);

/// What stands in a file before the elements, row-major, of such an array.
std::string makeNpyHeader(NpyDtype dtype, llvm::ArrayRef<int64_t> shape);

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_NPY_H
