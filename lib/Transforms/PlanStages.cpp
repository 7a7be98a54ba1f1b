//===- PlanStages.cpp - Which tiles the loads of a schedule need ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile has what one block reads in one iteration of the loops around its
// filling. A reduce axis with a step has such a loop, and what is around that
// loop is around the filling as well; all other loops of reductions are inside.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "Uop/Analysis/LaunchShape.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace mlir;
using namespace uop;

/// The widest access that there is, in bytes.
static constexpr int64_t kWidestCopy = 16;

/// What is mapped already: threads and copies are in a tile, blocks and loops
/// are around it.
void TilePoints::addAxes(KernelOp kernel) {
  for (auto range : kernel.getBodyBlock().getOps<RangeOp>())
    switch (range.getAxis().getKind()) {
    case AxisKind::Local:
    case AxisKind::Warp:
    case AxisKind::Upcast:
      points[range] = kAllPoints;
      break;
    default:
      points[range] = 0;
    }
}

void TilePoints::addReductions(KernelOp kernel,
                               function_ref<int64_t(RangeOp)> getStep) {
  llvm::SmallPtrSet<Operation *, 4> around;
  SmallVector<RangeList> lists;
  for (auto reduce : kernel.getBodyBlock().getOps<ReduceOp>())
    lists.push_back(getRanges(reduce.getOver()));
  for (const RangeList &over : lists)
    for (size_t last = over.size(); last-- > 0;)
      if (getStep(over[last]) != kAllPoints) {
        around.insert(over.begin(), over.begin() + last);
        break;
      }
  for (const RangeList &over : lists)
    for (RangeOp range : over)
      points[range] = around.contains(range) ? 0 : getStep(range);
}

TilePoints::TilePoints(KernelOp kernel, const MappingPlan &plan) {
  addAxes(kernel);
  for (const AxisPlan &output : plan.outputs)
    if (output.isOpen())
      for (RangeOp range : getPlannedRanges(output))
        points[range] = !output.hasBlocks()        ? kAllPoints
                        : output.getAmounts() == 1 ? 0
                                                   : output.getAmounts();
  addReductions(kernel, [&](RangeOp range) -> int64_t {
    for (const ReducePlan &reduce : plan.reduces)
      if (reduce.axis.range == range && reduce.step != 0 &&
          reduce.getPaddedSize() != reduce.step)
        return reduce.step;
    return kAllPoints;
  });
}

TilePoints::TilePoints(KernelOp kernel,
                       function_ref<int64_t(RangeOp)> getStep) {
  addAxes(kernel);
  addReductions(kernel, getStep);
}

FailureOr<TilePlan> uop::findTile(KernelOp kernel, LoadOp load,
                                  const TilePoints &points,
                                  FreeRanges &freeRanges, std::string &reason) {
  for (auto stage : kernel.getBodyBlock().getOps<StageOp>())
    for (RangeOp range : getRanges(stage.getOver()))
      if (freeRanges.isFreeIn(load, range)) {
        reason = "it is inside of a stage, which reads each element once";
        return failure();
      }
  return planTile(load, points, freeRanges, reason);
}

FailureOr<TilePlan> uop::planStage(KernelOp kernel, LoadOp load,
                                   const TilePoints &points,
                                   FreeRanges &freeRanges, const Twine &what) {
  std::string reason;
  FailureOr<TilePlan> tile = findTile(kernel, load, points, freeRanges, reason);
  if (succeeded(tile))
    return tile;
  InFlightDiagnostic diag = refuseMapping(kernel);
  diag << what << " cannot be staged: " << reason
       << "; leave it out, or give its reduce axes a KSTEP";
  diag.attachNote(load.getLoc()) << "the load is here";
  return diag;
}

LogicalResult uop::placeStages(RewriterBase &rewriter, KernelOp kernel,
                               ArrayRef<StagePlan> stages,
                               const TilePoints &points) {
  SmallVector<StagePlan> inOrder(stages);
  llvm::sort(inOrder, [](const StagePlan &a, const StagePlan &b) {
    LoadOp first = a.load, second = b.load;
    return first->isBeforeInBlock(second);
  });
  int64_t threads = computeLaunchShape(kernel).getNumThreadsPerBlock();
  std::vector<std::pair<TilePlan, StageOp>> made;
  for (const StagePlan &stage : inOrder) {
    FreeRanges freeRanges;
    FailureOr<TilePlan> tile =
        planStage(kernel, stage.load, points, freeRanges, "the load");
    if (failed(tile))
      return failure();
    auto same = llvm::find_if(
        made, [&](const auto &other) { return tile->isSameTile(other.first); });
    int64_t vector = getCopyWidth(*tile, kWidestCopy);
    // Every thread has a part in the copy before one has a wide part.
    while (vector > 1 && vector * threads > tile->getNumElements())
      vector /= 2;
    StageOp op = stageLoad(rewriter, *tile,
                           same == made.end() ? StageOp() : same->second);
    rewriter.modifyOpInPlace(op, [&] {
      op.setBuffers(std::max<int64_t>(op.getBuffers(), stage.buffers));
      op.setVector(vector);
    });
    made.push_back({std::move(*tile), op});
  }
  for (auto &[tile, op] : made)
    rewriter.eraseOp(tile.load);
  return success();
}

int64_t uop::chooseStep(std::optional<int64_t> size, int64_t wanted,
                        int64_t parts) {
  int64_t step = std::max<int64_t>(wanted / parts, 1) * parts;
  if (!size)
    return step;
  if (*size <= 2 * step && *size % parts == 0)
    return *size;
  if (*size % step == 0)
    return step;
  for (int64_t distance = parts; distance <= step; distance += parts) {
    if (step - distance >= std::max<int64_t>(step / 2, 1) &&
        *size % (step - distance) == 0)
      return step - distance;
    if (*size % (step + distance) == 0)
      return step + distance;
  }
  return step;
}

bool StageChoice::consider(size_t number, const TilePlan &tile, double reads) {
  constexpr int64_t minReuse = 2;
  int64_t elements = tile.getNumElements();
  if (reads < double(minReuse * elements))
    return false;
  bytes += tile.getBytes() * buffers;
  opts.push_back(
      OptAttr::get(kernel.getContext(), OptKind::Stage, number, buffers));
  reasons.push_back(
      "STAGE " + std::to_string(number) + ":" + std::to_string(buffers) +
      ": a block reads each of the " + std::to_string(elements) + " elements " +
      std::to_string(int64_t(reads / double(elements))) + " times");
  return true;
}

SmallVector<OptAttr> uop::findStages(KernelOp kernel, ScheduleAttr schedule,
                                     const GPUTarget &target, int64_t buffers,
                                     ExplainFn explain) {
  StageChoice choice(kernel, buffers);
  FailureOr<MappingPlan> plan =
      tryMapping(kernel, schedule, MappingTarget::GPU);
  if (failed(plan))
    return {};
  TilePoints points(kernel, *plan);
  FreeRanges freeRanges;
  int64_t threads = 1;
  for (const AxisPlan &output : plan->outputs)
    threads *= output.local;
  for (const ReducePlan &reduce : plan->reduces)
    threads *= reduce.group;
  for (auto [number, load] :
       llvm::enumerate(kernel.getBodyBlock().getOps<LoadOp>())) {
    std::string reason;
    FailureOr<TilePlan> tile =
        findTile(kernel, load, points, freeRanges, reason);
    if (failed(tile))
      continue;
    // Every thread reads what its copies and the steps of its loop need.
    auto reads = double(threads);
    for (const AxisPlan &output : plan->outputs)
      for (RangeOp range : getPlannedRanges(output))
        if (freeRanges.isFreeIn(load.getResult(), range)) {
          reads *= double(output.upcast * output.vector);
          break;
        }
    for (const ReducePlan &reduce : plan->reduces)
      if (RangeOp range = reduce.axis.range;
          range && freeRanges.isFreeIn(load.getResult(), range)) {
        int64_t own = points(range);
        reads *= double(own == kAllPoints
                            ? reduce.getPaddedSize().value_or(kDynamicSize)
                            : std::max<int64_t>(own, 1)) /
                 double(reduce.group);
      }
    choice.consider(number, *tile, reads);
  }
  if (choice.bytes > target.maxSharedMemoryPerBlock)
    return {};
  for (const std::string &reason : choice.reasons)
    explain(reason);
  return choice.opts;
}
