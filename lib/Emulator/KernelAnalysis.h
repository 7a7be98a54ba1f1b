//===- KernelAnalysis.h - What the barrier split must know ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about one normalised kernel: which ops contain a barrier, which values
// are equal in all threads of a block, and which values must be remembered
// from one barrier interval to the next.
//
// A place where threads wait for each other is a stop: a gpu.barrier, or a
// collective like gpu.shuffle, at which they also exchange values. Where it
// makes no difference the comments here say barrier for both. An exit is where
// a thread leaves the kernel before others come to a stop.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_KERNELANALYSIS_H
#define UOP_LIB_EMULATOR_KERNELANALYSIS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace uop {

/// True for an op at which threads wait for each other.
bool isStop(mlir::Operation *op);

/// An exit is a gpu.barrier with this attribute: a terminator cannot stand in
/// the middle of structured control flow.
constexpr llvm::StringLiteral exitAttrName = "uop.exit";
bool isExit(mlir::Operation *op);

/// True for a stop at which only the threads of a subgroup wait for each other.
bool isSubgroupStop(mlir::Operation *stop);

/// What a message calls the stop: barrier, shuffle, ...
llvm::StringRef describeStop(mlir::Operation *stop);

class KernelAnalysis {
public:
  explicit KernelAnalysis(mlir::gpu::GPUFuncOp kernel);

  mlir::gpu::GPUFuncOp kernel() const { return func; }

  /// The stops: first those of subgroups, then those of the block, each in the
  /// order of the text.
  llvm::ArrayRef<mlir::Operation *> stops() const { return stopList; }
  unsigned numSubgroupStops() const {
    return llvm::count_if(stopList, isSubgroupStop);
  }
  unsigned stopNumber(mlir::Operation *stop) const {
    return stopNumbers.lookup(stop);
  }

  /// True when a thread may leave while others go on to a stop.
  bool hasExits() const { return anyExit; }

  /// True for a stop or exit and for every op of the kernel that contains one.
  bool isSplit(mlir::Operation *op) const { return splits.contains(op); }

  /// True for a stop and for every op of the kernel that contains one.
  bool holdsStop(mlir::Operation *op) const { return holders.contains(op); }

  /// True for a stop of the whole block, and for every op that contains one.
  bool holdsBlockStop(mlir::Operation *op) const {
    return blockHolders.contains(op);
  }

  /// True when the subgroups of a block may go different ways to a stop that is
  /// theirs alone: each must then be run by itself from one stop of the block
  /// to the next.
  bool subgroupsDiverge() const;

  /// True when each pass through the block reaches a stop or an exit.
  bool alwaysReachesStop(mlir::Block *block) const;

  /// True when all threads of a block that compute this instance of the value
  /// compute the same value: it is built without loads from constants, kernel
  /// arguments, block ids and sizes, and uniform loop variables.
  bool isUniform(mlir::Value value) const { return !varying.contains(value); }

  /// True when all threads of a block that come to this op of control flow, one
  /// that can be split, decide alike.
  bool isDecisionUniform(mlir::Operation *op) const;

  /// True when the value is one value for the whole block and may be computed
  /// before the first thread runs: uniform, free of loop variables, and safe to
  /// speculate.
  bool isInvariant(mlir::Value value) const;

  /// True when the value is cheaper to compute again than to remember.
  bool isRecomputed(mlir::Value value) const;

  /// The values that are stored where they are defined, because an interval
  /// that does not define them needs them. A private buffer among them needs
  /// its own memory for every thread.
  const llvm::SetVector<mlir::Value> &remembered() const { return slots; }

private:
  void findSplits();
  void findVarying();
  bool markVarying(mlir::Operation *op);
  void findRemembered();
  void remember(mlir::Value value);
  bool crossesBarrier(mlir::Value value, mlir::Operation *user) const;
  unsigned recomputeCost(mlir::Value value, unsigned budget) const;

  mlir::gpu::GPUFuncOp func;
  llvm::SmallVector<mlir::Operation *> stopList;
  bool anyExit = false;
  llvm::DenseMap<mlir::Operation *, unsigned> stopNumbers;
  llvm::DenseSet<mlir::Operation *> splits;
  // Those of them that are or contain a stop: an exit is no barrier for values.
  llvm::DenseSet<mlir::Operation *> holders, blockHolders;
  // For an op in a block with a barrier, how many split ops come before it.
  llvm::DenseMap<mlir::Operation *, unsigned> splitsBefore;
  llvm::DenseSet<mlir::Value> varying;
  llvm::SetVector<mlir::Value> slots;
  llvm::DenseSet<mlir::Value> visited;
  mutable llvm::DenseMap<mlir::Value, bool> invariant;
};

/// Reports an error for each op that holds a barrier and whose condition or
/// trip count is computed from thread ids and constants only and differs among
/// the threads of a block of the given size (x, y, z).
mlir::LogicalResult checkStaticDivergence(const KernelAnalysis &analysis,
                                          llvm::ArrayRef<int64_t> blockSize);

} // namespace uop

#endif // UOP_LIB_EMULATOR_KERNELANALYSIS_H
