//===- Count.h - Requests to memory of a run --------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counted mode of the emulator: kernels that `uop-emulate-gpu` has instrumented
// (option `counted`) tell a CountSession which addresses each thread accesses,
// and it counts the requests of the warps, as MemoryRequest.h defines what they
// cost. docs/Reports.md describes what is counted.
//
// A request is one warp that executes (a part of) an access once. Lanes are of
// one request if they execute the access in equal iterations of all the loops
// around it, which is how hardware does it that brings diverged lanes together
// again where their ways meet.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_COUNT_H
#define UOP_EMULATOR_COUNT_H

#include "Uop/Analysis/TrafficSums.h"
#include "Uop/Emulator/Check.h"

namespace uop {

/// An operation of a kernel that accesses global or shared memory. An
/// nvgpu.device_async_copy is two: a load and a store to shared memory.
struct CountedAccess : RequestCounts {
  /// The name of the operation, such as memref.store.
  std::string op;
  SourcePosition where;
  AccessKind kind = AccessKind::Load;
  bool isShared = false;
  /// The buffer as the operation knows it: where it is defined, and what it is
  /// called if the source cannot be read.
  SourcePosition bufferPosition;
  std::string buffer;
  int64_t elementBytes = 1;
  /// Why it is not counted; empty where it is.
  std::string reason;

  bool isCounted() const { return reason.empty(); }
};

/// A branch: how often a warp executed it, and in how many of these lanes went
/// both ways.
struct CountedBranch {
  std::string op;
  SourcePosition where;
  uint64_t executions = 0, divergent = 0;
  /// Why it is not counted; empty where it is.
  std::string reason;
};

/// What one kernel did in all launches of one shape.
struct CountedLaunch {
  std::string kernel;
  Coordinates3 grid{}, block{};
  int64_t sharedBytes = 0;
  int64_t subgroupSize = 32;
  uint64_t launches = 0;
  /// In the order of the program; of a function that is called several times,
  /// once for each call.
  std::vector<CountedAccess> accesses;
  std::vector<CountedBranch> branches;

  /// Of all launches.
  uint64_t getNumThreads() const;
  TrafficTotals getTotals() const;
  /// The elements that are accessed, each as often as it is.
  uint64_t getNumAccesses() const;
};

struct CountOptions {
  /// What the requests of one warp between two barriers may take in memory. An
  /// access for which that is too little is not counted.
  uint64_t memoryLimit = uint64_t(1) << 29;
  /// Called now and then with the blocks that have begun and their number.
  std::function<void(int64_t, int64_t)> progress;
};

/// Counts what the kernels do that run, in this thread, while it is active.
class CountSession {
public:
  explicit CountSession(CountOptions options = {});
  ~CountSession();

  /// Makes a session the active one of this thread, until the end of the scope.
  class Scope {
  public:
    explicit Scope(CountSession &session);
    ~Scope();

  private:
    CountSession *previous;
  };

  /// In the order of the first launch of each.
  std::vector<CountedLaunch> takeLaunches();

  class Impl;
  Impl &getImpl() { return *impl; }

private:
  std::unique_ptr<Impl> impl;
};

/// The functions that instrumented code calls, by name.
void forEachCountFunction(
    llvm::function_ref<void(llvm::StringRef, void *)> visit);

} // namespace uop

#endif // UOP_EMULATOR_COUNT_H
