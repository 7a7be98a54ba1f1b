//===- CopiesUnderWay.cpp - How long an asynchronous copy takes -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/CopiesUnderWay.h"
#include "CopyState.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace uop;

/// Iterations that are followed one by one, and ways.
static constexpr int64_t kMaxIterations = 64;
static constexpr size_t kMaxFronts = 32;

namespace {

/// One of the ways to a place in the kernel.
struct Front {
  CopyState state = CopyState::issued();
  /// Whether it is sure to be a way that is taken, if the pins and the trip
  /// counts hold.
  bool isCertain = true;
  /// The iterations of loops in which the copy is issued.
  const PinnedLoops *pins = nullptr;
  const TripCounts *trips = nullptr;
  /// Conditions that hold, or do not.
  SmallVector<std::pair<Value, bool>, 2> ways;

  bool isSameWay(const Front &other) const {
    return pins == other.pins && trips == other.trips && ways == other.ways;
  }
  bool operator==(const Front &other) const {
    return state == other.state && isCertain == other.isCertain &&
           isSameWay(other);
  }
};

using Fronts = SmallVector<Front, 4>;

/// Follows one copy.
class CopyWalk {
public:
  CopyWalk(KernelOp kernel, const MemoryAccesses &accesses,
           const BarrierIntervals &intervals, llvm::BumpPtrAllocator &allocator,
           CopiesUnderWay::Visitor visitor, int64_t mostLeft)
      : kernel(kernel), accesses(accesses), intervals(intervals),
        allocator(allocator), visitor(visitor), mostLeft(mostLeft) {}

  void run(Operation *issue);

private:
  void meet(Operation *op, const Fronts &fronts, CopyState atEnd);
  void flowBlock(Block &block, Block::iterator begin, Fronts &fronts);
  void flowBlock(Block &block, Fronts &fronts) {
    flowBlock(block, block.begin(), fronts);
  }
  void flowOp(Operation *op, Fronts &fronts);
  void flowLeaf(Operation *op, Fronts &fronts);
  void flowBranch(Operation *op, Fronts &fronts);
  void flowLoop(Operation *loop, Fronts &fronts);
  void leaveLoop(Operation *loop, bool isInCondition, Fronts &fronts);
  void flowIteration(Operation *loop, Fronts &fronts, Fronts &exits);
  CopyState flowState(Operation *op, CopyState state) const;
  CopyState flowState(Block &block, Block::iterator begin,
                      CopyState state) const;
  CopyState flowWithin(Operation *leaf, Operation *issue);

  static void barrier(Fronts &fronts);
  static void endIteration(Operation *loop, Fronts &fronts);
  static void simplify(Fronts &fronts);
  void pin(Front &front, Operation *loop, int64_t iteration) {
    front.pins = new (allocator) PinnedLoops{loop, iteration, front.pins};
  }
  bool count(Front &front, Operation *loop, int64_t trips);

  KernelOp kernel;
  const MemoryAccesses &accesses;
  const BarrierIntervals &intervals;
  llvm::BumpPtrAllocator &allocator;
  CopiesUnderWay::Visitor visitor;
  /// The most groups that a wait leaves under way.
  int64_t mostLeft;

  Operation *issue = nullptr;
  /// Where the walk is: the loops in the same iteration as the issue, the one
  /// in a later iteration, and those that were entered since.
  SmallVector<Operation *> loops;
  Operation *carrier = nullptr;
  std::optional<int64_t> distance;
  const PinnedLoops *entered = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Fronts
//===----------------------------------------------------------------------===//

/// Makes one of fronts that are alike, and of all where there are too many.
void CopyWalk::simplify(Fronts &fronts) {
  llvm::erase_if(fronts,
                 [](const Front &front) { return front.state.isEmpty(); });
  Fronts merged;
  bool areTooMany = fronts.size() > kMaxFronts;
  for (Front &front : fronts) {
    if (areTooMany) {
      front.pins = nullptr;
      front.trips = nullptr;
      front.ways.clear();
      front.isCertain = false;
    }
    auto *same = llvm::find_if(
        merged, [&](const Front &other) { return other.isSameWay(front); });
    if (same == merged.end()) {
      merged.push_back(std::move(front));
      continue;
    }
    same->state = same->state.unite(front.state);
    same->isCertain &= front.isCertain;
  }
  fronts = std::move(merged);
}

void CopyWalk::barrier(Fronts &fronts) {
  for (Front &front : fronts)
    front.isCertain &= front.state.synchronize();
  llvm::erase_if(fronts,
                 [](const Front &front) { return front.state.isEmpty(); });
}

/// Forgets the conditions that are others in the next iteration.
void CopyWalk::endIteration(Operation *loop, Fronts &fronts) {
  for (Front &front : fronts)
    llvm::erase_if(front.ways, [&](std::pair<Value, bool> way) {
      return loop->isAncestor(way.first.getParentRegion()->getParentOp());
    });
  simplify(fronts);
}

/// Restricts a front to so many iterations of a loop; false if that is not
/// possible.
bool CopyWalk::count(Front &front, Operation *op, int64_t trips) {
  for (const TripCounts *known = front.trips; known; known = known->next)
    if (known->loop == op)
      return known->count == trips;
  auto loop = dyn_cast<scf::ForOp>(op);
  auto isOfKernel = [&](Value value) {
    return value.getParentBlock() == &kernel.getBodyBlock();
  };
  std::optional<int64_t> step =
      loop ? getConstantIntValue(loop.getStep()) : std::nullopt;
  if (step && *step > 0 && !loop.getUnsignedCmp() &&
      isOfKernel(loop.getLowerBound()) && isOfKernel(loop.getUpperBound()))
    front.trips = new (allocator) TripCounts{op, trips, front.trips};
  else
    front.isCertain = false;
  return true;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void CopyWalk::meet(Operation *op, const Fronts &fronts, CopyState atEnd) {
  for (const MemoryAccess &other : accesses.of(op)) {
    if (other.issue)
      continue;
    for (const MemoryAccess &copied : accesses.of(issue)) {
      if (!copied.conflictsWith(other))
        continue;
      for (const Front &front : fronts) {
        Meeting meeting{&copied, &other, loops, carrier, distance};
        meeting.firstPins = front.pins;
        meeting.secondPins = entered;
        meeting.trips = front.trips;
        meeting.isUnderWay = !front.state.unite(atEnd).isCompleted();
        meeting.isOrderable = !meeting.isUnderWay;
        meeting.isCertain = front.isCertain;
        visitor(meeting);
      }
    }
  }
}

void CopyWalk::flowBlock(Block &block, Block::iterator begin, Fronts &fronts) {
  for (auto it = begin; it != block.end() && !fronts.empty(); ++it)
    flowOp(&*it, fronts);
}

void CopyWalk::flowOp(Operation *op, Fronts &fronts) {
  if (isa<BarrierOp>(op))
    return barrier(fronts);
  if (isa<nvgpu::DeviceAsyncCreateGroupOp>(op)) {
    for (Front &front : fronts)
      front.state.commit(mostLeft);
    return;
  }
  if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op)) {
    for (Front &front : fronts)
      front.isCertain &= front.state.wait(wait.getNumGroups().value_or(0));
    return;
  }
  if (auto phase = dyn_cast<PhaseOp>(op)) {
    if (intervals.hasBarrierBefore(phase))
      barrier(fronts);
    flowLeaf(op, fronts);
    if (intervals.hasBarrierAfter(phase))
      barrier(fronts);
    return;
  }
  if (op->getNumRegions() == 0 && accesses.of(op).empty())
    return;
  if (intervals.isLeaf(op))
    return flowLeaf(op, fronts);
  if (isa<scf::ForOp, scf::WhileOp>(op))
    return flowLoop(op, fronts);
  flowBranch(op, fronts);
}

/// An op through which threads may go in different ways, in one interval.
void CopyWalk::flowLeaf(Operation *op, Fronts &fronts) {
  CopyState all = fronts.empty() ? CopyState::issued() : fronts.front().state;
  Fronts after = fronts;
  for (Front &front : after) {
    front.state = flowState(op, front.state);
    all = all.unite(front.state);
  }
  op->walk([&](Operation *inner) { meet(inner, fronts, all); });
  fronts = std::move(after);
}

/// What becomes of a copy in an op, whichever ways threads go.
CopyState CopyWalk::flowState(Operation *op, CopyState state) const {
  if (isa<nvgpu::DeviceAsyncCreateGroupOp>(op))
    state.commit(mostLeft);
  else if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op))
    state.wait(wait.getNumGroups().value_or(0));
  bool repeats = true;
  while (op->getNumRegions() != 0 && repeats) {
    CopyState before = state;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        state = state.unite(flowState(block, block.begin(), state));
    repeats = !(state == before);
  }
  return state;
}

CopyState CopyWalk::flowState(Block &block, Block::iterator begin,
                              CopyState state) const {
  for (auto it = begin; it != block.end(); ++it)
    state = flowState(&*it, state);
  return state;
}

/// What has become of a copy that is issued in a leaf where that ends.
CopyState CopyWalk::flowWithin(Operation *leaf, Operation *issue) {
  CopyState state = CopyState::issued();
  for (Operation *op = issue; op != leaf; op = op->getParentOp()) {
    state = flowState(*op->getBlock(), std::next(Block::iterator(op)), state);
    Operation *parent = op->getParentOp();
    if (!isa<scf::IfOp, scf::IndexSwitchOp, PhaseOp>(parent))
      state = state.unite(flowState(parent, state));
  }
  return state;
}

/// A choice that all threads make alike.
void CopyWalk::flowBranch(Operation *op, Fronts &fronts) {
  Value condition;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    condition = branch.getCondition();
  Fronts joined;
  for (Front &front : fronts) {
    std::optional<bool> known;
    for (auto [value, isTrue] : front.ways)
      if (value == condition)
        known = isTrue;
    SmallVector<Fronts, 2> ends;
    for (Region &region : op->getRegions()) {
      bool isTrue = region.getRegionNumber() == 0;
      if (known && *known != isTrue)
        continue;
      Fronts way{front};
      if (condition && !known)
        way.front().ways.push_back({condition, isTrue});
      if (!region.empty())
        flowBlock(region.front(), way);
      ends.push_back(std::move(way));
    }
    bool isOneWay = ends.size() == 1;
    // The same by all ways: then it makes no difference which one it was.
    bool areAlike = !isOneWay && llvm::all_of(ends, [&](const Fronts &way) {
      return way.size() == 1 && ends.front().size() == 1 &&
             way.front().state == ends.front().front().state &&
             way.front().isCertain == ends.front().front().isCertain &&
             way.front().pins == front.pins &&
             way.front().trips == front.trips &&
             way.front().ways.size() == front.ways.size() + (condition ? 1 : 0);
    });
    if (areAlike) {
      front.state = ends.front().front().state;
      front.isCertain = ends.front().front().isCertain;
      joined.push_back(front);
      continue;
    }
    for (Fronts &way : ends)
      for (Front &end : way) {
        end.isCertain &= isOneWay;
        joined.push_back(std::move(end));
      }
  }
  fronts = std::move(joined);
  simplify(fronts);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// One iteration, and what leaves the loop in it.
void CopyWalk::flowIteration(Operation *loop, Fronts &fronts, Fronts &exits) {
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    exits = fronts;
    flowBlock(*counted.getBody(), fronts);
  } else {
    auto uncounted = cast<scf::WhileOp>(loop);
    flowBlock(*uncounted.getBeforeBody(), fronts);
    exits = fronts;
    flowBlock(*uncounted.getAfterBody(), fronts);
  }
  endIteration(loop, fronts);
}

/// A loop that begins after the copy was issued.
void CopyWalk::flowLoop(Operation *loop, Fronts &fronts) {
  auto counted = dyn_cast<scf::ForOp>(loop);
  std::optional<APInt> number =
      counted ? counted.getStaticTripCount() : std::nullopt;
  bool isExecutedOnce =
      counted ? isExecuted(counted) : isExecuted(cast<scf::WhileOp>(loop));
  const PinnedLoops *outside = entered;
  Fronts exits;
  for (int64_t iteration = 0; !fronts.empty(); ++iteration) {
    if (number && *number == iteration) {
      llvm::append_range(exits, fronts);
      break;
    }
    Fronts before = fronts, left;
    entered = new (allocator) PinnedLoops{loop, iteration, outside};
    flowIteration(loop, fronts, left);
    bool isStable = fronts == before;
    if (!isStable && iteration == kMaxIterations) {
      llvm::append_range(fronts, before);
      for (Front &front : fronts)
        front.isCertain = false;
      simplify(fronts);
      // Whatever else may come.
      for (Front &front : fronts)
        front.state = flowState(loop, front.state);
      isStable = true;
    }
    bool mayLeave = !number && (iteration != 0 || !isExecutedOnce);
    if (mayLeave && !isStable)
      for (Front &front : left)
        if (count(front, loop, iteration))
          exits.push_back(front);
    if (!isStable)
      continue;
    // It is the same in all that follow.
    entered = outside;
    flowIteration(loop, fronts, left);
    llvm::append_range(exits, left);
    break;
  }
  entered = outside;
  fronts = std::move(exits);
  endIteration(loop, fronts);
}

/// Goes on with the next iterations of a loop in which the copy is issued, from
/// the end of the one in which it is.
void CopyWalk::leaveLoop(Operation *loop, bool isInCondition, Fronts &fronts) {
  Fronts exits;
  auto leave = [&](Fronts &left, int64_t iteration) {
    for (Front &front : left) {
      pin(front, loop, iteration);
      exits.push_back(front);
    }
  };
  if (isInCondition) {
    Fronts left = fronts;
    leave(left, -1);
    flowBlock(*cast<scf::WhileOp>(loop).getAfterBody(), fronts);
  }
  endIteration(loop, fronts);
  loops.pop_back();
  carrier = loop;
  for (distance = 1; !fronts.empty(); ++*distance) {
    Fronts before = fronts, left;
    flowIteration(loop, fronts, left);
    bool isStable = fronts == before;
    if (!isStable && *distance == kMaxIterations) {
      llvm::append_range(fronts, before);
      for (Front &front : fronts)
        front.isCertain = false;
      simplify(fronts);
      for (Front &front : fronts)
        front.state = flowState(loop, front.state);
      isStable = true;
    }
    if (!isStable) {
      leave(left, -*distance - (isInCondition ? 1 : 0));
      continue;
    }
    // It is the same in all that follow.
    distance = std::nullopt;
    flowIteration(loop, fronts, left);
    llvm::append_range(exits, left);
    break;
  }
  carrier = nullptr;
  distance = std::nullopt;
  fronts = std::move(exits);
  endIteration(loop, fronts);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void CopyWalk::run(Operation *copy) {
  issue = copy;
  // What threads do in different ways is done where that ends.
  Operation *op = copy;
  for (Operation *parent = copy->getParentOp(); parent != kernel;
       parent = parent->getParentOp())
    if (intervals.isLeaf(parent))
      op = parent;
  Front start;
  if (op != copy)
    start.state = flowWithin(op, copy);
  for (Operation *inner = op, *parent = op->getParentOp(); parent != kernel;
       inner = parent, parent = parent->getParentOp()) {
    if (isa<scf::ForOp, scf::WhileOp>(parent))
      loops.insert(loops.begin(), parent);
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      start.ways.push_back(
          {branch.getCondition(),
           inner->getParentRegion() == &branch.getThenRegion()});
  }
  Fronts fronts{start};
  if (auto phase = dyn_cast<PhaseOp>(op))
    if (intervals.hasBarrierAfter(phase))
      barrier(fronts);
  while (true) {
    Block *block = op->getBlock();
    flowBlock(*block, std::next(Block::iterator(op)), fronts);
    op = block->getParentOp();
    if (op == kernel)
      return;
    if (isa<scf::ForOp>(op))
      leaveLoop(op, /*isInCondition=*/false, fronts);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      leaveLoop(op, block == loop.getBeforeBody(), fronts);
  }
}

CopiesUnderWay::CopiesUnderWay(KernelOp kernel, const MemoryAccesses &accesses,
                               const BarrierIntervals &intervals)
    : kernel(kernel), accesses(accesses), intervals(intervals) {}

void CopiesUnderWay::visit(Visitor visitor) {
  int64_t mostLeft = 0;
  kernel.walk([&](nvgpu::DeviceAsyncWaitOp wait) {
    mostLeft = std::max<int64_t>(mostLeft, wait.getNumGroups().value_or(0));
  });
  mostLeft = std::min(mostLeft, CopyState::kMaxGroups);
  kernel.walk([&](nvgpu::DeviceAsyncCopyOp copy) {
    CopyWalk(kernel, accesses, intervals, allocator, visitor, mostLeft)
        .run(copy);
  });
}
