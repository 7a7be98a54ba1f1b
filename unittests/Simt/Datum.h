//===- Datum.h - What a value of a kernel is while it runs ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_SIMT_DATUM_H
#define UOP_UNITTESTS_SIMT_DATUM_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace uop::simt {

/// Memory of the test, or memory that belongs to a block or a thread.
struct Buffer {
  uint8_t *data = nullptr;
  uint64_t bytes = 0;
  std::vector<uint8_t> own;
  /// Of one thread.
  bool isPrivate = false;
};

struct MemRef {
  std::shared_ptr<Buffer> buffer;
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 2> sizes, strides;
};

/// The bits of a scalar or of the elements of a vector, zero beyond the width
/// of the type, or a memref.
struct Datum {
  llvm::SmallVector<uint64_t, 1> lanes;
  std::shared_ptr<const MemRef> memref;
};

/// Bits of an integer, an index (64) or a float; 0 for other types.
inline unsigned getWidth(mlir::Type type) {
  type = mlir::getElementTypeOrSelf(type);
  if (type.isIndex())
    return 64;
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

inline uint64_t truncate(uint64_t bits, unsigned width) {
  return bits & llvm::maskTrailingOnes<uint64_t>(width);
}

inline int64_t toSigned(uint64_t bits, unsigned width) {
  return llvm::SignExtend64(bits, width);
}

} // namespace uop::simt

#endif // UOP_UNITTESTS_SIMT_DATUM_H
