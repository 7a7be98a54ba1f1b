//===- Verifier.h - Whole-kernel rules, for the verifier of uop.kernel -*- C++
//-*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_DIALECT_VERIFIER_H
#define UOP_LIB_DIALECT_VERIFIER_H

#include "Uop/IR/Uop.h"

namespace uop {

/// Checks the rules of graph form that the dialect's documentation lists.
mlir::LogicalResult verifyGraphForm(KernelOp kernel);

/// Checks the rules of loop form.
mlir::LogicalResult verifyLoopForm(KernelOp kernel);

/// A range in a message: its axis and extent, as in `reduce 48`.
std::string describe(RangeOp range);

/// Threads per block along x, y, z that the ranges need. Emits an error at the
/// range with which they exceed the limit of a block.
mlir::FailureOr<std::array<int64_t, 3>>
computeBlockSize(llvm::ArrayRef<RangeOp> ranges);

/// Checks that no op is free in two ranges of one hardware dimension; `ranges`
/// are those in which it is.
mlir::LogicalResult verifyHardwareDimensions(mlir::Operation *op,
                                             llvm::ArrayRef<RangeOp> ranges);

} // namespace uop

#endif // UOP_LIB_DIALECT_VERIFIER_H
