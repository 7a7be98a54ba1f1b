//===- MemoryRequestTest.cpp - What one request of a warp costs -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/MemoryRequest.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace uop;

static std::vector<int64_t> lanes(std::function<int64_t(int64_t)> address) {
  std::vector<int64_t> list;
  for (int64_t lane = 0; lane < 32; ++lane)
    list.push_back(address(lane));
  return list;
}

// Worked by hand: consecutive, shifted, one address, strided, structs.
TEST(MemoryRequest, Sectors) {
  auto count = [](std::function<int64_t(int64_t)> address, int64_t bytes = 4) {
    return std::pair(countSectors(lanes(address), bytes),
                     countLines(lanes(address), bytes));
  };
  using Pair = std::pair<int64_t, int64_t>;
  EXPECT_EQ(count([](int64_t l) { return 4 * l; }), Pair(4, 1));
  EXPECT_EQ(count([](int64_t l) { return 4 * l + 4; }), Pair(5, 2));
  EXPECT_EQ(count([](int64_t l) { return 64; }), Pair(1, 1));
  EXPECT_EQ(count([](int64_t l) { return 128 * l; }), Pair(32, 32));
  EXPECT_EQ(count([](int64_t l) { return 256 * l; }), Pair(32, 32));
  EXPECT_EQ(count([](int64_t l) { return 12 * l; }), Pair(12, 3));
  EXPECT_EQ(count([](int64_t l) { return 16 * l; }, 16), Pair(16, 4));
  EXPECT_EQ(count([](int64_t l) { return l; }, 1), Pair(1, 1));
  // One that lies across the end of a line.
  EXPECT_EQ(count([](int64_t l) { return 120; }, 16), Pair(2, 2));
  EXPECT_EQ(getIdealSectors(128), 4);
  EXPECT_EQ(getIdealSectors(33), 2);
}

/// The 128-byte transactions of 16 warps that gather 64 token rows of 8 floats,
/// 4 rows a warp, from a pool of `poolRows` rows. Consecutive tokens lie in
/// blocks, which are anywhere in the pool. The mean over many block tables, as
/// a multiple of the ideal 16.
static double gatherExcess(int64_t tokensPerBlock, int64_t poolRows) {
  constexpr int64_t numTokens = 64, rowFloats = 8, numTables = 4000;
  std::mt19937 random(17);
  std::vector<int64_t> table(poolRows / tokensPerBlock);
  std::iota(table.begin(), table.end(), 0);
  int64_t transactions = 0;
  for (int64_t round = 0; round < numTables; ++round) {
    std::shuffle(table.begin(), table.end(), random);
    for (int64_t warp = 0; warp < numTokens * rowFloats / 32; ++warp) {
      auto getToken = [=](int64_t lane) {
        return (warp * 32 + lane) / rowFloats;
      };
      transactions +=
          countLines(lanes([&](int64_t lane) {
                       int64_t token = getToken(lane);
                       int64_t row =
                           table[token / tokensPerBlock] * tokensPerBlock +
                           token % tokensPerBlock;
                       return 4 * (row * rowFloats + lane % rowFloats);
                     }),
                     4);
      // The entries of the table are neighbours, and most often one.
      EXPECT_EQ(countLines(lanes([&](int64_t lane) {
                             return 4 * (getToken(lane) / tokensPerBlock);
                           }),
                           4),
                1);
    }
  }
  return double(transactions) / (16 * numTables);
}

// Blocks of 16 tokens are four whole lines each: the ideal, whatever the table
// is. Half a line and a quarter may share theirs with another of the warp's 2
// or 4 blocks, by chance: of 32 blocks one in 31 does, hence 2 - 1/31; of 128
// quarters of 32 lines 4 miss a line with probability (124 above 4) / (128
// above 4), hence 32 * (1 - 9381251/10668000).
TEST(MemoryRequest, GatherThroughBlockTable) {
  EXPECT_EQ(gatherExcess(16, 64), 1.0);
  EXPECT_NEAR(gatherExcess(2, 64), 2.0 - 1.0 / 31, 0.01);
  EXPECT_NEAR(gatherExcess(1, 128), 32 * (1 - 9381251.0 / 10668000), 0.01);
}

// The strides of k44: s[stride * lane], 4 bytes each.
TEST(MemoryRequest, WavefrontsOfStrides) {
  std::map<int64_t, int64_t> expected = {{1, 1},  {2, 2},   {3, 1},
                                         {4, 4},  {8, 8},   {16, 16},
                                         {31, 1}, {32, 32}, {33, 1}};
  for (auto [stride, wavefronts] : expected) {
    int64_t s = stride;
    EXPECT_EQ(countWavefronts(lanes([=](int64_t l) { return 4 * s * l; }), 4),
              wavefronts)
        << "stride " << stride;
  }
}

TEST(MemoryRequest, WavefrontsOfWideAccesses) {
  auto count = [](int64_t bytes, std::function<int64_t(int64_t)> address) {
    return countWavefronts(lanes(address), bytes);
  };
  // A broadcast; two halves of a word.
  EXPECT_EQ(count(4, [](int64_t l) { return 8; }), 1);
  EXPECT_EQ(count(2, [](int64_t l) { return 2 * l; }), 1);
  // Half-warps and quarter-warps.
  EXPECT_EQ(count(8, [](int64_t l) { return 8 * l; }), 2);
  EXPECT_EQ(count(16, [](int64_t l) { return 16 * l; }), 4);
  // Rows of 128 bytes: 8 rows of a quarter in the same 4 banks; and swizzled.
  EXPECT_EQ(count(16, [](int64_t l) { return 128 * l; }), 32);
  EXPECT_EQ(count(16, [](int64_t l) { return 128 * l + 16 * (l & 7); }), 4);
  EXPECT_EQ(getIdealWavefronts(512), 4);
  EXPECT_EQ(getIdealWavefronts(4), 1);
}

// Of 64 lanes 32 are served at a time, 16 of 8 bytes and 8 of 16.
TEST(MemoryRequest, WarpsOf64) {
  auto count = [](int64_t bytes, int64_t stride) {
    std::vector<int64_t> addresses;
    for (int64_t lane = 0; lane < 64; ++lane)
      addresses.push_back(stride * lane);
    return std::array{countSectors(addresses, bytes),
                      countLines(addresses, bytes),
                      countWavefronts(addresses, bytes)};
  };
  EXPECT_EQ(count(4, 4), (std::array<int64_t, 3>{8, 2, 2}));
  EXPECT_EQ(count(4, 0), (std::array<int64_t, 3>{1, 1, 2}));
  EXPECT_EQ(count(4, 128), (std::array<int64_t, 3>{64, 64, 64}));
  EXPECT_EQ(count(16, 16), (std::array<int64_t, 3>{32, 8, 8}));
}

// Lanes that take no part cost nothing, nor does a part of a warp without any.
TEST(MemoryRequest, ActiveLanes) {
  auto rows = lanes([](int64_t l) { return 128 * l; });
  EXPECT_EQ(countSectors(rows, 4, 0x80000001), 2);
  EXPECT_EQ(countWavefronts(rows, 4, 0x7), 3);
  EXPECT_EQ(countWavefronts(rows, 16, 0xff), 8);
  EXPECT_EQ(countWavefronts(rows, 16, 0x01000001), 2);
  EXPECT_EQ(countWavefronts(rows, 4, 0), 0);
  EXPECT_EQ(countSectors(rows, 4, 0), 0);
}

/// Written another way: byte by byte, with sets.
static int64_t bruteForceChunks(const std::vector<int64_t> &addresses,
                                int64_t bytes, int64_t chunk, uint32_t active) {
  std::set<int64_t> touched;
  for (size_t lane = 0; lane < addresses.size(); ++lane)
    for (int64_t byte = 0; byte < bytes; ++byte)
      if (active & (1u << lane))
        touched.insert((addresses[lane] + byte) / chunk);
  return touched.size();
}

static int64_t bruteForceWavefronts(const std::vector<int64_t> &addresses,
                                    int64_t bytes, uint32_t active) {
  std::map<int, std::map<int, std::set<int64_t>>> wordsOfBankOfPart;
  int parts = bytes == 16 ? 4 : bytes == 8 ? 2 : 1;
  for (int lane = 0; lane < 32; ++lane)
    for (int64_t byte = 0; byte < bytes; ++byte)
      if (active & (1u << lane)) {
        int64_t word = (addresses[lane] + byte) / 4;
        wordsOfBankOfPart[lane * parts / 32][word % 32].insert(word);
      }
  int64_t sum = 0;
  for (auto &[part, wordsOfBank] : wordsOfBankOfPart) {
    size_t most = 0;
    for (auto &[bank, words] : wordsOfBank)
      most = std::max(most, words.size());
    sum += most;
  }
  return sum;
}

TEST(MemoryRequest, EqualsBruteForce) {
  unsigned seed = 7;
  std::mt19937 random(seed);
  for (int round = 0; round < 5000; ++round) {
    int64_t bytes = int64_t(1) << random() % 5;
    // Few or many distinct addresses, aligned or not.
    int64_t range = int64_t(1) << (4 + random() % 12);
    bool isAligned = random() % 4 != 0;
    uint32_t active = random() % 3 == 0 ? random() : ~0u;
    auto addresses = lanes([&](int64_t) {
      int64_t address = random() % range;
      return isAligned ? address / bytes * bytes : address;
    });
    ASSERT_EQ(countSectors(addresses, bytes, active),
              bruteForceChunks(addresses, bytes, 32, active))
        << "seed " << seed << ", round " << round;
    ASSERT_EQ(countLines(addresses, bytes, active),
              bruteForceChunks(addresses, bytes, 128, active))
        << "seed " << seed << ", round " << round;
    ASSERT_EQ(countWavefronts(addresses, bytes, active),
              bruteForceWavefronts(addresses, bytes, active))
        << "seed " << seed << ", round " << round;
  }
}
