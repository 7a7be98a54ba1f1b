//===- Tokens.cpp - The order of what the host asks for -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tokens.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

WalkResult uop::walkHost(ModuleOp module,
                         function_ref<WalkResult(Operation *)> visit) {
  return module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    return visit(op);
  });
}

//===----------------------------------------------------------------------===//
// Kernels that may wait
//===----------------------------------------------------------------------===//

static bool mayRead(Operation *op) {
  WalkResult walk = op->walk([](Operation *inner) {
    // Effects of what is inside are seen there.
    bool reads =
        !inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
        (hasEffect<MemoryEffects::Read>(inner) || hasUnknownEffects(inner));
    return reads ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

// Whether the kernel has a loop whose end may depend on memory that is read in
// it. A loop with a trip count ends by itself.
static bool mayWait(gpu::GPUFuncOp kernel) {
  WalkResult walk = kernel.walk([](scf::WhileOp loop) {
    return mayRead(loop) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return true;
  DominanceInfo dominance(kernel);
  walk = kernel.walk([&](Operation *op) {
    for (Region &region : op->getRegions()) {
      if (region.empty() || region.hasOneBlock())
        continue;
      CFGLoopInfo loops(dominance.getDomTree(&region));
      for (CFGLoop *loop : loops.getTopLevelLoops())
        for (Block *block : loop->getBlocks())
          for (Operation &inner : *block)
            if (mayRead(&inner))
              return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return walk.wasInterrupted();
}

static bool runsBesideHost(Operation *op) {
  auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
  if (!launch || !launch.getAsyncToken())
    return false;
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernel());
  return kernel && mayWait(kernel);
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

// Takes the dependencies away, and returns them.
static SmallVector<Value> takeDependencies(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case<gpu::WaitOp, gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp,
            gpu::MemsetOp, gpu::LaunchFuncOp>([](auto async) {
        SmallVector<Value> tokens(async.getAsyncDependencies());
        async.getAsyncDependenciesMutable().clear();
        return tokens;
      })
      .Default([](Operation *) { return SmallVector<Value>(); });
}

static Value getToken(Operation *op) {
  auto async = dyn_cast<gpu::AsyncOpInterface>(op);
  return async ? async.getAsyncToken() : Value();
}

// Puts a bit wherever a token is; nobody reads it.
static void dropTokens(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    takeDependencies(op);
    Value token = getToken(op);
    if (!token || token.use_empty())
      continue;
    ImplicitLocOpBuilder b(op->getLoc(), op);
    token.replaceAllUsesWith(arith::ConstantIntOp::create(b, 0, 1));
  }
}

static async::ExecuteOp createRegion(ImplicitLocOpBuilder &b,
                                     ValueRange dependencies) {
  return async::ExecuteOp::create(
      b, TypeRange(), dependencies, ValueRange(),
      [](OpBuilder &builder, Location loc, ValueRange) {
        async::YieldOp::create(builder, loc, ValueRange());
      });
}

// A launch that may wait runs in an asynchronous region, and so does a wait
// that makes a token. The host does all the rest itself, as soon as it may.
static void lowerToAsync(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    bool isBeside = runsBesideHost(op);
    SmallVector<Value> dependencies = takeDependencies(op);
    Value token = getToken(op);
    ImplicitLocOpBuilder b(op->getLoc(), op);
    bool isDeferred = isBeside || (isa<gpu::WaitOp>(op) && token);
    if (!isDeferred) {
      for (Value dependency : dependencies)
        async::AwaitOp::create(b, dependency);
      dependencies.clear();
    }
    if (!token)
      continue;
    b.setInsertionPointAfter(op);
    async::ExecuteOp region = createRegion(b, dependencies);
    token.replaceAllUsesWith(region.getToken());
    if (!isBeside)
      continue;
    // What waits for a token is resumed on the thread that makes it available,
    // and keeps all else from being resumed there. A kernel may wait for
    // another one: it goes to the pool of threads once more.
    if (!dependencies.empty()) {
      b.setInsertionPointToStart(region.getBody());
      async::ExecuteOp kernel = createRegion(b, {});
      async::AwaitOp::create(b, kernel.getToken());
      region = kernel;
    }
    op->moveBefore(region.getBody()->getTerminator());
  }
}

void uop::lowerTokens(ModuleOp module, ArrayRef<Operation *> ops,
                      bool mayRunBeside) {
  bool isAsync = mayRunBeside && llvm::any_of(ops, runsBesideHost);
  if (isAsync)
    lowerToAsync(ops);
  else
    dropTokens(ops);
  AttrTypeReplacer replacer;
  replacer.addReplacement([isAsync](gpu::AsyncTokenType type) -> Type {
    if (isAsync)
      return async::TokenType::get(type.getContext());
    return IntegerType::get(type.getContext(), 1);
  });
  walkHost(module, [&](Operation *op) {
    // The token of a launch goes with it.
    if (!isa<gpu::LaunchFuncOp>(op))
      replacer.replaceElementsIn(op, /*replaceAttrs=*/true,
                                 /*replaceLocs=*/false, /*replaceTypes=*/true);
    return WalkResult::advance();
  });
}
