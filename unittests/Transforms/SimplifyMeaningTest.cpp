//===- SimplifyMeaningTest.cpp - Simplified kernels mean the same ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random kernels that store what index arithmetic computes, through all ops
// that --uop-simplify reads, or what they read there under a mask: on the
// reference interpreter they give the same before and after it, and do not
// grow.
//
//===----------------------------------------------------------------------===//

#include "Uop/Interpreter/Interpreter.h"
#include "Uop/Transforms/Simplify.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace uop;

/// A kernel of some 20 ops; the last eight values and conditions are stored, or
/// index a table under a mask.
static std::string makeKernel(std::mt19937_64 &random) {
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  };
  std::string text = "uop.kernel @k(%out: memref<8x5x6xi32>, "
                     "%table: memref<2x24xi32>) {\n"
                     "%x = uop.range loop 5\n%y = uop.range loop 6\n";
  std::vector<std::string> values = {"%x", "%y"}, conditions;
  for (int64_t number : {0, 1, 2, 3, 4, 6, 8, -4, -1}) {
    values.push_back("%c" + std::to_string(values.size()));
    text += values.back() + " = arith.constant " + std::to_string(number) +
            " : index\n";
  }
  auto value = [&] {
    // Recent values make deep expressions.
    size_t size = values.size();
    return values[pick(0, 1) ? pick(size - std::min<size_t>(size, 4), size - 1)
                             : pick(0, size - 1)];
  };
  text += "%d2 = arith.constant 2 : index\n%d3 = arith.constant 3 : index\n"
          "%d4 = arith.constant 4 : index\n%d8 = arith.constant 8 : index\n"
          "%dm4 = arith.constant -4 : index\n%yes = arith.constant true\n";
  std::vector<std::string> divisors = {"%d2", "%d3", "%d4", "%d8", "%dm4"};
  static const char *const linear[] = {"arith.addi",  "arith.subi",
                                       "arith.addi",  "arith.minsi",
                                       "arith.maxsi", "arith.minui"};
  static const char *const divisions[] = {
      "uop.floordiv", "uop.floormod",     "uop.floordiv",
      "uop.floormod", "arith.divsi",      "arith.remsi",
      "arith.remui",  "arith.floordivsi", "arith.ceildivsi"};
  static const char *const predicates[] = {"slt", "sle", "sgt", "sge",
                                           "eq",  "ne",  "ult", "uge"};
  for (unsigned i = 0; i < 20; ++i) {
    std::string name = "%v" + std::to_string(i);
    int64_t choice = pick(0, 9);
    if (choice < 4) {
      text += name + " = " + linear[pick(0, 5)] + " " + value() + ", " +
              value() + " : index\n";
      values.push_back(name);
    } else if (choice < 5) {
      text += name + " = arith.muli " + value() + ", " +
              divisors[pick(0, divisors.size() - 1)] + " : index\n";
      values.push_back(name);
    } else if (choice < 8) {
      std::string op = divisions[pick(0, 8)];
      // Unsigned quotients of negative numbers would overflow in a sum.
      bool isUnsigned = op == "arith.remui";
      text += name + " = " + op + " " + (isUnsigned ? "%y" : value()) + ", " +
              divisors[pick(0, divisors.size() - 1)] +
              (op[0] == 'a' ? " : index\n" : "\n");
      values.push_back(name);
    } else if (choice == 8 || conditions.empty()) {
      text += name + " = arith.cmpi " + predicates[pick(0, 7)] + ", " +
              value() + ", " + value() + " : index\n";
      conditions.push_back(name);
    } else if (pick(0, 2) != 0) {
      text += name + " = arith.select " +
              conditions[pick(0, conditions.size() - 1)] + ", " + value() +
              ", " + value() + " : index\n";
      values.push_back(name);
    } else {
      static const char *const logic[] = {"arith.andi", "arith.ori",
                                          "arith.xori"};
      int64_t op = pick(0, 2);
      text += name + " = " + logic[op] + " " +
              conditions[pick(0, conditions.size() - 1)] + ", " +
              (op == 2 ? "%yes" : conditions[pick(0, conditions.size() - 1)]) +
              " : i1\n";
      conditions.push_back(name);
    }
  }
  for (unsigned i = 0; i < 8; ++i) {
    std::string name = std::to_string(i);
    bool isCondition = i < 3 && !conditions.empty();
    // Where the mask is false the index may be out of bounds.
    if (!isCondition && !conditions.empty() && pick(0, 1)) {
      std::string index = values[values.size() - 1 - i];
      std::string row = value();
      text += "%at" + name + " = arith.constant " + name + " : index\n%n" +
              name + " = arith.constant 24 : index\n";
      auto compare = [&](const char *result, const char *predicate,
                         const std::string &a, const std::string &b) {
        text += result + name + " = arith.cmpi " + predicate + ", " + a + ", " +
                b + " : index\n";
      };
      auto conjoin = [&](const char *result, const std::string &a,
                         const std::string &b) {
        text += result + name + " = arith.andi " + a + ", " + b + " : i1\n";
      };
      compare("%low", "sge", index, "%c2");
      compare("%high", "slt", index, "%n" + name);
      compare("%first", "sge", row, "%c2");
      compare("%last", "slt", row, "%c4");
      conjoin("%p", "%low" + name, "%high" + name);
      conjoin("%q", "%first" + name, "%last" + name);
      conjoin("%in", "%p" + name, "%q" + name);
      conjoin("%mask", "%in" + name,
              conditions[pick(0, conditions.size() - 1)]);
      text += "%r" + name + " = uop.load %table[" + row + ", " + index +
              "] mask %mask" + name + " : memref<2x24xi32>\nuop.store %r" +
              name + ", %out[%at" + name +
              ", %x, %y] over(%x, %y) : memref<8x5x6xi32>\n";
      continue;
    }
    text +=
        "%at" + name + " = arith.constant " + name + " : index\n%r" + name +
        (isCondition
             ? " = arith.extui " + conditions[pick(0, conditions.size() - 1)] +
                   " : i1 to i32\n"
             : " = arith.index_cast " + values[values.size() - 1 - i] +
                   " : index to i32\n") +
        "uop.store %r" + name + ", %out[%at" + name +
        ", %x, %y] over(%x, %y) : memref<8x5x6xi32>\n";
  }
  return text + "}\n";
}

static bool run(KernelOp kernel, std::vector<int32_t> &memory) {
  BufferArgument buffer;
  buffer.data = reinterpret_cast<uint8_t *>(memory.data());
  buffer.elementType = IntegerType::get(kernel.getContext(), 32);
  buffer.shape = {8, 5, 6};
  buffer.strides = {30, 6, 1};
  buffer.allocatedElements = memory.size();
  std::vector<int32_t> entries;
  for (int32_t i = 0; i < 48; ++i)
    entries.push_back(i + 1000);
  BufferArgument table = buffer;
  table.data = reinterpret_cast<uint8_t *>(entries.data());
  table.shape = {2, 24};
  table.strides = {24, 1};
  table.allocatedElements = entries.size();
  SmallVector<KernelArgument> arguments{buffer, table};
  return succeeded(interpretKernel(kernel, arguments));
}

static unsigned countOps(KernelOp kernel) {
  unsigned count = 0;
  kernel->walk([&](Operation *op) {
    count += !isa<arith::ConstantOp>(op) && !op->use_empty();
  });
  return count;
}

TEST(SimplifyMeaning, RandomKernels) {
  MLIRContext context;
  context.loadDialect<UopDialect, arith::ArithDialect>();
  unsigned numRewritten = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    std::mt19937_64 random(seed);
    std::string text = makeKernel(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + text);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    KernelOp kernel = *module->getOps<KernelOp>().begin();
    std::vector<int32_t> expected(8 * 5 * 6, -12345), actual = expected;
    ASSERT_TRUE(run(kernel, expected));
    unsigned numOps = countOps(kernel);
    numRewritten += simplifyIndices(kernel);
    ASSERT_TRUE(succeeded(verify(*module)));
    ASSERT_TRUE(run(kernel, actual));
    ASSERT_EQ(actual, expected);
    ASSERT_LE(countOps(kernel), numOps);
    // Once is enough.
    ASSERT_EQ(simplifyIndices(kernel), 0u);
  }
  EXPECT_GT(numRewritten, 1000u);
}
