//===- Injectivity.h - Do the indices of an access repeat? ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_INJECTIVITY_H
#define UOP_IR_INJECTIVITY_H

#include "Uop/IR/FreeRanges.h"

namespace uop {

/// What is known of two different points that access one element.
struct Collision {
  enum class Kind {
    /// There are none.
    Impossible,
    /// `first` and `second` are two such points.
    Found,
    /// Neither could be shown: the indices are not affine, or use div and mod
    /// in a way that the solver does not decide.
    Unknown,
  };
  Kind kind;
  /// Values of the ranges of the domain, in its order.
  llvm::SmallVector<int64_t> first, second;
};

/// Whether two different points of `domain` have equal `indices`. Ranges of
/// the domain are in [0, extent); other values are the same at both points.
/// First by digits (an index is a sum of ranges times coefficients, each
/// greater than all smaller terms together), then by Presburger arithmetic.
/// Indices that are too large or too deep for the solver are Unknown.
///
/// With a mask, points where it does not hold do not count. Of a mask the
/// comparisons of affine expressions whose conjunction it is are understood;
/// where it says more than these, points that have equal indices are Unknown,
/// since the mask might not hold there.
Collision findCollision(mlir::ValueRange indices,
                        llvm::ArrayRef<RangeOp> domain, FreeRanges &freeRanges,
                        mlir::Value mask = {});

/// Whether a point of `firstDomain` and one of `secondDomain` have equal
/// indices: the accesses of two different ops.
Collision findOverlap(mlir::ValueRange firstIndices,
                      llvm::ArrayRef<RangeOp> firstDomain,
                      mlir::ValueRange secondIndices,
                      llvm::ArrayRef<RangeOp> secondDomain,
                      FreeRanges &freeRanges);

/// Whether a memory layout of these sizes and strides (in elements) maps two
/// different indices to one element. Dynamic values are taken to be fine.
bool overlapsItself(llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<int64_t> strides);

} // namespace uop

#endif // UOP_IR_INJECTIVITY_H
