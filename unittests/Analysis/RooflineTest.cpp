//===- RooflineTest.cpp - What bounds the time of a kernel ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Roofline.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace uop;

static const GPUTarget &a100() { return *lookUpChip("sm_80"); }

static Roofline compute(const KernelWork &work) {
  llvm::Expected<Roofline> roofline = computeRoofline(a100(), work);
  if (roofline)
    return *roofline;
  ADD_FAILURE() << llvm::toString(roofline.takeError());
  return {};
}

/// A launch that fills the chip and has something to do.
static KernelWork makeWork() {
  KernelWork work;
  work.blocks = 108 * 8;
  work.threadsPerBlock = 256;
  work.blocksPerMultiprocessor = 8;
  work.fp32Flops = 1e9;
  return work;
}

//===----------------------------------------------------------------------===//
// The A100, and matrix products on it
//===----------------------------------------------------------------------===//

TEST(Roofline, Ridge) {
  EXPECT_EQ(std::round(getRidge(a100(), Bound::Fp32) * 10) / 10, 12.5);
  EXPECT_EQ(std::round(getRidge(a100(), Bound::Tensor) * 10) / 10, 200.6);
}

// 1555 GB/s for 600 ns.
TEST(Roofline, BytesInFlight) {
  EXPECT_DOUBLE_EQ(getBytesInFlightNeeded(a100()), 933000);
  EXPECT_EQ(std::round(getBytesInFlightNeededPerMultiprocessor(a100())), 8639);
  EXPECT_EQ(getLoadsInFlightNeededPerMultiprocessor(a100(), 4), 2160);
}

// In decimal GB, and FLOPs per byte.
TEST(Roofline, ReadsOfTiledGemm) {
  GemmSize size = {4096, 4096, 4096};
  struct Case {
    int64_t tile;
    double tenthsOfGB, intensity;
  } cases[] = {
      {1, 5498, 0.25}, {16, 344, 4}, {32, 172, 8}, {64, 86, 16}, {128, 43, 32}};
  for (auto [tile, tenths, intensity] : cases) {
    double bytes = getTiledGemmReadBytes(size, tile, tile);
    EXPECT_EQ(std::round(bytes / 1e8), tenths) << tile;
    EXPECT_EQ(size.getFlops() / bytes, intensity) << tile;
    EXPECT_EQ(getTiledGemmIntensity(tile, tile), intensity) << tile;
  }
  double read = getCompulsoryGemmReadBytes(size);
  EXPECT_EQ(read, 134217728);
  EXPECT_EQ(size.getFlops() / read, 1024);
  double all = read + getCompulsoryGemmWriteBytes(size);
  EXPECT_EQ(all, 201326592);
  EXPECT_EQ(std::round(size.getFlops() / all), 683);
}

// Rectangular tiles, f16, and tiles that do not divide: 3 blocks of columns.
TEST(Roofline, OtherTiles) {
  EXPECT_EQ(getTiledGemmIntensity(128, 64), 128.0 * 64 / (2 * (128 + 64)));
  EXPECT_EQ(getTiledGemmIntensity(16, 16, 2), 8);
  GemmSize size = {64, 96, 10};
  EXPECT_EQ(getTiledGemmLoads(size, 64, 40), 10 * (64 * 3 + 96 * 1));
}

TEST(Roofline, LoadsOfTiledGemm) {
  GemmSize size = {1024, 1024, 1024};
  double naive = getTiledGemmLoads(size, 1, 1), fmas = size.getFlops() / 2;
  EXPECT_EQ(getTiledGemmLoadsPerBlock(size, 16, 16), 32768);
  EXPECT_EQ(getTiledGemmLoads(size, 16, 16), 134217728);
  EXPECT_EQ(getTiledGemmLoads(size, 16, 16) * 16, naive);
  EXPECT_EQ(getTiledGemmLoadsPerBlock(size, 32, 32), 65536);
  EXPECT_EQ(getTiledGemmLoads(size, 32, 32), 67108864);
  EXPECT_EQ(getTiledGemmLoads(size, 32, 32) * 32, naive);
  EXPECT_EQ(fmas / getTiledGemmLoads(size, 16, 16), 8);
  EXPECT_EQ(fmas / naive, 0.5);
}

// Against the 128 bytes that there are.
TEST(Roofline, SharedBytesPerCycle) {
  struct Case {
    int64_t m, n;
    double loads, bytes;
  } cases[] = {{1, 1, 2, 512},
               {2, 2, 1, 256},
               {4, 4, 0.5, 128},
               {8, 8, 0.25, 64},
               {4, 1, 1.25, 320}};
  for (auto [m, n, loads, bytes] : cases) {
    EXPECT_EQ(getSharedLoadsPerFma(m, n), loads);
    EXPECT_EQ(getSharedBytesPerCycleNeeded(a100(), loads), bytes);
  }
  EXPECT_EQ(a100().sharedBytesPerCycle, 128);
}

//===----------------------------------------------------------------------===//
// Load balance
//===----------------------------------------------------------------------===//

TEST(Roofline, FewBlocks) {
  LoadBalance load = computeLoadBalance(a100(), 4, 8);
  EXPECT_EQ(load.idleMultiprocessors, 104);
  EXPECT_EQ(load.slots, 864);
  EXPECT_DOUBLE_EQ(load.multiprocessorUse, 4.0 / 108);
  EXPECT_EQ(load.tailBlocks, 4);
}

// 2.25 waves of 864: three are taken, of which the last is used by a quarter.
TEST(Roofline, Tail) {
  LoadBalance load = computeLoadBalance(a100(), 1944, 8);
  EXPECT_EQ(load.waves, 2.25);
  EXPECT_EQ(load.tailBlocks, 216);
  EXPECT_EQ(load.tailShare, 0.25);
  EXPECT_EQ(load.slotUse, 0.75);
  EXPECT_EQ(load.idleMultiprocessors, 0);
  // 18 blocks each: the multiprocessors are done at once.
  EXPECT_EQ(load.multiprocessorUse, 1);
}

TEST(Roofline, FullWaves) {
  LoadBalance load = computeLoadBalance(a100(), 1728, 8);
  EXPECT_EQ(load.waves, 2);
  EXPECT_EQ(load.tailBlocks, 0);
  EXPECT_EQ(load.tailShare, 1);
  EXPECT_EQ(load.slotUse, 1);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

// 8 FLOPs a byte are left of the ridge.
TEST(Roofline, DramBounds) {
  KernelWork work = makeWork();
  work.fp32Flops = 8e9;
  work.dramBytesRead = 0.75e9;
  work.dramBytesWritten = 0.25e9;
  Roofline roofline = compute(work);
  EXPECT_EQ(roofline.bound, Bound::Dram);
  EXPECT_EQ(roofline.intensity, 8);
  EXPECT_DOUBLE_EQ(roofline.ridge, 19.5e12 / 1555e9);
  EXPECT_DOUBLE_EQ(roofline.roofFlopsPerSecond, 8 * 1555e9);
  EXPECT_DOUBLE_EQ(roofline.attainableFlopsPerSecond, 8 * 1555e9);
  EXPECT_DOUBLE_EQ(roofline.getSeconds(), 1e9 / 1555e9);
}

TEST(Roofline, ArithmeticBounds) {
  KernelWork work = makeWork();
  work.fp32Flops = 19.5e9;
  work.dramBytesRead = 1e9;
  Roofline roofline = compute(work);
  EXPECT_EQ(roofline.bound, Bound::Fp32);
  EXPECT_DOUBLE_EQ(roofline.getSeconds(), 1e-3);
  EXPECT_DOUBLE_EQ(roofline.attainableFlopsPerSecond, 19.5e12);
  EXPECT_DOUBLE_EQ(roofline.roofFlopsPerSecond, 19.5e12);

  work.fp32Flops = 0;
  work.tensorFlops = 312e9 * 2;
  EXPECT_EQ(compute(work).bound, Bound::Tensor);
  EXPECT_DOUBLE_EQ(compute(work).getSeconds(), 2e-3);
  EXPECT_DOUBLE_EQ(compute(work).ridge, 312e12 / 1555e9);

  // Of two kinds at once, the one that takes longer.
  work.fp64Flops = 9.7e9 * 3;
  EXPECT_EQ(compute(work).bound, Bound::Fp64);
  EXPECT_DOUBLE_EQ(compute(work).getSeconds(), 3e-3);
  EXPECT_DOUBLE_EQ(compute(work).peakFlopsPerSecond,
                   (312e9 * 2 + 9.7e9 * 3) / 3e-3);
}

// With 4 of 108 multiprocessors the arithmetic takes 27 times as long; the roof
// of the paper does not change.
TEST(Roofline, IdleMultiprocessorsTakeLonger) {
  KernelWork work = makeWork();
  work.fp32Flops = 19.5e9;
  work.blocks = 4;
  Roofline roofline = compute(work);
  EXPECT_EQ(roofline.bound, Bound::Fp32);
  EXPECT_DOUBLE_EQ(roofline.getSeconds(), 27e-3);
  EXPECT_DOUBLE_EQ(roofline.roofFlopsPerSecond, 19.5e12);
  EXPECT_TRUE(std::isinf(roofline.intensity));
}

// A wavefront a cycle and multiprocessor.
TEST(Roofline, SharedMemoryBounds) {
  KernelWork work = makeWork();
  work.sharedWavefronts = 108 * 1.41e6;
  Roofline roofline = compute(work);
  EXPECT_EQ(roofline.bound, Bound::SharedMemory);
  EXPECT_DOUBLE_EQ(roofline.getSeconds(), 1e-3);
}

// 24 warps a multiprocessor with one load of 4 bytes each: 331,776 bytes of the
// 933,000 that are needed.
TEST(Roofline, LatencyBounds) {
  KernelWork work = makeWork();
  work.blocks = 108 * 30;
  work.blocksPerMultiprocessor = 3;
  work.dramBytesRead = 1e9;
  work.bytesInFlightPerThread = 4;
  Roofline roofline = compute(work);
  EXPECT_EQ(roofline.bytesInFlightAvailable, 331776);
  EXPECT_DOUBLE_EQ(roofline.bytesInFlightNeeded, 933000);
  EXPECT_EQ(roofline.bound, Bound::Latency);
  EXPECT_DOUBLE_EQ(roofline.getSeconds(), 1e9 * 600e-9 / 331776);
  // Three independent loads are enough.
  work.bytesInFlightPerThread = 12;
  EXPECT_EQ(compute(work).bound, Bound::Dram);
  // And a launch of few blocks has few threads.
  work.blocks = 2;
  EXPECT_EQ(compute(work).bytesInFlightAvailable, 2 * 256 * 12);
  // Unknown is no bound.
  work.blocks = 108 * 30;
  work.bytesInFlightPerThread = 0;
  EXPECT_EQ(compute(work).bound, Bound::Dram);
  EXPECT_EQ(compute(work).getSeconds(Bound::Latency), 0);
}

TEST(Roofline, NoFlops) {
  KernelWork work = makeWork();
  work.fp32Flops = 0;
  work.dramBytesWritten = 1555e6;
  Roofline roofline = compute(work);
  EXPECT_EQ(roofline.intensity, 0);
  EXPECT_EQ(roofline.roofFlopsPerSecond, 0);
  EXPECT_EQ(roofline.attainableFlopsPerSecond, 0);
  EXPECT_DOUBLE_EQ(roofline.getSeconds(), 1e-3);
}

TEST(Roofline, WorkThatMakesNoSense) {
  auto getError = [](const KernelWork &work) {
    llvm::Expected<Roofline> roofline = computeRoofline(a100(), work);
    return roofline ? "no error" : llvm::toString(roofline.takeError());
  };
  KernelWork work = makeWork();
  work.fp32Flops = 0;
  EXPECT_EQ(getError(work), "expected FLOPs, bytes or wavefronts, but got a "
                            "launch without work");
  work.dramBytesRead = -1;
  EXPECT_EQ(getError(work),
            "expected a number of at least 0 as dramBytesRead, but got -1.00");
  work = makeWork();
  work.tensorFlops = std::nan("");
  EXPECT_EQ(getError(work),
            "expected a number of at least 0 as tensorFlops, but got nan");
  work = makeWork();
  work.threadsPerBlock = 0;
  EXPECT_EQ(getError(work),
            "expected at least 1 as threadsPerBlock, but got 0");
  work = makeWork();
  work.blocksPerMultiprocessor = 33;
  EXPECT_EQ(getError(work), "expected at most 32 blocks on a multiprocessor of "
                            "sm_80, but got 33");
}
