//===- SharedLifetimes.cpp - When shared memory holds something -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/SharedLifetimes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace uop;

SharedLifetimes::SharedLifetimes(KernelOp kernel)
    : kernel(kernel), accesses(kernel), launch(computeLaunchShape(kernel)) {
  auto number = [&](auto &number, Operation *op) -> void {
    TextInterval span{numOps++, 0};
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          number(number, &inner);
    span.last = numOps - 1;
    spans[op] = span;
    if (auto alloc = dyn_cast<AllocOp>(op))
      if (isWorkgroup(alloc))
        allocs.push_back(alloc);
  };
  number(number, kernel);
  for (const MemoryAccess &access : accesses.getAll())
    accessesOf[access.root].push_back(&access);
}

/// Whether all that is done to the memory is done by accesses that are known.
bool SharedLifetimes::isVisible(Value memref) {
  return llvm::all_of(memref.getUsers(), [&](Operation *user) {
    if (isa<ViewLikeOpInterface>(user))
      return llvm::all_of(user->getResults(),
                          [&](Value result) { return isVisible(result); });
    return isa<memref::DimOp>(user) || !accesses.of(user).empty();
  });
}

/// The innermost block that contains all accesses; null if there are none.
static Block *getCommonBlock(ArrayRef<const MemoryAccess *> accesses) {
  Block *common = nullptr;
  for (const MemoryAccess *access : accesses) {
    Block *block = access->op->getBlock();
    if (!common)
      common = block;
    while (!common->findAncestorOpInBlock(*access->op))
      common = common->getParentOp()->getBlock();
  }
  return common;
}

TextInterval SharedLifetimes::getAccessed(AllocOp alloc) {
  if (!isVisible(alloc))
    return getWhole();
  TextInterval interval = getSpan(alloc);
  ArrayRef<const MemoryAccess *> own = getAccesses(alloc);
  if (Block *block = getCommonBlock(own)) {
    interval = {numOps, 0};
    for (const MemoryAccess *access : own) {
      TextInterval span = getSpan(block->findAncestorOpInBlock(*access->op));
      interval.first = std::min(interval.first, span.first);
      interval.last = std::max(interval.last, span.last);
    }
  }
  if (alloc.getZero())
    interval.first = 0;
  return interval;
}

TextInterval SharedLifetimes::getLifetime(AllocOp alloc) {
  TextInterval interval = getAccessed(alloc);
  ArrayRef<const MemoryAccess *> own = getAccesses(alloc);
  Block *block = getCommonBlock(own);
  if (!block || !isVisible(alloc))
    return interval;
  for (; block->getParentOp() != kernel;
       block = block->getParentOp()->getBlock()) {
    Operation *parent = block->getParentOp();
    if (!isa<LoopLikeOpInterface>(parent) &&
        !parent->getParentOfType<LoopLikeOpInterface>())
      break;
    if (!alloc.getZero() && isRefilled(alloc, block, own, launch))
      break;
    // What an iteration leaves is for the next one.
    if (isa<LoopLikeOpInterface>(parent)) {
      TextInterval loop = getSpan(parent);
      interval = {std::min(interval.first, loop.first),
                  std::max(interval.last, loop.last)};
    }
  }
  return interval;
}
