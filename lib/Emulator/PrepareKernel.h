//===- PrepareKernel.h - One body of structured control flow ----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is done to the copy of a kernel before the emulator looks at it: device
// functions are inlined, and control flow is brought into the few forms that
// can be split at barriers. Everything here fails with a located error.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_PREPAREKERNEL_H
#define UOP_LIB_EMULATOR_PREPAREKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace uop {

/// Inlines all calls. Functions of CUDA's libdevice that have an equal in the
/// math dialect become that; recursion, and other functions without a body, are
/// refused.
mlir::LogicalResult inlineCalls(mlir::gpu::GPUFuncOp kernel);

/// Makes the memory that a launch gives one more buffer of the block. Where its
/// size is not constant it is one more argument of the kernel, the last.
mlir::LogicalResult addDynamicMemory(mlir::gpu::GPUFuncOp kernel,
                                     std::optional<int64_t> bytes);

/// Brings the body of the kernel into one block. Where threads may leave by an
/// early return while others go on to a stop, that is marked by an exit (see
/// KernelAnalysis.h). Ops that hold a stop become scf.for, scf.if or scf.while
/// where upstream has a way to it; with `showsLoops` so do all ops that are or
/// may hold a loop in another form.
mlir::LogicalResult structureControlFlow(mlir::gpu::GPUFuncOp kernel,
                                         bool showsLoops);

/// Brings the region, of a kernel or of a function that it calls, into one
/// block.
mlir::LogicalResult liftControlFlow(mlir::Region &region);

/// Rewrites ops of the gpu and nvvm dialects that are others in disguise
/// (rotations, broadcasts, warp votes, special registers, ...), and checks at
/// run time that the width of a shuffle is one.
mlir::LogicalResult lowerDeviceOps(mlir::gpu::GPUFuncOp kernel,
                                   int64_t subgroupSize);

} // namespace uop

#endif // UOP_LIB_EMULATOR_PREPAREKERNEL_H
