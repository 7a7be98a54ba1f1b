//===- TileRequests.h - What is asked of a shared tile ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The requests to a tile are collected once, equal ones together, as rows and
// columns; then each layout places these and counts.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_TRANSFORMS_TILEREQUESTS_H
#define UOP_LIB_TRANSFORMS_TILEREQUESTS_H

#include "Uop/Analysis/WarpRequests.h"
#include "Uop/Transforms/TileLayout.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace uop {

class TileRequests {
public:
  /// Why a tile cannot have a layout; empty where it can.
  using ObstacleFn = llvm::function_ref<std::string(TileLayoutAttr)>;

  /// The shape is that of a type, which keeps it.
  TileRequests(llvm::ArrayRef<int64_t> shape, int64_t elementBytes)
      : shape(shape), elementBytes(elementBytes) {}

  llvm::ArrayRef<TileLayoutAttr> getCandidates() const { return candidates; }
  void addCandidate(TileLayoutAttr layout);
  /// Plain, and those of the kinds that suit the shape, by size and then by how
  /// simple they are; their chunks hold the widest access, of `chunk` elements.
  /// Returns what was against those of `only`, if there is such a kind.
  std::string addCandidates(mlir::MLIRContext *context, int64_t chunk,
                            std::optional<TileLayoutKind> only,
                            ObstacleFn findObstacle);

  /// By how many bytes all lanes of a request may move at no change of cost,
  /// for each of the candidates.
  int64_t getInvariantShift() const {
    return getPeriodElements() * elementBytes;
  }
  void add(const WarpRequest &request);
  /// The wavefronts in all, or some number that is larger than the limit.
  uint64_t countWavefronts(TileLayoutAttr layout, uint64_t limit) const;
  /// No layout takes fewer.
  uint64_t countLeastWavefronts() const;

  /// The first candidate that takes the fewest wavefronts, and how many.
  struct Choice {
    TileLayoutAttr layout;
    uint64_t wavefronts;
  };
  Choice choose() const;

private:
  /// A request, and how often it is made. Each lane accesses so many bytes from
  /// the beginning of an element on.
  struct Request {
    std::array<int64_t, kWarpSize> elements;
    int64_t bytes;
    LaneMask active;
    uint64_t weight;
  };

  int64_t getPeriodElements() const {
    return rowPeriod * (shape.empty() ? 1 : shape.back());
  }

  llvm::ArrayRef<int64_t> shape;
  int64_t elementBytes;
  llvm::SmallVector<TileLayoutAttr> candidates;
  /// Rows this far apart are treated alike by each candidate.
  int64_t rowPeriod = 4;
  std::vector<Request> requests;
  /// The number of each request, by its bytes in memory.
  llvm::StringMap<size_t> numbers;
};

} // namespace uop

#endif // UOP_LIB_TRANSFORMS_TILEREQUESTS_H
