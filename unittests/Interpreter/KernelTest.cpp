//===- KernelTest.cpp - Kernels, their order and their memory -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uop;

namespace {

constexpr float kSentinel = -777.0f;
constexpr float kInf = std::numeric_limits<float>::infinity();

class KernelTest : public InterpreterTest {};

/// Numbers that are not exact in f32, of both signs.
std::vector<float> makeData(size_t count) {
  std::vector<float> data(count);
  uint32_t state = 12345;
  for (float &value : data) {
    state = state * 1664525u + 1013904223u;
    value = float(int32_t(state)) / 1e9f;
  }
  return data;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// A product of matrices: sums begin with 0 and ascend.
TEST_F(KernelTest, Gemm) {
  constexpr int64_t size = 64;
  std::vector<float> a = makeData(size * size), b = makeData(size * size);
  std::vector<float> c(size * size, kSentinel), expected(size * size);
  for (int64_t m = 0; m < size; ++m)
    for (int64_t n = 0; n < size; ++n) {
      volatile float sum = 0;
      for (int64_t k = 0; k < size; ++k) {
        volatile float product = a[m * size + k] * b[k * size + n];
        sum = sum + product;
      }
      expected[m * size + n] = sum;
    }
  auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(succeeded(
      run(R"mlir(
    uop.kernel @gemm(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                     %C: memref<64x64xf32>) {
      %m = uop.range loop 64
      %n = uop.range loop 64
      %k = uop.range reduce 64
      %a = uop.load %A[%m, %k] : memref<64x64xf32>
      %b = uop.load %B[%k, %n] : memref<64x64xf32>
      %p = arith.mulf %a, %b : f32
      %c = uop.reduce add %p over(%k) : f32
      uop.store %c, %C[%m, %n] : memref<64x64xf32>
    })mlir",
          {f32(a, {size, size}), f32(b, {size, size}), f32(c, {size, size})})))
      << messages;
  EXPECT_EQ(c, expected);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  RecordProperty("seconds", std::to_string(seconds.count()));
}

// The softmax numerator of a row: exp2 of the distance from its maximum.
TEST_F(KernelTest, SoftmaxNumerator) {
  std::vector<float> x = makeData(16 * 32), y(16 * 32, kSentinel);
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @softmax(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
      %i = uop.range loop 16
      %j = uop.range loop 32
      %k = uop.range reduce 32
      %a = uop.load %x[%i, %k] : memref<16x32xf32>
      %max = uop.reduce maximumf %a over(%k) : f32
      %b = uop.load %x[%i, %j] : memref<16x32xf32>
      %d = arith.subf %b, %max : f32
      %e = math.exp2 %d : f32
      uop.store %e, %y[%i, %j] : memref<16x32xf32>
    })mlir",
                            {f32(x, {16, 32}), f32(y, {16, 32})})))
      << messages;
  for (int i = 0; i < 16; ++i) {
    float max = *std::max_element(&x[i * 32], &x[i * 32] + 32);
    for (int j = 0; j < 32; ++j)
      EXPECT_EQ(y[i * 32 + j], float(std::exp2(double(x[i * 32 + j] - max))));
  }
}

// The general form: the first of equal maxima wins, for it comes first.
TEST_F(KernelTest, ArgMax) {
  std::vector<float> x = {3, 9, 9, 1, -1, -2, -3, -4};
  std::vector<int32_t> at = {77, 77};
  std::vector<float> best = {kSentinel, kSentinel};
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @argmax(%in: memref<2x4xf32>, %at: memref<2xi32>,
                       %best: memref<2xf32>) {
      %i = uop.range loop 2
      %j = uop.range reduce 4
      %x = uop.load %in[%i, %j] : memref<2x4xf32>
      %j32 = arith.index_cast %j : index to i32
      %lowest = arith.constant 0xFF800000 : f32
      %none = arith.constant -1 : i32
      %b, %a = uop.reduce (%x, %j32) init(%lowest, %none) over(%j)
          combine (%b: f32, %a: i32, %y: f32, %k: i32) {
        %more = arith.cmpf ogt, %y, %b : f32
        %b1 = arith.select %more, %y, %b : f32
        %a1 = arith.select %more, %k, %a : i32
        uop.yield %b1, %a1 : f32, i32
      } : f32, i32
      uop.store %a, %at[%i] : memref<2xi32>
      uop.store %b, %best[%i] : memref<2xf32>
    })mlir",
                            {f32(x, {2, 4}), i32(at, {2}), f32(best, {2})})))
      << messages;
  EXPECT_EQ(at, (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(best, (std::vector<float>{9, -1}));
}

// A combiner yields all accumulators at once: here it swaps them at each point.
TEST_F(KernelTest, CombinerYieldsAtOnce) {
  std::vector<int32_t> out = {77, 77};
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @swap(%out: memref<2xi32>) {
      %k = uop.range reduce 3
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %a, %b = uop.reduce (%c1, %c2) init(%c1, %c2) over(%k)
          combine (%p: i32, %q: i32, %x: i32, %y: i32) {
        uop.yield %q, %p : i32, i32
      } : i32, i32
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      uop.store %a, %out[%zero] over() : memref<2xi32>
      uop.store %b, %out[%one] over() : memref<2xi32>
    })mlir",
                            {i32(out, {2})})))
      << messages;
  EXPECT_EQ(out, (std::vector<int32_t>{2, 1}));
}

// `over(%a, %b)` has %a outermost: 1e8 + 1 - 1e8 depends on the order in f32.
TEST_F(KernelTest, ReductionOrder) {
  std::vector<float> x = {1e8f, 1, -1e8f, 1}, y = {kSentinel, kSentinel};
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @order(%x: memref<2x2xf32>, %y: memref<2xf32>) {
      %a = uop.range reduce 2
      %b = uop.range reduce 2
      %v = uop.load %x[%a, %b] : memref<2x2xf32>
      %rows = uop.reduce add %v over(%a, %b) : f32
      %columns = uop.reduce add %v over(%b, %a) : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      uop.store %rows, %y[%c0] over() : memref<2xf32>
      uop.store %columns, %y[%c1] over() : memref<2xf32>
    })mlir",
                            {f32(x, {2, 2}), f32(y, {2})})))
      << messages;
  // ((1e8 + 1) - 1e8) + 1 = 1; ((1e8 - 1e8) + 1) + 1 = 2.
  EXPECT_EQ(y, (std::vector<float>{1, 2}));
}

// A sum begins with +0: the sum of negative zeros is +0.
TEST_F(KernelTest, SumsBeginWithZero) {
  std::vector<float> x = {-0.0f}, y = {kSentinel};
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @sum(%x: memref<1xf32>, %y: memref<1xf32>) {
      %i = uop.range loop 1
      %k = uop.range reduce 1
      %v = uop.load %x[%k] : memref<1xf32>
      %s = uop.reduce add %v over(%k) : f32
      uop.store %s, %y[%i] : memref<1xf32>
    })mlir",
                            {f32(x, {1}), f32(y, {1})})));
  EXPECT_EQ(y[0], 0);
  EXPECT_FALSE(std::signbit(y[0]));
}

// Over no points each kind gives its identity.
TEST_F(KernelTest, EmptyReductions) {
  auto floats = [&](std::string kind) {
    std::vector<float> x(1), y = {kSentinel};
    EXPECT_TRUE(succeeded(run(R"mlir(
      uop.kernel @empty(%n: index, %x: memref<?xf32>, %y: memref<1xf32>) {
        %i = uop.range loop 1
        %k = uop.range reduce %n
        %v = uop.load %x[%k] : memref<?xf32>
        %s = uop.reduce )mlir" + kind +
                                  R"mlir( %v over(%k) : f32
        uop.store %s, %y[%i] : memref<1xf32>
      })mlir",
                              {index(0), f32(x, {0}), f32(y, {1})})))
        << messages;
    return y[0];
  };
  EXPECT_EQ(floats("add"), 0);
  EXPECT_EQ(floats("mul"), 1);
  EXPECT_EQ(floats("maximumf"), -kInf);
  EXPECT_EQ(floats("minimumf"), kInf);
  EXPECT_TRUE(std::isnan(floats("maxnumf")));
  EXPECT_TRUE(std::isnan(floats("minnumf")));

  auto integers = [&](std::string kind) {
    std::vector<int32_t> y = {77};
    EXPECT_TRUE(succeeded(run(R"mlir(
      uop.kernel @empty(%y: memref<1xi32>) {
        %i = uop.range loop 1
        %k = uop.range reduce 0
        %c = arith.constant 5 : i32
        %s = uop.reduce )mlir" + kind +
                                  R"mlir( %c over(%k) : i32
        uop.store %s, %y[%i] : memref<1xi32>
      })mlir",
                              {i32(y, {1})})))
        << messages;
    return y[0];
  };
  EXPECT_EQ(integers("add"), 0);
  EXPECT_EQ(integers("mul"), 1);
  EXPECT_EQ(integers("and"), -1);
  EXPECT_EQ(integers("or"), 0);
  EXPECT_EQ(integers("xor"), 0);
  EXPECT_EQ(integers("maxsi"), INT32_MIN);
  EXPECT_EQ(integers("minsi"), INT32_MAX);
  EXPECT_EQ(integers("maxui"), 0);
  EXPECT_EQ(integers("minui"), -1);
}

// NaN in a reduction: maximumf returns it, maxnumf passes over it.
TEST_F(KernelTest, ReductionsOfNaN) {
  auto reduce = [&](std::string kind, std::vector<float> x) {
    std::vector<float> y = {kSentinel};
    EXPECT_TRUE(succeeded(run(R"mlir(
      uop.kernel @nan(%x: memref<3xf32>, %y: memref<1xf32>) {
        %i = uop.range loop 1
        %k = uop.range reduce 3
        %v = uop.load %x[%k] : memref<3xf32>
        %s = uop.reduce )mlir" + kind +
                                  R"mlir( %v over(%k) : f32
        uop.store %s, %y[%i] : memref<1xf32>
      })mlir",
                              {f32(x, {3}), f32(y, {1})})));
    return y[0];
  };
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(reduce("maximumf", {1, nan, 2})));
  EXPECT_TRUE(std::isnan(reduce("minimumf", {1, nan, 2})));
  EXPECT_EQ(reduce("maxnumf", {1, nan, 2}), 2);
  EXPECT_EQ(reduce("minnumf", {1, nan, 2}), 1);
  EXPECT_TRUE(std::isnan(reduce("maxnumf", {nan, nan, nan})));
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

// A masked load reads nothing where its mask does not hold: the result is
// `else`, or zero.
TEST_F(KernelTest, MaskedLoad) {
  std::vector<float> x = {1, 2, 3, 4, 5, 6}, y(8, kSentinel), z(8, kSentinel);
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @pad(%in: memref<6xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
      %i = uop.range loop 8
      %c6 = arith.constant 6 : index
      %inside = arith.cmpi slt, %i, %c6 : index
      %one = arith.constant 1.0 : f32
      %a = uop.load %in[%i] mask %inside else %one : memref<6xf32>
      %b = uop.load %in[%i] mask %inside : memref<6xf32>
      uop.store %a, %y[%i] : memref<8xf32>
      uop.store %b, %z[%i] : memref<8xf32>
    })mlir",
                            {f32(x, {6}), f32(y, {8}), f32(z, {8})})));
  EXPECT_EQ(y, (std::vector<float>{1, 2, 3, 4, 5, 6, 1, 1}));
  EXPECT_EQ(z, (std::vector<float>{1, 2, 3, 4, 5, 6, 0, 0}));
}

// A masked store leaves the other elements as they were.
TEST_F(KernelTest, MaskedStore) {
  std::vector<float> y(4, kSentinel);
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @some(%y: memref<4xf32>) {
      %i = uop.range loop 4
      %c2 = arith.constant 2 : index
      %mask = arith.cmpi sge, %i, %c2 : index
      %one = arith.constant 1.0 : f32
      uop.store %one, %y[%i] mask %mask : memref<4xf32>
    })mlir",
                            {f32(y, {4})})));
  EXPECT_EQ(y, (std::vector<float>{kSentinel, kSentinel, 1, 1}));
}

// Points whose mask does not hold take no part, not even as 0 * infinity.
TEST_F(KernelTest, PadsDoNotEnter) {
  std::vector<float> x = {1, 2, kInf, std::nanf("")}, y = {kSentinel};
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @sum(%x: memref<4xf32>, %y: memref<1xf32>) {
      %i = uop.range loop 1
      %k = uop.range reduce 4
      %c2 = arith.constant 2 : index
      %mask = arith.cmpi slt, %k, %c2 : index
      %v = uop.load %x[%k] : memref<4xf32>
      %s = uop.reduce add %v over(%k) mask %mask : f32
      uop.store %s, %y[%i] : memref<1xf32>
    })mlir",
                            {f32(x, {4}), f32(y, {1})})));
  EXPECT_EQ(y[0], 3);
}

// Sums over the first `columns` of 18 columns of 0..53, padded to 32 points.
std::string getPaddedRows(std::string columns, std::string value,
                          std::string kind) {
  return R"mlir(
    uop.kernel @rows(%x: memref<3x18xi32>, %y: memref<3xi32>) {
      %i = uop.range loop 3
      %k = uop.range reduce 32
      %n = arith.constant )mlir" +
         columns + R"mlir( : index
      %mask = arith.cmpi slt, %k, %n : index
      %v = uop.load %x[%i, %k] mask %mask : memref<3x18xi32>
      %minus = arith.constant -1 : i32
      %neg = arith.subi %minus, %v : i32
      %s = uop.reduce )mlir" +
         kind + " " + value + R"mlir( over(%k) mask %mask : i32
      uop.store %s, %y[%i] : memref<3xi32>
    })mlir";
}

// The largest of -x-1 in each row: 0 is not the identity of a maximum.
TEST_F(KernelTest, PaddedReductions) {
  std::vector<int32_t> x(54), y;
  for (int i = 0; i < 54; ++i)
    x[i] = i;
  auto compute = [&](std::string text) {
    y.assign(3, 77);
    EXPECT_TRUE(succeeded(run(text, {i32(x, {3, 18}), i32(y, {3})})))
        << messages;
    return y;
  };
  // Row i begins with 18 i: the first 17 sum to 17 * 18 i + 136.
  EXPECT_EQ(compute(getPaddedRows("17", "%v", "add")),
            (std::vector<int32_t>{136, 442, 748}));
  EXPECT_EQ(compute(getPaddedRows("16", "%v", "add")),
            (std::vector<int32_t>{120, 408, 696}));
  EXPECT_EQ(compute(getPaddedRows("17", "%neg", "maxsi")),
            (std::vector<int32_t>{-1, -19, -37}));
}

// A convolution of 3 channels, 3x3, with a padding of 1, the bias after it: the
// masks of the loads keep the border out.
TEST_F(KernelTest, PaddedConvolution) {
  std::vector<float> x = makeData(3 * 16 * 16), w = makeData(2 * 3 * 3 * 3);
  std::vector<float> bias = {0.5f, -0.25f}, y(2 * 16 * 16, kSentinel);
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @conv(%X: memref<3x16x16xf32>, %W: memref<2x3x3x3xf32>,
                     %B: memref<2xf32>, %Y: memref<2x16x16xf32>) {
      %o = uop.range loop 2
      %h = uop.range loop 16
      %w = uop.range loop 16
      %c = uop.range reduce 3
      %r = uop.range reduce 3
      %s = uop.range reduce 3
      %one = arith.constant 1 : index
      %sixteen = arith.constant 16 : index
      %h1 = arith.addi %h, %r : index
      %w1 = arith.addi %w, %s : index
      %y = arith.subi %h1, %one : index
      %x = arith.subi %w1, %one : index
      %inY = arith.cmpi ult, %y, %sixteen : index
      %inX = arith.cmpi ult, %x, %sixteen : index
      %in = arith.andi %inY, %inX : i1
      %a = uop.load %X[%c, %y, %x] mask %in : memref<3x16x16xf32>
      %f = uop.load %W[%o, %c, %r, %s] : memref<2x3x3x3xf32>
      %p = arith.mulf %a, %f : f32
      %sum = uop.reduce add %p over(%c, %r, %s) : f32
      %b = uop.load %B[%o] : memref<2xf32>
      %v = arith.addf %sum, %b : f32
      uop.store %v, %Y[%o, %h, %w] : memref<2x16x16xf32>
    })mlir",
                            {f32(x, {3, 16, 16}), f32(w, {2, 3, 3, 3}),
                             f32(bias, {2}), f32(y, {2, 16, 16})})))
      << messages;
  for (int o = 0; o < 2; ++o)
    for (int h = 0; h < 16; ++h)
      for (int q = 0; q < 16; ++q) {
        volatile float sum = 0;
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s) {
              int i = h + r - 1, j = q + s - 1;
              float a = i >= 0 && i < 16 && j >= 0 && j < 16
                            ? x[(c * 16 + i) * 16 + j]
                            : 0;
              volatile float p = a * w[((o * 3 + c) * 3 + r) * 3 + s];
              sum = sum + p;
            }
        ASSERT_EQ(y[(o * 16 + h) * 16 + q], sum + bias[o]);
      }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// Loads read memory as at entry: x[i] = x[i] + 1 in place.
TEST_F(KernelTest, InPlace) {
  std::vector<float> x = {1, 2, 3};
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @inc(%x: memref<3xf32>) {
      %i = uop.range loop 3
      %one = arith.constant 1.0 : f32
      %v = uop.load %x[%i] : memref<3xf32>
      %w = arith.addf %v, %one : f32
      uop.store %w, %x[%i] : memref<3xf32>
    })mlir",
                            {f32(x, {3})})));
  EXPECT_EQ(x, (std::vector<float>{2, 3, 4}));
}

// Two buffers swap their contents, for the second store does not see the first.
TEST_F(KernelTest, Swap) {
  std::vector<float> x = {1, 2, 3}, y = {4, 5, 6};
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @swap(%x: memref<3xf32>, %y: memref<3xf32>) {
      %i = uop.range loop 3
      %a = uop.load %x[%i] : memref<3xf32>
      %b = uop.load %y[%i] : memref<3xf32>
      uop.store %b, %x[%i] : memref<3xf32>
      uop.store %a, %y[%i] : memref<3xf32>
    })mlir",
                            {f32(x, {3}), f32(y, {3})})));
  EXPECT_EQ(x, (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(y, (std::vector<float>{1, 2, 3}));
}

// Of two stores to one element at one point the last counts.
TEST_F(KernelTest, TheLastStoreCounts) {
  std::vector<float> x = {kSentinel, kSentinel};
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @twice(%x: memref<2xf32>) {
      %i = uop.range loop 2
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      uop.store %one, %x[%i] : memref<2xf32>
      uop.store %two, %x[%i] : memref<2xf32>
    })mlir",
                            {f32(x, {2})})))
      << messages;
  EXPECT_EQ(x, (std::vector<float>{2, 2}));
}

// An accumulating store adds to what memory held, once a point.
TEST_F(KernelTest, Histogram) {
  std::vector<int32_t> x = {3, 1, 3, 3, 0, 1}, bins = {10, 20, 30, 40};
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @histogram(%in: memref<6xi32>, %bins: memref<4xi32>) {
      %i = uop.range loop 6
      %v = uop.load %in[%i] : memref<6xi32>
      %bin = arith.index_cast %v : i32 to index
      %one = arith.constant 1 : i32
      uop.store add %one, %bins[%bin] : memref<4xi32>
    })mlir",
                            {i32(x, {6}), i32(bins, {4})})));
  EXPECT_EQ(bins, (std::vector<int32_t>{11, 22, 30, 43}));
}

// The domain counts, not the ranges in which the operands are free: 2 * 3
// points add 1 each.
TEST_F(KernelTest, AccumulationOverTheWholeDomain) {
  std::vector<int32_t> sum = {5};
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @count(%sum: memref<1xi32>) {
      %i = uop.range loop 2
      %j = uop.range loop 3
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : i32
      uop.store add %one, %sum[%zero] over(%i, %j) : memref<1xi32>
    })mlir",
                            {i32(sum, {1})})));
  EXPECT_EQ(sum[0], 11);
}

// A strided input, as a transposed one with padded rows and an offset, and an
// output that runs backwards.
TEST_F(KernelTest, StridedMemRefs) {
  std::vector<float> x(20), y(8, kSentinel);
  for (int i = 0; i < 20; ++i)
    x[i] = float(i);
  BufferArgument in = f32(x, {3, 2});
  in.offset = 1;
  in.strides = {1, 5};
  BufferArgument out = f32(y, {3, 2});
  out.offset = 7;
  out.strides = {-2, -1};
  ASSERT_TRUE(succeeded(run(R"mlir(
    !in = memref<3x2xf32, strided<[1, 5], offset: 1>>
    !out = memref<?x?xf32, strided<[?, ?], offset: ?>>
    uop.kernel @copy(%x: !in, %y: !out) {
      %i = uop.range loop 3
      %j = uop.range loop 2
      %v = uop.load %x[%i, %j] : !in
      uop.store %v, %y[%i, %j] : !out
    })mlir",
                            {in, out})))
      << messages;
  // Rows of the input are (1, 6), (2, 7), (3, 8).
  EXPECT_EQ(y, (std::vector<float>{kSentinel, kSentinel, 8, 3, 7, 2, 6, 1}));
}

// i1 takes a byte; only its lowest bit counts.
TEST_F(KernelTest, Booleans) {
  std::vector<uint8_t> x = {0, 1, 2, 3}, y(4, 0x5A);
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @not(%x: memref<4xi1>, %y: memref<4xi1>) {
      %i = uop.range loop 4
      %true = arith.constant true
      %v = uop.load %x[%i] : memref<4xi1>
      %w = arith.xori %v, %true : i1
      uop.store %w, %y[%i] : memref<4xi1>
    })mlir",
                            {buffer(x, "i1", {4}), buffer(y, "i1", {4})})));
  EXPECT_EQ(y, (std::vector<uint8_t>{1, 0, 1, 0}));
}

// Interleaved buffers have no element in common, though one lies in the other.
TEST_F(KernelTest, InterleavedBuffers) {
  std::vector<float> x = {1, kSentinel, 2, kSentinel};
  BufferArgument even = f32(x, {2}), odd = f32(x, {2});
  even.strides = odd.strides = {2};
  odd.offset = 1;
  ASSERT_TRUE(succeeded(run(R"mlir(
    !even = memref<2xf32, strided<[2]>>
    !odd = memref<2xf32, strided<[2], offset: 1>>
    uop.kernel @copy(%x: !even, %y: !odd) {
      %i = uop.range loop 2
      %v = uop.load %x[%i] : !even
      uop.store %v, %y[%i] : !odd
    })mlir",
                            {even, odd})))
      << messages;
  EXPECT_EQ(x, (std::vector<float>{1, 1, 2, 2}));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

// A product of matrices of any sizes: (8,8)@(8,0) has no elements, and
// (8,0)@(0,8) is zeros.
TEST_F(KernelTest, DynamicAndEmptySizes) {
  StringRef text = R"mlir(
    uop.kernel @gemm(%A: memref<?x?xf32>, %B: memref<?x?xf32>,
                     %C: memref<?x?xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %M = memref.dim %C, %c0 : memref<?x?xf32>
      %N = memref.dim %C, %c1 : memref<?x?xf32>
      %K = memref.dim %A, %c1 : memref<?x?xf32>
      %m = uop.range loop %M
      %n = uop.range loop %N
      %k = uop.range reduce %K
      %a = uop.load %A[%m, %k] : memref<?x?xf32>
      %b = uop.load %B[%k, %n] : memref<?x?xf32>
      %p = arith.mulf %a, %b : f32
      %c = uop.reduce add %p over(%k) : f32
      uop.store %c, %C[%m, %n] : memref<?x?xf32>
    })mlir";
  auto compute = [&](int64_t m, int64_t n, int64_t k) {
    std::vector<float> a(m * k, 2), b(k * n, 3), c(m * n, kSentinel);
    EXPECT_TRUE(
        succeeded(run(text, {f32(a, {m, k}), f32(b, {k, n}), f32(c, {m, n})})))
        << messages;
    return c;
  };
  EXPECT_EQ(compute(8, 0, 8), std::vector<float>());
  EXPECT_EQ(compute(8, 8, 0), std::vector<float>(64, 0));
  EXPECT_EQ(compute(1, 1, 1), std::vector<float>{6});
  EXPECT_EQ(compute(3, 2, 5), std::vector<float>(6, 30));
}

// A memref of rank 0, and an extent that is computed from a scalar.
TEST_F(KernelTest, ScalarsAndRankZero) {
  std::vector<float> sum = {kSentinel};
  ASSERT_TRUE(succeeded(
      run(R"mlir(
    uop.kernel @sum(%n: index, %x: f32, %sum: memref<f32>) {
      %c2 = arith.constant 2 : index
      %twice = arith.muli %n, %c2 : index
      %k = uop.range reduce %twice
      %s = uop.reduce add %x over(%k) : f32
      uop.store %s, %sum[] over() : memref<f32>
    })mlir",
          {index(3), Builder(&context).getF32FloatAttr(1.5f), f32(sum, {})})))
      << messages;
  EXPECT_EQ(sum[0], 9);
}

//===----------------------------------------------------------------------===//
// Mapped kernels
//===----------------------------------------------------------------------===//

// All axes are loops, so a mapped kernel computes the same; a constant 0 in
// `over` is a range of one point.
TEST_F(KernelTest, MappedKernel) {
  std::vector<float> x = makeData(64), y(64, kSentinel);
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @copy(%x: memref<64xf32>, %y: memref<64xf32>) {
      %g = uop.range global<x> 2
      %l = uop.range local<x> 8
      %u = uop.range upcast 4
      %zero = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c4 = arith.constant 4 : index
      %gu = arith.muli %g, %c4 : index
      %c = arith.addi %gu, %u : index
      %cl = arith.muli %c, %c8 : index
      %i = arith.addi %cl, %l : index
      %v = uop.load %x[%i] : memref<64xf32>
      uop.store %v, %y[%i] over(%g, %zero, %l, %u) : memref<64xf32>
    })mlir",
                            {f32(x, {64}), f32(y, {64})})))
      << messages;
  EXPECT_EQ(x, y);
}

// A tile is a value: each row reversed through one.
TEST_F(KernelTest, Stage) {
  std::vector<float> x = makeData(4 * 16), y(4 * 16, kSentinel);
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @reverse(%in: memref<4x16xf32>, %out: memref<4x16xf32>) {
      %b = uop.range global<x> 4
      %i = uop.range loop 16
      %x = uop.load %in[%b, %i] : memref<4x16xf32>
      %t = uop.stage %x[%i] over(%i) : !uop.tile<16xf32, workgroup>
      %l = uop.range local<x> 16
      %c15 = arith.constant 15 : index
      %r = arith.subi %c15, %l : index
      %y = uop.load %t[%r] : !uop.tile<16xf32, workgroup>
      uop.store %y, %out[%b, %l] : memref<4x16xf32>
    })mlir",
                            {f32(x, {4, 16}), f32(y, {4, 16})})))
      << messages;
  for (int row = 0; row < 4; ++row)
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(y[row * 16 + i], x[row * 16 + 15 - i]);
}

// A reduction is done once for each point at which it differs, whatever the
// order of the ranges: else these 300 column sums would be done 300 times each.
TEST_F(KernelTest, ResultsAreRemembered) {
  std::vector<float> x(300 * 300, 1), y(300 * 300, kSentinel);
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @center(%x: memref<300x300xf32>, %y: memref<300x300xf32>) {
      %i = uop.range loop 300
      %j = uop.range loop 300
      %k = uop.range reduce 300
      %v = uop.load %x[%k, %j] : memref<300x300xf32>
      %s = uop.reduce add %v over(%k) : f32
      uop.store %s, %y[%i, %j] over(%i, %j) : memref<300x300xf32>
    })mlir",
                            {f32(x, {300, 300}), f32(y, {300, 300})})));
  EXPECT_EQ(y, std::vector<float>(300 * 300, 300));
}

// An expression in which each value is used twice is evaluated in linear time.
TEST_F(KernelTest, SharedSubexpressions) {
  std::string text = "uop.kernel @twice(%y: memref<1xi32>) {\n"
                     "%i = uop.range loop 1\n"
                     "%v0 = arith.index_cast %i : index to i32\n"
                     "%c1 = arith.constant 1 : i32\n"
                     "%w0 = arith.addi %v0, %c1 : i32\n";
  for (int n = 1; n <= 1000; ++n) {
    std::string last = "%w" + std::to_string(n - 1);
    text += "%w" + std::to_string(n) + " = arith.addi " + last + ", " + last +
            " : i32\n";
  }
  text += "%r = arith.addi %w31, %w1000 : i32\n"
          "uop.store %r, %y[%i] : memref<1xi32>\n}";
  std::vector<int32_t> y = {77};
  ASSERT_TRUE(succeeded(run(text, {i32(y, {1})}))) << messages;
  // 2^31 + 2^1000 in 32 bits.
  EXPECT_EQ(y[0], INT32_MIN);
}

// Progress counts the points of the stores.
TEST_F(KernelTest, Progress) {
  std::vector<float> y(1000, kSentinel);
  std::vector<std::pair<int64_t, int64_t>> reports;
  InterpreterOptions options;
  options.progress = [&](int64_t done, int64_t total) {
    reports.push_back({done, total});
  };
  ASSERT_TRUE(succeeded(run(R"mlir(
    uop.kernel @fill(%y: memref<1000xf32>) {
      %i = uop.range loop 1000
      %one = arith.constant 1.0 : f32
      uop.store %one, %y[%i] : memref<1000xf32>
    })mlir",
                            {f32(y, {1000})}, options)));
  ASSERT_GE(reports.size(), 2u);
  EXPECT_EQ(reports.front(), std::make_pair(int64_t(0), int64_t(1000)));
  EXPECT_EQ(reports.back(), std::make_pair(int64_t(1000), int64_t(1000)));
}

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

// (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24, which rounds to 1 + 2^-11. Less that, an
// exact product leaves 2^-24, a rounded one nothing.
TEST_F(KernelTest, Contraction) {
  StringRef begin = R"mlir(
    uop.kernel @contract(%x: memref<1xf32>, %y: memref<1xf32>) {
      %i = uop.range loop 1
      %k = uop.range reduce 1
      %a = uop.load %x[%i] : memref<1xf32>
      %p = arith.mulf %a, %a : f32
      %c = arith.constant 1.00048828125 : f32
      %minus = arith.constant -1.00048828125 : f32
  )mlir";
  auto compute = [&](StringRef body, bool contract) {
    std::vector<float> x = {1 + 0x1p-12f}, y = {kSentinel};
    InterpreterOptions options;
    options.contract = contract;
    EXPECT_TRUE(succeeded(run((begin + body + R"mlir(
      uop.store %r, %y[%i] over(%i) : memref<1xf32>
    })mlir")
                                  .str(),
                              {f32(x, {1}), f32(y, {1})}, options)))
        << messages;
    return y[0];
  };
  auto check = [&](StringRef body, float contracted) {
    EXPECT_EQ(compute(body, false), 0) << body.str();
    EXPECT_EQ(compute(body, true), contracted) << body.str();
  };
  // Of each operand of a sum and a difference.
  check("%r = arith.addf %p, %minus : f32", 0x1p-24f);
  check("%r = arith.addf %minus, %p : f32", 0x1p-24f);
  check("%r = arith.subf %p, %c : f32", 0x1p-24f);
  check("%r = arith.subf %c, %p : f32", -0x1p-24f);
  // If both are products, the first is exact: the second is rounded.
  check("%r = arith.subf %p, %p : f32", 0x1p-24f);
  // Through the arguments of a combiner, but not for its accumulators.
  check(R"mlir(%r = uop.reduce (%p) init(%minus) over(%k)
      combine (%acc: f32, %v: f32) {
        %s = arith.addf %acc, %v : f32
        uop.yield %s : f32
      } : f32)mlir",
        0x1p-24f);
  check(R"mlir(%r = uop.reduce (%minus) init(%p) over(%k)
      combine (%acc: f32, %v: f32) {
        %s = arith.addf %acc, %v : f32
        uop.yield %s : f32
      } : f32)mlir",
        0);
}

// The sum of a reduction contracts with the product that it adds:
// -(1 + 2^-11) + (1 + 2^-12)^2.
TEST_F(KernelTest, ContractedSum) {
  auto compute = [&](bool contract) {
    std::vector<float> x = {1, 1 + 0x1p-12f}, w = {-1 - 0x1p-11f, 1 + 0x1p-12f};
    std::vector<float> y = {kSentinel};
    InterpreterOptions options;
    options.contract = contract;
    EXPECT_TRUE(
        succeeded(run(R"mlir(
      uop.kernel @dot(%x: memref<2xf32>, %w: memref<2xf32>, %y: memref<1xf32>) {
        %i = uop.range loop 1
        %k = uop.range reduce 2
        %a = uop.load %x[%k] : memref<2xf32>
        %b = uop.load %w[%k] : memref<2xf32>
        %p = arith.mulf %a, %b : f32
        %s = uop.reduce add %p over(%k) : f32
        uop.store %s, %y[%i] : memref<1xf32>
      })mlir",
                      {f32(x, {2}), f32(w, {2}), f32(y, {1})}, options)));
    return y[0];
  };
  EXPECT_EQ(compute(false), 0);
  EXPECT_EQ(compute(true), 0x1p-24f);
}

} // namespace
