//===- MappingPlan.h - Between the rooms of mapping -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the mapping.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_TRANSFORMS_MAPPINGPLAN_H
#define UOP_LIB_TRANSFORMS_MAPPINGPLAN_H

#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Transforms/Mapping.h"
#include "Uop/Transforms/Staging.h"

namespace uop {

/// An error at the kernel that says it cannot be mapped, to be continued.
mlir::InFlightDiagnostic refuseMapping(KernelOp kernel);

/// The ranges of an axis of a plan.
llvm::ArrayRef<RangeOp> getPlannedRanges(const AxisPlan &output);

/// Whether outputs along the axis share a load.
bool sharesLoads(KernelOp kernel, const AxisPlan &output,
                 FreeRanges &freeRanges);

/// Whether one op is free in a range of both lists, or closes it: then threads
/// along both are not the same. That is most often a reduction, but may be an
/// op without users.
bool areTogether(KernelOp kernel, llvm::ArrayRef<RangeOp> first,
                 llvm::ArrayRef<RangeOp> second, FreeRanges &freeRanges);

/// "0, 1 and 2".
std::string describeList(llvm::ArrayRef<std::string> items);

/// Gives the blocks and threads of a plan their dimensions, folding where there
/// are more axes than dimensions or more blocks than one of them holds. Fails,
/// with an error, where a block would have too many threads, or what is mapped
/// by hand leaves too few dimensions.
llvm::LogicalResult assignDimensions(KernelOp kernel, MappingPlan &plan,
                                     AccessStrides &strides);

/// Checks the WARP opts of a plan, and folds its threads onto x as they say.
/// Fails, with an error, where they are no part of the block, or not 32 threads
/// together.
llvm::LogicalResult assignWarpTile(KernelOp kernel, MappingPlan &plan);

/// How much of each range one tile of shared memory has: what a block has in
/// one iteration of the loops around the filling of its tiles. These are the
/// outermost loops of reduce axes with a step, and what is around them.
class TilePoints {
public:
  /// Of a kernel that is to be mapped as planned.
  TilePoints(KernelOp kernel, const MappingPlan &plan);
  /// Of a mapped kernel: `getStep` says how much of a reduce range one
  /// iteration of such a loop has, all of it for the others.
  TilePoints(KernelOp kernel, llvm::function_ref<int64_t(RangeOp)> getStep);

  /// As TilePointsFn says.
  int64_t operator()(RangeOp range) const { return points.lookup(range); }

private:
  void addAxes(KernelOp kernel);
  void addReductions(KernelOp kernel,
                     llvm::function_ref<int64_t(RangeOp)> getStep);

  llvm::DenseMap<mlir::Operation *, int64_t> points;
};

/// Finds the tile of a load, or why there is none, as planTile does.
llvm::FailureOr<TilePlan> findTile(KernelOp kernel, LoadOp load,
                                   const TilePoints &points,
                                   FreeRanges &freeRanges, std::string &reason);

/// The same, but fails with an error that begins with `what`.
llvm::FailureOr<TilePlan> planStage(KernelOp kernel, LoadOp load,
                                    const TilePoints &points,
                                    FreeRanges &freeRanges,
                                    const llvm::Twine &what);

/// The points of a step of a reduce axis: about as many as wanted, a multiple
/// of `parts`, and if that can be had for half as many to twice as many, a
/// divisor of the size, since a step that divides the axis needs no masks.
int64_t chooseStep(std::optional<int64_t> size, int64_t wanted, int64_t parts);

/// What a heuristic takes a dynamic size for.
inline constexpr int64_t kDynamicSize = 4096;
/// The products that a multiprocessor computes in the time in which it loads an
/// element: a tile of 16 x 16 outputs loads as long as it computes twice.
inline constexpr double kLoadWeight = 16;
/// The bytes of a row that one step of a reduction has: two sectors.
inline constexpr int64_t kStepBytes = 64;

/// A schedule with tiles, and the time that it takes for each point of the
/// reductions, in products of one multiprocessor.
struct TiledSchedule {
  ScheduleAttr schedule;
  double timePerPoint = 0;
};

/// What chooseTiledSchedule chooses.
std::optional<TiledSchedule> findTiledSchedule(KernelOp kernel,
                                               const GPUTarget &target,
                                               UpcastLayout upcastLayout,
                                               ExplainFn explain);

/// The STAGE opts that are being chosen, and why.
struct StageChoice {
  StageChoice(KernelOp kernel, int64_t buffers)
      : kernel(kernel), buffers(buffers) {}

  /// Takes a load if a block, which has `reads` of it, reads each element of
  /// its tile at least twice.
  bool consider(size_t number, const TilePlan &tile, double reads);

  KernelOp kernel;
  int64_t buffers;
  llvm::SmallVector<OptAttr> opts;
  llvm::SmallVector<std::string> reasons;
  /// Of all tiles that were taken.
  int64_t bytes = 0;
};

/// The STAGE opts for the loads whose elements a block reads at least twice,
/// where the kernel is mapped by the schedule; none where the schedule does not
/// apply, or where their tiles do not fit the target's shared memory.
llvm::SmallVector<OptAttr> findStages(KernelOp kernel, ScheduleAttr schedule,
                                      const GPUTarget &target, int64_t buffers,
                                      ExplainFn explain);

/// The blocks that a multiprocessor is to have at a time, as the schedule of a
/// kernel with tiles means it: 2, where a thread that has half of the registers
/// has twice as many as its accumulators, and the tiles fit twice; else 1.
int64_t getBlocksPerMultiprocessor(KernelOp kernel, ScheduleAttr schedule,
                                   const GPUTarget &target);

/// Stages loads of a mapped kernel; those with equal tiles share one.
llvm::LogicalResult placeStages(mlir::RewriterBase &rewriter, KernelOp kernel,
                                llvm::ArrayRef<StagePlan> stages,
                                const TilePoints &points);

} // namespace uop

#endif // UOP_LIB_TRANSFORMS_MAPPINGPLAN_H
