//===- ElementBytes.h - The room that a value takes -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_ELEMENTBYTES_H
#define UOP_LIB_EMULATOR_ELEMENTBYTES_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace uop {

/// The bytes from one element of a buffer to the next: of integers, indices,
/// floats, complex numbers, and vectors of these.
inline int64_t getStoredBytes(mlir::Type element) {
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(element))
    return llvm::PowerOf2Ceil(vector.getNumElements()) *
           getStoredBytes(vector.getElementType());
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(element))
    return 2 * getStoredBytes(complex.getElementType());
  if (element.isIndex())
    return 8;
  return llvm::PowerOf2Ceil(
      llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
}

} // namespace uop

#endif // UOP_LIB_EMULATOR_ELEMENTBYTES_H
