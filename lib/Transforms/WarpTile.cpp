//===- WarpTile.cpp - Which threads of a block a warp has -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware makes a warp of 32 threads in order: x first, then y. A block of
// 16 x 16 threads has warps of 2 x 16. A warp tile of another shape needs one
// dimension, of which the lanes are the innermost 32 points.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// Checks that the lanes along each axis are a part of its threads.
static LogicalResult checkAxes(KernelOp kernel, const MappingPlan &plan) {
  int64_t lanes = 1;
  bool isTooMany = false;
  for (auto [number, output] : llvm::enumerate(plan.outputs)) {
    if (output.warp == 1)
      continue;
    std::string opt =
        "WARP " + std::to_string(number) + ":" + std::to_string(output.warp);
    if (output.local == 1)
      return refuseMapping(kernel)
             << opt << " expects threads along output axis " << number
             << ", but it has none; give it LOCAL " << number << ":"
             << output.warp;
    if (output.local % output.warp != 0)
      return refuseMapping(kernel)
             << opt << " expects an amount that divides the " << output.local
             << " threads along output axis " << number << "; choose "
             << describeNearestDivisors(output.local, output.warp);
    isTooMany |= llvm::MulOverflow(lanes, output.warp, lanes) != 0;
  }
  if (lanes == kWarpSize && !isTooMany)
    return success();
  InFlightDiagnostic diag = refuseMapping(kernel);
  diag << "the WARP opts make ";
  if (isTooMany)
    diag << "more threads than 64 bits hold";
  else
    diag << lanes << (lanes == 1 ? " thread" : " threads");
  return diag << ", but a warp has " << kWarpSize
              << "; choose amounts of which the product is that";
}

/// Checks that nothing else has a part in the order of the threads.
static LogicalResult checkBlock(KernelOp kernel, const MappingPlan &plan) {
  for (auto [number, reduce] : llvm::enumerate(plan.reduces))
    if (reduce.group != 1)
      return refuseMapping(kernel)
             << "WARP arranges the threads along output axes, but "
             << reduce.group << " threads reduce along reduce axis " << number
             << "; leave WARP out, or "
             << (reduce.isGroupOutermost ? "GROUPTOP" : "GROUP");
  for (RangeOp range : kernel.getBodyBlock().getOps<RangeOp>()) {
    AxisAttr axis = range.getAxis();
    if (!axis.isThreadIndex())
      continue;
    InFlightDiagnostic diag =
        refuseMapping(kernel)
        << "WARP arranges all threads of a block, but it has a range on axis '"
        << axis.str()
        << "'; make it loop, and give it LOCAL, or leave WARP out";
    diag.attachNote(range.getLoc()) << "the range is defined here";
    return diag;
  }
  return success();
}

LogicalResult uop::assignWarpTile(KernelOp kernel, MappingPlan &plan) {
  if (!plan.hasWarpTile)
    return success();
  if (failed(checkAxes(kernel, plan)) || failed(checkBlock(kernel, plan)))
    return failure();
  SmallVector<size_t> axes;
  SmallVector<std::string> numbers;
  std::string shape;
  for (size_t number : plan.placement) {
    const AxisPlan &output = plan.outputs[number];
    if (!output.isOpen() || output.local == 1)
      continue;
    axes.push_back(number);
    numbers.push_back(std::to_string(number));
    shape += (shape.empty() ? "" : " x ") + std::to_string(output.warp);
  }
  plan.threadAxes = {axes, {}, {}};
  plan.decisions.push_back("folds the threads of output axes " +
                           describeList(numbers) + " onto x, so that a warp " +
                           "has " + shape + " of them");
  return success();
}
