//===- DetectFaults.h - A kernel that says whether it is right --*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most kernels are right, and need no log to be seen to be. This instruments a
// kernel to ask only whether anything may be wrong, with a state of eight bytes
// for each word that may race (ShadowCode.h) and in code that can be vectors of
// threads. Where it says so the program is run again and logged
// (InstrumentKernel.h), which gives the findings. It never misses what the log
// would find, and may be wrong the other way.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CHECKED_DETECTFAULTS_H
#define UOP_LIB_EMULATOR_CHECKED_DETECTFAULTS_H

#include "../RuntimeCalls.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace uop {

struct FaultDetection {
  /// False where the kernel does what only the log knows about.
  bool isPossible = false;
  /// The arguments whose words have states, each a memref<?xi64>, which are the
  /// last arguments in this order.
  llvm::SmallVector<unsigned> shadowed;
  /// Arguments that are accessed; memory of one that is written must not be
  /// another's, too.
  llvm::SmallVector<unsigned> read, written;
};

/// Instruments a kernel as instrumentKernel does, with the same errors.
mlir::FailureOr<FaultDetection>
instrumentDetection(mlir::gpu::GPUFuncOp kernel,
                    llvm::ArrayRef<std::optional<int64_t>> blockSize,
                    int64_t subgroupSize, RuntimeCalls &runtime,
                    uint64_t stepLimit);

/// At a launch: states for the words of each argument that has them, all new,
/// and a word to the host if arguments overlap that must not.
llvm::SmallVector<mlir::Value> createShadows(mlir::ImplicitLocOpBuilder &b,
                                             const FaultDetection &detection,
                                             mlir::ValueRange arguments);

} // namespace uop

#endif // UOP_LIB_EMULATOR_CHECKED_DETECTFAULTS_H
