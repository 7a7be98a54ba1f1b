//===- FreeRanges.h - The ranges in which a value is free -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_FREERANGES_H
#define UOP_IR_FREERANGES_H

#include "Uop/IR/Uop.h"
#include "llvm/ADT/DenseMap.h"

namespace uop {

/// Ranges in the order in which they are defined, each once.
using RangeList = llvm::SmallVector<RangeOp, 4>;

/// Computes and remembers the free ranges of the values of a kernel in graph
/// form (rule 1 of the dialect): a range is free in itself, an op in whatever
/// its operands are, and reduce and stage remove the ranges that they close.
/// The time is linear in the number of values asked about, directly or not.
/// Valid until the kernel changes.
class FreeRanges {
public:
  /// The free ranges of a value. Values from outside the kernel have none.
  llvm::ArrayRef<RangeOp> of(mlir::Value value);

  /// The ranges that are free in at least one of the values.
  RangeList ofAny(mlir::ValueRange values);

  /// Whether the value is free in the range.
  bool isFreeIn(mlir::Value value, RangeOp range);

private:
  llvm::DenseMap<mlir::Value, RangeList> known;
};

/// The ranges in a list of closed or domain operands, without the constants
/// that stand for folded ranges of extent 1.
RangeList getRanges(mlir::ValueRange over);

} // namespace uop

#endif // UOP_IR_FREERANGES_H
