//===- OccupancyTest.cpp - The blocks that share a multiprocessor ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Occupancy.h"
#include "gtest/gtest.h"

using namespace uop;
using Limits = std::vector<OccupancyLimit>;

static BlockResources makeBlock(int64_t threads, int64_t registers,
                                int64_t staticBytes = 0,
                                int64_t dynamicBytes = 0) {
  BlockResources block;
  block.threads = threads;
  block.registers = registers;
  block.staticSharedBytes = staticBytes;
  block.dynamicSharedBytes = dynamicBytes;
  return block;
}

static Occupancy compute(llvm::StringRef chip, const BlockResources &block) {
  llvm::Expected<Occupancy> occupancy =
      computeOccupancy(*lookUpChip(chip), block);
  if (occupancy)
    return *occupancy;
  ADD_FAILURE() << llvm::toString(occupancy.takeError());
  return {};
}

static std::string getError(llvm::StringRef chip, const BlockResources &block) {
  llvm::Expected<Occupancy> occupancy =
      computeOccupancy(*lookUpChip(chip), block);
  return occupancy ? "no error" : llvm::toString(occupancy.takeError());
}

// 80 registers of 8 warps are 20480: 3 blocks of 65536.
TEST(Occupancy, RegistersLimit) {
  Occupancy occupancy = compute("sm_80", makeBlock(256, 80));
  EXPECT_EQ(occupancy.blocks, 3);
  EXPECT_EQ(occupancy.warps, 24);
  EXPECT_EQ(occupancy.maxWarps, 64);
  EXPECT_EQ(occupancy.getShare(), 0.375);
  EXPECT_EQ(occupancy.getLimits(), Limits{OccupancyLimit::Registers});
  EXPECT_EQ(occupancy.registersPerBlock, 20480);
  EXPECT_EQ(occupancy.blocksByWarps, 8);
  EXPECT_EQ(occupancy.blocksByRegisters, 3);
  // What the system has, 1 KiB a block.
  EXPECT_EQ(occupancy.sharedBytesPerBlock, 1024);
  EXPECT_EQ(occupancy.blocksBySharedMemory, 164);
  EXPECT_EQ(occupancy.blocksByBlocks, 32);
}

// 129 registers count as 136: 4352 of a warp, 3 of them in a partition.
TEST(Occupancy, RegistersComeInUnits) {
  EXPECT_EQ(compute("sm_90", makeBlock(256, 128)).blocks, 2);
  EXPECT_EQ(compute("sm_90", makeBlock(256, 129)).blocks, 1);
  EXPECT_EQ(compute("sm_90", makeBlock(64, 129)).blocks, 6);
}

// 40 KiB and the system's 1 KiB: four are 164 KiB. One byte more is a unit
// more.
TEST(Occupancy, SharedMemoryComesInUnits) {
  Occupancy four = compute("sm_80", makeBlock(128, 32, 0, 40 * 1024));
  EXPECT_EQ(four.blocks, 4);
  EXPECT_EQ(four.getLimits(), Limits{OccupancyLimit::SharedMemory});
  EXPECT_EQ(four.sharedMemoryConfiguration, 164 * 1024);
  EXPECT_EQ(compute("sm_80", makeBlock(128, 32, 1, 40 * 1024)).blocks, 3);
  // Before sm_80 the system has none.
  EXPECT_EQ(compute("sm_75", makeBlock(128, 32, 16 * 1024)).blocks, 4);
  EXPECT_EQ(compute("sm_75", makeBlock(128, 32, 16 * 1024 + 1)).blocks, 3);
  EXPECT_EQ(compute("sm_75", makeBlock(128, 32, 1)).sharedBytesPerBlock, 256);
  EXPECT_FALSE(compute("sm_75", makeBlock(128, 32)).blocksBySharedMemory);
}

// As much of the cache as the launch prefers, but at least what a block needs.
TEST(Occupancy, Carveout) {
  BlockResources block = makeBlock(32, 32, 7 * 1024);
  block.carveoutPercent = 0;
  EXPECT_EQ(compute("sm_80", block).sharedMemoryConfiguration, 8 * 1024);
  EXPECT_EQ(compute("sm_80", block).blocks, 1);
  block.carveoutPercent = 50;
  EXPECT_EQ(compute("sm_80", block).sharedMemoryConfiguration, 100 * 1024);
  EXPECT_EQ(compute("sm_80", block).blocks, 12);
  block.carveoutPercent = 100;
  EXPECT_EQ(compute("sm_80", block).blocks, 20);
  block.carveoutPercent = 101;
  EXPECT_EQ(getError("sm_80", block),
            "expected 0 to 100 percent of shared memory on sm_80, but got 101");
}

TEST(Occupancy, WarpsAndBlocksLimit) {
  Occupancy small = compute("sm_80", makeBlock(32, 16));
  EXPECT_EQ(small.blocks, 32);
  EXPECT_EQ(small.getShare(), 0.5);
  EXPECT_EQ(small.getLimits(), Limits{OccupancyLimit::Blocks});
  // 100 threads are 4 warps; 48 warps of them are 12 blocks.
  Occupancy uneven = compute("sm_86", makeBlock(100, 32));
  EXPECT_EQ(uneven.warps, 48);
  EXPECT_EQ(uneven.getLimits(), Limits{OccupancyLimit::Warps});
  // Several at once.
  EXPECT_EQ(compute("sm_80", makeBlock(64, 32)).getLimits(),
            (Limits{OccupancyLimit::Warps, OccupancyLimit::Registers,
                    OccupancyLimit::Blocks}));
}

TEST(Occupancy, ImpossibleBlocks) {
  EXPECT_EQ(getError("sm_80", makeBlock(0, 32)),
            "expected 1 to 1024 threads in a block on sm_80, but got 0");
  EXPECT_EQ(getError("sm_80", makeBlock(1025, 32)),
            "expected 1 to 1024 threads in a block on sm_80, but got 1025");
  EXPECT_EQ(getError("sm_80", makeBlock(32, 256)),
            "expected 0 to 255 registers of a thread on sm_80, but got 256");
  EXPECT_EQ(getError("sm_80", makeBlock(32, -1)),
            "expected 0 to 255 registers of a thread on sm_80, but got -1");
  EXPECT_EQ(getError("sm_86", makeBlock(1024, 65)),
            "expected at most 65536 registers of a block on sm_86, but got "
            "73728, for 1024 threads of 65 registers; use fewer threads, or "
            "fewer registers of each");
  EXPECT_EQ(getError("sm_80", makeBlock(32, 32, 0, 163 * 1024 + 1)),
            "expected 0 to 166912 bytes of shared memory a block on sm_80, but "
            "got 166913");
  EXPECT_EQ(getError("sm_80", makeBlock(32, 32, 48 * 1024 + 1)),
            "expected at most 49152 bytes of static shared memory a block on "
            "sm_80, but got 49153; count what its launch asks for as dynamic");
  EXPECT_EQ(getError("sm_80", makeBlock(32, 32, 48 * 1024, 116 * 1024)),
            "expected at most 166912 bytes of shared memory a block on sm_80, "
            "but got 167936, 49152 static and 118784 dynamic");
  EXPECT_EQ(getError("sm_80", makeBlock(32, 32, INT64_MAX, INT64_MAX)),
            "expected 0 to 166912 bytes of shared memory a block on sm_80, but "
            "got 9223372036854775807");
}

static OccupancyStep step(const BlockResources &block) {
  llvm::Expected<OccupancyStep> next =
      computeNextOccupancyStep(*lookUpChip("sm_80"), block);
  if (next)
    return *next;
  ADD_FAILURE() << llvm::toString(next.takeError());
  return {};
}

// A fourth block of 256 threads: 64 registers, or 6 warps of 80.
TEST(Occupancy, NextStepOfRegisters) {
  OccupancyStep next = step(makeBlock(256, 80));
  EXPECT_EQ(next.blocks, 4);
  ASSERT_TRUE(next.registers);
  EXPECT_EQ(next.registers->value, 64);
  EXPECT_EQ(next.registers->warps, 32);
  EXPECT_FALSE(next.sharedBytes);
  ASSERT_TRUE(next.threads);
  EXPECT_EQ(next.threads->value, 192);
  EXPECT_EQ(next.threads->warps, 24);
}

// A fifth of 164 KiB is 32.8 KiB: 262 units of 128 bytes, less 1 KiB.
TEST(Occupancy, NextStepOfSharedMemory) {
  OccupancyStep next = step(makeBlock(128, 32, 1024, 39 * 1024));
  EXPECT_EQ(next.blocks, 5);
  ASSERT_TRUE(next.sharedBytes);
  EXPECT_EQ(next.sharedBytes->value, 262 * 128 - 1024);
  EXPECT_EQ(next.sharedBytes->warps, 20);
  EXPECT_FALSE(next.registers);
  EXPECT_FALSE(next.threads);
}

// No change allows a 33rd block, and none of two limits alone helps.
TEST(Occupancy, NextStepThatThereIsNot) {
  OccupancyStep blocks = step(makeBlock(32, 16));
  EXPECT_FALSE(blocks.registers || blocks.sharedBytes || blocks.threads);
  OccupancyStep two = step(makeBlock(256, 128, 0, 80 * 1024));
  EXPECT_EQ(two.blocks, 3);
  EXPECT_FALSE(two.registers || two.sharedBytes || two.threads);
}

// Every answer is the largest: one more, and the blocks are as before.
TEST(Occupancy, NextStepIsTheLargest) {
  for (const GPUTarget &target : getChips())
    for (int64_t threads = 32; threads <= 1024; threads += 96)
      for (int64_t registers = 24; registers <= 255; registers += 33)
        for (int64_t bytes : {0, 5000, 17000, 40000}) {
          BlockResources block = makeBlock(threads, registers, bytes);
          llvm::Expected<OccupancyStep> next =
              computeNextOccupancyStep(target, block);
          if (!next) {
            llvm::consumeError(next.takeError());
            continue;
          }
          auto count = [&](BlockResources changed) {
            llvm::Expected<Occupancy> occupancy =
                computeOccupancy(target, changed);
            if (occupancy)
              return occupancy->blocks;
            llvm::consumeError(occupancy.takeError());
            return int64_t(0);
          };
          if (next->registers) {
            int64_t most = next->registers->value;
            EXPECT_GE(count(makeBlock(threads, most, bytes)), next->blocks);
            EXPECT_LT(count(makeBlock(threads, most + 1, bytes)), next->blocks);
          }
          if (next->sharedBytes) {
            int64_t most = next->sharedBytes->value;
            EXPECT_GE(count(makeBlock(threads, registers, most)), next->blocks);
            EXPECT_LT(count(makeBlock(threads, registers, most + 1)),
                      next->blocks);
          }
          if (next->threads) {
            int64_t most = next->threads->value;
            EXPECT_GE(count(makeBlock(most, registers, bytes)), next->blocks);
            EXPECT_LT(count(makeBlock(most + 1, registers, bytes)),
                      next->blocks);
          }
        }
}

TEST(Occupancy, Table) {
  std::vector<OccupancyRow> rows =
      computeOccupancyTable(*lookUpChip("sm_80"), makeBlock(0, 80));
  ASSERT_EQ(rows.size(), 32u);
  EXPECT_EQ(rows[0].threads, 32);
  EXPECT_EQ(rows[0].occupancy->warps, 24);
  EXPECT_EQ(rows[7].threads, 256);
  EXPECT_EQ(rows[7].occupancy->getShare(), 0.375);
  // 24 warps of 80 registers are 61440; 25 count as 28.
  EXPECT_EQ(rows[23].occupancy->blocks, 1);
  EXPECT_FALSE(rows[24].occupancy);
  EXPECT_EQ(rows[24].reason,
            "expected at most 65536 registers of a block on sm_80, but got "
            "71680, for 800 threads of 80 registers; use fewer threads, or "
            "fewer registers of each");
  EXPECT_EQ(rows[31].threads, 1024);
}
