//===- Roofline.h - What bounds the time of a kernel ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the work of a launch and the rates of a chip, as numbers: the least time
// that each resource takes, and which takes longest. Sources: Williams,
// Waterman and Patterson, "Roofline: An Insightful Visual Performance Model for
// Multicore Architectures" (CACM 2009), for intensity, ridge and roof; Little's
// law, as Volkov applies it in "Better Performance at Lower Occupancy" (GTC
// 2010), for bytes in flight. Times are lower bounds: each resource is taken to
// be busy all the time, and all of them at once.
//
// Units: bytes, seconds, FLOPs (an FMA is two), per second where a name says
// so. Counts are doubles, exact below 2^53, so that no product of sizes
// overflows.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_ROOFLINE_H
#define UOP_ANALYSIS_ROOFLINE_H

#include "Uop/Analysis/GPUTarget.h"
#include <array>

namespace uop {

//===----------------------------------------------------------------------===//
// Load balance
//===----------------------------------------------------------------------===//

/// How the blocks of a launch lie on the multiprocessors.
struct LoadBalance {
  int64_t blocks = 0;
  int64_t multiprocessors = 0;
  /// Blocks that the chip holds at once: multiprocessors times the blocks of
  /// each.
  int64_t slots = 0;
  /// Multiprocessors that never have a block.
  int64_t idleMultiprocessors = 0;
  /// blocks / slots: 2.5 is two full waves and a tail.
  double waves = 0;
  /// Blocks of the last wave where it is not full, else 0.
  int64_t tailBlocks = 0;
  /// The share of the slots that the tail has, tailBlocks / slots; 1 without a
  /// tail.
  double tailShare = 0;
  /// waves / ceil(waves): the share of the slots in use, over all waves, where
  /// all blocks take equally long.
  double slotUse = 0;
  /// blocks / (multiprocessors * ceil(blocks / multiprocessors)): the share of
  /// the multiprocessors' work that is done while the one with the most blocks
  /// works; the blocks of one share what it has.
  double multiprocessorUse = 0;
};

/// Both numbers are at least 1. `blocksPerMultiprocessor` is the occupancy
/// (Occupancy.h).
LoadBalance computeLoadBalance(const GPUTarget &target, int64_t blocks,
                               int64_t blocksPerMultiprocessor);

//===----------------------------------------------------------------------===//
// Little's law
//===----------------------------------------------------------------------===//

/// The bytes that must be under way at once for DRAM to be busy: bandwidth
/// times latency. Of the whole chip, and of a multiprocessor.
double getBytesInFlightNeeded(const GPUTarget &target);
double getBytesInFlightNeededPerMultiprocessor(const GPUTarget &target);

/// The same in loads of so many bytes each, rounded up.
int64_t getLoadsInFlightNeededPerMultiprocessor(const GPUTarget &target,
                                                int64_t bytesPerLoad);

//===----------------------------------------------------------------------===//
// Roofline
//===----------------------------------------------------------------------===//

/// The work of a launch.
struct KernelWork {
  double fp32Flops = 0;
  double fp64Flops = 0;
  /// Of tensor cores, with f16 operands and f32 accumulators.
  double tensorFlops = 0;
  /// Bytes between DRAM and the L2 cache.
  double dramBytesRead = 0;
  double dramBytesWritten = 0;
  /// Passes through shared memory (MemoryRequest.h), of the whole launch; each
  /// takes a cycle of its multiprocessor, conflicts included. Of bytes without
  /// conflicts: bytes / sharedBytesPerCycle.
  double sharedWavefronts = 0;

  int64_t blocks = 0;
  int64_t threadsPerBlock = 0;
  /// Blocks that a multiprocessor holds at once (Occupancy.h).
  int64_t blocksPerMultiprocessor = 0;
  /// Bytes that a thread has under way from DRAM before it waits for the first:
  /// those of its loads that do not depend on each other. 0 where that is not
  /// known: then latency is no bound.
  double bytesInFlightPerThread = 0;

  double getFlops() const { return fp32Flops + fp64Flops + tensorFlops; }
  double getDramBytes() const { return dramBytesRead + dramBytesWritten; }
};

/// What can bound a kernel.
enum class Bound { Dram, Latency, Fp32, Fp64, Tensor, SharedMemory };

/// In the order of messages.
inline constexpr std::array<Bound, 6> kBounds = {
    Bound::Dram, Bound::Latency, Bound::Fp32,
    Bound::Fp64, Bound::Tensor,  Bound::SharedMemory};

/// "DRAM bandwidth", "DRAM latency", "fp32", "fp64", "tensor cores",
/// "shared-memory bandwidth".
llvm::StringRef stringifyBound(Bound bound);

struct Roofline {
  //===--- The model of the paper: all multiprocessors, full bandwidth
  //------===//

  /// FLOPs per byte of DRAM; infinite without bytes.
  double intensity = 0;
  /// FLOP/s of the kernel's mixture of FLOPs where nothing else bounds it: all
  /// FLOPs / the longest of (FLOPs of a kind / peak of the kind). Without FLOPs
  /// the fp32 peak.
  double peakFlopsPerSecond = 0;
  /// peak / bandwidth: with a lower intensity a kernel is bound by DRAM.
  double ridge = 0;
  /// min(peak, intensity * bandwidth); 0 without FLOPs.
  double roofFlopsPerSecond = 0;

  //===--- With what the launch makes of it
  //---------------------------------===//

  /// The least time each bound takes, in seconds, 0 where it has no work:
  ///   DRAM bandwidth   bytes / bandwidth
  ///   DRAM latency     bytes read * latency / bytes in flight available
  ///   fp32, fp64, tensor cores   FLOPs / (peak * multiprocessorUse)
  ///   shared memory    wavefronts / (multiprocessors * clock *
  ///                    multiprocessorUse)
  std::array<double, kBounds.size()> seconds = {};
  /// The bound that takes longest.
  Bound bound = Bound::Dram;
  LoadBalance load;
  /// Little's law: needed is bandwidth * latency; available is what the threads
  /// that are resident at once have under way.
  double bytesInFlightNeeded = 0;
  double bytesInFlightAvailable = 0;

  double getSeconds(Bound of) const { return seconds[size_t(of)]; }
  /// The time of the kernel, at the least.
  double getSeconds() const { return getSeconds(bound); }
  /// FLOP/s in that time.
  double attainableFlopsPerSecond = 0;
};

/// An error where the work is none, or a number makes no sense.
llvm::Expected<Roofline> computeRoofline(const GPUTarget &target,
                                         const KernelWork &work);

/// Peak FLOP/s / DRAM bandwidth, of one kind of FLOPs: Bound::Fp32, Fp64 or
/// Tensor.
double getRidge(const GPUTarget &target, Bound kind);

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// C(m x n) = A(m x k) * B(k x n).
struct GemmSize {
  int64_t m = 0, n = 0, k = 0;
  int64_t bytesPerElement = 4;

  /// 2 * m * n * k.
  double getFlops() const { return 2.0 * double(m) * double(n) * double(k); }
};

/// The elements that a block of a product in tiles loads, each once:
/// (tileM + tileN) * k.
double getTiledGemmLoadsPerBlock(const GemmSize &size, int64_t tileM,
                                 int64_t tileN);

/// Of all blocks: m * k * ceil(n / tileN) + k * n * ceil(m / tileM). Tiles of
/// 1 x 1 are the product without tiles: 2 * m * n * k.
double getTiledGemmLoads(const GemmSize &size, int64_t tileM, int64_t tileN);

/// The bytes of these loads: what DRAM reads where the L2 cache keeps nothing
/// from one block to the next.
double getTiledGemmReadBytes(const GemmSize &size, int64_t tileM,
                             int64_t tileN);

/// What DRAM must read whatever is done: A and B once. And write: C.
double getCompulsoryGemmReadBytes(const GemmSize &size);
double getCompulsoryGemmWriteBytes(const GemmSize &size);

/// FLOPs per byte read of a product in tiles that divide it:
/// 2 * tileM * tileN / (bytesPerElement * (tileM + tileN)), for f32
/// tileM * tileN / (2 * (tileM + tileN)).
double getTiledGemmIntensity(int64_t tileM, int64_t tileN,
                             int64_t bytesPerElement = 4);

/// Elements that a thread loads from shared memory for each FMA, with a tile of
/// outputs in its registers: (tileM + tileN) / (tileM * tileN).
double getSharedLoadsPerFma(int64_t tileM, int64_t tileN);

/// The bytes of shared memory a cycle that a multiprocessor needs at its full
/// rate of f32 FMAs; it has sharedBytesPerCycle. Every thread's load counts, as
/// without broadcasts.
double getSharedBytesPerCycleNeeded(const GPUTarget &target, double loadsPerFma,
                                    int64_t bytesPerElement = 4);

} // namespace uop

#endif // UOP_ANALYSIS_ROOFLINE_H
