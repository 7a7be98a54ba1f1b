//===- RandomValues.cpp - Expressions of random programs ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"

using namespace uop::simt;

std::string ProgramWriter::pickType() {
  if (isPlain)
    return choose({"i32", "f32", "i64", "index", "f64", "vector<4xf32>"});
  return choose({"i32", "i32", "i32", "f32", "f32", "f32", "f32", "i1", "i8",
                 "i16", "i64", "index", "f16", "bf16", "f64", "f64",
                 "vector<4xf32>", "vector<4xi32>"});
}

std::string ProgramWriter::literal(StringRef type) {
  if (type == "i1")
    return chance(50) ? "true" : "false";
  if (isVector(type)) {
    std::string text = "dense<[";
    for (int i = 0; i < 4; ++i)
      text += (i ? ", " : "") + literal(elementOf(type));
    return text + "]>";
  }
  if (!isFloat(type)) {
    if (type == "i8")
      return std::to_string(pick(-128, 127));
    return std::to_string(chance(70) ? pick(-5, 20) : pick(-30000, 30000));
  }
  if (chance(10))
    return type == "f64"   ? choose({"0x7FF8000000000000", "0x7FF0000000000000",
                                     "0x8000000000000000"})
           : type == "f32" ? choose({"0x7FC00000", "0x7F800000", "0x80000000"})
           : type == "f16" ? choose({"0x7E00", "0x7C00", "0x8000"})
                           : choose({"0x7FC0", "0x7F80", "0x8000"});
  return choose({"0.0", "1.0", "-1.5", "0.1", "3.0", "-7.25", "1.0e+2",
                 "1.0e-3", "0.333"});
}

Named ProgramWriter::apply(const Twine &op, Named left, Named right) {
  return define(left.type, std::max(left.level, right.level),
                op + " " + left.name + ", " + right.name + " : " + left.type);
}

Named ProgramWriter::binary(StringRef op, StringRef type, unsigned depth,
                            Level most) {
  Named left = value(type, depth, most), right = value(type, depth, most);
  return apply(op, left, right);
}

Named ProgramWriter::leaf(StringRef type, Level most) {
  std::vector<Named> known;
  for (const Named &named : pool)
    if (named.type == type && named.level <= most)
      known.push_back(named);
  // What was made last most of all, so that values depend on each other.
  if (!known.empty() && chance(80))
    return known[known.size() - 1 -
                 std::min(pick(0, known.size() - 1),
                          pick(0, known.size() - 1))];
  if (chance(15))
    return isVector(type) || type == "i1"
               ? define(type, Level::Block,
                        "arith.constant " + literal(type) +
                            (type == "i1" ? "" : " : " + type.str()))
               : number(type, literal(type));
  for (const Shared &memory : shared)
    if (isReadable && memory.element == elementOf(type) && chance(40))
      return isVector(type) ? loadInput(type, most) : loadShared(memory, most);
  if (most == Level::Thread && chance(40))
    for (const Private &memory : privates)
      if (memory.element == type)
        return loadPrivate(type);
  return loadInput(type, most);
}

Named ProgramWriter::value(StringRef type, unsigned depth, Level most) {
  if (depth == 0 || chance(20))
    return leaf(type, most);
  return operation(type, depth - 1, most);
}

Named ProgramWriter::operation(StringRef type, unsigned depth, Level most) {
  if (!isPlain && place != Level::Thread && most == Level::Thread &&
      chance(14) && !isVector(type) && type != "index")
    return collective(type);
  if (chance(12)) {
    Named which = value("i1", depth, most);
    Named left = value(type, depth, most), right = value(type, depth, most);
    Named result{fresh(), type.str(),
                 std::max({which.level, left.level, right.level}), 0};
    line(result.name + " = arith.select " + which.name + ", " + left.name +
         ", " + right.name + " : " + type);
    pool.push_back(result);
    return result;
  }
  if (isVector(type))
    return vectorOperation(type, depth, most);
  if (type == "i1")
    return bitOperation(depth, most);
  if (chance(15))
    return convert(type, depth, most);
  return isFloat(type) ? floatOperation(type, depth, most)
                       : integerOperation(type, depth, most);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

// By what cannot be zero, or under a guard.
Named ProgramWriter::division(StringRef type, unsigned depth, Level most) {
  std::string op = "arith." + choose({"divsi", "divui", "remsi", "remui",
                                      "floordivsi", "ceildivui", "ceildivsi"});
  Named left = value(type, depth, most);
  bool rounds = op == "arith.floordivsi" || op == "arith.ceildivsi";
  if (rounds || chance(40))
    return apply(op, left, number(type, Twine(pick(1, 13))));
  Named right = value(type, depth, most);
  Named zero = number(type, "0");
  Named isSafe =
      define("i1", right.level,
             "arith.cmpi ne, " + right.name + ", " + zero.name + " : " + type);
  if (chance(50)) {
    Named one = number(type, "1");
    Named divisor = define(type, right.level,
                           "arith.select " + isSafe.name + ", " + right.name +
                               ", " + one.name + " : " + type);
    return apply(op, left, divisor);
  }
  Named result{fresh(), type.str(), std::max(left.level, right.level), 0};
  line(result.name + " = scf.if " + isSafe.name + " -> (" + type + ") {");
  region(isSafe.level, [&] {
    Named quotient = apply(op, left, right);
    line("scf.yield " + quotient.name + " : " + type);
  });
  line("} else {");
  line("  scf.yield " + left.name + " : " + type);
  line("}");
  pool.push_back(result);
  return result;
}

Named ProgramWriter::integerOperation(StringRef type, unsigned depth,
                                      Level most) {
  if (chance(12))
    return division(type, depth, most);
  if (chance(12)) {
    Named left = value(type, depth, most), right = value(type, depth, most);
    Named mask = number(type, Twine(widthOf(type) - 1));
    Named amount = apply("arith.andi", right, mask);
    return apply("arith." + choose({"shli", "shrsi", "shrui"}), left, amount);
  }
  if (type != "index" && chance(12)) {
    Named operand = value(type, depth, most);
    return define(type, operand.level,
                  "math." + choose({"absi", "ctpop", "ctlz", "cttz"}) + " " +
                      operand.name + " : " + type);
  }
  return binary("arith." +
                    choose({"addi", "addi", "subi", "muli", "andi", "ori",
                            "xori", "maxsi", "minsi", "maxui", "minui"}),
                type, depth, most);
}

Named ProgramWriter::bitOperation(unsigned depth, Level most) {
  if (chance(20))
    return binary("arith." + choose({"andi", "ori", "xori"}), "i1", depth,
                  most);
  std::string type = choose(
      {"i32", "i32", "index", "i8", "i64", "f32", "f32", "f64", "f16", "bf16"});
  Named left = value(type, depth, most), right = value(type, depth, most);
  std::string op =
      isFloat(type)
          ? "arith.cmpf " + choose({"oeq", "ogt", "oge", "olt", "ole", "one",
                                    "ord", "ueq", "ugt", "ult", "une", "uno"})
          : "arith.cmpi " + choose({"eq", "ne", "slt", "sle", "sgt", "sge",
                                    "ult", "ule", "ugt", "uge"});
  return define("i1", std::max(left.level, right.level),
                op + ", " + left.name + ", " + right.name + " : " + type);
}

//===----------------------------------------------------------------------===//
// Floats, vectors and conversions
//===----------------------------------------------------------------------===//

Named ProgramWriter::floatOperation(StringRef type, unsigned depth,
                                    Level most) {
  if (chance(12)) {
    Named a = value(type, depth, most), b = value(type, depth, most),
          c = value(type, depth, most);
    return define(type, std::max({a.level, b.level, c.level}),
                  "math.fma " + a.name + ", " + b.name + ", " + c.name + " : " +
                      type);
  }
  if (chance(6)) {
    // The sign of a NaN may be any.
    Named left = value(type, depth, most), right = value("i8", depth, most);
    Named sign = define(type, right.level,
                        "arith.sitofp " + right.name + " : i8 to " + type);
    return apply("math.copysign", left, sign);
  }
  if (chance(25)) {
    Named operand = value(type, depth, most);
    return define(type, operand.level,
                  choose({"arith.negf", "math.absf", "math.sqrt", "math.floor",
                          "math.ceil", "math.trunc", "math.roundeven"}) +
                      " " + operand.name + " : " + type);
  }
  return binary(choose({"arith.addf", "arith.addf", "arith.subf", "arith.mulf",
                        "arith.mulf", "arith.divf", "arith.maximumf",
                        "arith.minimumf", "arith.maxnumf", "arith.minnumf"}),
                type, depth, most);
}

Named ProgramWriter::vectorOperation(StringRef type, unsigned depth,
                                     Level most) {
  StringRef element = elementOf(type);
  switch (pick(0, 3)) {
  case 0: {
    Named scalar = value(element, depth, most);
    return define(type, scalar.level,
                  "vector.broadcast " + scalar.name + " : " + element + " to " +
                      type);
  }
  case 1: {
    Named scalar = value(element, depth, most);
    Named vector = value(type, depth, most);
    return define(type, std::max(scalar.level, vector.level),
                  "vector.insert " + scalar.name + ", " + vector.name + " [" +
                      Twine(pick(0, 3)) + "] : " + element + " into " + type);
  }
  default:
    return binary(isFloat(element) ? choose({"arith.addf", "arith.mulf",
                                             "arith.subf", "arith.maximumf"})
                                   : choose({"arith.addi", "arith.muli",
                                             "arith.xori", "arith.maxsi"}),
                  type, depth, most);
  }
}

Named ProgramWriter::convert(StringRef type, unsigned depth, Level most) {
  std::string from = choose({"i8", "i16", "i32", "i64", "f16", "bf16", "f32",
                             "f64", "index", "i1", "vector<4xf32>"});
  bool fromIndex = from == "index", toIndex = type == "index";
  if (from == type || isVector(from) || fromIndex != toIndex) {
    // Elements of vectors, and what only some types have.
    if (type == "f32" || type == "i32") {
      Named vector = value("vector<4x" + type.str() + ">", depth, most);
      return define(type, vector.level,
                    "vector.extract " + vector.name + "[" + Twine(pick(0, 3)) +
                        "] : " + type + " from " + vector.type);
    }
    if (isFloat(type))
      return floatOperation(type, depth, most);
    if (toIndex) {
      // No arithmetic of few bits becomes part of an address: that it wraps
      // there is something that checked mode finds.
      return integerOperation(type, depth, most);
    }
    Named operand = value("index", depth, most);
    return define(type, operand.level,
                  choose({"arith.index_cast", "arith.index_castui"}) + " " +
                      operand.name + " : index to " + type);
  }
  Named operand = value(from, depth, most);
  auto cast = [&](const Twine &op, StringRef to) {
    return define(to, operand.level,
                  op + " " + operand.name + " : " + operand.type + " to " + to);
  };
  if (!isFloat(from) && !isFloat(type)) {
    if (widthOf(from) < widthOf(type))
      return cast("arith." + choose({"extsi", "extui"}), type);
    return cast("arith.trunci", type);
  }
  if (!isFloat(from))
    return cast("arith." + choose({"sitofp", "uitofp"}), type);
  if (isFloat(type)) {
    if (widthOf(from) == widthOf(type))
      operand = cast("arith.extf", "f32");
    return cast(widthOf(operand.type) < widthOf(type) ? "arith.extf"
                                                      : "arith.truncf",
                type);
  }
  // A number that the integer type has, also of a NaN.
  bool isSigned = chance(50);
  Named low = number(from, isSigned ? "-1.0e+2" : "0.0");
  Named high = number(from, "1.0e+2");
  operand = apply("arith.minnumf", apply("arith.maxnumf", operand, low), high);
  return cast(isSigned ? "arith.fptosi" : "arith.fptoui", type);
}
