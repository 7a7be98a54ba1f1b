//===- Clusters.h - Clusters of blocks --------------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid of clusters is a grid of blocks with names: which cluster a block is
// in, and where. What blocks of one cluster can do together (barriers of the
// cluster, each other's shared memory) needs the hardware, and is refused where
// ops are. Without clusters in its launch a block is a cluster.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CLUSTERS_H
#define UOP_LIB_EMULATOR_CLUSTERS_H

#include "LaunchLimits.h"

namespace uop {

/// The arguments of the body of a gpu.launch that are the size of a cluster
/// become gpu.cluster_dim_blocks. Upstream's outlining takes them for
/// gpu.cluster_dim, the number of clusters.
void replaceClusterSizes(mlir::gpu::LaunchOp launch);

/// The size of a cluster along x, y and z as values of the kernel: constants,
/// or three more arguments of the kernel, the last.
llvm::SmallVector<mlir::Value, 3>
createClusterSizes(mlir::gpu::GPUFuncOp kernel, const LaunchShape &shape);

/// Rewrites the ids and sizes of clusters to those of blocks.
void lowerClusterIds(mlir::gpu::GPUFuncOp kernel, mlir::ValueRange sizes);

} // namespace uop

#endif // UOP_LIB_EMULATOR_CLUSTERS_H
