//===- Roofline.cpp - What bounds the time of a kernel --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Roofline.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Load balance
//===----------------------------------------------------------------------===//

LoadBalance uop::computeLoadBalance(const GPUTarget &target, int64_t blocks,
                                    int64_t blocksPerMultiprocessor) {
  LoadBalance load;
  load.blocks = blocks;
  load.multiprocessors = target.numMultiprocessors;
  load.slots = load.multiprocessors * blocksPerMultiprocessor;
  load.idleMultiprocessors =
      std::max<int64_t>(load.multiprocessors - blocks, 0);
  load.waves = double(blocks) / double(load.slots);
  load.tailBlocks = blocks % load.slots;
  load.tailShare =
      load.tailBlocks ? double(load.tailBlocks) / double(load.slots) : 1;
  load.slotUse =
      load.waves / double(llvm::divideCeil(uint64_t(blocks), load.slots));
  double most =
      double(llvm::divideCeil(uint64_t(blocks), load.multiprocessors));
  load.multiprocessorUse =
      double(blocks) / (double(load.multiprocessors) * most);
  return load;
}

//===----------------------------------------------------------------------===//
// Little's law
//===----------------------------------------------------------------------===//

double uop::getBytesInFlightNeeded(const GPUTarget &target) {
  return target.dramBytesPerSecond * target.dramLatencySeconds;
}

double uop::getBytesInFlightNeededPerMultiprocessor(const GPUTarget &target) {
  return getBytesInFlightNeeded(target) / double(target.numMultiprocessors);
}

int64_t uop::getLoadsInFlightNeededPerMultiprocessor(const GPUTarget &target,
                                                     int64_t bytesPerLoad) {
  return int64_t(std::ceil(getBytesInFlightNeededPerMultiprocessor(target) /
                           double(bytesPerLoad)));
}

//===----------------------------------------------------------------------===//
// Roofline
//===----------------------------------------------------------------------===//

StringRef uop::stringifyBound(Bound bound) {
  switch (bound) {
  case Bound::Dram:
    return "DRAM bandwidth";
  case Bound::Latency:
    return "DRAM latency";
  case Bound::Fp32:
    return "fp32";
  case Bound::Fp64:
    return "fp64";
  case Bound::Tensor:
    return "tensor cores";
  case Bound::SharedMemory:
    return "shared-memory bandwidth";
  }
  llvm_unreachable("all bounds are named");
}

static double getPeak(const GPUTarget &target, Bound kind) {
  switch (kind) {
  case Bound::Fp64:
    return target.fp64FlopsPerSecond;
  case Bound::Tensor:
    return target.tensorFlopsPerSecond;
  default:
    return target.fp32FlopsPerSecond;
  }
}

double uop::getRidge(const GPUTarget &target, Bound kind) {
  return getPeak(target, kind) / target.dramBytesPerSecond;
}

/// The longest time of one kind of FLOPs with all multiprocessors.
static double getFlopSeconds(const GPUTarget &target, const KernelWork &work) {
  return std::max({work.fp32Flops / getPeak(target, Bound::Fp32),
                   work.fp64Flops / getPeak(target, Bound::Fp64),
                   work.tensorFlops / getPeak(target, Bound::Tensor)});
}

static llvm::Error checkWork(const KernelWork &work) {
  std::pair<StringLiteral, double> amounts[] = {
      {"fp32Flops", work.fp32Flops},
      {"fp64Flops", work.fp64Flops},
      {"tensorFlops", work.tensorFlops},
      {"dramBytesRead", work.dramBytesRead},
      {"dramBytesWritten", work.dramBytesWritten},
      {"sharedWavefronts", work.sharedWavefronts},
      {"bytesInFlightPerThread", work.bytesInFlightPerThread}};
  for (auto [name, amount] : amounts)
    if (!std::isfinite(amount) || amount < 0)
      return llvm::createStringError(
          llvm::formatv("expected a number of at least 0 as {0}, but got {1}",
                        name, amount)
              .str());
  std::pair<StringLiteral, int64_t> counts[] = {
      {"blocks", work.blocks},
      {"threadsPerBlock", work.threadsPerBlock},
      {"blocksPerMultiprocessor", work.blocksPerMultiprocessor}};
  for (auto [name, count] : counts)
    if (count < 1)
      return llvm::createStringError("expected at least 1 as " + name +
                                     ", but got " + Twine(count));
  if (work.getFlops() + work.getDramBytes() + work.sharedWavefronts == 0)
    return llvm::createStringError(
        "expected FLOPs, bytes or wavefronts, but got a launch without work");
  return llvm::Error::success();
}

/// The model of the paper.
static void computeRoof(const GPUTarget &target, const KernelWork &work,
                        Roofline &roofline) {
  double flops = work.getFlops(), bytes = work.getDramBytes();
  double bandwidth = target.dramBytesPerSecond;
  roofline.intensity =
      bytes > 0 ? flops / bytes : std::numeric_limits<double>::infinity();
  roofline.peakFlopsPerSecond = flops > 0 ? flops / getFlopSeconds(target, work)
                                          : getPeak(target, Bound::Fp32);
  roofline.ridge = roofline.peakFlopsPerSecond / bandwidth;
  if (flops > 0)
    roofline.roofFlopsPerSecond =
        std::min(roofline.peakFlopsPerSecond, roofline.intensity * bandwidth);
}

static void computeBytesInFlight(const GPUTarget &target,
                                 const KernelWork &work, Roofline &roofline) {
  double resident = double(std::min(work.blocks, roofline.load.slots)) *
                    double(work.threadsPerBlock);
  roofline.bytesInFlightNeeded = getBytesInFlightNeeded(target);
  roofline.bytesInFlightAvailable = resident * work.bytesInFlightPerThread;
}

static double computeSeconds(const GPUTarget &target, const KernelWork &work,
                             const Roofline &roofline, Bound bound) {
  double use = roofline.load.multiprocessorUse;
  switch (bound) {
  case Bound::Dram:
    return work.getDramBytes() / target.dramBytesPerSecond;
  case Bound::Latency:
    return roofline.bytesInFlightAvailable > 0
               ? work.dramBytesRead * target.dramLatencySeconds /
                     roofline.bytesInFlightAvailable
               : 0;
  case Bound::Fp32:
    return work.fp32Flops / (getPeak(target, bound) * use);
  case Bound::Fp64:
    return work.fp64Flops / (getPeak(target, bound) * use);
  case Bound::Tensor:
    return work.tensorFlops / (getPeak(target, bound) * use);
  case Bound::SharedMemory:
    return work.sharedWavefronts /
           (double(target.numMultiprocessors) * target.clockHertz * use);
  }
  llvm_unreachable("all bounds are counted");
}

llvm::Expected<Roofline> uop::computeRoofline(const GPUTarget &target,
                                              const KernelWork &work) {
  if (llvm::Error error = checkWork(work))
    return error;
  if (work.blocksPerMultiprocessor > target.maxBlocksPerMultiprocessor)
    return llvm::createStringError(
        "expected at most " + Twine(target.maxBlocksPerMultiprocessor) +
        " blocks on a multiprocessor of " + target.chip + ", but got " +
        Twine(work.blocksPerMultiprocessor));
  Roofline roofline;
  roofline.load =
      computeLoadBalance(target, work.blocks, work.blocksPerMultiprocessor);
  computeRoof(target, work, roofline);
  computeBytesInFlight(target, work, roofline);
  for (Bound bound : kBounds)
    roofline.seconds[size_t(bound)] =
        computeSeconds(target, work, roofline, bound);
  roofline.bound = *llvm::max_element(kBounds, [&](Bound a, Bound b) {
    return roofline.getSeconds(a) < roofline.getSeconds(b);
  });
  roofline.attainableFlopsPerSecond = work.getFlops() / roofline.getSeconds();
  return roofline;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

double uop::getTiledGemmLoadsPerBlock(const GemmSize &size, int64_t tileM,
                                      int64_t tileN) {
  return (double(tileM) + double(tileN)) * double(size.k);
}

double uop::getTiledGemmLoads(const GemmSize &size, int64_t tileM,
                              int64_t tileN) {
  double timesA = double(llvm::divideCeil(size.n, tileN));
  double timesB = double(llvm::divideCeil(size.m, tileM));
  return double(size.k) * (double(size.m) * timesA + double(size.n) * timesB);
}

double uop::getTiledGemmReadBytes(const GemmSize &size, int64_t tileM,
                                  int64_t tileN) {
  return double(size.bytesPerElement) * getTiledGemmLoads(size, tileM, tileN);
}

double uop::getCompulsoryGemmReadBytes(const GemmSize &size) {
  return double(size.bytesPerElement) * double(size.k) *
         (double(size.m) + double(size.n));
}

double uop::getCompulsoryGemmWriteBytes(const GemmSize &size) {
  return double(size.bytesPerElement) * double(size.m) * double(size.n);
}

double uop::getTiledGemmIntensity(int64_t tileM, int64_t tileN,
                                  int64_t bytesPerElement) {
  double m = double(tileM), n = double(tileN);
  return 2 * m * n / (double(bytesPerElement) * (m + n));
}

double uop::getSharedLoadsPerFma(int64_t tileM, int64_t tileN) {
  double m = double(tileM), n = double(tileN);
  return (m + n) / (m * n);
}

double uop::getSharedBytesPerCycleNeeded(const GPUTarget &target,
                                         double loadsPerFma,
                                         int64_t bytesPerElement) {
  return loadsPerFma * double(bytesPerElement) * double(target.fmasPerCycle);
}
