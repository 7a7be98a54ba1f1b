//===- CountSessionTest.cpp - Threads that make requests ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Counted/CountSession.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace uop;

namespace {

/// Sites 0 to 2 access global memory, 3 to 5 shared memory; one branch.
SiteTable makeTable(int64_t subgroupSize) {
  SiteTable table;
  table.kernel = "k";
  table.subgroupSize = subgroupSize;
  table.views.resize(2);
  table.views[1].space = AccessSpace::Shared;
  for (ViewSite &view : table.views)
    view.elementBytes = 4;
  for (int64_t site = 0; site < 6; ++site) {
    AccessSite &access = table.accesses.emplace_back();
    access.op = "op" + std::to_string(site);
    access.kind = site % 3 == 0   ? SiteKind::Load
                  : site % 3 == 1 ? SiteKind::Store
                                  : SiteKind::Atomic;
    access.view = site / 3;
    access.space = table.views[access.view].space;
    access.bytes = site % 3 == 1 ? 24 : 4;
  }
  table.places.resize(1);
  return table;
}

/// One execution of a site, or of the branch (site 6), by a thread.
struct Execution {
  int64_t block, thread;
  uint32_t site, part;
  std::vector<uint64_t> iterations;
  int64_t value, bytes;
};

/// Nested loops with random bounds, of which each thread says what it does; all
/// come to the same barriers.
class RandomKernel {
public:
  RandomKernel(unsigned seed, CountSession::Impl &session)
      : seed(seed), session(session) {}

  void runInterval(int64_t block, int64_t thread, int64_t interval) {
    own.seed(((seed * 64 + block) * 256 + thread) * 16 + interval);
    iterations = {uint64_t(interval)};
    session.enterLoop(thread);
    for (int64_t i = 0; i <= interval; ++i)
      session.iterate(thread);
    runBody(block, thread, /*depth=*/0, seed * 1000 + interval);
    session.leaveLoop(thread);
  }

  std::vector<Execution> executions;

private:
  /// The threads have sites and loops in common, which follow from a number of
  /// the body of a loop, and differ in what they skip.
  void runBody(int64_t block, int64_t thread, int depth, unsigned number) {
    std::mt19937 shape(number);
    for (unsigned i = 0, end = 1 + shape() % 3; i < end; ++i) {
      uint32_t site = shape() % 7, place = shape();
      unsigned bound = 1 + shape() % 4, inside = shape();
      if (own() % 4 != 0)
        execute(block, thread, site, place);
      if (depth == 3 || site % 2)
        continue;
      session.enterLoop(thread);
      iterations.push_back(0);
      for (unsigned k = 0, count = own() % (bound + 1); k < count; ++k) {
        if (depth % 2)
          session.iterate(thread, 0, k);
        else
          session.iterate(thread);
        iterations.back() = k;
        runBody(block, thread, depth + 1, inside);
      }
      iterations.pop_back();
      session.leaveLoop(thread);
    }
  }

  /// The number of a part tells sites of several places apart, and so does an
  /// iteration for branches, which have no parts.
  void execute(int64_t block, int64_t thread, uint32_t site, uint32_t place) {
    Execution execution{block, thread, site, place, iterations, 0, 0};
    if (site == 6) {
      execution.value = own() % 2;
      session.enterLoop(thread);
      session.iterate(thread, 0, place);
      session.branch(0, thread, execution.value);
      session.leaveLoop(thread);
    } else {
      execution.bytes = site % 3 == 1 ? (own() % 8 == 0 ? 12 : 24) : 4;
      execution.value = own() % 5 == 0 ? 4 * (own() % 64) : 24 * thread;
      session.access(site, thread, execution.value, execution.bytes, place);
    }
    executions.push_back(std::move(execution));
  }

  unsigned seed;
  CountSession::Impl &session;
  std::mt19937 own;
  std::vector<uint64_t> iterations;
};

/// What the executions are worth, counted one part of a request after another.
struct Expected {
  std::map<uint32_t, std::map<int64_t, uint64_t>> requestsByCost;
  std::map<uint32_t, uint64_t> bytes;
  uint64_t branches = 0, divergent = 0;
};

Expected countExecutions(const std::vector<Execution> &executions,
                         int64_t subgroupSize) {
  using Key =
      std::tuple<int64_t, int64_t, uint32_t, uint32_t, std::vector<uint64_t>>;
  std::map<Key, std::vector<const Execution *>> requests;
  for (const Execution &one : executions)
    requests[{one.block, one.thread / subgroupSize, one.site, one.part,
              one.iterations}]
        .push_back(&one);
  Expected expected;
  for (const auto &request : requests) {
    const std::vector<const Execution *> &lanes = request.second;
    uint32_t site = std::get<2>(request.first);
    if (site == 6) {
      ++expected.branches;
      expected.divergent += !llvm::all_of(lanes, [&](const Execution *lane) {
        return lane->value == lanes.front()->value;
      });
      continue;
    }
    std::vector<std::pair<int64_t, int64_t>> parts{{0, 4}};
    if (site % 3 == 1)
      parts = {{0, 16}, {16, 8}};
    for (auto [begin, width] : parts) {
      std::vector<int64_t> addresses(subgroupSize), bytes(subgroupSize);
      LaneMask active = 0;
      for (const Execution *lane : lanes) {
        int64_t number = lane->thread % subgroupSize;
        addresses[number] = lane->value + begin;
        bytes[number] = std::clamp<int64_t>(lane->bytes - begin, 0, width);
        expected.bytes[site] += bytes[number];
        if (bytes[number] > 0)
          active |= LaneMask(1) << number;
      }
      if (!active)
        continue;
      int64_t cost = site >= 3
                         ? countWavefronts(addresses, width, active)
                         : countChunks(addresses, bytes, kSectorBytes, active);
      ++expected.requestsByCost[site][cost];
    }
  }
  return expected;
}

CountedLaunch run(RandomKernel &kernel, CountSession &owner,
                  const SiteTable &table, int64_t blocks, int64_t threads,
                  int64_t intervals) {
  CountSession::Impl &session = owner.getImpl();
  session.beginLaunch(table.print(), {blocks, 1, 1}, {threads, 1, 1}, 16);
  for (int64_t block = 0; block < blocks; ++block)
    for (int64_t interval = 0; interval < intervals; ++interval)
      for (int64_t thread = 0; thread < threads; ++thread) {
        if (interval == 0)
          session.beginThread({block, 0, 0}, thread);
        else
          session.barrier(thread);
        kernel.runInterval(block, thread, interval);
      }
  session.endLaunch();
  return owner.takeLaunches().front();
}

TEST(CountSessionTest, RandomThreadsEqualPlainGroups) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    int64_t subgroupSize = seed % 3 == 0 ? 64 : 32;
    SiteTable table = makeTable(subgroupSize);
    CountSession session;
    RandomKernel kernel(seed, session.getImpl());
    int64_t threads = 1 + seed * 7 % 150;
    CountedLaunch launch = run(kernel, session, table, /*blocks=*/2, threads,
                               /*intervals=*/1 + seed % 3);
    Expected expected = countExecutions(kernel.executions, subgroupSize);
    EXPECT_EQ(launch.getNumThreads(), uint64_t(2 * threads));
    EXPECT_EQ(launch.branches[0].executions, expected.branches);
    EXPECT_EQ(launch.branches[0].divergent, expected.divergent);
    for (auto [site, access] : llvm::enumerate(launch.accesses)) {
      EXPECT_TRUE(access.isCounted());
      EXPECT_EQ(access.sums.bytes, expected.bytes[site]) << "seed " << seed;
      EXPECT_EQ(access.requestsByCost, expected.requestsByCost[site])
          << "seed " << seed << ", site " << site;
    }
  }
}

TEST(CountSessionTest, WhatTakesTooMuchRoomIsNotCounted) {
  CountOptions options;
  options.memoryLimit = 1 << 20;
  CountSession owner(options);
  CountSession::Impl &session = owner.getImpl();
  SiteTable table = makeTable(32);
  session.beginLaunch(table.print(), {1, 1, 1}, {32, 1, 1}, 0);
  for (int64_t thread = 0; thread < 32; ++thread) {
    session.beginThread({0, 0, 0}, thread);
    session.access(0, thread, 4 * thread, 4, 0);
    for (int64_t part = 0; part < 100000; ++part)
      session.access(3, thread, 4 * thread * thread, 4, part);
    session.access(2, thread, 0, 4, 0);
  }
  session.endLaunch();
  CountedLaunch launch = owner.takeLaunches().front();
  EXPECT_EQ(launch.accesses[3].reason,
            "a warp makes more requests between two barriers than there is "
            "room for, which is 1 MiB");
  EXPECT_EQ(launch.accesses[3].sums.requests, 0u);
  std::map<int64_t, uint64_t> four{{4, 1}}, one{{1, 1}};
  EXPECT_EQ(launch.accesses[0].requestsByCost, four);
  EXPECT_EQ(launch.accesses[2].requestsByCost, one);
  EXPECT_EQ(launch.getNumAccesses(), 64u);
}

} // namespace
