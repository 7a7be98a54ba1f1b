//===- StoredArguments.cpp - What a function may write --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/StoredArguments.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace uop;

static bool isStored(Value memref, SmallPtrSetImpl<void *> &visited);

/// Whether the function called `name` may write its argument number `index`.
static bool isStoredBy(Operation *user, SymbolRefAttr name, unsigned index,
                       SmallPtrSetImpl<void *> &visited) {
  auto callee =
      SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(user, name);
  if (!callee || callee.isExternal() || index >= callee.getNumArguments())
    return true;
  return isStored(callee.getArgument(index), visited);
}

static bool isStoredBy(OpOperand &use, SmallPtrSetImpl<void *> &visited) {
  Operation *user = use.getOwner();
  if (isa<ViewLikeOpInterface>(user))
    return llvm::any_of(user->getResults(),
                        [&](Value view) { return isStored(view, visited); });
  if (auto launch = dyn_cast<LaunchOp>(user))
    return isStoredBy(user, launch.getKernelAttr(), use.getOperandNumber(),
                      visited);
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(user)) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernel());
    OperandRange passed = launch.getKernelOperands();
    unsigned index = use.getOperandNumber() -
                     (passed.empty() ? 0 : passed.getBeginOperandIndex());
    if (!kernel || index >= kernel.getNumArguments())
      return true;
    return !kernel.getArgAttr(index,
                              LLVM::LLVMDialect::getReadonlyAttrName()) &&
           isStored(kernel.getArgument(index), visited);
  }
  if (auto call = dyn_cast<CallOpInterface>(user))
    if (auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
      return isStoredBy(user, name,
                        use.getOperandNumber() -
                            call.getArgOperands().getBeginOperandIndex(),
                        visited);
  // An address is asked for to check it; who makes a pointer of the memref may
  // write.
  if (isa<UnrealizedConversionCastOp>(user))
    return true;
  if (llvm::any_of(user->getResults(), [&](Value result) {
        return isa<BaseMemRefType>(result.getType()) &&
               isStored(result, visited);
      }))
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(user);
  // A region that takes it, and the like.
  if (!effects)
    return !isMemoryEffectFree(user);
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  // An effect without a value may be on any.
  return llvm::any_of(instances, [&](auto &instance) {
    return isa<MemoryEffects::Write>(instance.getEffect()) &&
           (!instance.getValue() || instance.getValue() == use.get());
  });
}

static bool isStored(Value memref, SmallPtrSetImpl<void *> &visited) {
  if (!visited.insert(memref.getAsOpaquePointer()).second)
    return false;
  return llvm::any_of(memref.getUses(),
                      [&](OpOperand &use) { return isStoredBy(use, visited); });
}

SmallVector<unsigned> uop::findStoredArguments(FunctionOpInterface function) {
  SmallVector<unsigned> stored;
  for (BlockArgument argument : function.getArguments()) {
    SmallPtrSet<void *, 8> visited;
    if (isa<MemRefType>(argument.getType()) && isStored(argument, visited))
      stored.push_back(argument.getArgNumber());
  }
  return stored;
}
