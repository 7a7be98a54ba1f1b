//===- TileLayoutTest.cpp - Where the elements of a shared tile lie -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/TileLayout.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace uop;

namespace {

class TileLayoutTest : public testing::Test {
protected:
  TileLayoutTest() { context.loadDialect<UopDialect>(); }

  TileLayoutAttr get(TileLayoutKind kind, int64_t chunk, int64_t period = 1) {
    return TileLayoutAttr::get(&context, kind, chunk, period);
  }

  /// Each element has a place of its own within the tile, and the elements of
  /// a chunk stay together in the order in which they were.
  void expectBijection(TileLayoutAttr layout, ArrayRef<int64_t> shape) {
    int64_t elements = ShapedType::getNumElements(shape);
    int64_t places = countPlaces(layout, shape);
    std::set<int64_t> taken;
    for (int64_t element = 0; element < elements; ++element) {
      int64_t place = getPlace(layout, shape, element);
      ASSERT_GE(place, 0);
      ASSERT_LT(place, places);
      ASSERT_TRUE(taken.insert(place).second) << "element " << element;
      if (layout.getKind() != TileLayoutKind::Pad &&
          element % layout.getChunk() != 0)
        ASSERT_EQ(place, getPlace(layout, shape, element - 1) + 1);
    }
  }

  MLIRContext context;
};

} // namespace

TEST_F(TileLayoutTest, IsABijection) {
  std::vector<std::vector<int64_t>> shapes = {
      {1, 1},     {4, 4},      {32, 32},    {8, 33},  {5, 24},
      {128, 16},  {16, 128},   {7, 96},     {1, 256}, {256, 1},
      {3, 5, 16}, {2, 16, 32}, {2, 3, 4, 8}};
  unsigned tried = 0;
  for (const auto &shape : shapes)
    for (int64_t chunk : {1, 2, 3, 4, 8, 16})
      for (int64_t period : {1, 2, 3, 4, 8, 16})
        for (TileLayoutKind kind :
             {TileLayoutKind::Plain, TileLayoutKind::Pad, TileLayoutKind::Xor,
              TileLayoutKind::Rotate}) {
          bool hasPeriod =
              kind == TileLayoutKind::Xor || kind == TileLayoutKind::Rotate;
          if (!hasPeriod && period != 1)
            continue;
          TileLayoutAttr layout = get(kind, chunk, period);
          if (!findShapeObstacle(layout, shape).empty())
            continue;
          ++tried;
          SCOPED_TRACE(testing::Message() << "kind " << int(kind) << ", chunk "
                                          << chunk << ", period " << period);
          expectBijection(layout, shape);
        }
  EXPECT_GT(tried, 500u);
}

// By the definition of the attribute: tiles of 4 rows of 8 elements.
TEST_F(TileLayoutTest, Places) {
  int64_t shape[] = {4, 8};
  // Row 3, column 5.
  int64_t element = 3 * 8 + 5;
  EXPECT_EQ(getPlace(get(TileLayoutKind::Plain, 1), shape, element), 29);
  EXPECT_EQ(getPlace(get(TileLayoutKind::Pad, 2), shape, element), 3 * 10 + 5);
  EXPECT_EQ(getPlace(get(TileLayoutKind::Xor, 1), shape, element),
            3 * 8 + (5 ^ 3));
  EXPECT_EQ(getPlace(get(TileLayoutKind::Xor, 1, 2), shape, element),
            3 * 8 + (5 ^ 1));
  // Chunk 2 of 4, the second element of it.
  EXPECT_EQ(getPlace(get(TileLayoutKind::Xor, 2), shape, element),
            3 * 8 + (2 ^ 3) * 2 + 1);
  EXPECT_EQ(getPlace(get(TileLayoutKind::Rotate, 2), shape, element),
            3 * 8 + (2 + 3) % 4 * 2 + 1);
  EXPECT_EQ(countPlaces(get(TileLayoutKind::Pad, 2), shape), 40);
  EXPECT_EQ(countPlaces(get(TileLayoutKind::Xor, 2), shape), 32);
}

TEST_F(TileLayoutTest, ObstaclesOfShapes) {
  int64_t row[] = {64}, tile[] = {4, 24};
  EXPECT_EQ(findShapeObstacle(get(TileLayoutKind::Plain, 1), row), "");
  EXPECT_EQ(findShapeObstacle(get(TileLayoutKind::Pad, 1), row),
            "the tile has one row");
  EXPECT_EQ(findShapeObstacle(get(TileLayoutKind::Rotate, 4), tile), "");
  EXPECT_EQ(findShapeObstacle(get(TileLayoutKind::Xor, 4), tile),
            "a row has 6 chunks, which is no power of two; rotate takes any "
            "number");
  EXPECT_EQ(findShapeObstacle(get(TileLayoutKind::Rotate, 5), tile),
            "a row of 24 elements has no whole number of chunks of 5");
}
