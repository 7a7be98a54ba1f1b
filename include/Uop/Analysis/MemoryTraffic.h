//===- MemoryTraffic.h - Sectors and wavefronts of a kernel -----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory traffic of a kernel in loop form, counted exactly from the
// addresses of every lane (WarpRequests.h says how, MemoryRequest.h what). A
// buffer is taken to begin at a multiple of 256 bytes, and an allocation at a
// multiple of 128. Zeroing of `uop.alloc zero` is not counted, nor is private
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_MEMORYTRAFFIC_H
#define UOP_ANALYSIS_MEMORYTRAFFIC_H

#include "Uop/Analysis/TrafficSums.h"
#include "Uop/Analysis/WarpRequests.h"

namespace uop {

/// What one access does in all.
struct AccessTraffic : RequestCounts {
  WarpAccess access;
  /// The alignment that the buffer promises, where that is less than the 256
  /// bytes that it is taken to have.
  std::optional<int64_t> promisedAlignment;

  bool isCounted() const { return access.reason.empty(); }
};

struct KernelTraffic : TrafficTotals {
  /// In program order.
  llvm::SmallVector<AccessTraffic> accesses;
  /// Whether the counts are those of the first block alone, since there were
  /// more requests than `maxRequests` in all of them.
  bool isFirstBlockOnly = false;
  /// Whether there were too many even in the first block; nothing is counted.
  bool isTooLarge = false;

  /// Whether every access is in the sums.
  bool isComplete() const;
};

/// Counts a kernel; fails as `enumerateRequests` does. `handle` also gets each
/// request, and what it costs; where it turns out that there are too many, all
/// of some that do not count.
mlir::FailureOr<KernelTraffic> countTraffic(
    KernelOp kernel, const RequestOptions &options = {},
    llvm::function_ref<void(const WarpRequest &, int64_t cost)> handle =
        nullptr);

} // namespace uop

#endif // UOP_ANALYSIS_MEMORYTRAFFIC_H
