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

static constexpr int64_t KiB = 1024;

/// In the order of compute capabilities.
static constexpr GPUTarget kTargets[] = {
    // chip, product, multiprocessors, threads, blocks, registers, shared memory
    // of a multiprocessor, of a block
    {"sm_75", "Tesla T4", 40, 1024, 16, 65536, 64 * KiB, 64 * KiB},
    {"sm_80", "A100", 108, 2048, 32, 65536, 164 * KiB, 163 * KiB},
    {"sm_86", "A40", 84, 1536, 16, 65536, 100 * KiB, 99 * KiB},
    {"sm_87", "Jetson AGX Orin", 16, 1536, 16, 65536, 164 * KiB, 163 * KiB},
    {"sm_89", "L40S", 142, 1536, 24, 65536, 100 * KiB, 99 * KiB},
    {"sm_90", "H100 SXM", 132, 2048, 32, 65536, 228 * KiB, 227 * KiB},
    {"sm_100", "B200", 148, 2048, 32, 65536, 228 * KiB, 227 * KiB},
    {"sm_120", "GeForce RTX 5090", 170, 1536, 24, 65536, 100 * KiB, 99 * KiB},
};

/// The number in a name such as sm_90a.
static std::optional<unsigned> getCapability(StringRef chip) {
  unsigned number;
  if (!chip.consume_front("sm_") || chip.consumeInteger(10, number) ||
      (!chip.empty() && chip != "a" && chip != "f"))
    return std::nullopt;
  return number;
}

/// Chips that there are, and that have no line of their own.
static constexpr unsigned kOtherChips[] = {88, 101, 103, 110, 121};

const GPUTarget *uop::lookUpGPUTarget(StringRef chip) {
  std::optional<unsigned> capability = getCapability(chip);
  if (!capability)
    return nullptr;
  bool isListed = llvm::any_of(kTargets, [&](const GPUTarget &target) {
    return getCapability(target.chip) == capability;
  });
  if (!isListed && !llvm::is_contained(kOtherChips, *capability))
    return nullptr;
  const GPUTarget *found = nullptr;
  for (const GPUTarget &target : kTargets)
    if (*getCapability(target.chip) <= *capability)
      found = &target;
  return found;
}

int64_t uop::getMaxSharedBytes(StringRef chip) {
  const GPUTarget *target = lookUpGPUTarget(chip);
  return target ? target->maxSharedMemoryPerBlock : kMaxStaticSharedBytes;
}

int64_t uop::getLargestSharedBytes() {
  int64_t bytes = kMaxStaticSharedBytes;
  for (const GPUTarget &target : kTargets)
    bytes = std::max(bytes, target.maxSharedMemoryPerBlock);
  return bytes;
}

bool uop::hasAsyncCopies(StringRef chip) {
  return getCapability(chip).value_or(0) >= 80;
}

std::string uop::listGPUTargets() {
  SmallVector<StringRef> chips;
  for (const GPUTarget &target : kTargets)
    chips.push_back(target.chip);
  SmallVector<std::string> names(chips.begin(), chips.end());
  for (unsigned capability : kOtherChips)
    names.push_back("sm_" + std::to_string(capability));
  llvm::sort(names, [](StringRef a, StringRef b) {
    return *getCapability(a) < *getCapability(b);
  });
  return llvm::join(names, ", ");
}
