//===- TileLoop.h - A loop that fills tiles and reads them ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an iteration fills may be filled in an earlier one if it depends on the
// variable of the loop only, on what is outside of it, and on arguments that
// nobody writes; and if every iteration fills the same elements: what one
// leaves out was filled by the one before, and would now be in another tile.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_TRANSFORMS_PIPELINESHARED_TILELOOP_H
#define UOP_LIB_TRANSFORMS_PIPELINESHARED_TILELOOP_H

#include "Uop/Analysis/Divisibility.h"
#include "Uop/Analysis/MemoryAccess.h"
#include "Uop/Analysis/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace uop {

struct TileLoop {
  mlir::scf::ForOp loop;
  llvm::SmallVector<AllocOp> tiles;
  /// The tiles that each allocation is to have.
  int64_t numBuffers = 0;
  /// The ops of the body that store to the tiles, and those that compute what
  /// these use, in the order of the body.
  llvm::SmallVector<mlir::Operation *> fills, inputs;

  bool isTile(mlir::Value memref) const {
    return llvm::is_contained(tiles, memref.getDefiningOp<AllocOp>());
  }
};

/// The innermost loop around all users of an allocation, each of which loads or
/// stores elements; null, with the reason, where there is none.
mlir::scf::ForOp findTileLoop(AllocOp tile, std::string &reason);

/// Finds what fills the tiles of a loop. Fails, with the reason, where that
/// cannot be done ahead.
llvm::FailureOr<TileLoop> planTileLoop(KernelOp kernel, mlir::scf::ForOp loop,
                                       llvm::ArrayRef<AllocOp> tiles,
                                       std::string &reason);

/// What a store copies: elements of an argument, unchanged.
struct CopiedElements {
  mlir::Value memref;
  mlir::ValueRange indices;
  /// Zeros are stored where it does not hold; null if it always holds.
  mlir::Value condition;
  int64_t count = 1;
  int64_t bytes = 0;
};

/// What the op, a store to a tile, copies, if it is 4, 8 or 16 bytes that are
/// aligned and can be addressed whether the condition holds or not.
std::optional<CopiedElements> getCopiedElements(mlir::Operation *store,
                                                Divisibility &divisibility);

/// Replaces a store by an asynchronous copy to indices of another memref.
void buildAsyncCopy(mlir::Operation *store, const CopiedElements &copied,
                    mlir::Value tile, mlir::ValueRange indices);

/// Brings the loads out of what fills the tiles: loops of few iterations are
/// unrolled, guards become two. Fails, with the reason, where that is not
/// possible; the kernel computes the same in any case. The plan is no longer
/// valid.
llvm::LogicalResult separateLoads(TileLoop &plan, std::string &reason);

/// Makes the loop anew, which then fills the tiles ahead: by asynchronous
/// copies, for which `getCopiedElements` must have a value for each store, or
/// through registers, for which the loads must be separate. The barriers that
/// are left out are to be derived.
void pipelineLoop(KernelOp kernel, TileLoop &plan, bool isAsync);

} // namespace uop

#endif // UOP_LIB_TRANSFORMS_PIPELINESHARED_TILELOOP_H
