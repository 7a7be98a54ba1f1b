//===- BlockStorage.h - The memory of one emulated block --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the threads of a block share in the function that runs the block: values
// that are the same for all of them, workgroup memory, and the arrays in which
// each thread keeps its values from one barrier interval to the next.
//
// Everything here is created at the start of that function. Arrays come from
// the heap: a block of 1024 threads may keep more than a worker's stack holds.
// Values that are uniform are kept in two scalars each: threads of an interval
// read one and write the other, which is copied when the last thread is done.
// Else the second thread would see the next iteration of the first.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_BLOCKSTORAGE_H
#define UOP_LIB_EMULATOR_BLOCKSTORAGE_H

#include "KernelAnalysis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {

/// On a workgroup attribution: it has as many bytes as the kernel's last
/// argument, an index.
inline constexpr llvm::StringLiteral kDynamicSharedMemory =
    "uop.dynamic_shared_memory";

class BlockStorage {
public:
  /// `func` has the kernel's arguments, then block id x, y, z, grid size x, y,
  /// z and block size x, y, z. Workgroup memory is allocated and poisoned.
  BlockStorage(const KernelAnalysis &analysis, mlir::func::FuncOp func,
               llvm::ArrayRef<std::optional<int64_t>> blockSize,
               int64_t subgroupSize);

  /// Fails with a located error for a type that cannot be stored.
  mlir::LogicalResult
  allocate(llvm::ArrayRef<mlir::StringAttr> workgroupGlobals);

  mlir::Value blockId(unsigned axis) const { return argument(axis); }
  mlir::Value gridDim(unsigned axis) const { return argument(3 + axis); }
  mlir::Value blockDim(unsigned axis) const { return blockDims[axis]; }
  std::optional<int64_t> staticBlockDim(unsigned axis) const {
    return blockSize[axis];
  }
  mlir::Value threadCount() const { return threads; }
  int64_t lanesOfSubgroup() const { return subgroupSize; }
  /// True when the subgroups are run one after the other; then no value of
  /// theirs is kept in one place for the block.
  bool runsSubgroups() const { return bySubgroup; }

  mlir::Value index(int64_t value);

  /// The one value that `value` has in the whole block, or null when it is not
  /// invariant.
  mlir::Value invariant(mlir::Value value);

  bool isPrivateBuffer(mlir::Value value) const {
    return privateBuffers.contains(value);
  }
  /// The memory of a private buffer for the thread of this linear id.
  mlir::Value privateBuffer(mlir::OpBuilder &b, mlir::Value value,
                            mlir::Value linearId);

  /// Stores into and loads from the place of a remembered value.
  bool isRemembered(mlir::Value value) const { return places.contains(value); }
  void store(mlir::OpBuilder &b, mlir::Value value, mlir::Value current,
             mlir::Value linearId);
  mlir::Value load(mlir::OpBuilder &b, mlir::Value value, mlir::Value linearId);

  /// The arrays in which threads leave what they give at a collective.
  /// `repeated`: in the interval in which others still take what was given
  /// before; then `publishGiven` follows at its end.
  llvm::ArrayRef<mlir::Value> exchangeArrays(mlir::Operation *collective,
                                             bool repeated = false);
  void publishGiven(mlir::OpBuilder &b, mlir::Operation *collective);

  /// Makes what an interval stored in uniform scalars visible to the next one.
  void publish(mlir::OpBuilder &b, llvm::ArrayRef<mlir::Value> stored);
  bool isScalar(mlir::Value value) const {
    return places.lookup(value).isScalar();
  }

  /// Where the threads leave the place that they arrive at, all together or
  /// each for itself.
  mlir::Value arrival();
  mlir::Value votes();
  /// The votes where they tell which threads have left the kernel, else null.
  mlir::Value exits() { return analysis.hasExits() ? votes() : mlir::Value(); }
  /// A copy of the votes of some threads, from `first` to `end`: who had left
  /// when all had come to a stop, while some already go on from there.
  mlir::Value copyVotes(mlir::OpBuilder &b, mlir::Value first, mlir::Value end);
  /// A scalar in which a thread collects its decisions.
  mlir::Value way();
  /// Where subgroups are run by themselves: for each thread, its decisions at
  /// ops that hold a stop of the block, since the start of the kernel.
  mlir::Value blockWays();

  /// Frees the arrays, at the end of the function.
  void free(mlir::OpBuilder &b);

private:
  struct Place {
    mlir::Value array; // by linear thread id, or
    mlir::Value current, next;
    bool isScalar() const { return current != nullptr; }
  };

  mlir::Value argument(unsigned index) const;
  /// On the stack while there is room, else on the heap. Sizes that the type
  /// leaves open are `size`, by default the number of threads.
  mlir::Value allocateBuffer(mlir::MemRefType type, mlir::Value size = {});
  mlir::Value allocateArray(mlir::Type element, int64_t perSubgroup = 0);
  void clear(mlir::Value array);
  mlir::Value allocateScalar(mlir::Type type);
  mlir::LogicalResult allocateShared(mlir::Value key, mlir::Type type,
                                     mlir::Location loc, bool zeroed,
                                     mlir::Value size);
  mlir::LogicalResult allocatePrivate(mlir::Value value, bool perThread);
  void fill(mlir::Value buffer, bool zeroed, mlir::Value size);

  const KernelAnalysis &analysis;
  mlir::func::FuncOp func;
  mlir::ImplicitLocOpBuilder prologue;
  llvm::SmallVector<std::optional<int64_t>, 3> blockSize;
  int64_t subgroupSize;
  llvm::SmallVector<mlir::Value, 3> blockDims;
  mlir::Value threads;
  std::optional<int64_t> knownThreads;
  int64_t stackBytesLeft;
  llvm::DenseMap<int64_t, mlir::Value> constants;
  llvm::DenseMap<mlir::Value, mlir::Value> invariants;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> globals;
  llvm::DenseMap<mlir::Value, Place> places;
  // What threads give at a collective: read by others, and still being written.
  using Arrays = llvm::SmallVector<mlir::Value, 3>;
  llvm::DenseMap<mlir::Operation *, std::pair<Arrays, Arrays>> given;
  struct PrivateBuffer {
    mlir::Value memory;
    enum { Shared, BehindEachOther, Interleaved } threads = Shared;
    int64_t bytes = 0; // of a thread's, where one is behind the other
  };
  llvm::DenseMap<mlir::Value, PrivateBuffer> privateBuffers;
  llvm::SmallVector<mlir::Value> heap;
  mlir::Value arrivalPlace, votePlaces, voteCopies, wayPlace, blockWayPlaces;
  bool bySubgroup;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_BLOCKSTORAGE_H
