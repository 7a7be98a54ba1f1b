//===- OccupancyOracleTest.cpp - Against the CUDA toolkit's calculator ----===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 10,000 random blocks on all chips: equal numbers of blocks, equal limits.
// Other ones with UOP_FUZZ_SEED and UOP_FUZZ_COUNT.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Occupancy.h"
#include "gtest/gtest.h"

#ifndef UOP_HAS_CUDA_OCCUPANCY

TEST(OccupancyOracle, RandomBlocks) {
  GTEST_SKIP() << "no cuda_occupancy.h of a CUDA toolkit was found when the "
                  "build was configured; set CUDA_HOME";
}

#else

#include <climits>
#include <cstdlib>
#include <cuda_occupancy.h>
#include <iostream>
#include <map>
#include <random>

using namespace uop;

namespace {

/// What both sides are asked to say of a block.
struct Answer {
  int64_t blocks = -1;
  unsigned limits = ~0u;
  int64_t byWarps = -1, byRegisters = -1, byShared = -1, byBlocks = -1;
  int64_t registers = -1, sharedBytes = -1;

  bool operator==(const Answer &other) const {
    return blocks == other.blocks && limits == other.limits &&
           byWarps == other.byWarps && byRegisters == other.byRegisters &&
           byShared == other.byShared && byBlocks == other.byBlocks &&
           registers == other.registers && sharedBytes == other.sharedBytes;
  }
};

std::ostream &operator<<(std::ostream &os, const Answer &answer) {
  return os << answer.blocks << " blocks, limits " << answer.limits
            << ", by warps " << answer.byWarps << ", registers "
            << answer.byRegisters << ", shared memory " << answer.byShared
            << ", blocks " << answer.byBlocks << "; " << answer.registers
            << " registers and " << answer.sharedBytes
            << " bytes of shared memory a block";
}

} // namespace

static cudaOccDeviceProp describe(const GPUTarget &target) {
  unsigned capability = std::stoul(target.chip.substr(3));
  cudaOccDeviceProp device;
  device.computeMajor = capability / 10;
  device.computeMinor = capability % 10;
  device.maxThreadsPerBlock = target.maxThreadsPerBlock;
  device.maxThreadsPerMultiprocessor = target.maxThreadsPerMultiprocessor;
  device.regsPerBlock = target.maxRegistersPerBlock;
  device.regsPerMultiprocessor = target.registersPerMultiprocessor;
  device.warpSize = target.warpSize;
  device.sharedMemPerBlock = kMaxStaticSharedBytes;
  device.sharedMemPerMultiprocessor = target.sharedMemoryPerMultiprocessor;
  device.numSms = target.numMultiprocessors;
  device.sharedMemPerBlockOptin = target.maxSharedMemoryPerBlock;
  device.reservedSharedMemPerBlock = target.reservedSharedMemoryPerBlock;
  return device;
}

static Answer askToolkit(const GPUTarget &target, const BlockResources &block) {
  cudaOccDeviceProp device = describe(target);
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = INT_MAX;
  function.numRegs = block.registers;
  function.sharedSizeBytes = block.staticSharedBytes;
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = block.dynamicSharedBytes;
  function.numBlockBarriers = 1;
  cudaOccDeviceState state;
  state.carveoutConfig =
      block.carveoutPercent.value_or(SHAREDMEM_CARVEOUT_DEFAULT);
  cudaOccResult result = {};
  cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &device, &function, &state, block.threads,
      block.dynamicSharedBytes);
  EXPECT_EQ(error, CUDA_OCC_SUCCESS) << target.chip;
  Answer answer;
  answer.blocks = result.activeBlocksPerMultiprocessor;
  // One barrier a block is never fewer than there are.
  answer.limits = result.limitingFactors & ~unsigned(OCC_LIMIT_BARRIERS);
  answer.byWarps = result.blockLimitWarps;
  answer.byRegisters = result.blockLimitRegs;
  answer.byShared = result.blockLimitSharedMem;
  answer.byBlocks = result.blockLimitBlocks;
  answer.registers = result.allocatedRegistersPerBlock;
  answer.sharedBytes = result.allocatedSharedMemPerBlock;
  return answer;
}

static Answer describe(const Occupancy &occupancy) {
  std::map<OccupancyLimit, unsigned> factors = {
      {OccupancyLimit::Warps, OCC_LIMIT_WARPS},
      {OccupancyLimit::Registers, OCC_LIMIT_REGISTERS},
      {OccupancyLimit::SharedMemory, OCC_LIMIT_SHARED_MEMORY},
      {OccupancyLimit::Blocks, OCC_LIMIT_BLOCKS}};
  Answer answer;
  answer.blocks = occupancy.blocks;
  answer.limits = 0;
  for (OccupancyLimit limit : occupancy.getLimits())
    answer.limits |= factors.at(limit);
  answer.byWarps = occupancy.blocksByWarps;
  answer.byRegisters = occupancy.blocksByRegisters.value_or(INT_MAX);
  answer.byShared = occupancy.blocksBySharedMemory.value_or(INT_MAX);
  answer.byBlocks = occupancy.blocksByBlocks;
  answer.registers = occupancy.registersPerBlock;
  answer.sharedBytes = occupancy.sharedBytesPerBlock;
  return answer;
}

namespace {

/// Random blocks; most of them are such that a chip can have them, and each
/// resource limits some.
class BlockGenerator {
public:
  BlockGenerator(uint64_t seed) : random(seed) {}

  const GPUTarget &makeChip() {
    return getChips()[draw(0, getChips().size() - 1)];
  }

  BlockResources make(const GPUTarget &target) {
    BlockResources block;
    bool isSmall = draw(0, 3) == 0;
    block.threads = draw(0, 9) ? draw(1, isSmall ? 3 : 32) * 32 : draw(1, 1100);
    block.registers = draw(0, 9) ? draw(16, isSmall ? 40 : 128) : draw(0, 255);
    int64_t most = target.maxSharedMemoryPerBlock;
    int64_t bytes =
        draw(0, 3) ? draw(0, most) >> draw(0, 6) : draw(0, most + most / 16);
    block.staticSharedBytes = std::min(draw(0, bytes), kMaxStaticSharedBytes);
    block.dynamicSharedBytes = bytes - block.staticSharedBytes;
    if (draw(0, 3) == 0)
      block.carveoutPercent = draw(0, 100);
    return block;
  }

private:
  int64_t draw(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  }

  std::mt19937_64 random;
};

} // namespace

static uint64_t getNumber(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(OccupancyOracle, RandomBlocks) {
  uint64_t seed = getNumber("UOP_FUZZ_SEED", 20250611);
  uint64_t count = getNumber("UOP_FUZZ_COUNT", 10000);
  std::cout << "UOP_FUZZ_SEED=" << seed << " UOP_FUZZ_COUNT=" << count << "\n";
  BlockGenerator generator(seed);
  uint64_t possible = 0;
  std::map<std::string, uint64_t> chips;
  std::map<OccupancyLimit, uint64_t> limits;
  for (uint64_t round = 0; round < count; ++round) {
    const GPUTarget &target = generator.makeChip();
    BlockResources block = generator.make(target);
    SCOPED_TRACE(target.chip + ", " + std::to_string(block.threads) +
                 " threads, " + std::to_string(block.registers) +
                 " registers, " + std::to_string(block.staticSharedBytes) +
                 " static and " + std::to_string(block.dynamicSharedBytes) +
                 " dynamic bytes, carve-out " +
                 std::to_string(block.carveoutPercent.value_or(-1)));
    Answer toolkit = askToolkit(target, block);
    llvm::Expected<Occupancy> occupancy = computeOccupancy(target, block);
    if (!occupancy) {
      // What is refused here, there no block fits.
      EXPECT_EQ(toolkit.blocks, 0) << llvm::toString(occupancy.takeError());
      continue;
    }
    ASSERT_EQ(describe(*occupancy), toolkit);
    ++possible;
    ++chips[target.chip];
    for (OccupancyLimit limit : occupancy->getLimits())
      ++limits[limit];
  }
  if (count < 1000)
    return;
  // That something was compared: blocks that fit, chips, limits.
  EXPECT_GT(possible, count / 2);
  EXPECT_EQ(chips.size(), getChips().size());
  for (OccupancyLimit limit : kOccupancyLimits)
    EXPECT_GT(limits[limit], count / 100)
        << stringifyOccupancyLimit(limit).str();
}

#endif // UOP_HAS_CUDA_OCCUPANCY
