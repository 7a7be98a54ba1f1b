//===- Races.h - Data races of kernels in loop form -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two accesses of different threads to one element, one of them a store and not
// both atomic, are a race unless a barrier orders them. Within a block that is
// so where they are in two of its intervals (see BarrierIntervals.h); threads
// of two blocks are never ordered. That the threads of a warp run together, and
// shuffles, order nothing. The verdict follows from the order alone, never from
// the values.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_RACES_H
#define UOP_ANALYSIS_RACES_H

#include "Uop/Analysis/ThreadConflicts.h"

namespace uop {

/// What a pair of accesses is, in the order in which one thread does them.
enum class RaceKind { ReadAfterWrite, WriteAfterRead, WriteAfterWrite };

/// Who the two threads are to each other.
enum class RaceRelation { SameWarp, SameBlock, CrossBlock };

struct Race {
  const MemoryAccess *first, *second;
  RaceKind kind;
  RaceRelation relation;
  /// Two threads, and the element.
  Conflict witness;
  /// Whether both store one value, so that the order makes no difference.
  bool isEqualValue = false;
  /// Whether a barrier between the two would order them.
  bool isOrderable = true;
  /// Whether the two threads surely execute the accesses. Equal values are
  /// reported where that is not known, too.
  bool isCertain = true;
  /// Whether `first` is of an asynchronous copy that may not be completed yet.
  bool isUnderWay = false;
};

/// A pair that may be a race.
struct UnprovenPair {
  const MemoryAccess *first, *second;
  RaceRelation relation;
  std::string reason;
  mlir::Operation *reasonOp;
  /// Whether a barrier between the two would order them.
  bool isOrderable;
};

/// What is known of a kernel. Without races and unproven pairs it is free of
/// races, for every launch with arguments that do not overlap, if no access is
/// out of bounds and every thread of a block comes to every barrier.
struct RaceReport {
  explicit RaceReport(KernelOp kernel) : accesses(kernel) {}

  MemoryAccesses accesses;
  /// Each pair of accesses once a relation.
  std::vector<Race> races;
  std::vector<UnprovenPair> unproven;
  /// Pairs of accesses to one allocation or argument that were looked at and
  /// are no races.
  unsigned numProven = 0;

  bool isProven() const { return races.empty() && unproven.empty(); }
};

/// Looks for the races of a kernel in loop form.
std::unique_ptr<RaceReport> findRaces(KernelOp kernel,
                                      ThreadConflicts::Budget budget = {});

/// What an access does to memory: "reads", "writes" or "updates".
llvm::StringRef getVerb(const MemoryAccess &access);

/// A race, and what is not proved to be none, in one line without a full stop.
/// The first ends with what would mend it.
std::string describe(const Race &race);
std::string describe(const UnprovenPair &pair);

} // namespace uop

#endif // UOP_ANALYSIS_RACES_H
