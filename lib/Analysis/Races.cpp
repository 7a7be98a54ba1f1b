//===- Races.cpp - Data races of kernels in loop form ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Races.h"
#include "Uop/Analysis/CopiesUnderWay.h"
#include <set>

using namespace mlir;
using namespace uop;

namespace {

class RaceFinder {
public:
  RaceFinder(KernelOp kernel, RaceReport &report,
             ThreadConflicts::Budget budget)
      : kernel(kernel), report(report), uniformity(kernel),
        conflicts(kernel, report.accesses, uniformity, budget) {}

  void run();

private:
  void visit(const Meeting &meeting, bool acrossBlocks);
  void addRace(const Meeting &meeting, Apart apart, const Conflict &witness);

  KernelOp kernel;
  RaceReport &report;
  Uniformity uniformity;
  ThreadConflicts conflicts;
  /// The pairs that have been looked at, those that may be races, and what has
  /// been reported of them.
  using Pair = std::pair<unsigned, unsigned>;
  std::set<Pair> seen, open;
  std::set<std::pair<Pair, RaceRelation>> reported, doubted;
};

} // namespace

static RaceKind getKind(const Meeting &meeting) {
  if (!meeting.second->isWrite)
    return RaceKind::ReadAfterWrite;
  return meeting.first->isWrite ? RaceKind::WriteAfterWrite
                                : RaceKind::WriteAfterRead;
}

/// A pair has one name, whichever of the two comes first.
static std::pair<unsigned, unsigned> getPair(const Meeting &meeting) {
  return std::minmax(meeting.first->number, meeting.second->number);
}

void RaceFinder::addRace(const Meeting &meeting, Apart apart,
                         const Conflict &witness) {
  RaceRelation relation = apart == Apart::SameWarp ? RaceRelation::SameWarp
                          : apart == Apart::Blocks ? RaceRelation::CrossBlock
                                                   : RaceRelation::SameBlock;
  if (!reported.insert({getPair(meeting), relation}).second)
    return;
  report.races.push_back(
      {meeting.first, meeting.second, getKind(meeting), relation, witness,
       conflicts.storeEqualValues(meeting, apart),
       meeting.isOrderable && relation != RaceRelation::CrossBlock,
       witness.kind == Conflict::Kind::Found, meeting.isUnderWay});
}

void RaceFinder::visit(const Meeting &meeting, bool acrossBlocks) {
  std::pair<unsigned, unsigned> pair = getPair(meeting);
  seen.insert(pair);
  Apart any = acrossBlocks ? Apart::Blocks : Apart::Threads;
  Conflict conflict = conflicts.decide(meeting, any);
  if (conflict.kind == Conflict::Kind::Impossible)
    return;
  open.insert(pair);
  // Whether it happens makes no difference where the values are equal.
  bool isEqual =
      conflict.hasWitness && conflicts.storeEqualValues(meeting, any);
  if (conflict.kind == Conflict::Kind::Unknown && !isEqual) {
    RaceRelation relation =
        acrossBlocks ? RaceRelation::CrossBlock : RaceRelation::SameBlock;
    if (doubted.insert({pair, relation}).second)
      report.unproven.push_back({meeting.first, meeting.second, relation,
                                 conflict.reason, conflict.reasonOp,
                                 meeting.isOrderable && !acrossBlocks});
    return;
  }
  if (acrossBlocks)
    return addRace(meeting, any, conflict);
  bool isAny = false;
  for (Apart apart : {Apart::SameWarp, Apart::OtherWarp}) {
    const Conflict &one = conflicts.decide(meeting, apart);
    if (one.kind == Conflict::Kind::Found || (isEqual && one.hasWitness)) {
      addRace(meeting, apart, one);
      isAny = true;
    }
  }
  if (isAny)
    return;
  const std::array<int64_t, 3> &block = conflicts.getForms().getLaunch().block;
  auto getWarp = [&](const std::array<int64_t, 3> &thread) {
    return (thread[0] + block[0] * (thread[1] + block[1] * thread[2])) /
           kWarpSize;
  };
  addRace(meeting,
          getWarp(conflict.first.thread) == getWarp(conflict.second.thread)
              ? Apart::SameWarp
              : Apart::OtherWarp,
          conflict);
}

void RaceFinder::run() {
  BarrierIntervals intervals(kernel, report.accesses, uniformity);
  const LaunchShape &launch = conflicts.getForms().getLaunch();
  if (launch.getNumThreadsPerBlock() > 1) {
    // Until it is completed a copy may access memory at any time, whatever
    // barriers there are; a wait by itself accesses none.
    CopiesUnderWay(kernel, report.accesses, intervals)
        .visit([&](const Meeting &meeting) {
          visit(meeting, /*acrossBlocks=*/false);
        });
    intervals.visit([&](const Meeting &meeting) {
      if (!meeting.first->issue && !meeting.second->issue)
        visit(meeting, /*acrossBlocks=*/false);
      return false;
    });
  }
  IndexBounds cpuThreads =
      conflicts.getForms().getAtom(conflicts.getForms().getBlockAtom(3)).bounds;
  if (launch.getNumBlocks() != 1 || cpuThreads.getConstant() != 0)
    for (const MemoryAccess &first : report.accesses.getAll())
      for (const MemoryAccess &second :
           report.accesses.getAll().drop_front(first.number))
        if (!first.isShared() && first.conflictsWith(second))
          visit(Meeting{&first, &second, {}}, /*acrossBlocks=*/true);
  report.numProven = seen.size() - open.size();
  // A pair that is a race is no longer in doubt.
  llvm::erase_if(report.unproven, [&](const UnprovenPair &pair) {
    std::pair<unsigned, unsigned> numbers =
        std::minmax(pair.first->number, pair.second->number);
    return llvm::any_of(
        std::array{RaceRelation::SameWarp, RaceRelation::SameBlock,
                   RaceRelation::CrossBlock},
        [&](RaceRelation relation) {
          return reported.count({numbers, relation}) != 0 &&
                 (relation == RaceRelation::CrossBlock) ==
                     (pair.relation == RaceRelation::CrossBlock);
        });
  });
}

std::unique_ptr<RaceReport> uop::findRaces(KernelOp kernel,
                                           ThreadConflicts::Budget budget) {
  auto report = std::make_unique<RaceReport>(kernel);
  RaceFinder(kernel, *report, budget).run();
  return report;
}
