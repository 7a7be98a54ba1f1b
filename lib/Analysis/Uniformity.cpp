//===- Uniformity.cpp - What is the same for all threads of a block -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Uniformity.h"
#include "Uop/Analysis/MemoryAccess.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

bool Uniformity::mark(ValueRange values) {
  bool changed = false;
  for (Value value : values)
    changed |= varying.insert(value).second;
  return changed;
}

bool Uniformity::isUniformControl(Operation *op) const {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return isUniform(branch.getCondition());
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return isUniform(choice.getArg());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return isUniform(loop.getLowerBound()) && isUniform(loop.getUpperBound()) &&
           isUniform(loop.getStep());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return isUniform(loop.getConditionOp().getCondition());
  if (auto region = dyn_cast<scf::ExecuteRegionOp>(op))
    return region.getRegion().hasOneBlock();
  return false;
}

/// Whether the results of an op without regions differ though its operands do
/// not.
bool Uniformity::isVarying(Operation *op) const {
  if (auto range = dyn_cast<RangeOp>(op))
    return !range.getAxis().isBlockIndex() && range.getConstantExtent() != 1;
  // Whether a lane has a partner depends on the lane.
  if (isa<gpu::ShuffleOp>(op))
    return true;
  if (isMemoryEffectFree(op) || isa<AllocOp>(op))
    return false;
  auto load = dyn_cast<memref::LoadOp>(op);
  return !load || !isa<BlockArgument>(load.getMemRef()) ||
         written.contains(load.getMemRef());
}

/// Marks what becomes varying at an op; false if that is nothing new.
bool Uniformity::spread(Operation *op) {
  bool changed = false;
  if (op->getNumRegions() == 0) {
    if (op->getNumResults() != 0 &&
        (isVarying(op) || llvm::any_of(op->getOperands(), [&](Value operand) {
           return !isUniform(operand);
         })))
      changed |= mark(op->getResults());
    return changed;
  }
  auto join = [&](ValueRange sources, ValueRange targets) {
    for (auto [source, target] : llvm::zip(sources, targets))
      if (!isUniform(source))
        changed |= mark(target);
  };
  bool isUniformOp = isUniformControl(op);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    ValueRange yielded = loop.getYieldedValues();
    join(loop.getInitArgs(), loop.getRegionIterArgs());
    join(yielded, loop.getRegionIterArgs());
    join(loop.getInitArgs(), loop.getResults());
    join(yielded, loop.getResults());
    // The start of the iterations may differ where their end does not.
    join(ValueRange{loop.getLowerBound(), loop.getStep()},
         ValueRange{loop.getInductionVar(), loop.getInductionVar()});
    // Threads that iterate more often have other results.
    if (!isUniformOp)
      changed |= mark(loop.getResults());
    return changed;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    scf::ConditionOp condition = loop.getConditionOp();
    join(loop.getInits(), loop.getBeforeArguments());
    join(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
    join(condition.getArgs(), loop.getAfterArguments());
    join(condition.getArgs(), loop.getResults());
    if (!isUniformOp)
      changed |= mark(loop.getResults());
    return changed;
  }
  // Of any other op: what its regions yield, by the way that is taken.
  bool isKnown = isa<scf::IfOp, scf::IndexSwitchOp>(op) ||
                 (isa<scf::ExecuteRegionOp>(op) && isUniformOp);
  if (!isKnown) {
    changed |= mark(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        changed |= mark(block.getArguments());
    return changed;
  }
  if (!isUniformOp)
    changed |= mark(op->getResults());
  for (Region &region : op->getRegions())
    if (!region.empty())
      join(region.front().getTerminator()->getOperands(), op->getResults());
  return changed;
}

Uniformity::Uniformity(KernelOp kernel) {
  MemoryAccesses accesses(kernel);
  for (const MemoryAccess &access : accesses.getAll())
    if (access.isWrite)
      written.insert(access.root);
  bool changed = true;
  while (changed) {
    changed = false;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != kernel)
        changed |= spread(op);
    });
  }
}
