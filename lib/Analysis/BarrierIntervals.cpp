//===- BarrierIntervals.cpp - What happens between two barriers -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/BarrierIntervals.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uop;

bool uop::isExecuted(scf::ForOp loop) {
  std::optional<int64_t> low = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> high = getConstantIntValue(loop.getUpperBound());
  return low && high && *low < *high && !loop.getUnsignedCmp();
}

/// A value before the first iteration of a while loop, where constants alone
/// make it up.
static Attribute evaluateFirst(Value value, scf::WhileOp loop) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == loop.getBeforeBody())
      matchPattern(loop.getInits()[argument.getArgNumber()],
                   m_Constant(&constant));
    return constant;
  }
  Operation *op = value.getDefiningOp();
  if (op->getBlock() != loop.getBeforeBody() || op->getNumRegions() != 0 ||
      op->getNumResults() != 1 || !isMemoryEffectFree(op))
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(evaluateFirst(operand, loop));
    if (!operands.back())
      return {};
  }
  // Folding may change an op in place, which is not asked for here.
  Operation *copy = op->cloneWithoutRegions();
  SmallVector<OpFoldResult> results;
  Attribute result;
  if (succeeded(copy->fold(operands, results)) && results.size() == 1)
    result = dyn_cast<Attribute>(results.front());
  copy->destroy();
  return result;
}

bool uop::isExecuted(scf::WhileOp loop) {
  auto condition = dyn_cast_or_null<IntegerAttr>(
      evaluateFirst(loop.getConditionOp().getCondition(), loop));
  return condition && !condition.getValue().isZero();
}

BarrierIntervals::BarrierIntervals(KernelOp kernel,
                                   const MemoryAccesses &accesses,
                                   const Uniformity &uniformity)
    : kernel(kernel), accesses(accesses), uniformity(uniformity) {
  // The conversion to the gpu dialect puts a barrier before each phase but the
  // first to be executed, and after a phase where its memory is read outside.
  SmallVector<PhaseOp> phases;
  bool readsOutside = false;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<BarrierOp, PhaseOp>(op))
      for (Operation *parent = op->getParentOp(); parent != kernel;
           parent = parent->getParentOp())
        withBarriers.insert(parent);
    if (auto phase = dyn_cast<PhaseOp>(op)) {
      phases.push_back(phase);
      return WalkResult::skip();
    }
    readsOutside |= !accesses.of(op).empty();
    return WalkResult::advance();
  });
  for (auto [index, phase] : llvm::enumerate(phases)) {
    if (index != 0 || phase->getParentOfType<scf::ForOp>() ||
        phase->getParentOfType<scf::WhileOp>())
      barrierBefore.insert(phase);
    if (readsOutside && phase->getNextNode() &&
        !isa<PhaseOp, BarrierOp>(phase->getNextNode()))
      barrierAfter.insert(phase);
  }
}

void BarrierIntervals::visit(Visitor visit) {
  visitor = &visit;
  inserter = nullptr;
  run();
}

void BarrierIntervals::order(Visitor visit, Inserter insert) {
  visitor = &visit;
  inserter = &insert;
  run();
}

void BarrierIntervals::run() {
  loops.clear();
  visitBlock(kernel.getBodyBlock());
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

/// Whether nothing of the pairs has to be ordered by a barrier.
bool BarrierIntervals::isOrdered(const ExposedList &before,
                                 const ExposedList &after, Operation *carrier,
                                 bool isNext, bool isCertain) {
  bool result = true;
  ArrayRef<Operation *> same(loops);
  if (carrier)
    same = same.drop_back();
  for (const Exposed &second : after)
    for (const Exposed &first : before) {
      if (!first.access->conflictsWith(*second.access))
        continue;
      Meeting meeting{first.access, second.access, same, carrier};
      if (carrier && isNext)
        meeting.distance = 1;
      meeting.firstPins = first.pinned;
      meeting.secondPins = second.pinned;
      meeting.isCertain = isCertain && first.isCertain && second.isCertain;
      if ((*visitor)(meeting)) {
        result = false;
        // One reason is enough.
        if (inserter)
          return false;
      }
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Blocks and ops
//===----------------------------------------------------------------------===//

void BarrierIntervals::append(Summary &before, Summary after) {
  if (before.isOpen)
    for (Exposed exposed : after.entry) {
      exposed.isCertain &= before.isFree;
      before.entry.push_back(exposed);
    }
  if (!after.isOpen)
    before.exit.clear();
  if (!after.isFree)
    for (Exposed &exposed : before.exit)
      exposed.isCertain = false;
  llvm::append_range(before.exit, after.exit);
  before.isOpen &= after.isOpen;
  before.isFree &= after.isFree;
}

BarrierIntervals::Summary BarrierIntervals::visitBlock(Block &block) {
  Summary summary;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    Summary next = visitOp(&op);
    if (next.entry.empty() && next.exit.empty() && next.isFree)
      continue;
    if (!isOrdered(summary.exit, next.entry, nullptr, false, true) &&
        inserter) {
      inserted[&block].push_back((*inserter)(&op));
      append(summary, Summary{{}, {}, /*isOpen=*/false, /*isFree=*/false});
    }
    append(summary, std::move(next));
  }
  return summary;
}

bool BarrierIntervals::isLeaf(Operation *op) const {
  if (op->getNumRegions() == 0 || isa<PhaseOp>(op) || !isUniformControl(op))
    return true;
  if (isa<scf::ForOp, scf::WhileOp>(op))
    return false;
  return !isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op) ||
         llvm::any_of(op->getRegions(), [](Region &region) {
           return !region.empty() && !region.hasOneBlock();
         });
}

BarrierIntervals::Summary BarrierIntervals::visitOp(Operation *op) {
  if (isa<BarrierOp>(op))
    return {{}, {}, /*isOpen=*/false, /*isFree=*/false};
  if (auto phase = dyn_cast<PhaseOp>(op))
    return visitPhase(phase);
  if (isLeaf(op))
    return visitLeaf(op);
  if (isa<scf::ForOp, scf::WhileOp>(op))
    return visitLoop(op);
  Summary summary;
  summary.isOpen = false;
  for (Region &region : op->getRegions()) {
    if (region.empty()) {
      summary.isOpen = true;
      continue;
    }
    Summary way = visitBlock(region.front());
    llvm::append_range(summary.entry, way.entry);
    llvm::append_range(summary.exit, way.exit);
    summary.isOpen |= way.isOpen;
    summary.isFree &= way.isFree;
  }
  return summary;
}

/// An op without barriers, or one through which threads go in different ways:
/// anything in it may happen at once.
BarrierIntervals::Summary BarrierIntervals::visitLeaf(Operation *op) {
  Summary summary;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    for (const MemoryAccess &access : accesses.of(inner))
      summary.exit.push_back({&access});
  });
  for (size_t i = 0; i < summary.exit.size(); ++i)
    for (size_t j = i; j < summary.exit.size(); ++j) {
      const MemoryAccess *first = summary.exit[i].access;
      const MemoryAccess *second = summary.exit[j].access;
      if (!first->conflictsWith(*second))
        continue;
      Meeting meeting{first, second, loops};
      meeting.isOrderable = false;
      (*visitor)(meeting);
    }
  summary.entry = summary.exit;
  return summary;
}

BarrierIntervals::Summary BarrierIntervals::visitPhase(PhaseOp phase) {
  Summary inner = visitLeaf(phase), summary;
  if (barrierBefore.contains(phase))
    append(summary, {{}, {}, /*isOpen=*/false, /*isFree=*/false});
  append(summary, std::move(inner));
  if (barrierAfter.contains(phase))
    append(summary, {{}, {}, /*isOpen=*/false, /*isFree=*/false});
  return summary;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

BarrierIntervals::ExposedList
BarrierIntervals::pin(ExposedList list, Operation *loop, int64_t iteration) {
  for (Exposed &exposed : list)
    exposed.pinned =
        new (allocator) PinnedLoops{loop, iteration, exposed.pinned};
  return list;
}

/// One iteration. In `exit` is what is exposed where the loop ends: of a while
/// loop what comes before the condition, for the last time.
BarrierIntervals::Summary BarrierIntervals::visitIteration(Operation *loop,
                                                           ExposedList *exit) {
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    Summary body = visitBlock(*counted.getBody());
    *exit = body.exit;
    return body;
  }
  auto uncounted = cast<scf::WhileOp>(loop);
  Summary body = visitBlock(*uncounted.getBeforeBody());
  *exit = body.exit;
  bool isOpen = body.isOpen;
  Block &after = *uncounted.getAfterBody();
  // As one block: what is in the second part follows what is in the first.
  Summary rest;
  {
    Summary before = body;
    for (Operation &op : llvm::make_early_inc_range(after)) {
      Summary next = visitOp(&op);
      if (next.entry.empty() && next.exit.empty() && next.isFree)
        continue;
      if (!isOrdered(before.exit, next.entry, nullptr, false, true) &&
          inserter) {
        inserted[&after].push_back((*inserter)(&op));
        append(before, Summary{{}, {}, /*isOpen=*/false, /*isFree=*/false});
        append(rest, Summary{{}, {}, /*isOpen=*/false, /*isFree=*/false});
      }
      append(rest, next);
      append(before, std::move(next));
    }
    body = std::move(before);
  }
  if (isOpen)
    llvm::append_range(*exit, rest.exit);
  return body;
}

/// The op of the body in front of which a barrier orders what is in different
/// iterations of the loop; null if all is ordered, or if nothing is inserted.
Operation *BarrierIntervals::findCarried(Operation *loop, const Summary &body) {
  for (const Exposed &second : body.entry)
    if (!isOrdered(body.exit, {second}, loop, !body.isOpen,
                   body.isFree || !body.isOpen) &&
        inserter) {
      Operation *op = second.access->op;
      while (op->getParentOp() != loop)
        op = op->getParentOp();
      return op;
    }
  return nullptr;
}

/// The summary of one iteration, around whose back edge all is ordered, too.
BarrierIntervals::Summary BarrierIntervals::visitBody(Operation *loop) {
  ExposedList exit;
  Summary body = visitIteration(loop, &exit);
  if (Operation *before = findCarried(loop, body)) {
    // With a barrier there the others of this block may be needed no longer, or
    // elsewhere.
    for (Region &region : loop->getRegions())
      for (BarrierOp barrier : inserted[&region.front()])
        barrier.erase();
    for (Region &region : loop->getRegions())
      inserted[&region.front()].clear();
    (*inserter)(before);
    body = visitIteration(loop, &exit);
  }
  bool isExecutedAlways = false;
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    isExecutedAlways = isExecuted(counted);
  else
    isExecutedAlways = isExecuted(cast<scf::WhileOp>(loop));
  Summary summary;
  summary.entry = body.isOpen ? body.entry : pin(body.entry, loop, 0);
  summary.exit = body.isOpen ? exit : pin(exit, loop, -1);
  // Whether there is a barrier on the way through the other iterations?
  if (body.isOpen && !body.isFree)
    for (ExposedList *list : {&summary.entry, &summary.exit})
      for (Exposed &exposed : *list)
        exposed.isCertain = false;
  summary.isOpen = body.isOpen || !isExecutedAlways;
  summary.isFree = body.isFree;
  return summary;
}

BarrierIntervals::Summary BarrierIntervals::visitLoop(Operation *loop) {
  loops.push_back(loop);
  Summary summary = visitBody(loop);
  loops.pop_back();
  return summary;
}
