//===- RequestTable.h - Accesses of lanes become requests -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lanes of a warp run one after another, so their accesses are gathered
// here until they make requests. Most requests have addresses of equal
// distance, which take the room of two numbers.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_COUNTED_REQUESTTABLE_H
#define UOP_LIB_EMULATOR_COUNTED_REQUESTTABLE_H

#include "Uop/Analysis/MemoryRequest.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace uop {

/// The iterations of the loops around an access, as a number: equal numbers are
/// equal iterations.
class PathTable {
public:
  static constexpr uint32_t root = 0;

  /// The path that goes on from another one by an iteration of a loop inside.
  /// A lane is likely to ask for what the one before it asked for, in order.
  uint32_t follow(uint32_t path, uint64_t iteration) {
    Step step{path, iteration};
    if (next < steps.size() && steps[next] == step)
      return ++next;
    auto [it, isNew] = numbers.try_emplace(step, steps.size());
    if (isNew)
      steps.push_back(step);
    next = it->second + 1;
    return next;
  }
  void clear() {
    steps.clear();
    numbers.clear();
    next = 0;
  }
  size_t getMemorySize() const {
    return steps.capacity() * sizeof(Step) + numbers.getMemorySize();
  }

private:
  /// A path and an iteration.
  using Step = std::pair<uint32_t, uint64_t>;

  /// The last ones of the paths 1, 2, ...
  std::vector<Step> steps;
  llvm::DenseMap<Step, uint32_t> numbers;
  /// What is likely to be asked for.
  uint32_t next = 0;
};

/// What the lanes of one warp do when they execute a site once.
struct LaneRecord {
  uint32_t site;
  LaneMask active;
  /// A number for each lane, and the bytes that it accesses.
  llvm::ArrayRef<int64_t> values, bytes;
};

class RequestTable {
public:
  explicit RequestTable(unsigned warpSize = 32) : warpSize(warpSize) {}

  /// A lane executes a site. `part` is the number of the element of a vector
  /// whose elements are accessed one by one. Returns false, and forgets about
  /// it, if there is no room within the limit in bytes.
  bool add(uint32_t site, uint32_t part, uint32_t path, unsigned lane,
           int64_t value, int64_t bytes, size_t memoryLimit);

  /// Another lane begins: it is likely to do what the one before it did.
  void beginLane() { next = 0; }

  /// Forgets the site that takes most room, and returns it; none if there is
  /// nothing to forget.
  std::optional<uint32_t> dropLargestSite();

  /// Hands out all records in the order in which they began, and forgets them.
  void take(llvm::function_ref<void(const LaneRecord &)> handle);

  size_t getMemorySize() const;

private:
  using Key = std::pair<std::pair<uint32_t, uint32_t>, uint32_t>;

  struct Record {
    Key key;
    LaneMask active;
    unsigned firstLane, lastLane;
    /// Of the first lane, and the distance from lane to lane.
    int64_t value, step;
    int64_t bytes;
    /// Where the lanes have values of their own, if the distances differ, and
    /// their bytes, if these differ; else -1.
    int64_t values, bytesOfLanes;
  };

  Record *find(const Key &key);
  bool isRegular(Record &record, unsigned lane, int64_t value) const;
  /// Room for a number for each lane.
  int64_t addLanes();
  /// What the lanes so far have in common becomes numbers of their own.
  void spreadValues(Record &record);
  void spreadBytes(Record &record);
  /// Any address may come, and then this one is not asked for: no overflow.
  int64_t getValue(const Record &record, unsigned lane) const {
    uint64_t lanes = uint64_t(lane) - uint64_t(record.firstLane);
    return int64_t(uint64_t(record.value) + uint64_t(record.step) * lanes);
  }

  unsigned warpSize;
  std::vector<Record> records;
  llvm::DenseMap<Key, size_t> numbers;
  /// The numbers of lanes that have their own.
  std::vector<int64_t> ofLanes;
  /// The record that is likely to be asked for.
  size_t next = 0;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_COUNTED_REQUESTTABLE_H
