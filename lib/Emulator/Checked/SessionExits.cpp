//===- SessionExits.cpp - Threads that have returned ----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier orders what is done by the threads that come to it. A thread that
// has returned comes to none, so what it did since its last barrier stays
// unordered with all that the others do until the end of the block. It is kept,
// and is in the log of each interval that is still to come.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace uop;

void CheckSession::Impl::exit(int64_t thread) {
  threads[thread].hasReturned = true;
  if (table->hasFences)
    order.exit(thread);
}

/// Only a barrier of a warp tells phases apart.
void CheckSession::Impl::setLastPhases() {
  std::vector<uint32_t> phases;
  bool hasPhases = false, hasReturned = false;
  for (const Thread &thread : threads) {
    phases.push_back(thread.hasReturned ? thread.phase : RaceLog::noPhase);
    hasPhases |= thread.phase != 0;
    hasReturned |= thread.hasReturned;
  }
  if (!hasPhases || !hasReturned)
    phases.clear();
  sharedLog.setLastPhases(phases);
  globalLog.setLastPhases(phases);
}

bool CheckSession::Impl::isWarpGone(int64_t thread) const {
  int64_t first = thread / table->subgroupSize * table->subgroupSize;
  return all_of(
      ArrayRef(threads).drop_front(first).take_front(table->subgroupSize),
      [](const Thread &lane) { return lane.hasExited; });
}

// What a thread did before a barrier of its warp is ordered by those lanes that
// go on.
void CheckSession::Impl::keepLoose(IntervalLog &from,
                                   std::vector<LoggedAccess> &kept) {
  for (LoggedAccess access :
       from.expand(table->accesses, block).getAccesses()) {
    const Thread &thread = threads[access.thread];
    if (!thread.isLoose || access.hasReturned)
      continue;
    if (isWarpGone(access.thread) ? access.isContinued
                                  : access.phase != thread.phase)
      continue;
    access.phase = 0;
    access.isContinued = false;
    access.isEarlier = access.hasReturned = true;
    kept.push_back(access);
  }
}

void CheckSession::Impl::keepLoose() {
  if (none_of(threads, [](const Thread &thread) { return thread.isLoose; }))
    return;
  keepLoose(sharedLog, looseShared);
  keepLoose(globalLog, looseGlobal);
  for (auto [id, thread] : enumerate(threads)) {
    if (!thread.isLoose)
      continue;
    thread.isLoose = false;
    thread.copies.clear();
    if (table->hasFences)
      order.loosen(id, isWarpGone(id));
  }
}
