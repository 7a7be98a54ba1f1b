//===- GPUTarget.cpp - What a chip has, and its limits --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/GPUTarget.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

/// What a compute capability determines.
struct Capability {
  unsigned number;
  int64_t threads, blocks, registers, sharedBytes, sharedBytesPerBlock;
  /// In KiB.
  ArrayRef<int64_t> sharedConfigurations;
};

/// What only the product does.
struct Product {
  unsigned capability;
  StringLiteral name;
  int64_t multiprocessors, fmasPerCycle;
  double clockMHz, dramGBPerSecond;
  int64_t l2KiB;
  double fp32Tera, fp64Tera, tensorTera;
};

} // namespace

static constexpr int64_t KiB = 1024;

static constexpr int64_t kUpTo64[] = {32, 64};
static constexpr int64_t kUpTo96[] = {0, 8, 16, 32, 64, 96};
static constexpr int64_t kUpTo100[] = {0, 8, 16, 32, 64, 100};
static constexpr int64_t kUpTo164[] = {0, 8, 16, 32, 64, 100, 132, 164};
static constexpr int64_t kUpTo228[] = {0,   8,   16,  32,  64,
                                       100, 132, 164, 196, 228};

/// In the order of compute capabilities. CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability" and the sections of each one; what
/// they leave open is as in the occupancy calculator of the CUDA toolkit, with
/// which a test compares.
static constexpr Capability kCapabilities[] = {
    // number, threads, blocks, registers, shared memory of a multiprocessor, of
    // a block
    {70, 2048, 32, 65536, 96 * KiB, 96 * KiB, kUpTo96},
    {72, 2048, 32, 65536, 96 * KiB, 96 * KiB, kUpTo96},
    {75, 1024, 16, 65536, 64 * KiB, 64 * KiB, kUpTo64},
    {80, 2048, 32, 65536, 164 * KiB, 163 * KiB, kUpTo164},
    {86, 1536, 16, 65536, 100 * KiB, 99 * KiB, kUpTo100},
    {87, 1536, 16, 65536, 164 * KiB, 163 * KiB, kUpTo164},
    {89, 1536, 24, 65536, 100 * KiB, 99 * KiB, kUpTo100},
    {90, 2048, 32, 65536, 228 * KiB, 227 * KiB, kUpTo228},
    {100, 2048, 32, 65536, 228 * KiB, 227 * KiB, kUpTo228},
    {103, 2048, 32, 65536, 228 * KiB, 227 * KiB, kUpTo228},
    {110, 1536, 24, 65536, 228 * KiB, 227 * KiB, kUpTo228},
    {120, 1536, 24, 65536, 100 * KiB, 99 * KiB, kUpTo100},
};

/// The units of shared memory, and what the system has of it, changed with 8.0.
static constexpr unsigned kFirstWithReservedShared = 80;

/// One product for each capability, in the same order. The documents of NVIDIA
/// to check each line against; tests settle only that of the A100:
///   V100        V100 data sheet; GV100 whitepaper
///   Xavier      Jetson AGX Xavier series data sheet
///   T4          Turing whitepaper, appendix on the T4
///   A100        A100 data sheet (SXM, 40 GB); GA100 whitepaper
///   A40         A40 data sheet; GA102 whitepaper
///   Orin        Jetson AGX Orin series technical brief (64 GB)
///   L40S        L40S data sheet; AD102 whitepaper
///   H100        H100 data sheet (SXM); GH100 whitepaper
///   B200, B300  HGX platform data sheets, an eighth of the platform; tuning
///               guide for Blackwell (L2, taken to be the same in both)
///   Thor        Jetson T5000 data sheet
///   RTX 5090    GeForce Blackwell whitepaper
/// Where these do not state a figure it follows from others: the clock of B200
/// and B300 from their fp32 peak, a dense tensor peak from the sparse one
/// (half) or from that of narrower types (half for each doubling of the width),
/// the fp64 peak of Xavier from half, and of Orin and Thor from a 64th of fp32,
/// as on the other chips of their generation. Other sources differ for the L2
/// of L40S (48 MB) and B200 (65.5 MB), and the bandwidth of B300 (7700 GB/s).
static constexpr Product kProducts[] = {
    // capability, name, multiprocessors, FMAs a cycle, MHz, GB/s of DRAM,
    // KiB of L2, TFLOP/s of fp32, of fp64, of tensor cores
    {70, "V100", 80, 64, 1530, 900, 6144, 15.7, 7.8, 125},
    {72, "Jetson AGX Xavier", 8, 64, 1377, 136.5, 512, 1.41, 0.705, 11},
    {75, "Tesla T4", 40, 64, 1590, 320, 4096, 8.1, 0.254, 65},
    {80, "A100", 108, 64, 1410, 1555, 40960, 19.5, 9.7, 312},
    {86, "A40", 84, 128, 1740, 696, 6144, 37.4, 0.585, 149.7},
    {87, "Jetson AGX Orin", 16, 128, 1300, 204.8, 4096, 5.3, 0.083, 42.5},
    {89, "L40S", 142, 128, 2520, 864, 98304, 91.6, 1.43, 362},
    {90, "H100 SXM", 132, 128, 1980, 3350, 51200, 67, 34, 989.5},
    {100, "B200", 148, 128, 1980, 7700, 129024, 75, 37, 2250},
    {103, "B300", 148, 128, 1980, 8000, 129024, 75, 1.25, 2250},
    {110, "Jetson AGX Thor", 20, 128, 1575, 273, 32768, 8.06, 0.126, 258.75},
    {120, "GeForce RTX 5090", 170, 128, 2407, 1792, 98304, 104.8, 1.64, 209.5},
};

static_assert(std::size(kCapabilities) == std::size(kProducts));

/// Chips that there are and that have no line of their own, and whose figures
/// they have: sm_101 is the earlier name of sm_110.
static constexpr std::pair<unsigned, unsigned> kOtherChips[] = {
    {88, 87}, {101, 110}, {121, 120}};

/// The assembler of CUDA 13 takes no chip before.
static constexpr unsigned kFirstCompiledFor = 75;

static GPUTarget makeTarget(const Capability &capability,
                            const Product &product) {
  assert(capability.number == product.capability && "tables in one order");
  GPUTarget target = {"sm_" + std::to_string(capability.number),
                      product.name.str(),
                      product.multiprocessors,
                      capability.threads,
                      capability.blocks,
                      capability.registers,
                      capability.sharedBytes,
                      capability.sharedBytesPerBlock};
  if (capability.number < kFirstWithReservedShared) {
    target.sharedMemoryAllocationUnit = 256;
    target.reservedSharedMemoryPerBlock = 0;
  }
  for (int64_t size : capability.sharedConfigurations)
    target.sharedMemoryConfigurations.push_back(size * KiB);
  target.clockHertz = product.clockMHz * 1e6;
  target.dramBytesPerSecond = product.dramGBPerSecond * 1e9;
  target.l2Bytes = product.l2KiB * KiB;
  target.fp32FlopsPerSecond = product.fp32Tera * 1e12;
  target.fp64FlopsPerSecond = product.fp64Tera * 1e12;
  target.tensorFlopsPerSecond = product.tensorTera * 1e12;
  target.fmasPerCycle = product.fmasPerCycle;
  return target;
}

ArrayRef<GPUTarget> uop::getChips() {
  static const std::vector<GPUTarget> chips = [] {
    std::vector<GPUTarget> made;
    for (auto [capability, product] : llvm::zip(kCapabilities, kProducts))
      made.push_back(makeTarget(capability, product));
    return made;
  }();
  return chips;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The number in a name such as sm_90a.
static std::optional<unsigned> getCapability(StringRef chip) {
  unsigned number;
  if (!chip.consume_front("sm_") || chip.consumeInteger(10, number) ||
      (!chip.empty() && chip != "a" && chip != "f"))
    return std::nullopt;
  return number;
}

const GPUTarget *uop::lookUpChip(StringRef chip) {
  std::optional<unsigned> number = getCapability(chip);
  if (!number)
    return nullptr;
  for (auto [other, like] : kOtherChips)
    if (other == *number)
      number = like;
  for (auto [capability, target] : llvm::zip(kCapabilities, getChips()))
    if (capability.number == *number)
      return &target;
  return nullptr;
}

const GPUTarget *uop::lookUpGPUTarget(StringRef chip) {
  return getCapability(chip).value_or(0) < kFirstCompiledFor ? nullptr
                                                             : lookUpChip(chip);
}

static std::string listFrom(unsigned first) {
  SmallVector<unsigned> numbers;
  for (const Capability &capability : kCapabilities)
    numbers.push_back(capability.number);
  for (auto [other, like] : kOtherChips)
    numbers.push_back(other);
  llvm::sort(numbers);
  std::string names;
  llvm::ListSeparator separator;
  for (unsigned number : numbers)
    if (number >= first)
      names += StringRef(separator).str() + "sm_" + std::to_string(number);
  return names;
}

std::string uop::listGPUTargets() { return listFrom(kFirstCompiledFor); }

std::string uop::listChips() { return listFrom(0); }

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

int64_t uop::getMaxSharedBytes(StringRef chip) {
  const GPUTarget *target = lookUpGPUTarget(chip);
  return target ? target->maxSharedMemoryPerBlock : kMaxStaticSharedBytes;
}

int64_t uop::getLargestSharedBytes() {
  int64_t bytes = kMaxStaticSharedBytes;
  for (const GPUTarget &target : getChips())
    bytes = std::max(bytes, target.maxSharedMemoryPerBlock);
  return bytes;
}

bool uop::hasAsyncCopies(StringRef chip) {
  return getCapability(chip).value_or(0) >= 80;
}
