//===- AtomicOrder.h - What fences and updates order ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fence alone orders nothing, and an atomic update neither. A fence and then
// an update of some location release what the thread has done before the fence;
// an update of that location that happens later, and then a fence, acquire it
// for what the thread does after the fence. So two accesses are ordered in the
// order in which updates happen to come in this run.
//
// Barriers go together with that: what others have done before a barrier is
// released by a fence after it, and what one thread has acquired before a
// barrier is known to all that wait at it. A thread that has returned waits at
// none.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CHECKED_ATOMICORDER_H
#define UOP_LIB_EMULATOR_CHECKED_ATOMICORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <vector>

namespace uop {

class AtomicOrder {
public:
  /// Begins a launch.
  void clear();
  /// Blocks run one after another.
  void beginBlock(int64_t numThreads, int64_t subgroupSize);

  // What the threads of the block do. At a barrier of the block each of them
  // has come; at one of a warp its threads have, when the first of them goes
  // on.
  void barrier();
  void warpBarrier(int64_t thread);
  void fence(int64_t thread, bool acquires, bool releases);
  void update(int64_t thread, uint64_t address, bool isShared);
  /// The thread returns.
  void exit(int64_t thread);
  /// The rest of the block is about to go on from a barrier without the thread;
  /// else barriers are taken to order what a thread did that has returned. With
  /// `isWarpGone`, no lane of its warp goes on either.
  void loosen(int64_t thread, bool isWarpGone);

  /// A number, not 0, for what a thread does from one of these to the next.
  uint32_t getSegment(int64_t thread);
  /// Whether something that is done in one segment happens before what is done
  /// in the other one, or after it, by fences and updates. Number 0 is for what
  /// they do not order.
  bool areOrdered(uint32_t first, uint32_t second) const {
    return isBefore(first, second) || isBefore(second, first);
  }
  /// Nothing has been released.
  bool isEmpty() const { return numReleases == 0; }

private:
  /// Of each location the last release that is known, with all before it.
  using Knowledge = std::map<uint32_t, uint64_t>;
  static bool merge(Knowledge &to, const Knowledge &from);

  /// When a thread does something: after how many barriers of the block and,
  /// since then, of the warp, and fences of its own.
  struct Position {
    uint32_t block = 0, thread = 0, interval = 0, phase = 0, fence = 0;
  };
  /// Where a thread has returned, and from which phase on no barrier of the
  /// block orders what it did there.
  struct End {
    uint32_t interval = 0, phase = 0, loosePhase = UINT32_MAX;
  };
  struct Segment {
    Position position;
    uint32_t knowledge = 0;
  };
  struct Release {
    uint32_t location = 0;
    uint64_t number = 0;
    /// Of the fence.
    Position position;
  };
  struct Location {
    uint64_t lastRelease = 0;
    Knowledge known;
  };
  struct Thread {
    Position position;
    /// The number of what it knows, and what it will know after a fence.
    uint32_t knowledge = 0;
    Knowledge read;
    /// 0 if it has none yet.
    uint32_t segment = 0;
    /// What its last fence has released.
    bool hasFence = false;
    bool hasReturned = false;
    Segment fence;
  };

  bool isBefore(uint32_t first, uint32_t second) const;
  bool isBefore(const Position &access, const Position &fence) const;
  void join(llvm::MutableArrayRef<Thread> some);

  int64_t subgroupSize = 32;
  uint64_t numReleases = 0;
  std::vector<Thread> threads;
  std::vector<Knowledge> knowledge;
  std::vector<Segment> segments;
  /// Of each block that has begun.
  std::vector<std::vector<Release>> releases;
  std::vector<llvm::DenseMap<uint32_t, End>> ends;
  std::vector<Location> locations;
  llvm::DenseMap<uint64_t, uint32_t> locationAt;
  /// The memory of the next block may be in the same place.
  llvm::SmallVector<uint64_t> sharedAddresses;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_CHECKED_ATOMICORDER_H
