//===- RandomMemory.cpp - Accesses of random kernels ----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGenerator.h"

using namespace uop;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// An index that the range determines, and how many there are.
Generator::Index Generator::indexOf(unsigned range, bool injective) {
  const Range &r = ranges[range];
  if (chance(isContiguous ? 97 : 40))
    return {r.name, r.extent};
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
    return {r.name, chance(50) ? r.extent : last + 1};
  }
}

std::string Generator::makeType(ArrayRef<int64_t> shape, StringRef element) {
  std::string text = "memref<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  text += element;
  if (!shape.empty() && chance(isContiguous ? 2 : 20)) {
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
Value Generator::load(StringRef element, RangeSet of, ArgumentRule::Kind kind) {
  std::vector<unsigned> order = shuffled(of);
  if (isContiguous)
    llvm::sort(order);
  else if (order.size() > 4)
    order.resize(4);
  std::vector<Index> indices;
  Value from{"", "index"};
  for (unsigned range : order) {
    indices.push_back(indexOf(range, false));
    from.free |= 1u << range;
  }
  // Two ranges in one index, as in a convolution.
  if (indices.size() >= 2 && !isContiguous && chance(15)) {
    std::string sum = fresh();
    line(sum + " = arith.addi " + indices[0].name + ", " + indices[1].name +
         " : index");
    indices[1] = {sum,
                  std::max<int64_t>(indices[0].size + indices[1].size - 1, 0)};
    indices.erase(indices.begin());
  }
  std::string mask;
  if (!indices.empty() && chance(isContiguous ? 3 : 20)) {
    // A dimension that is too small: the mask guards what is beyond.
    Index &guarded = indices[pick(0, indices.size() - 1)];
    if (guarded.size > 1)
      guarded.size -= pick(1, (guarded.size + 1) / 2);
    Value bound{index(guarded.size), "index"};
    Value inside = define("i1", {from, bound},
                          "arith.cmpi slt, " + guarded.name + ", " +
                              bound.name + " : index");
    mask = " mask " + inside.name;
    if (kind == ArgumentRule::Divisors)
      mask += " else " + constant("3", element);
    else if (chance(50))
      mask += " else " + constant(number(element.str()), element);
  }
  std::vector<int64_t> shape;
  std::vector<std::string> names;
  for (const Index &index : indices) {
    shape.push_back(index.size);
    names.push_back(index.name);
  }
  std::string type = makeType(shape, element);
  std::string buffer = argument(type, kind);
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
  if (isContiguous)
    llvm::sort(order);
  for (unsigned range : order) {
    Index index = indexOf(range, true);
    shape.push_back(index.size + (!isContiguous && chance(10) ? 2 : 0));
    names.push_back(index.name);
  }
  // Two dimensions as one: i * width + j.
  if (names.size() >= 2 && chance(isContiguous ? 5 : 25)) {
    std::string width = index(shape[1]), row = fresh(), sum = fresh();
    line(row + " = arith.muli " + names[0] + ", " + width + " : index");
    line(sum + " = arith.addi " + row + ", " + names[1] + " : index");
    names[1] = sum;
    shape[1] *= shape[0];
    names.erase(names.begin());
    shape.erase(shape.begin());
  }
  std::string mask;
  if (chance(isContiguous ? 4 : 25)) {
    Value where = condition(domain, 1);
    if (fit(value, where))
      mask = " mask " + where.name;
  }
  std::string type = makeType(shape, value.type);
  std::string buffer = argument(type);
  line("uop.store " + value.name + ", " + buffer + "[" +
       llvm::join(names, ", ") + "]" + writeOver(domain) + mask + " : " + type);
}

/// Stores results of one type to buffers of their own, which are laid out
/// alike; returns the number of the first of these arguments.
unsigned Generator::storeResults(ArrayRef<Value> values, RangeSet domain) {
  std::vector<int64_t> shape;
  std::vector<std::string> names;
  for (unsigned range : shuffled(domain)) {
    shape.push_back(ranges[range].extent);
    names.push_back(ranges[range].name);
  }
  std::string type = makeType(shape, values.front().type);
  std::string over = writeOver(domain);
  for (const Value &value : values)
    line("uop.store " + value.name + ", " + argument(type) + "[" +
         llvm::join(names, ", ") + "]" + over + " : " + type);
  return rules.size() - values.size();
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
