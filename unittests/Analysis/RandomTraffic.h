//===- RandomTraffic.h - Random kernels that access memory ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_ANALYSIS_RANDOMTRAFFIC_H
#define UOP_UNITTESTS_ANALYSIS_RANDOMTRAFFIC_H

#include "Uop/IR/Uop.h"
#include "mlir/Parser/Parser.h"
#include <random>
#include <string>
#include <vector>

namespace uop::test {

/// A kernel that is parsed from text.
class ParsedKernel {
public:
  explicit ParsedKernel(mlir::MLIRContext &context, const std::string &text,
                        bool verifies = true)
      : module(mlir::parseSourceString<mlir::ModuleOp>(
            text,
            mlir::ParserConfig(&context, /*verifyAfterParse=*/verifies))) {}
  explicit operator bool() const { return bool(module); }
  KernelOp get() { return *module->getOps<KernelOp>().begin(); }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Index arithmetic at random, as lines of text, on values by name.
class RandomArithmetic {
public:
  explicit RandomArithmetic(std::mt19937 &random) : random(random) {}

  std::string makeIndex(std::string &text, std::vector<std::string> &values) {
    static const char *constants[] = {"%c1", "%c2",  "%c3",  "%c4",
                                      "%c8", "%c12", "%c16", "%c33"};
    auto constant = [&] { return std::string(constants[random() % 8]); };
    auto value = [&] { return values[random() % values.size()]; };
    std::string result = "%v" + std::to_string(next++);
    auto binary = [&](std::string op, std::string a, std::string b) {
      text += result + " = " + op + " " + a + ", " + b +
              (op.rfind("uop.", 0) == 0 ? "\n" : " : index\n");
    };
    switch (random() % 14) {
    case 0:
    case 1:
    case 2:
      binary("arith.addi", value(), value());
      break;
    case 3:
      binary("arith.subi", value(), value());
      break;
    case 4:
    case 5:
      binary("arith.muli", value(), constant());
      break;
    case 6:
      binary("uop.floordiv", value(), constant());
      break;
    case 7:
      binary("uop.floormod", value(), constant());
      break;
    case 8:
      binary("arith.xori", value(), value());
      break;
    case 9: {
      static const char *ops[] = {"arith.minsi", "arith.maxsi", "arith.andi",
                                  "arith.divsi", "arith.remsi"};
      binary(ops[random() % 5], value(), constant());
      break;
    }
    case 10: {
      std::string low = result + "_low";
      text += low + " = uop.floormod " + value() + ", %c8\n";
      binary("arith.xori", value(), low);
      break;
    }
    case 11:
      binary("arith.shli", value(), "%c2");
      break;
    case 12: {
      std::string narrow = result + "_i8",
                  condition = makeCondition(text, values);
      text += narrow + " = arith.index_cast " + value() + " : index to i8\n" +
              narrow + "s = arith.addi " + narrow + ", " + narrow + " : i8\n" +
              narrow + "w = arith.index_cast " + narrow + "s : i8 to index\n" +
              result + " = arith.select " + condition + ", " + narrow + "w, " +
              value() + " : index\n";
      break;
    }
    default: {
      std::string condition = makeCondition(text, values);
      text += result + " = arith.select " + condition + ", " + value() + ", " +
              value() + " : index\n";
      break;
    }
    }
    values.push_back(result);
    return result;
  }

  std::string makeCondition(std::string &text,
                            const std::vector<std::string> &values) {
    static const char *predicates[] = {"slt", "sge", "eq", "ne", "ult", "sle"};
    std::string result = "%p" + std::to_string(next++);
    std::string bound = random() % 3
                            ? std::string("%c") + (random() % 2 ? "33" : "100")
                            : values[random() % values.size()];
    text += result + " = arith.cmpi " + predicates[random() % 6] + ", " +
            values[random() % values.size()] + ", " + bound + " : index\n";
    return result;
  }

private:
  std::mt19937 &random;
  unsigned next = 0;
};

/// A kernel with two loops, one in the other, guards, and accesses at indices
/// brought into the bounds of what they access.
class RandomTraffic {
public:
  explicit RandomTraffic(unsigned seed) : random(seed), arithmetic(random) {}

  std::string make() {
    static const char *blocks[][2] = {
        {"32", "1"}, {"16", "8"}, {"8", "6"}, {"40", "2"}};
    const char **block = blocks[random() % 4];
    std::string text =
        "!s = memref<8192xf32, #gpu.address_space<workgroup>>\n"
        "!g = memref<1048576xf32>\n"
        "uop.kernel loops @k(%g: !g, %h: memref<1048576xf16>) {\n"
        "%bx = uop.range global<x> " +
        std::to_string(1 + random() % 14) + "\n%by = uop.range global<y> " +
        std::to_string(1 + random() % 6) + "\n%tx = uop.range local<x> " +
        block[0] + "\n%ty = uop.range local<y> " + block[1] +
        "\n%s = uop.alloc : !s\n"
        "%x = arith.constant 0.0 : f32\n"
        "%large = arith.constant 1048572 : index\n"
        "%shared = arith.constant 8192 : index\n";
    for (int constant : {0, 1, 2, 3, 4, 8, 12, 16, 33, 64, 100})
      text += "%c" + std::to_string(constant) + " = arith.constant " +
              std::to_string(constant) + " : index\n";
    std::vector<std::string> values = {"%bx", "%by", "%tx", "%ty", "%tx"};
    makeBody(text, values, 3);
    makeLoop(text, values, 2);
    return text + "}\n";
  }

private:
  void makeLoop(std::string &text, std::vector<std::string> values,
                unsigned depth) {
    static const char *lows[] = {"%c0", "%c3", "%tx", "%bx"};
    static const char *highs[] = {"%c8", "%c33", "%c12", "%c64", "%m"};
    static const char *steps[] = {"%c1", "%c2", "%c3", "%c8"};
    std::string variable = "%i" + std::to_string(depth);
    std::string low = lows[random() % 4], high = highs[random() % 5];
    if (high == "%m") {
      high += std::to_string(depth);
      text += high + " = arith.addi " + low + ", %c16 : index\n";
    }
    bool carries = random() % 5 == 0;
    std::string carried = "%a" + std::to_string(depth);
    if (carries)
      text += "%r" + std::to_string(depth) + " = ";
    text += "scf.for " + variable + " = " + low + " to " + high + " step " +
            steps[random() % 4];
    if (carries)
      text += " iter_args(" + carried + " = %tx) -> (index)";
    text += " {\n";
    values.push_back(variable);
    values.push_back(variable);
    if (carries)
      values.push_back(carried);
    makeBody(text, values, 2);
    if (depth > 1)
      makeLoop(text, values, depth - 1);
    if (carries)
      text += carried + "n = arith.addi " + carried +
              ", %c3 : index\nscf.yield " + carried + "n : index\n";
    text += "}\n";
  }

  void makeBody(std::string &text, std::vector<std::string> &values,
                unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned j = random() % 4; j > 0; --j)
        arithmetic.makeIndex(text, values);
      bool isGuarded = random() % 2;
      if (isGuarded)
        text += "scf.if " + arithmetic.makeCondition(text, values) + " {\n";
      // Indices of the guard stay in it.
      std::vector<std::string> inner = values;
      std::string index = inner[random() % inner.size()];
      std::string at = "%at" + std::to_string(next++);
      bool isShared = random() % 2;
      text += at + " = uop.floormod " + index +
              (isShared ? ", %shared\n" : ", %large\n");
      switch (isShared ? random() % 2 : 2 + random() % 3) {
      case 0:
        text += "memref.store %x, %s[" + at + "] : !s\n";
        break;
      case 1:
        text += at + "x = memref.load %s[" + at + "] : !s\n";
        break;
      case 2:
        text += at + "x = memref.load %g[" + at + "] : !g\n";
        break;
      case 3:
        text += at + "x = vector.load %g[" + at + "] : !g, vector<4xf32>\n";
        break;
      case 4:
        text += at + "x = memref.load %h[" + at + "] : memref<1048576xf16>\n";
        break;
      }
      if (isGuarded)
        text += "}\n";
    }
  }

  std::mt19937 random;
  RandomArithmetic arithmetic;
  unsigned next = 0;
};

} // namespace uop::test

#endif // UOP_UNITTESTS_ANALYSIS_RANDOMTRAFFIC_H
