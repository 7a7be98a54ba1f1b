//===- Divisibility.h - What powers of two divide numbers -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several adjacent elements are one access where the first of them is aligned.
// That follows from the alignment of the memory and from the factors of the
// indices. Works on kernels in loop form and in the gpu dialect.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_DIVISIBILITY_H
#define UOP_ANALYSIS_DIVISIBILITY_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"

namespace uop {

/// A power of two that divides a number, as its logarithm; of zero the largest.
using TrailingZeros = unsigned;
constexpr TrailingZeros kAllZeros = 63;

/// The bytes of an element of a memref, where they are a power of two and every
/// bit of them is the element's: not for an i1 or i4, whose vectors are packed.
std::optional<int64_t> getNumBytes(mlir::Type element);

/// Computes and remembers what powers of two divide index values and addresses.
/// Valid until the code changes.
class Divisibility {
public:
  /// `leastAllocation` is an alignment that every uop.alloc is taken to have at
  /// least, by someone who then gives it to them.
  explicit Divisibility(TrailingZeros leastAllocation = 0)
      : leastAllocation(leastAllocation) {}

  TrailingZeros of(mlir::Value value) { return of(value, 0); }
  TrailingZeros of(mlir::OpFoldResult value);
  static TrailingZeros of(const llvm::APInt &number) {
    return std::min(number.countr_zero(), kAllZeros);
  }
  static TrailingZeros of(int64_t number) {
    return of(llvm::APInt(64, number, /*isSigned=*/true));
  }

  /// Of the address, in bytes, at which all indices are zero: of the argument
  /// by its attribute `llvm.align`, of an allocation, through views. The
  /// element's own size is not taken into account.
  TrailingZeros ofStart(mlir::Value buffer);
  /// Of the stride of a dimension, in elements.
  TrailingZeros ofStride(mlir::Value buffer, unsigned dimension);
  /// Of the address, in bytes, of an element; 0 where the type of the elements
  /// has no number of bytes.
  TrailingZeros ofAddress(mlir::Value buffer, mlir::ValueRange indices);

private:
  TrailingZeros of(mlir::Value value, unsigned depth);
  TrailingZeros compute(mlir::Value value, unsigned depth);
  TrailingZeros ofArgument(mlir::BlockArgument argument);
  TrailingZeros ofMemory(mlir::Value buffer);

  TrailingZeros leastAllocation;
  llvm::DenseMap<mlir::Value, TrailingZeros> known;
};

} // namespace uop

#endif // UOP_ANALYSIS_DIVISIBILITY_H
