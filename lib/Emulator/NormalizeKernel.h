//===- NormalizeKernel.h - Bring a kernel into shape -----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_NORMALIZEKERNEL_H
#define UOP_LIB_EMULATOR_NORMALIZEKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace uop {

/// The memref type without its memory space; other types unchanged.
mlir::Type dropMemorySpace(mlir::Type type);

/// True for workgroup memory, as the gpu dialect or the number 3 names it.
bool isWorkgroupMemory(mlir::Type type);

/// Refuses, by name and with its location, everything in the kernel that the
/// emulator does not support. Changes nothing.
mlir::LogicalResult checkKernel(mlir::gpu::GPUFuncOp kernel,
                                int64_t subgroupSize);

/// Rewrites the kernel, which is one block of structured control flow (see
/// PrepareKernel.h), in place so that
///  * the only gpu ops are thread_id, block_id, block_dim, grid_dim, barrier,
///    return and collectives; the ids are at its start, block_dim is a constant
///    where `blockSize` (x, y, z) is known,
///  * private buffers of static size are allocated at its start,
///  * no memref has a memory space; the names of the module's buffers in
///    workgroup memory are left in `workgroupGlobals`.
/// `instrument`, if there is one, is called when all of that is so but the
/// last.
mlir::LogicalResult
normalizeKernel(mlir::gpu::GPUFuncOp kernel,
                llvm::ArrayRef<std::optional<int64_t>> blockSize,
                int64_t subgroupSize,
                llvm::SmallVectorImpl<mlir::StringAttr> &workgroupGlobals,
                llvm::function_ref<mlir::LogicalResult()> instrument = {});

} // namespace uop

#endif // UOP_LIB_EMULATOR_NORMALIZEKERNEL_H
