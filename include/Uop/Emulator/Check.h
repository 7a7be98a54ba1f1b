//===- Check.h - What checked mode finds ------------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checked mode of the emulator: kernels that `uop-emulate-gpu` has instrumented
// (option `checked`) tell a CheckSession what they do to memory, and it finds
// what is wrong.
//
// Two accesses to overlapping bytes race if different threads make them, at
// least one is a write, not both are atomic, and nothing orders them. What
// orders two threads of a block is a barrier between; threads of different
// blocks are never ordered. So a verdict does not depend on the order in which
// the emulator runs threads, nor on the values. One race is reported for each
// pair of operations and relation of the threads, with the number of pairs of
// accesses that were made.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_CHECK_H
#define UOP_EMULATOR_CHECK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace uop {

/// A place in a source file; line 0 where it is not known.
struct SourcePosition {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// As x, y, z.
using Coordinates3 = std::array<int64_t, 3>;

enum class FindingKind {
  /// Unordered accesses.
  Race,
  /// Unordered stores of one and the same value.
  EqualValueRace,
  OutOfBounds,
  Misaligned,
  /// Shared memory is read before it has been written.
  UninitializedRead,
  /// Threads of a block wait at different places.
  Divergence,
  /// Some threads wait, the others have returned from the kernel.
  ExitBeforeBarrier,
  /// A shuffle reads from a lane without a thread that takes part.
  InactiveLane,
  /// Arithmetic of fewer than 64 bits, from which an index is made, overflows.
  IndexOverflow,
  /// A loop went on for more iterations than the limit.
  StepLimit,
};

enum class AccessSpace { Global, Shared, Private };

/// Who two threads are to each other; `None` where there is one thread.
enum class ThreadRelation { None, SameWarp, SameBlock, CrossBlock };

/// An operation that a thread has executed.
struct FindingAccess {
  /// The name of the operation, such as memref.store.
  std::string op;
  /// "reads", "writes", "updates atomically" or "copies to".
  std::string action;
  SourcePosition where;
  Coordinates3 thread{}, block{};
};

/// Threads of a block that are at one place.
struct FindingSide {
  /// Such as "wait at the gpu.barrier".
  std::string place;
  SourcePosition where;
  int64_t count = 0;
  /// The first few of them.
  std::vector<Coordinates3> threads;
};

struct Finding {
  FindingKind kind = FindingKind::Race;
  std::string kernel;
  /// A warning does not count as something found.
  bool isWarning = false;
  /// How often: for a race, pairs of accesses; else accesses or blocks.
  uint64_t count = 0;
  AccessSpace space = AccessSpace::Global;
  ThreadRelation relation = ThreadRelation::None;
  /// The buffer as the accessing operation knows it: where it is defined, what
  /// it is called if the source cannot be read, and the element.
  SourcePosition bufferPosition;
  std::string buffer;
  std::vector<int64_t> indices, sizes;
  /// From the start of the buffer, in bytes; -1 where the indices say it.
  int64_t byteOffset = -1;
  /// One operation, or two of a race, as an example.
  std::vector<FindingAccess> accesses;
  /// Of a race in a block: one of the threads had returned when the other one
  /// went on from a barrier.
  bool hasReturned = false;
  /// Of a divergence: who is where.
  std::vector<FindingSide> sides;
  /// More about what has happened, or empty.
  std::string detail;
};

struct CheckOptions {
  enum class Policy {
    /// Threads that return before a barrier are at fault.
    Strict,
    /// A barrier does not wait for them, as in CUDA: a warning.
    CUDA
  };
  Policy policy = Policy::Strict;
  /// The most iterations of loops that a thread makes; 0: no limit.
  uint64_t stepLimit = 0;
  /// Remember reads of buffers that no operation of the kernel seems to write.
  bool logEverything = false;
  /// Called when a block begins, with the blocks before it and their number.
  std::function<void(int64_t, int64_t)> progress;
  /// Called at the step limit, after which the emulated code cannot go on: it
  /// is to end the process. The findings are complete up to there.
  std::function<void()> stop;
};

/// Collects what the kernels find that run, in this thread, while it is active.
class CheckSession {
public:
  explicit CheckSession(CheckOptions options = {});
  ~CheckSession();

  /// Makes a session the active one of this thread, until the end of the scope.
  class Scope {
  public:
    explicit Scope(CheckSession &session);
    ~Scope();

  private:
    CheckSession *previous;
  };

  /// In the order in which they were found first.
  std::vector<Finding> takeFindings();

  /// Whether a buffer that seemed to be read only overlaps one that is written:
  /// the run is to be repeated with CheckOptions::logEverything.
  bool needsFullLog() const;

  /// Code that only detects: whether anything may be at fault. The program is
  /// then to be run again from the same memory, in code that does not only
  /// detect; else there are no findings.
  bool hasFired() const;

  class Impl;
  Impl &getImpl() { return *impl; }

private:
  std::unique_ptr<Impl> impl;
};

/// The functions that instrumented code calls, by name.
void forEachCheckFunction(
    llvm::function_ref<void(llvm::StringRef, void *)> visit);

/// The name of a kind in kebab case, such as out-of-bounds.
llvm::StringRef getFindingKindName(FindingKind kind);

/// What is wrong, in one line without a full stop. `buffer` is its name.
std::string describeFinding(const Finding &finding, llvm::StringRef buffer);

/// What would mend it, or empty.
std::string getRemedy(const Finding &finding);

/// A JSON document of all findings; docs/Checking.md describes it. `getBuffer`
/// names the buffer of a finding.
void printFindingsAsJSON(
    llvm::raw_ostream &os, const std::vector<Finding> &findings,
    llvm::function_ref<std::string(const Finding &)> getBuffer);

} // namespace uop

#endif // UOP_EMULATOR_CHECK_H
