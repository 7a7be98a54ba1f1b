//===- Tokens.h - The order of what the host asks for -----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the host asks of the device happens in the order of the text, which is
// one of the orders that streams allow: a token is made before it is waited
// for. So the result does not depend on time, and a token means nothing.
//
// One thing needs more: a kernel that waits for what another kernel, or the
// host, writes. Where a kernel may do that and its launch is asynchronous, the
// launch runs beside the host, by the async dialect, and tokens are those of
// that dialect.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_TOKENS_H
#define UOP_LIB_EMULATOR_TOKENS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace uop {

/// Calls the function for each op of host code.
mlir::WalkResult
walkHost(mlir::ModuleOp module,
         llvm::function_ref<mlir::WalkResult(mlir::Operation *)> visit);

/// Takes the dependencies and the tokens from the given gpu operations of host
/// code, and the type of tokens from all of it. Without `mayRunBeside` all runs
/// in the order of the text.
void lowerTokens(mlir::ModuleOp module, llvm::ArrayRef<mlir::Operation *> ops,
                 bool mayRunBeside);

} // namespace uop

#endif // UOP_LIB_EMULATOR_TOKENS_H
