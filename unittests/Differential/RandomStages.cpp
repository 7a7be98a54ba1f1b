//===- RandomStages.cpp - Tiles of random kernels -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGenerator.h"

using namespace uop;

/// Where the tile has what belongs to a position along a range.
std::string Generator::placeInTile(const TileDimension &dimension,
                                   const std::string &position) {
  std::string place = position;
  if (dimension.isReversed) {
    std::string last = index(ranges[dimension.range].extent - 1);
    std::string reversed = fresh();
    line(reversed + " = arith.subi " + last + ", " + place + " : index");
    place = reversed;
  }
  if (dimension.stride != 1) {
    std::string by = index(dimension.stride), product = fresh();
    line(product + " = arith.muli " + place + ", " + by + " : index");
    place = product;
  }
  if (dimension.offset != 0) {
    std::string plus = index(dimension.offset), sum = fresh();
    line(sum + " = arith.addi " + place + ", " + plus + " : index");
    place = sum;
  }
  return place;
}

/// Adds a tile of an expression that may vary with the ranges around, and loads
/// of elements that it has, for the pool.
void Generator::stage(const std::string &type, RangeSet around) {
  bool isShared = chance(70);
  if (isShared)
    for (auto [number, range] : llvm::enumerate(ranges))
      if (range.isThread)
        around &= ~(1u << number);
  std::vector<TileDimension> dimensions;
  RangeSet closed = 0;
  std::vector<std::string> over;
  for (unsigned i = 0, rank = chance(8) ? 0 : pick(1, 2); i < rank; ++i) {
    int64_t extent =
        choose(std::vector<int64_t>{1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 33});
    if (rank == 2)
      extent = std::min<int64_t>(extent, 9);
    unsigned range = addRange("loop", extent);
    closed |= 1u << range;
    over.push_back(ranges[range].name);
    bool isPlain = chance(60);
    TileDimension dimension{range, isPlain ? 1 : pick(1, 2),
                            isPlain ? 0 : pick(0, 2), !isPlain && chance(50)};
    dimensions.insert(dimensions.begin() + pick(0, dimensions.size()),
                      dimension);
  }

  Value value = expression(type, around | closed, pickDepth());
  std::string tile = fresh(), tileType = "!uop.tile<";
  std::vector<std::string> places;
  for (const TileDimension &dimension : dimensions) {
    int64_t last = ranges[dimension.range].extent - 1;
    tileType += std::to_string(last * dimension.stride + dimension.offset + 1 +
                               (chance(20) ? pick(1, 3) : 0)) +
                "x";
    places.push_back(placeInTile(dimension, ranges[dimension.range].name));
  }
  tileType += type + (isShared ? ", workgroup>" : ", private>");
  std::string vector;
  if (isShared && chance(40))
    vector = " {vector = " + choose({"2", "3", "4", "8"}) + "}";
  line(tile + " = uop.stage " + value.name + "[" + llvm::join(places, ", ") +
       "] over(" + llvm::join(over, ", ") + ")" + vector + " : " + tileType);
  Value result{tile, tileType, value.free & ~closed, value.closed | closed};

  for (unsigned i = 0, count = pick(1, 2); i < count; ++i) {
    std::vector<unsigned> readers;
    for (auto [number, range] : llvm::enumerate(ranges))
      if (!(result.closed >> number & 1) && range.extent > 0)
        readers.push_back(number);
    RangeSet domain = choose(domains) | reductions;
    llvm::erase_if(readers,
                   [&](unsigned range) { return !(domain >> range & 1); });
    Value at{"", "index"};
    std::vector<std::string> indices;
    for (const TileDimension &dimension : dimensions) {
      std::string extent = index(ranges[dimension.range].extent);
      std::string position;
      if (readers.empty() || chance(10)) {
        position = index(pick(0, ranges[dimension.range].extent - 1));
      } else {
        unsigned range = choose(readers);
        at.free |= 1u << range;
        std::string from = ranges[range].name;
        if (chance(40)) {
          std::string minus = index(pick(0, 40)), other = fresh();
          line(other + " = arith.subi " + minus + ", " + from + " : index");
          from = other;
        }
        position = fresh();
        line(position + " = uop.floormod " + from + ", " + extent);
      }
      indices.push_back(placeInTile(dimension, position));
    }
    define(type, {result, at},
           "uop.load " + tile + "[" + llvm::join(indices, ", ") +
               "] : " + tileType);
  }
}
