//===- MemoryAccess.h - What the ops of a kernel access ---------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_MEMORYACCESS_H
#define UOP_ANALYSIS_MEMORYACCESS_H

#include "Uop/IR/Uop.h"

namespace uop {

/// One way in which an op of a kernel in loop form accesses memory that other
/// threads see: shared memory, or that of an argument.
struct MemoryAccess {
  mlir::Operation *op;
  /// The allocation or the argument that is accessed.
  mlir::Value root;
  /// The memref that the op names: the root or a view of it; null where the
  /// element that is accessed is not known.
  mlir::Value memref;
  /// Where the access starts, an index a dimension of the memref; empty with
  /// sizes that cover the memref.
  llvm::SmallVector<mlir::Value, 4> indices;
  /// How many elements of the memref it covers along each dimension; empty for
  /// one element.
  llvm::SmallVector<int64_t, 4> sizes;
  bool isWrite = false;
  bool isAtomic = false;
  /// What a write stores, where that is one scalar.
  mlir::Value stored;
  /// Where `op` is a wait: the asynchronous copy that it may complete, which
  /// writes as late as this, with the indices of some earlier iteration.
  mlir::Operation *issue = nullptr;
  /// And whether it surely does.
  bool isCompletionCertain = false;
  /// Its number in `MemoryAccesses::getAll`.
  unsigned number = 0;

  bool isShared() const { return bool(root.getDefiningOp()); }
  /// Whether two threads that execute this and the other access must not do so
  /// on one element without an order.
  bool conflictsWith(const MemoryAccess &other) const {
    return root == other.root && (isWrite || other.isWrite) &&
           !(isAtomic && other.isAtomic);
  }
};

/// Whether an op may be executed at some time after another one: it comes later
/// in the kernel, or both are in one loop.
bool mayExecuteAfter(mlir::Operation *later, mlir::Operation *earlier);

/// The accesses of a kernel in loop form, in program order. Private memory is
/// left out. An asynchronous copy to shared memory writes where it is issued,
/// and again at every wait after it, any of which may be the one that completes
/// it: that is what barriers are placed by. Races are looked for by following a
/// copy to its wait (CopiesUnderWay). Valid until the kernel changes; ops
/// without effects and barriers may come and go.
class MemoryAccesses {
public:
  explicit MemoryAccesses(KernelOp kernel);

  llvm::ArrayRef<MemoryAccess> getAll() const { return all; }
  /// Those of an op, regions not included.
  llvm::ArrayRef<MemoryAccess> of(mlir::Operation *op) const {
    auto it = ranges.find(op);
    if (it == ranges.end())
      return {};
    return llvm::ArrayRef(all).slice(it->second.first, it->second.second);
  }

private:
  void addAccesses(mlir::Operation *op);
  void add(MemoryAccess access);
  void addCompletion(mlir::Operation *wait, mlir::Operation *copy);

  llvm::SmallVector<MemoryAccess, 0> all;
  llvm::SmallVector<mlir::Operation *> copies;
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> ranges;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> rootsOf;
};

} // namespace uop

#endif // UOP_ANALYSIS_MEMORYACCESS_H
