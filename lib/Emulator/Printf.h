//===- Printf.h - gpu.printf on the CPU -------------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpu.printf becomes a call of the C library's printf. Each argument is brought
// to the type that its conversion in the format names, so that a format that
// does not fit its arguments is an error and no accident.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_PRINTF_H
#define UOP_LIB_EMULATOR_PRINTF_H

#include "RuntimeCalls.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace uop {

/// Fails with a located error for a format that does not fit the arguments.
mlir::LogicalResult checkPrintf(mlir::gpu::PrintfOp op);

/// Replaces all gpu.printf of a kernel that have passed the check.
void lowerPrintf(mlir::gpu::GPUFuncOp kernel, RuntimeCalls &runtime);

} // namespace uop

#endif // UOP_LIB_EMULATOR_PRINTF_H
