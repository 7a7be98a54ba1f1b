//===- AtomicOrder.cpp - What fences and updates order --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomicOrder.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace uop;

//===----------------------------------------------------------------------===//
// What threads know
//===----------------------------------------------------------------------===//

/// Returns whether that was new.
bool AtomicOrder::merge(Knowledge &to, const Knowledge &from) {
  bool isNew = false;
  for (auto [location, release] : from) {
    uint64_t &known = to[location];
    isNew |= release > known;
    known = std::max(known, release);
  }
  return isNew;
}

/// Each of the threads that are there knows what one of them does.
void AtomicOrder::join(MutableArrayRef<Thread> some) {
  auto first =
      find_if(some, [](const Thread &thread) { return !thread.hasReturned; });
  if (first == some.end())
    return;
  uint32_t all = first->knowledge;
  Knowledge sum = knowledge[all];
  bool isNew = false;
  for (const Thread &thread : some)
    if (thread.knowledge != all && !thread.hasReturned)
      isNew |= merge(sum, knowledge[thread.knowledge]);
  if (isNew) {
    all = knowledge.size();
    knowledge.push_back(std::move(sum));
  }
  for (Thread &thread : some) {
    thread.knowledge = all;
    thread.segment = 0;
  }
}

//===----------------------------------------------------------------------===//
// What threads do
//===----------------------------------------------------------------------===//

void AtomicOrder::clear() {
  numReleases = 0;
  threads.clear();
  releases.clear();
  ends.clear();
  locations.clear();
  locationAt.clear();
  sharedAddresses.clear();
  // Number 0 is nothing.
  knowledge.assign(1, {});
  segments.assign(1, {});
}

void AtomicOrder::beginBlock(int64_t numThreads, int64_t lanes) {
  subgroupSize = lanes;
  for (uint64_t address : sharedAddresses)
    locationAt.erase(address);
  sharedAddresses.clear();
  threads.assign(numThreads, {});
  for (auto [i, thread] : enumerate(threads)) {
    thread.position.thread = i;
    thread.position.block = releases.size();
  }
  releases.emplace_back();
  ends.emplace_back();
}

void AtomicOrder::barrier() {
  join(threads);
  for (Thread &thread : threads) {
    ++thread.position.interval;
    thread.position.phase = 0;
  }
}

void AtomicOrder::warpBarrier(int64_t number) {
  int64_t first = number / subgroupSize * subgroupSize;
  MutableArrayRef<Thread> warp =
      MutableArrayRef(threads).drop_front(first).take_front(subgroupSize);
  uint32_t phase = ++threads[number].position.phase;
  threads[number].segment = 0;
  // Those who have gone on have done more than what came before the barrier.
  bool isFirst = all_of(warp, [&](const Thread &thread) {
    return thread.position.thread == number || thread.position.phase < phase;
  });
  if (isFirst)
    join(warp);
}

void AtomicOrder::exit(int64_t number) {
  Thread &thread = threads[number];
  thread.hasReturned = true;
  ends.back()[number] = {thread.position.interval, thread.position.phase};
}

void AtomicOrder::loosen(int64_t number, bool isWarpGone) {
  if (!threads[number].hasReturned)
    exit(number);
  End &end = ends.back()[number];
  end.loosePhase = isWarpGone ? 0 : end.phase;
}

void AtomicOrder::fence(int64_t number, bool acquires, bool releasesToo) {
  Thread &thread = threads[number];
  ++thread.position.fence;
  thread.segment = 0;
  if (acquires && !thread.read.empty()) {
    Knowledge known = knowledge[thread.knowledge];
    if (merge(known, thread.read)) {
      thread.knowledge = knowledge.size();
      knowledge.push_back(std::move(known));
    }
    thread.read.clear();
  }
  if (releasesToo) {
    thread.hasFence = true;
    thread.fence = {thread.position, thread.knowledge};
  }
}

void AtomicOrder::update(int64_t number, uint64_t address, bool isShared) {
  auto [it, isNew] = locationAt.try_emplace(address, locations.size());
  if (isNew) {
    locations.emplace_back();
    if (isShared)
      sharedAddresses.push_back(address);
  }
  Location &location = locations[it->second];
  Thread &thread = threads[number];
  merge(thread.read, location.known);
  if (!thread.hasFence)
    return;
  location.lastRelease = ++numReleases;
  location.known[it->second] = location.lastRelease;
  merge(location.known, knowledge[thread.fence.knowledge]);
  releases.back().push_back(
      {it->second, location.lastRelease, thread.fence.position});
}

//===----------------------------------------------------------------------===//
// What is ordered
//===----------------------------------------------------------------------===//

uint32_t AtomicOrder::getSegment(int64_t number) {
  Thread &thread = threads[number];
  if (thread.segment == 0) {
    thread.segment = segments.size();
    segments.push_back({thread.position, thread.knowledge});
  }
  return thread.segment;
}

/// Of two positions in a block, of which the second is a fence.
bool AtomicOrder::isBefore(const Position &access,
                           const Position &fence) const {
  if (access.thread == fence.thread)
    return access.interval != fence.interval ? access.interval < fence.interval
                                             : access.fence < fence.fence;
  auto it = ends[access.block].find(access.thread);
  bool isLast =
      it != ends[access.block].end() && it->second.interval == access.interval;
  if (access.interval != fence.interval)
    return access.interval < fence.interval &&
           !(isLast && access.phase >= it->second.loosePhase);
  return access.thread / subgroupSize == fence.thread / subgroupSize &&
         access.phase < fence.phase &&
         !(isLast && access.phase == it->second.phase);
}

bool AtomicOrder::isBefore(uint32_t first, uint32_t second) const {
  if (first == 0 || second == 0)
    return false;
  const Position &access = segments[first].position;
  const Knowledge &known = knowledge[segments[second].knowledge];
  if (known.empty())
    return false;
  return any_of(releases[access.block], [&](const Release &release) {
    auto it = known.find(release.location);
    return it != known.end() && it->second >= release.number &&
           isBefore(access, release.position);
  });
}
