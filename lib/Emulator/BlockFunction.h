//===- BlockFunction.h - The function that runs one block -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_BLOCKFUNCTION_H
#define UOP_LIB_EMULATOR_BLOCKFUNCTION_H

#include "KernelAnalysis.h"
#include "RuntimeCalls.h"

namespace uop {

/// Creates a private function that runs all threads of one block of a
/// normalised kernel. Its arguments are the kernel's, then the block id, the
/// grid size and the block size, each as x, y, z of type index. A size that
/// `blockSize` gives is taken from there. Messages call the kernel `name`.
mlir::FailureOr<mlir::func::FuncOp> createBlockFunction(
    const KernelAnalysis &analysis, llvm::StringRef name,
    llvm::ArrayRef<std::optional<int64_t>> blockSize, int64_t subgroupSize,
    llvm::ArrayRef<mlir::StringAttr> workgroupGlobals, RuntimeCalls &runtime);

} // namespace uop

#endif // UOP_LIB_EMULATOR_BLOCKFUNCTION_H
