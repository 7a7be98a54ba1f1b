//===- GraphRequests.h - Memory requests of a mapped graph ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The requests of a kernel that is mapped and still in graph form, for choices
// that have to be made before there are loops. WarpRequests.h counts exactly
// what is there; this counts what there will be, for the first block:
//
// * An access is made once for each point of the ranges in which it is free.
// * Copies along which it moves by an element become wide accesses, where that
//   is aligned and no mask is in the way.
// * Of many copies the innermost are executed, and stand for the others; so
//   does the first iteration for those of a loop.
// * Tiles are filled by the threads in order.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_GRAPHREQUESTS_H
#define UOP_ANALYSIS_GRAPHREQUESTS_H

#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/WarpRequests.h"
#include "Uop/IR/FreeRanges.h"
#include <memory>

namespace uop {

class GraphRequests {
public:
  /// The x, y and z of the thread that is so many threads after the first one
  /// of a block: 32 of them in order are a warp.
  using ThreadOrderFn =
      llvm::function_ref<std::array<int64_t, 3>(int64_t number)>;

  /// Finds the accesses of a kernel, in which sizes that are dynamic are taken
  /// for `dynamicSize`. Valid until the kernel changes.
  GraphRequests(KernelOp kernel, int64_t dynamicSize);
  ~GraphRequests();

  /// In program order: loads, also of tiles, stores, and the filling of tiles,
  /// which is a store of which `buffer` is the tile. What is loaded to fill a
  /// tile is left out. Those that depend on data have a `reason`, and no
  /// requests.
  llvm::ArrayRef<WarpAccess> getAccesses() const { return accesses; }

  /// Hands out the requests of all warps of a block.
  void enumerate(ThreadOrderFn order,
                 llvm::function_ref<void(const WarpRequest &)> handle);

private:
  struct Program;

  void addAccess(mlir::Operation *op, mlir::Value buffer,
                 mlir::ValueRange indices, mlir::Value mask,
                 llvm::ArrayRef<RangeOp> executed);
  void addFill(StageOp stage);
  void enumerateFill(size_t number,
                     llvm::function_ref<void(const WarpRequest &)> handle);

  KernelOp kernel;
  int64_t dynamicSize;
  LaunchShape launch;
  FreeRanges freeRanges;
  llvm::SmallVector<WarpAccess> accesses;
  /// By the number of the access.
  std::vector<std::unique_ptr<Program>> programs;
};

} // namespace uop

#endif // UOP_ANALYSIS_GRAPHREQUESTS_H
