//===- LaunchShape.h - The grid and the block of a kernel -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a kernel is launched follows from its hardware ranges alone, and its
// shared memory from its allocations. Everyone who launches, prints or counts
// asks here.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_LAUNCHSHAPE_H
#define UOP_ANALYSIS_LAUNCHSHAPE_H

#include "Uop/IR/Uop.h"
#include <array>

namespace uop {

/// The blocks of a grid and the threads of a block, in the order x, y, z.
struct LaunchShape {
  /// Blocks: the largest extent of the block ranges of the dimension, 1 without
  /// one; `ShapedType::kDynamic` where one of them has a dynamic extent.
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// Threads: the largest extent of the thread ranges of the dimension, 1
  /// without one; with a `warp` range x is made a multiple of a warp, and with
  /// a `group_reduce<x>` range what `getShuffleRowSize` says.
  std::array<int64_t, 3> block = {1, 1, 1};
  /// The block ranges of each dimension: what a host computes a dynamic grid
  /// from, as the largest of their extents.
  std::array<llvm::SmallVector<RangeOp, 1>, 3> gridRanges;

  /// Blocks in all; nothing where the grid is dynamic, or exceeds 64 bits.
  std::optional<int64_t> getNumBlocks() const;
  /// Threads of one block.
  int64_t getNumThreadsPerBlock() const {
    return block[0] * block[1] * block[2];
  }
  /// Warps of one block: threads are packed in the order x + bx*(y + by*z).
  int64_t getNumWarpsPerBlock(int64_t warpSize = kWarpSize) const {
    return (getNumThreadsPerBlock() + warpSize - 1) / warpSize;
  }
  /// The share of the lanes of these warps that are threads, in (0, 1].
  double getUsefulLaneShare(int64_t warpSize = kWarpSize) const {
    return double(getNumThreadsPerBlock()) /
           double(getNumWarpsPerBlock(warpSize) * warpSize);
  }
};

/// The extent of a range where it is a literal or a constant.
std::optional<int64_t> getStaticExtent(RangeOp range);

/// The launch of a kernel in loop form, or in graph form once it is mapped
/// (before, its output ranges count for nothing).
LaunchShape computeLaunchShape(KernelOp kernel);

/// Whether an allocation is shared memory of the block.
bool isWorkgroup(AllocOp alloc);

/// The size of an allocation in bytes; an element has a power of two of them.
int64_t getBytes(AllocOp alloc);

/// The alignment of an allocation in bytes: what it asks for, else 16 where
/// its size is a multiple of that, so that wide accesses are possible, else
/// that of its elements.
int64_t getAlignment(AllocOp alloc);

/// The terminator that hands a memref, or a view of it, out of the region in
/// which it is used; null if there is none. Private memory, which each
/// iteration of a loop uses again, must not leave it.
mlir::Operation *findEscape(mlir::Value memref);

/// The shared memory of a block in bytes: the workgroup allocations of a kernel
/// in loop form, one after another.
int64_t getSharedBytes(KernelOp kernel);

} // namespace uop

#endif // UOP_ANALYSIS_LAUNCHSHAPE_H
