//===- PipelineLoop.cpp - A loop that fills tiles ahead -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop is made anew: it counts its iterations, and its body is what stays
// of the old one, between the copies of what fills a tile.
//
//   fill tiles 0 to N-2                     fill tiles 0 to N-2
//   for k:                                  for k:
//     wait for all groups but N-2             load what goes to tile k+N-1
//     barrier                                 compute with tile k
//     issue the copies to tile k+N-1          store it
//     compute with tile k                     (a derived barrier)
//
// A group is made in every iteration, also where nothing is copied any more: so
// the groups to be left are always as many. The barrier after a wait is none
// that is derived: what it orders, copies that take place at some time before
// the wait, nobody else sees.
//
//===----------------------------------------------------------------------===//

#include "TileLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uop;

namespace {

class LoopPipeliner {
public:
  LoopPipeliner(KernelOp kernel, TileLoop &plan, bool isAsync)
      : kernel(kernel), plan(plan), isAsync(isAsync), old(plan.loop),
        b(old.getLoc(), old) {}

  void run();

private:
  using Ops = ArrayRef<Operation *>;

  void makeTiles();
  void buildTripCount();
  Value getIndex(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  /// The variable of the old loop in an iteration.
  Value getVariable(Value iteration);
  /// The tile of an iteration.
  Value getSlot(Value iteration) {
    return b.createOrFold<FloorModOp>(iteration, getIndex(plan.numBuffers));
  }
  /// Whether there is an iteration; null if that is known to be so.
  Value isIteration(Value iteration);

  SmallVector<Operation *> cloneOps(Ops ops, IRMapping &mapping);
  SmallVector<Value> findLoaded();
  void buildFill(Value iteration, Value slot);
  void buildGuardedFill(Value iteration, Value slot);
  SmallVector<Value> buildLoads(Value iteration);
  void buildStores(Value iteration, ValueRange loaded);
  Value buildGroup();
  void moveBody(scf::ForOp loop);
  void redirect(Operation *root, Value slot);
  void redirectAccess(Operation *access, Value slot);
  static void eraseDead(Ops ops);

  KernelOp kernel;
  TileLoop &plan;
  bool isAsync;
  scf::ForOp old;
  ImplicitLocOpBuilder b;
  /// The allocations of N tiles, by those of one.
  llvm::DenseMap<Value, Value> tiles;
  Value tripCount;
};

} // namespace

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

void LoopPipeliner::makeTiles() {
  OpBuilder start = OpBuilder::atBlockBegin(&kernel.getBodyBlock());
  for (AllocOp tile : plan.tiles) {
    auto type = cast<MemRefType>(tile.getType());
    SmallVector<int64_t> shape{plan.numBuffers};
    llvm::append_range(shape, type.getShape());
    auto all = cast<AllocOp>(start.clone(*tile));
    all.getResult().setType(MemRefType::get(
        shape, type.getElementType(), AffineMap(), type.getMemorySpace()));
    all.setBuffers(1);
    tiles[tile] = all.getResult();
  }
}

void LoopPipeliner::buildTripCount() {
  if (std::optional<APInt> count = old.getStaticTripCount();
      count && count->isSignedIntN(63)) {
    tripCount = getIndex(count->getSExtValue());
    return;
  }
  Value distance =
      b.createOrFold<arith::SubIOp>(old.getUpperBound(), old.getLowerBound());
  Value count = b.createOrFold<arith::CeilDivSIOp>(distance, old.getStep());
  tripCount = b.createOrFold<arith::MaxSIOp>(count, getIndex(0));
}

Value LoopPipeliner::getVariable(Value iteration) {
  Value distance = b.createOrFold<arith::MulIOp>(iteration, old.getStep());
  return b.createOrFold<arith::AddIOp>(old.getLowerBound(), distance);
}

Value LoopPipeliner::isIteration(Value iteration) {
  Value result = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                               iteration, tripCount);
  return matchPattern(result, m_One()) ? Value() : result;
}

//===----------------------------------------------------------------------===//
// Copies of what fills a tile
//===----------------------------------------------------------------------===//

SmallVector<Operation *> LoopPipeliner::cloneOps(Ops ops, IRMapping &mapping) {
  return llvm::map_to_vector(
      ops, [&](Operation *op) { return b.clone(*op, mapping); });
}

/// Adds the tile to the indices of an access.
void LoopPipeliner::redirectAccess(Operation *access, Value slot) {
  auto redirect = [&](auto op, unsigned memref) {
    Value all = tiles.lookup(op->getOperand(memref));
    if (!all)
      return;
    SmallVector<Value> indices{slot};
    llvm::append_range(indices, op.getIndices());
    op->setOperand(memref, all);
    op.getIndicesMutable().assign(indices);
  };
  if (auto load = dyn_cast<memref::LoadOp>(access))
    redirect(load, 0);
  else if (auto load = dyn_cast<vector::LoadOp>(access))
    redirect(load, 0);
  else if (auto store = dyn_cast<memref::StoreOp>(access))
    redirect(store, 1);
  else if (auto store = dyn_cast<vector::StoreOp>(access))
    redirect(store, 1);
}

void LoopPipeliner::redirect(Operation *root, Value slot) {
  root->walk([&](Operation *op) { redirectAccess(op, slot); });
}

/// Fills a tile, at the insertion point.
void LoopPipeliner::buildFill(Value iteration, Value slot) {
  IRMapping mapping;
  mapping.map(old.getInductionVar(), getVariable(iteration));
  SmallVector<Operation *> inputs = cloneOps(plan.inputs, mapping);
  SmallVector<Operation *> guards, stores;
  for (Operation *fill : cloneOps(plan.fills, mapping)) {
    if (fill->getNumRegions() != 0)
      guards.push_back(fill);
    fill->walk([&](Operation *op) {
      if (isa<memref::StoreOp, vector::StoreOp>(op))
        stores.push_back(op);
    });
  }
  Divisibility divisibility;
  for (Operation *store : stores) {
    if (!isAsync) {
      redirectAccess(store, slot);
      continue;
    }
    std::optional<CopiedElements> copied =
        getCopiedElements(store, divisibility);
    Value memref = store->getOperand(1);
    SmallVector<Value> indices{slot};
    llvm::append_range(indices, store->getOperands().drop_front(2));
    buildAsyncCopy(store, *copied, tiles.lookup(memref), indices);
  }
  // What was loaded to be stored.
  eraseDead(guards);
  eraseDead(inputs);
}

void LoopPipeliner::buildGuardedFill(Value iteration, Value slot) {
  Value condition = isIteration(iteration);
  if (!condition)
    return buildFill(iteration, slot);
  if (matchPattern(condition, m_Zero()))
    return;
  auto guard = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPoint(guard.thenBlock()->getTerminator());
  buildFill(iteration, slot);
}

/// What is loaded ahead: the values of inputs that read memory which are used
/// by arithmetic or by what stores.
SmallVector<Value> LoopPipeliner::findLoaded() {
  SetVector<Value> loaded;
  for (Operation *input : plan.inputs) {
    if (isMemoryEffectFree(input))
      continue;
    for (Value result : input->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *top = old.getBody()->findAncestorOpInBlock(*user);
            return llvm::is_contained(plan.fills, top) ||
                   (llvm::is_contained(plan.inputs, top) &&
                    isMemoryEffectFree(top));
          }))
        loaded.insert(result);
  }
  return loaded.takeVector();
}

SmallVector<Value> LoopPipeliner::buildLoads(Value iteration) {
  SmallVector<Value> loaded = findLoaded();
  SmallVector<Operation *> inputs;
  auto clone = [&] {
    IRMapping mapping;
    mapping.map(old.getInductionVar(), getVariable(iteration));
    inputs = cloneOps(plan.inputs, mapping);
    return llvm::map_to_vector(
        loaded, [&](Value value) { return mapping.lookup(value); });
  };
  Value condition = isIteration(iteration);
  if (loaded.empty())
    return {};
  if (!condition)
    return clone();
  auto guard = scf::IfOp::create(b, ValueRange(loaded).getTypes(), condition,
                                 /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPointToStart(guard.thenBlock());
  SmallVector<Value> values = clone();
  scf::YieldOp::create(b, values);
  eraseDead(inputs);
  b.setInsertionPointToStart(guard.elseBlock());
  scf::YieldOp::create(
      b, llvm::map_to_vector(loaded, [&](Value value) -> Value {
        return ub::PoisonOp::create(b, value.getType(),
                                    ub::PoisonAttr::get(b.getContext()));
      }));
  return SmallVector<Value>(guard.getResults());
}

void LoopPipeliner::buildStores(Value iteration, ValueRange loaded) {
  Value slot = getSlot(iteration);
  auto build = [&] {
    IRMapping mapping;
    mapping.map(old.getInductionVar(), getVariable(iteration));
    mapping.map(findLoaded(), loaded);
    SmallVector<Operation *> pure = llvm::filter_to_vector(
        plan.inputs, [](Operation *op) { return isMemoryEffectFree(op); });
    SmallVector<Operation *> inputs = cloneOps(pure, mapping);
    for (Operation *fill : cloneOps(plan.fills, mapping))
      redirect(fill, slot);
    eraseDead(inputs);
  };
  Value condition = isIteration(iteration);
  if (!condition)
    return build();
  auto guard = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPoint(guard.thenBlock()->getTerminator());
  build();
}

Value LoopPipeliner::buildGroup() {
  auto group = nvgpu::DeviceAsyncCreateGroupOp::create(
      b, nvgpu::DeviceAsyncTokenType::get(b.getContext()), ValueRange());
  // With nothing behind its name, what comes next would be read as a token.
  group->setAttr("uop.ahead", b.getI64IntegerAttr(plan.numBuffers - 1));
  return group;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Erases ops that nothing uses, the last ones first.
void LoopPipeliner::eraseDead(Ops ops) {
  for (Operation *op : llvm::reverse(ops)) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        eraseDead(llvm::map_to_vector(block,
                                      [](Operation &inner) { return &inner; }));
    if (isOpTriviallyDead(op))
      op->erase();
  }
}

/// Moves what is neither a fill nor a barrier to the end of the new body.
void LoopPipeliner::moveBody(scf::ForOp loop) {
  Value variable = getVariable(loop.getInductionVar());
  Value slot = getSlot(loop.getInductionVar());
  Block *body = old.getBody();
  for (Operation *fill : llvm::reverse(plan.fills))
    fill->erase();
  old.getInductionVar().replaceAllUsesWith(variable);
  for (auto [before, now] :
       llvm::zip(old.getRegionIterArgs(), loop.getRegionIterArgs()))
    before.replaceAllUsesWith(now);
  for (Operation &op : llvm::make_early_inc_range(body->without_terminator())) {
    if (isa<BarrierOp>(op)) {
      op.erase();
      continue;
    }
    op.moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
    redirect(&op, slot);
  }
}

void LoopPipeliner::run() {
  makeTiles();
  buildTripCount();
  Value token;
  for (int64_t ahead = 0; ahead < plan.numBuffers - 1; ++ahead) {
    buildGuardedFill(getIndex(ahead), getIndex(ahead));
    if (isAsync)
      token = buildGroup();
  }
  auto loop = scf::ForOp::create(b, getIndex(0), tripCount, getIndex(1),
                                 old.getInitArgs());
  loop->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  // A loop that carries nothing is made with its terminator.
  Block *body = loop.getBody();
  if (!body->empty())
    body->back().erase();
  b.setInsertionPointToEnd(body);
  Value distance = getIndex(plan.numBuffers - 1);
  Value next = arith::AddIOp::create(b, loop.getInductionVar(), distance);
  SmallVector<Value> loaded;
  if (isAsync) {
    nvgpu::DeviceAsyncWaitOp::create(b, token,
                                     b.getI32IntegerAttr(plan.numBuffers - 2));
    BarrierOp::create(b);
    buildGuardedFill(next, getSlot(next));
    buildGroup();
  } else {
    loaded = buildLoads(next);
  }
  // What stores is made of ops that are about to go; the body comes before it.
  Operation *last = &body->back();
  if (!isAsync)
    buildStores(next, loaded);
  b.setInsertionPointAfter(last);
  moveBody(loop);
  b.setInsertionPointToEnd(body);
  scf::YieldOp::create(b, old.getBody()->getTerminator()->getOperands());
  eraseDead(plan.inputs);
  old.replaceAllUsesWith(loop.getResults());
  old.erase();
  for (AllocOp tile : plan.tiles)
    tile.erase();
}

void uop::pipelineLoop(KernelOp kernel, TileLoop &plan, bool isAsync) {
  LoopPipeliner(kernel, plan, isAsync).run();
}
