//===- ConflictQuestion.h - One pair of accesses ----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the race analysis: one question of ThreadConflicts, and its tests.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_ANALYSIS_CONFLICTQUESTION_H
#define UOP_LIB_ANALYSIS_CONFLICTQUESTION_H

#include "Uop/Analysis/ThreadConflicts.h"

namespace uop {

class ConflictQuestion {
public:
  ConflictQuestion(ThreadConflicts &conflicts, const Meeting &meeting,
                   Apart apart)
      : conflicts(conflicts), forms(conflicts.forms), meeting(meeting),
        apart(apart), acrossBlocks(apart == Apart::Blocks) {}

  Conflict answer();

  /// Whether a value is the same for both threads.
  bool isSharedValue(mlir::Value value);

private:
  /// Both starts along one dimension, and how far the second may be from the
  /// first: from `low` to `high`, without an end where there is none.
  struct Dimension {
    FormNumber first, second;
    std::optional<int64_t> low, high;
  };

  /// Whether the index of one of the two is of an iteration of its own.
  bool isDetached() const {
    auto isOfOwn = [](const MemoryAccess &access) {
      return access.issue && !access.isCompletionCertain;
    };
    return isOfOwn(*meeting.first) || isOfOwn(*meeting.second);
  }
  /// Whether the atom counts the loop in which the second access is so many
  /// iterations after the first.
  bool isCarried(AtomNumber number) const {
    const Atom &atom = forms.getAtom(number);
    return atom.kind == Atom::Kind::Counter && isCarrying(atom.loop);
  }
  bool isCarrying(mlir::Operation *loop) const {
    return meeting.distance && !isDetached() && loop == meeting.carrier;
  }
  /// Why two that are not certain to meet may not do so.
  llvm::StringRef getWhyUncertain() const {
    if (meeting.isUnderWay)
      return "whether the copy is completed by then depends on a condition";
    return "whether there is a barrier in between depends on a condition";
  }
  bool prepare(Conflict &unknown);
  void restrictToPins(AccessAddress &address, const PinnedLoops *pins);
  bool isShared(AtomNumber atom);
  bool isSharedForm(FormNumber form);
  bool isSameIteration(mlir::Operation *loop) const;
  IndexBounds getBounds(AtomNumber atom, bool isSecond) const;

  bool excludesByInterval();
  bool excludesByDigits();
  Conflict solve();
  unsigned countQuotients();
  std::optional<Conflict> enumerate(int64_t numPoints);

  friend class AddressDifference;
  friend class ConflictEnumeration;
  friend class DigitClosure;
  friend class ConflictSystem;

  ThreadConflicts &conflicts;
  AddressForms &forms;
  const Meeting &meeting;
  Apart apart;
  bool acrossBlocks;
  AccessAddress first, second;
  llvm::SmallVector<Dimension, 4> dimensions;
  llvm::DenseMap<AtomNumber, bool> shared;
};

} // namespace uop

#endif // UOP_LIB_ANALYSIS_CONFLICTQUESTION_H
