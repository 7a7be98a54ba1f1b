//===- CopyState.h - What has become of a copy ---------------- -*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the race analysis: where an asynchronous copy may be, between its
// issue and its completion.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_ANALYSIS_COPYSTATE_H
#define UOP_LIB_ANALYSIS_COPYSTATE_H

#include <cstdint>

namespace uop {

/// What may have become of a copy: a set of states.
class CopyState {
public:
  /// Groups that are counted.
  static constexpr int64_t kMaxGroups = 24;

  static CopyState issued() { return CopyState(kIssued); }

  bool isEmpty() const { return bits == 0; }
  bool isCompleted() const { return (bits & ~kCompleted) == 0; }
  bool operator==(CopyState other) const { return bits == other.bits; }
  CopyState unite(CopyState other) const {
    return CopyState(bits | other.bits);
  }

  /// A group is made of what has been issued before. Up to so many groups are
  /// told apart.
  void commit(int64_t most) {
    uint64_t last = kFirstGroup << most;
    uint64_t committed = (bits & ~kCompleted) << 1;
    bits = (committed & ~(last << 1)) | (bits & (last | kCompleted));
  }
  /// At most so many groups are left; of so many that they are not counted it
  /// is not known. Returns whether it is.
  bool wait(int64_t left) {
    uint64_t groups = bits & ~(kCompleted | kIssued);
    if (left > kMaxGroups) {
      if (groups >> (kMaxGroups + 1) == 0)
        return true;
      bits |= kCompleted;
      return false;
    }
    uint64_t completed = groups & ~((kFirstGroup << left) - 1);
    if (completed != 0)
      bits = (bits & ~completed) | kCompleted;
    return true;
  }
  /// Returns whether nothing or everything is known to others now.
  bool synchronize() {
    bool isAll = isCompleted(), isAny = (bits & kCompleted) != 0;
    bits &= ~kCompleted;
    return isAll || !isAny;
  }

private:
  explicit CopyState(uint64_t bits) : bits(bits) {}

  /// In no group yet; in one with 0, 1, ... and kMaxGroups or more after it.
  static constexpr uint64_t kIssued = 1, kFirstGroup = 2;
  static constexpr uint64_t kCompleted = uint64_t(1) << 63;
  uint64_t bits;
};

} // namespace uop

#endif // UOP_LIB_ANALYSIS_COPYSTATE_H
