//===- BasicHeuristic.cpp - The simple choice of opts ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `heuristic=basic`: few rules, none of which looks at memory accesses. It is
// there to be compared with better ones, so its choices do not change.
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/FreeRanges.h"
#include "Uop/Transforms/Mapping.h"

using namespace mlir;
using namespace uop;

/// Upcast by 2 where the axis is even and at least this long.
static constexpr int64_t kMinUpcastSize = 32;
/// Threads of a block in all, and per axis where several axes compete.
static constexpr int64_t kMaxThreads = 256;
static constexpr int64_t kMaxThreadsPerAxis = 16;

static int64_t getLargestPowerOfTwoDivisor(int64_t size, int64_t limit) {
  int64_t power = 1;
  while (power * 2 <= limit && size % (power * 2) == 0)
    power *= 2;
  return power;
}

ScheduleAttr uop::chooseBasicSchedule(KernelOp kernel,
                                      UpcastLayout upcastLayout,
                                      ExplainFn explain) {
  MLIRContext *context = kernel.getContext();
  SmallVector<ScheduleAxis> axes = getOutputAxes(kernel);
  bool reduces = llvm::any_of(
      kernel.getBodyBlock().getOps<ReduceOp>(),
      [](ReduceOp reduce) { return !getRanges(reduce.getOver()).empty(); });
  int64_t numLarge = llvm::count_if(
      axes, [](const ScheduleAxis &axis) { return axis.size != 1; });
  int64_t limit = numLarge > 1 ? kMaxThreadsPerAxis : kMaxThreads;
  auto isOpen = [](const ScheduleAxis &axis) {
    return axis.isKind(AxisKind::Loop) && axis.size && *axis.size > 1;
  };

  SmallVector<int64_t> upcasts(axes.size(), 1), locals(axes.size(), 1);
  for (auto [number, axis] : llvm::enumerate(axes)) {
    if (!reduces || !isOpen(axis))
      continue;
    if (*axis.size < kMinUpcastSize || *axis.size % 2 != 0)
      continue;
    upcasts[number] = 2;
    explain("basic: upcast 2 on output axis " + Twine(number) + " of size " +
            Twine(*axis.size) + ": the kernel reduces, and the size is even " +
            "and at least " + Twine(kMinUpcastSize));
  }
  int64_t budget = kMaxThreads;
  for (size_t number = axes.size(); number-- > 0;) {
    const ScheduleAxis &axis = axes[number];
    if (!isOpen(axis)) {
      explain("basic: no threads on output axis " + Twine(number) + ": it " +
              (!axis.size        ? "is dynamic"
               : *axis.size <= 1 ? "has at most one point"
                                 : "is mapped by hand"));
      continue;
    }
    int64_t left = *axis.size / upcasts[number];
    int64_t most = std::min(limit, budget);
    int64_t local = getLargestPowerOfTwoDivisor(left, most);
    if (local == 1)
      explain("basic: no threads on output axis " + Twine(number) + ": " +
              (budget == 1
                   ? "the block has " + Twine(kMaxThreads).str() + " already"
                   : Twine(left).str() + " points are left, which is odd"));
    else
      explain("basic: " + Twine(local) + " threads on output axis " +
              Twine(number) + ": the largest power of two up to " +
              Twine(most) + " that divides the " + Twine(left) +
              " points left");
    locals[number] = local;
    budget /= local;
  }

  SmallVector<OptAttr> opts;
  auto append = [&](OptKind kind, ArrayRef<int64_t> amounts) {
    for (auto [number, amount] : llvm::enumerate(amounts))
      if (amount != 1)
        opts.push_back(OptAttr::get(context, kind, number, amount));
  };
  append(OptKind::Local, locals);
  append(OptKind::Upcast, upcasts);
  llvm::append_range(opts, keepLastAxisLast(kernel));
  return ScheduleAttr::get(context, opts, upcastLayout);
}
