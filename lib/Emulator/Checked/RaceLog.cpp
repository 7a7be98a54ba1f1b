//===- RaceLog.cpp - Pairs of accesses that nothing orders ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaceLog.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <tuple>

using namespace llvm;
using namespace uop;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void RaceLog::compact() {
  auto key = [&](const LoggedAccess &access) {
    return std::make_tuple(access.address, access.bytes, access.site,
                           access.value, getParty(access), access.phase,
                           access.isContinued, access.isEarlier,
                           access.hasReturned, access.segment);
  };
  // The first thread of a block stands for it.
  llvm::sort(accesses, [&](const LoggedAccess &a, const LoggedAccess &b) {
    return std::make_tuple(key(a), a.thread) <
           std::make_tuple(key(b), b.thread);
  });
  size_t kept = 0;
  for (const LoggedAccess &access : accesses) {
    if (kept > 0 && key(accesses[kept - 1]) == key(access))
      accesses[kept - 1].count += access.count;
    else
      accesses[kept++] = access;
  }
  accesses.resize(kept);
  // Not again for a few new ones.
  compactAt = std::max(compactAt, 2 * kept);
}

/// Splits accesses where `differ` says so of neighbours.
static SmallVector<ArrayRef<LoggedAccess>>
split(ArrayRef<LoggedAccess> accesses,
      function_ref<bool(const LoggedAccess &, const LoggedAccess &)> differ) {
  SmallVector<ArrayRef<LoggedAccess>> groups;
  size_t start = 0;
  for (size_t i = 1; i <= accesses.size(); ++i)
    if (i == accesses.size() || differ(accesses[i - 1], accesses[i])) {
      groups.push_back(accesses.slice(start, i - start));
      start = i;
    }
  return groups;
}

void RaceLog::findRaces(ArrayRef<AccessSite> sites,
                        function_ref<void(const RacePairs &)> visit) {
  compact();
  auto places = split(accesses, [](auto &a, auto &b) {
    return a.address != b.address || a.bytes != b.bytes;
  });
  auto bySite = [](Group place) {
    return split(place, [](auto &a, auto &b) { return a.site != b.site; });
  };
  auto conflict = [&](Group a, Group b) {
    const AccessSite &first = sites[a.front().site];
    const AccessSite &second = sites[b.front().site];
    return (first.isWrite() || second.isWrite()) &&
           !(first.isAtomic() && second.isAtomic());
  };
  // What two stores leave can be compared where they write the same bytes.
  auto areStores = [&](Group a, Group b) {
    return sites[a.front().site].kind == SiteKind::Store &&
           sites[b.front().site].kind == SiteKind::Store;
  };
  for (size_t i = 0; i < places.size(); ++i) {
    auto groups = bySite(places[i]);
    for (size_t j = 0; j < groups.size(); ++j)
      for (size_t k = j; k < groups.size(); ++k)
        if (conflict(groups[j], groups[k]))
          findRaces(groups[j], groups[k], j == k,
                    areStores(groups[j], groups[k]), visit);
    const LoggedAccess &access = places[i].front();
    for (size_t next = i + 1; next < places.size(); ++next) {
      if (places[next].front().address >= access.address + access.bytes)
        break;
      for (Group first : groups)
        for (Group second : bySite(places[next]))
          if (conflict(first, second))
            findRaces(first, second, /*isOne=*/false, /*mayBeEqual=*/false,
                      visit);
    }
  }
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

ThreadRelation RaceLog::relate(const LoggedAccess &a,
                               const LoggedAccess &b) const {
  if (getParty(a) == getParty(b) ||
      (order && order->areOrdered(a.segment, b.segment)))
    return ThreadRelation::None;
  if (parties == Parties::Blocks)
    return ThreadRelation::CrossBlock;
  // Both were in an earlier log.
  if (a.isEarlier && b.isEarlier)
    return ThreadRelation::None;
  // What goes on is a pair where it begins.
  if (getWarp(a) != getWarp(b))
    return a.isContinued || b.isContinued ? ThreadRelation::None
                                          : ThreadRelation::SameBlock;
  return meetInWarp(a, b) ? ThreadRelation::SameWarp : ThreadRelation::None;
}

bool RaceLog::meetInWarp(const LoggedAccess &a, const LoggedAccess &b) const {
  if (a.hasReturned || b.hasReturned)
    return !a.isContinued && !b.isContinued;
  if (a.phase == b.phase)
    return !a.isContinued || !b.isContinued;
  const LoggedAccess &first = a.phase < b.phase ? a : b;
  const LoggedAccess &second = a.phase < b.phase ? b : a;
  return !lastPhases.empty() && first.phase == lastPhases[first.thread] &&
         !second.isContinued;
}

/// The number of accesses of each of two groups.
using Sums = std::pair<uint64_t, uint64_t>;

/// Looks at each pair, in either order if the groups are one.
uint64_t RaceLog::listPairs(Group first, Group second,
                            ThreadRelation relation) const {
  uint64_t pairs = 0;
  for (const LoggedAccess &a : first)
    for (const LoggedAccess &b : second)
      if (relate(a, b) == relation)
        pairs += a.count * b.count;
  return pairs;
}

bool RaceLog::isPlain(Group first, Group second) const {
  if ((order && !order->isEmpty()) || !lastPhases.empty())
    return false;
  return none_of(concat<const LoggedAccess>(first, second),
                 [](const LoggedAccess &access) { return access.isEarlier; });
}

// A pair in a warp is one of the same phase and of different threads, and not
// both go on there; one of different warps is where both begin.
uint64_t RaceLog::countPairs(Group first, Group second, bool isOne,
                             ThreadRelation relation) const {
  auto countTogether = [&](bool onlyBegun, bool onlyContinued, auto key) {
    std::map<decltype(key(first.front())), Sums> sums;
    auto isCounted = [&](const LoggedAccess &access) {
      return access.isContinued ? !onlyBegun : !onlyContinued;
    };
    for (const LoggedAccess &access : first)
      if (isCounted(access))
        sums[key(access)].first += access.count;
    for (const LoggedAccess &access : second)
      if (isCounted(access))
        sums[key(access)].second += access.count;
    uint64_t together = 0;
    for (auto &[party, sum] : sums)
      together += sum.first * sum.second;
    return together;
  };
  auto all = [](const LoggedAccess &) { return 0; };
  auto party = [&](const LoggedAccess &access) { return getParty(access); };
  auto warp = [&](const LoggedAccess &access) { return getWarp(access); };
  auto inPhase = [](auto key) {
    return [key](const LoggedAccess &access) {
      return std::pair(key(access), access.phase);
    };
  };
  uint64_t pairs = 0;
  if (!isPlain(first, second)) {
    pairs = listPairs(first, second, relation);
  } else if (relation == ThreadRelation::CrossBlock) {
    pairs =
        countTogether(false, false, all) - countTogether(false, false, party);
  } else if (relation == ThreadRelation::SameBlock) {
    pairs = countTogether(true, false, all) - countTogether(true, false, warp);
  } else {
    auto countInWarp = [&](bool onlyContinued) {
      return countTogether(false, onlyContinued, inPhase(warp)) -
             countTogether(false, onlyContinued, inPhase(party));
    };
    pairs = countInWarp(false) - countInWarp(true);
  }
  return isOne ? pairs / 2 : pairs;
}

void RaceLog::findRaces(Group first, Group second, bool isOne, bool mayBeEqual,
                        function_ref<void(const RacePairs &)> visit) const {
  auto visitPairs = [&](ThreadRelation relation, bool isEqual, uint64_t count) {
    if (count == 0)
      return;
    for (const LoggedAccess &a : first)
      for (const LoggedAccess &b : second) {
        bool equal = mayBeEqual && a.value == b.value;
        if (relate(a, b) == relation && equal == isEqual)
          return visit(RacePairs{relation, isEqual, count, a, b});
      }
  };
  SmallVector<ThreadRelation> relations;
  if (parties == Parties::Blocks)
    relations = {ThreadRelation::CrossBlock};
  else
    relations = {ThreadRelation::SameWarp, ThreadRelation::SameBlock};
  auto byValue = [](Group group) {
    return split(group, [](auto &a, auto &b) { return a.value != b.value; });
  };
  for (ThreadRelation relation : relations) {
    uint64_t all = countPairs(first, second, isOne, relation);
    uint64_t equal = 0;
    if (all > 0 && mayBeEqual)
      for (Group a : byValue(first))
        for (Group b : byValue(second))
          if (a.front().value == b.front().value)
            equal += countPairs(a, b, isOne, relation);
    visitPairs(relation, false, all - equal);
    visitPairs(relation, true, equal);
  }
}
