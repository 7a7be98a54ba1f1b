//===- TileLoop.cpp - A loop that fills tiles and reads them --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoop.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace uop;

static std::string getName(Operation *op) {
  return op->getName().getStringRef().str();
}

static bool isLoad(Operation *op) {
  return isa<memref::LoadOp, vector::LoadOp>(op);
}

static bool isStore(Operation *op) {
  return isa<memref::StoreOp, vector::StoreOp>(op);
}

static ValueRange getStoreIndices(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getIndices();
  return cast<vector::StoreOp>(op).getIndices();
}

scf::ForOp uop::findTileLoop(AllocOp tile, std::string &reason) {
  Operation *common = nullptr;
  for (Operation *user : tile->getUsers()) {
    if (!isLoad(user) && !isStore(user)) {
      reason = "it is used by " + getName(user) +
               ", and only loads and stores of elements are followed";
      return {};
    }
    if (!common)
      common = user->getParentOfType<scf::ForOp>();
    while (common && !common->isProperAncestor(user))
      common = common->getParentOfType<scf::ForOp>();
    if (!common)
      break;
  }
  if (!common)
    reason = "there is no scf.for around all of its accesses";
  return cast_or_null<scf::ForOp>(common);
}

namespace {

class Planner {
public:
  Planner(KernelOp kernel, scf::ForOp loop, ArrayRef<AllocOp> tiles,
          std::string &reason)
      : kernel(kernel), accesses(kernel), reason(reason) {
    plan.loop = loop;
    plan.tiles.assign(tiles.begin(), tiles.end());
    for (const MemoryAccess &access : accesses.getAll())
      if (access.isWrite)
        written.insert(access.root);
  }

  FailureOr<TileLoop> run();

private:
  LogicalResult fail(const Twine &why) {
    reason = why.str();
    return failure();
  }

  LogicalResult checkLoop();
  LogicalResult findFills();
  LogicalResult checkFill(Operation *fill);
  LogicalResult checkInput(Operation *input);
  LogicalResult checkReads(Operation *op);
  LogicalResult findInputs();
  bool isInvariant(Value value);

  KernelOp kernel;
  MemoryAccesses accesses;
  std::string &reason;
  TileLoop plan;
  llvm::DenseSet<Value> written;
  llvm::DenseMap<Value, bool> invariant;
};

} // namespace

LogicalResult Planner::checkLoop() {
  scf::ForOp loop = plan.loop;
  if (loop.getUnsignedCmp() || !loop.getInductionVar().getType().isIndex())
    return fail("its loop does not count signed index values");
  if (kernel.walk([](PhaseOp) { return WalkResult::interrupt(); })
          .wasInterrupted())
    return fail("the kernel is written in phases");
  Uniformity uniformity(kernel);
  for (Operation *op = loop; op != kernel; op = op->getParentOp())
    if (!uniformity.isUniformControl(op))
      return fail("threads may come to its loop differently often");
  plan.numBuffers = plan.tiles.front().getBuffers();
  for (AllocOp tile : plan.tiles)
    plan.numBuffers = std::min<int64_t>(plan.numBuffers, tile.getBuffers());
  return success();
}

/// Whether the value is the same in all iterations of the loop.
bool Planner::isInvariant(Value value) {
  if (auto it = invariant.find(value); it != invariant.end())
    return it->second;
  bool result = false;
  if (!plan.loop->isProperAncestor(value.getParentBlock()->getParentOp()) &&
      value.getParentBlock() != plan.loop.getBody()) {
    result = true;
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto inner = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    result = inner && inner != plan.loop && inner.getInductionVar() == value &&
             isInvariant(inner.getLowerBound()) &&
             isInvariant(inner.getUpperBound()) && isInvariant(inner.getStep());
  } else {
    Operation *op = value.getDefiningOp();
    result = op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
             llvm::all_of(op->getOperands(),
                          [&](Value operand) { return isInvariant(operand); });
  }
  return invariant[value] = result;
}

/// What is read ahead must be what is read in its turn.
LogicalResult Planner::checkReads(Operation *op) {
  for (const MemoryAccess &access : accesses.of(op)) {
    if (access.isWrite)
      continue;
    if (access.isShared())
      return fail("what fills it reads shared memory");
    if (written.contains(access.root))
      return fail("what fills it reads an argument that the kernel stores to");
  }
  bool isKnown = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                 isMemoryEffectFree(op) || !accesses.of(op).empty();
  return isKnown ? success() : fail("what fills it does " + getName(op));
}

LogicalResult Planner::checkFill(Operation *fill) {
  WalkResult result = fill->walk([&](Operation *op) {
    if (isStore(op)) {
      Value memref = isa<memref::StoreOp>(op)
                         ? cast<memref::StoreOp>(op).getMemRef()
                         : cast<vector::StoreOp>(op).getBase();
      if (!plan.isTile(memref)) {
        (void)fail("what fills it also stores to other memory");
        return WalkResult::interrupt();
      }
      for (Value index : getStoreIndices(op))
        if (!isInvariant(index)) {
          (void)fail("not every iteration fills the same elements");
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    }
    for (const MemoryAccess &access : accesses.of(op))
      if (access.isWrite) {
        (void)fail("what fills it also writes by " + getName(op));
        return WalkResult::interrupt();
      }
    bool holdsStores = op->getNumRegions() != 0 &&
                       op->walk([&](Operation *inner) {
                           return isStore(inner) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
                         }).wasInterrupted();
    if (holdsStores) {
      if (!isa<scf::IfOp, scf::ForOp>(op) || op->getNumResults() != 0) {
        (void)fail("what fills it is in " + getName(op) +
                   (op->getNumResults() != 0 ? " with results" : ""));
        return WalkResult::interrupt();
      }
      for (Value operand : op->getOperands())
        if (!isInvariant(operand)) {
          (void)fail("not every iteration fills the same elements");
          return WalkResult::interrupt();
        }
    }
    return failed(checkReads(op)) ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Planner::checkInput(Operation *input) {
  WalkResult result = input->walk([&](Operation *op) {
    for (const MemoryAccess &access : accesses.of(op))
      if (access.isWrite) {
        (void)fail("what fills it also writes by " + getName(op));
        return WalkResult::interrupt();
      }
    return failed(checkReads(op)) ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Planner::findFills() {
  Block *body = plan.loop.getBody();
  SetVector<Operation *> fills;
  for (AllocOp tile : plan.tiles)
    for (Operation *user : tile->getUsers())
      if (isStore(user))
        fills.insert(body->findAncestorOpInBlock(*user));
  if (fills.empty())
    return fail("nothing in its loop fills it");
  for (AllocOp tile : plan.tiles) {
    Operation *firstReader = nullptr, *lastFill = nullptr;
    for (Operation *user : tile->getUsers()) {
      Operation *op = body->findAncestorOpInBlock(*user);
      if (isStore(user)) {
        if (!lastFill || lastFill->isBeforeInBlock(op))
          lastFill = op;
      } else if (!firstReader || op->isBeforeInBlock(firstReader)) {
        firstReader = op;
      }
    }
    if (!lastFill)
      return fail("nothing in its loop fills it");
    if (firstReader && !lastFill->isBeforeInBlock(firstReader))
      return fail("it is read before all of it is filled");
  }
  plan.fills = fills.takeVector();
  llvm::sort(plan.fills,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *fill : plan.fills)
    if (failed(checkFill(fill)))
      return failure();
  return success();
}

LogicalResult Planner::findInputs() {
  Block *body = plan.loop.getBody();
  SetVector<Operation *> reached;
  SmallVector<Operation *> todo(plan.fills);
  while (!todo.empty()) {
    Operation *op = todo.pop_back_val();
    SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used) {
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() == body &&
            argument != plan.loop.getInductionVar())
          return fail("what fills it depends on what its loop carries");
        continue;
      }
      Operation *input = value.getDefiningOp();
      if (input->getBlock() != body || !reached.insert(input))
        continue;
      if (failed(checkInput(input)))
        return failure();
      todo.push_back(input);
    }
  }
  plan.inputs = reached.takeVector();
  llvm::sort(plan.inputs,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return success();
}

FailureOr<TileLoop> Planner::run() {
  if (failed(checkLoop()) || failed(findFills()) || failed(findInputs()))
    return failure();
  return std::move(plan);
}

FailureOr<TileLoop> uop::planTileLoop(KernelOp kernel, scf::ForOp loop,
                                      ArrayRef<AllocOp> tiles,
                                      std::string &reason) {
  return Planner(kernel, loop, tiles, reason).run();
}
