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
// An output axis of size s splits into blocks * upcast * local * vector, and a
// reduce axis into steps * (points of a step) * unroll * group. Where the
// amounts do not divide the axis it runs on beyond its end, under masks. Blocks
// and threads of any number of axes are folded onto three dimensions. A plan
// says how for every axis; it is made, and refused, before the kernel changes.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_MAPPING_H
#define UOP_TRANSFORMS_MAPPING_H

#include "Uop/Analysis/AccessStrides.h"
#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Transforms/Schedule.h"
#include <array>

namespace uop {

/// Is told, in one sentence, of each decision that a heuristic takes.
using ExplainFn = llvm::function_ref<void(const llvm::Twine &)>;

/// What a kernel is mapped to: the blocks and threads of a grid, or loops.
enum class MappingTarget { GPU, CPU };

/// What becomes of one output axis.
struct AxisPlan {
  /// The axis; of merged ranges the first.
  ScheduleAxis axis;
  /// The ranges that are merged to this axis, outermost first; else empty.
  llvm::SmallVector<RangeOp, 2> merged;
  /// The axis runs on to a multiple of this.
  int64_t padTo = 1;
  /// Whether an axis without points gets one, under masks: other stores, which
  /// lack it in their domains, run at its index 0.
  bool needsOnePoint = false;
  /// Threads per block, unrolled copies per thread, and adjacent elements per
  /// copy along the axis.
  int64_t local = 1;
  int64_t upcast = 1;
  int64_t vector = 1;
  /// Of these threads, those of one warp, where the plan has a warp tile.
  int64_t warp = 1;
  /// On a CPU: threads, and the points of an inner loop.
  int64_t thread = 1;
  int64_t tile = 1;

  /// Whether the axis is to be mapped: a range that is still `loop`.
  bool isOpen() const { return axis.isKind(AxisKind::Loop); }
  /// All amounts together, of which the padded extent is a multiple; on a GPU
  /// the points of the axis that one block has.
  int64_t getAmounts() const { return local * upcast * vector * thread * tile; }
  /// The extent with padding; nothing where the size is dynamic.
  std::optional<int64_t> getPaddedSize() const;
  /// Blocks along the axis; nothing where its size is dynamic. An axis that is
  /// mapped by hand has the blocks of its block range.
  std::optional<int64_t> getNumBlocks() const;
  /// Whether the axis has a block index: it needs more (or fewer) than one, or
  /// a number that is not known.
  bool hasBlocks() const { return getNumBlocks() != 1; }
};

/// What becomes of one reduce axis.
struct ReducePlan {
  ScheduleAxis axis;
  int64_t padTo = 1;
  int64_t unroll = 1;
  /// Threads of a block among which the points are divided: interleaved, or
  /// where `isGroupOutermost` in consecutive parts.
  int64_t group = 1;
  bool isGroupOutermost = false;
  /// The block dimension of these threads.
  std::optional<Dimension> groupDimension;
  /// The consecutive points of an iteration of the outermost loop over the
  /// axis, in which the other amounts are; 0 if there is no such loop.
  int64_t step = 0;

  std::optional<int64_t> getPaddedSize() const;
};

/// A load that is to be staged in shared memory.
struct StagePlan {
  LoadOp load;
  /// The tiles that are filled ahead, the one in use included.
  int64_t buffers = 1;
};

struct MappingPlan {
  MappingTarget target;
  UpcastLayout upcastLayout;
  llvm::SmallVector<AxisPlan> outputs;
  llvm::SmallVector<ReducePlan> reduces;
  llvm::SmallVector<StagePlan> stages;
  /// The output axes in the order in which they get dimensions: the last one
  /// that has blocks or threads is x.
  llvm::SmallVector<size_t> placement;
  /// The output axes whose blocks, or threads, are folded onto each dimension,
  /// outermost first.
  std::array<llvm::SmallVector<size_t>, 3> blockAxes, threadAxes;
  /// Where the blocks folded onto x are more than one dimension holds: into how
  /// many along y and z they are split.
  std::array<int64_t, 2> gridSplit = {1, 1};
  /// Whether the schedule says which threads a warp has. All threads are then
  /// folded onto x: the lanes of a warp in the order of `threadAxes[0]`, and
  /// the warps in the same order.
  bool hasWarpTile = false;
  /// What was decided beyond the opts, in sentences.
  llvm::SmallVector<std::string> decisions;

  /// Blocks of the grid; nothing where an axis is dynamic, or where there are
  /// more than 64 bits hold.
  std::optional<int64_t> getNumBlocks() const;
};

/// Whether a kernel in graph form is mapped, so that its schedule says what has
/// been done. A kernel without output axes is when a reduce axis is unrolled.
bool isAlreadyMapped(KernelOp kernel);

/// An error at a kernel that is mapped already, which says to give it to `who`
/// as it was before, or something else: to be continued with that.
mlir::InFlightDiagnostic refuseMapped(KernelOp kernel, llvm::StringRef who);

/// Plans a schedule for a kernel in graph form that is not mapped.
///
/// What the opts count is in the documentation of OptAttr; an amount of 1 does
/// nothing. MERGE comes first; the order of other opts does not matter, but for
/// SWAPs among themselves. GROUP and GROUPTOP may be given several times for an
/// axis: their amounts multiply.
///
/// Dimension x goes to the output axis along which most stores are contiguous
/// (of equals, the last), y to the last one before it in order, then z; axes
/// beyond that, and beyond the limits of a dimension, are folded onto one.
/// Dynamic axes are folded onto x, which alone is long enough for any size.
/// Threads of a group reduction take x, unless its loads are contiguous along a
/// local axis instead.
///
/// On a CPU there are no dimensions: axes that have threads share these, and
/// the loops are nested in the same order, tiles inside of the loops over them.
///
/// Fails, with an error at the kernel that names the opt, the axis and its
/// size, where an opt is not supported yet, is for the other target, counts an
/// axis that does not exist, contradicts another or cannot be applied, and
/// where a block has more threads than CUDA allows.
llvm::FailureOr<MappingPlan>
planMapping(KernelOp kernel, ScheduleAttr schedule,
            MappingTarget target = MappingTarget::GPU);

/// The same, but says nothing of what fails.
llvm::FailureOr<MappingPlan> tryMapping(KernelOp kernel, ScheduleAttr schedule,
                                        MappingTarget target);

/// Whether that succeeds.
bool canMap(KernelOp kernel, ScheduleAttr schedule, MappingTarget target);

/// Whether the schedule has an opt that is only for the other target.
bool isForOtherTarget(ScheduleAttr schedule, MappingTarget target);

/// The MERGE opts of a kernel: for each longest run of adjacent output axes
/// that are contiguous in every access.
llvm::SmallVector<OptAttr> findMerges(KernelOp kernel);

/// The SWAP opts that put the last axis last again, where the rule of
/// `planMapping` would give x to another one.
llvm::SmallVector<OptAttr> keepLastAxisLast(KernelOp kernel);

/// The number of the output axis along which most stores are contiguous; of
/// equals, and where none is, the last one that is open and longer than 1.
std::optional<size_t> findContiguousAxis(llvm::ArrayRef<AxisPlan> outputs,
                                         KernelOp kernel,
                                         AccessStrides &strides);

/// Plans a schedule and carries it out: merges, pads and splits the axes, gives
/// each range its hardware dimension, and stores the schedule on the kernel.
/// Element c of the upcast copies lies where the schedule's layout says. Stores
/// with a domain that was padded or folded become `unique`: that no element is
/// written twice was proved for the domain before. Tells of decisions that are
/// not in the opts. The kernel is unchanged where the plan fails.
llvm::LogicalResult applySchedule(
    mlir::RewriterBase &rewriter, KernelOp kernel, ScheduleAttr schedule,
    MappingTarget target = MappingTarget::GPU,
    ExplainFn explain = [](const llvm::Twine &) {});

/// The schedule of the simple heuristic (`heuristic=basic`): 2x upcast on each
/// axis of a reducing kernel that is even and at least 32; then threads on the
/// last axes first, the largest power of two that divides what upcast leaves,
/// at most 16 where several axes are larger than 1 (else 256), and at most 256
/// in all. Dynamic axes get neither.
ScheduleAttr chooseBasicSchedule(KernelOp kernel, UpcastLayout upcastLayout,
                                 ExplainFn explain);

/// The schedule for a target: contiguous axes merged; threads of a block reduce
/// together where a result is shared by several outputs, where few outputs
/// reduce many points, and along contiguous rows; else tiles for reductions,
/// and contiguous threads with wide, aligned accesses for what moves data; then
/// as many blocks as the target has multiprocessors, but no block of less than
/// a warp. Sizes that are dynamic are taken to be large. Explains each choice.
///
/// Fails, with an error at the kernel, where the kernel cannot be mapped at
/// all.
llvm::FailureOr<ScheduleAttr> chooseSchedule(KernelOp kernel,
                                             const GPUTarget &target,
                                             UpcastLayout upcastLayout,
                                             ExplainFn explain);

/// The schedule of a kernel that gains from tiles in shared memory: a
/// contraction (two operands, each of which varies with an output axis that the
/// other does not vary with), or a load that is contiguous along another axis
/// than the stores. Chooses the tile of a block, the part of it that a thread
/// keeps in registers, the steps of the reduction and what is staged, by the
/// multiprocessors and the shared memory of the target. Explains each choice.
/// Nothing for another kernel.
std::optional<ScheduleAttr> chooseTiledSchedule(KernelOp kernel,
                                                const GPUTarget &target,
                                                UpcastLayout upcastLayout,
                                                ExplainFn explain);

/// The schedule with WARP opts, where some other part of the tile of a block
/// than that of 32 threads in order makes fewer wavefronts in shared memory and
/// sectors in global memory, by more than its indices cost. Counted for the
/// first block, as `enumerateRequests` does, but from the graph form. Explains
/// the choice. The same schedule where there is nothing to choose: less than
/// two axes have threads, a block is one warp, or threads reduce together.
ScheduleAttr chooseWarpTile(KernelOp kernel, ScheduleAttr schedule,
                            ExplainFn explain);

/// The KSTEP and STAGE opts for a kernel that is mapped already: the loads
/// whose elements a block reads at least twice, as many steps at a time as fit.
/// Explains each choice. None where there are no such loads.
llvm::SmallVector<OptAttr>
chooseStages(KernelOp kernel, const GPUTarget &target, ExplainFn explain);

/// What became of the opts of stageMapped.
struct MappedStages {
  /// The tiles that were made.
  llvm::SmallVector<StageOp> stages;
  /// The loops over steps and what is inside of them, by KSTEP.
  llvm::SmallVector<SplitRanges> steps;
};

/// Carries out KSTEP and STAGE opts on a mapped kernel, and adds them to its
/// schedule. They count the reduce ranges and the loads that the kernel has
/// now. Fails, with an error, where one of them does not apply.
llvm::FailureOr<MappedStages> stageMapped(mlir::RewriterBase &rewriter,
                                          KernelOp kernel,
                                          llvm::ArrayRef<OptAttr> opts);

/// The schedule for the threads of a CPU: these on the outermost axis, and for
/// reductions whose outputs share loads a tile of outputs at a time, of which
/// those along the contiguous axis fill a vector. Amounts divide the axes where
/// that is possible. Explains each choice.
llvm::FailureOr<ScheduleAttr>
chooseCPUSchedule(KernelOp kernel, int64_t threads, ExplainFn explain);

/// Trades work per block for blocks until the grid has `minBlocks`: gives up
/// the upcast of one axis after the other, first axis first, then what is
/// vectorized, then halves the largest local (the first of equals; an odd one
/// is given up) while a block keeps `minThreads`; WARP opts are given up with
/// the first of these. Explains each step, and where nothing is left to give
/// up.
///
/// Fails, with an error at the kernel, where the schedule cannot be planned or
/// the number of blocks is not static.
llvm::FailureOr<ScheduleAttr> fillMachine(KernelOp kernel,
                                          ScheduleAttr schedule,
                                          int64_t minBlocks, ExplainFn explain,
                                          int64_t minThreads = 1);

} // namespace uop

#endif // UOP_TRANSFORMS_MAPPING_H
