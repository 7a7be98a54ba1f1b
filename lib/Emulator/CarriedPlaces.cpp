//===- CarriedPlaces.cpp - One place for what a loop carries --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedPlaces.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

// Whether no op after `last`, in the same block, reads the value. An integer or
// a view that is made of it may be computed again wherever it is used.
static bool isReadUpTo(Value value, Operation *last) {
  SmallVector<Value> todo{value};
  llvm::DenseSet<Value> seen{value};
  while (!todo.empty()) {
    for (OpOperand &use : todo.pop_back_val().getUses()) {
      Operation *user =
          last->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if (!user || (user != last && !user->isBeforeInBlock(last)))
        return false;
      for (Value result : use.getOwner()->getResults())
        if ((result.getType().isIntOrIndex() ||
             isa<BaseMemRefType>(result.getType())) &&
            seen.insert(result).second)
          todo.push_back(result);
    }
  }
  return true;
}

llvm::DenseMap<Value, Value>
uop::findCarriedPlaces(const KernelAnalysis &analysis) {
  llvm::DenseMap<Value, Value> result;
  gpu::GPUFuncOp kernel = analysis.kernel();
  auto hasArray = [&](Value value) {
    return analysis.remembered().contains(value) && !analysis.isUniform(value);
  };
  kernel.walk([&](scf::ForOp loop) {
    for (auto [variable, next] :
         llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
      Operation *op = next.getDefiningOp();
      if (op && op->getBlock() == loop.getBody() && hasArray(variable) &&
          hasArray(next) && isReadUpTo(variable, op))
        result.try_emplace(next, variable);
    }
  });
  return result;
}
