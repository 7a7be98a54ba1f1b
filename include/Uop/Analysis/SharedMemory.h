//===- SharedMemory.h - What a block takes and what a chip has --*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_SHAREDMEMORY_H
#define UOP_ANALYSIS_SHAREDMEMORY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace uop {

/// The alignment in bytes of the dynamic shared memory of a block.
inline constexpr int64_t kDynamicSharedAlignment = 128;

/// The bytes from one element to the next in memory, of integers, indices (8),
/// floats, complex numbers and vectors of these: a power of two.
int64_t getStoredBytes(mlir::Type type);

/// The bytes of the workgroup attributions of a kernel, and of the buffers of
/// its module in workgroup memory that it uses, one after another at their
/// alignment; those of a type without a size do not count.
int64_t getStaticSharedBytes(mlir::gpu::GPUFuncOp kernel);

/// The bytes of dynamic shared memory that a launch asks for, 0 if it does not;
/// nothing where that is not a constant.
std::optional<int64_t> getDynamicSharedBytes(mlir::gpu::LaunchFuncOp launch);

/// Refuses more shared memory than a block may have on the chip.
mlir::LogicalResult
checkSharedBytes(int64_t bytes, llvm::StringRef chip,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace uop

#endif // UOP_ANALYSIS_SHAREDMEMORY_H
