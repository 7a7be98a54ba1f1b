//===- Memory.h - The buffers that a kernel sees ----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_INTERPRETER_MEMORY_H
#define UOP_LIB_INTERPRETER_MEMORY_H

#include "Scalar.h"
#include "Uop/Interpreter/Interpreter.h"
#include <vector>

namespace uop {

/// Checks that the arguments fit the types of a kernel or function, and that
/// each buffer lies in its allocation and does not overlap itself.
mlir::LogicalResult checkArguments(mlir::Operation *op,
                                   llvm::ArrayRef<mlir::Type> types,
                                   llvm::ArrayRef<KernelArgument> arguments);

/// Checks that no two buffers of which one is stored have a byte in common.
mlir::LogicalResult checkOverlap(KernelOp kernel,
                                 llvm::ArrayRef<KernelArgument> arguments,
                                 llvm::ArrayRef<bool> isStored);

/// The value of a scalar argument or of a constant.
Scalar getScalar(mlir::TypedAttr attr);

/// A memref during the run: what it held at entry, and, if it is stored, what
/// it will hold at exit. Offsets are in elements and in bounds.
class Buffer {
public:
  explicit Buffer(const BufferArgument &argument);

  llvm::ArrayRef<int64_t> getShape() const { return argument->shape; }
  /// The element at indices that are in bounds.
  int64_t getOffset(llvm::ArrayRef<int64_t> indices) const;

  /// Begins with the contents at entry as those at exit.
  void prepareStores();

  Scalar loadEntry(int64_t offset) const;
  Scalar loadExit(int64_t offset) const;
  void storeExit(int64_t offset, const Scalar &value);

  /// Who wrote an element, as far as noted: a store and a point of its domain.
  struct Writer {
    int store = -1;
    int64_t point = 0;
  };
  Writer &getWriter(int64_t offset) { return writers[offset - low]; }

  /// Writes what was stored to memory.
  void commit();

private:
  Scalar load(const uint8_t *bytes) const;

  const BufferArgument *argument;
  int64_t elementBytes;
  /// Bits of an element, and the bytes that these take.
  unsigned width, valueBytes;
  /// The elements that the indices reach: [low, low + count).
  int64_t low = 0, count = 0;
  std::vector<uint8_t> exit;
  std::vector<bool> isWritten;
  std::vector<Writer> writers;
};

} // namespace uop

#endif // UOP_LIB_INTERPRETER_MEMORY_H
