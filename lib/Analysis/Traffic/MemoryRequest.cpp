//===- MemoryRequest.cpp - What one request of a warp costs ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/MemoryRequest.h"
#include "Uop/IR/Uop.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace uop;

namespace {

/// A set of chunks in buckets by their number modulo 32, which for words is the
/// bank. Small and often refilled: a bucket is a list through an array.
class ChunkSet {
public:
  void insert(int64_t chunk) {
    unsigned bucket = unsigned(chunk) % kBanks;
    for (int16_t i = first[bucket]; i >= 0; i = entries[i].next)
      if (entries[i].chunk == chunk)
        return;
    entries.push_back({chunk, first[bucket]});
    first[bucket] = int16_t(entries.size() - 1);
    largest = std::max(largest, ++sizes[bucket]);
  }
  int64_t size() const { return entries.size(); }
  /// The chunks in the fullest bucket.
  int64_t getLargestBucket() const { return largest; }

  ChunkSet() { first.fill(-1); }

private:
  struct Entry {
    int64_t chunk;
    int16_t next;
  };
  llvm::SmallVector<Entry, 64> entries;
  std::array<int16_t, kBanks> first;
  std::array<uint8_t, kBanks> sizes = {};
  uint8_t largest = 0;
};

} // namespace

static void insertChunks(ChunkSet &set, int64_t address, int64_t bytes,
                         unsigned chunkBits) {
  int64_t last = (address + bytes - 1) >> chunkBits;
  for (int64_t chunk = address >> chunkBits; chunk <= last; ++chunk)
    set.insert(chunk);
}

int64_t uop::countChunks(llvm::ArrayRef<int64_t> byteAddresses, int64_t bytes,
                         int64_t chunkBytes, LaneMask active) {
  llvm::SmallVector<int64_t, kMaxWarpSize> ofLanes(byteAddresses.size(), bytes);
  return countChunks(byteAddresses, ofLanes, chunkBytes, active);
}

int64_t uop::countChunks(llvm::ArrayRef<int64_t> byteAddresses,
                         llvm::ArrayRef<int64_t> bytes, int64_t chunkBytes,
                         LaneMask active) {
  ChunkSet set;
  unsigned chunkBits = llvm::Log2_64(chunkBytes);
  for (size_t lane = 0; lane < byteAddresses.size(); ++lane)
    if (active >> lane & 1)
      insertChunks(set, byteAddresses[lane], bytes[lane], chunkBits);
  return set.size();
}

int64_t uop::countSectors(llvm::ArrayRef<int64_t> byteAddresses, int64_t bytes,
                          LaneMask active) {
  return countChunks(byteAddresses, bytes, kSectorBytes, active);
}

int64_t uop::countLines(llvm::ArrayRef<int64_t> byteAddresses, int64_t bytes,
                        LaneMask active) {
  return countChunks(byteAddresses, bytes, kLineBytes, active);
}

int64_t uop::countWavefronts(llvm::ArrayRef<int64_t> byteAddresses,
                             int64_t bytes, LaneMask active) {
  size_t together = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  int64_t wavefronts = 0;
  for (size_t begin = 0; begin < byteAddresses.size(); begin += together) {
    size_t end = std::min(begin + together, byteAddresses.size());
    ChunkSet words;
    for (size_t lane = begin; lane < end; ++lane)
      if (active >> lane & 1)
        insertChunks(words, byteAddresses[lane], bytes,
                     llvm::Log2_64(kBankBytes));
    wavefronts += words.getLargestBucket();
  }
  return wavefronts;
}

int64_t uop::getIdealSectors(int64_t activeBytes) {
  return llvm::divideCeil(activeBytes, kSectorBytes);
}

int64_t uop::getIdealWavefronts(int64_t activeBytes) {
  return llvm::divideCeil(activeBytes, kBanks * kBankBytes);
}
