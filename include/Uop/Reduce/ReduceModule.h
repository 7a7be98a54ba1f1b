//===- ReduceModule.h - Make a failing module small -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_REDUCE_REDUCEMODULE_H
#define UOP_REDUCE_REDUCEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace uop {

/// How a reduction goes.
struct ReductionProgress {
  /// Operations of the smallest module so far, itself not counted.
  int64_t ops = 0;
  /// How often the caller has been asked.
  int64_t tests = 0;
};

/// Whether a module, which verifies, is one that is looked for; it is given as
/// its text as well. Failure ends the reduction.
using InterestingFn = llvm::function_ref<mlir::FailureOr<bool>(
    mlir::ModuleOp module, llvm::StringRef text)>;

/// Makes `module`, which is taken to be interesting, smaller for as long as
/// that leaves it interesting, by the reduction patterns of all dialects of its
/// context and by common subexpression elimination. Ends with a module from
/// which no pattern at a single op makes a smaller one.
///
/// Smaller is, in this order: fewer operations and block arguments, constants
/// not counted; fewer constants; fewer operands; smaller sizes; less text. So
/// it ends, and it always goes the same way when `isInteresting` does.
///
/// Variants that do not verify are not asked about, nor is any twice. Their
/// diagnostics go nowhere. On failure the module is the smallest one so far.
mlir::LogicalResult
reduceModule(mlir::OwningOpRef<mlir::ModuleOp> &module,
             InterestingFn isInteresting,
             llvm::function_ref<void(const ReductionProgress &)> report);

} // namespace uop

#endif // UOP_REDUCE_REDUCEMODULE_H
