//===- UopToGPU.h - The parts of --convert-uop-to-gpu -----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the conversion.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_CONVERSION_UOPTOGPU_UOPTOGPU_H
#define UOP_LIB_CONVERSION_UOPTOGPU_UOPTOGPU_H

#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Conversion/KernelParameters.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace uop {

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

/// Threads or blocks along x, y, z.
using Extents = std::array<int64_t, 3>;

/// The launch of a kernel in loop form, whose grid the host computes.
struct KernelLaunch : LaunchShape {
  /// The ops of the kernel's block that compute the dynamic extents of the
  /// grid, in program order; they depend on arguments and constants only.
  llvm::SetVector<mlir::Operation *> gridOps;
  /// Those of them whose result 64 bits are proved to hold.
  llvm::DenseSet<mlir::Operation *> exactOps;
  /// The most blocks that a dynamic extent can come to; at first the limits of
  /// a launch.
  Extents gridBounds = {kMaxGridSize[0], kMaxGridSize[1], kMaxGridSize[2]};

  bool isDynamic(unsigned dim) const {
    return mlir::ShapedType::isDynamic(grid[dim]);
  }
  /// The value of a dynamic extent in the kernel.
  mlir::Value getDynamicExtent(unsigned dim) const {
    return RangeOp(gridRanges[dim].front()).getExtent();
  }
  /// Whether the grid is known to have no blocks.
  bool isEmpty() const;
};

/// The threads along x, y, z that execute a block of a kernel or phase: the
/// extents of its own thread ranges, 1 where it has none.
Extents getThreadExtents(mlir::Block &block);

/// The launch of a kernel in loop form. Emits an error for a CPU axis, for an
/// extent that the host cannot compute, and for a launch too large.
mlir::FailureOr<KernelLaunch> getKernelLaunch(KernelOp kernel);

/// Sets `exactOps` and `gridBounds` by what is known of the kernels' arguments.
mlir::LogicalResult boundGrids(mlir::ModuleOp module,
                               llvm::MutableArrayRef<KernelLaunch> launches);

/// The grid on the host, in the order x, y, z.
struct HostGrid {
  /// Modulo 2^64, where they are dynamic.
  std::array<mlir::Value, 3> extents;
  /// Whether each is what the kernel means by it; null where it always is.
  std::array<mlir::Value, 3> areExact;
};

/// Computes the grid with the kernel's own arithmetic on the host's arguments;
/// `parameters` are those of the device for each of them. Stops the program
/// before a division that is undefined.
HostGrid
buildHostGrid(mlir::ImplicitLocOpBuilder &builder, KernelOp kernel,
              const KernelLaunch &launch, mlir::ValueRange arguments,
              llvm::ArrayRef<llvm::SmallVector<mlir::Value>> parameters);

/// Whether there is a block to launch, or a number of them that is not exact;
/// null where the grid is static.
mlir::Value buildHasBlocks(mlir::ImplicitLocOpBuilder &builder,
                           const KernelLaunch &launch, const HostGrid &grid);

/// Stops the program where the grid has more blocks than a launch can, or than
/// 64 bits hold: the driver would take their number modulo 2^32.
void buildGridLimits(mlir::ImplicitLocOpBuilder &builder, KernelOp kernel,
                     const KernelLaunch &launch, const HostGrid &grid);

/// The extent of a range, where it is a literal or a constant.
inline std::optional<int64_t> getConstantExtent(RangeOp range) {
  return mlir::getConstantIntValue(range.getMixedExtent());
}

//===----------------------------------------------------------------------===//
// The device function
//===----------------------------------------------------------------------===//

/// The dynamic shared memory in bytes that the launch of a kernel asks for: all
/// of its shared memory where that is more than can be static, else none.
int64_t getDynamicSharedBytes(KernelOp kernel);

/// Refuses what `buildDeviceFunction` cannot express, with an error.
mlir::LogicalResult checkKernel(KernelOp kernel, const KernelLaunch &launch);

/// Attributes of the parameters for a lowering to bare pointers: noalias,
/// readonly and the known alignment of memrefs, and what the kernel's own
/// arguments carry.
llvm::SmallVector<mlir::DictionaryAttr>
getDeviceArgumentAttrs(KernelOp kernel,
                       llvm::ArrayRef<KernelParameter> parameters);

/// Moves the body of a checked kernel to a new gpu.func at the insertion
/// point, and lowers its uop ops other than divisions. The kernel is left
/// without a body, to be erased.
mlir::gpu::GPUFuncOp buildDeviceFunction(KernelOp kernel,
                                         const KernelLaunch &launch,
                                         mlir::OpBuilder &builder);

//===----------------------------------------------------------------------===//
// Memrefs of dynamic shape or layout
//===----------------------------------------------------------------------===//

/// The parameters of the device function for such an argument, on the host.
llvm::SmallVector<mlir::Value> takeApart(mlir::ImplicitLocOpBuilder &builder,
                                         mlir::Value memref);

/// The memref on the device that is made of the parameters for it.
mlir::Value putTogether(mlir::ImplicitLocOpBuilder &builder,
                        mlir::MemRefType type, mlir::ValueRange parts);

/// The sizes of the memref that has these parameters.
llvm::SmallVector<mlir::OpFoldResult> getSizes(mlir::MemRefType type,
                                               mlir::ValueRange parts);

/// Number `index` of the sizes; null if there is none.
mlir::Value buildDimension(mlir::ImplicitLocOpBuilder &builder,
                           mlir::Value index,
                           llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace uop

#endif // UOP_LIB_CONVERSION_UOPTOGPU_UOPTOGPU_H
