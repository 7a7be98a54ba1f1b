//===- EntryResult.h - The result of the function that runs -----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_ENTRYRESULT_H
#define UOP_TOOLS_UOP_RUN_ENTRYRESULT_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace uop::run {

/// The result that a function must have. Any: none, or one number.
enum class EntryResult { Any, Void, I32, I64, F32 };

/// Refuses a function with another result.
mlir::LogicalResult checkResult(mlir::FunctionOpInterface function,
                                EntryResult expected);

/// Where a function leaves its result.
struct ResultBits {
  uint64_t bits = 0;
};

/// Prints as mlir-runner does: signed integers, and floats with an exponent.
void printResult(mlir::Type type, const ResultBits &result);

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_ENTRYRESULT_H
