//===- FootprintTest.cpp - The elements that accesses touch ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Footprint.h"
#include "RandomTraffic.h"
#include "Uop/Analysis/MemoryTraffic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace uop;
using namespace uop::test;

namespace {

/// A set with its elements beside it.
struct ListedSet {
  DigitSet set;
  std::set<int64_t> elements;
};

ListedSet makeSet(std::mt19937 &random) {
  int64_t base = int64_t(random() % 20) - 5, run = 1 + random() % 4;
  ListedSet listed{DigitSet(base, run), {}};
  for (int64_t i = 0; i < run; ++i)
    listed.elements.insert(base + i);
  for (unsigned digits = random() % 4; digits > 0; --digits) {
    static constexpr int64_t coefficients[] = {-4, -1, 1, 2, 3, 4, 8, 12, 16};
    int64_t coefficient = coefficients[random() % 9], count = 1 + random() % 5;
    listed.set.addDigit(coefficient, count);
    std::set<int64_t> sums;
    for (int64_t element : listed.elements)
      for (int64_t x = 0; x < count; ++x)
        sums.insert(element + coefficient * x);
    listed.elements = sums;
  }
  return listed;
}

} // namespace

TEST(DigitSet, EqualsEnumeration) {
  std::mt19937 random(1);
  unsigned exact = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    auto [set, elements] = makeSet(random);
    ASSERT_EQ(set.getLeast(), *elements.begin()) << i;
    ASSERT_EQ(set.getGreatest(), *elements.rbegin()) << i;
    ASSERT_GE(set.size(), int64_t(elements.size())) << i;
    if (set.isExact())
      ASSERT_EQ(set.size(), int64_t(elements.size())) << i;
    if (set.isExact() && set.isInterval())
      ASSERT_EQ(set.getGreatest() - set.getLeast() + 1, set.size()) << i;
    exact += set.isExact();
    set.clip(10);
    int64_t left = llvm::count_if(
        elements, [](int64_t element) { return 0 <= element && element < 10; });
    ASSERT_GE(set.size(), left) << i;
    if (set.isExact())
      ASSERT_EQ(set.size(), left) << i;
  }
  EXPECT_GT(exact, 10000u);
}

TEST(DigitSet, Offsets) {
  // Four of 16 bytes each in two groups; and no pattern, of which the hull is
  // an upper bound.
  DigitSet grouped(0, 2);
  grouped.addOffsets({3, 5, 7, 103, 105, 107});
  EXPECT_TRUE(grouped.isExact());
  EXPECT_EQ(grouped.size(), 12);
  EXPECT_EQ(grouped.getGreatest(), 108);
  DigitSet irregular;
  irregular.addOffsets({0, 1, 5, 6, 8});
  EXPECT_FALSE(irregular.isExact());
  EXPECT_EQ(irregular.size(), 9);
}

// Boxes of two dimensions, of which some are one box moved.
TEST(DigitSet, UnionEqualsEnumeration) {
  std::mt19937 random(2);
  unsigned exact = 0;
  for (unsigned i = 0; i < 5000; ++i) {
    std::vector<DigitBox> boxes;
    std::set<std::pair<int64_t, int64_t>> points;
    for (unsigned count = 1 + random() % 3; count > 0; --count) {
      ListedSet rows = makeSet(random), columns = makeSet(random);
      for (unsigned copies = 1 + random() % 3; copies > 0; --copies) {
        boxes.push_back({rows.set, columns.set});
        for (int64_t row : rows.elements)
          for (int64_t column : columns.elements)
            points.insert({row, column});
        int64_t step = random() % 6;
        columns.set.setBase(columns.set.getLeast() + step);
        std::set<int64_t> moved;
        for (int64_t column : columns.elements)
          moved.insert(column + step);
        columns.elements = moved;
      }
    }
    FootprintSize size = countUnion(boxes);
    ASSERT_GE(size.elements, int64_t(points.size())) << i;
    if (size.isExact)
      ASSERT_EQ(size.elements, int64_t(points.size())) << i;
    exact += size.isExact;
  }
  EXPECT_GT(exact, 1000u);
}

namespace {

class FootprintTest : public testing::Test {
protected:
  FootprintTest() {
    context.loadDialect<UopDialect, arith::ArithDialect, gpu::GPUDialect,
                        memref::MemRefDialect, scf::SCFDialect,
                        vector::VectorDialect>();
  }

  /// The bytes of each argument that are read and written, one by one.
  static std::map<unsigned, std::array<std::set<int64_t>, 2>>
  enumerate(KernelOp kernel) {
    std::map<unsigned, std::array<std::set<int64_t>, 2>> bytes;
    RequestOptions options;
    options.executesAll = true;
    SmallVector<WarpAccess> accesses;
    EXPECT_TRUE(succeeded(enumerateRequests(
        kernel, options, accesses, [&](const WarpRequest &request) {
          const WarpAccess &access = accesses[request.access];
          auto argument = dyn_cast<BlockArgument>(access.buffer);
          if (!argument)
            return;
          auto &ofBuffer = bytes[argument.getArgNumber()];
          for (auto [lane, address] : llvm::enumerate(request.addresses))
            if (request.active >> lane & 1)
              for (int64_t byte = 0; byte < request.bytes; ++byte)
                ofBuffer[access.kind != AccessKind::Load].insert(address +
                                                                 byte);
        })));
    return bytes;
  }

  /// Compares with each byte; returns how many footprints are exact.
  static unsigned compare(KernelOp kernel, const std::string &text) {
    unsigned exact = 0;
    auto bytes = enumerate(kernel);
    for (auto &[buffer, footprint] : computeFootprints(kernel)) {
      unsigned number = cast<BlockArgument>(buffer).getArgNumber();
      for (auto [size, enumerated] :
           {std::pair(footprint.reads, bytes[number][0]),
            std::pair(footprint.writes, bytes[number][1])}) {
        EXPECT_TRUE(size.has_value()) << text;
        if (!size)
          continue;
        int64_t found = size->elements * footprint.elementBytes;
        EXPECT_GE(found, int64_t(enumerated.size())) << text;
        if (size->isExact) {
          EXPECT_EQ(found, int64_t(enumerated.size())) << text;
          ++exact;
        }
      }
    }
    return exact;
  }

  MLIRContext context;
};

} // namespace

TEST_F(FootprintTest, RandomKernels) {
  unsigned exact = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::string text = RandomTraffic(seed).make();
    ParsedKernel kernel(context, text);
    ASSERT_TRUE(kernel) << "seed " << seed;
    exact +=
        compare(kernel.get(), "seed " + std::to_string(seed) + "\n" + text);
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(exact, 30u);
}

// Blocks of 16 x 16 threads, one of which folds its rows into quotient and
// remainder; unrolled loads at distance 2; a stencil; a tail.
TEST_F(FootprintTest, KernelsAreExact) {
  std::string text = R"mlir(
    uop.kernel loops @k(%a: memref<64x48xf32>, %b: memref<1024xf32>,
                        %c: memref<1000xf32>, %d: memref<64x64xf32>) {
      %bx = uop.range global<x> 4
      %by = uop.range global<y> 4
      %tx = uop.range local<x> 16
      %ty = uop.range local<y> 16
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c24 = arith.constant 24 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %c1000 = arith.constant 1000 : index
      %row0 = arith.muli %by, %c16 : index
      %row = arith.addi %row0, %ty : index
      scf.for %k = %c0 to %c24 step %c1 {
        %k2 = arith.muli %k, %c2 : index
        %k3 = arith.addi %k2, %c1 : index
        %even = memref.load %a[%row, %k2] : memref<64x48xf32>
        %odd = memref.load %a[%row, %k3] : memref<64x48xf32>
      }
      %t0 = arith.muli %ty, %c16 : index
      %t = arith.addi %t0, %tx : index
      %i0 = arith.muli %bx, %c256 : index
      %i = arith.addi %i0, %t : index
      %in = arith.cmpi slt, %i, %c1000 : index
      scf.if %in {
        %tail = memref.load %c[%i] : memref<1000xf32>
        memref.store %tail, %c[%i] : memref<1000xf32>
      }
      %next = arith.addi %t, %c1 : index
      %left = memref.load %b[%t] : memref<1024xf32>
      %right = memref.load %b[%next] : memref<1024xf32>
      %q = uop.floordiv %tx, %c4
      %r = uop.floormod %tx, %c4
      %q4 = arith.muli %q, %c16 : index
      %column0 = arith.addi %q4, %r : index
      %r4 = arith.muli %bx, %c4 : index
      %column = arith.addi %column0, %r4 : index
      memref.store %left, %d[%row, %column] : memref<64x64xf32>
    })mlir";
  ParsedKernel kernel(context, text);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(compare(kernel.get(), text), 8u);
  auto footprints = computeFootprints(kernel.get());
  KernelOp op = kernel.get();
  auto reads = [&](unsigned argument) {
    return footprints[op.getArgument(argument)].reads->elements;
  };
  EXPECT_EQ(reads(0), 64 * 48);
  EXPECT_EQ(reads(1), 257);
  EXPECT_EQ(reads(2), 1000);
  EXPECT_EQ(footprints[op.getArgument(3)].writes->elements, 64 * 64);
}

// A condition on a digit that the address does not have leaves elements out,
// and so does one on a value that nothing is known of.
TEST_F(FootprintTest, ConditionsOnOtherDigits) {
  const std::string text = R"mlir(
    uop.kernel loops @k(%a: memref<64xf32>, %b: memref<64xf32>,
                        %c: memref<2xf32>, %d: memref<64xf32>,
                        %e: memref<64xf32>) {
      %t = uop.range local<x> 64
      %y = uop.range local<y> 4
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0.0 : f32
      %warp = uop.floordiv %t, %c32
      %lane = uop.floormod %t, %c32
      %bit = uop.floormod %t, %c2
      %isFirst = arith.cmpi eq, %warp, %c0 : index
      scf.if %isFirst {
        memref.store %zero, %a[%t] : memref<64xf32>
        memref.store %zero, %b[%lane] : memref<64xf32>
      }
      %isEven = arith.cmpi eq, %bit, %c0 : index
      scf.if %isEven {
        memref.store %zero, %c[%warp] : memref<2xf32>
      }
      %isTop = arith.cmpi eq, %y, %c0 : index
      scf.if %isTop {
        memref.store %zero, %d[%t] : memref<64xf32>
      }
      %n = memref.load %d[%c0] : memref<64xf32>
      %i = arith.fptosi %n : f32 to i32
      %j = arith.index_cast %i : i32 to index
      %isFound = arith.cmpi eq, %j, %c0 : index
      scf.if %isFound {
        memref.store %zero, %e[%t] : memref<64xf32>
      }
    })mlir";
  ParsedKernel kernel(context, text);
  ASSERT_TRUE(kernel);
  auto footprints = computeFootprints(kernel.get());
  auto writes = [&](unsigned argument) {
    return *footprints[kernel.get().getArgument(argument)].writes;
  };
  // Of a the first half is written, which the box is too large for.
  EXPECT_FALSE(writes(0).isExact);
  EXPECT_GE(writes(0).elements, 32);
  EXPECT_TRUE(writes(1).isExact);
  EXPECT_EQ(writes(1).elements, 32);
  EXPECT_TRUE(writes(2).isExact);
  EXPECT_EQ(writes(2).elements, 2);
  EXPECT_TRUE(writes(3).isExact);
  EXPECT_EQ(writes(3).elements, 64);
  EXPECT_FALSE(writes(4).isExact);
}

TEST_F(FootprintTest, NothingIsTouched) {
  const std::string text = R"mlir(
    uop.kernel loops @k(%a: memref<64xf32>, %b: memref<?x5x7xi8>) {
      %i = uop.range global<x> 64
      %none = uop.range global<y> 0
      %zero = arith.constant 0.0 : f32
      %byte = arith.constant 0 : i8
      memref.store %zero, %a[%i] : memref<64xf32>
      memref.store %byte, %b[%i, %i, %i] : memref<?x5x7xi8>
    })mlir";
  ParsedKernel kernel(context, text);
  ASSERT_TRUE(kernel);
  auto footprints = computeFootprints(kernel.get());
  const BufferFootprint &known = footprints[kernel.get().getArgument(0)];
  EXPECT_EQ(known.writes->elements, 0);
  // What is only written is not read, whatever its size.
  const BufferFootprint &dynamic = footprints[kernel.get().getArgument(1)];
  EXPECT_EQ(dynamic.reads->elements, 0);
  EXPECT_FALSE(dynamic.writes.has_value());
}
