//===- Mapping.h - From opts to a mapped kernel -----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The opts of a schedule, and how they are chosen. Pass options, heuristics and
// the attribute of a kernel all go through these functions.
//
// An output axis of size s splits into blocks * local * upcast. A plan says how
// for every axis; it is made, and refused, before the kernel changes.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_MAPPING_H
#define UOP_TRANSFORMS_MAPPING_H

#include "Uop/Transforms/Schedule.h"

namespace uop {

/// Is told, in one sentence, of each decision that a heuristic takes.
using ExplainFn = llvm::function_ref<void(const llvm::Twine &)>;

/// What becomes of one output axis.
struct AxisPlan {
  ScheduleAxis axis;
  /// Threads per block and unrolled copies per thread along the axis.
  int64_t local = 1;
  int64_t upcast = 1;
  /// The grid and block dimension, where the axis has blocks or threads.
  std::optional<Dimension> blockDimension, threadDimension;

  /// Whether the axis is to be mapped: a range that is still `loop`.
  bool isOpen() const { return axis.isKind(AxisKind::Loop); }
  /// Blocks along the axis; nothing where its size is dynamic. An axis that is
  /// mapped by hand has the blocks of its block range.
  std::optional<int64_t> getNumBlocks() const {
    if (!isOpen() && !axis.isKind(AxisKind::Global))
      return 1;
    if (!axis.size)
      return std::nullopt;
    return *axis.size / local / upcast;
  }
  /// Whether the axis has a block index: it needs more (or fewer) than one, or
  /// a number that is not known.
  bool hasBlocks() const { return getNumBlocks() != 1; }
};

/// What becomes of one reduce axis.
struct ReducePlan {
  ScheduleAxis axis;
  int64_t unroll = 1;
};

struct MappingPlan {
  UpcastLayout upcastLayout;
  llvm::SmallVector<AxisPlan> outputs;
  llvm::SmallVector<ReducePlan> reduces;

  /// Blocks of the grid; nothing where an axis is dynamic, or where there are
  /// more than 64 bits hold.
  std::optional<int64_t> getNumBlocks() const;
};

/// Whether a kernel in graph form is mapped, so that its schedule says what has
/// been done. A kernel without output axes is when a reduce axis is unrolled.
bool isAlreadyMapped(KernelOp kernel);

/// Plans a schedule for a kernel in graph form that is not mapped.
///
/// LOCAL and UPCAST count the output axes, UNROLL the reduce axes; an amount of
/// 1 does nothing; their order does not matter. The last axis that has blocks
/// or threads gets dimension x, the one before y, then z.
///
/// Fails, with an error at the kernel that names the opt, the axis and its
/// size, where an opt is not supported yet, counts an axis that does not exist,
/// is given twice, does not divide the axis or needs the size of a dynamic one;
/// and where the launch would exceed three dimensions or CUDA's limits.
llvm::FailureOr<MappingPlan> planMapping(KernelOp kernel,
                                         ScheduleAttr schedule);

/// Plans a schedule and carries it out: splits the axes, gives each range its
/// hardware dimension, and stores the schedule on the kernel. Element c of the
/// upcast copies lies where the schedule's layout says. The kernel is unchanged
/// where the plan fails.
llvm::LogicalResult applySchedule(mlir::RewriterBase &rewriter, KernelOp kernel,
                                  ScheduleAttr schedule);

/// The schedule of the simple heuristic (`heuristic=basic`): 2x upcast on each
/// axis of a reducing kernel that is even and at least 32; then threads on the
/// last axes first, the largest power of two that divides what upcast leaves,
/// at most 16 where several axes are larger than 1 (else 256), and at most 256
/// in all. Dynamic axes get neither.
ScheduleAttr chooseBasicSchedule(KernelOp kernel, UpcastLayout upcastLayout,
                                 ExplainFn explain);

/// Trades work per block for blocks until the grid has `minBlocks`: gives up
/// the upcast of one axis after the other, first axis first, then halves the
/// largest local (the first of equals; an odd one is given up). Explains each
/// step, and where nothing is left to give up.
///
/// Fails, with an error at the kernel, where the schedule cannot be planned or
/// the number of blocks is not static.
llvm::FailureOr<ScheduleAttr> fillMachine(KernelOp kernel,
                                          ScheduleAttr schedule,
                                          int64_t minBlocks, ExplainFn explain);

} // namespace uop

#endif // UOP_TRANSFORMS_MAPPING_H
