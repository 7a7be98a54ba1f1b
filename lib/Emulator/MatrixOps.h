//===- MatrixOps.h - Matrix operations of a subgroup ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvgpu.ldmatrix and nvgpu.mma.sync. Threads give what they hold of a matrix at
// its place in row-major memory of their subgroup, and take their part of the
// result from there: who holds what is by the fragment layouts of the PTX ISA
// (sections on ldmatrix and on mma), or, for products that were
// gpu.subgroup_mma_compute, in the order of the lanes.
//
// What a product computes: C + the sum over k, ascending, of A * B. Floats of
// 16 bits and tf32 are multiplied exactly and added in f32, with one rounding
// each; the low 13 bits of a tf32 operand are ignored; a result of f16 is
// rounded at the end. Products of integers are exact; the result of
// nvgpu.mma.sync is clamped to 32 bits, that of gpu.subgroup_mma_compute wraps.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_MATRIXOPS_H
#define UOP_LIB_EMULATOR_MATRIXOPS_H

#include "Collectives.h"

namespace uop {

/// On an nvgpu.mma.sync that was gpu.subgroup_mma_compute: element e of lane l
/// is number e * lanes + l of the matrix in row-major order.
constexpr llvm::StringLiteral laneOrderAttrName = "uop.lane_order";
/// Its operands A and B may be unsigned.
constexpr llvm::StringLiteral unsignedAAttrName = "uop.unsigned_a";
constexpr llvm::StringLiteral unsignedBAttrName = "uop.unsigned_b";

bool isMatrixOp(mlir::Operation *op);

/// Replaces the matrices of gpu.subgroup_mma_* by vectors of what a lane holds
/// of them; products become nvgpu.mma.sync, the rest code of one thread.
mlir::LogicalResult lowerSubgroupMatrices(mlir::gpu::GPUFuncOp kernel,
                                          int64_t subgroupSize);

/// The parts of a collective; see Collectives.h.
mlir::LogicalResult checkMatrixOp(mlir::Operation *op, int64_t subgroupSize);
llvm::SmallVector<ExchangeArray> getMatrixArrays(mlir::Operation *op);
void giveMatrix(mlir::OpBuilder &b, mlir::Operation *op, Lookup lookup,
                mlir::ValueRange arrays, mlir::Value linearId,
                int64_t subgroupSize);
void multiplyMatrices(mlir::OpBuilder &b, mlir::Operation *op,
                      mlir::ValueRange arrays, const ThreadGroup &group);
mlir::Value takeMatrix(mlir::OpBuilder &b, mlir::Operation *op,
                       mlir::ValueRange arrays, mlir::Value linearId,
                       const ThreadGroup &group);

} // namespace uop

#endif // UOP_LIB_EMULATOR_MATRIXOPS_H
