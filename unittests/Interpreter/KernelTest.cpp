//===- KernelTest.cpp - Kernels, their order and their memory -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"
#include <chrono>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uop;

namespace {

constexpr float kSentinel = -777.0f;

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

} // namespace
