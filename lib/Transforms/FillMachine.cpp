//===- FillMachine.cpp - Work per block, or more blocks -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"

using namespace mlir;
using namespace uop;

FailureOr<ScheduleAttr> uop::fillMachine(KernelOp kernel, ScheduleAttr schedule,
                                         int64_t minBlocks, ExplainFn explain,
                                         int64_t minThreads) {
  FailureOr<MappingPlan> plan = planMapping(kernel, schedule);
  if (failed(plan))
    return failure();
  for (auto [number, output] : llvm::enumerate(plan->outputs))
    if (!output.getNumBlocks())
      return emitError(kernel.getLoc())
             << "cannot map @" << kernel.getSymName()
             << ": a minimum number of blocks needs static extents, but output "
                "axis "
             << number << " is dynamic";
  // More than 64 bits hold is enough for any minimum.
  auto isFilled = [&] {
    std::optional<int64_t> blocks = plan->getNumBlocks();
    return !blocks || *blocks >= minBlocks;
  };
  auto describeBlocks = [&] {
    return std::to_string(plan->getNumBlocks().value_or(0)) + " of " +
           std::to_string(minBlocks) + " blocks";
  };
  auto giveUp = [&](StringRef opt, int64_t AxisPlan::*amount) {
    for (auto [number, output] : llvm::enumerate(plan->outputs)) {
      if (isFilled() || output.*amount == 1)
        continue;
      explain("gives up " + opt + " " + Twine(output.*amount) +
              " of output axis " + Twine(number) + ": the grid has " +
              describeBlocks());
      output.*amount = 1;
    }
  };
  giveUp("upcast", &AxisPlan::upcast);
  giveUp("vectorize", &AxisPlan::vector);
  auto countThreads = [&] {
    int64_t threads = 1;
    for (const AxisPlan &output : plan->outputs)
      threads *= output.local;
    return threads;
  };
  bool keepsThreads = true;
  while (!isFilled()) {
    auto *largest = llvm::max_element(
        plan->outputs,
        [](const AxisPlan &a, const AxisPlan &b) { return a.local < b.local; });
    if (largest == plan->outputs.end() || largest->local == 1) {
      explain("has nothing left to give up: the grid has " + describeBlocks());
      break;
    }
    if (countThreads() / 2 < minThreads) {
      explain("keeps " + Twine(countThreads()) +
              " threads a block: the grid has " + describeBlocks());
      break;
    }
    int64_t local = largest->local % 2 == 0 ? largest->local / 2 : 1;
    explain("reduces local " + Twine(largest->local) + " of output axis " +
            Twine(largest - plan->outputs.begin()) + " to " + Twine(local) +
            ": the grid has " + describeBlocks());
    largest->local = local;
    keepsThreads = false;
  }
  if (plan->hasWarpTile && !keepsThreads)
    explain("gives up the warp tile: it was a part of more threads");

  SmallVector<OptAttr> opts;
  for (OptAttr opt : schedule.getOpts()) {
    int64_t AxisPlan::*member =
        opt.getKind() == OptKind::Local       ? &AxisPlan::local
        : opt.getKind() == OptKind::Upcast    ? &AxisPlan::upcast
        : opt.getKind() == OptKind::Vectorize ? &AxisPlan::vector
                                              : nullptr;
    if (!member) {
      if (keepsThreads || opt.getKind() != OptKind::Warp)
        opts.push_back(opt);
      continue;
    }
    int64_t amount = plan->outputs[opt.getAxis()].*member;
    if (amount != 1)
      opts.push_back(OptAttr::get(kernel.getContext(), opt.getKind(),
                                  opt.getAxis(), amount));
  }
  return ScheduleAttr::get(kernel.getContext(), opts,
                           schedule.getUpcastLayout());
}
