//===- GPUMapping.h - Kernels mapped as asked for ---------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What --uop-gpu-map and --uop-place-shared do to one kernel: they take its
// opts from a request, from its attribute, or from a heuristic. The passes and
// transform.uop.auto_map call these functions.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_GPUMAPPING_H
#define UOP_TRANSFORMS_GPUMAPPING_H

#include "Uop/Transforms/Mapping.h"

namespace uop {

/// What is asked for. The options of the passes have the same names, and say
/// more.
struct GPUMapRequest {
  /// Who asks, for messages: the name of a pass or an op.
  llvm::StringRef who;
  llvm::SmallVector<OptAttr> opts;
  /// `default`, `basic`, `none`, or empty where the attribute counts.
  std::string heuristic;
  bool mergeAxes = false;
  std::optional<UpcastLayout> layout;
  const GPUTarget *target = nullptr;
  int64_t minBlocks = 0;

  bool hasStages() const {
    return llvm::any_of(
        opts, [](OptAttr opt) { return opt.getKind() == OptKind::Stage; });
  }
  /// Whether nothing is asked for, so that a mapped kernel is left alone.
  bool isEmpty() const {
    return opts.empty() && heuristic == "" && !layout && minBlocks == 0 &&
           !mergeAxes;
  }
};

/// The same, with tiles in shared memory.
struct PlaceSharedRequest : GPUMapRequest {
  /// The tiles of each stage; 0 for what the opts say.
  int64_t buffers = 0;
  /// How the rows of all tiles lie; null for what is best.
  TileLayoutAttr tileLayout;
  /// The bytes to whose multiples arguments are taken to be aligned where they
  /// do not say and tiles are made; 0 for nothing.
  int64_t assumeAligned = 16;
};

/// Maps a kernel in graph form to blocks and threads. Whether it was mapped:
/// one that is already stays as it is if nothing is asked for. Fails, with an
/// error, as `applySchedule` does, and for a mapped kernel of which something
/// is asked.
llvm::FailureOr<bool> mapToGPU(mlir::RewriterBase &rewriter, KernelOp kernel,
                               const GPUMapRequest &request, ExplainFn explain);

/// What placeShared has done.
struct PlacedShared {
  bool isMapped = false;
  size_t numStages = 0;
};

/// The same, and puts what a block reads several times into tiles of shared
/// memory, also for a kernel that is mapped already.
llvm::FailureOr<PlacedShared> placeShared(mlir::RewriterBase &rewriter,
                                          KernelOp kernel,
                                          const PlaceSharedRequest &request,
                                          ExplainFn explain);

} // namespace uop

#endif // UOP_TRANSFORMS_GPUMAPPING_H
