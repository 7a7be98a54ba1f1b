//===- RandomValues.cpp - What random kernels compute ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGenerator.h"

using namespace uop;

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
    if (of && !isFloat(type) && !(isContiguous && chance(90))) {
      unsigned range = shuffled(of).front();
      return define(type, {{"", "index", 1u << range}},
                    "arith.index_cast " + ranges[range].name + " : index to " +
                        type);
    }
    break;
  case 3:
    if (arguments.size() < 10)
      return convert(load(pickType(), pickSubset(of, isContiguous ? 98 : 70)),
                     type);
    break;
  case 4:
    if (arguments.size() < 10)
      return gather(load(choose({"i32", "i8", "i64"}),
                         pickSubset(of, isContiguous ? 98 : 70)),
                    type);
    break;
  default:
    break;
  }
  if (arguments.size() >= 10)
    return {constant(number(type), type), type};
  return load(type, pickSubset(of, isContiguous ? 98 : 75));
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
  if (of && chance(isContiguous ? 5 : 40)) {
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
    // Divisors that nobody can prove to be other than zero.
    if (arguments.size() < 10) {
      Value divisor = load(type, pickSubset(of, isContiguous ? 98 : 75),
                           ArgumentRule::Divisors);
      if (!fit(a, divisor))
        return a;
      return define(
          type, {a, divisor},
          choose({"arith.divsi", "arith.divui", "arith.remsi", "arith.remui",
                  "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"}) +
              " " + a.name + ", " + divisor.name + " : " + type);
    }
    [[fallthrough]];
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
  Value value = expression(type, of | over, pickDepth());
  if (value.closed & over)
    return leaf(type, of);
  std::string kind;
  if (isFloat(type) && isReordered)
    kind = choose({"maximumf", "minimumf", "maxnumf", "minnumf"});
  else if (isFloat(type))
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

/// A sum, with the sum of the magnitudes, or a product of floats, to memory.
void Generator::reduceInAnyOrder(const std::string &type, RangeSet of,
                                 RangeSet over) {
  Value value = expression(type, of | over, pickDepth());
  if ((value.closed & over) || arguments.size() > 12)
    return;
  std::string mask;
  if (chance(25)) {
    Value where = condition(of | over, 0);
    if (fit(value, where) && !(where.closed & over))
      mask = " mask " + where.name;
  }
  int64_t terms = 1;
  for (unsigned range : shuffled(over))
    terms *= ranges[range].extent;
  std::string list = writeOver(over);
  auto reduce = [&](StringRef kind, const Value &of) {
    std::string name = fresh();
    line(name + " = uop.reduce " + kind + " " + of.name + list + mask + " : " +
         type);
    return Value{name, type};
  };
  if (chance(20) && type != "f16") {
    // Magnitudes near 1, so that no product leaves the range of the type.
    std::string least = constant("-1.25", type), most = constant("1.25", type);
    std::string one = constant("0.75", type), low = fresh(), both = fresh();
    line(low + " = arith.maxnumf " + value.name + ", " + least + " : " + type);
    line(both + " = arith.minnumf " + low + ", " + most + " : " + type);
    std::string magnitude = fresh(), isSmall = fresh(), factor = fresh();
    line(magnitude + " = math.absf " + both + " : " + type);
    line(isSmall + " = arith.cmpf olt, " + magnitude + ", " + one + " : " +
         type);
    line(factor + " = arith.select " + isSmall + ", " + one + ", " + both +
         " : " + type);
    unsigned product = storeResults(reduce("mul", {factor, type}), of);
    rules[product].terms = terms;
    return;
  }
  std::string magnitude = fresh();
  line(magnitude + " = math.absf " + value.name + " : " + type);
  Value sum = reduce("add", value), most = reduce("add", {magnitude, type});
  unsigned first = storeResults({sum, most}, of);
  for (unsigned number : {first, first + 1}) {
    rules[number].terms = terms;
    rules[number].magnitudes = first + 1;
  }
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
