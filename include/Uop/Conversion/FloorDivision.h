//===- FloorDivision.h - Floor divisions as arith ops -----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every conversion that leaves the uop dialect.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_CONVERSION_FLOORDIVISION_H
#define UOP_CONVERSION_FLOORDIVISION_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"

namespace uop {

/// Replaces every uop.floordiv and uop.floormod under the op by arith ops of
/// the same meaning for numbers of either sign; unsigned ones where integer
/// ranges prove that numerator and divisor are not negative. Runs while
/// uop.range is still there to say how large its values are.
mlir::LogicalResult lowerFloorDivisions(mlir::Operation *root);

} // namespace uop

#endif // UOP_CONVERSION_FLOORDIVISION_H
