//===- SplitHeuristic.cpp - Whether two kernels are faster ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of TileHeuristic.cpp, for a kernel as it is and for what it is
// split into: the products that the busiest multiprocessor computes, and the
// elements that it loads and stores, which take as long as kLoadWeight products
// each.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "Uop/Transforms/SplitReductions.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace uop;

/// What a second launch costs, in products: about 3 microseconds of a
/// multiprocessor that does 128 a cycle.
static constexpr double kLaunchTime = 1 << 19;
/// Two kernels have to be faster by this factor to be worth a workspace.
static constexpr double kMinGain = 1.25;
/// The most parts that are considered, and the least points of each.
static constexpr int64_t kMaxParts = 1024, kMinPoints = 64;

namespace {

/// How long a kernel takes, and whether its blocks fill the target.
struct Estimate {
  double time = 0;
  bool isFull = false;
};

} // namespace

/// The points of some axes; nothing where one is dynamic.
static std::optional<double> countPoints(ArrayRef<ScheduleAxis> axes) {
  double points = 1;
  for (const ScheduleAxis &axis : axes) {
    if (!axis.size)
      return std::nullopt;
    points *= double(*axis.size);
  }
  return points;
}

/// Of a kernel whose reductions close the same ranges.
static std::optional<Estimate> estimate(KernelOp kernel,
                                        const GPUTarget &target) {
  auto ignore = [](const Twine &) {};
  std::optional<double> outputs = countPoints(getOutputAxes(kernel));
  std::optional<double> steps = countPoints(getReduceAxes(kernel));
  if (!outputs || !steps)
    return std::nullopt;
  std::optional<TiledSchedule> tiled =
      findTiledSchedule(kernel, target, UpcastLayout::GPU, ignore);
  ScheduleAttr schedule;
  if (tiled) {
    schedule = tiled->schedule;
  } else {
    FailureOr<ScheduleAttr> other =
        chooseSchedule(kernel, target, UpcastLayout::GPU, ignore);
    if (failed(other))
      return std::nullopt;
    schedule = *other;
  }
  FailureOr<MappingPlan> plan =
      tryMapping(kernel, schedule, MappingTarget::GPU);
  std::optional<int64_t> blocks;
  if (succeeded(plan))
    blocks = plan->getNumBlocks();
  if (!blocks || *blocks < 1)
    return std::nullopt;
  double machines = double(target.numMultiprocessors);
  Estimate result;
  result.isFull = double(*blocks) >= machines;
  // The share of the work that the busiest multiprocessor has.
  double share = std::ceil(double(*blocks) / machines) / double(*blocks);
  auto stores =
      double(llvm::range_size(kernel.getBodyBlock().getOps<StoreOp>()));
  auto loads = double(llvm::range_size(kernel.getBodyBlock().getOps<LoadOp>()));
  result.time = share * *outputs * stores * kLoadWeight;
  if (tiled)
    result.time += tiled->timePerPoint * *steps;
  else
    result.time += share * *outputs * *steps * (1 + loads * kLoadWeight);
  return result;
}

/// The reduce axis to split: the longest one, or the outermost one where a
/// combiner needs the order. Nothing for a kernel whose reductions are not one
/// nest of loops, or that has nothing to split.
static std::optional<int64_t> findAxis(KernelOp kernel) {
  SmallVector<ReduceOp> reductions(kernel.getBodyBlock().getOps<ReduceOp>());
  if (reductions.empty() || !kernel.getBodyBlock().getOps<StageOp>().empty())
    return std::nullopt;
  // What is mapped by hand stays as it is.
  for (RangeOp range : kernel.getBodyBlock().getOps<RangeOp>())
    if (range.getAxis().getKind() != AxisKind::Loop &&
        range.getAxis().getKind() != AxisKind::Reduce)
      return std::nullopt;
  RangeList over = getRanges(reductions.front().getOver());
  bool isOrdered = false;
  for (ReduceOp reduce : reductions) {
    if (getRanges(reduce.getOver()) != over)
      return std::nullopt;
    isOrdered |= reduce.isGeneral();
  }
  if (over.empty())
    return std::nullopt;
  SmallVector<ScheduleAxis> axes = getReduceAxes(kernel);
  std::optional<int64_t> best;
  for (auto [number, axis] : llvm::enumerate(axes)) {
    if (!axis.size)
      return std::nullopt;
    if (isOrdered ? axis.range == over.front()
                  : !best || *axis.size > *axes[*best].size)
      best = number;
  }
  return best;
}

namespace {

/// Parts, and the share of the time that they leave.
struct Parts {
  int64_t number;
  double share;
};

} // namespace

static std::optional<Parts> findParts(KernelOp kernel, int64_t axis,
                                      int64_t size, const GPUTarget &target) {
  // What a candidate is refused for is no one's concern.
  ScopedDiagnosticHandler handler(kernel.getContext(),
                                  [](Diagnostic &) { return success(); });
  std::optional<Estimate> whole = estimate(kernel, target);
  if (!whole || whole->isFull || whole->time < kMinGain * kLaunchTime)
    return std::nullopt;
  double best = whole->time / kMinGain;
  std::optional<Parts> found;
  IRRewriter rewriter(kernel);
  for (int64_t parts = 2; parts <= std::min(kMaxParts, size / kMinPoints);
       parts *= 2) {
    FailureOr<SplitKernels> split =
        splitReduction(rewriter, kernel, axis, parts, /*schedule=*/{});
    if (failed(split))
      return std::nullopt;
    std::optional<Estimate> partial = estimate(split->partial, target);
    std::optional<Estimate> combine = estimate(split->combine, target);
    split->partial.erase();
    split->combine.erase();
    if (!partial || !combine)
      return std::nullopt;
    double time = partial->time + combine->time + kLaunchTime;
    if (time < best) {
      best = time;
      found = {parts, time / whole->time};
    }
  }
  return found;
}

std::optional<OptAttr>
uop::chooseSplit(KernelOp kernel, const GPUTarget &target, ExplainFn explain) {
  std::optional<int64_t> axis = findAxis(kernel);
  if (!axis)
    return std::nullopt;
  int64_t size = *getReduceAxes(kernel)[*axis].size;
  std::optional<Parts> parts = findParts(kernel, *axis, size, target);
  if (!parts)
    return std::nullopt;
  explain("default: SPLITK " + Twine(*axis) + ":" + Twine(parts->number) +
          ": its blocks are fewer than the " +
          Twine(target.numMultiprocessors) +
          " multiprocessors; parts, and a second kernel that combines them, "
          "take an estimated " +
          Twine(int64_t(100 * parts->share)) + " % of the time");
  return OptAttr::get(kernel.getContext(), OptKind::SplitK, *axis,
                      parts->number);
}
