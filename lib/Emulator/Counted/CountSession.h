//===- CountSession.h - The state of a run that counts ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks run one after another, the threads of a block one after another from
// barrier to barrier, and so do the warps. A warp's requests are complete when
// another warp, or another interval between two barriers, begins; then they are
// counted and forgotten.
//
// Which iterations of loops a thread is in is kept here: instrumented code says
// when it enters and leaves a loop, and when an iteration begins.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_COUNTED_COUNTSESSION_H
#define UOP_LIB_EMULATOR_COUNTED_COUNTSESSION_H

#include "../Checked/SiteTable.h"
#include "RequestTable.h"
#include "Uop/Emulator/Count.h"

#include "llvm/ADT/StringMap.h"

#include <chrono>

namespace uop {

class CountSession::Impl {
public:
  explicit Impl(CountOptions options) : options(std::move(options)) {}

  // What instrumented code reports, in the terms of a SiteTable, whose places
  // are the branches.
  void beginLaunch(llvm::StringRef table, const Coordinates3 &grid,
                   const Coordinates3 &block, int64_t sharedBytes);
  void endLaunch();
  void beginThread(const Coordinates3 &block, int64_t thread);
  void enterLoop(int64_t thread);
  /// The next iteration of the innermost loop.
  void iterate(int64_t thread);
  /// An iteration of the loop that so many loops are inside of.
  void iterate(int64_t thread, int64_t loopsInside, int64_t iteration);
  void leaveLoop(int64_t thread);
  /// A lane accesses some bytes at a distance from the start of the buffer.
  /// `part` is the element, if elements are accessed one by one.
  void access(int64_t site, int64_t thread, int64_t distance, int64_t bytes,
              int64_t part);
  void branch(int64_t place, int64_t thread, bool isTaken);
  void barrier(int64_t thread);

  std::vector<CountedLaunch> launches;

private:
  /// A loop that a thread is in.
  struct Level {
    uint64_t iteration = 0;
    /// Of this iteration, if it is of the paths that are known now.
    uint32_t path = PathTable::root;
    uint64_t epoch = 0;
  };
  struct Thread {
    llvm::SmallVector<Level, 4> levels;
    int64_t interval = 0;
  };

  void record(uint32_t site, int64_t thread, int64_t value, int64_t bytes,
              uint32_t part);
  uint32_t getPath(Thread &thread);
  /// Counts the requests of the warp.
  void endWarp();
  void countAccess(const LaneRecord &lanes);
  void countBranch(const LaneRecord &lanes);
  std::string &getReason(uint32_t site);

  CountOptions options;
  llvm::StringMap<SiteTable> tables;
  const SiteTable *table = nullptr;
  /// Of this launch.
  CountedLaunch launch;
  int64_t block = -1, warp = -1, lastThread = -1;
  int64_t interval = 0;
  std::vector<Thread> threads;
  PathTable paths;
  /// Paths of other epochs are forgotten.
  uint64_t epoch = 1;
  RequestTable requests;
  std::chrono::steady_clock::time_point nextProgress;
  int64_t blocksBegun = 0;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_COUNTED_COUNTSESSION_H
