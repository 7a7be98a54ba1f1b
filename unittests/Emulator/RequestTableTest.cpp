//===- RequestTableTest.cpp - Lanes that make requests --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Counted/RequestTable.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <map>
#include <random>

using namespace uop;

namespace {

constexpr size_t kEnough = size_t(1) << 20;

/// A value and the bytes, by lane.
using Lanes = std::map<unsigned, std::pair<int64_t, int64_t>>;

struct Event {
  uint32_t site, part, path;
  int64_t value, bytes;
};

/// The records of each site, in the order in which they are handed out.
std::map<uint32_t, std::vector<Lanes>> take(RequestTable &table) {
  std::map<uint32_t, std::vector<Lanes>> records;
  table.take([&](const LaneRecord &record) {
    Lanes &lanes = records[record.site].emplace_back();
    for (unsigned lane = 0; lane < record.values.size(); ++lane)
      if (record.active >> lane & 1)
        lanes[lane] = {record.values[lane], record.bytes[lane]};
  });
  return records;
}

/// What a lane may do: sites in an order that lanes have in common, of which
/// each leaves some out, at addresses that are regular or not.
std::vector<Event> makeEvents(std::mt19937 &random, unsigned lane) {
  std::vector<Event> events;
  for (uint32_t path = 0; path < 6; ++path)
    for (uint32_t site = 0; site < 4; ++site)
      for (uint32_t part = 0; part < (site == 3 ? 2 : 1); ++part) {
        if (random() % 4 == 0)
          continue;
        int64_t value = 1000 * path + 4 * lane * site;
        if (site == 2 && random() % 8 == 0)
          value = int64_t(random()) - (int64_t(1) << 31);
        if (site == 1 && path == 5 && lane % 2)
          value = INT64_MIN + lane;
        int64_t bytes = site == 3 && random() % 8 == 0 ? 4 : 16;
        events.push_back({site, part, path, value, bytes});
      }
  // The order of a lane does not matter.
  if (random() % 3 == 0)
    std::shuffle(events.begin(), events.end(), random);
  return events;
}

TEST(RequestTableTest, RandomLanesEqualThoseOfAMap) {
  std::mt19937 random(1);
  for (unsigned warpSize : {32, 64, 4}) {
    RequestTable table(warpSize);
    for (int run = 0; run < 60; ++run) {
      std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Lanes> known;
      std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> order;
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        table.beginLane();
        for (const Event &event : makeEvents(random, lane)) {
          ASSERT_TRUE(table.add(event.site, event.part, event.path, lane,
                                event.value, event.bytes, kEnough));
          std::tuple key(event.site, event.part, event.path);
          if (known[key].empty())
            order.push_back(key);
          known[key][lane] = {event.value, event.bytes};
        }
      }
      std::map<uint32_t, std::vector<Lanes>> expected;
      for (auto key : order)
        expected[std::get<0>(key)].push_back(known[key]);
      EXPECT_EQ(take(table), expected);
    }
  }
}

TEST(RequestTableTest, TheLargestSiteMakesRoom) {
  RequestTable table(32);
  for (unsigned lane = 0; lane < 2; ++lane) {
    ASSERT_TRUE(table.add(7, 0, 0, lane, 4 * lane, 4, kEnough));
    // Of no regular distance from the third lane on.
    ASSERT_TRUE(table.add(8, 0, 0, lane, 4 * lane * lane, 4, kEnough));
  }
  ASSERT_TRUE(table.add(8, 0, 0, 2, 16, 4, kEnough));
  for (uint32_t path = 0; path < 100; ++path)
    ASSERT_TRUE(table.add(9, 0, path, 0, 0, 4, kEnough));
  EXPECT_FALSE(table.add(10, 0, 0, 0, 0, 4, /*memoryLimit=*/1));
  EXPECT_EQ(table.dropLargestSite(), 9u);
  ASSERT_TRUE(table.add(8, 0, 0, 3, 36, 4, kEnough));
  std::map<uint32_t, std::vector<Lanes>> expected;
  expected[7] = {{{0, {0, 4}}, {1, {4, 4}}}};
  expected[8] = {{{0, {0, 4}}, {1, {4, 4}}, {2, {16, 4}}, {3, {36, 4}}}};
  EXPECT_EQ(take(table), expected);
  EXPECT_EQ(table.dropLargestSite(), std::nullopt);
}

TEST(PathTableTest, EqualIterationsAreEqualNumbers) {
  std::mt19937 random(2);
  PathTable paths;
  for (int run = 0; run < 20; ++run) {
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> known;
    std::map<uint32_t, std::pair<uint32_t, uint64_t>> steps;
    std::vector<uint32_t> all{PathTable::root};
    for (int i = 0; i < 500; ++i) {
      uint32_t path = all[random() % all.size()];
      uint64_t iteration = random() % 5;
      uint32_t next = paths.follow(path, iteration);
      std::pair step(path, iteration);
      auto [it, isNew] = known.try_emplace(step, next);
      EXPECT_EQ(it->second, next);
      EXPECT_EQ(steps.try_emplace(next, step).first->second, step);
      EXPECT_NE(next, PathTable::root);
      if (isNew)
        all.push_back(next);
    }
    paths.clear();
  }
}

} // namespace
