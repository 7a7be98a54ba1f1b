//===- SplitReductions.h - One reduction in two kernels ---------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel with few outputs has few blocks, however long it reduces. Where its
// reduction is divided into parts ("split-K"), one kernel reduces each part by
// itself, into a workspace, and a second one combines the partial results and
// does all the rest. The order of both is fixed, so results are the same in
// every run; those of floating-point sums are rounded differently from the sum
// in one piece.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_SPLITREDUCTIONS_H
#define UOP_TRANSFORMS_SPLITREDUCTIONS_H

#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Transforms/Mapping.h"

namespace uop {

/// What a kernel was divided into.
struct SplitKernels {
  KernelOp partial, combine;
  /// The arguments of the original kernel that each of them still has, by
  /// number; the workspaces follow.
  llvm::SmallVector<unsigned> partialArguments, combineArguments;
  /// One for each result of each reduction: parts x the extents of the ranges
  /// in which the result is free.
  llvm::SmallVector<mlir::MemRefType> workspaces;
};

/// Divides a reduce axis of a kernel in graph form into parts of consecutive
/// points, of as many as are a whole number of sectors where the parts are long
/// enough. All reductions that close the axis are divided. The two kernels are
/// put before the kernel, which stays as it is.
///
/// `schedule` has opts that count the axes and loads of `kernel`, or is null;
/// the first kernel gets those that are left.
///
/// Fails, with an error at the kernel, where the axis does not exist, is mapped
/// or has fewer points than there are parts; where a combiner would take the
/// points in another order; where the partial results vary along a dynamic
/// range; where the kernel has stages; and where an opt counts what the first
/// kernel has not.
llvm::FailureOr<SplitKernels> splitReduction(mlir::RewriterBase &rewriter,
                                             KernelOp kernel, int64_t axis,
                                             int64_t parts,
                                             ScheduleAttr schedule);

/// The SPLITK opt of a kernel that has fewer blocks than the target has
/// multiprocessors, and takes less time in two kernels, by the model of
/// `chooseTiledSchedule`. Explains the choice. Nothing for another kernel.
std::optional<OptAttr> chooseSplit(KernelOp kernel, const GPUTarget &target,
                                   ExplainFn explain);

} // namespace uop

#endif // UOP_TRANSFORMS_SPLITREDUCTIONS_H
