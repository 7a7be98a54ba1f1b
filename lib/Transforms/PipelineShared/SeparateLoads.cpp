//===- SeparateLoads.cpp - Bring loads out of what fills tiles ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is loaded ahead waits in registers until it may be stored. So loads come
// before all stores, in a block of their own: an op that has both is made two.
//
//===----------------------------------------------------------------------===//

#include "TileLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uop;

/// A thread has so many registers; loops of more iterations fill tiles that are
/// too large for them.
static constexpr int64_t kMaxIterations = 32;

static bool hasLoads(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<memref::LoadOp, vector::LoadOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isStore(Operation &op) {
  return isa<memref::StoreOp, vector::StoreOp>(op);
}

/// Makes two of a guard of loads and stores: what is stored is computed in the
/// first, and stored in the second, with the indices that it has there.
static LogicalResult splitGuard(scf::IfOp guard, std::string &reason) {
  Block *block = guard.thenBlock();
  if (!guard.getElseRegion().empty() || llvm::any_of(*block, [](Operation &op) {
        return op.getNumRegions() != 0;
      })) {
    reason = "what fills it is under more than one guard";
    return failure();
  }
  SmallVector<Value> values;
  for (Operation &op : *block)
    if (isStore(op) && op.getOperand(0).getParentBlock() == block &&
        !llvm::is_contained(values, op.getOperand(0)))
      values.push_back(op.getOperand(0));
  if (values.empty())
    return success();
  OpBuilder builder(guard);
  Location loc = guard.getLoc();
  auto loads = scf::IfOp::create(builder, loc, ValueRange(values).getTypes(),
                                 guard.getCondition(), /*addThenBlock=*/true,
                                 /*addElseBlock=*/true);
  IRMapping mapping;
  builder.setInsertionPointToStart(loads.thenBlock());
  for (Operation &op : block->without_terminator())
    if (!isStore(op))
      builder.clone(op, mapping);
  scf::YieldOp::create(builder, loc,
                       llvm::map_to_vector(values, [&](Value value) {
                         return mapping.lookup(value);
                       }));
  builder.setInsertionPointToStart(loads.elseBlock());
  scf::YieldOp::create(
      builder, loc, llvm::map_to_vector(values, [&](Value value) -> Value {
        return ub::PoisonOp::create(builder, loc, value.getType(),
                                    ub::PoisonAttr::get(builder.getContext()));
      }));
  for (Operation &op : *block)
    if (isStore(op))
      if (auto it = llvm::find(values, op.getOperand(0)); it != values.end())
        op.setOperand(0, loads.getResult(it - values.begin()));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return success();
}

/// Unrolls the loops of a fill, inner ones first.
static LogicalResult unrollLoops(Operation *fill, std::string &reason) {
  SmallVector<scf::ForOp> loops;
  int64_t total = 1;
  fill->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    std::optional<APInt> count = loop.getStaticTripCount();
    int64_t iterations =
        count ? count->getLimitedValue(kMaxIterations + 1) : kMaxIterations + 1;
    total =
        std::min(total * std::max<int64_t>(iterations, 1), kMaxIterations + 1);
  }
  if (total > kMaxIterations) {
    reason = "a thread fills it in a loop of more than " +
             std::to_string(kMaxIterations) +
             " iterations, or an unknown "
             "number";
    return failure();
  }
  for (scf::ForOp loop : loops)
    if (failed(loopUnrollFull(loop))) {
      reason = "the loop in which a thread fills it cannot be unrolled";
      return failure();
    }
  return success();
}

LogicalResult uop::separateLoads(TileLoop &plan, std::string &reason) {
  for (Operation *fill : plan.fills)
    if (hasLoads(fill) && failed(unrollLoops(fill, reason)))
      return failure();
  // The loops are gone, and their bodies are in the block.
  SmallVector<scf::IfOp> guards;
  for (auto guard : plan.loop.getBody()->getOps<scf::IfOp>())
    if (guard.getNumResults() == 0 && hasLoads(guard) &&
        guard
            ->walk([&](Operation *op) {
              return isStore(*op) && plan.isTile(op->getOperand(1))
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted())
      guards.push_back(guard);
  for (scf::IfOp guard : guards)
    if (failed(splitGuard(guard, reason)))
      return failure();
  return success();
}
