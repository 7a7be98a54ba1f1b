//===- InstrumentCounts.h - A kernel that tells what it asks for *- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counted mode: before a kernel is cut at its barriers, every access of global
// and shared memory gets a call that reports where it is in its buffer, and
// every loop and branch calls that say which iteration of what a thread is in
// (CountSession.h). Nothing else changes: an access is made whatever its
// address, and threads that disagree at a barrier end the run.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_COUNTED_INSTRUMENTCOUNTS_H
#define UOP_LIB_EMULATOR_COUNTED_INSTRUMENTCOUNTS_H

#include "../Checked/SiteTable.h"
#include "../RuntimeCalls.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace uop {

/// Instruments a kernel as instrumentKernel does. Returns what the code refers
/// to: the places of the table are the branches.
mlir::FailureOr<SiteTable>
instrumentCounts(mlir::gpu::GPUFuncOp kernel,
                 llvm::ArrayRef<std::optional<int64_t>> blockSize,
                 int64_t subgroupSize, RuntimeCalls &runtime);

} // namespace uop

#endif // UOP_LIB_EMULATOR_COUNTED_INSTRUMENTCOUNTS_H
