//===- Progress.h - How far a long run is -----------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line on a terminal, for runs that take longer than a user waits without
// asking. What runs only says how far it is; a thread shows it, so that the
// line also comes while one block takes all the time.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_PROGRESS_H
#define UOP_TOOLS_UOP_RUN_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace uop::run {

class Progress {
public:
  using Milliseconds = std::chrono::milliseconds;

  /// Begins a run; after `delay` the line is written to `os`. With a delay of 0
  /// it is there at once.
  Progress(llvm::raw_ostream &os, llvm::StringRef what, Milliseconds delay);
  ~Progress() { end(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// So many of `total` steps are done.
  void report(int64_t done, int64_t total) {
    permille = total > 0 ? 1000.0 * done / total : 0;
  }
  /// Takes the line away, for good.
  void end();
  bool isShown() const { return shown; }

private:
  void draw();

  llvm::raw_ostream &os;
  std::string what;
  std::atomic<int> permille{0};
  std::atomic<bool> shown{false};
  bool hasEnded = false;
  std::mutex mutex;
  std::condition_variable changed;
  std::thread thread;
};

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_PROGRESS_H
