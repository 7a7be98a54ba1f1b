//===- CountSession.cpp - The state of a run that counts ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CountSession.h"

#include "Uop/Analysis/WarpRequests.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace uop;

//===----------------------------------------------------------------------===//
// Launches and blocks
//===----------------------------------------------------------------------===//

static AccessKind getKind(SiteKind kind) {
  switch (kind) {
  case SiteKind::Load:
    return AccessKind::Load;
  case SiteKind::Store:
  case SiteKind::AsyncCopy:
    return AccessKind::Store;
  case SiteKind::Atomic:
    break;
  }
  return AccessKind::Atomic;
}

/// A launch that has not done anything yet.
static CountedLaunch describeLaunch(const SiteTable &table) {
  CountedLaunch launch;
  launch.kernel = table.kernel;
  launch.subgroupSize = table.subgroupSize;
  launch.launches = 1;
  for (const AccessSite &site : table.accesses) {
    const ViewSite &view = table.views[site.view];
    CountedAccess &access = launch.accesses.emplace_back();
    access.op = site.op;
    access.where = site.where;
    access.kind = getKind(site.kind);
    access.isShared = site.space == AccessSpace::Shared;
    access.bufferPosition = view.where;
    access.buffer = view.name;
    access.elementBytes = view.elementBytes;
  }
  for (const OpPlace &place : table.places) {
    CountedBranch &branch = launch.branches.emplace_back();
    branch.op = place.op;
    branch.where = place.where;
  }
  return launch;
}

void CountSession::Impl::beginLaunch(StringRef text, const Coordinates3 &grid,
                                     const Coordinates3 &size,
                                     int64_t sharedBytes) {
  auto [it, isNew] = tables.try_emplace(text);
  if (isNew) {
    Expected<SiteTable> parsed = SiteTable::parse(text);
    if (!parsed)
      reportFatalUsageError(parsed.takeError());
    it->second = std::move(*parsed);
  }
  table = &it->second;
  launch = describeLaunch(*table);
  launch.grid = grid;
  launch.block = size;
  launch.sharedBytes = sharedBytes;
  requests = RequestTable(table->subgroupSize);
  block = warp = lastThread = -1;
  blocksBegun = 0;
}

static bool isSamePlace(const SourcePosition &a, const SourcePosition &b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// Whether two lists are of the same operations.
template <typename T>
static bool isAlike(const std::vector<T> &a, const std::vector<T> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T &x, const T &y) {
                      return x.op == y.op && isSamePlace(x.where, y.where);
                    });
}

/// Whether two launches are of one kernel and one shape.
static bool isAlike(const CountedLaunch &a, const CountedLaunch &b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
         a.sharedBytes == b.sharedBytes && a.subgroupSize == b.subgroupSize &&
         isAlike(a.accesses, b.accesses) && isAlike(a.branches, b.branches);
}

void CountSession::Impl::endLaunch() {
  endWarp();
  auto it = find_if(launches, [&](const CountedLaunch &known) {
    return isAlike(known, launch);
  });
  if (it == launches.end()) {
    launches.push_back(std::move(launch));
    return;
  }
  it->launches += launch.launches;
  for (auto [sum, access] : zip_equal(it->accesses, launch.accesses)) {
    sum += access;
    if (sum.reason.empty())
      sum.reason = access.reason;
  }
  for (auto [sum, branch] : zip_equal(it->branches, launch.branches)) {
    sum.executions += branch.executions;
    sum.divergent += branch.divergent;
    if (sum.reason.empty())
      sum.reason = branch.reason;
  }
}

void CountSession::Impl::beginThread(const Coordinates3 &id, int64_t thread) {
  const Coordinates3 &grid = launch.grid, &size = launch.block;
  int64_t linear = id[0] + grid[0] * (id[1] + grid[1] * id[2]);
  if (linear == block)
    return;
  endWarp();
  block = linear;
  warp = lastThread = -1;
  threads.assign(size[0] * size[1] * size[2], {});
  interval = 0;
  auto now = std::chrono::steady_clock::now();
  if (blocksBegun++ == 0)
    nextProgress = now + std::chrono::seconds(2);
  if (!options.progress || now <= nextProgress)
    return;
  options.progress(blocksBegun, grid[0] * grid[1] * grid[2]);
  nextProgress = now + std::chrono::milliseconds(100);
}

void CountSession::Impl::barrier(int64_t thread) {
  if (++threads[thread].interval <= interval)
    return;
  interval = threads[thread].interval;
  endWarp();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void CountSession::Impl::enterLoop(int64_t thread) {
  // The first iteration follows.
  Level level;
  level.iteration = ~uint64_t(0);
  threads[thread].levels.push_back(level);
}

void CountSession::Impl::iterate(int64_t thread) {
  Level &level = threads[thread].levels.back();
  ++level.iteration;
  level.epoch = 0;
}

void CountSession::Impl::iterate(int64_t thread, int64_t loopsInside,
                                 int64_t iteration) {
  auto levels = MutableArrayRef(threads[thread].levels);
  levels[levels.size() - 1 - loopsInside].iteration = iteration;
  for (Level &level : levels.take_back(loopsInside + 1))
    level.epoch = 0;
}

void CountSession::Impl::leaveLoop(int64_t thread) {
  threads[thread].levels.pop_back();
}

uint32_t CountSession::Impl::getPath(Thread &thread) {
  auto levels = MutableArrayRef(thread.levels);
  // Those from here on are new, or of paths that are forgotten.
  size_t first = levels.size();
  while (first > 0 && levels[first - 1].epoch != epoch)
    --first;
  uint32_t path = first > 0 ? levels[first - 1].path : PathTable::root;
  for (Level &level : levels.drop_front(first)) {
    path = level.path = paths.follow(path, level.iteration);
    level.epoch = epoch;
  }
  return path;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

std::string &CountSession::Impl::getReason(uint32_t site) {
  size_t numAccesses = launch.accesses.size();
  return site < numAccesses ? launch.accesses[site].reason
                            : launch.branches[site - numAccesses].reason;
}

void CountSession::Impl::record(uint32_t site, int64_t thread, int64_t value,
                                int64_t bytes, uint32_t part) {
  if (!getReason(site).empty())
    return;
  int64_t ofWarp = thread / table->subgroupSize;
  if (ofWarp != warp) {
    endWarp();
    warp = ofWarp;
  }
  if (thread != lastThread) {
    lastThread = thread;
    requests.beginLane();
  }
  uint32_t path = getPath(threads[thread]);
  size_t taken = paths.getMemorySize();
  size_t room = options.memoryLimit > taken ? options.memoryLimit - taken : 0;
  while (!requests.add(site, part, path, thread % table->subgroupSize, value,
                       bytes, room)) {
    uint32_t dropped = requests.dropLargestSite().value_or(site);
    getReason(dropped) =
        "a warp makes more requests between two barriers than there is room "
        "for, which is " +
        std::to_string(options.memoryLimit >> 20) + " MiB";
    if (dropped == site)
      return;
  }
}

void CountSession::Impl::access(int64_t site, int64_t thread, int64_t distance,
                                int64_t bytes, int64_t part) {
  record(site, thread, distance, bytes, part);
}

void CountSession::Impl::branch(int64_t place, int64_t thread, bool isTaken) {
  record(launch.accesses.size() + place, thread, isTaken, 0, 0);
}

void CountSession::Impl::endWarp() {
  size_t numAccesses = launch.accesses.size();
  requests.take([&](const LaneRecord &lanes) {
    if (!getReason(lanes.site).empty())
      return;
    if (lanes.site < numAccesses)
      countAccess(lanes);
    else
      countBranch(lanes);
  });
  paths.clear();
  ++epoch;
}

/// What is wider than a lane accesses at once is several requests, the widest
/// first. Lanes may access fewer bytes than the access is wide.
void CountSession::Impl::countAccess(const LaneRecord &lanes) {
  CountedAccess &access = launch.accesses[lanes.site];
  size_t warpSize = lanes.values.size();
  SmallVector<int64_t, kMaxWarpSize> addresses(lanes.values);
  SmallVector<int64_t, kMaxWarpSize> bytes(warpSize);
  int64_t total = table->accesses[lanes.site].bytes;
  for (int64_t done = 0; done < total;) {
    int64_t width = std::min<int64_t>(kWidestAccessBytes,
                                      bit_floor(uint64_t(total - done)));
    LaneMask active = 0;
    for (size_t lane = 0; lane < warpSize; ++lane) {
      bytes[lane] = std::clamp<int64_t>(lanes.bytes[lane] - done, 0, width);
      if ((lanes.active >> lane & 1) && bytes[lane] > 0)
        active |= LaneMask(1) << lane;
    }
    WarpRequest request{lanes.site, /*weight=*/1, active, width, addresses};
    request.bytesOfLanes = bytes;
    if (active)
      addRequest(access, request, access.isShared, access.elementBytes);
    done += width;
    for (int64_t &address : addresses)
      address = int64_t(uint64_t(address) + uint64_t(width));
  }
}

void CountSession::Impl::countBranch(const LaneRecord &lanes) {
  CountedBranch &branch = launch.branches[lanes.site - launch.accesses.size()];
  LaneMask taken = 0;
  for (auto [lane, value] : enumerate(lanes.values))
    taken |= LaneMask(value != 0) << lane;
  taken &= lanes.active;
  ++branch.executions;
  branch.divergent += taken != 0 && taken != lanes.active;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

uint64_t CountedLaunch::getNumThreads() const {
  uint64_t threads = launches;
  for (const Coordinates3 &sizes : {grid, block})
    for (int64_t size : sizes)
      threads *= size;
  return threads;
}

TrafficTotals CountedLaunch::getTotals() const {
  TrafficTotals totals;
  for (const CountedAccess &access : accesses)
    if (access.isCounted())
      totals.get(access.kind, access.isShared) += access.sums;
  return totals;
}

uint64_t CountedLaunch::getNumAccesses() const {
  uint64_t elements = 0;
  for (const CountedAccess &access : accesses)
    if (access.isCounted())
      elements += access.sums.elements;
  return elements;
}
