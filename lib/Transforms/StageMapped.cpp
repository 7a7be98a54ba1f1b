//===- StageMapped.cpp - Stages for a kernel that is mapped already -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mapping stays as it is: blocks, threads and copies say what a tile has,
// and only the loops of reductions are split, in steps that fit.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "Uop/Analysis/LaunchShape.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

using Steps = llvm::SmallMapVector<RangeOp, int64_t, 2>;

static int64_t getPoints(RangeOp range) {
  return range.getConstantExtent().value_or(kDynamicSize);
}

static TilePoints makePoints(KernelOp kernel, const Steps &steps) {
  return TilePoints(kernel, [&](RangeOp range) -> int64_t {
    auto *it = steps.find(range);
    return it == steps.end() || range.getConstantExtent() == it->second
               ? kAllPoints
               : it->second;
  });
}

/// For each nest of reductions its innermost loop, in steps.
static Steps chooseSteps(KernelOp kernel, int64_t elementBytes) {
  Steps steps;
  int64_t wanted = std::max<int64_t>(kStepBytes / elementBytes, 1);
  for (auto reduce : kernel.getBodyBlock().getOps<ReduceOp>()) {
    int64_t inside = 1;
    RangeOp loop;
    // Named: llvm::reverse does not keep a temporary.
    RangeList over = getRanges(reduce.getOver());
    for (RangeOp range : llvm::reverse(over)) {
      if (range.getAxis().getKind() == AxisKind::Reduce) {
        loop = range;
        break;
      }
      inside *= getPoints(range);
    }
    if (loop && getPoints(loop) > 1)
      steps[loop] = chooseStep(loop.getConstantExtent(),
                               std::max<int64_t>(wanted / inside, 1), 1);
  }
  return steps;
}

SmallVector<OptAttr> uop::chooseStages(KernelOp kernel, const GPUTarget &target,
                                       ExplainFn explain) {
  SmallVector<LoadOp> loads(kernel.getBodyBlock().getOps<LoadOp>());
  SmallVector<ScheduleAxis> reduces = getReduceAxes(kernel);
  int64_t elementBytes = 1;
  for (LoadOp load : loads)
    elementBytes = std::max(elementBytes, getStoredBytes(load.getType()));
  Steps steps = chooseSteps(kernel, elementBytes);
  TilePoints points = makePoints(kernel, steps);
  FreeRanges freeRanges;
  int64_t threads = computeLaunchShape(kernel).getNumThreadsPerBlock();
  StageChoice choice(kernel, /*buffers=*/1);
  llvm::SmallSetVector<RangeOp, 2> used;
  for (auto [number, load] : llvm::enumerate(loads)) {
    std::string reason;
    FailureOr<TilePlan> tile =
        findTile(kernel, load, points, freeRanges, reason);
    if (failed(tile))
      continue;
    double reads = threads;
    for (RangeOp range : freeRanges.of(load.getResult())) {
      AxisKind kind = range.getAxis().getKind();
      int64_t own = points(range);
      if (kind != AxisKind::Local && kind != AxisKind::Warp &&
          kind != AxisKind::GroupReduce && own != 0)
        reads *= double(own == kAllPoints ? getPoints(range) : own);
    }
    if (choice.bytes + tile->getBytes() > target.maxSharedMemoryPerBlock) {
      explain("place-shared: load " + Twine(number) + " stays as it is: " +
              Twine(tile->getBytes()) + " bytes more do not fit");
      continue;
    }
    if (!choice.consider(number, *tile, reads))
      continue;
    for (RangeOp range : freeRanges.of(load.getResult()))
      if (steps.count(range))
        used.insert(range);
  }
  SmallVector<OptAttr> opts;
  for (auto [number, axis] : llvm::enumerate(reduces))
    if (axis.range && used.contains(axis.range)) {
      opts.push_back(OptAttr::get(kernel.getContext(), OptKind::KStep, number,
                                  steps[axis.range]));
      explain("place-shared: KSTEP " + Twine(number) + ":" +
              Twine(steps[axis.range]) +
              ": so many points of the reduction are staged at a time");
    }
  for (const std::string &reason : choice.reasons)
    explain("place-shared: " + reason);
  llvm::append_range(opts, choice.opts);
  return opts;
}

FailureOr<MappedStages> uop::stageMapped(RewriterBase &rewriter,
                                         KernelOp kernel,
                                         ArrayRef<OptAttr> opts) {
  SmallVector<LoadOp> loads(kernel.getBodyBlock().getOps<LoadOp>());
  SmallVector<ScheduleAxis> reduces = getReduceAxes(kernel);
  auto refuse = [&](OptAttr opt) {
    return refuseMapping(kernel)
           << stringifyOptKind(opt.getKind()) << " " << opt.getAxis() << ":"
           << opt.getAmount() << " ";
  };
  Steps steps;
  SmallVector<StagePlan> stages;
  for (OptAttr opt : opts) {
    bool isStep = opt.getKind() == OptKind::KStep;
    if (!isStep && opt.getKind() != OptKind::Stage)
      return refuse(opt) << "is for a kernel that is not mapped; expected "
                            "KSTEP and STAGE only";
    size_t count = isStep ? reduces.size() : loads.size();
    if (size_t(opt.getAxis()) >= count)
      return refuse(opt) << "names " << (isStep ? "reduce range " : "load ")
                         << opt.getAxis() << ", but the mapped kernel has "
                         << count;
    int64_t most = isStep ? std::numeric_limits<int64_t>::max() : kMaxBuffers;
    if (opt.getAmount() < 1 || opt.getAmount() > most)
      return refuse(opt) << "has an amount of " << opt.getAmount()
                         << ": expected 1 to " << most;
    if (!isStep) {
      stages.push_back({loads[opt.getAxis()], opt.getAmount()});
      continue;
    }
    RangeOp range = reduces[opt.getAxis()].range;
    if (!range || range.getAxis().getKind() != AxisKind::Reduce)
      return refuse(opt) << "expects a range on axis 'reduce', but it is "
                         << (range ? "'" + range.getAxis().str() + "'"
                                   : std::string("folded"))
                         << "; count the ranges that reductions close";
    steps[range] = opt.getAmount();
  }
  TilePoints planned = makePoints(kernel, steps);
  {
    FreeRanges freeRanges;
    for (const StagePlan &stage : stages)
      if (failed(
              planStage(kernel, stage.load, planned, freeRanges, "the load")))
        return failure();
  }
  MappedStages made;
  SmallVector<RangeOp> loops;
  for (auto [range, step] : steps) {
    if (failed(padRange(rewriter, range, step)))
      return failure();
    FailureOr<SplitRanges> parts = splitRange(
        rewriter, range, step, range.getAxis(), SplitPosition::Inner);
    if (failed(parts))
      return failure();
    made.steps.push_back(*parts);
    if (parts->outer)
      loops.push_back(parts->outer);
  }
  TilePoints points(kernel, [&](RangeOp range) -> int64_t {
    return llvm::is_contained(loops, range) ? 0 : kAllPoints;
  });
  llvm::SmallPtrSet<Operation *, 4> before;
  for (auto stage : kernel.getBodyBlock().getOps<StageOp>())
    before.insert(stage);
  if (failed(placeStages(rewriter, kernel, stages, points)))
    return failure();
  for (auto stage : kernel.getBodyBlock().getOps<StageOp>())
    if (!before.contains(stage))
      made.stages.push_back(stage);
  ScheduleAttr schedule = kernel.getScheduleAttr();
  if (!schedule)
    return made;
  // Where reduce axes were split before, they have other numbers now, and the
  // list would not replay.
  bool replays = llvm::none_of(schedule.getOpts(), [](OptAttr opt) {
    return opt.getKind() == OptKind::Unroll ||
           opt.getKind() == OptKind::Group ||
           opt.getKind() == OptKind::GroupTop;
  });
  rewriter.modifyOpInPlace(kernel, [&] {
    if (!replays) {
      kernel.removeScheduleAttr();
      return;
    }
    SmallVector<OptAttr> all(schedule.getOpts());
    llvm::append_range(all, opts);
    kernel.setScheduleAttr(ScheduleAttr::get(kernel.getContext(), all,
                                             schedule.getUpcastLayout()));
  });
  return made;
}
