//===- Shuffle.h - Who reads from whom at a shuffle -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lanes of gpu.shuffle. Its documentation says who reads from whom among
// the first `width` lanes of a subgroup; what it leaves open (a partner beyond
// these or beyond the block, and every lane that is not one of these) is the
// thread's own value here, and not valid.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_SHUFFLE_H
#define UOP_LIB_EMULATOR_SHUFFLE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace uop {

/// Fails with a located error for a width that is not a constant power of two
/// of at most the subgroup's size, and for a vector of unknown length.
mlir::LogicalResult checkShuffle(mlir::gpu::ShuffleOp op, int64_t subgroupSize);

struct ShuffleSource {
  /// The linear id of the thread whose value is read; the reader's own where
  /// `valid` is false.
  mlir::Value thread;
  mlir::Value valid;
};

/// Creates what the thread `linearId` of a block of `threadCount` (both index)
/// reads at a shuffle with this offset (i32, unsigned).
ShuffleSource createShuffleSource(mlir::OpBuilder &b, mlir::gpu::ShuffleOp op,
                                  mlir::Value offset, mlir::Value linearId,
                                  mlir::Value threadCount,
                                  int64_t subgroupSize);

} // namespace uop

#endif // UOP_LIB_EMULATOR_SHUFFLE_H
