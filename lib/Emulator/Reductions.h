//===- Reductions.h - Reductions of subgroups and blocks --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are combined in the order of upstream's lowering to shuffles, so that
// floats come out as on a device: neighbours first, then neighbouring pairs,
// and so on; a partner that does not exist is left out. The order of a block is
// that of its subgroups, then of their results, which is one tree.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_REDUCTIONS_H
#define UOP_LIB_EMULATOR_REDUCTIONS_H

#include "Collectives.h"

namespace uop {

/// True for gpu.all_reduce, gpu.subgroup_reduce, and gpu.subgroup_broadcast
/// from the first lane, which keeps the first value of all.
bool isReduction(mlir::Operation *op);

mlir::LogicalResult checkReduction(mlir::Operation *op, int64_t subgroupSize);

/// Reduces, in the array, the values of the group: the result of each cluster
/// is in the place of its first thread.
void createReduction(mlir::OpBuilder &b, mlir::Operation *op, mlir::Value array,
                     const ThreadGroup &group);

/// The place where the result of the thread is.
mlir::Value createReductionPlace(mlir::OpBuilder &b, mlir::Operation *op,
                                 mlir::Value linearId,
                                 const ThreadGroup &group);

} // namespace uop

#endif // UOP_LIB_EMULATOR_REDUCTIONS_H
