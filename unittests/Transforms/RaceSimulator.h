//===- RaceSimulator.h - Kernels executed thread by thread ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A simulator of small kernels in loop form executes the index arithmetic and
// the control flow of every thread, counts barriers, and so knows exactly which
// accesses are in one interval. An asynchronous copy is in all of them from its
// issue to the wait that completes it. It shares no code with the analysis.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_TRANSFORMS_RACESIMULATOR_H
#define UOP_UNITTESTS_TRANSFORMS_RACESIMULATOR_H

#include "Uop/Analysis/Races.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <set>
#include <vector>

namespace uop {

/// What the threads of a kernel do, by interval and element.
class RaceSimulator {
public:
  explicit RaceSimulator(KernelOp kernel);

  using Pair = std::pair<mlir::Operation *, mlir::Operation *>;
  static Pair makePair(mlir::Operation *a, mlir::Operation *b) {
    return std::less<mlir::Operation *>()(a, b) ? Pair(a, b) : Pair(b, a);
  }

  /// Whether all threads of a block come to equally many barriers.
  bool isUniform() const;

  std::set<Pair> findRaces(bool shared) const;

  /// Whether two threads really access the element with these ops.
  bool isReal(const Race &race) const;

private:
  struct Key {
    int64_t interval;
    void *root;
    int64_t element;
    unsigned block;
    bool operator<(const Key &other) const {
      return std::tie(interval, root, element, block) <
             std::tie(other.interval, other.root, other.element, other.block);
    }
  };
  struct Touch {
    mlir::Operation *op;
    unsigned thread, block;
    bool isWrite, isAtomic;
  };
  /// An access of a copy that is under way, from an interval on.
  struct Pending {
    Key first;
    Touch touch;
    std::optional<int64_t> group;
  };

  static bool isShared(const Key &key);
  static bool isRace(const Touch &a, const Touch &b);
  void findCrossBlock(std::set<Pair> &races) const;
  static bool hasElement(int64_t element, const Race &race);
  int64_t get(mlir::Value value);
  void touch(mlir::Operation *op, mlir::Value memref, mlir::ValueRange indices,
             int64_t count, bool isWrite, bool isAtomic, bool isAsync = false);
  void complete(llvm::function_ref<bool(const Pending &)> isCompleted);
  void execute(mlir::Block &code);
  void execute(mlir::Operation *op);

  KernelOp kernel;
  std::array<int64_t, 3> block;
  int64_t gx = 0;
  unsigned thread = 0;
  int64_t interval = 0, numGroups = 0;
  std::vector<Pending> pending;
  std::map<int64_t, std::set<int64_t>> barriers;
  llvm::DenseMap<mlir::Value, int64_t> values;
  std::map<Key, std::vector<Touch>> touches;
};

} // namespace uop

#endif // UOP_UNITTESTS_TRANSFORMS_RACESIMULATOR_H
