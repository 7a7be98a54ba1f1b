//===- MergeGuards.cpp - One guard for accesses under one condition -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowering guards each access by itself. Copies of an access that have one
// condition are together again here: a branch for all of them, and adjacent
// ones in one block, where a back end sees that they are one wide access.
//
// The ops of a block are looked at once, in order. What a later guard needs
// moves in front of the first of its group, if it is arithmetic; the guards
// follow when all groups are known.
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <memory>
#include <vector>

namespace uop {
#define GEN_PASS_DEF_MERGEGUARDS
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

namespace {

/// What an op does to memory.
enum class Access { None, Read, Other };

/// Guards with one condition that become one, where the first of them is.
struct Group {
  SmallVector<scf::IfOp> guards;
  /// Whether memory is read between the group and what is looked at.
  bool isReadSince = false;
};

class BlockMerger {
public:
  explicit BlockMerger(Block &block) : block(block) {}

  /// Returns how many guards have become part of another.
  unsigned run();

private:
  bool join(Group &group, scf::IfOp guard, Access access);
  bool findNeeded(Group &group, scf::IfOp guard,
                  SetVector<Operation *> &needed);
  void build(Group &group);

  Block &block;
  std::vector<std::unique_ptr<Group>> groups;
  /// The groups that a guard with the condition may still join.
  llvm::MapVector<Value, Group *> open;
};

} // namespace

static Access getAccess(Operation *op) {
  if (isMemoryEffectFree(op))
    return Access::None;
  auto effects = getEffectsRecursively(op);
  if (!effects || !llvm::all_of(*effects, [](const auto &instance) {
        return isa<MemoryEffects::Read>(instance.getEffect());
      }))
    return Access::Other;
  return Access::Read;
}

/// The arithmetic after the first guard of the group on which the other guard
/// depends, in an order in which it can be moved; false if there is anything
/// else, or so much that looking at it for each guard takes too long.
bool BlockMerger::findNeeded(Group &group, scf::IfOp guard,
                             SetVector<Operation *> &needed) {
  constexpr unsigned maxNeeded = 256;
  Operation *first = group.guards.front();
  SetVector<Operation *> reached;
  auto reach = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &block || op->isBeforeInBlock(first))
      return true;
    if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
      return false;
    reached.insert(op);
    return reached.size() <= maxNeeded;
  };
  WalkResult result = guard->walk([&](Operation *inner) {
    return WalkResult(success(llvm::all_of(inner->getOperands(), reach)));
  });
  if (result.wasInterrupted())
    return false;
  for (size_t i = 0; i < reached.size(); ++i)
    if (!llvm::all_of(reached[i]->getOperands(), reach))
      return false;
  SmallVector<Operation *> sorted = reached.takeVector();
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  needed.insert_range(sorted);
  return true;
}

/// Makes a guard part of a group, if it may take place that much earlier.
bool BlockMerger::join(Group &group, scf::IfOp guard, Access access) {
  SetVector<Operation *> needed;
  if ((access == Access::Other && group.isReadSince) ||
      !findNeeded(group, guard, needed))
    return false;
  for (Operation *op : needed)
    op->moveBefore(group.guards.front());
  group.guards.push_back(guard);
  return true;
}

/// Makes one guard of those of a group.
void BlockMerger::build(Group &group) {
  if (group.guards.size() == 1)
    return;
  scf::IfOp first = group.guards.front();
  SmallVector<Type> types;
  SmallVector<Location> locations;
  bool hasElse = false;
  for (scf::IfOp guard : group.guards) {
    llvm::append_range(types, guard.getResultTypes());
    locations.push_back(guard.getLoc());
    hasElse |= !guard.getElseRegion().empty();
  }
  IRRewriter rewriter(first);
  auto merged = scf::IfOp::create(
      rewriter, rewriter.getFusedLoc(locations), types, first.getCondition(),
      /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
  auto fill = [&](Block *target, auto getBlock) {
    SmallVector<Value> yielded;
    for (scf::IfOp guard : group.guards) {
      Block *source = getBlock(guard);
      if (!source)
        continue;
      Operation *end = source->getTerminator();
      llvm::append_range(yielded, end->getOperands());
      end->erase();
      target->getOperations().splice(target->end(), source->getOperations());
    }
    rewriter.setInsertionPointToEnd(target);
    scf::YieldOp::create(rewriter, merged.getLoc(), yielded);
  };
  auto clear = [](Block *created) {
    if (!created->empty())
      created->back().erase();
    return created;
  };
  fill(clear(merged.thenBlock()),
       [](scf::IfOp guard) { return guard.thenBlock(); });
  if (hasElse)
    fill(clear(merged.elseBlock()),
         [](scf::IfOp guard) { return guard.elseBlock(); });
  ValueRange results = merged.getResults();
  for (scf::IfOp guard : group.guards) {
    guard->replaceAllUsesWith(results.take_front(guard.getNumResults()));
    results = results.drop_front(guard.getNumResults());
    guard->erase();
  }
}

unsigned BlockMerger::run() {
  unsigned numMerged = 0;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    Access access = getAccess(&op);
    auto guard = dyn_cast<scf::IfOp>(op);
    Group *group = guard ? open.lookup(guard.getCondition()) : nullptr;
    if (group && join(*group, guard, access)) {
      ++numMerged;
    } else if (guard) {
      groups.push_back(std::make_unique<Group>());
      group = groups.back().get();
      group->guards.push_back(guard);
    }
    // Nothing passes what writes, but it may be joined itself.
    if (access == Access::Other)
      open.clear();
    else if (access == Access::Read)
      for (auto &[condition, other] : open)
        other->isReadSince |= other != group;
    if (guard)
      open[guard.getCondition()] = group;
  }
  for (auto &group : groups)
    build(*group);
  return numMerged;
}

namespace {

struct MergeGuards : uop::impl::MergeGuardsBase<MergeGuards> {
  void runOnOperation() override {
    if (getOperation().isGraphForm())
      return markAllAnalysesPreserved();
    numMerged += mergeIn(getOperation().getBody());
  }

  /// Outer blocks first: in guards that become one there may be further ones.
  static unsigned mergeIn(Region &region) {
    unsigned count = 0;
    for (Block &block : region) {
      count += BlockMerger(block).run();
      for (Operation &op : block)
        for (Region &inner : op.getRegions())
          count += mergeIn(inner);
    }
    return count;
  }
};

} // namespace
