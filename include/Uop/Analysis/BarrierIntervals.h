//===- BarrierIntervals.h - What happens between two barriers ---*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every thread of a block comes to every barrier, and so what a block executes
// is a sequence of intervals, the same ones for all of its threads. Accesses of
// two threads are ordered if and only if they are in different intervals. Which
// may be in one follows from the structure of the code:
//
// * within one iteration of the loops around them, where a way from one to the
//   other has no barrier;
// * around the back edge of a loop, from what comes after the last barrier of
//   an iteration to what comes before the first of the next one; any later one,
//   if there is a way through an iteration without a barrier;
// * everything under control flow that may differ between threads, in which
//   there is no barrier: each thread goes its own way there.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_BARRIERINTERVALS_H
#define UOP_ANALYSIS_BARRIERINTERVALS_H

#include "Uop/Analysis/MemoryAccess.h"
#include "Uop/Analysis/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/Allocator.h"

namespace uop {

/// Loops of which an access is in a certain iteration.
struct PinnedLoops {
  mlir::Operation *loop;
  /// From the first one on: 0, 1, ...; or from the last one back: -1, -2, ...
  int64_t iteration;
  const PinnedLoops *outer;
};

/// Loops that are executed so many times.
struct TripCounts {
  mlir::Operation *loop;
  int64_t count;
  const TripCounts *next;
};

/// Two accesses that may be in one interval: `first` comes before `second`,
/// where a thread executes both, or there is no order.
struct Meeting {
  const MemoryAccess *first, *second;
  /// The loops around both of which all threads are in the same iteration. In
  /// other loops each access is in an iteration of its own.
  llvm::ArrayRef<mlir::Operation *> sameIteration;
  /// The loop in which `second` is in a later iteration than `first`, so many
  /// later; any later one, where that is not set. Null if there is none.
  mlir::Operation *carrier = nullptr;
  std::optional<int64_t> distance = std::nullopt;
  /// The iterations of other loops that they are in, as far as these are known.
  const PinnedLoops *firstPins = nullptr, *secondPins = nullptr;
  /// What else holds where the two meet.
  const TripCounts *trips = nullptr;
  /// Whether a barrier can be put between the two.
  bool isOrderable = true;
  /// Whether a thread that executes both surely meets no barrier in between:
  /// not where that depends on a condition.
  bool isCertain = true;
  /// Whether `first` is of an asynchronous copy that may not be completed yet.
  bool isUnderWay = false;
};

/// Goes through a kernel in loop form and finds the accesses that may be in one
/// interval.
class BarrierIntervals {
public:
  /// What is done with the pairs. Returns whether the two are to be ordered by
  /// a barrier, if that is possible.
  using Visitor = llvm::function_ref<bool(const Meeting &)>;
  /// Puts a barrier in front of an op.
  using Inserter = llvm::function_ref<BarrierOp(mlir::Operation *before)>;

  BarrierIntervals(KernelOp kernel, const MemoryAccesses &accesses,
                   const Uniformity &uniformity);

  /// Visits all pairs of accesses of which `MemoryAccess::conflictsWith` holds.
  void visit(Visitor visitor);

  /// Visits pairs until barriers order all that the visitor wants ordered, as
  /// few as possible: within a block as late as possible, around the back edge
  /// of a loop where an iteration begins. Inner blocks first, in which nothing
  /// outside could help; what they have counts for outer ones.
  void order(Visitor visitor, Inserter inserter);

  /// Whether all threads go the same way through the op.
  bool isUniformControl(mlir::Operation *op) const {
    return uniformity.isUniformControl(op) || withBarriers.contains(op);
  }
  /// Whether everything in the op is in one interval: there is no barrier in
  /// it, or no order that threads agree on.
  bool isLeaf(mlir::Operation *op) const;
  bool hasBarrierBefore(PhaseOp phase) const {
    return barrierBefore.contains(phase);
  }
  bool hasBarrierAfter(PhaseOp phase) const {
    return barrierAfter.contains(phase);
  }

private:
  struct Exposed {
    const MemoryAccess *access;
    const PinnedLoops *pinned = nullptr;
    /// Whether no barrier may be on the way, under some condition.
    bool isCertain = true;
  };
  using ExposedList = llvm::SmallVector<Exposed, 0>;

  /// What of an op or a block is before its first barrier, and after its last
  /// one, and whether there is a way through it without any.
  struct Summary {
    ExposedList entry, exit;
    bool isOpen = true;
    /// Whether every way through it is without one.
    bool isFree = true;
  };

  void run();
  Summary visitBlock(mlir::Block &block);
  /// Appends what comes next to what came before.
  void append(Summary &before, Summary after);
  Summary visitOp(mlir::Operation *op);
  Summary visitLeaf(mlir::Operation *op);
  Summary visitPhase(PhaseOp phase);
  Summary visitLoop(mlir::Operation *loop);
  Summary visitBody(mlir::Operation *loop);
  Summary visitIteration(mlir::Operation *loop, ExposedList *exit);
  mlir::Operation *findCarried(mlir::Operation *loop, const Summary &body);
  bool isOrdered(const ExposedList &before, const ExposedList &after,
                 mlir::Operation *carrier, bool isNext, bool isCertain);
  ExposedList pin(ExposedList list, mlir::Operation *loop, int64_t iteration);

  KernelOp kernel;
  const MemoryAccesses &accesses;
  const Uniformity &uniformity;
  const Visitor *visitor = nullptr;
  const Inserter *inserter = nullptr;
  /// The ops around the barriers and phases that were there.
  llvm::DenseSet<mlir::Operation *> withBarriers;
  /// Phases with a barrier before or after them.
  llvm::DenseSet<mlir::Operation *> barrierBefore, barrierAfter;
  /// The loops around the block that is visited, in which all threads are in
  /// the same iteration.
  llvm::SmallVector<mlir::Operation *> loops;
  /// The barriers that were put into a block.
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<BarrierOp, 2>> inserted;
  llvm::BumpPtrAllocator allocator;
};

/// Whether the body of the loop is surely executed at least once.
bool isExecuted(mlir::scf::ForOp loop);
bool isExecuted(mlir::scf::WhileOp loop);

} // namespace uop

#endif // UOP_ANALYSIS_BARRIERINTERVALS_H
