//===- GPUTarget.h - What a chip has, and its limits ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table, for everyone who fills a machine or counts what fits on it.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_GPUTARGET_H
#define UOP_ANALYSIS_GPUTARGET_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace uop {

/// A chip. The limits are those of its compute capability (CUDA C++ Programming
/// Guide, "Technical Specifications per Compute Capability"); the number of
/// multiprocessors is that of its largest product in common use, which the name
/// of the chip does not tell.
struct GPUTarget {
  llvm::StringLiteral chip;
  /// The product that has so many multiprocessors.
  llvm::StringLiteral product;
  int64_t numMultiprocessors;
  int64_t maxThreadsPerMultiprocessor;
  int64_t maxBlocksPerMultiprocessor;
  int64_t registersPerMultiprocessor;
  /// In bytes; what one block may have of it is 1 KiB less from sm_80 on.
  int64_t sharedMemoryPerMultiprocessor;
  int64_t warpSize = 32;
  /// The bytes of the widest access of one thread.
  int64_t widestAccess = 16;
};

/// The target of a chip's name. The suffix of an architecture-specific chip, as
/// in sm_90a, does not matter. A chip that has no line of its own has the figures
/// of the next one below it; null for one that is not known.
const GPUTarget *lookUpGPUTarget(llvm::StringRef chip);

/// Whether a chip copies from global to shared memory without the thread
/// (cp.async): those from sm_80 on. False for one that is not known.
bool hasAsyncCopies(llvm::StringRef chip);

/// The chips of the table, for messages: "sm_75, sm_80, ...".
std::string listGPUTargets();

} // namespace uop

#endif // UOP_ANALYSIS_GPUTARGET_H
