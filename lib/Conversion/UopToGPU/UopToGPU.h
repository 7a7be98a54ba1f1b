//===- UopToGPU.h - The parts of --convert-uop-to-gpu -----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the conversion. In the order of use: the shape of a launch, what
// the device supports, the floor divisions, the device function.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_CONVERSION_UOPTOGPU_UOPTOGPU_H
#define UOP_LIB_CONVERSION_UOPTOGPU_UOPTOGPU_H

#include "Uop/IR/Uop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SetVector.h"

namespace uop {

//===----------------------------------------------------------------------===//
// The shape of a launch
//===----------------------------------------------------------------------===//

/// Threads or blocks along x, y, z.
using Extents = std::array<int64_t, 3>;

/// How many blocks of how many threads execute a kernel.
struct LaunchShape {
  Extents block = {1, 1, 1};
  /// An index attribute where static, else a value of the kernel.
  std::array<mlir::OpFoldResult, 3> grid;
  /// The ops of the kernel's block that compute the dynamic extents of the
  /// grid, in program order; they depend on arguments and constants only.
  llvm::SetVector<mlir::Operation *> gridOps;

  /// The grid, where no extent is dynamic.
  std::optional<Extents> getStaticGrid() const;
};

/// The extent of a range that is a literal or a constant.
std::optional<int64_t> getStaticExtent(RangeOp range);

/// The threads along x, y, z that execute a block of a kernel or phase: the
/// extents of its own thread ranges, 1 where it has none.
Extents getThreadExtents(mlir::Block &block);

/// The launch shape of a kernel in loop form. Emits an error for a CPU axis,
/// for an extent that the host cannot compute, and for a block too large.
mlir::FailureOr<LaunchShape> getLaunchShape(KernelOp kernel);

//===----------------------------------------------------------------------===//
// The device function
//===----------------------------------------------------------------------===//

/// The static shared memory that a kernel may have (CUDA C++ Programming
/// Guide, "Compute Capabilities"): more has to be asked for at launch.
inline constexpr int64_t kMaxStaticSharedBytes = 48 * 1024;

/// The alignment of an allocation in bytes: what it asks for, else 16 where
/// its size is a multiple of that, so that wide accesses are possible, else
/// that of its elements.
int64_t getAlignment(AllocOp alloc);

/// Refuses what `buildDeviceFunction` cannot express, with an error.
mlir::LogicalResult checkKernel(KernelOp kernel, const LaunchShape &shape);

/// Attributes of the arguments for a lowering to bare pointers: noalias,
/// readonly and the known alignment of memrefs, and what the kernel's own
/// arguments carry.
llvm::SmallVector<mlir::DictionaryAttr> getDeviceArgumentAttrs(KernelOp kernel);

/// Moves the body of a checked kernel to a new gpu.func at the insertion
/// point, and lowers its uop ops other than divisions. The kernel is left
/// without a body, to be erased.
mlir::gpu::GPUFuncOp buildDeviceFunction(KernelOp kernel,
                                         const LaunchShape &shape,
                                         mlir::OpBuilder &builder);

//===----------------------------------------------------------------------===//
// Floor division
//===----------------------------------------------------------------------===//

/// Replaces every uop.floordiv and uop.floormod under the op by arith ops of
/// the same meaning for numbers of either sign; unsigned ones where integer
/// ranges prove that numerator and divisor are not negative. Runs while
/// uop.range is still there to say how large its values are.
mlir::LogicalResult lowerFloorDivisions(mlir::Operation *root);

} // namespace uop

#endif // UOP_LIB_CONVERSION_UOPTOGPU_UOPTOGPU_H
