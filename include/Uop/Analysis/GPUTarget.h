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
  /// In bytes.
  int64_t sharedMemoryPerMultiprocessor;
  /// What one block may have of it, where its launch asks for it.
  int64_t maxSharedMemoryPerBlock;
  int64_t warpSize = 32;
  /// The bytes of the widest access of one thread.
  int64_t widestAccess = 16;
};

/// The target of a chip's name. The suffix of an architecture-specific chip, as
/// in sm_90a, does not matter. A chip that has no line of its own has the
/// figures of the next one below it; null for one that is not known.
const GPUTarget *lookUpGPUTarget(llvm::StringRef chip);

/// The shared memory in bytes that a block may have on every chip without its
/// launch asking for it: all that can be static.
inline constexpr int64_t kMaxStaticSharedBytes = 48 * 1024;

/// The most shared memory in bytes that a block may have on a chip; for one
/// that is not known, what every chip has.
int64_t getMaxSharedBytes(llvm::StringRef chip);

/// The same of the chip that has the most.
int64_t getLargestSharedBytes();

/// The chip that is compiled for, emulated and counted on when nobody names
/// one: the oldest that has asynchronous copies and bf16; its PTX runs on every
/// later chip.
inline constexpr llvm::StringLiteral kDefaultGPUTarget = "sm_80";

/// Whether a chip copies from global to shared memory without the thread
/// (cp.async): those from sm_80 on. False for one that is not known.
bool hasAsyncCopies(llvm::StringRef chip);

/// The chips of the table, for messages: "sm_75, sm_80, ...".
std::string listGPUTargets();

} // namespace uop

#endif // UOP_ANALYSIS_GPUTARGET_H
