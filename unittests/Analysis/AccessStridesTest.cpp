//===- AccessStridesTest.cpp - How far an access moves with a range -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/AccessStrides.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace uop;

/// The strides of the only load along %i and %j.
static std::vector<std::optional<int64_t>>
getStrides(const std::string &type, const std::string &indices,
           const std::string &before = "") {
  MLIRContext context;
  context.loadDialect<UopDialect, arith::ArithDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      "uop.kernel @k(%a: " + type +
          ", %out: memref<8x16xi32>) {\n"
          "%i = uop.range loop 8\n%j = uop.range loop 16\n"
          "%c2 = arith.constant 2 : index\n%c7 = arith.constant 7 : index\n" +
          before + "%x = uop.load %a[" + indices + "] : " + type +
          "\nuop.store %x, %out[%i, %j] : memref<8x16xi32>\n}",
      &context);
  EXPECT_TRUE(module);
  Block &body = (*module->getOps<KernelOp>().begin()).getBodyBlock();
  LoadOp load = *body.getOps<LoadOp>().begin();
  AccessStrides strides;
  std::vector<std::optional<int64_t>> list;
  for (RangeOp range : body.getOps<RangeOp>())
    list.push_back(strides.of(load, range));
  return list;
}

using Strides = std::vector<std::optional<int64_t>>;

// Rows and columns, transposed, and in memory with gaps.
TEST(AccessStrides, FollowsTheLayout) {
  EXPECT_EQ(getStrides("memref<8x16xi32>", "%i, %j"), (Strides{16, 1}));
  EXPECT_EQ(getStrides("memref<16x8xi32>", "%j, %i"), (Strides{1, 8}));
  EXPECT_EQ(
      getStrides("memref<8x16xi32, strided<[40, 2], offset: 3>>", "%i, %j"),
      (Strides{40, 2}));
  EXPECT_EQ(getStrides("memref<16xi32>", "%j"), (Strides{0, 1}));
  EXPECT_EQ(getStrides("memref<?x?xi32>", "%i, %j"),
            (Strides{std::nullopt, 1}));
}

// Sums, differences and products by constants; %i twice.
TEST(AccessStrides, FollowsArithmetic) {
  EXPECT_EQ(getStrides("memref<8x40xi32>", "%i, %s",
                       "%p = arith.muli %j, %c2 : index\n"
                       "%s = arith.addi %p, %i : index\n"),
            (Strides{41, 2}));
  EXPECT_EQ(getStrides("memref<8x16xi32>", "%r, %j",
                       "%r = arith.subi %c7, %i : index\n"),
            (Strides{-16, 1}));
}

// A quotient and a product of two ranges have no one stride; a range that they
// do not vary with has.
TEST(AccessStrides, KnowsWhatItDoesNotKnow) {
  EXPECT_EQ(
      getStrides("memref<8x16xi32>", "%q, %j", "%q = uop.floordiv %i, %c2\n"),
      (Strides{std::nullopt, 1}));
  EXPECT_EQ(
      getStrides("memref<128xi32>", "%p", "%p = arith.muli %i, %j : index\n"),
      (Strides{std::nullopt, std::nullopt}));
}
