//===- RaceLog.h - Pairs of accesses that nothing orders --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A log has accesses of which no two are ordered, unless one party makes both:
// those of a block from one barrier to the next, where a thread is a party; or
// those of all blocks of a launch, where a block is one. Between two barriers
// of the block, the barriers of a warp order what its threads do: two accesses
// by threads of one warp can race in the same phase only. Pairs are counted and
// not listed: accesses of equal address and size are one place, at which the
// numbers of accesses by each operation and party say how many pairs there are.
// Two accesses that overlap in several bytes are one pair.
//
// A thread that has returned takes part in no barrier: none orders what it did
// since its last one. So that is in the logs of all later intervals, too, and
// beside all later phases of its warp.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CHECKED_RACELOG_H
#define UOP_LIB_EMULATOR_CHECKED_RACELOG_H

#include "AtomicOrder.h"
#include "SiteTable.h"

#include "llvm/ADT/ArrayRef.h"

namespace uop {

/// Equal accesses.
struct LoggedAccess {
  uint64_t address = 0;
  /// What a store left, up to 8 bytes of it, else a hash.
  uint64_t value = 0;
  uint64_t block = 0;
  uint64_t count = 1;
  uint32_t bytes = 0;
  uint32_t thread = 0;
  /// The number of the site.
  uint32_t site = 0;
  /// How many barriers of the warp the thread has passed since one of the
  /// block.
  uint32_t phase = 0;
  /// What fences and updates order, in the terms of an AtomicOrder.
  uint32_t segment = 0;
  /// An access that is under way in several phases is logged in each; true in
  /// all but the first.
  bool isContinued = false;
  /// It began in an earlier interval, in whose log it was.
  bool isEarlier = false;
  /// The same of a thread that has returned: it is of all phases.
  bool hasReturned = false;
};

/// Pairs of accesses by two operations.
struct RacePairs {
  ThreadRelation relation = ThreadRelation::None;
  /// Both store the same value.
  bool isEqualValue = false;
  uint64_t count = 0;
  /// One of the pairs.
  LoggedAccess first, second;
};

class RaceLog {
public:
  enum class Parties { Threads, Blocks };

  explicit RaceLog(Parties parties, int64_t subgroupSize = 32)
      : parties(parties), subgroupSize(subgroupSize) {}

  void add(const LoggedAccess &access) {
    accesses.push_back(access);
    if (accesses.size() >= compactAt)
      compact();
  }
  llvm::ArrayRef<LoggedAccess> getAccesses() const { return accesses; }
  void clear() { accesses.clear(); }
  void setSubgroupSize(int64_t size) { subgroupSize = size; }
  /// Of each thread the phase in which it has returned, or `noPhase`. Empty if
  /// that makes no difference.
  static constexpr uint32_t noPhase = UINT32_MAX;
  void setLastPhases(std::vector<uint32_t> phases) {
    lastPhases = std::move(phases);
  }
  /// Null where there are no fences.
  void setOrder(const AtomicOrder *known) { order = known; }

  /// Calls `visit` with pairs, by place; those of two operations may come in
  /// several parts.
  void findRaces(llvm::ArrayRef<AccessSite> sites,
                 llvm::function_ref<void(const RacePairs &)> visit);

private:
  using Group = llvm::ArrayRef<LoggedAccess>;

  /// Adds up equal accesses, and sorts them by place, site and value.
  void compact();
  uint64_t getParty(const LoggedAccess &access) const {
    return parties == Parties::Threads ? access.thread : access.block;
  }
  uint64_t getWarp(const LoggedAccess &access) const {
    return access.thread / subgroupSize;
  }
  ThreadRelation relate(const LoggedAccess &a, const LoggedAccess &b) const;
  bool meetInWarp(const LoggedAccess &a, const LoggedAccess &b) const;
  /// Whether pairs are more than what barriers leave.
  bool isPlain(Group first, Group second) const;
  uint64_t countPairs(Group first, Group second, bool isOne,
                      ThreadRelation relation) const;
  uint64_t listPairs(Group first, Group second, ThreadRelation relation) const;
  void findRaces(Group first, Group second, bool isOne, bool mayBeEqual,
                 llvm::function_ref<void(const RacePairs &)> visit) const;

  Parties parties;
  int64_t subgroupSize;
  const AtomicOrder *order = nullptr;
  std::vector<uint32_t> lastPhases;
  std::vector<LoggedAccess> accesses;
  size_t compactAt = size_t(1) << 20;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_CHECKED_RACELOG_H
