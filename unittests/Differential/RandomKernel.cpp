//===- RandomKernel.cpp - Kernels that nobody thought of ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGenerator.h"

using namespace uop;

//===----------------------------------------------------------------------===//
// Chance and text
//===----------------------------------------------------------------------===//

RangeSet Generator::pickSubset(RangeSet set, int64_t percent) {
  RangeSet subset = 0;
  for (unsigned i = 0; i < ranges.size(); ++i)
    if ((set >> i & 1) && chance(percent))
      subset |= 1u << i;
  return subset;
}

std::vector<unsigned> Generator::shuffled(RangeSet set) {
  std::vector<unsigned> list;
  for (unsigned i = 0; i < ranges.size(); ++i)
    if (set >> i & 1)
      list.insert(list.begin() + pick(0, list.size()), i);
  return list;
}

std::string Generator::pickType() {
  return choose({"f32", "f32", "f32", "f16", "bf16", "f64", "i32", "i32", "i64",
                 "i16", "i8", "i1"});
}

std::string Generator::constant(StringRef text, StringRef type) {
  std::string name = fresh();
  if (type == "i1")
    line(name + " = arith.constant " + (text == "0" ? "false" : "true"));
  else
    line(name + " = arith.constant " + text + " : " + type);
  return name;
}

Value Generator::define(StringRef type, std::initializer_list<Value> from,
                        const llvm::Twine &text) {
  Value value{fresh(), type.str()};
  for (const Value &operand : from) {
    value.free |= operand.free;
    value.closed |= operand.closed;
  }
  line(value.name + " = " + text);
  pool.push_back(value);
  return value;
}

std::string Generator::number(const std::string &type) {
  if (type == "i1")
    return std::to_string(pick(0, 1));
  if (!isFloat(type))
    return std::to_string(pick(-20, 20));
  if (chance(10)) {
    const char *infinity = type == "f16"    ? "0x7C00"
                           : type == "bf16" ? "0x7F80"
                           : type == "f32"  ? "0x7F800000"
                                            : "0x7FF0000000000000";
    return infinity;
  }
  return choose({"0.0", "-0.0", "1.0", "-1.5", "0.1", "3.0", "1.0e-7", "300.0",
                 "-2.5", "65504.0"});
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// An extent that the launch says: an argument, or arithmetic on one.
std::string Generator::dynamicExtent(int64_t extent) {
  auto scalar = [&](int64_t value) {
    for (auto [number, rule] : llvm::enumerate(rules))
      if (rule.kind == ArgumentRule::Exactly && rule.value == value &&
          chance(50))
        return "%arg" + std::to_string(number);
    std::string name = argument("index", ArgumentRule::Exactly);
    rules.back().value = value;
    return name;
  };
  std::string name = fresh();
  int64_t by = pick(1, 4);
  switch (pick(0, 5)) {
  case 0: {
    std::string operand = scalar(extent + by), other = index(by);
    line(name + " = arith.subi " + operand + ", " + other + " : index");
    return name;
  }
  case 1: {
    std::string operand = scalar(extent * by + pick(0, by - 1));
    std::string other = index(by);
    line(name + " = uop.floordiv " + operand + ", " + other);
    return name;
  }
  case 2:
    if (extent % by == 0) {
      std::string operand = scalar(extent / by), other = index(by);
      line(name + " = arith.muli " + operand + ", " + other + " : index");
      return name;
    }
    [[fallthrough]];
  default:
    return scalar(extent);
  }
}

unsigned Generator::addRange(const std::string &axis, int64_t extent,
                             bool mayBeDynamic) {
  std::string text = std::to_string(extent);
  if (mayBeDynamic && isDynamic && chance(60))
    text = dynamicExtent(extent);
  unsigned number = ranges.size();
  bool isThread = StringRef(axis).starts_with("local") || axis == "warp";
  ranges.push_back({"%r" + std::to_string(number), extent, isThread});
  line(ranges.back().name + " = uop.range " + axis + " " + text);
  return number;
}

/// Sizes with many divisors, primes, and one.
static const std::vector<int64_t> sizes = {
    1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 15, 16, 17, 18, 19, 20,
    21, 23, 24, 25, 29, 31, 32, 33, 37, 41, 43, 47, 48, 53, 59, 61, 64, 67, 70};
static const std::vector<int64_t> smallSizes = {1, 2, 3, 4, 5, 7, 8};

void Generator::addUnmappedAxes() {
  isContiguous = chance(25);
  isDynamic = !isContiguous && chance(25);
  isReordered = chance(25);
  unsigned count = chance(4) ? 0 : chance(60) ? pick(1, 3) : pick(3, 6);
  // Few kernels have many points.
  int64_t most = chance(40) ? 100 : chance(85) ? 500 : 2500;
  unsigned longest = pick(1, std::max(count, 1u)) - 1;
  RangeSet all = 0;
  for (unsigned i = 0; i < count; ++i) {
    bool isLong = i == longest || count <= 2 || chance(20);
    int64_t size = choose(isLong ? sizes : smallSizes);
    while (points * size > most)
      size = (size + 1) / 2;
    points *= size;
    if (chance(2))
      size = 0;
    all |= 1u << addRange("loop", size, /*mayBeDynamic=*/true);
  }
  domains.push_back(all);
  if (isContiguous && chance(80))
    return;
  // Other stores have fewer ranges, or one of their own.
  if (chance(30))
    domains.push_back(pickSubset(all, 60));
  if (chance(20)) {
    RangeSet other = pickSubset(all, 40);
    if (llvm::popcount(all) < 3)
      other |= 1u << addRange("loop", choose(sizes), /*mayBeDynamic=*/true);
    domains.push_back(other);
  }
}

/// Stores whose ranges share the dimensions of the grid and the block.
void Generator::addMappedAxes() {
  // The axes that every store may use once; extents differ between stores.
  bool warp = chance(15);
  RangeSet previous = 0;
  for (unsigned i = 0, count = pick(1, 3); i < count; ++i) {
    std::vector<std::string> axes = {"global<x>", "global<y>", "global<z>",
                                     "local<y>",  "local<z>",  "serial",
                                     "serial",    "upcast"};
    axes.push_back(warp ? "warp" : "local<x>");
    axes.push_back(warp ? "warp" : "local<x>");
    RangeSet domain = 0;
    int64_t points = 1;
    for (unsigned j = 0, rank = pick(0, 4); j < rank && !axes.empty(); ++j) {
      unsigned at = pick(0, axes.size() - 1);
      std::string axis = axes[at];
      llvm::erase(axes, axis);
      int64_t size = axis == "warp"                      ? (chance(80) ? 32 : 8)
                     : axis == "upcast"                  ? pick(1, 4)
                     : StringRef(axis).contains("local") ? pick(1, 9)
                                                         : pick(1, 5);
      if (points * size > 600)
        continue;
      points *= size;
      domain |= 1u << addRange(axis, size);
    }
    // A store that shares ranges with the one before.
    if (previous && chance(30))
      domain = pickSubset(previous, 70);
    domains.push_back(domain);
    previous = domain;
  }
}

void Generator::addReductions() {
  int64_t terms = 1;
  for (unsigned i = 0, count = pick(0, 2); i < count; ++i) {
    int64_t size = chance(50) ? choose(sizes) % 13 : choose(sizes);
    while (points * terms * size > (chance(90) ? 4000 : 20000))
      size /= 2;
    terms *= std::max<int64_t>(size, 1);
    // An unrolled range has at least one point.
    bool isUnrolled = size != 0 && size < 13 && chance(15);
    reductions |= 1u << addRange(isUnrolled ? "unroll" : "reduce",
                                 chance(4) && !isUnrolled ? 0 : size,
                                 /*mayBeDynamic=*/!isUnrolled);
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

RandomKernel Generator::run(const std::string &name) {
  bool isMapped = chance(35);
  if (isMapped)
    addMappedAxes();
  else
    addUnmappedAxes();
  addReductions();
  // Stages that all stores may use, or only some of them.
  while (isMapped && chance(40) && ranges.size() < 24)
    stage(pickType(), pickSubset(choose(domains) | reductions, 50));

  for (RangeSet domain : domains) {
    std::string type = pickType();
    RangeSet rest = reductions;
    if (rest) {
      // All at once, one after the other, or one inside of the other.
      RangeSet over = pickSubset(rest, 70);
      if (isReordered && chance(70))
        reduceInAnyOrder(choose({"f32", "f32", "f16", "bf16", "f64"}), domain,
                         over ? over : rest);
      if (over && chance(15))
        type = argmax(domain, over).type;
      else if (over) {
        RangeSet left = rest & ~over;
        Value inner = reduce(type, domain | (chance(50) ? left : 0), over);
        if (left && (inner.free & left) && !(inner.closed & left))
          reduce(type, domain, left);
      }
      if (chance(30))
        reduce(type, domain, rest);
    }
    Value value = expression(type, domain, pickDepth());
    // Prefer what a reduction has computed.
    if (!reductions || chance(30)) {
      store(value, domain);
    } else {
      std::vector<Value> reduced;
      for (const Value &candidate : pool)
        if (candidate.type == type && candidate.closed &&
            !(candidate.free & ~domain))
          reduced.push_back(candidate);
      Value other = reduced.empty() ? value : choose(reduced);
      if (fit(value, other) && chance(60))
        value = define(type, {value, other},
                       (isFloat(type) ? "arith.addf " : "arith.addi ") +
                           value.name + ", " + other.name + " : " + type);
      else
        value = other;
      store(value, domain);
    }
    if (chance(20))
      accumulate(expression(choose({"i32", "i64", "f32"}), domain, 1), domain);
    if (chance(20))
      storeInPlace(domain);
  }
  return {"uop.kernel @" + name + "(" + llvm::join(arguments, ", ") + ") {\n" +
              body + "}\n",
          rules};
}

RandomKernel uop::makeRandomKernel(uint64_t seed, const std::string &name) {
  return Generator(seed).run(name);
}
