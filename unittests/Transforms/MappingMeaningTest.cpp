//===- MappingMeaningTest.cpp - Mapped kernels mean the same --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels on the reference interpreter as they are written and under every
// schedule of LOCAL, UPCAST and UNROLL whose amounts divide, in both layouts:
// memory is the same, bit by bit, and the mapped kernel passes the verifier.
//
//===----------------------------------------------------------------------===//

#include "Uop/Interpreter/Interpreter.h"
#include "Uop/Transforms/Mapping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace mlir;
using namespace uop;

namespace {

/// The bytes of each memref argument of a kernel.
using Memory = std::vector<std::vector<uint8_t>>;

class MappingMeaningTest : public ::testing::Test {
protected:
  MappingMeaningTest() {
    context.loadDialect<UopDialect, arith::ArithDialect>();
  }

  /// Small numbers in every element, different from one to the next: exact in
  /// f32, and a sentinel where nothing is stored.
  static Memory fill(KernelOp kernel) {
    Memory memory;
    for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      auto memref = cast<MemRefType>(type);
      std::vector<uint8_t> bytes(memref.getNumElements() * 4);
      for (int64_t i = 0; i < memref.getNumElements(); ++i) {
        int32_t integer = (i * 37 + int64_t(index) * 11) % 101 - 50;
        float real = integer / 8.0f + 0.1f;
        if (memref.getElementType().isF32())
          std::memcpy(&bytes[i * 4], &real, 4);
        else
          std::memcpy(&bytes[i * 4], &integer, 4);
      }
      memory.push_back(bytes);
    }
    return memory;
  }

  static bool run(KernelOp kernel, Memory &memory) {
    SmallVector<KernelArgument> arguments;
    for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      auto memref = cast<MemRefType>(type);
      BufferArgument buffer;
      buffer.data = memory[index].data();
      buffer.elementType = memref.getElementType();
      buffer.shape.assign(memref.getShape().begin(), memref.getShape().end());
      int64_t offset;
      if (failed(memref.getStridesAndOffset(buffer.strides, offset)))
        return false;
      buffer.allocatedElements = memref.getNumElements();
      arguments.push_back(buffer);
    }
    return succeeded(interpretKernel(kernel, arguments));
  }

  /// Every schedule of the kernel, in both layouts.
  static std::vector<ScheduleAttr> listSchedules(KernelOp kernel) {
    MLIRContext *context = kernel.getContext();
    std::vector<SmallVector<OptAttr>> lists(1);
    auto multiply = [&](ArrayRef<SmallVector<OptAttr>> choices) {
      std::vector<SmallVector<OptAttr>> product;
      for (const SmallVector<OptAttr> &list : lists)
        for (const SmallVector<OptAttr> &choice : choices) {
          product.push_back(list);
          llvm::append_range(product.back(), choice);
        }
      lists = product;
    };
    for (auto [number, axis] : llvm::enumerate(getOutputAxes(kernel))) {
      std::vector<SmallVector<OptAttr>> choices;
      for (int64_t local = 1; local <= *axis.size; ++local)
        for (int64_t upcast = 1; local * upcast <= *axis.size; ++upcast) {
          if (*axis.size % (local * upcast) != 0)
            continue;
          SmallVector<OptAttr> &choice = choices.emplace_back();
          choice.push_back(
              OptAttr::get(context, OptKind::Upcast, number, upcast));
          choice.push_back(
              OptAttr::get(context, OptKind::Local, number, local));
        }
      multiply(choices);
    }
    for (auto [number, axis] : llvm::enumerate(getReduceAxes(kernel))) {
      std::vector<SmallVector<OptAttr>> choices;
      for (int64_t amount = 1; amount <= *axis.size; ++amount)
        if (*axis.size % amount == 0)
          choices.push_back(
              {OptAttr::get(context, OptKind::Unroll, number, amount)});
      multiply(choices);
    }
    std::vector<ScheduleAttr> schedules;
    for (UpcastLayout layout : {UpcastLayout::GPU, UpcastLayout::CPU})
      for (ArrayRef<OptAttr> opts : lists)
        schedules.push_back(ScheduleAttr::get(context, opts, layout));
    return schedules;
  }

  /// Checks all schedules; `expectedCount` of them.
  void check(StringRef text, size_t expectedCount) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    KernelOp kernel = *module->getOps<KernelOp>().begin();
    Memory expected = fill(kernel);
    ASSERT_TRUE(run(kernel, expected));
    ASSERT_NE(expected, fill(kernel)) << "the kernel stores nothing new";

    std::vector<ScheduleAttr> schedules = listSchedules(kernel);
    EXPECT_EQ(schedules.size(), expectedCount);
    for (ScheduleAttr schedule : schedules) {
      OwningOpRef<ModuleOp> copy = module->clone();
      KernelOp mapped = *copy->getOps<KernelOp>().begin();
      IRRewriter rewriter(&context);
      std::string name;
      llvm::raw_string_ostream(name) << schedule;
      ASSERT_TRUE(succeeded(applySchedule(rewriter, mapped, schedule))) << name;
      ASSERT_TRUE(succeeded(verify(*copy))) << name;
      EXPECT_TRUE(mapped.isMapped()) << name;
      Memory actual = fill(mapped);
      ASSERT_TRUE(run(mapped, actual)) << name;
      EXPECT_EQ(actual, expected) << name;
    }
  }

  MLIRContext context;
};

} // namespace

// Axis 4 splits in 6 ways, axis 6 in 9, the reduction in 3: 6 * 9 * 3, twice.
// The sum of floats would show another order of the terms.
TEST_F(MappingMeaningTest, MatrixProduct) {
  check(R"mlir(
    uop.kernel @product(%A: memref<4x4xf32>, %B: memref<4x6xf32>,
                        %C: memref<4x6xf32>) {
      %m = uop.range loop 4
      %n = uop.range loop 6
      %k = uop.range reduce 4
      %a = uop.load %A[%m, %k] : memref<4x4xf32>
      %b = uop.load %B[%k, %n] : memref<4x6xf32>
      %p = arith.mulf %a, %b : f32
      %c = uop.reduce add %p over(%k) : f32
      uop.store %c, %C[%m, %n] : memref<4x6xf32>
    }
  )mlir",
        6 * 9 * 3 * 2);
}

// Reductions that share a loop of two ranges, with a mask, and the index of a
// reduction as a value.
TEST_F(MappingMeaningTest, ArgmaxAndMaskedSum) {
  check(R"mlir(
    uop.kernel @argmax(%in: memref<4x6x2xf32>, %at: memref<4xi32>,
                       %sum: memref<4xf32>) {
      %i = uop.range loop 4
      %j = uop.range reduce 6
      %l = uop.range reduce 2
      %x = uop.load %in[%i, %j, %l] : memref<4x6x2xf32>
      %c4 = arith.constant 4 : index
      %inside = arith.cmpi slt, %j, %c4 : index
      %s = uop.reduce add %x over(%j, %l) mask %inside : f32
      %j32 = arith.index_cast %j : index to i32
      %lowest = arith.constant 0xFF800000 : f32
      %none = arith.constant -1 : i32
      %best, %where = uop.reduce (%x, %j32) init(%lowest, %none) over(%j, %l)
          combine (%b: f32, %a: i32, %y: f32, %k: i32) {
        %more = arith.cmpf ogt, %y, %b : f32
        %b1 = arith.select %more, %y, %b : f32
        %a1 = arith.select %more, %k, %a : i32
        uop.yield %b1, %a1 : f32, i32
      } : f32, i32
      uop.store %where, %at[%i] : memref<4xi32>
      uop.store %s, %sum[%i] : memref<4xf32>
    }
  )mlir",
        6 * 4 * 2 * 2);
}

// A buffer that is read and written at one element, under a mask, and a second
// store with a smaller domain.
TEST_F(MappingMeaningTest, InPlaceAndTwoDomains) {
  check(R"mlir(
    uop.kernel @step(%x: memref<4x6xi32>, %rows: memref<4xi32>) {
      %i = uop.range loop 4
      %j = uop.range loop 6
      %c5 = arith.constant 5 : index
      %inside = arith.cmpi slt, %j, %c5 : index
      %one = arith.constant 1 : i32
      %old = uop.load %x[%i, %j] : memref<4x6xi32>
      %new = arith.addi %old, %one : i32
      uop.store %new, %x[%i, %j] mask %inside : memref<4x6xi32>
      %i32 = arith.index_cast %i : index to i32
      uop.store %i32, %rows[%i] : memref<4xi32>
    }
  )mlir",
        6 * 9 * 2);
}

// A store that accumulates does so once per point of its domain, also of a
// range that nothing depends on and of an axis that one block covers.
TEST_F(MappingMeaningTest, AccumulatesOncePerPoint) {
  check(R"mlir(
    uop.kernel @count(%bins: memref<3xi32>) {
      %i = uop.range loop 1
      %j = uop.range loop 6
      %k = uop.range loop 2
      %c3 = arith.constant 3 : index
      %bin = uop.floormod %j, %c3
      %one = arith.constant 1 : i32
      uop.store add %one, %bins[%bin] over(%i, %j, %k) : memref<3xi32>
    }
  )mlir",
        9 * 3 * 2);
}

// Indices that divide: the verifier proves the split ones injective, too.
TEST_F(MappingMeaningTest, Transposes) {
  check(R"mlir(
    uop.kernel @transpose(%in: memref<12xi32>, %out: memref<12xi32>) {
      %i = uop.range loop 12
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %row = uop.floordiv %i, %c3
      %column = uop.floormod %i, %c3
      %base = arith.muli %column, %c4 : index
      %to = arith.addi %base, %row : index
      %x = uop.load %in[%i] : memref<12xi32>
      uop.store %x, %out[%to] : memref<12xi32>
    }
  )mlir",
        18 * 2);
}
