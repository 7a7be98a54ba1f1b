//===- CountRuntime.cpp - What counted code calls -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in checked mode (Checked/Runtime.cpp), functions of plain numbers find
// their session through a variable of the thread.
//
//===----------------------------------------------------------------------===//

#include "CountSession.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace uop;

static thread_local CountSession *active = nullptr;

static CountSession::Impl &session() {
  if (!active)
    reportFatalUsageError("counted code runs without a CountSession");
  return active->getImpl();
}

CountSession::CountSession(CountOptions options)
    : impl(std::make_unique<Impl>(std::move(options))) {}

CountSession::~CountSession() = default;

CountSession::Scope::Scope(CountSession &session) : previous(active) {
  active = &session;
}

CountSession::Scope::~Scope() { active = previous; }

std::vector<CountedLaunch> CountSession::takeLaunches() {
  return std::move(impl->launches);
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

static void beginLaunch(const char *table, int64_t gridX, int64_t gridY,
                        int64_t gridZ, int64_t blockX, int64_t blockY,
                        int64_t blockZ, int64_t sharedBytes) {
  session().beginLaunch(table, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                        sharedBytes);
}

static void endLaunch() { session().endLaunch(); }

static void beginThread(int64_t blockX, int64_t blockY, int64_t blockZ,
                        int64_t thread) {
  session().beginThread({blockX, blockY, blockZ}, thread);
}

static void enterLoop(int64_t thread) { session().enterLoop(thread); }

static void iterate(int64_t thread) { session().iterate(thread); }

static void iterateAt(int64_t thread, int64_t loopsInside, int64_t iteration) {
  session().iterate(thread, loopsInside, iteration);
}

static void leaveLoop(int64_t thread) { session().leaveLoop(thread); }

static void access(int64_t site, int64_t thread, int64_t distance,
                   int64_t bytes, int64_t part) {
  session().access(site, thread, distance, bytes, part);
}

static void branch(int64_t place, int64_t thread, int64_t isTaken) {
  session().branch(place, thread, isTaken != 0);
}

static void barrier(int64_t thread) { session().barrier(thread); }

void uop::forEachCountFunction(function_ref<void(StringRef, void *)> visit) {
  visit("uop_count_begin_launch", reinterpret_cast<void *>(beginLaunch));
  visit("uop_count_end_launch", reinterpret_cast<void *>(endLaunch));
  visit("uop_count_begin_thread", reinterpret_cast<void *>(beginThread));
  visit("uop_count_enter_loop", reinterpret_cast<void *>(enterLoop));
  visit("uop_count_iterate", reinterpret_cast<void *>(iterate));
  visit("uop_count_iterate_at", reinterpret_cast<void *>(iterateAt));
  visit("uop_count_leave_loop", reinterpret_cast<void *>(leaveLoop));
  visit("uop_count_access", reinterpret_cast<void *>(access));
  visit("uop_count_branch", reinterpret_cast<void *>(branch));
  visit("uop_count_barrier", reinterpret_cast<void *>(barrier));
}
