//===- AccessStrides.h - How far an access moves with a range ---*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Neighbouring threads should access neighbouring elements. Whether they do is
// a matter of strides: of the memory, times the coefficients of its indices.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_ACCESSSTRIDES_H
#define UOP_ANALYSIS_ACCESSSTRIDES_H

#include "Uop/IR/FreeRanges.h"

namespace uop {

/// Computes and remembers the strides of the accesses of a kernel in graph
/// form. Valid until the kernel changes.
class AccessStrides {
public:
  /// The elements by which the address of a load or store moves when the range
  /// moves by one; 0 where it is not free in the range. Nothing where that is
  /// not one known number, as for a quotient, a gather or a dynamic stride.
  std::optional<int64_t> of(LoadOp load, RangeOp range);
  std::optional<int64_t> of(StoreOp store, RangeOp range);

  FreeRanges &getFreeRanges() { return freeRanges; }

private:
  std::optional<int64_t> ofAccess(mlir::Type buffer, mlir::ValueRange indices,
                                  RangeOp range);
  std::optional<int64_t> getCoefficient(mlir::Value value, RangeOp range,
                                        unsigned depth);

  FreeRanges freeRanges;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Operation *>,
                 std::optional<int64_t>>
      coefficients;
};

} // namespace uop

#endif // UOP_ANALYSIS_ACCESSSTRIDES_H
