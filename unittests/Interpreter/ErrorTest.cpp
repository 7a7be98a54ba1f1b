//===- ErrorTest.cpp - What the reference interpreter refuses -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

using namespace mlir;
using namespace uop;

namespace {

constexpr float kSentinel = -777.0f;

class ErrorTest : public InterpreterTest {
protected:
  std::vector<float> x = std::vector<float>(8, 1);
  std::vector<float> y = std::vector<float>(8, kSentinel);
};

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

// A load out of bounds names the index, its bounds and the point; nothing is
// written, not even at the points before it.
TEST_F(ErrorTest, LoadOutOfBounds) {
  EXPECT_EQ(error(R"mlir(
    uop.kernel @shift(%x: memref<8xf32>, %y: memref<8xf32>) {
      %i = uop.range loop 8
      %one = arith.constant 1 : index
      %j = arith.addi %i, %one : index
      %v = uop.load %x[%j] : memref<8xf32>
      uop.store %v, %y[%i] : memref<8xf32>
    })mlir",
                  {f32(x, {8}), f32(y, {8})}),
            "'uop.load' op index #0 is out of bounds: expected 0 or more and "
            "less than 8, but got 8 at (loop 8 = 7)\n");
  EXPECT_EQ(y, std::vector<float>(8, kSentinel));
}

// The mask of the store does not guard the load.
TEST_F(ErrorTest, StoreMaskDoesNotGuardLoads) {
  EXPECT_CONTAINS(error(R"mlir(
    uop.kernel @shift(%x: memref<4xf32>, %y: memref<8xf32>) {
      %i = uop.range loop 8
      %c4 = arith.constant 4 : index
      %in = arith.cmpi slt, %i, %c4 : index
      %v = uop.load %x[%i] : memref<4xf32>
      uop.store %v, %y[%i] mask %in : memref<8xf32>
    })mlir",
                        {f32(x, {4}), f32(y, {8})}),
                  "less than 4, but got 4 at (loop 8 = 4)");
}

// Nor does the mask of a reduction.
TEST_F(ErrorTest, ReductionMaskDoesNotGuardLoads) {
  EXPECT_CONTAINS(error(R"mlir(
    uop.kernel @sum(%x: memref<4xf32>, %y: memref<8xf32>) {
      %i = uop.range loop 8
      %k = uop.range reduce 6
      %c4 = arith.constant 4 : index
      %in = arith.cmpi slt, %k, %c4 : index
      %v = uop.load %x[%k] : memref<4xf32>
      %s = uop.reduce add %v over(%k) mask %in : f32
      uop.store %s, %y[%i] : memref<8xf32>
    })mlir",
                        {f32(x, {4}), f32(y, {8})}),
                  "less than 4, but got 4 at (reduce 6 = 4)");
}

// A load that no point of a store needs is in bounds nevertheless: it may be
// done before an empty loop.
TEST_F(ErrorTest, LoadsBesideEmptyRanges) {
  EXPECT_CONTAINS(error(R"mlir(
    uop.kernel @sum(%n: index, %x: memref<4xf32>, %y: memref<8xf32>) {
      %i = uop.range loop 8
      %k = uop.range reduce %n
      %v = uop.load %x[%i] : memref<4xf32>
      %k32 = arith.index_cast %k : index to i32
      %kf = arith.sitofp %k32 : i32 to f32
      %p = arith.mulf %v, %kf : f32
      %s = uop.reduce add %p over(%k) : f32
      uop.store %s, %y[%i] : memref<8xf32>
    })mlir",
                        {index(0), f32(x, {4}), f32(y, {8})}),
                  "less than 4, but got 4 at (loop 8 = 4)");
}

// A store out of bounds.
TEST_F(ErrorTest, StoreOutOfBounds) {
  EXPECT_EQ(error(R"mlir(
    uop.kernel @shift(%y: memref<2x4xf32>) {
      %i = uop.range loop 2
      %j = uop.range loop 4
      %one = arith.constant 1 : index
      %v = arith.constant 1.0 : f32
      %k = arith.subi %j, %one : index
      uop.store %v, %y[%i, %k] : memref<2x4xf32>
    })mlir",
                  {f32(y, {2, 4})}),
            "'uop.store' op index #1 is out of bounds: expected 0 or more and "
            "less than 4, but got -1 at (loop 2 = 0, loop 4 = 0)\n");
  EXPECT_EQ(y, std::vector<float>(8, kSentinel));
}

// `unique` is tested: points 1 and 3 both write element 2.
TEST_F(ErrorTest, NotUnique) {
  StringRef text = R"mlir(
    uop.kernel @scatter(%at: memref<4xi32>, %y: memref<8xf32>) {
      %i = uop.range loop 4
      %a = uop.load %at[%i] : memref<4xi32>
      %j = arith.index_cast %a : i32 to index
      %v = arith.constant 1.0 : f32
      uop.store %v, %y[%j] unique : memref<8xf32>
    })mlir";
  std::vector<int32_t> at = {5, 2, 0, 2};
  EXPECT_EQ(error(text, {i32(at, {4}), f32(y, {8})}),
            "'uop.store' op writes element [2] at point (3) of its domain, "
            "which it also writes at point (1); expected no two points to "
            "write one element: accumulate with a kind such as 'add', or make "
            "the indices injective\n");
  EXPECT_EQ(y, std::vector<float>(8, kSentinel));
  InterpreterOptions options;
  options.checkUnique = false;
  EXPECT_EQ(error(text, {i32(at, {4}), f32(y, {8})}, options), "no error");
}

// Two stores marked `unique` do not write one element either.
TEST_F(ErrorTest, NotUniqueTogether) {
  std::vector<int32_t> at = {5, 2, 0, 2};
  EXPECT_CONTAINS(error(R"mlir(
    uop.kernel @scatter(%at: memref<4xi32>, %y: memref<8xf32>) {
      %i = uop.range loop 2
      %two = arith.constant 2 : index
      %k = arith.addi %i, %two : index
      %a = uop.load %at[%i] : memref<4xi32>
      %b = uop.load %at[%k] : memref<4xi32>
      %j = arith.index_cast %a : i32 to index
      %l = arith.index_cast %b : i32 to index
      %v = arith.constant 1.0 : f32
      uop.store %v, %y[%j] unique : memref<8xf32>
      uop.store %v, %y[%l] unique : memref<8xf32>
    })mlir",
                        {i32(at, {4}), f32(y, {8})}),
                  "no error");
  at = {5, 2, 0, 5};
  EXPECT_CONTAINS(
      error(R"mlir(
    uop.kernel @scatter(%at: memref<4xi32>, %y: memref<8xf32>) {
      %i = uop.range loop 2
      %two = arith.constant 2 : index
      %k = arith.addi %i, %two : index
      %a = uop.load %at[%i] : memref<4xi32>
      %b = uop.load %at[%k] : memref<4xi32>
      %j = arith.index_cast %a : i32 to index
      %l = arith.index_cast %b : i32 to index
      %v = arith.constant 1.0 : f32
      uop.store %v, %y[%j] unique : memref<8xf32>
      uop.store %v, %y[%l] unique : memref<8xf32>
    })mlir",
            {i32(at, {4}), f32(y, {8})}),
      "writes element [5] at point (1) of its domain, which another "
      "store also writes at point (0)");
}

// A tile has only the elements that its stage writes.
TEST_F(ErrorTest, UnwrittenElementOfATile) {
  EXPECT_EQ(error(R"mlir(
    uop.kernel @tile(%x: memref<8xf32>, %y: memref<8xf32>) {
      %i = uop.range loop 4
      %v = uop.load %x[%i] : memref<8xf32>
      %t = uop.stage %v[%i] over(%i) : !uop.tile<8xf32, workgroup>
      %j = uop.range loop 8
      %w = uop.load %t[%j] : !uop.tile<8xf32, workgroup>
      uop.store %w, %y[%j] : memref<8xf32>
    })mlir",
                  {f32(x, {8}), f32(y, {8})}),
            "'uop.load' op reads element [4] of a tile, which its uop.stage "
            "does not write at (loop 8 = 4)\n");
}

// A tile is not read beyond its end.
TEST_F(ErrorTest, TileOutOfBounds) {
  EXPECT_CONTAINS(error(R"mlir(
    uop.kernel @tile(%x: memref<8xf32>, %y: memref<8xf32>) {
      %i = uop.range loop 4
      %v = uop.load %x[%i] : memref<8xf32>
      %t = uop.stage %v[%i] over(%i) : !uop.tile<4xf32, workgroup>
      %j = uop.range loop 8
      %w = uop.load %t[%j] : !uop.tile<4xf32, workgroup>
      uop.store %w, %y[%j] : memref<8xf32>
    })mlir",
                        {f32(x, {8}), f32(y, {8})}),
                  "less than 4, but got 4 at (loop 8 = 4)");
}

//===----------------------------------------------------------------------===//
// Undefined values
//===----------------------------------------------------------------------===//

/// A kernel that shifts 1 by the loop and uses it in a way.
std::string getPoisonText(std::string body) {
  return R"mlir(
    uop.kernel @poison(%x: memref<8xf32>, %y: memref<8xi32>) {
      %i = uop.range loop 2
      %one = arith.constant 1 : i1
      %i1 = arith.index_cast %i : index to i1
      %p = arith.shli %one, %i1 : i1
      %zero = arith.constant 0 : i32
      )mlir" +
         body + "\n}";
}

// Poison as a mask, an index or an extent is an error at the op that made it.
TEST_F(ErrorTest, UsesOfPoison) {
  std::vector<int32_t> z(8, 77);
  auto use = [&](std::string body) {
    return error(getPoisonText(body), {f32(x, {8}), i32(z, {8})});
  };
  const char *what =
      "'arith.shli' op is undefined: a shift of 1 bits by 1 at (loop 2 = 1)\n";
  EXPECT_EQ(use("uop.store %zero, %y[%i] mask %p : memref<8xi32>"),
            std::string(what) +
                "note: it is used here, as the mask at (loop 2 = 1)\n");
  EXPECT_EQ(use("%j = arith.index_castui %p : i1 to index\n"
                "uop.store %zero, %y[%j] unique : memref<8xi32>"),
            std::string(what) +
                "note: it is used here, as index #0 at (loop 2 = 1)\n");
  EXPECT_EQ(use("%d = arith.extui %p : i1 to i32\n"
                "%q = arith.divsi %zero, %d : i32\n"
                "uop.store %q, %y[%i] : memref<8xi32>"),
            std::string(what) +
                "note: it is used here, as the divisor at (loop 2 = 1)\n");
  EXPECT_EQ(use("%k = uop.range reduce 2\n"
                "%v = uop.reduce add %zero over(%k) mask %p : i32\n"
                "uop.store %v, %y[%i] : memref<8xi32>"),
            std::string(what) + "note: it is used here, as the mask at (loop 2 "
                                "= 1, reduce 2 = 0)\n");
  // Where the mask does not hold the value may be poison.
  EXPECT_EQ(use("%c0 = arith.constant 0 : index\n"
                "%in = arith.cmpi eq, %i, %c0 : index\n"
                "%d = arith.extui %p : i1 to i32\n"
                "uop.store %d, %y[%i] mask %in : memref<8xi32>"),
            "no error");
  EXPECT_EQ(z, (std::vector<int32_t>{1, 77, 77, 77, 77, 77, 77, 77}));
}

// Undefined arithmetic in a combiner names the point of the reduction.
TEST_F(ErrorTest, UndefinedCombiner) {
  std::vector<int32_t> z = {6, 2, 0, 1}, w = {77};
  EXPECT_EQ(error(R"mlir(
    uop.kernel @quotient(%z: memref<4xi32>, %w: memref<1xi32>) {
      %i = uop.range loop 1
      %k = uop.range reduce 4
      %c = arith.constant 12 : i32
      %v = uop.load %z[%k] : memref<4xi32>
      %q = uop.reduce (%v) init(%c) over(%k) combine (%a: i32, %b: i32) {
        %d = arith.divsi %a, %b : i32
        uop.yield %d : i32
      } : i32
      uop.store %q, %w[%i] : memref<1xi32>
    })mlir",
                  {i32(z, {4}), i32(w, {1})}),
            "'arith.divsi' op is undefined: 1 is divided by zero at (reduce 4 "
            "= 2)\n");
  EXPECT_EQ(w[0], 77);
}

// An extent is not negative.
TEST_F(ErrorTest, NegativeExtent) {
  EXPECT_EQ(error(R"mlir(
    uop.kernel @fill(%n: index, %y: memref<8xf32>) {
      %i = uop.range loop %n
      %v = arith.constant 1.0 : f32
      uop.store %v, %y[%i] : memref<8xf32>
    })mlir",
                  {index(-3), f32(y, {8})}),
            "'uop.range' op expected an extent of 0 or more, but got -3\n");
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

// The arguments fit the types of the kernel.
TEST_F(ErrorTest, Arguments) {
  auto give = [&](std::vector<KernelArgument> arguments) {
    return error(R"mlir(
      uop.kernel @k(%n: i32, %x: memref<?x4xf32>, %y: memref<8xf32>) {
        %i = uop.range loop 8
        %v = arith.constant 1.0 : f32
        uop.store %v, %y[%i] : memref<8xf32>
      })mlir",
                 std::move(arguments));
  };
  TypedAttr n = Builder(&context).getI32IntegerAttr(3);
  BufferArgument in = f32(x, {2, 4}), out = f32(y, {8});
  EXPECT_EQ(give({n, in, out}), "no error");
  EXPECT_EQ(give({n, in}), "'uop.kernel' op expected 3 arguments, but got 2\n");
  EXPECT_EQ(give({index(3), in, out}), "'uop.kernel' op argument #0: expected "
                                       "a scalar 'i32', but got 'index'\n");
  EXPECT_EQ(give({in, in, out}), "'uop.kernel' op argument #0: expected a "
                                 "scalar 'i32', but got a buffer\n");
  EXPECT_EQ(give({TypedAttr(), in, out}), "'uop.kernel' op argument #0: "
                                          "expected a scalar 'i32', but got "
                                          "none\n");
  EXPECT_EQ(give({n, n, out}), "'uop.kernel' op argument #1: expected "
                               "'memref<?x4xf32>', but got a scalar\n");
  EXPECT_CONTAINS(give({n, f32(x, {8}), out}),
                  "argument #1: expected rank 2 of 'memref<?x4xf32>', but got "
                  "1 sizes and 1 strides");
  EXPECT_CONTAINS(give({n, f32(x, {4, 2}), out}),
                  "argument #1: expected size 4 of dimension #1 of "
                  "'memref<?x4xf32>', but got 2");
  EXPECT_CONTAINS(give({n, f32(x, {-2, 4}), out}),
                  "expected a size of 0 or more, but dimension #0 is -2");
  EXPECT_CONTAINS(give({n, f32(x, {3, 4}), out}),
                  "argument #1: expected the elements to be among the 8 that "
                  "are allocated, but they reach from 0 to 11");

  BufferArgument wrong = in;
  wrong.strides = {1, 2};
  EXPECT_CONTAINS(give({n, wrong, out}),
                  "argument #1: expected stride 4 of dimension #0 of "
                  "'memref<?x4xf32>', but got 1");
  wrong = in;
  wrong.offset = 1;
  EXPECT_CONTAINS(give({n, wrong, out}), "expected offset 0");
  wrong = in;
  wrong.data = nullptr;
  EXPECT_CONTAINS(give({n, wrong, out}), "expected memory, but got a null");
  std::vector<double> doubles(8);
  EXPECT_CONTAINS(
      give({n, in, buffer(doubles, "f64", {8})}),
      "argument #2: expected elements of type 'f32', but got 'f64'");
}

// A dynamic layout must not overlap itself.
TEST_F(ErrorTest, OverlapsItself) {
  BufferArgument rows = f32(y, {3, 3});
  rows.strides = {2, 1};
  EXPECT_CONTAINS(
      error(R"mlir(
    !rows = memref<3x3xf32, strided<[?, 1]>>
    uop.kernel @fill(%y: !rows) {
      %i = uop.range loop 3
      %j = uop.range loop 3
      %v = arith.constant 1.0 : f32
      uop.store %v, %y[%i, %j] : !rows
    })mlir",
            {rows}),
      "argument #0: expected a layout that does not overlap itself");
}

// A buffer that is stored shares no byte with another one.
TEST_F(ErrorTest, Overlap) {
  StringRef text = R"mlir(
    !in = memref<4xf32, strided<[1], offset: ?>>
    uop.kernel @copy(%x: !in, %z: !in, %y: memref<4xf32>) {
      %i = uop.range loop 4
      %v = uop.load %x[%i] : !in
      %w = uop.load %z[%i] : !in
      %s = arith.addf %v, %w : f32
      uop.store %s, %y[%i] : memref<4xf32>
    })mlir";
  BufferArgument whole = f32(y, {4}), shifted = f32(y, {4}),
                 other = f32(x, {4});
  shifted.offset = 3;
  EXPECT_EQ(error(text, {shifted, other, whole}),
            "'uop.kernel' op expected arguments that do not overlap, but #0 "
            "and #2 do, and #2 is stored; pass a copy\n");
  shifted.offset = 4;
  EXPECT_EQ(error(text, {shifted, other, whole}), "no error");
  // Buffers that are only loaded may be the same.
  EXPECT_EQ(error(text, {other, other, whole}), "no error");
}

// Loop form is not what the interpreter runs.
TEST_F(ErrorTest, LoopForm) {
  EXPECT_CONTAINS(error(R"mlir(
    uop.kernel loops @zero(%y: memref<8xf32>) {
      %t = uop.range local<x> 8
      %v = arith.constant 1.0 : f32
      memref.store %v, %y[%t] : memref<8xf32>
    })mlir",
                        {f32(y, {8})}),
                  "'uop.kernel' op expected a kernel in graph form");
}

// Reductions that depend on one another, deeper than the stack bears.
TEST_F(ErrorTest, TooDeep) {
  std::string text = "uop.kernel @deep(%y: memref<8xf32>) {\n"
                     "%i = uop.range loop 8\n"
                     "%v0 = arith.constant 1.0 : f32\n";
  for (int n = 1; n <= 1200; ++n) {
    std::string k = std::to_string(n);
    text += "%k" + k + " = uop.range reduce 1\n%v" + k +
            " = uop.reduce add %v" + std::to_string(n - 1) + " over(%k" + k +
            ") : f32\n";
  }
  text += "uop.store %v1200, %y[%i] : memref<8xf32>\n}";
  EXPECT_CONTAINS(error(text, {f32(y, {8})}),
                  "expected at most 1000 reductions and stages of which each "
                  "depends on the one before");
}

} // namespace
