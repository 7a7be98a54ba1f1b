//===- ScalarTest.cpp - What the scalar ops compute -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace uop;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

class ScalarTest : public InterpreterTest {
protected:
  /// Computes %r of a type from each %x and %y of a type. The types' C++
  /// counterparts hold their bits.
  template <typename In, typename Out>
  std::vector<Out> map(std::string inType, std::string outType,
                       std::string body, std::vector<In> x,
                       std::vector<In> y = {},
                       const InterpreterOptions &options = {}) {
    std::string text = getText(inType, outType, body, x.size());
    y.resize(x.size());
    std::vector<Out> z(x.size());
    std::memset(static_cast<void *>(z.data()), 0x5A, z.size() * sizeof(Out));
    int64_t size = x.size();
    EXPECT_TRUE(succeeded(run(text,
                              {buffer(x, inType.c_str(), {size}),
                               buffer(y, inType.c_str(), {size}),
                               buffer(z, outType.c_str(), {size})},
                              options)))
        << messages << text;
    return z;
  }

  /// The error of the same.
  template <typename In>
  std::string mapError(std::string inType, std::string outType,
                       std::string body, std::vector<In> x,
                       std::vector<In> y = {}) {
    std::vector<uint64_t> z(x.size());
    y.resize(x.size());
    int64_t size = x.size();
    return error(getText(inType, outType, body, x.size()),
                 {buffer(x, inType.c_str(), {size}),
                  buffer(y, inType.c_str(), {size}),
                  buffer(z, outType.c_str(), {size})});
  }

private:
  static std::string getText(std::string inType, std::string outType,
                             std::string body, size_t size) {
    std::string count = std::to_string(size);
    std::string in = "memref<" + count + "x" + inType + ">";
    std::string out = "memref<" + count + "x" + outType + ">";
    return "uop.kernel @map(%X: " + in + ", %Y: " + in + ", %Z: " + out +
           ") {\n%i = uop.range loop " + count +
           "\n%x = uop.load %X[%i] : " + in + "\n%y = uop.load %Y[%i] : " + in +
           "\n" + body + "\nuop.store %r, %Z[%i] over(%i) : " + out + "\n}\n";
  }
};

uint32_t bits(float value) {
  uint32_t result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

std::vector<uint32_t> bits(const std::vector<float> &values) {
  std::vector<uint32_t> result;
  for (float value : values)
    result.push_back(bits(value));
  return result;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

// Data wraps: (q + 10) < 5 as u8, by an unsigned comparison of i8.
TEST_F(ScalarTest, BytesWrap) {
  auto result = map<uint8_t, uint8_t>("i8", "i1", R"mlir(
      %c10 = arith.constant 10 : i8
      %c5 = arith.constant 5 : i8
      %s = arith.addi %x, %c10 : i8
      %r = arith.cmpi ult, %s, %c5 : i8)mlir",
                                      {250, 251, 255, 0});
  // 260 - 256 = 4, 261 - 256 = 5, 265 - 256 = 9.
  EXPECT_EQ(result, (std::vector<uint8_t>{1, 0, 0, 0}));
}

// The largest i32 plus one is the smallest.
TEST_F(ScalarTest, WordsWrap) {
  auto result = map<int32_t, uint8_t>("i32", "i1", R"mlir(
      %c1 = arith.constant 1 : i32
      %c5 = arith.constant 5 : i32
      %s = arith.addi %x, %c1 : i32
      %r = arith.cmpi slt, %s, %c5 : i32)mlir",
                                      {INT32_MAX, 3, 4});
  EXPECT_EQ(result, (std::vector<uint8_t>{1, 1, 0}));
}

// The upper half of the bytes are negative as i8.
TEST_F(ScalarTest, TruncationKeepsTheLowBits) {
  std::vector<int32_t> numbers(256);
  for (int i = 0; i < 256; ++i)
    numbers[i] = i;
  auto result = map<int32_t, uint8_t>("i32", "i1", R"mlir(
      %c0 = arith.constant 0 : i8
      %b = arith.trunci %x : i32 to i8
      %r = arith.cmpi slt, %b, %c0 : i8)mlir",
                                      numbers);
  EXPECT_EQ(llvm::count(result, 1), 128);
  EXPECT_EQ(result[127], 0);
  EXPECT_EQ(result[128], 1);
}

/// Quotients and remainders of one width, by arithmetic in 128 bits.
template <typename T> struct Divisions {
  using Wide = __int128;
  static Wide floorDiv(Wide a, Wide b) {
    Wide q = a / b;
    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
  }
  static Wide ceilDiv(Wide a, Wide b) { return -floorDiv(-a, b); }
  static std::vector<T> numerators() {
    std::vector<T> list;
    for (int i = -20; i <= 20; ++i)
      list.push_back(T(i));
    for (Wide i : {100, 127, 640, 641, 642, 1282, 1923, 12345, 32767})
      if (i <= std::numeric_limits<T>::max()) {
        list.push_back(T(i));
        list.push_back(T(-i));
      }
    for (int i = 0; i < 10; ++i) {
      list.push_back(std::numeric_limits<T>::min() + i);
      list.push_back(std::numeric_limits<T>::max() - i);
    }
    return list;
  }
};

template <typename T>
void testDivision(std::string type,
                  llvm::function_ref<std::vector<T>(std::string, std::vector<T>,
                                                    std::vector<T>)>
                      compute) {
  using D = Divisions<T>;
  std::vector<T> x, y;
  for (int divisor : {2, 3, 5, 7, 8, 641})
    for (int sign : {1, -1})
      for (T numerator : D::numerators())
        if (divisor <= std::numeric_limits<T>::max()) {
          x.push_back(numerator);
          y.push_back(T(sign * divisor));
        }
  using U = std::make_unsigned_t<T>;
  auto check = [&](std::string op, llvm::function_ref<T(T, T)> expected) {
    std::vector<T> result = compute(op, x, y);
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(result[i], expected(x[i], y[i]))
          << op << " " << type << " of " << int64_t(x[i]) << " and "
          << int64_t(y[i]);
  };
  check("arith.divsi", [](T a, T b) { return T(a / b); });
  check("arith.remsi", [](T a, T b) { return T(a % b); });
  check("arith.floordivsi", [](T a, T b) { return T(D::floorDiv(a, b)); });
  check("arith.ceildivsi", [](T a, T b) { return T(D::ceilDiv(a, b)); });
  check("arith.divui", [](T a, T b) { return T(U(a) / U(b)); });
  check("arith.remui", [](T a, T b) { return T(U(a) % U(b)); });
  check("arith.ceildivui", [](T a, T b) { return T(D::ceilDiv(U(a), U(b))); });
}

// Truncating, floor and ceiling division in every width, both signs, and the
// smallest integer.
TEST_F(ScalarTest, Division) {
  auto test = [&](auto zero, std::string type) {
    using T = decltype(zero);
    testDivision<T>(type, [&](std::string op, std::vector<T> x,
                              std::vector<T> y) {
      return map<T, T>(type, type, "%r = " + op + " %x, %y : " + type, x, y);
    });
  };
  test(int8_t(0), "i8");
  test(int16_t(0), "i16");
  test(int32_t(0), "i32");
  test(int64_t(0), "i64");
}

// The same of indices: uop.floordiv and uop.floormod.
TEST_F(ScalarTest, IndexDivision) {
  std::vector<int64_t> x, y;
  for (int64_t divisor : {2, 3, 5, 7, 8, 641, -2, -3, -5, -7, -8, -641})
    for (int64_t numerator : Divisions<int64_t>::numerators()) {
      x.push_back(numerator);
      y.push_back(divisor);
    }
  auto compute = [&](std::string op) {
    return map<int64_t, int64_t>("i64", "i64",
                                 "%a = arith.index_cast %x : i64 to index\n"
                                 "%b = arith.index_cast %y : i64 to index\n"
                                 "%q = " +
                                     op +
                                     " %a, %b\n"
                                     "%r = arith.index_cast %q : index to i64",
                                 x, y);
  };
  auto quotients = compute("uop.floordiv"),
       remainders = compute("uop.floormod");
  for (size_t i = 0; i < x.size(); ++i) {
    __int128 expected = Divisions<int64_t>::floorDiv(x[i], y[i]);
    EXPECT_EQ(quotients[i], int64_t(expected)) << x[i] << " " << y[i];
    EXPECT_EQ(remainders[i], int64_t(x[i] - expected * y[i]));
  }
}

// -128 % -1 is 0, though -128 / -1 has no result.
TEST_F(ScalarTest, RemainderOfTheSmallestByMinusOne) {
  EXPECT_EQ((map<int8_t, int8_t>("i8", "i8", "%r = arith.remsi %x, %y : i8",
                                 {-128}, {-1})),
            std::vector<int8_t>{0});
}

// Shifts, and the bit counts.
TEST_F(ScalarTest, Bits) {
  auto i8 = [&](std::string body, std::vector<uint8_t> x,
                std::vector<uint8_t> y = {}) {
    return map<uint8_t, uint8_t>("i8", "i8", body, x, y);
  };
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(i8("%r = arith.shli %x, %y : i8", {5, 0x81}, {3, 1}),
            (Bytes{40, 2}));
  EXPECT_EQ(i8("%r = arith.shrui %x, %y : i8", {160, 0x81}, {3, 7}),
            (Bytes{20, 1}));
  EXPECT_EQ(i8("%r = arith.shrsi %x, %y : i8", {160, 98}, {3, 3}),
            (Bytes{0xF4, 12}));
  EXPECT_EQ(i8("%r = math.ctlz %x : i8", {0, 1, 0x80}), (Bytes{8, 7, 0}));
  EXPECT_EQ(i8("%r = math.cttz %x : i8", {0, 1, 0x80}), (Bytes{8, 0, 7}));
  EXPECT_EQ(i8("%r = math.ctpop %x : i8", {0, 0xFF, 0x81}), (Bytes{0, 8, 2}));
  EXPECT_EQ(i8("%r = math.absi %x : i8", {0xFF, 5, 0x80}), (Bytes{1, 5, 0x80}));
  EXPECT_EQ(i8("%r = arith.andi %x, %y : i8", {0xCC}, {0xAA}), (Bytes{0x88}));
  EXPECT_EQ(i8("%r = arith.ori %x, %y : i8", {0xCC}, {0xAA}), (Bytes{0xEE}));
  EXPECT_EQ(i8("%r = arith.xori %x, %y : i8", {0xCC}, {0xAA}), (Bytes{0x66}));
}

// Powers wrap; a negative power truncates to -1, 0 or 1.
TEST_F(ScalarTest, IntegerPowers) {
  EXPECT_EQ(
      (map<int8_t, int8_t>("i8", "i8", "%r = math.ipowi %x, %y : i8",
                           {3, 3, -1, -1, 2, 1, 0}, {4, 5, -3, -4, -1, -9, 0})),
      (std::vector<int8_t>{81, int8_t(243 - 256), -1, 1, 0, 1, 1}));
}

// Products of twice the width, and sums with their carry.
TEST_F(ScalarTest, ExtendedResults) {
  EXPECT_EQ((map<uint8_t, uint8_t>("i8", "i8",
                                   "%l, %r = arith.mului_extended %x, %y : i8",
                                   {200, 255}, {3, 255})),
            (std::vector<uint8_t>{2, 254}));
  EXPECT_EQ((map<uint8_t, uint8_t>("i8", "i8",
                                   "%l, %r = arith.mulsi_extended %x, %y : i8",
                                   {0xFF, 0x80}, {3, 0x80})),
            (std::vector<uint8_t>{0xFF, 0x40}));
  EXPECT_EQ((map<uint8_t, uint8_t>(
                "i8", "i1", "%s, %r = arith.addui_extended %x, %y : i8, i1",
                {200, 200}, {55, 56})),
            (std::vector<uint8_t>{0, 1}));
}

// i1 extends to -1 with its sign, and to 1 without.
TEST_F(ScalarTest, BooleansExtend) {
  std::vector<uint8_t> truth = {0, 1};
  EXPECT_EQ((map<uint8_t, int32_t>("i1", "i32",
                                   "%r = arith.extsi %x : i1 to i32", truth)),
            (std::vector<int32_t>{0, -1}));
  EXPECT_EQ((map<uint8_t, int32_t>("i1", "i32",
                                   "%r = arith.extui %x : i1 to i32", truth)),
            (std::vector<int32_t>{0, 1}));
  EXPECT_EQ((map<uint8_t, float>("i1", "f32",
                                 "%r = arith.uitofp %x : i1 to f32", truth)),
            (std::vector<float>{0, 1}));
}

//===----------------------------------------------------------------------===//
// Floating-point numbers
//===----------------------------------------------------------------------===//

// NaN: maximumf and minimumf return it, maxnumf and minnumf the other operand.
// Zeros are ordered by their sign.
TEST_F(ScalarTest, MinimumAndMaximum) {
  std::vector<float> x = {1, kNaN, 2, kNaN, -0.0f, 0.0f, kInf, -kInf};
  std::vector<float> y = {2, 1, kNaN, kNaN, 0.0f, -0.0f, kNaN, 3};
  auto compute = [&](std::string op) {
    return map<float, float>("f32", "f32", "%r = arith." + op + " %x, %y : f32",
                             x, y);
  };
  auto maximum = compute("maximumf"), minimum = compute("minimumf");
  auto maxnum = compute("maxnumf"), minnum = compute("minnumf");
  auto expect = [](std::vector<float> actual, std::vector<float> expected) {
    for (size_t i = 0; i < actual.size(); ++i) {
      if (std::isnan(expected[i]))
        EXPECT_TRUE(std::isnan(actual[i])) << i;
      else
        EXPECT_EQ(bits(actual[i]), bits(expected[i])) << i;
    }
  };
  expect(maximum, {2, kNaN, kNaN, kNaN, 0.0f, 0.0f, kNaN, 3});
  expect(minimum, {1, kNaN, kNaN, kNaN, -0.0f, -0.0f, kNaN, -kInf});
  expect(maxnum, {2, 1, 2, kNaN, 0.0f, 0.0f, kInf, 3});
  expect(minnum, {1, 1, 2, kNaN, -0.0f, -0.0f, kInf, -kInf});
}

// x/x, x*0 and x-x are not what they are for ordinary numbers.
TEST_F(ScalarTest, SpecialOperandsAreNotFolded) {
  std::vector<float> x = {0, kInf, kNaN, -2};
  auto quotient =
      map<float, float>("f32", "f32", "%r = arith.divf %x, %x : f32", x);
  auto product = map<float, float>("f32", "f32", R"mlir(
      %zero = arith.constant 0.0 : f32
      %r = arith.mulf %x, %zero : f32)mlir",
                                   x);
  auto difference =
      map<float, float>("f32", "f32", "%r = arith.subf %x, %x : f32", x);
  EXPECT_TRUE(std::isnan(quotient[0]) && std::isnan(quotient[1]) &&
              std::isnan(quotient[2]));
  EXPECT_EQ(quotient[3], 1);
  EXPECT_EQ(bits(product[0]), bits(0.0f));
  EXPECT_TRUE(std::isnan(product[1]) && std::isnan(product[2]));
  EXPECT_EQ(bits(product[3]), bits(-0.0f));
  EXPECT_EQ(bits(difference[0]), bits(0.0f));
  EXPECT_TRUE(std::isnan(difference[1]) && std::isnan(difference[2]));
}

// f32 and f64 as the machine computes them.
TEST_F(ScalarTest, ArithmeticIsRoundedOnce) {
  std::vector<float> x = {1.1f, -3.7f, 1e30f, 1e-38f, 16777216.0f, 7.0f};
  std::vector<float> y = {2.3f, 1e-8f, 1e10f, 1e-5f, 1.0f, -3.0f};
  auto check = [&](std::string op, float (*expected)(float, float)) {
    auto result = map<float, float>("f32", "f32",
                                    "%r = arith." + op + " %x, %y : f32", x, y);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(bits(result[i]), bits(expected(x[i], y[i]))) << op << " " << i;
  };
  check("addf", [](float a, float b) { return a + b; });
  check("subf", [](float a, float b) { return a - b; });
  check("mulf", [](float a, float b) { return a * b; });
  check("divf", [](float a, float b) { return a / b; });
  check("remf", [](float a, float b) { return std::fmod(a, b); });
  EXPECT_EQ((map<double, double>("f64", "f64", "%r = arith.addf %x, %y : f64",
                                 {0.1}, {0.2})),
            std::vector<double>{0.1 + 0.2});
}

// All comparisons of less, equal, greater and unordered operands.
TEST_F(ScalarTest, Comparisons) {
  std::vector<float> x = {1, 2, 3, kNaN}, y = {2, 2, 2, 2};
  auto check = [&](std::string predicate, std::vector<uint8_t> expected) {
    EXPECT_EQ((map<float, uint8_t>(
                  "f32", "i1",
                  "%r = arith.cmpf " + predicate + ", %x, %y : f32", x, y)),
              expected)
        << predicate;
  };
  check("false", {0, 0, 0, 0});
  check("oeq", {0, 1, 0, 0});
  check("ogt", {0, 0, 1, 0});
  check("oge", {0, 1, 1, 0});
  check("olt", {1, 0, 0, 0});
  check("ole", {1, 1, 0, 0});
  check("one", {1, 0, 1, 0});
  check("ord", {1, 1, 1, 0});
  check("ueq", {0, 1, 0, 1});
  check("ugt", {0, 0, 1, 1});
  check("uge", {0, 1, 1, 1});
  check("ult", {1, 0, 0, 1});
  check("ule", {1, 1, 0, 1});
  check("une", {1, 0, 1, 1});
  check("uno", {0, 0, 0, 1});
  check("true", {1, 1, 1, 1});
}

// f16 has 11 bits of precision, bf16 has 8; 65504 is the largest f16.
TEST_F(ScalarTest, NarrowFormats) {
  using Halves = std::vector<uint16_t>;
  // f16: 2048 + 1 ties to 2048, 2048 + 3 ties to 2052; 65504 + 32 overflows.
  EXPECT_EQ((map<uint16_t, uint16_t>(
                "f16", "f16", "%r = arith.addf %x, %y : f16",
                {0x6800, 0x6800, 0x7BFF}, {0x3C00, 0x4200, 0x5000})),
            (Halves{0x6800, 0x6802, 0x7C00}));
  // bf16: 256 + 1 ties to 256, 256 + 3 ties to 260.
  EXPECT_EQ(
      (map<uint16_t, uint16_t>("bf16", "bf16", "%r = arith.addf %x, %y : bf16",
                               {0x4380, 0x4380}, {0x3F80, 0x4040})),
      (Halves{0x4380, 0x4382}));
  // f32 to f16 and bf16: 1 + 2^-11 is a tie, 1 + 2^-10 is exact in f16.
  std::vector<float> x = {1 + 0x1p-11f, 1 + 0x1p-10f, 1e6f, 0x1p-24f};
  EXPECT_EQ((map<float, uint16_t>("f32", "f16",
                                  "%r = arith.truncf %x : f32 to f16", x)),
            (Halves{0x3C00, 0x3C01, 0x7C00, 0x0001}));
  EXPECT_EQ((map<float, uint16_t>("f32", "bf16",
                                  "%r = arith.truncf %x : f32 to bf16", x)),
            (Halves{0x3F80, 0x3F80, 0x4974, 0x3380}));
  EXPECT_EQ(
      (map<uint16_t, float>("f16", "f32", "%r = arith.extf %x : f16 to f32",
                            {0x0001, 0xC000, 0x7BFF})),
      (std::vector<float>{0x1p-24f, -2, 65504}));
}

// The formats of 8 bits: f8E4M3FN reaches 448 and has no infinity, f8E5M2
// reaches 57344.
TEST_F(ScalarTest, Float8) {
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ((map<float, uint8_t>("f32", "f8E4M3FN",
                                 "%r = arith.truncf %x : f32 to f8E4M3FN",
                                 {1, 448, -0.5f, 0x1p-9f})),
            (Bytes{0x38, 0x7E, 0xB0, 0x01}));
  EXPECT_EQ((map<float, uint8_t>("f32", "f8E5M2",
                                 "%r = arith.truncf %x : f32 to f8E5M2",
                                 {1, 57344, kInf})),
            (Bytes{0x3C, 0x7B, 0x7C}));
  EXPECT_EQ((map<uint8_t, float>("f8E4M3FN", "f32",
                                 "%r = arith.extf %x : f8E4M3FN to f32",
                                 {0x38, 0x7E, 0x01})),
            (std::vector<float>{1, 448, 0x1p-9f}));
  // 1.5 + 0.125 = 1.625 is exact in f8E4M3FN (3 bits after the point).
  EXPECT_EQ((map<uint8_t, uint8_t>("f8E4M3FN", "f8E4M3FN",
                                   "%r = arith.addf %x, %y : f8E4M3FN", {0x3C},
                                   {0x20})),
            (Bytes{0x3D}));
}

// A format without NaN, zero or sign holds data, but cannot be computed with.
TEST_F(ScalarTest, FormatsWithoutArithmetic) {
  EXPECT_EQ((map<float, uint8_t>("f32", "f4E2M1FN",
                                 "%r = arith.truncf %x : f32 to f4E2M1FN",
                                 {0.5f, 6, -1, 100})),
            (std::vector<uint8_t>{0x1, 0x7, 0xA, 0x7}));
  EXPECT_EQ((map<uint8_t, float>("f8E8M0FNU", "f32",
                                 "%r = arith.extf %x : f8E8M0FNU to f32",
                                 {127, 130})),
            (std::vector<float>{1, 8}));
  EXPECT_CONTAINS(mapError<uint8_t>("f4E2M1FN", "f4E2M1FN",
                                    "%r = arith.divf %x, %y : f4E2M1FN", {0}),
                  "'arith.divf' op has no result for some values of type "
                  "'f4E2M1FN', which has no arithmetic; compute in f32");
  EXPECT_CONTAINS(mapError<float>("f32", "f4E2M1FN",
                                  "%r = arith.truncf %x : f32 to f4E2M1FN",
                                  {kNaN}),
                  "'arith.truncf' op is undefined: NaN has no counterpart in "
                  "the type at (loop 1 = 0)");
  EXPECT_CONTAINS(mapError<float>("f32", "f8E8M0FNU",
                                  "%r = arith.truncf %x : f32 to f8E8M0FNU",
                                  {0}),
                  "has no counterpart in the type");
}

// Rounding modes of arith.truncf: 1 + 2^-9 lies between bf16 1 and 1 + 2^-7.
TEST_F(ScalarTest, RoundingModes) {
  auto check = [&](std::string mode, uint16_t positive, uint16_t negative) {
    EXPECT_EQ(
        (map<float, uint16_t>("f32", "bf16",
                              "%r = arith.truncf %x " + mode + " : f32 to bf16",
                              {1 + 0x1p-9f, -1 - 0x1p-9f})),
        (std::vector<uint16_t>{positive, negative}))
        << mode;
  };
  check("", 0x3F80, 0xBF80);
  check("to_nearest_even", 0x3F80, 0xBF80);
  check("downward", 0x3F80, 0xBF81);
  check("upward", 0x3F81, 0xBF80);
  check("toward_zero", 0x3F80, 0xBF80);
}

// To integers by truncation; from integers to the nearest.
TEST_F(ScalarTest, ConversionsWithIntegers) {
  EXPECT_EQ((map<float, int8_t>("f32", "i8", "%r = arith.fptosi %x : f32 to i8",
                                {1.9f, -1.9f, 127.9f, -128.9f})),
            (std::vector<int8_t>{1, -1, 127, -128}));
  EXPECT_EQ(
      (map<float, uint8_t>("f32", "i8", "%r = arith.fptoui %x : f32 to i8",
                           {255.5f, -0.9f})),
      (std::vector<uint8_t>{255, 0}));
  EXPECT_EQ(
      (map<int32_t, float>("i32", "f32", "%r = arith.sitofp %x : i32 to f32",
                           {16777217, 16777219, -1})),
      (std::vector<float>{16777216, 16777220, -1}));
  EXPECT_EQ((map<int32_t, float>("i32", "f32",
                                 "%r = arith.uitofp %x : i32 to f32", {-1})),
            (std::vector<float>{4294967296.0f}));
  EXPECT_EQ(
      (map<float, uint32_t>("f32", "i32", "%r = arith.bitcast %x : f32 to i32",
                            {1, -0.0f})),
      (std::vector<uint32_t>{0x3F800000, 0x80000000}));
}

// The exact functions.
TEST_F(ScalarTest, ExactFunctions) {
  std::vector<float> x = {2.5f, -2.5f, 3.5f, -0.4f, 0.5f, kInf};
  auto check = [&](std::string op, std::vector<float> expected) {
    EXPECT_EQ(bits(map<float, float>("f32", "f32",
                                     "%r = math." + op + " %x : f32", x)),
              bits(expected))
        << op;
  };
  check("floor", {2, -3, 3, -1, 0, kInf});
  check("ceil", {3, -2, 4, -0.0f, 1, kInf});
  check("trunc", {2, -2, 3, -0.0f, 0, kInf});
  check("round", {3, -3, 4, -0.0f, 1, kInf});
  check("roundeven", {2, -2, 4, -0.0f, 0, kInf});
  check("absf", {2.5f, 2.5f, 3.5f, 0.4f, 0.5f, kInf});
  EXPECT_EQ((map<float, float>("f32", "f32", "%r = math.copysign %x, %y : f32",
                               {2, -3}, {-0.0f, 1})),
            (std::vector<float>{-2, 3}));
  std::vector<float> squares = {2, 3, 0.1f, 1e-40f, -0.0f, kInf};
  std::vector<float> roots;
  for (float value : squares)
    roots.push_back(std::sqrt(value));
  EXPECT_EQ(
      bits(map<float, float>("f32", "f32", "%r = math.sqrt %x : f32", squares)),
      bits(roots));
  // (1 + 2^-12)^2 - 1 keeps 2^-24 with one rounding.
  EXPECT_EQ((map<float, float>("f32", "f32", R"mlir(
      %minus = arith.constant -1.0 : f32
      %r = math.fma %x, %x, %minus : f32)mlir",
                               {1 + 0x1p-12f})),
            (std::vector<float>{0x1p-11f + 0x1p-24f}));
}

// The other functions are nearest to the true value: as a computation in
// double, rounded.
TEST_F(ScalarTest, OtherFunctions) {
  std::vector<float> x = {0.1f, 0.5f, 0.9f};
  auto check = [&](std::string op, double (*expected)(double)) {
    auto result =
        map<float, float>("f32", "f32", "%r = math." + op + " %x : f32", x);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(result[i], float(expected(x[i]))) << op << " of " << x[i];
  };
  check("exp", [](double v) { return std::exp(v); });
  check("exp2", [](double v) { return std::exp2(v); });
  check("expm1", [](double v) { return std::expm1(v); });
  check("log", [](double v) { return std::log(v); });
  check("log2", [](double v) { return std::log2(v); });
  check("log10", [](double v) { return std::log10(v); });
  check("log1p", [](double v) { return std::log1p(v); });
  check("sin", [](double v) { return std::sin(v); });
  check("cos", [](double v) { return std::cos(v); });
  check("tan", [](double v) { return std::tan(v); });
  check("asin", [](double v) { return std::asin(v); });
  check("acos", [](double v) { return std::acos(v); });
  check("atan", [](double v) { return std::atan(v); });
  check("sinh", [](double v) { return std::sinh(v); });
  check("cosh", [](double v) { return std::cosh(v); });
  check("tanh", [](double v) { return std::tanh(v); });
  check("erf", [](double v) { return std::erf(v); });
  check("cbrt", [](double v) { return std::cbrt(v); });
  check("rsqrt", [](double v) { return 1 / std::sqrt(v); });
  EXPECT_EQ((map<float, float>("f32", "f32", "%r = math.powf %x, %y : f32",
                               {2, -2, 9}, {10, 3, 0.5f})),
            (std::vector<float>{1024, -8, 3}));
  EXPECT_EQ((map<float, float>("f32", "f32", "%r = math.atan2 %x, %y : f32",
                               {1, -0.0f}, {1, 1})),
            (std::vector<float>{float(M_PI_4), -0.0f}));
  EXPECT_EQ((map<float, float>("f32", "f32", R"mlir(
      %n = arith.constant -3 : i32
      %r = math.fpowi %x, %n : f32, i32)mlir",
                               {2, -2})),
            (std::vector<float>{0.125f, -0.125f}));
}

// What a selection does not choose may be undefined.
TEST_F(ScalarTest, SelectDropsPoison) {
  EXPECT_EQ((map<uint32_t, uint32_t>("i32", "i32", R"mlir(
      %c32 = arith.constant 32 : i32
      %zero = arith.constant 0 : i32
      %small = arith.cmpi ult, %y, %c32 : i32
      %s = arith.shli %x, %y : i32
      %r = arith.select %small, %s, %zero : i32)mlir",
                                     {3, 3, 3}, {2, 31, 32})),
            (std::vector<uint32_t>{12, 0x80000000, 0}));
}

//===----------------------------------------------------------------------===//
// Undefined operations
//===----------------------------------------------------------------------===//

// Each is an error at the op, with the point.
TEST_F(ScalarTest, Undefined) {
  auto i8 = [&](std::string body, int8_t x, int8_t y) {
    return mapError<int8_t>("i8", "i8", body, {2, x}, {1, y});
  };
  for (const char *op : {"divsi", "divui", "remsi", "remui", "floordivsi",
                         "ceildivsi", "ceildivui"})
    EXPECT_CONTAINS(i8("%r = arith." + std::string(op) + " %x, %y : i8", 7, 0),
                    "'arith." + std::string(op) +
                        "' op is undefined: 7 is divided by zero at (loop 2 = "
                        "1)\n");
  for (const char *op : {"divsi", "floordivsi", "ceildivsi"})
    EXPECT_CONTAINS(
        i8("%r = arith." + std::string(op) + " %x, %y : i8", -128, -1),
        "is undefined: -128 divided by -1 overflows at (loop 2 = 1)");
  EXPECT_CONTAINS(i8("%r = arith.shli %x, %y : i8", 1, 8),
                  "'arith.shli' op is undefined: a shift of 8 bits by 8 at "
                  "(loop 2 = 1)\nnote: it is used here, as the value to store");
  EXPECT_CONTAINS(i8("%r = arith.shrsi %x, %y : i8", 1, -1),
                  "a shift of 8 bits by 255");
  EXPECT_CONTAINS(i8("%r = arith.shrui %x, %y exact : i8", 5, 1),
                  "an exact shift that drops bits of 5");
  EXPECT_CONTAINS(i8("%r = arith.addi %x, %y overflow<nsw> : i8", 127, 1),
                  "the sum of 127 and 1 overflows, but is nsw");
  EXPECT_CONTAINS(i8("%r = arith.muli %x, %y overflow<nuw> : i8", 16, 16),
                  "the product of 16 and 16 overflows, but is nuw");
  EXPECT_CONTAINS(i8("%r = arith.divsi %x, %y exact : i8", 7, 2),
                  "an exact division of 7 by 2 has a remainder");
  EXPECT_CONTAINS(i8("%r = math.ipowi %x, %y : i8", 0, -1),
                  "0 to the power -1");
  EXPECT_CONTAINS(i8("%r = ub.poison : i8", 0, 0),
                  "'ub.poison' op is undefined");
  EXPECT_CONTAINS(
      mapError<float>("f32", "i8", "%r = arith.fptosi %x : f32 to i8", {128}),
      "'arith.fptosi' op is undefined: 128 does not fit 8 signed bits");
  EXPECT_CONTAINS(
      mapError<float>("f32", "i8", "%r = arith.fptoui %x : f32 to i8", {kNaN}),
      "is undefined: NaN does not fit 8 unsigned bits");
  EXPECT_CONTAINS(mapError<int32_t>("i32", "i8",
                                    "%r = arith.trunci %x overflow<nsw> : i32 "
                                    "to i8",
                                    {200}),
                  "is undefined: 200 does not fit 8 bits");
}

// An index that does not fit 64 bits is an error, not a wrapped number.
TEST_F(ScalarTest, IndexOverflow) {
  auto i64 = [&](std::string op) {
    return mapError<int64_t>("i64", "i64",
                             "%a = arith.index_cast %x : i64 to index\n"
                             "%b = arith.index_cast %y : i64 to index\n"
                             "%q = " +
                                 op +
                                 " %a, %b : index\n"
                                 "%r = arith.index_cast %q : index to i64",
                             {INT64_MAX - 1}, {2});
  };
  EXPECT_CONTAINS(i64("arith.addi"),
                  "'arith.addi' op is undefined: the sum of the indices "
                  "9223372036854775806 and 2 does not fit 64 bits at (loop 1 = "
                  "0)");
  EXPECT_CONTAINS(i64("arith.muli"), "the product of the indices");
  EXPECT_CONTAINS(i64("arith.shli"), "the left shift of the indices");
  EXPECT_EQ(i64("arith.subi"), "no error");
}

// An op of another kind is refused by name.
TEST_F(ScalarTest, UnknownOps) {
  EXPECT_CONTAINS(mapError<float>("f32", "f32",
                                  "%r = math.clampf %x to [%y, %x] : f32", {1}),
                  "'math.clampf' op is not known to the reference interpreter");
  EXPECT_CONTAINS(
      mapError<__int128>("f128", "f128", "%r = math.exp %x : f128", {1}),
      "'math.exp' op is not known to the reference interpreter for "
      "'f128': expected at most f64");
}

} // namespace
