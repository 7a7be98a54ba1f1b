//===- Occupancy.h - The blocks that share a multiprocessor -----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many blocks of a launch a multiprocessor holds at once, from what a block
// needs and what the chip has, as numbers. Sources: CUDA C++ Programming Guide,
// "Multiprocessor Level" and "Technical Specifications per Compute Capability",
// for the limits; the occupancy calculator of the CUDA toolkit for the units in
// which resources are handed out, with which a test compares. Nsight Compute
// shows the same figures in its section "Occupancy".
//
// With W = warpSize, P = numPartitions, U and V = the units in which registers
// and shared memory are handed out, and R = reservedSharedMemoryPerBlock:
//
//   warps of a block       w = ceil(threads / W)
//   registers of a warp    r = roundUp(registers * W, U)
//   shared bytes of one    s = roundUp(static + dynamic + R, V)
//   blocks by warps        floor(maxWarps / w)
//   blocks by registers    floor(floor(registersPerMultiprocessor / P / r) * P
//                                / w)
//   blocks by shared       floor(sharedMemory / s)
//   blocks by blocks       maxBlocksPerMultiprocessor
//
// and the least of the four is the number of blocks. Several named barriers of
// a block, and clusters, are not counted.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_OCCUPANCY_H
#define UOP_ANALYSIS_OCCUPANCY_H

#include "Uop/Analysis/GPUTarget.h"
#include <optional>

namespace uop {

/// What a block of a launch needs.
struct BlockResources {
  int64_t threads = 0;
  /// Of a thread, of 32 bits. 0 counts as none at all: registers do not limit.
  int64_t registers = 0;
  /// In bytes.
  int64_t staticSharedBytes = 0;
  int64_t dynamicSharedBytes = 0;
  /// The part of the first-level cache that the launch would have as shared
  /// memory, in percent of the most there is, as in the attribute
  /// preferredSharedMemoryCarveout; the next larger configuration is taken.
  /// None is the most there is.
  std::optional<int64_t> carveoutPercent = std::nullopt;

  int64_t getSharedBytes() const {
    return staticSharedBytes + dynamicSharedBytes;
  }
};

/// What there can be no more of.
enum class OccupancyLimit { Warps, Registers, SharedMemory, Blocks };

/// All of them, in the order of messages.
inline constexpr OccupancyLimit kOccupancyLimits[] = {
    OccupancyLimit::Warps, OccupancyLimit::Registers,
    OccupancyLimit::SharedMemory, OccupancyLimit::Blocks};

/// "warps", "registers", "shared memory", "blocks".
llvm::StringRef stringifyOccupancyLimit(OccupancyLimit limit);

struct Occupancy {
  /// At once on a multiprocessor.
  int64_t blocks = 0;
  int64_t warps = 0;
  /// Those that the multiprocessor could have.
  int64_t maxWarps = 0;

  /// What a block gets, in the units in which it is handed out.
  int64_t warpsPerBlock = 0;
  int64_t registersPerBlock = 0;
  int64_t sharedBytesPerBlock = 0;

  /// The blocks that each resource allows; none where it does not limit.
  int64_t blocksByWarps = 0;
  std::optional<int64_t> blocksByRegisters;
  std::optional<int64_t> blocksBySharedMemory;
  int64_t blocksByBlocks = 0;

  /// The bytes of shared memory, of the multiprocessor, of which the blocks get
  /// theirs.
  int64_t sharedMemoryConfiguration = 0;

  /// Active warps as a share of those that could be, in [0, 1].
  double getShare() const { return double(warps) / double(maxWarps); }

  /// The blocks that a resource allows; none where it does not limit.
  std::optional<int64_t> getBlocksBy(OccupancyLimit limit) const;

  /// The resources that allow no block more. There is at least one.
  std::vector<OccupancyLimit> getLimits() const;

  bool isLimitedBy(OccupancyLimit limit) const {
    return getBlocksBy(limit) == blocks;
  }
};

/// The occupancy of a launch of more blocks than the chip holds. An error for a
/// block that the chip cannot have at all, which says what it needs and how
/// much there is.
llvm::Expected<Occupancy> computeOccupancy(const GPUTarget &target,
                                           const BlockResources &block);

/// The shared memory that a block takes from its multiprocessor, in bytes: with
/// what the system has of it, and rounded up.
int64_t getAllocatedSharedBytes(const GPUTarget &target, int64_t bytes);

/// A change of one resource, and the warps that a multiprocessor then has.
struct OccupancyChange {
  int64_t value = 0;
  int64_t warps = 0;
};

/// What one block more a multiprocessor takes: the largest value of each
/// resource that allows it while the others stay as they are; none where no
/// value of that one alone does. Fewer threads a block can mean fewer warps in
/// all, although there are more blocks.
struct OccupancyStep {
  int64_t blocks = 0;
  /// Of a thread, at least 1.
  std::optional<OccupancyChange> registers;
  /// Static and dynamic together.
  std::optional<OccupancyChange> sharedBytes;
  /// Of a block, a multiple of the warp.
  std::optional<OccupancyChange> threads;
};

llvm::Expected<OccupancyStep>
computeNextOccupancyStep(const GPUTarget &target, const BlockResources &block);

/// The occupancy at one block size.
struct OccupancyRow {
  int64_t threads = 0;
  /// None where the chip cannot have such a block.
  std::optional<Occupancy> occupancy;
  /// Why not; empty where it can.
  std::string reason;
};

/// A row for each multiple of the warp, up to the largest block, with the other
/// resources of `block`. Shared memory stays as it is: a kernel whose shared
/// memory grows with the block has a table of its own.
std::vector<OccupancyRow> computeOccupancyTable(const GPUTarget &target,
                                                const BlockResources &block);

} // namespace uop

#endif // UOP_ANALYSIS_OCCUPANCY_H
