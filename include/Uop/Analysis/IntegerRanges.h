//===- IntegerRanges.h - Upstream's ranges, of arguments too ----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's analysis takes an argument of a function for any number. This one
// knows what it states as `llvm.range`, on a uop.kernel and on a gpu.func.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_INTEGERRANGES_H
#define UOP_ANALYSIS_INTEGERRANGES_H

#include "Uop/Analysis/IndexBounds.h"
#include "mlir/IR/Value.h"

namespace mlir {
class DataFlowSolver;
} // namespace mlir

namespace uop {

/// Loads the analysis, and those that it needs. It is to run on an op around
/// the functions: it takes none that it is run on for one that can be called.
void loadIntegerRanges(mlir::DataFlowSolver &solver);

/// The signed bounds of an integer or index of at most 64 bits; none where
/// nothing is known of it, and for code that is not reached.
IndexBounds lookUpBounds(const mlir::DataFlowSolver &solver, mlir::Value value);

/// The bounds that a scalar argument states; none where it states none, and for
/// any other value.
IndexBounds getArgumentBounds(mlir::Value value);

} // namespace uop

#endif // UOP_ANALYSIS_INTEGERRANGES_H
