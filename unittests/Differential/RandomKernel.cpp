//===- RandomKernel.cpp - Kernels that nobody thought of ------------------===//
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

#include "RandomKernel.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <random>
#include <vector>

using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// A set of ranges, one bit each.
using RangeSet = uint32_t;

struct Range {
  std::string name;
  int64_t extent;
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

  std::string run(const std::string &name);

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

  // Text.
  std::string fresh() { return "%v" + std::to_string(counter++); }
  void line(const llvm::Twine &text) { body += ("  " + text + "\n").str(); }
  std::string constant(StringRef text, StringRef type);
  std::string index(int64_t number) {
    return constant(std::to_string(number), "index");
  }
  std::string argument(const std::string &type) {
    std::string name = "%arg" + std::to_string(arguments.size());
    arguments.push_back(name + ": " + type);
    return name;
  }
  Value define(StringRef type, std::initializer_list<Value> from,
               const llvm::Twine &text);

  // Ranges.
  unsigned addRange(const std::string &axis, int64_t extent);
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
  Value load(StringRef element, RangeSet ranges);
  Value gather(Value at, StringRef element);
  void store(Value value, RangeSet domain);
  void accumulate(Value value, RangeSet domain);
  void storeInPlace(RangeSet domain);
  std::string writeOver(RangeSet domain);

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
  std::vector<Range> ranges;
  std::vector<RangeSet> domains;
  std::vector<Value> pool;
  RangeSet reductions = 0;
  unsigned counter = 0;
};

} // namespace

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

unsigned Generator::addRange(const std::string &axis, int64_t extent) {
  unsigned number = ranges.size();
  ranges.push_back({"%r" + std::to_string(number), extent});
  line(ranges.back().name + " = uop.range " + axis + " " +
       std::to_string(extent));
  return number;
}

/// Sizes with many divisors, primes, and one.
static const std::vector<int64_t> sizes = {1,  2,  3,  4,  5,  6,  7,  8,
                                           9,  10, 11, 12, 13, 15, 16, 17,
                                           18, 19, 20, 21, 23, 24};

void Generator::addUnmappedAxes() {
  unsigned count = chance(5) ? 0 : pick(1, 3);
  int64_t points = 1;
  RangeSet all = 0;
  for (unsigned i = 0; i < count; ++i) {
    int64_t size = choose(sizes);
    while (points * size > 600)
      size = (size + 1) / 2;
    points *= size;
    all |= 1u << addRange("loop", size);
  }
  domains.push_back(all);
  // Other stores have fewer ranges, or one of their own.
  if (chance(30))
    domains.push_back(pickSubset(all, 60));
  if (chance(20)) {
    RangeSet other = pickSubset(all, 40);
    if (llvm::popcount(all) < 3)
      other |= 1u << addRange("loop", choose(sizes));
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
  for (unsigned i = 0, count = pick(0, 2); i < count; ++i)
    reductions |= 1u << addRange(chance(15) ? "unroll" : "reduce",
                                 chance(4) ? 0 : choose(sizes) % 13);
  // An unrolled range has at least one point.
  size_t at;
  while ((at = body.find("uop.range unroll 0")) != std::string::npos)
    body.replace(at, 18, "uop.range reduce 0");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// An index that the range determines, and how many there are.
Generator::Index Generator::indexOf(unsigned range, bool injective) {
  const Range &r = ranges[range];
  int64_t last = std::max<int64_t>(r.extent - 1, 0);
  std::string name = fresh();
  switch (pick(0, injective ? 5 : 8)) {
  case 0: { // Strided, with an offset.
    int64_t stride = pick(1, 3), offset = pick(0, 2);
    std::string product = fresh();
    std::string by = index(stride), plus = index(offset);
    line(product + " = arith.muli " + r.name + ", " + by + " : index");
    line(name + " = arith.addi " + product + ", " + plus + " : index");
    return {name, last * stride + offset + 1};
  }
  case 1: { // Reversed.
    std::string end = index(last);
    line(name + " = arith.subi " + end + ", " + r.name + " : index");
    return {name, last + 1};
  }
  case 6: {
    int64_t by = pick(1, 5);
    std::string divisor = index(by);
    line(name + " = uop.floordiv " + r.name + ", " + divisor);
    return {name, last / by + 1};
  }
  case 7: {
    int64_t by = pick(1, 5);
    std::string divisor = index(by);
    line(name + " = uop.floormod " + r.name + ", " + divisor);
    return {name, by};
  }
  case 8: { // Of a number that may be negative.
    int64_t by = pick(1, 5), minus = pick(0, 9);
    std::string divisor = index(by), number = index(minus), left = fresh();
    line(left + " = arith.subi " + r.name + ", " + number + " : index");
    line(name + " = uop.floormod " + left + ", " + divisor);
    return {name, by};
  }
  default:
    return {r.name, last + 1};
  }
}

std::string Generator::makeType(ArrayRef<int64_t> shape, StringRef element) {
  std::string text = "memref<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  text += element;
  if (!shape.empty() && chance(20)) {
    // Dense in another order of the dimensions, or with gaps.
    std::vector<int64_t> strides(shape.size());
    std::vector<unsigned> order;
    for (unsigned i = 0; i < shape.size(); ++i)
      order.insert(order.begin() + pick(0, order.size()), i);
    int64_t stride = pick(1, 2);
    for (unsigned dim : order) {
      strides[dim] = stride;
      stride *= std::max<int64_t>(shape[dim], 1) + pick(0, 1);
    }
    text +=
        ", strided<[" +
        llvm::join(llvm::map_range(strides,
                                   [](int64_t s) { return std::to_string(s); }),
                   ", ") +
        "]" + (chance(50) ? ", offset: 3" : "") + ">";
  }
  return text + ">";
}

/// Loads from an argument of its own at indices of some of the ranges.
Value Generator::load(StringRef element, RangeSet of) {
  std::vector<unsigned> order = shuffled(of);
  if (order.size() > 3)
    order.resize(3);
  std::vector<Index> indices;
  Value from{"", "index"};
  for (unsigned range : order) {
    indices.push_back(indexOf(range, false));
    from.free |= 1u << range;
  }
  // Two ranges in one index, as in a convolution.
  if (indices.size() >= 2 && chance(15)) {
    std::string sum = fresh();
    line(sum + " = arith.addi " + indices[0].name + ", " + indices[1].name +
         " : index");
    indices[1] = {sum, indices[0].size + indices[1].size - 1};
    indices.erase(indices.begin());
  }
  std::string mask;
  if (!indices.empty() && chance(20)) {
    // A dimension that is too small: the mask guards what is beyond.
    Index &guarded = indices[pick(0, indices.size() - 1)];
    if (guarded.size > 1)
      guarded.size -= pick(1, (guarded.size + 1) / 2);
    Value bound{index(guarded.size), "index"};
    Value inside = define("i1", {from, bound},
                          "arith.cmpi slt, " + guarded.name + ", " +
                              bound.name + " : index");
    mask = " mask " + inside.name;
    if (chance(50))
      mask += " else " + constant(number(element.str()), element);
  }
  std::vector<int64_t> shape;
  std::vector<std::string> names;
  for (const Index &index : indices) {
    shape.push_back(index.size);
    names.push_back(index.name);
  }
  std::string type = makeType(shape, element);
  std::string buffer = argument(type);
  return define(element, {from},
                "uop.load " + buffer + "[" + llvm::join(names, ", ") + "]" +
                    mask + " : " + type);
}

/// Loads at an index that is itself data.
Value Generator::gather(Value at, StringRef element) {
  std::string seven = constant("7", at.type);
  Value low = define(at.type, {at},
                     "arith.andi " + at.name + ", " + seven + " : " + at.type);
  Value i =
      define("index", {low},
             "arith.index_castui " + low.name + " : " + at.type + " to index");
  std::string type = makeType({8}, element);
  std::string buffer = argument(type);
  return define(element, {i},
                "uop.load " + buffer + "[" + i.name + "] : " + type);
}

std::string Generator::writeOver(RangeSet domain) {
  std::vector<std::string> names;
  for (unsigned range : shuffled(domain))
    names.push_back(ranges[range].name);
  return " over(" + llvm::join(names, ", ") + ")";
}

void Generator::store(Value value, RangeSet domain) {
  std::vector<int64_t> shape;
  std::vector<std::string> names;
  std::vector<unsigned> order = shuffled(domain);
  for (unsigned range : order) {
    Index index = indexOf(range, true);
    shape.push_back(index.size + (chance(10) ? 2 : 0));
    names.push_back(index.name);
  }
  // Two dimensions as one: i * width + j.
  if (names.size() >= 2 && chance(25)) {
    std::string width = index(shape[1]), row = fresh(), sum = fresh();
    line(row + " = arith.muli " + names[0] + ", " + width + " : index");
    line(sum + " = arith.addi " + row + ", " + names[1] + " : index");
    names[1] = sum;
    shape[1] *= shape[0];
    names.erase(names.begin());
    shape.erase(shape.begin());
  }
  std::string mask;
  if (chance(25)) {
    Value where = condition(domain, 1);
    if (fit(value, where))
      mask = " mask " + where.name;
  }
  std::string type = makeType(shape, value.type);
  std::string buffer = argument(type);
  line("uop.store " + value.name + ", " + buffer + "[" +
       llvm::join(names, ", ") + "]" + writeOver(domain) + mask + " : " + type);
}

/// Adds, or combines in another way that has no order, to few elements.
void Generator::accumulate(Value value, RangeSet domain) {
  std::string at = index(0);
  if (domain && chance(80)) {
    unsigned range = shuffled(domain).front();
    std::string three = index(3), rest = fresh();
    line(rest + " = uop.floormod " + ranges[range].name + ", " + three);
    at = rest;
  }
  std::string kind = isFloat(value.type)
                         ? choose({"maximumf", "minimumf"})
                         : choose({"add", "mul", "and", "or", "xor", "maxsi",
                                   "minsi", "maxui", "minui"});
  std::string type = "memref<3x" + value.type + ">";
  std::string buffer = argument(type);
  std::string mask;
  if (chance(25)) {
    Value where = condition(domain, 1);
    if (fit(value, where))
      mask = " mask " + where.name;
  }
  line("uop.store " + kind + " " + value.name + ", " + buffer + "[" + at + "]" +
       writeOver(domain) + mask + " : " + type);
}

/// x[i] = f(x[i]), or two buffers that are swapped.
void Generator::storeInPlace(RangeSet domain) {
  std::vector<int64_t> shape;
  std::vector<std::string> names;
  for (unsigned range : shuffled(domain)) {
    Index index = indexOf(range, true);
    shape.push_back(index.size);
    names.push_back(index.name);
  }
  std::string element = pickType();
  std::string type = makeType(shape, element);
  std::string at = "[" + llvm::join(names, ", ") + "]";
  Value from{"", "index", domain};
  std::string over = writeOver(domain);
  std::string a = argument(type);
  if (chance(40)) {
    std::string b = argument(type);
    Value x = define(element, {from}, "uop.load " + a + at + " : " + type);
    Value y = define(element, {from}, "uop.load " + b + at + " : " + type);
    pool.pop_back(), pool.pop_back();
    line("uop.store " + x.name + ", " + b + at + over + " : " + type);
    line("uop.store " + y.name + ", " + a + at + over + " : " + type);
    return;
  }
  Value x = define(element, {from}, "uop.load " + a + at + " : " + type);
  pool.pop_back(); // Its uses have to have this domain.
  Value other = leaf(element, domain);
  if (!fit(x, other))
    return;
  std::string op = isFloat(element)
                       ? choose({"arith.addf", "arith.mulf", "arith.subf"})
                       : choose({"arith.addi", "arith.muli", "arith.xori"});
  std::string sum = fresh();
  line(sum + " = " + op + " " + x.name + ", " + other.name + " : " + element);
  line("uop.store " + sum + ", " + a + at + over + " : " + type);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A value of the type that is free in some of the ranges.
Value Generator::leaf(const std::string &type, RangeSet of) {
  if (chance(35)) {
    std::vector<Value> candidates;
    for (const Value &value : pool)
      if (value.type == type && !(value.free & ~of) && !(value.closed & of))
        candidates.push_back(value);
    if (!candidates.empty())
      return choose(candidates);
  }
  switch (pick(0, 9)) {
  case 0:
    return {constant(number(type), type), type};
  case 1:
    if (arguments.size() < 10)
      return {argument(type), type};
    break;
  case 2:
    if (of && !isFloat(type)) {
      unsigned range = shuffled(of).front();
      return define(type, {{"", "index", 1u << range}},
                    "arith.index_cast " + ranges[range].name + " : index to " +
                        type);
    }
    break;
  case 3:
    if (arguments.size() < 10)
      return convert(load(pickType(), pickSubset(of, 70)), type);
    break;
  case 4:
    if (arguments.size() < 10)
      return gather(load(choose({"i32", "i8", "i64"}), pickSubset(of, 70)),
                    type);
    break;
  default:
    break;
  }
  if (arguments.size() >= 10)
    return {constant(number(type), type), type};
  return load(type, pickSubset(of, 75));
}

Value Generator::convert(Value from, const std::string &type) {
  if (from.type == type)
    return from;
  auto cast = [&](const std::string &op) {
    return define(type, {from},
                  op + " " + from.name + " : " + from.type + " to " + type);
  };
  if (isFloat(from.type) && isFloat(type)) {
    if (width(from.type) < width(type))
      return cast("arith.extf");
    if (width(from.type) > width(type))
      return cast("arith.truncf");
    return convert(
        define("f32", {from},
               "arith.extf " + from.name + " : " + from.type + " to f32"),
        type);
  }
  if (isFloat(type))
    return cast(from.type == "i1" || chance(40) ? "arith.uitofp"
                                                : "arith.sitofp");
  if (isFloat(from.type)) {
    // What does not fit the integer would be undefined.
    if (type == "i1" || chance(30)) {
      std::string zero = constant("0.5", from.type);
      return convert(define("i1", {from},
                            "arith.cmpf ogt, " + from.name + ", " + zero +
                                " : " + from.type),
                     type);
    }
    std::string limit = constant("100.0", from.type);
    std::string zero = constant("0.0", from.type);
    std::string magnitude = fresh(), fits = fresh(), value = fresh();
    line(magnitude + " = math.absf " + from.name + " : " + from.type);
    line(fits + " = arith.cmpf olt, " + magnitude + ", " + limit + " : " +
         from.type);
    line(value + " = arith.select " + fits + ", " + from.name + ", " + zero +
         " : " + from.type);
    return define(type, {from},
                  "arith.fptosi " + value + " : " + from.type + " to " + type);
  }
  if (width(from.type) > width(type))
    return cast("arith.trunci");
  return cast(chance(50) ? "arith.extui" : "arith.extsi");
}

Value Generator::condition(RangeSet of, unsigned depth) {
  if (of && chance(40)) {
    unsigned range = shuffled(of).front();
    std::string bound = index(pick(0, ranges[range].extent));
    return define("i1", {{"", "index", 1u << range}},
                  "arith.cmpi " + choose({"slt", "ne", "ult", "sge"}) + ", " +
                      ranges[range].name + ", " + bound + " : index");
  }
  std::string type = pickType();
  Value a = expression(type, of, depth), b = expression(type, of, 0);
  if (!fit(a, b))
    b = a;
  if (isFloat(type))
    return define(
        "i1", {a, b},
        "arith.cmpf " +
            choose({"olt", "ole", "ogt", "oge", "oeq", "one", "ord", "ult",
                    "ule", "ugt", "uge", "ueq", "une", "uno"}) +
            ", " + a.name + ", " + b.name + " : " + type);
  return define("i1", {a, b},
                "arith.cmpi " +
                    choose({"eq", "ne", "slt", "sle", "sgt", "sge", "ult",
                            "ule", "ugt", "uge"}) +
                    ", " + a.name + ", " + b.name + " : " + type);
}

Value Generator::floatOperation(const std::string &type, RangeSet of,
                                unsigned depth) {
  Value a = expression(type, of, depth - 1);
  Value b = expression(type, of, depth - 1);
  if (!fit(a, b))
    b = a;
  auto binary = [&](const std::string &op) {
    return define(type, {a, b},
                  op + " " + a.name + ", " + b.name + " : " + type);
  };
  switch (pick(0, 9)) {
  case 0:
    return binary(choose({"arith.maximumf", "arith.minimumf", "arith.maxnumf",
                          "arith.minnumf"}));
  case 1:
    return define(
        type, {a},
        choose({"arith.negf", "math.absf", "math.floor", "math.ceil",
                "math.trunc", "math.roundeven", "math.sqrt", "math.round"}) +
            " " + a.name + " : " + type);
  case 2:
    if (chance(25)) {
      // The sign of an integer: that of a NaN is nobody's.
      b = convert(leaf("i32", of), type);
      return fit(a, b) ? binary("math.copysign") : a;
    }
    return binary(choose({"arith.divf", "arith.divf", "arith.remf"}));
  case 3: {
    Value c = leaf(type, of);
    if (!fit(a, c) || !fit(b, c))
      c = a;
    return define(type, {a, b, c},
                  "math.fma " + a.name + ", " + b.name + ", " + c.name + " : " +
                      type);
  }
  case 4:
  case 5: { // A product in a sum, which contraction fuses.
    Value product = binary("arith.mulf");
    Value c = leaf(type, of);
    if (!fit(product, c))
      c = a;
    bool first = chance(50);
    return define(type, {product, c},
                  choose({"arith.addf ", "arith.subf "}) +
                      (first ? product : c).name + ", " +
                      (first ? c : product).name + " : " + type);
  }
  default:
    return binary(choose({"arith.addf", "arith.subf", "arith.mulf"}));
  }
}

Value Generator::integerOperation(const std::string &type, RangeSet of,
                                  unsigned depth) {
  Value a = expression(type, of, depth - 1);
  Value b = expression(type, of, depth - 1);
  if (!fit(a, b))
    b = a;
  auto binary = [&](const std::string &op, const std::string &right) {
    return define(type, {a, b},
                  op + " " + a.name + ", " + right + " : " + type);
  };
  switch (type == "i1" ? 9 : pick(0, 9)) {
  case 0:
  case 1: { // Divisors from 1 to 8.
    std::string low = fresh(), divisor = fresh();
    std::string seven = constant("7", type), one = constant("1", type);
    line(low + " = arith.andi " + b.name + ", " + seven + " : " + type);
    line(divisor + " = arith.addi " + low + ", " + one + " : " + type);
    return binary(
        choose({"arith.divsi", "arith.divui", "arith.remsi", "arith.remui",
                "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"}),
        divisor);
  }
  case 2:
    return binary(choose({"arith.shli", "arith.shrsi", "arith.shrui"}),
                  constant(std::to_string(pick(0, width(type) - 1)), type));
  case 3:
    return binary(
        choose({"arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui"}),
        b.name);
  case 4:
    return define(
        type, {a},
        choose({"math.ctpop", "math.ctlz", "math.cttz", "math.absi"}) + " " +
            a.name + " : " + type);
  default:
    return binary(choose({"arith.addi", "arith.subi", "arith.muli",
                          "arith.andi", "arith.ori", "arith.xori"}),
                  b.name);
  }
}

Value Generator::expression(const std::string &type, RangeSet of,
                            unsigned depth) {
  if (depth == 0)
    return leaf(type, of);
  if (chance(15)) {
    Value where = condition(of, 0);
    Value a = expression(type, of, depth - 1);
    Value b = expression(type, of, depth - 1);
    if (!fit(a, b))
      b = a;
    if (!fit(where, a) || !fit(where, b))
      return a;
    return define(type, {where, a, b},
                  "arith.select " + where.name + ", " + a.name + ", " + b.name +
                      " : " + type);
  }
  if (chance(15))
    return convert(expression(pickType(), of, depth - 1), type);
  return isFloat(type) ? floatOperation(type, of, depth)
                       : integerOperation(type, of, depth);
}

/// A reduction over some ranges of a value that is free in others as well.
Value Generator::reduce(const std::string &type, RangeSet of, RangeSet over) {
  Value value = expression(type, of | over, pick(0, 2));
  if (value.closed & over)
    return leaf(type, of);
  std::string kind;
  if (isFloat(type))
    kind = choose({"add", "add", "add", "mul", "maximumf", "minimumf",
                   "maxnumf", "minnumf"});
  else
    kind = choose({"add", "add", "mul", "maxsi", "minsi", "maxui", "minui",
                   "and", "or", "xor"});
  std::string mask;
  Value where = value;
  if (chance(25)) {
    where = condition(of | over, 0);
    if (fit(value, where) && !(where.closed & over))
      mask = " mask " + where.name;
    else
      where = value;
  }
  std::string list = writeOver(over);
  Value result = define(type, {value, where},
                        "uop.reduce " + kind + " " + value.name + list + mask +
                            " : " + type);
  pool.pop_back();
  result.free &= ~over;
  result.closed |= over;
  pool.push_back(result);
  return result;
}

/// The general form: the largest value and where it is.
Value Generator::argmax(RangeSet of, RangeSet over) {
  Value value = expression("f32", of | over, 1);
  if (value.closed & over)
    return leaf("i32", of);
  unsigned range = shuffled(over).front();
  Value at =
      define("i32", {{"", "index", 1u << range}},
             "arith.index_cast " + ranges[range].name + " : index to i32");
  std::string lowest = constant("0xFF800000", "f32");
  std::string none = constant("-1", "i32");
  Value best{fresh(), "f32"}, where{fresh(), "i32"};
  best.free = (value.free | at.free) & ~over;
  best.closed = value.closed | over;
  where.free = best.free, where.closed = best.closed;
  line(best.name + ", " + where.name + " = uop.reduce (" + value.name + ", " +
       at.name + ") init(" + lowest + ", " + none + ")" + writeOver(over) +
       " combine (%b: f32, %a: i32, %y: f32, %k: i32) {");
  line("  %more = arith.cmpf ogt, %y, %b : f32");
  line("  %b1 = arith.select %more, %y, %b : f32");
  line("  %a1 = arith.select %more, %k, %a : i32");
  line("  uop.yield %b1, %a1 : f32, i32");
  line("} : f32, i32");
  pool.push_back(best);
  pool.push_back(where);
  return where;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

std::string Generator::run(const std::string &name) {
  if (chance(35))
    addMappedAxes();
  else
    addUnmappedAxes();
  addReductions();

  for (RangeSet domain : domains) {
    std::string type = pickType();
    RangeSet rest = reductions;
    if (rest) {
      // All at once, one after the other, or one inside of the other.
      RangeSet over = pickSubset(rest, 70);
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
    Value value = expression(type, domain, pick(0, 3));
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
  return "uop.kernel @" + name + "(" + llvm::join(arguments, ", ") + ") {\n" +
         body + "}\n";
}

std::string uop::makeRandomKernel(uint64_t seed, const std::string &name) {
  return Generator(seed).run(name);
}
