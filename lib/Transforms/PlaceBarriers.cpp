//===- PlaceBarriers.cpp - The barriers that a kernel needs ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/BarrierIntervals.h"
#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/ThreadConflicts.h"
#include "Uop/Transforms/Barriers.h"
#include "Uop/Transforms/Passes.h"

namespace uop {
#define GEN_PASS_DEF_PLACEBARRIERS
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

namespace {

class BarrierPlacer {
public:
  explicit BarrierPlacer(KernelOp kernel)
      : kernel(kernel), accesses(kernel), uniformity(kernel),
        conflicts(kernel, accesses, uniformity, {}) {}

  void run() {
    if (computeLaunchShape(kernel).getNumThreadsPerBlock() == 1)
      return;
    BarrierIntervals intervals(kernel, accesses, uniformity);
    intervals.order([&](const Meeting &meeting) { return isHazard(meeting); },
                    [&](Operation *before) {
                      OpBuilder builder(before);
                      auto barrier =
                          BarrierOp::create(builder, before->getLoc());
                      barrier.setDerived(true);
                      return barrier;
                    });
    eraseUnneeded(intervals);
  }

private:
  bool isHazard(const Meeting &meeting) {
    // A barrier in front of a wait does not keep the copy from writing earlier:
    // it has been under way since it was issued, where it counts as well.
    if (!meeting.isOrderable || meeting.second->issue)
      return false;
    Conflict::Kind kind = conflicts.decide(meeting).kind;
    if (kind == Conflict::Kind::Impossible)
      return false;
    // Stores to one element of an argument are ordered where that is certain.
    return meeting.first->isShared() || kind == Conflict::Kind::Found ||
           !meeting.first->isWrite || !meeting.second->isWrite;
  }

  /// What a barrier orders another one may order, too, that was put later.
  void eraseUnneeded(BarrierIntervals &intervals) {
    SmallVector<std::tuple<int, unsigned, BarrierOp>> derived;
    kernel.walk([&](BarrierOp barrier) {
      int depth = 0;
      for (Operation *parent = barrier->getParentOp(); parent != kernel;
           parent = parent->getParentOp())
        depth += isa<LoopLikeOpInterface>(parent);
      if (barrier.getDerived())
        derived.push_back({-depth, unsigned(derived.size()), barrier});
    });
    // Those first that are executed most often.
    llvm::sort(derived, [](const auto &a, const auto &b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) <
             std::tie(std::get<0>(b), std::get<1>(b));
    });
    if (derived.size() < 2)
      return;
    for (auto [depth, number, barrier] : derived) {
      Operation *next = barrier->getNextNode();
      barrier->remove();
      bool isNeeded = false;
      intervals.visit([&](const Meeting &meeting) {
        isNeeded = isNeeded || isHazard(meeting);
        return false;
      });
      if (isNeeded)
        next->getBlock()->getOperations().insert(Block::iterator(next),
                                                 barrier);
      else
        barrier->destroy();
    }
  }

  KernelOp kernel;
  MemoryAccesses accesses;
  Uniformity uniformity;
  ThreadConflicts conflicts;
};

} // namespace

LogicalResult uop::placeBarriers(KernelOp kernel) {
  if (kernel.isGraphForm())
    return kernel.emitOpError("expected a kernel in loop form, but got one in "
                              "graph form, which has no barriers; lower it "
                              "with --uop-lower-to-loops");
  SmallVector<BarrierOp> derived;
  kernel.walk([&](BarrierOp barrier) {
    if (barrier.getDerived())
      derived.push_back(barrier);
  });
  for (BarrierOp barrier : derived)
    barrier.erase();
  BarrierPlacer(kernel).run();
  return success();
}

namespace {

struct PlaceBarriers : uop::impl::PlaceBarriersBase<PlaceBarriers> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (kernel.isGraphForm())
      return markAllAnalysesPreserved();
    if (failed(placeBarriers(kernel)))
      return signalPassFailure();
    kernel.walk([&](BarrierOp barrier) { numPlaced += barrier.getDerived(); });
  }
};

} // namespace
