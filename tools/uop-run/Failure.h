//===- Failure.h - Errors that have no place in the file --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_FAILURE_H
#define UOP_TOOLS_UOP_RUN_FAILURE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace uop::run {

/// Prints an error of the tool and returns a failure.
inline llvm::LogicalResult fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "uop-run") << message << "\n";
  return llvm::failure();
}

inline llvm::LogicalResult fail(llvm::Error error) {
  return fail(llvm::toString(std::move(error)));
}

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_FAILURE_H
