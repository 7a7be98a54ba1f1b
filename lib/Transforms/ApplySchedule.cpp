//===- ApplySchedule.cpp - Carrying out a plan ----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <map>
#include <numeric>

using namespace mlir;
using namespace uop;

namespace {

/// Splits axes, and then gives the parts of several axes one dimension each.
class PlanApplication {
public:
  PlanApplication(RewriterBase &rewriter, KernelOp kernel,
                  const MappingPlan &plan)
      : rewriter(rewriter), kernel(kernel), plan(plan),
        rests(plan.outputs.size()), locals(plan.outputs.size()),
        threads(plan.outputs.size()), tiles(plan.outputs.size()) {}

  LogicalResult apply();

private:
  LogicalResult splitOutput(size_t number);
  LogicalResult splitReduce(const ReducePlan &reduce);
  LogicalResult foldOnto(ArrayRef<size_t> axes, ArrayRef<RangeOp> parts,
                         AxisAttr axis);
  LogicalResult foldGrid();
  LogicalResult foldWarps();
  LogicalResult applyGPU();
  LogicalResult applyCPU();
  LogicalResult padTo(RangeOp range, std::optional<int64_t> padded,
                      ArrayRef<int64_t> multiples, bool needsOnePoint = false);
  AxisAttr getAxis(AxisKind kind, std::optional<Dimension> dimension = {});

  RewriterBase &rewriter;
  KernelOp kernel;
  const MappingPlan &plan;
  /// By output axis: what its blocks and its threads are; on a CPU the loop
  /// over its tiles, its threads, and the loop over a tile.
  SmallVector<RangeOp> rests, locals, threads, tiles;
  /// The loops over the steps of reduce axes.
  SmallVector<RangeOp> steps;
  /// Those that were padded or folded.
  RewrittenDomains domains;
};

} // namespace

AxisAttr PlanApplication::getAxis(AxisKind kind,
                                  std::optional<Dimension> dimension) {
  return AxisAttr::get(rewriter.getContext(), kind, dimension);
}

/// Lets a range run on to an extent, or where it is dynamic to a multiple.
LogicalResult PlanApplication::padTo(RangeOp range,
                                     std::optional<int64_t> padded,
                                     ArrayRef<int64_t> multiples,
                                     bool needsOnePoint) {
  int64_t multiple = 1;
  for (int64_t factor : multiples)
    multiple = factor ? std::lcm(multiple, factor) : multiple;
  // An extent that is larger than the size, but not by twice as much, is the
  // next multiple of itself.
  std::optional<int64_t> size = range.getConstantExtent();
  if (size && padded) {
    if (*padded == *size)
      return success();
    multiple = *padded;
  }
  domains.note(range);
  return padRange(rewriter, range, multiple, needsOnePoint);
}

LogicalResult PlanApplication::splitOutput(size_t number) {
  const AxisPlan &output = plan.outputs[number];
  if (!output.isOpen())
    return success();
  AxisAttr loop = getAxis(AxisKind::Loop), upcast = getAxis(AxisKind::Upcast);
  // What the plan says while it may be asked: its range is about to go.
  std::optional<int64_t> paddedSize = output.getPaddedSize();
  bool hasBlocks = output.hasBlocks();
  RangeOp rest = output.axis.range;
  if (!output.merged.empty()) {
    for (RangeOp range : output.merged)
      domains.note(range);
    FailureOr<RangeOp> merged = foldRanges(rewriter, output.merged, loop);
    if (failed(merged))
      return failure();
    rest = *merged;
  }
  if (failed(padTo(rest, paddedSize, {output.padTo, output.getAmounts()},
                   output.needsOnePoint)))
    return failure();
  // Off the inner end: what is split off first is innermost.
  auto splitOff = [&](int64_t amount, AxisAttr axis) -> FailureOr<RangeOp> {
    if (!rest || amount == 1)
      return RangeOp();
    FailureOr<SplitRanges> parts =
        splitRange(rewriter, rest, amount, axis, SplitPosition::Inner);
    if (failed(parts))
      return failure();
    rest = parts->outer;
    return parts->inner;
  };
  auto splitLocal = [&]() -> LogicalResult {
    FailureOr<RangeOp> local = splitOff(output.local, loop);
    if (failed(local))
      return failure();
    locals[number] = *local;
    return success();
  };
  bool isLocalInside = plan.upcastLayout == UpcastLayout::GPU;
  if (failed(splitOff(output.vector, upcast)) ||
      (isLocalInside && failed(splitLocal())) ||
      failed(splitOff(output.upcast, upcast)) ||
      (!isLocalInside && failed(splitLocal())))
    return failure();
  if (plan.target == MappingTarget::CPU) {
    FailureOr<RangeOp> tile = splitOff(output.tile, getAxis(AxisKind::Serial));
    if (failed(tile))
      return failure();
    tiles[number] = *tile;
    if (rest && output.thread != 1) {
      FailureOr<SplitRanges> parts =
          splitRange(rewriter, rest, output.thread, loop, SplitPosition::Outer);
      if (failed(parts))
        return failure();
      threads[number] = parts->outer;
      rest = parts->inner;
    }
    rests[number] = rest;
    return rest ? setAxis(rewriter, rest, getAxis(AxisKind::Serial))
                : success();
  }
  if (!rest)
    return success();
  if (hasBlocks) {
    rests[number] = rest;
    return success();
  }
  // A single block has no block index.
  rewriter.setInsertionPoint(rest);
  Value zero = arith::ConstantIndexOp::create(rewriter, rest.getLoc(), 0);
  substituteRange(rewriter, rest, zero, zero);
  return success();
}

LogicalResult PlanApplication::splitReduce(const ReducePlan &reduce) {
  RangeOp range = reduce.axis.range;
  if (!range ||
      failed(padTo(range, reduce.getPaddedSize(),
                   {reduce.padTo, reduce.unroll * reduce.group, reduce.step})))
    return failure(range != nullptr);
  if (reduce.step != 0) {
    FailureOr<SplitRanges> parts = splitRange(
        rewriter, range, reduce.step, range.getAxis(), SplitPosition::Inner);
    if (failed(parts))
      return failure();
    if (parts->outer)
      steps.push_back(parts->outer);
    range = parts->inner;
  }
  if (reduce.group != 1) {
    FailureOr<SplitRanges> parts =
        groupRange(rewriter, range, reduce.group, *reduce.groupDimension,
                   reduce.isGroupOutermost);
    if (failed(parts))
      return failure();
    range = reduce.isGroupOutermost ? parts->inner : parts->outer;
  }
  if (reduce.unroll == 1 || !range)
    return success();
  return splitRange(rewriter, range, reduce.unroll, getAxis(AxisKind::Unroll),
                    SplitPosition::Inner);
}

/// Gives the parts of the axes one dimension of the hardware.
LogicalResult PlanApplication::foldOnto(ArrayRef<size_t> axes,
                                        ArrayRef<RangeOp> parts,
                                        AxisAttr axis) {
  SmallVector<RangeOp> ranges;
  for (size_t number : axes)
    if (parts[number])
      ranges.push_back(parts[number]);
  if (ranges.empty())
    return success();
  if (ranges.size() > 1)
    for (RangeOp range : ranges)
      domains.note(range);
  return foldRanges(rewriter, ranges, axis);
}

LogicalResult PlanApplication::foldGrid() {
  auto [y, z] = plan.gridSplit;
  if (y == 1 && z == 1) {
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      if (failed(foldOnto(plan.blockAxes[dimension], rests,
                          getAxis(AxisKind::Global, Dimension(dimension)))))
        return failure();
    return success();
  }
  SmallVector<RangeOp> ranges;
  for (size_t number : plan.blockAxes[0])
    ranges.push_back(rests[number]);
  FailureOr<RangeOp> blocks =
      foldRanges(rewriter, ranges, getAxis(AxisKind::Loop));
  if (failed(blocks))
    return failure();
  domains.note(*blocks);
  if (failed(padRange(rewriter, *blocks, y * z)))
    return failure();
  RangeOp rest = *blocks;
  for (auto [amount, dimension] :
       {std::pair(z, Dimension::Z), std::pair(y, Dimension::Y)}) {
    if (amount == 1)
      continue;
    FailureOr<SplitRanges> parts =
        splitRange(rewriter, rest, amount, getAxis(AxisKind::Global, dimension),
                   SplitPosition::Outer);
    if (failed(parts))
      return failure();
    rest = parts->inner;
  }
  return setAxis(rewriter, rest, getAxis(AxisKind::Global, Dimension::X));
}

/// The lanes of a warp are the innermost part of x, in the order of the axes,
/// and the warps of a block the part around it.
LogicalResult PlanApplication::foldWarps() {
  SmallVector<RangeOp> warps, lanes;
  for (size_t number : plan.threadAxes[0]) {
    FailureOr<SplitRanges> parts =
        splitRange(rewriter, locals[number], plan.outputs[number].warp,
                   getAxis(AxisKind::Loop), SplitPosition::Inner);
    if (failed(parts))
      return failure();
    if (parts->outer)
      warps.push_back(parts->outer);
    if (parts->inner)
      lanes.push_back(parts->inner);
  }
  llvm::append_range(warps, lanes);
  for (RangeOp range : warps)
    domains.note(range);
  return foldRanges(rewriter, warps, getAxis(AxisKind::Local, Dimension::X));
}

LogicalResult PlanApplication::applyGPU() {
  if (failed(foldGrid()))
    return failure();
  if (plan.hasWarpTile)
    return foldWarps();
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (failed(foldOnto(plan.threadAxes[dimension], locals,
                        getAxis(AxisKind::Local, Dimension(dimension)))))
      return failure();
  return success();
}

/// The order of a store's domain is that of its loops: threads, then the loops
/// over tiles, then those over their points.
LogicalResult PlanApplication::applyCPU() {
  llvm::DenseMap<Value, size_t> places;
  for (ArrayRef<RangeOp> part : {ArrayRef(rests), ArrayRef(tiles)})
    for (size_t number : plan.placement)
      if (RangeOp range = part[number])
        places[range.getResult()] = places.size() + 1;
  if (failed(foldOnto(plan.placement, threads, getAxis(AxisKind::Thread))))
    return failure();
  for (StoreOp store : kernel.getBodyBlock().getOps<StoreOp>()) {
    auto getPlace = [&](Value value) -> size_t {
      if (auto it = places.find(value); it != places.end())
        return it->second;
      auto range = value.getDefiningOp<RangeOp>();
      bool isCopy = range && range.getAxis().isUnrolled();
      return isCopy ? places.size() + 1 : 0;
    };
    // Those with one place stay in their order.
    std::map<size_t, SmallVector<Value>> ordered;
    for (Value value : store.getOver())
      ordered[getPlace(value)].push_back(value);
    SmallVector<Value> over;
    for (auto &[place, values] : ordered)
      llvm::append_range(over, values);
    rewriter.modifyOpInPlace(store,
                             [&] { store.getOverMutable().assign(over); });
  }
  return success();
}

LogicalResult PlanApplication::apply() {
  OpBuilder::InsertionGuard guard(rewriter);
  for (size_t number = 0; number < plan.outputs.size(); ++number)
    if (failed(splitOutput(number)))
      return failure();
  for (const ReducePlan &reduce : plan.reduces)
    if (failed(splitReduce(reduce)))
      return failure();
  if (failed(plan.target == MappingTarget::GPU ? applyGPU() : applyCPU()))
    return failure();
  if (failed(placeStages(rewriter, kernel, plan.stages,
                         TilePoints(kernel, [&](RangeOp range) -> int64_t {
                           return llvm::is_contained(steps, range) ? 0
                                                                   : kAllPoints;
                         }))))
    return failure();
  domains.markUnique(rewriter, kernel);
  return success();
}

LogicalResult uop::applySchedule(RewriterBase &rewriter, KernelOp kernel,
                                 ScheduleAttr schedule, MappingTarget target,
                                 ExplainFn explain) {
  FailureOr<MappingPlan> plan = planMapping(kernel, schedule, target);
  if (failed(plan))
    return failure();
  for (const std::string &decision : plan->decisions)
    explain(decision);
  if (failed(PlanApplication(rewriter, kernel, *plan).apply()))
    return failure();
  rewriter.modifyOpInPlace(kernel, [&] { kernel.setScheduleAttr(schedule); });
  return success();
}
