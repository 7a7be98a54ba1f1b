//===- ArgumentChecks.h - Hold the caller to what is stated -----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every conversion that makes a function which takes a kernel's arguments:
// `arguments` are the caller's, one for each of the kernel's.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_CONVERSION_ARGUMENTCHECKS_H
#define UOP_CONVERSION_ARGUMENTCHECKS_H

#include "Uop/IR/Uop.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {

/// Stops the program where a scalar is outside of the range that the kernel's
/// argument states as `llvm.range`: index arithmetic, that of the grid
/// included, relies on it.
void buildRangeChecks(mlir::ImplicitLocOpBuilder &builder, KernelOp kernel,
                      mlir::ValueRange arguments);

/// Stops the program where a memref does not begin at a multiple of what the
/// kernel's argument states as `llvm.align`, in bytes: accesses rely on it. A
/// memref begins `offset` elements before element [0, ..., 0]. Those that state
/// no more than the alignment of an element are not looked at.
void buildAlignmentChecks(mlir::ImplicitLocOpBuilder &builder, KernelOp kernel,
                          mlir::ValueRange arguments);

} // namespace uop

#endif // UOP_CONVERSION_ARGUMENTCHECKS_H
