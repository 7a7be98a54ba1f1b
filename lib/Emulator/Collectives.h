//===- Collectives.h - Where threads exchange values ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A collective is run in three steps. In the interval that ends there, each
// thread gives: it leaves values in arrays. Between two intervals the arrays
// are worked on as a whole (the exchange): this is where a reduction is
// computed. In the interval that starts there, each thread takes its results. A
// new collective is one more case in each of the functions below.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_COLLECTIVES_H
#define UOP_LIB_EMULATOR_COLLECTIVES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace uop {

/// True for an op at which threads exchange values: gpu.shuffle,
/// gpu.all_reduce, gpu.subgroup_reduce, gpu.subgroup_broadcast, nvgpu.ldmatrix,
/// nvgpu.mma.sync.
bool isCollective(mlir::Operation *op);

/// True for a collective of a whole block.
bool isBlockCollective(mlir::Operation *op);

/// Fails with a located error for what a collective may not be.
mlir::LogicalResult checkCollective(mlir::Operation *op, int64_t subgroupSize);

/// The operands that a thread needs again when it takes.
llvm::SmallVector<mlir::Value> getTakeOperands(mlir::Operation *op);

/// One of the arrays of a collective, with `perSubgroup` elements for each
/// subgroup of the block, or one for each thread where that is 0.
struct ExchangeArray {
  mlir::Type element;
  int64_t perSubgroup = 0;
};
llvm::SmallVector<ExchangeArray> getExchangeArrays(mlir::Operation *op,
                                                   int64_t subgroupSize);

/// Threads with linear ids in [first, end); a subgroup or a block.
struct ThreadGroup {
  mlir::Value first, end;
  int64_t subgroupSize;
  /// One vote for each thread of the block, by which those are known that have
  /// left the kernel; null where none leaves early.
  mlir::Value votes;
};

/// Emits the linear id at which the threads of a subgroup end that must all be
/// at this stop, those that have left apart: a shuffle asks for the first lanes
/// only. `isHere` tells whether a thread is at the stop.
mlir::Value
createRequiredEnd(mlir::OpBuilder &b, mlir::Operation *stop,
                  mlir::ValueRange arrays, const ThreadGroup &group,
                  llvm::function_ref<mlir::Value(mlir::Value)> isHere);

using Lookup = llvm::function_ref<mlir::Value(mlir::Value)>;

/// Emits the first step, for the thread `linearId`.
void createGive(mlir::OpBuilder &b, mlir::Operation *op, Lookup lookup,
                mlir::ValueRange arrays, mlir::Value linearId,
                int64_t subgroupSize);

/// Emits the second step, for all the threads of a group.
void createExchange(mlir::OpBuilder &b, mlir::Operation *op,
                    mlir::ValueRange arrays, const ThreadGroup &group);

/// Emits the third step, for the thread `linearId` of the group; the results of
/// the op.
llvm::SmallVector<mlir::Value> createTake(mlir::OpBuilder &b,
                                          mlir::Operation *op, Lookup lookup,
                                          mlir::ValueRange arrays,
                                          mlir::Value linearId,
                                          const ThreadGroup &group);

/// A bit is kept in memory as a byte, so that reading a place that was never
/// written has a value.
mlir::Type storedType(mlir::Type type);
mlir::Value toStored(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);
mlir::Value fromStored(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value value, mlir::Type type);

/// The vote of a thread that has left the kernel by an early return.
constexpr int64_t leftVote = -2;

/// True (i1) while the thread has not left; null votes are of kernels in which
/// none does, and give null.
mlir::Value createIsLive(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value votes, mlir::Value linearId);

} // namespace uop

#endif // UOP_LIB_EMULATOR_COLLECTIVES_H
