//===- RandomGenerator.h - Inside of random kernels -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text is written from the top: ranges first, then values in random order. Each
// value knows the ranges in which it is free and those that were closed below
// it, so that rules such as "one range, one loop" hold by construction.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_DIFFERENTIAL_RANDOMGENERATOR_H
#define UOP_UNITTESTS_DIFFERENTIAL_RANDOMGENERATOR_H

#include "RandomKernel.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <random>
#include <vector>

namespace uop {

using llvm::ArrayRef;
using llvm::StringRef;

/// A set of ranges, one bit each.
using RangeSet = uint32_t;

struct Range {
  std::string name;
  int64_t extent;
  /// Whether it differs between the threads of a block.
  bool isThread = false;
};

struct Value {
  std::string name;
  std::string type;
  RangeSet free = 0;
  /// Ranges that results below this value have closed.
  RangeSet closed = 0;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  RandomKernel run(const std::string &name);

private:
  // Chance.
  int64_t pick(int64_t least, int64_t most) {
    // Not std::uniform_int_distribution: its values differ between libraries.
    return least + int64_t(random() % uint64_t(most - least + 1));
  }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }
  template <typename T> const T &choose(const std::vector<T> &list) {
    return list[pick(0, list.size() - 1)];
  }
  std::string choose(std::initializer_list<const char *> list) {
    return list.begin()[pick(0, list.size() - 1)];
  }
  RangeSet pickSubset(RangeSet set, int64_t percent);
  std::vector<unsigned> shuffled(RangeSet set);
  std::string pickType();
  /// Most expressions are small, so that there is time for many kernels.
  unsigned pickDepth() { return chance(75) ? pick(0, 1) : pick(1, 3); }

  // Text.
  std::string fresh() { return "%v" + std::to_string(counter++); }
  void line(const llvm::Twine &text) { body += ("  " + text + "\n").str(); }
  std::string constant(StringRef text, StringRef type);
  std::string index(int64_t number) {
    return constant(std::to_string(number), "index");
  }
  std::string argument(const std::string &type,
                       ArgumentRule::Kind kind = ArgumentRule::Any) {
    std::string name = "%arg" + std::to_string(arguments.size());
    arguments.push_back(name + ": " + type);
    if (isReordered && kind == ArgumentRule::Any)
      kind = ArgumentRule::Moderate;
    rules.push_back({kind, 0, std::nullopt, std::nullopt});
    return name;
  }
  Value define(StringRef type, std::initializer_list<Value> from,
               const llvm::Twine &text);

  // Ranges.
  unsigned addRange(const std::string &axis, int64_t extent,
                    bool mayBeDynamic = false);
  std::string dynamicExtent(int64_t extent);

  void addUnmappedAxes();
  void addMappedAxes();
  void addReductions();

  // Memory.
  struct Index {
    std::string name;
    int64_t size;
  };
  Index indexOf(unsigned range, bool injective);
  std::string makeType(ArrayRef<int64_t> shape, StringRef element);
  Value load(StringRef element, RangeSet ranges,
             ArgumentRule::Kind kind = ArgumentRule::Any);
  Value gather(Value at, StringRef element);
  void store(Value value, RangeSet domain);
  unsigned storeResults(ArrayRef<Value> values, RangeSet domain);
  void accumulate(Value value, RangeSet domain);
  void storeInPlace(RangeSet domain);
  std::string writeOver(RangeSet domain);

  // Tiles.
  struct TileDimension {
    unsigned range;
    int64_t stride, offset;
    bool isReversed;
  };
  std::string placeInTile(const TileDimension &dimension,
                          const std::string &position);
  void stage(const std::string &type, RangeSet around);

  // Values.
  static bool fit(const Value &a, const Value &b) {
    return !(a.free & b.closed) && !(b.free & a.closed);
  }
  Value leaf(const std::string &type, RangeSet ranges);
  Value expression(const std::string &type, RangeSet ranges, unsigned depth);
  Value convert(Value from, const std::string &type);
  Value floatOperation(const std::string &type, RangeSet ranges,
                       unsigned depth);
  Value integerOperation(const std::string &type, RangeSet ranges,
                         unsigned depth);
  Value condition(RangeSet ranges, unsigned depth);
  Value reduce(const std::string &type, RangeSet ranges, RangeSet over);
  void reduceInAnyOrder(const std::string &type, RangeSet ranges,
                        RangeSet over);
  Value argmax(RangeSet ranges, RangeSet over);
  std::string number(const std::string &type);

  static bool isFloat(StringRef type) {
    return type.starts_with("f") || type == "bf16";
  }
  static unsigned width(StringRef type) {
    unsigned bits = 0;
    type.ltrim("bif").getAsInteger(10, bits);
    return bits;
  }

  std::mt19937_64 random;
  std::string body;
  std::vector<std::string> arguments;
  std::vector<ArgumentRule> rules;
  std::vector<Range> ranges;
  std::vector<RangeSet> domains;
  std::vector<Value> pool;
  RangeSet reductions = 0;
  unsigned counter = 0;
  /// Points of the output axes together.
  int64_t points = 1;
  /// The kernel's character. Most accesses walk through memory in order, so
  /// that axes merge; extents are arguments; sums of floats and products of
  /// floats go only to memory, so that their order may change.
  bool isContiguous = false, isDynamic = false, isReordered = false;
};

} // namespace uop

#endif // UOP_UNITTESTS_DIFFERENTIAL_RANDOMGENERATOR_H
