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

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace uop {

/// A chip. The limits are those of its compute capability; the number of
/// multiprocessors and the rates are those of its largest product in common
/// use, which the name of the chip does not tell. Sources stand at the table.
struct GPUTarget {
  std::string chip;
  /// The product that has so many multiprocessors, and such rates.
  std::string product;

  // What there is.
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

  // How it is handed out; registers are of 32 bits.
  int64_t maxThreadsPerBlock = 1024;
  int64_t maxRegistersPerThread = 255;
  int64_t maxRegistersPerBlock = 65536;
  /// A warp gets registers in units of so many.
  int64_t registerAllocationUnit = 256;
  /// The parts of a multiprocessor, each with its share of the registers: a
  /// warp is in one of them.
  int64_t numPartitions = 4;
  /// A block gets shared memory in units of so many bytes.
  int64_t sharedMemoryAllocationUnit = 128;
  /// What the system has of each block's shared memory, in bytes.
  int64_t reservedSharedMemoryPerBlock = 1024;
  /// How much of the first-level cache can be shared memory, in bytes,
  /// ascending; the last is sharedMemoryPerMultiprocessor.
  std::vector<int64_t> sharedMemoryConfigurations = {};

  // How fast it is, at the clock of a boost.
  double clockHertz = 0;
  double dramBytesPerSecond = 0;
  /// From a load to its value from DRAM. No data sheet states it: an assumption
  /// for Little's law, the same of all chips of the table.
  double dramLatencySeconds = 600e-9;
  int64_t l2Bytes = 0;
  /// An FMA is two FLOPs.
  double fp32FlopsPerSecond = 0;
  double fp64FlopsPerSecond = 0;
  /// Of dense f16 matrices with f32 accumulators, by tensor cores.
  double tensorFlopsPerSecond = 0;
  /// The f32 FMAs of a multiprocessor in a cycle.
  int64_t fmasPerCycle = 0;
  /// The bytes of shared memory that a multiprocessor reads in a cycle: one
  /// wavefront.
  int64_t sharedBytesPerCycle = 128;

  int64_t getMaxWarps() const { return maxThreadsPerMultiprocessor / warpSize; }
};

/// The target of a chip's name, if kernels are compiled for it. The suffix of
/// an architecture-specific chip, as in sm_90a, does not matter. A chip that
/// has no line of its own has the figures of the nearest one; null for one that
/// is not known.
const GPUTarget *lookUpGPUTarget(llvm::StringRef chip);

/// The same, also of the chips that kernels are no longer compiled for, from
/// sm_70 on: for what counts and compiles nothing.
const GPUTarget *lookUpChip(llvm::StringRef chip);

/// The lines of the table, in the order of compute capabilities.
llvm::ArrayRef<GPUTarget> getChips();

/// A chip of a user: an object of JSON whose keys are the names of the fields
/// above, and those only (docs/Chips.md). All fields must be there, but with
/// "base": "sm_90" those that are not are as on that chip. An error says which
/// key is wrong, what was expected and what was found; `source` is what it
/// calls the text, such as the name of its file.
llvm::Expected<GPUTarget> parseChip(llvm::StringRef json,
                                    llvm::StringRef source);

/// The same, from a file.
llvm::Expected<GPUTarget> readChip(llvm::StringRef path);

/// The keys of a chip's numbers that parseChip knows, for messages and tests.
std::vector<llvm::StringRef> getChipFields();

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

/// The chips that lookUpGPUTarget knows, for messages: "sm_75, sm_80, ...".
std::string listGPUTargets();

/// The chips that lookUpChip knows: "sm_70, sm_72, ...".
std::string listChips();

} // namespace uop

#endif // UOP_ANALYSIS_GPUTARGET_H
