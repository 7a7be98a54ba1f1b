//===- Occupancy.cpp - The blocks that share a multiprocessor -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Occupancy.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

StringRef uop::stringifyOccupancyLimit(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::Warps:
    return "warps";
  case OccupancyLimit::Registers:
    return "registers";
  case OccupancyLimit::SharedMemory:
    return "shared memory";
  case OccupancyLimit::Blocks:
    return "blocks";
  }
  llvm_unreachable("all limits are named");
}

std::optional<int64_t> Occupancy::getBlocksBy(OccupancyLimit limit) const {
  switch (limit) {
  case OccupancyLimit::Warps:
    return blocksByWarps;
  case OccupancyLimit::Registers:
    return blocksByRegisters;
  case OccupancyLimit::SharedMemory:
    return blocksBySharedMemory;
  case OccupancyLimit::Blocks:
    return blocksByBlocks;
  }
  llvm_unreachable("all limits are counted");
}

std::vector<OccupancyLimit> Occupancy::getLimits() const {
  std::vector<OccupancyLimit> limits;
  for (OccupancyLimit limit : kOccupancyLimits)
    if (isLimitedBy(limit))
      limits.push_back(limit);
  return limits;
}

//===----------------------------------------------------------------------===//
// What a block gets
//===----------------------------------------------------------------------===//

static int64_t getWarpsPerBlock(const GPUTarget &target, int64_t threads) {
  return llvm::divideCeil(threads, target.warpSize);
}

static int64_t getRegistersPerWarp(const GPUTarget &target, int64_t registers) {
  return llvm::alignTo(registers * target.warpSize,
                       target.registerAllocationUnit);
}

int64_t uop::getAllocatedSharedBytes(const GPUTarget &target, int64_t bytes) {
  return llvm::alignTo(bytes + target.reservedSharedMemoryPerBlock,
                       target.sharedMemoryAllocationUnit);
}

//===----------------------------------------------------------------------===//
// What a chip refuses
//===----------------------------------------------------------------------===//

static llvm::Error refuse(const GPUTarget &target, const Twine &expected,
                          const Twine &got) {
  return llvm::createStringError("expected " + expected + " on " + target.chip +
                                 ", but got " + got);
}

/// A launch checks the registers of a block as if its warps were spread evenly
/// over the partitions.
static int64_t getCheckedRegisters(const GPUTarget &target, int64_t warps,
                                   int64_t registers) {
  return llvm::alignTo(warps, target.numPartitions) *
         getRegistersPerWarp(target, registers);
}

static llvm::Error checkThreads(const GPUTarget &target,
                                const BlockResources &block) {
  if (block.threads >= 1 && block.threads <= target.maxThreadsPerBlock)
    return llvm::Error::success();
  return refuse(target,
                "1 to " + Twine(target.maxThreadsPerBlock) +
                    " threads in a block",
                Twine(block.threads));
}

static llvm::Error checkRegisters(const GPUTarget &target,
                                  const BlockResources &block) {
  if (block.registers < 0 || block.registers > target.maxRegistersPerThread)
    return refuse(target,
                  "0 to " + Twine(target.maxRegistersPerThread) +
                      " registers of a thread",
                  Twine(block.registers));
  int64_t warps = getWarpsPerBlock(target, block.threads);
  int64_t registers = getCheckedRegisters(target, warps, block.registers);
  if (registers <= target.maxRegistersPerBlock)
    return llvm::Error::success();
  return refuse(
      target,
      "at most " + Twine(target.maxRegistersPerBlock) + " registers of a block",
      Twine(registers) + ", for " + Twine(block.threads) + " threads of " +
          Twine(block.registers) +
          " registers; use fewer threads, or fewer registers of each");
}

static llvm::Error checkSharedMemory(const GPUTarget &target,
                                     const BlockResources &block) {
  for (int64_t bytes : {block.staticSharedBytes, block.dynamicSharedBytes})
    if (bytes < 0 || bytes > target.maxSharedMemoryPerBlock)
      return refuse(target,
                    "0 to " + Twine(target.maxSharedMemoryPerBlock) +
                        " bytes of shared memory a block",
                    Twine(bytes));
  if (block.staticSharedBytes > kMaxStaticSharedBytes)
    return refuse(target,
                  "at most " + Twine(kMaxStaticSharedBytes) +
                      " bytes of static shared memory a block",
                  Twine(block.staticSharedBytes) +
                      "; count what its launch asks for as dynamic");
  if (block.getSharedBytes() > target.maxSharedMemoryPerBlock)
    return refuse(target,
                  "at most " + Twine(target.maxSharedMemoryPerBlock) +
                      " bytes of shared memory a block",
                  Twine(block.getSharedBytes()) + ", " +
                      Twine(block.staticSharedBytes) + " static and " +
                      Twine(block.dynamicSharedBytes) + " dynamic");
  int64_t percent = block.carveoutPercent.value_or(100);
  if (percent < 0 || percent > 100)
    return refuse(target, "0 to 100 percent of shared memory", Twine(percent));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

/// The configuration of the first-level cache: what the launch prefers, or the
/// least in which a block fits where that is more.
static int64_t chooseConfiguration(const GPUTarget &target,
                                   const BlockResources &block, int64_t bytes) {
  int64_t percent = block.carveoutPercent.value_or(100);
  int64_t wanted = percent * target.sharedMemoryPerMultiprocessor / 100;
  for (int64_t size : target.sharedMemoryConfigurations)
    if (size >= std::max(wanted, bytes))
      return size;
  return target.sharedMemoryPerMultiprocessor;
}

/// Of a block of which each resource by itself may be.
static Occupancy countBlocks(const GPUTarget &target,
                             const BlockResources &block) {
  Occupancy occupancy;
  occupancy.maxWarps = target.getMaxWarps();
  int64_t warps = getWarpsPerBlock(target, block.threads);
  occupancy.warpsPerBlock = warps;
  occupancy.blocksByWarps = occupancy.maxWarps / warps;
  occupancy.blocksByBlocks = target.maxBlocksPerMultiprocessor;
  if (int64_t ofWarp = getRegistersPerWarp(target, block.registers)) {
    int64_t ofPartition =
        target.registersPerMultiprocessor / target.numPartitions;
    occupancy.registersPerBlock = ofWarp * warps;
    occupancy.blocksByRegisters =
        ofPartition / ofWarp * target.numPartitions / warps;
  }
  int64_t bytes = getAllocatedSharedBytes(target, block.getSharedBytes());
  occupancy.sharedBytesPerBlock = bytes;
  occupancy.sharedMemoryConfiguration =
      chooseConfiguration(target, block, bytes);
  if (bytes > 0)
    occupancy.blocksBySharedMemory =
        occupancy.sharedMemoryConfiguration / bytes;
  occupancy.blocks = occupancy.blocksByBlocks;
  for (OccupancyLimit limit : kOccupancyLimits)
    if (std::optional<int64_t> blocks = occupancy.getBlocksBy(limit))
      occupancy.blocks = std::min(occupancy.blocks, *blocks);
  occupancy.warps = occupancy.blocks * warps;
  return occupancy;
}

llvm::Expected<Occupancy> uop::computeOccupancy(const GPUTarget &target,
                                                const BlockResources &block) {
  for (auto check : {checkThreads, checkRegisters, checkSharedMemory})
    if (llvm::Error error = check(target, block))
      return error;
  Occupancy occupancy = countBlocks(target, block);
  // On a chip of a user: the units may be larger than what a partition has.
  if (occupancy.blocks == 0)
    return refuse(target, "a block for which a multiprocessor has room",
                  "one for which there are too few " +
                      stringifyOccupancyLimit(occupancy.getLimits().front()));
  return occupancy;
}

//===----------------------------------------------------------------------===//
// The next step up
//===----------------------------------------------------------------------===//

/// The largest value from `least` to `most` with which there are so many
/// blocks. With a larger value there are never more.
static std::optional<OccupancyChange>
findLargest(const GPUTarget &target, int64_t blocks, int64_t least,
            int64_t most, function_ref<BlockResources(int64_t)> change) {
  auto hasBlocks = [&](int64_t value) {
    return countBlocks(target, change(value)).blocks >= blocks;
  };
  if (least > most || !hasBlocks(least))
    return std::nullopt;
  while (least < most) {
    int64_t middle = least + (most - least + 1) / 2;
    if (hasBlocks(middle))
      least = middle;
    else
      most = middle - 1;
  }
  return OccupancyChange{least, countBlocks(target, change(least)).warps};
}

llvm::Expected<OccupancyStep>
uop::computeNextOccupancyStep(const GPUTarget &target,
                              const BlockResources &block) {
  llvm::Expected<Occupancy> occupancy = computeOccupancy(target, block);
  if (!occupancy)
    return occupancy.takeError();
  OccupancyStep step;
  step.blocks = occupancy->blocks + 1;
  BlockResources changed = block;
  step.registers =
      findLargest(target, step.blocks, 1, block.registers, [&](int64_t value) {
        changed = block;
        changed.registers = value;
        return changed;
      });
  step.sharedBytes = findLargest(target, step.blocks, 0, block.getSharedBytes(),
                                 [&](int64_t value) {
                                   changed = block;
                                   changed.staticSharedBytes = value;
                                   changed.dynamicSharedBytes = 0;
                                   return changed;
                                 });
  step.threads =
      findLargest(target, step.blocks, 1,
                  getWarpsPerBlock(target, block.threads), [&](int64_t value) {
                    changed = block;
                    changed.threads = value * target.warpSize;
                    return changed;
                  });
  if (step.threads)
    step.threads->value *= target.warpSize;
  return step;
}

std::vector<OccupancyRow>
uop::computeOccupancyTable(const GPUTarget &target,
                           const BlockResources &block) {
  std::vector<OccupancyRow> rows;
  BlockResources changed = block;
  for (changed.threads = target.warpSize;
       changed.threads <= target.maxThreadsPerBlock;
       changed.threads += target.warpSize) {
    OccupancyRow row;
    row.threads = changed.threads;
    if (llvm::Expected<Occupancy> occupancy = computeOccupancy(target, changed))
      row.occupancy = *occupancy;
    else
      row.reason = llvm::toString(occupancy.takeError());
    rows.push_back(row);
  }
  return rows;
}
