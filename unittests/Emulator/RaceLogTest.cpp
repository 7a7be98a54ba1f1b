//===- RaceLogTest.cpp - Pairs that are counted and pairs that are listed -===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checked/RaceLog.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace uop;

namespace {

constexpr int64_t kWarp = 4, kThreads = 12;

/// The sites, the relation, and whether the values are equal.
using Key = std::tuple<uint32_t, uint32_t, ThreadRelation, bool>;
using Counts = std::map<Key, uint64_t>;

std::vector<AccessSite> makeSites() {
  std::vector<AccessSite> sites(5);
  sites[0].kind = SiteKind::Load;
  sites[1].kind = SiteKind::Store;
  sites[2].kind = SiteKind::Atomic;
  // Wider ones, which overlap others in part.
  sites[3].kind = SiteKind::Load;
  sites[4].kind = SiteKind::Store;
  for (auto [i, site] : llvm::enumerate(sites))
    site.bytes = i < 3 ? 4 : 16;
  return sites;
}

/// An access from the phase that it has to another one. One of an earlier
/// interval is by a thread that has returned there, or is under way.
struct LongAccess : LoggedAccess {
  LongAccess(const LoggedAccess &access) : LoggedAccess(access), last(phase) {}
  uint32_t last;
};

/// The phases in which some of the threads return.
std::vector<uint32_t> makeLastPhases(std::mt19937 &random) {
  std::vector<uint32_t> phases(kThreads, RaceLog::noPhase);
  for (uint32_t &phase : phases)
    if (random() % 3 == 0)
      phase = random() % 3;
  return phases;
}

std::vector<LongAccess> makeAccesses(std::mt19937 &random,
                                     llvm::ArrayRef<AccessSite> sites,
                                     llvm::ArrayRef<uint32_t> lastPhases) {
  std::vector<LongAccess> accesses(random() % 60, LoggedAccess());
  for (LongAccess &access : accesses) {
    access.site = random() % sites.size();
    access.bytes = sites[access.site].bytes;
    access.address = 1000 + 4 * (random() % 8);
    access.thread = random() % kThreads;
    access.block = random() % 3;
    if (sites[access.site].kind == SiteKind::Store)
      access.value = random() % 2;
    access.phase = access.last = random() % 3;
    if (random() % 2)
      access.last += random() % 3;
    if (lastPhases.empty())
      continue;
    access.last = std::min(access.last, lastPhases[access.thread]);
    access.phase = std::min(access.phase, access.last);
    if (random() % 4 != 0)
      continue;
    access.isEarlier = true;
    access.hasReturned = random() % 2;
    access.phase = 0;
    if (access.hasReturned)
      access.last = 0;
  }
  return accesses;
}

/// The definition: each pair once.
Counts listPairs(llvm::ArrayRef<LongAccess> accesses,
                 llvm::ArrayRef<AccessSite> sites,
                 llvm::ArrayRef<uint32_t> lastPhases,
                 RaceLog::Parties parties) {
  Counts counts;
  for (size_t i = 0; i < accesses.size(); ++i)
    for (size_t j = i + 1; j < accesses.size(); ++j) {
      const LongAccess &a = accesses[i], &b = accesses[j];
      const AccessSite &first = sites[a.site], &second = sites[b.site];
      bool isBlocks = parties == RaceLog::Parties::Blocks;
      if (isBlocks ? a.block == b.block : a.thread == b.thread)
        continue;
      if (a.address + a.bytes <= b.address || b.address + b.bytes <= a.address)
        continue;
      if ((!first.isWrite() && !second.isWrite()) ||
          (first.isAtomic() && second.isAtomic()))
        continue;
      ThreadRelation relation = isBlocks ? ThreadRelation::CrossBlock
                                : a.thread / kWarp == b.thread / kWarp
                                    ? ThreadRelation::SameWarp
                                    : ThreadRelation::SameBlock;
      // They met in an earlier interval.
      if (!isBlocks && a.isEarlier && b.isEarlier)
        continue;
      // The barriers of a warp order what its threads do, but for those that
      // have returned.
      auto isOver = [&](const LongAccess &access, uint32_t phase) {
        return access.last < phase && !access.hasReturned &&
               (lastPhases.empty() || access.last != lastPhases[access.thread]);
      };
      if (relation == ThreadRelation::SameWarp &&
          (isOver(a, b.phase) || isOver(b, a.phase)))
        continue;
      bool isEqual = first.kind == SiteKind::Store &&
                     second.kind == SiteKind::Store && a.address == b.address &&
                     a.bytes == b.bytes && a.value == b.value;
      ++counts[{std::min(a.site, b.site), std::max(a.site, b.site), relation,
                isEqual}];
    }
  return counts;
}

void compare(RaceLog::Parties parties, bool haveReturned = false) {
  std::vector<AccessSite> sites = makeSites();
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<uint32_t> lastPhases;
    if (haveReturned)
      lastPhases = makeLastPhases(random);
    std::vector<LongAccess> accesses = makeAccesses(random, sites, lastPhases);
    RaceLog log(parties, kWarp);
    log.setLastPhases(lastPhases);
    for (LongAccess access : accesses)
      for (; access.phase <= access.last; ++access.phase) {
        log.add(access);
        access.isContinued = true;
        // Blocks know nothing of phases.
        if (parties == RaceLog::Parties::Blocks)
          break;
      }
    Counts counted;
    log.findRaces(sites, [&](const RacePairs &pairs) {
      const LoggedAccess &a = pairs.first, &b = pairs.second;
      counted[{std::min(a.site, b.site), std::max(a.site, b.site),
               pairs.relation, pairs.isEqualValue}] += pairs.count;
      // The example is one of the pairs.
      Counts example = listPairs({a, b}, sites, lastPhases, parties);
      ASSERT_EQ(example.size(), 1u);
      EXPECT_EQ(std::get<2>(example.begin()->first), pairs.relation);
      EXPECT_EQ(std::get<3>(example.begin()->first), pairs.isEqualValue);
    });
    EXPECT_EQ(counted, listPairs(accesses, sites, lastPhases, parties));
  }
}

TEST(RaceLog, CountsAsManyPairsOfThreadsAsThereAre) {
  compare(RaceLog::Parties::Threads);
}

TEST(RaceLog, CountsPairsOfThreadsThatHaveReturned) {
  compare(RaceLog::Parties::Threads, /*haveReturned=*/true);
}

TEST(RaceLog, CountsAsManyPairsOfBlocksAsThereAre) {
  compare(RaceLog::Parties::Blocks);
}

} // namespace
