//===- OptOptions.cpp - Opts as the options of a pass ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptOptions.h"
#include "Uop/Transforms/Mapping.h"

using namespace mlir;
using namespace uop;

LogicalResult uop::parseOpts(MLIRContext *context, StringRef pass,
                             StringRef option, ArrayRef<std::string> pairs,
                             OptKind kind, SmallVectorImpl<OptAttr> &opts) {
  for (auto [index, pair] : llvm::enumerate(pairs)) {
    StringRef text = StringRef(pair).trim();
    if (index == 0)
      text.consume_front("{");
    if (index + 1 == pairs.size())
      text.consume_back("}");
    auto [axisText, amountText] = text.split(':');
    // The amount of a SWAP is an axis.
    int64_t axis, amount, least = kind == OptKind::Swap ? 0 : 1;
    if (axisText.trim().getAsInteger(10, axis) ||
        amountText.trim().getAsInteger(10, amount) || axis < 0 ||
        amount < least)
      return emitError(UnknownLoc::get(context))
             << pass << ": expected " << option
             << " to be a list of axis:amount, with axes from 0 and amounts "
                "from "
             << least << ", such as " << option << "=0:16,1:8, but got '"
             << pair << "'";
    opts.push_back(OptAttr::get(context, kind, axis, amount));
  }
  return success();
}

LogicalResult uop::checkOneTarget(KernelOp kernel, ScheduleAttr schedule) {
  if (!isForOtherTarget(schedule, MappingTarget::GPU) ||
      !isForOtherTarget(schedule, MappingTarget::CPU))
    return success();
  return emitError(kernel.getLoc())
         << "cannot map @" << kernel.getSymName()
         << ": its schedule has opts for a GPU and opts for a CPU; leave out "
            "those for one of them";
}
