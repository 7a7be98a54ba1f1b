//===- Staging.h - From a load to a tile of shared memory -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block reads an element of global memory as often as its threads, and its
// loops, use it. Staging reads it once: the elements that one block uses in one
// iteration of the loops around it (the tile) are copied to shared memory, and
// the load becomes one of the tile.
//
// Which elements these are follows from the indices alone. Each is a sum, and
// each term of it moves either inside of the tile (threads, copies, the loops
// within an iteration) or from tile to tile (blocks, loops around). The first
// say how large the tile is and where in it an element lies, the second where
// the tile is.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_STAGING_H
#define UOP_TRANSFORMS_STAGING_H

#include "Uop/IR/FreeRanges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace uop {

/// How much of a range one tile has: nothing (0), all of it (`kAllPoints`), or
/// that many consecutive points, where the range is still to be split.
using TilePointsFn = llvm::function_ref<int64_t(RangeOp)>;
inline constexpr int64_t kAllPoints = -1;

/// A value times a number.
struct IndexTerm {
  mlir::Value value;
  int64_t factor;

  bool operator==(const IndexTerm &other) const {
    return value == other.value && factor == other.factor;
  }
};

/// An index of a load, or what is compared in its mask, as a sum.
struct TiledIndex {
  /// What moves from tile to tile, and what moves in the tile.
  llvm::SmallVector<IndexTerm, 2> outer, inner;
  int64_t constant = 0;
  /// The least value of the sum of `inner`, and how many there are from that to
  /// the greatest: the size of the tile.
  int64_t low = 0;
  int64_t size = 1;
};

/// A condition `index <predicate> bound` of a mask, in which the index moves in
/// the tile exactly as a dimension does.
struct TiledCondition {
  mlir::arith::CmpIPredicate predicate;
  size_t dimension;
  TiledIndex index;
  mlir::Value bound;
};

/// The tile of a load.
struct TilePlan {
  LoadOp load;
  llvm::SmallVector<TiledIndex> indices;
  /// The conditions of the mask that can be checked when the tile is filled:
  /// those that move like an index, and those that do not move in the tile.
  llvm::SmallVector<TiledCondition> conditions;
  llvm::SmallVector<mlir::Value> outerConditions;
  /// Whether that is all of the mask, so that the reader needs none.
  bool coversMask = true;

  /// The sizes of the dimensions longer than 1; of at least one dimension.
  llvm::SmallVector<int64_t> getShape() const;
  int64_t getNumElements() const;
  int64_t getBytes() const;
  /// Whether two loads can read one tile.
  bool isSameTile(const TilePlan &other) const;
};

/// Finds the tile of a load, or why there is none: then `reason` completes a
/// sentence about the load, such as "its index #1 depends on data".
llvm::FailureOr<TilePlan> planTile(LoadOp load, TilePointsFn getPoints,
                                   FreeRanges &freeRanges, std::string &reason);

/// The elements along the last dimension of the tile that a thread can copy at
/// a time, at most `maxBytes`, a power of two: where rows are contiguous in
/// memory and begin at multiples of that. The buffer begins where the
/// argument's `llvm.align` says, else at a multiple of an element.
int64_t getCopyWidth(const TilePlan &plan, int64_t maxBytes);

/// Stages the value of a load: makes the tile, with new `loop` ranges that it
/// closes, unless `existing` has it already, and lets the load's users read
/// the tile. Elements beyond the buffer are not read; the tile has `else` or
/// zero there. The load is left without users. Ranges are split as far as they
/// are going to be: no range is in the tile in part.
StageOp stageLoad(mlir::RewriterBase &rewriter, const TilePlan &plan,
                  StageOp existing = {});

} // namespace uop

#endif // UOP_TRANSFORMS_STAGING_H
