//===- SharedLifetimes.h - When shared memory holds something ---*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From where to where, in the text of a kernel in loop form, the contents of a
// workgroup allocation matter: from the first to the last access in the block
// that contains them all. Where that block is in a loop, an iteration may read
// what an earlier one has left, and so the memory is in use throughout the
// loop, unless every element that is read is provably written before, in the
// same iteration. The proof executes the indices of all threads.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_SHAREDLIFETIMES_H
#define UOP_ANALYSIS_SHAREDLIFETIMES_H

#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/MemoryAccess.h"

namespace uop {

/// A part of the text of a kernel: the numbers of its first and last op.
struct TextInterval {
  unsigned first = 0, last = 0;

  bool overlaps(TextInterval other) const {
    return first <= other.last && other.first <= last;
  }
};

class SharedLifetimes {
public:
  explicit SharedLifetimes(KernelOp kernel);

  /// The workgroup allocations, in program order.
  llvm::ArrayRef<AllocOp> getAllocs() const { return allocs; }

  /// Where the accesses are: at least there the memory is in use.
  TextInterval getAccessed(AllocOp alloc);

  /// Where the contents matter. The whole kernel where the memory goes where
  /// its accesses cannot be seen, and from the beginning on for zeroed memory.
  TextInterval getLifetime(AllocOp alloc);

private:
  TextInterval getSpan(mlir::Operation *op) const { return spans.lookup(op); }
  TextInterval getWhole() const { return {0, numOps}; }
  bool isVisible(mlir::Value memref);
  llvm::ArrayRef<const MemoryAccess *> getAccesses(AllocOp alloc) {
    return accessesOf[alloc.getResult()];
  }

  KernelOp kernel;
  MemoryAccesses accesses;
  LaunchShape launch;
  llvm::SmallVector<AllocOp> allocs;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<const MemoryAccess *, 8>>
      accessesOf;
  llvm::DenseMap<mlir::Operation *, TextInterval> spans;
  unsigned numOps = 0;
};

/// Whether each execution of the block writes every element of the memory that
/// it reads before it does, as far as all accesses are in the block; what
/// cannot be found out counts as no.
bool isRefilled(AllocOp alloc, mlir::Block *block,
                llvm::ArrayRef<const MemoryAccess *> accesses,
                const LaunchShape &launch);

} // namespace uop

#endif // UOP_ANALYSIS_SHAREDLIFETIMES_H
