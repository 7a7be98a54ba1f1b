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
static constexpr int64_t kRows = 4;
/// Points, of outputs times reductions, that are worth starting threads for.
static constexpr int64_t kMinPoints = 1 << 15;
/// What a dynamic size is taken for.
static constexpr int64_t kDynamicSize = 4096;

/// The largest divisor of a size up to a limit.
static int64_t getLargestDivisor(int64_t size, int64_t limit) {
  for (int64_t divisor = std::min(size, limit); divisor > 1; --divisor)
    if (size % divisor == 0)
      return divisor;
  return 1;
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
    if (llvm::MulOverflow(points, size.value_or(kDynamicSize), points))
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

  SmallVector<int64_t> copies(plan->outputs.size(), 1);
  if (!plan->reduces.empty() && !axes.empty()) {
    FreeRanges freeRanges;
    int64_t bytes = 1;
    for (StoreOp store : kernel.getBodyBlock().getOps<StoreOp>())
      if (Type type = store.getValue().getType(); type.isIntOrFloat())
        bytes = std::max<int64_t>(
            bytes, llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
    for (size_t axis : llvm::reverse(axes)) {
      bool isLast = axis == axes.back();
      const AxisPlan &output = plan->outputs[axis];
      if (!output.axis.size || !sharesLoads(kernel, output, freeRanges))
        continue;
      int64_t most = isLast ? kVectorBytes / bytes : kRows;
      while (most > 1 && *output.axis.size % most != 0)
        most /= 2;
      copies[axis] = most;
      add(OptKind::Upcast, axis, most,
          isLast ? "outputs along the contiguous axis make a vector"
                 : "outputs along the axis share a load");
      if (!isLast)
        break;
    }
  }
  if (threads > 1 && !axes.empty()) {
    size_t axis = axes.front();
    const AxisPlan &output = plan->outputs[axis];
    if (points < kMinPoints) {
      explain("default: no threads: " + Twine(points) +
              " points are not worth starting them");
    } else if (output.axis.size) {
      int64_t steps = *output.axis.size / copies[axis];
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
