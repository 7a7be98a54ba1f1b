//===- LaunchLimits.h - What a launch may ask for ---------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The limits of a launch hold before any of it runs: those of its constants
// are errors of the compilation, those of its other values end the run with a
// message and status 1. A grid or a block without threads is an error, as it
// is for the driver. A grid within the limits has fewer than 2^63 blocks, so
// that nothing that counts them in 64 bits wraps.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_LAUNCHLIMITS_H
#define UOP_LIB_EMULATOR_LAUNCHLIMITS_H

#include "RuntimeCalls.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace uop {

/// The blocks of a cluster that every chip with clusters can run at one time.
inline constexpr int64_t kMaxBlocksPerCluster = 8;

/// What is constant of a launch, (x, y, z) each.
struct LaunchShape {
  llvm::SmallVector<std::optional<int64_t>, 3> grid, block;
  /// Blocks in a cluster: one where neither launch nor kernel speaks of it.
  llvm::SmallVector<std::optional<int64_t>, 3> cluster;
  bool hasConstantCluster() const {
    return llvm::all_of(
        cluster, [](std::optional<int64_t> size) { return size.has_value(); });
  }
  /// Of dynamic shared memory.
  std::optional<int64_t> dynamicBytes;
};

/// The values of a launch as indices: constants where they are known, and 0
/// for no dynamic shared memory.
struct LaunchValues {
  llvm::SmallVector<mlir::Value, 3> grid, block, cluster;
  mlir::Value dynamicBytes;
};

LaunchValues getLaunchValues(mlir::ImplicitLocOpBuilder &b,
                             mlir::gpu::LaunchFuncOp op,
                             const LaunchShape &shape);

class LaunchLimits {
public:
  LaunchLimits(llvm::StringRef chip, RuntimeCalls &runtime)
      : chip(chip), runtime(runtime) {}

  /// The shape of a launch, with the size of the block that the kernel states.
  /// Refuses what is beyond the limits of all devices, of the chip, or other
  /// than what the kernel is made for.
  mlir::FailureOr<LaunchShape> check(mlir::gpu::LaunchFuncOp op,
                                     mlir::gpu::GPUFuncOp kernel);

  /// Emits, before the launch, the checks of what is not constant.
  void checkAtRunTime(mlir::ImplicitLocOpBuilder &b, mlir::gpu::LaunchFuncOp op,
                      mlir::gpu::GPUFuncOp kernel, const LaunchValues &values);

private:
  void checkClustersAtRunTime(mlir::ImplicitLocOpBuilder &b,
                              mlir::gpu::LaunchFuncOp op,
                              mlir::gpu::GPUFuncOp kernel,
                              const LaunchValues &values,
                              llvm::StringRef where);

  llvm::StringRef chip;
  RuntimeCalls &runtime;
  // Shared by all launches, and by all with clusters.
  mlir::func::FuncOp checkFunction, checkClustersFunction;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_LAUNCHLIMITS_H
