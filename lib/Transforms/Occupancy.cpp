//===- Occupancy.cpp - Blocks that share a multiprocessor -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Occupancy.h"
#include "MappingPlan.h"

using namespace mlir;
using namespace uop;

/// The registers of a thread that hold partial results of reductions.
static int64_t countAccumulators(KernelOp kernel, const MappingPlan &plan,
                                 FreeRanges &freeRanges) {
  int64_t registers = 0;
  for (auto reduce : kernel.getBodyBlock().getOps<ReduceOp>())
    for (Value result : reduce.getResults()) {
      int64_t words = llvm::divideCeil(getStoredBytes(result.getType()), 4);
      for (const AxisPlan &output : plan.outputs)
        if (llvm::any_of(getPlannedRanges(output), [&](RangeOp range) {
              return freeRanges.isFreeIn(result, range);
            }))
          words *= output.upcast * output.vector;
      registers += words;
    }
  return registers;
}

int64_t uop::getBlocksPerMultiprocessor(KernelOp kernel, ScheduleAttr schedule,
                                        const GPUTarget &target) {
  constexpr int64_t blocks = 2;
  FailureOr<MappingPlan> plan =
      tryMapping(kernel, schedule, MappingTarget::GPU);
  if (failed(plan) || plan->stages.empty())
    return 1;
  int64_t threads = 1;
  for (const AxisPlan &output : plan->outputs)
    threads *= output.local;
  for (const ReducePlan &reduce : plan->reduces)
    threads *= reduce.group;
  int64_t registers = target.registersPerMultiprocessor / (blocks * threads);
  FreeRanges freeRanges;
  if (blocks * threads > target.maxThreadsPerMultiprocessor ||
      registers >= target.maxRegistersPerThread ||
      2 * countAccumulators(kernel, *plan, freeRanges) > registers)
    return 1;
  TilePoints points(kernel, *plan);
  int64_t bytes = 0;
  for (const StagePlan &stage : plan->stages) {
    std::string reason;
    FailureOr<TilePlan> tile =
        findTile(kernel, stage.load, points, freeRanges, reason);
    if (failed(tile))
      return 1;
    bytes += stage.buffers * tile->getBytes();
  }
  return blocks * getAllocatedSharedBytes(target, bytes) <=
                 target.sharedMemoryPerMultiprocessor
             ? blocks
             : 1;
}
