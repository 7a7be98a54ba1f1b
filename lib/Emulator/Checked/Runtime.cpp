//===- Runtime.cpp - What instrumented code calls -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of plain numbers and addresses. They find their session through a
// variable of the thread: emulated code is called by hosts that know nothing of
// it, and blocks of a checked launch run in the thread that launches.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdarg>

using namespace llvm;
using namespace uop;

static thread_local CheckSession *active = nullptr;

static CheckSession::Impl &session() {
  if (!active)
    reportFatalUsageError("checked code runs without a CheckSession");
  return active->getImpl();
}

CheckSession::CheckSession(CheckOptions options)
    : impl(std::make_unique<Impl>(std::move(options))) {}

CheckSession::~CheckSession() = default;

CheckSession::Scope::Scope(CheckSession &session) : previous(active) {
  active = &session;
}

CheckSession::Scope::~Scope() { active = previous; }

std::vector<Finding> CheckSession::takeFindings() {
  return std::move(impl->findings);
}

bool CheckSession::needsFullLog() const { return impl->needsFullLog; }

bool CheckSession::hasFired() const { return impl->hasFired; }

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

static void beginLaunch(const char *table, int64_t gridX, int64_t gridY,
                        int64_t gridZ, int64_t blockX, int64_t blockY,
                        int64_t blockZ) {
  session().beginLaunch(table, {gridX, gridY, gridZ}, {blockX, blockY, blockZ});
}

static void endLaunch() { session().endLaunch(); }

static void beginThread(int64_t blockX, int64_t blockY, int64_t blockZ,
                        int64_t thread) {
  session().beginThread({blockX, blockY, blockZ}, thread);
}

static void beginShared(int64_t buffer, int64_t address, int64_t bytes) {
  session().beginShared(buffer, address, bytes);
}

/// Takes as many numbers off the list.
#define UOP_TAKE(numbers, count, list)                                         \
  for (int64_t i = 0; i < (count); ++i)                                        \
  (numbers).push_back(va_arg(list, int64_t))

/// The sizes, then the strides.
static void beginView(int64_t view, int64_t address, ...) {
  int64_t rank = session().getTable().views[view].rank;
  SmallVector<int64_t, 4> sizes, strides;
  va_list list;
  va_start(list, address);
  UOP_TAKE(sizes, rank, list);
  UOP_TAKE(strides, rank, list);
  va_end(list);
  session().beginView(view, address, sizes, strides);
}

static void beginBuffer(int64_t view, int64_t begin, int64_t end) {
  session().beginBuffer(view, begin, end);
}

static void access(int64_t site, int64_t thread, int64_t address) {
  session().access(site, thread, address);
}

/// The indices, one after the last of each, and the sizes.
static void fault(int64_t site, int64_t thread, int64_t address, ...) {
  const SiteTable &table = session().getTable();
  int64_t rank = table.views[table.accesses[site].view].rank;
  SmallVector<int64_t, 4> indices, ends, sizes;
  va_list list;
  va_start(list, address);
  UOP_TAKE(indices, rank, list);
  UOP_TAKE(ends, rank, list);
  UOP_TAKE(sizes, rank, list);
  va_end(list);
  session().fault(site, thread, address, indices, ends, sizes);
}

static void exitKernel(int64_t thread) { session().exit(thread); }

static void barrier(int64_t thread) { session().barrier(thread); }

static void warpBarrier(int64_t thread) { session().warpBarrier(thread); }

static void fence(int64_t thread, int64_t acquires, int64_t releases) {
  session().fence(thread, acquires != 0, releases != 0);
}

static void step(int64_t loop, int64_t thread) { session().step(loop, thread); }

/// A thread takes the value of another lane of its subgroup.
static void readLane(int64_t place, int64_t thread, int64_t sourceLane,
                     int64_t width, int64_t isValid) {
  session().shuffle(place, thread, sourceLane, width, isValid != 0);
}

static void overflow(int64_t place, int64_t thread, int64_t exact,
                     int64_t wrapped) {
  session().overflow(place, thread, exact, wrapped);
}

static void asyncCopy(int64_t site, int64_t thread, int64_t address) {
  session().asyncCopy(site, thread, address);
}

static void asyncGroup(int64_t thread) { session().asyncGroup(thread); }

static void asyncWait(int64_t thread, int64_t groups) {
  session().asyncWait(thread, groups);
}

static void fire() { session().hasFired = true; }

static int64_t hasFired(int64_t numBlocks) {
  session().beginBlock(numBlocks);
  return session().hasFired;
}

/// Threads that only detect tell no more than that they disagree. All of them
/// go to the end of the kernel.
static int64_t fireAtVote() {
  session().hasFired = true;
  return 1;
}

static int64_t isAlive(int64_t thread) { return session().isAlive(thread); }

/// The votes of a block, of which those of the threads from `first` up to `end`
/// differ.
static int64_t diverge(const uint64_t *votes, int64_t first, int64_t end,
                       const char *table) {
  return session().diverge(ArrayRef(votes, end).drop_front(first), first,
                           table);
}

void uop::forEachCheckFunction(function_ref<void(StringRef, void *)> visit) {
  visit("uop_check_begin_launch", reinterpret_cast<void *>(beginLaunch));
  visit("uop_check_end_launch", reinterpret_cast<void *>(endLaunch));
  visit("uop_check_begin_thread", reinterpret_cast<void *>(beginThread));
  visit("uop_check_begin_shared", reinterpret_cast<void *>(beginShared));
  visit("uop_check_begin_view", reinterpret_cast<void *>(beginView));
  visit("uop_check_begin_buffer", reinterpret_cast<void *>(beginBuffer));
  visit("uop_check_access", reinterpret_cast<void *>(access));
  visit("uop_check_fault", reinterpret_cast<void *>(fault));
  visit("uop_check_exit", reinterpret_cast<void *>(exitKernel));
  visit("uop_check_barrier", reinterpret_cast<void *>(barrier));
  visit("uop_check_warp_barrier", reinterpret_cast<void *>(warpBarrier));
  visit("uop_check_fence", reinterpret_cast<void *>(fence));
  visit("uop_check_step", reinterpret_cast<void *>(step));
  visit("uop_check_shuffle", reinterpret_cast<void *>(readLane));
  visit("uop_check_overflow", reinterpret_cast<void *>(overflow));
  visit("uop_check_async_copy", reinterpret_cast<void *>(asyncCopy));
  visit("uop_check_async_group", reinterpret_cast<void *>(asyncGroup));
  visit("uop_check_async_wait", reinterpret_cast<void *>(asyncWait));
  visit("uop_check_fire", reinterpret_cast<void *>(fire));
  visit("uop_check_has_fired", reinterpret_cast<void *>(hasFired));
  visit("uop_check_fire_at_vote", reinterpret_cast<void *>(fireAtVote));
  visit("uop_check_is_alive", reinterpret_cast<void *>(isAlive));
  visit("uop_check_diverge", reinterpret_cast<void *>(diverge));
}
