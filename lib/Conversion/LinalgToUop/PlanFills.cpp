//===- PlanFills.cpp - What an output was filled with ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linalg begins a reduction with the previous value of the output, which is
// what a linalg.fill has just put there. The kernel then begins with that
// value, and the fill goes.
//
//===----------------------------------------------------------------------===//

#include "LinalgToUop.h"

using namespace mlir;
using namespace uop;

bool uop::writesWhole(linalg::LinalgOp op, OpOperand *output) {
  AffineMap map = op.getMatchingIndexingMap(output);
  return map.isProjectedPermutation();
}

/// The fill of the buffer before the op, where nothing has used it since.
static linalg::LinalgOp findFill(linalg::LinalgOp op, OpOperand *output,
                                 const FusionPlan &plan) {
  Value buffer = output->get();
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (fill && fill.getOutputs().front() == buffer)
      return plan.fused.contains(fill) ? linalg::LinalgOp()
                                       : cast<linalg::LinalgOp>(before);
    if (mayAccess(before, buffer))
      return {};
  }
  return {};
}

void uop::planFills(ArrayRef<linalg::LinalgOp> ops, FusionPlan &plan) {
  for (linalg::LinalgOp op : ops)
    for (OpOperand &output : op.getDpsInitsMutable()) {
      bool hasOtherUse =
          llvm::any_of(op->getOpOperands(), [&](OpOperand &other) {
            return &other != &output &&
                   isa<MemRefType>(other.get().getType()) &&
                   compareMemory(other.get(), output.get()) != Overlap::None;
          });
      if (hasOtherUse || !writesWhole(op, &output))
        continue;
      if (linalg::LinalgOp fill = findFill(op, &output, plan)) {
        plan.inits[&output] = fill;
        plan.fused.insert(fill);
      }
    }
}
