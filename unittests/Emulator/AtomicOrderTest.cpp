//===- AtomicOrderTest.cpp - Order by fences, and by its definition -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checked/AtomicOrder.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>

using namespace uop;

namespace {

constexpr int kBlocks = 3, kThreads = 6, kWarp = 2, kIntervals = 2, kPhases = 2;

/// What happens in a run, in order.
struct Action {
  enum Kind { Access, Fence, Update, Barrier } kind = Access;
  int block = 0, thread = 0, interval = 0, phase = 0;
  bool acquires = false, releases = false;
  /// A location of shared memory is another one in each block.
  int location = 0;
  uint32_t segment = 0;
  /// Of a barrier: whom it is for, and who comes.
  int firstThread = 0, numThreads = 0;
  std::vector<char> comes;

  bool isBy(const Action &barrier) const {
    return block == barrier.block && kind != Barrier &&
           thread >= barrier.firstThread &&
           thread < barrier.firstThread + barrier.numThreads &&
           barrier.comes[thread];
  }
  /// Of two barriers: whether a thread comes to both.
  bool shareThread(const Action &other) const {
    int first = std::max(firstThread, other.firstThread);
    int end = std::min(firstThread + numThreads,
                       other.firstThread + other.numThreads);
    for (int i = first; i < end; ++i)
      if (comes[i] && other.comes[i])
        return true;
    return false;
  }
};

class RandomRun {
public:
  explicit RandomRun(unsigned seed) : random(seed), mayReturn(seed % 2) {
    order.clear();
    for (block = 0; block < kBlocks; ++block)
      runBlock();
  }

  /// By the definition: what comes first, transitively.
  std::vector<std::vector<char>> findOrder() const {
    size_t n = actions.size();
    std::vector<std::vector<char>> isBefore(n, std::vector<char>(n, false));
    for (size_t j = 0; j < n; ++j)
      for (size_t i = 0; i < j; ++i)
        isBefore[i][j] = isDirect(i, j);
    for (size_t k = 0; k < n; ++k)
      for (size_t i = 0; i < k; ++i)
        if (isBefore[i][k])
          for (size_t j = k + 1; j < n; ++j)
            isBefore[i][j] |= isBefore[k][j];
    return isBefore;
  }

  AtomicOrder order;
  std::vector<Action> actions;

private:
  void add(Action action) {
    action.block = block;
    action.interval = interval;
    action.phase = phase;
    actions.push_back(action);
  }

  void addBarrier(int firstThread, int numThreads) {
    Action action;
    action.kind = Action::Barrier;
    action.firstThread = firstThread;
    action.numThreads = numThreads;
    action.comes = isThere;
    add(action);
  }

  void act(int thread) {
    Action action;
    action.thread = thread;
    action.kind = static_cast<Action::Kind>(random() % 3);
    if (action.kind == Action::Fence) {
      int which = random() % 3;
      action.acquires = which != 0;
      action.releases = which != 1;
      order.fence(thread, action.acquires, action.releases);
    } else if (action.kind == Action::Update) {
      int number = random() % 3;
      bool isShared = number == 2;
      order.update(thread, number, isShared);
      action.location = isShared ? 2 + block : number;
    }
    action.segment = order.getSegment(thread);
    add(action);
  }

  void runBlock() {
    order.beginBlock(kThreads, kWarp);
    isThere.assign(kThreads, true);
    isLoose.assign(kThreads, false);
    for (interval = 0; interval < kIntervals; ++interval) {
      if (interval > 0) {
        loosen();
        addBarrier(0, kThreads);
        order.barrier();
      }
      for (phase = 0; phase < kPhases; ++phase)
        for (int thread = 0; thread < kThreads; ++thread) {
          if (phase > 0 && thread % kWarp == 0)
            addBarrier(thread, kWarp);
          if (!isThere[thread])
            continue;
          if (phase > 0)
            order.warpBarrier(thread);
          for (int count = random() % 4; count > 0; --count)
            act(thread);
          if (mayReturn && random() % 8 == 0) {
            order.exit(thread);
            isThere[thread] = false;
          }
        }
    }
  }

  void loosen() {
    for (int thread = 0; thread < kThreads; ++thread) {
      if (isThere[thread] || isLoose[thread])
        continue;
      auto warp = isThere.begin() + thread / kWarp * kWarp;
      order.loosen(thread, std::find(warp, warp + kWarp, true) == warp + kWarp);
      isLoose[thread] = true;
    }
  }

  /// Whether one comes before the other for a reason of its own.
  bool isDirect(size_t i, size_t j) const {
    const Action &a = actions[i], &b = actions[j];
    if (a.kind == Action::Barrier && b.kind == Action::Barrier)
      return a.block == b.block && a.shareThread(b);
    if (a.kind == Action::Barrier)
      return b.isBy(a);
    if (b.kind == Action::Barrier)
      return a.isBy(b);
    if (a.block == b.block && a.thread == b.thread)
      return true;
    return a.kind == Action::Fence && a.releases && b.kind == Action::Fence &&
           b.acquires && meet(i, j);
  }

  /// Whether an update after one fence comes before one before the other fence.
  bool meet(size_t release, size_t acquire) const {
    auto isOf = [&](size_t update, size_t fence) {
      return actions[update].kind == Action::Update &&
             actions[update].block == actions[fence].block &&
             actions[update].thread == actions[fence].thread;
    };
    for (size_t i = release + 1; i < acquire; ++i)
      for (size_t j = i + 1; j < acquire && isOf(i, release); ++j)
        if (isOf(j, acquire) && actions[i].location == actions[j].location)
          return true;
    return false;
  }

  std::mt19937 random;
  bool mayReturn;
  std::vector<char> isThere, isLoose;
  int block = 0, interval = 0, phase = 0;
};

TEST(AtomicOrder, IsWhatFencesAndUpdatesOrder) {
  int numOrdered = 0, numApart = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomRun run(seed);
    auto isBefore = run.findOrder();
    for (size_t j = 0; j < run.actions.size(); ++j)
      for (size_t i = 0; i < j; ++i) {
        const Action &a = run.actions[i], &b = run.actions[j];
        if (a.kind != Action::Access || b.kind != Action::Access)
          continue;
        // What barriers order is for others to say. They say nothing of what
        // threads did last that have returned, which is not asked about here.
        bool isInterval = a.block == b.block && a.interval == b.interval;
        bool isWarp = a.thread / kWarp == b.thread / kWarp;
        if (a.block == b.block && (a.thread == b.thread || !isInterval ||
                                   (isWarp && a.phase != b.phase)))
          continue;
        ASSERT_EQ(run.order.areOrdered(a.segment, b.segment),
                  static_cast<bool>(isBefore[i][j]))
            << "actions " << i << " and " << j;
        ++(isBefore[i][j] ? numOrdered : numApart);
      }
  }
  // Both happen.
  EXPECT_GT(numOrdered, 1000);
  EXPECT_GT(numApart, 1000);
}

} // namespace
