//===- LoopForm.h - From a gpu kernel to loop form --------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What counts and proves things of kernels in loop form is told of kernels of
// the gpu dialect, too, whoever made them, through a kernel in loop form that
// does the same.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_LOOPFORM_H
#define UOP_EMULATOR_LOOPFORM_H

#include "Uop/IR/Uop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <array>

namespace uop {

/// How a kernel of the gpu dialect is launched.
struct LaunchSizes {
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  int64_t dynamicSharedBytes = 0;
  int64_t warpSize = 32;
};

/// A module with one kernel, in loop form, that does what the launch does, with
/// the locations of the original: device functions are inlined, indices of
/// block and thread are ranges, attributions and private buffers are
/// allocations, barriers are `uop.barrier`. It is for analyses: operations that
/// loop form does not have, such as collectives, stay as they are, and it is
/// not verified. Fails with a diagnostic for what the emulator refuses as well
/// (recursion, control flow that cannot be structured), and for shared memory
/// of elements whose size is not known.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
raiseToLoopForm(mlir::gpu::GPUFuncOp kernel, const LaunchSizes &launch);

} // namespace uop

#endif // UOP_EMULATOR_LOOPFORM_H
