//===- CPUHeuristic.cpp - The choice of opts for a CPU --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// The bytes of a vector, for outputs along the contiguous axis, and the
/// outputs along another one that share what is loaded.
static constexpr int64_t kVectorBytes = 64;
static constexpr int64_t kRows = 8;
/// Accumulators that fit the registers, and ops of a kernel with all copies: of
/// more, LLVM's time is no longer worth it.
static constexpr int64_t kMaxCopies = 128;
static constexpr int64_t kMaxOps = 4096;
/// Rows and columns of a tile where what is loaded in one direction is stored
/// in another: so many lines of a cache of each.
static constexpr int64_t kTile = 32;
/// Points, of outputs times reductions, that are worth starting threads for.
static constexpr int64_t kMinPoints = 1 << 15;
/// What a dynamic size is taken for.
static constexpr int64_t kDynamicPoints = 1 << 16;

/// The largest divisor of a size up to a limit.
static int64_t getLargestDivisor(int64_t size, int64_t limit) {
  for (int64_t divisor = std::min(size, limit); divisor > 1; --divisor)
    if (size % divisor == 0)
      return divisor;
  return 1;
}

static bool isContiguous(std::optional<int64_t> stride) {
  return stride == 0 || stride == 1;
}

/// How many copies along an axis: about `most`, preferably a divisor; a tail is
/// better than few.
static int64_t chooseCopies(std::optional<int64_t> size, int64_t most) {
  if (!size)
    return most;
  if (*size <= most)
    return std::max<int64_t>(*size, 1);
  int64_t divisor = getLargestDivisor(*size, most);
  return divisor * 2 > most ? divisor : most;
}

/// The axis, other than the last one, along which something is loaded that is
/// contiguous there and not along the last one.
static std::optional<size_t> findTransposedAxis(KernelOp kernel,
                                                const MappingPlan &plan,
                                                ArrayRef<size_t> axes) {
  AccessStrides strides;
  RangeOp last = getPlannedRanges(plan.outputs[axes.back()]).back();
  for (LoadOp load : kernel.getBodyBlock().getOps<LoadOp>()) {
    if (isContiguous(strides.of(load, last)))
      continue;
    for (size_t axis : axes.drop_back())
      if (strides.of(load, getPlannedRanges(plan.outputs[axis]).back()) == 1)
        return axis;
  }
  return std::nullopt;
}

FailureOr<ScheduleAttr> uop::chooseCPUSchedule(KernelOp kernel, int64_t threads,
                                               ExplainFn explain) {
  MLIRContext *context = kernel.getContext();
  FailureOr<MappingPlan> plan =
      planMapping(kernel, ScheduleAttr::get(context, {}, UpcastLayout::CPU),
                  MappingTarget::CPU);
  if (failed(plan))
    return failure();
  SmallVector<OptAttr> opts;
  auto add = [&](OptKind kind, size_t axis, int64_t amount,
                 const Twine &reason) {
    if (amount == 1)
      return;
    opts.push_back(OptAttr::get(context, kind, axis, amount));
    explain("default: " + stringifyOptKind(kind) + " " + Twine(axis) + ":" +
            Twine(amount) + ": " + reason);
  };

  // Outermost first.
  SmallVector<size_t> axes;
  int64_t points = 1;
  auto count = [&](std::optional<int64_t> size) {
    if (llvm::MulOverflow(points, size.value_or(kDynamicPoints), points))
      points = std::numeric_limits<int64_t>::max();
  };
  for (size_t axis : plan->placement) {
    const AxisPlan &output = plan->outputs[axis];
    if (!output.isOpen() || output.axis.size == 1)
      continue;
    axes.push_back(axis);
    count(output.axis.size);
  }
  for (const ReducePlan &reduce : plan->reduces)
    count(reduce.axis.size);

  // Points along an axis that stay together.
  SmallVector<int64_t> together(plan->outputs.size(), 1);
  if (!plan->reduces.empty() && !axes.empty()) {
    FreeRanges freeRanges;
    int64_t bytes = 1;
    for (StoreOp store : kernel.getBodyBlock().getOps<StoreOp>())
      if (Type type = store.getValue().getType(); type.isIntOrFloat())
        bytes = std::max<int64_t>(
            bytes, llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
    int64_t numOps = llvm::range_size(kernel.getBodyBlock());
    int64_t left = std::min(kMaxCopies, kMaxOps / numOps);
    for (size_t axis : llvm::reverse(axes)) {
      bool isLast = axis == axes.back();
      const AxisPlan &output = plan->outputs[axis];
      if (left <= 1 || output.axis.size == 0 ||
          !sharesLoads(kernel, output, freeRanges))
        continue;
      int64_t amount =
          chooseCopies(output.axis.size,
                       std::min(left, isLast ? kVectorBytes / bytes : kRows));
      left /= amount;
      together[axis] = amount;
      add(OptKind::Upcast, axis, amount,
          isLast ? "outputs along the contiguous axis make a vector"
                 : "outputs along the axis share a load");
      if (!isLast)
        break;
    }
  } else if (axes.size() > 1) {
    if (std::optional<size_t> axis = findTransposedAxis(kernel, *plan, axes))
      for (size_t tiled : {*axis, axes.back()})
        if (plan->outputs[tiled].axis.size.value_or(kDynamicPoints) >=
            2 * kTile) {
          together[tiled] = kTile;
          add(OptKind::Tile, tiled, kTile,
              "what is loaded along one axis is stored along another");
        }
  }
  if (threads > 1 && !axes.empty()) {
    size_t axis = axes.front();
    const AxisPlan &output = plan->outputs[axis];
    if (points < kMinPoints) {
      explain("default: no threads: " + Twine(points) +
              " points are not worth starting them");
    } else if (output.axis.size) {
      int64_t steps = llvm::divideCeil(*output.axis.size, together[axis]);
      int64_t divisor = getLargestDivisor(steps, threads);
      // Unequal parts are better than few.
      int64_t amount = divisor * 2 >= std::min(threads, steps)
                           ? divisor
                           : std::min(threads, steps);
      add(OptKind::Thread, axis, amount, "the outermost axis");
    } else {
      add(OptKind::Thread, axis, threads,
          "the outermost axis, of dynamic size");
    }
  }
  return ScheduleAttr::get(context, opts, UpcastLayout::CPU);
}
