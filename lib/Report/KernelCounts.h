//===- KernelCounts.h - What the warps of a kernel do -----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_KERNELCOUNTS_H
#define UOP_LIB_REPORT_KERNELCOUNTS_H

#include "Uop/Analysis/MemoryTraffic.h"
#include "Uop/Report/KernelReport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace uop::report {

/// All that one walk through the warps of a kernel in loop form tells.
struct KernelCounts {
  LaunchShape launch;
  KernelTraffic traffic;
  /// By the number of the access.
  std::vector<std::optional<ExampleRequest>> examples;
  /// How many threads, each as often as it does, enter a block of ops.
  llvm::DenseMap<mlir::Block *, uint64_t> threadsByBlock;
  /// How many warps come to a branch or an iteration, and go both ways there.
  struct Branch {
    uint64_t executions = 0, divergent = 0;
  };
  llvm::MapVector<mlir::Operation *, Branch> branches;

  /// Of the threads that enter a block of ops; none where its control flow is
  /// not followed.
  std::optional<uint64_t> getThreads(mlir::Block *block) const;
};

mlir::FailureOr<KernelCounts> countKernel(KernelOp kernel,
                                          const RequestOptions &options);

} // namespace uop::report

#endif // UOP_LIB_REPORT_KERNELCOUNTS_H
