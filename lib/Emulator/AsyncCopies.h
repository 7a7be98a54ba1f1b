//===- AsyncCopies.h - Copies that are made when they are waited for ------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvgpu.device_async_copy on the emulator. The source is read when the copy is
// issued; the shared memory is written when the thread waits for the group of
// the copy, the latest time at which a device may do so. What a kernel reads
// before is what was there: it shows that a wait is missing, or waits for too
// few groups. What is never waited for is dropped when the thread ends.
//
// Groups are those of PTX: one has all copies that the thread has issued since
// the one before, and a wait leaves the newest ones. Tokens mean nothing.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_ASYNCCOPIES_H
#define UOP_LIB_EMULATOR_ASYNCCOPIES_H

#include "RuntimeCalls.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace uop {

/// Reports an error for a copy, a group or a wait that the emulator, or a
/// device, cannot do.
mlir::LogicalResult checkAsyncCopy(mlir::Operation *op);

/// Replaces the copies, groups and waits of a normalised kernel by calls that
/// keep a queue in the memory of each thread.
void lowerAsyncCopies(mlir::gpu::GPUFuncOp kernel, RuntimeCalls &runtime);

} // namespace uop

#endif // UOP_LIB_EMULATOR_ASYNCCOPIES_H
