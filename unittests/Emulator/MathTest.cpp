//===- MathTest.cpp - Math functions of the emulator ----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the functions that uop-expand-math makes arithmetic of on every number
// of f16 and bf16 and on a sample of f32, and compares with the C library's
// functions of `long double`: the bounds are those of docs/MathFunctions.md.
// benchmarks/math does it for all of f32.
//
//===----------------------------------------------------------------------===//

#include "MathCases.h"

#include "Uop/Emulator/Jit.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

#include <numeric>
#include <random>
#include <vector>

using namespace mlir;
using namespace uop;
using namespace uop::math_cases;
using llvm::APFloat;
using llvm::APInt;

namespace {

#if LLVM_ADDRESS_SANITIZER_BUILD || LLVM_THREAD_SANITIZER_BUILD
constexpr unsigned kSampleBits = 14;
#else
constexpr unsigned kSampleBits = 20;
#endif

/// A type of numbers, and how its bits are kept and read.
struct F32 {
  using Storage = uint32_t;
  static constexpr const char *name = "f32";
  static constexpr Format format = kF32;
  static double read(uint32_t bits) { return llvm::bit_cast<float>(bits); }
};

struct F64 {
  using Storage = uint64_t;
  static constexpr const char *name = "f64";
  static double read(uint64_t bits) { return llvm::bit_cast<double>(bits); }
};

double readNarrow(const llvm::fltSemantics &semantics, uint16_t bits) {
  APFloat number(semantics, APInt(16, bits));
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}
struct F16 {
  using Storage = uint16_t;
  static constexpr const char *name = "f16";
  static constexpr Format format = kF16;
  static double read(uint16_t bits) {
    return readNarrow(APFloat::IEEEhalf(), bits);
  }
};
struct BF16 {
  using Storage = uint16_t;
  static constexpr const char *name = "bf16";
  static constexpr Format format = kBF16;
  static double read(uint16_t bits) {
    return readNarrow(APFloat::BFloat(), bits);
  }
};

/// Compiled functions of one type, with the names f0, f1, ...
class Functions {
public:
  Functions(const std::string &source, unsigned optLevel = 3) {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(source, &context);
    JitOptions options;
    options.openmp = false;
    options.optLevel = optLevel;
    if (module)
      jit = Jit::create(*module, options);
    if (!jit)
      ADD_FAILURE() << source;
  }

  template <typename Storage>
  std::vector<Storage> call(size_t index,
                            std::vector<std::vector<Storage>> inputs) {
    std::vector<Storage> results(inputs[0].size(),
                                 static_cast<Storage>(0xA5A5A5A5A5A5A5A5));
    if (!jit)
      return results;
    inputs.push_back(std::move(results));
    std::vector<MemRefArgument> memrefs;
    for (std::vector<Storage> &input : inputs)
      memrefs.emplace_back(input.data(), static_cast<int64_t>(input.size()));
    std::vector<void *> arguments;
    for (MemRefArgument &memref : memrefs)
      arguments.push_back(memref.descriptor());
    llvm::Error error = jit->invoke("f" + std::to_string(index), arguments);
    EXPECT_FALSE(static_cast<bool>(error));
    llvm::consumeError(std::move(error));
    return inputs.back();
  }

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<Jit> jit;
};

template <typename Type, typename Cases>
std::string makeSource(const Cases &cases, bool isBinary, unsigned width = 1) {
  std::string source;
  size_t index = 0;
  for (const auto &of : cases)
    source += makeFunction("f" + std::to_string(index++), of.text, Type::name,
                           isBinary, width);
  return source;
}

template <typename Number> std::string hex(Number number) {
  char text[64];
  std::snprintf(text, sizeof(text), "%a", static_cast<double>(number));
  return text;
}

/// The one with the greatest error is reported.
template <typename Type, typename Exact>
void expectWithin(double bound, const std::string &name,
                  const std::vector<std::vector<typename Type::Storage>> &in,
                  const std::vector<typename Type::Storage> &out, Exact exact) {
  double worst = -1;
  std::string what;
  for (size_t i = 0; i < out.size(); ++i) {
    long double expected = exact(i), actual = Type::read(out[i]);
    double error = ulpError<long double>(Type::format, actual, expected);
    if (error <= worst)
      continue;
    worst = error;
    what = name + " of " + Type::name;
    for (const auto &operand : in)
      what += " " + hex(Type::read(operand[i]));
    what += ": expected " + hex(expected) + ", but got " + hex(actual);
  }
  EXPECT_LE(worst, bound) << what;
}

template <typename Type>
void checkUnary(const std::vector<typename Type::Storage> &in, bool nearest) {
  Functions functions(makeSource<Type>(kUnary, /*isBinary=*/false));
  for (size_t index = 0; index < std::size(kUnary); ++index) {
    const UnaryCase &of = kUnary[index];
    expectWithin<Type>(nearest ? 0.5 : of.bound, of.name, {in},
                       functions.call<typename Type::Storage>(index, {in}),
                       [&](size_t i) { return of.exact(Type::read(in[i])); });
  }
}

std::vector<uint16_t> everyNarrowNumber() {
  std::vector<uint16_t> in(1 << 16);
  std::iota(in.begin(), in.end(), 0);
  return in;
}

/// Numbers at which functions begin, end or change, and what is next to them.
std::vector<uint32_t> edges() {
  std::vector<float> numbers = {
      // The type's own.
      0, 0x1p-149f, 0x1.fffffcp-127f, 0x1p-126f, 0x1.fffffep127f,
      std::numeric_limits<float>::infinity(),
      std::numeric_limits<float>::quiet_NaN(),
      // Overflow, underflow and where nothing is left but 1 or -1, of powers of
      // e, 2 and 10, of hyperbolic and of error functions.
      88.72284f, 87.33655f, 103.2789f, 103.9721f, 89.41599f, 126, 127, 128, 149,
      150, 17.32868f, 9.010914f, 3.832507f, 9.194549f, 10.05470f, 13.2f, 20,
      200, 400,
      // Where the expansions change from one part to another.
      0.25f, 0.5f, 0.7071068f, 1, 1.414214f, 0.4142136f, 2.414214f, 0.3465736f,
      4, 2, 3,
      // Next to multiples of pi / 2, and the nearest of all.
      16367173 * 0x1p72f, 8388608, 0x1p30f, 0x1p60f, 0x1p90f, 0x1p120f};
  for (int i = 1; i < 1000; ++i) {
    numbers.push_back(static_cast<float>(i * 1.57079632679489661923));
    numbers.push_back(static_cast<float>(i * 0.34657359027997265));
    numbers.push_back(i);
  }
  std::vector<uint32_t> bits;
  for (float number : numbers)
    for (uint32_t sign : {0u, 1u << 31})
      for (uint32_t step : {0u, 1u, ~0u})
        bits.push_back((llvm::bit_cast<uint32_t>(number) ^ sign) + step);
  return bits;
}

/// Evenly over all bits, with low bits that are mixed.
std::vector<uint32_t> sample(unsigned bits) {
  std::vector<uint32_t> in = edges();
  unsigned low = 32 - bits;
  for (uint32_t i = 0; i < 1u << bits; ++i)
    in.push_back(i << low | (i * 2654435761u) >> bits);
  in.resize(in.size() / 16 * 16);
  return in;
}

TEST(MathTest, HalfUnary) { checkUnary<F16>(everyNarrowNumber(), true); }

TEST(MathTest, BFloat16Unary) { checkUnary<BF16>(everyNarrowNumber(), true); }

TEST(MathTest, SingleUnary) { checkUnary<F32>(sample(kSampleBits), false); }

/// Pairs of all kinds, and of those whose power is neither 0 nor infinite, or 1
/// nearly. `truncate` takes a number of f32 to the type.
template <typename Type, typename Truncate>
void checkBinary(const std::vector<uint32_t> &special, Truncate truncate) {
  using Storage = typename Type::Storage;
  std::vector<std::vector<Storage>> in(2);
  auto add = [&](float x, float y) {
    in[0].push_back(truncate(x));
    in[1].push_back(truncate(y));
  };
  for (uint32_t x : special)
    for (uint32_t y : special)
      add(llvm::bit_cast<float>(x), llvm::bit_cast<float>(y));
  std::mt19937 random(1);
  auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int i = 0; i < 1 << (kSampleBits - 2); ++i) {
    add(llvm::bit_cast<float>(static_cast<uint32_t>(random())),
        llvm::bit_cast<float>(static_cast<uint32_t>(random())));
    double base = std::exp2(i % 2 ? uniform(-3, 3) : uniform(-126, 126));
    add(base, uniform(-150, 130) / std::log2(base));
    base = 1 + uniform(-1, 1) * std::exp2(-uniform(1, 24));
    add(base, uniform(-150, 130) / std::log2(base));
    // Whole powers, and quotients near 1 and of all signs.
    add(uniform(-20, 20), std::round(uniform(-20, 20)));
  }
  Functions functions(makeSource<Type>(kBinary, /*isBinary=*/true));
  for (size_t index = 0; index < std::size(kBinary); ++index) {
    const BinaryCase &of = kBinary[index];
    expectWithin<Type>(of.bound, of.name, in,
                       functions.call<Storage>(index, in), [&](size_t i) {
                         return of.exact(Type::read(in[0][i]),
                                         Type::read(in[1][i]));
                       });
  }
}

std::vector<uint32_t> specialOperands() {
  std::vector<uint32_t> special;
  for (float number : {0.0f,
                       0x1p-149f,
                       0x1p-126f,
                       0x1p-24f,
                       0x1p-14f,
                       0.5f,
                       1.0f,
                       0x1.fffffep-1f,
                       0x1.000002p0f,
                       1.5f,
                       2.0f,
                       3.0f,
                       4.0f,
                       65504.0f,
                       16777215.0f,
                       16777216.0f,
                       33554432.0f,
                       0x1p127f,
                       0x1.fffffep127f,
                       std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN()})
    for (uint32_t sign : {0u, 1u << 31})
      special.push_back(llvm::bit_cast<uint32_t>(number) ^ sign);
  return special;
}

uint16_t truncateTo(const llvm::fltSemantics &semantics, float number) {
  APFloat value(number);
  bool losesInfo;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

TEST(MathTest, HalfBinary) {
  checkBinary<F16>(specialOperands(),
                   [](float x) { return truncateTo(APFloat::IEEEhalf(), x); });
}

TEST(MathTest, BFloat16Binary) {
  checkBinary<BF16>(specialOperands(),
                    [](float x) { return truncateTo(APFloat::BFloat(), x); });
}

TEST(MathTest, SingleBinary) {
  checkBinary<F32>(specialOperands(),
                   [](float x) { return llvm::bit_cast<uint32_t>(x); });
}

// The least and greatest powers, and one that f64 does not hold.
TEST(MathTest, IntegerPowers) {
  std::vector<uint32_t> in = sample(14);
  struct Power {
    const char *text, *type;
    long double number;
  };
  for (const Power &power : {Power{"0", "i32", 0},
                             {"1", "i16", 1},
                             {"2", "i8", 2},
                             {"-3", "i32", -3},
                             {"7", "i64", 7},
                             {"true", "i1", -1},
                             {"-2147483648", "i32", -2147483648.0L},
                             {"2147483647", "i32", 2147483647.0L},
                             {"9007199254740993", "i64", 9007199254740993.0L},
                             {"-5", "index", -5}}) {
    std::string type = power.type;
    Functions functions(
        makeFunction("f0",
                     std::string("%p = arith.constant ") + power.text +
                         (type == "i1" ? "" : " : " + type) +
                         "\n%r = math.fpowi %x, %p : T, " + type,
                     "f32", /*isBinary=*/false));
    expectWithin<F32>(0.502, std::string("fpowi to ") + power.text, {in},
                      functions.call<uint32_t>(0, {in}), [&](size_t i) {
                        return std::pow(
                            static_cast<long double>(F32::read(in[i])),
                            power.number);
                      });
  }
}

/// The text of a case that takes vectors of 16 as vectors of 2x8.
std::string inTwoDimensions(std::string text, const std::string &type) {
  std::string flat = "vector<16x" + type + ">";
  std::string shape = "vector<2x8x" + type + ">";
  for (const char *name : {"%x", "%r"})
    text.replace(text.find(name), 2, std::string(name) + "2");
  text.replace(text.find(": T"), 3, ": " + shape);
  return "%x2 = vector.shape_cast %x : " + flat + " to " + shape + "\n" + text +
         "\n%r = vector.shape_cast %r2 : " + shape + " to " + flat;
}

template <typename Type>
void expectSame(const std::string &name,
                const std::vector<typename Type::Storage> &actual,
                const std::vector<typename Type::Storage> &expected) {
  size_t differences = 0;
  for (size_t i = 0; i < actual.size(); ++i)
    differences +=
        actual[i] != expected[i] && !(std::isnan(Type::read(actual[i])) &&
                                      std::isnan(Type::read(expected[i])));
  EXPECT_EQ(differences, 0u) << name << " of " << Type::name;
}

/// Scalar code, which LLVM does not optimise, beside vectors.
template <typename Type, typename Cases>
void checkVectors(const Cases &cases, bool isBinary,
                  const std::vector<std::vector<typename Type::Storage>> &in) {
  Functions scalar(makeSource<Type>(cases, isBinary), /*optLevel=*/0);
  Functions vector(makeSource<Type>(cases, isBinary, 16));
  for (size_t index = 0; index < std::size(cases); ++index)
    expectSame<Type>(cases[index].name,
                     vector.call<typename Type::Storage>(index, in),
                     scalar.call<typename Type::Storage>(index, in));
}

TEST(MathTest, VectorsEqualScalars) {
  std::vector<uint32_t> in = sample(14);
  std::vector<uint32_t> other(in.rbegin(), in.rend());
  checkVectors<F32>(kUnary, /*isBinary=*/false, {in});
  checkVectors<F32>(kBinary, /*isBinary=*/true, {in, other});
  std::vector<uint16_t> narrow = everyNarrowNumber();
  checkVectors<F16>(kUnary, /*isBinary=*/false, {narrow});
  checkVectors<BF16>(kUnary, /*isBinary=*/false, {narrow});
}

TEST(MathTest, TwoDimensionsEqualOne) {
  std::vector<uint32_t> in = sample(14);
  std::string source;
  for (size_t index = 0; index < std::size(kUnary); ++index)
    source += makeFunction("f" + std::to_string(index),
                           inTwoDimensions(kUnary[index].text, "f32"), "f32",
                           /*isBinary=*/false, 16);
  Functions one(makeSource<F32>(kUnary, /*isBinary=*/false, 16));
  Functions two(source);
  for (size_t index = 0; index < std::size(kUnary); ++index)
    expectSame<F32>(kUnary[index].name, two.call<uint32_t>(index, {in}),
                    one.call<uint32_t>(index, {in}));
}

// Functions of f64 are the C library's, element by element.
TEST(MathTest, DoubleIsTheLibrary) {
  std::vector<uint64_t> in;
  for (uint32_t bits : sample(12))
    for (uint64_t low : {0ull, 0x12345678ull})
      in.push_back(llvm::bit_cast<uint64_t>(F32::read(bits)) + low);
  for (unsigned width : {1u, 16u}) {
    Functions functions(makeSource<F64>(kUnary, /*isBinary=*/false, width));
    for (size_t index = 0; index < std::size(kUnary); ++index) {
      std::vector<uint64_t> expected;
      for (uint64_t bits : in)
        expected.push_back(
            llvm::bit_cast<uint64_t>(kUnary[index].near(F64::read(bits))));
      expectSame<F64>(kUnary[index].name, functions.call<uint64_t>(index, {in}),
                      expected);
    }
  }
  Functions powers(makeFunction(
      "f0", "%p = arith.constant -3 : i32\n%r = math.fpowi %x, %p : T, i32",
      "f64", /*isBinary=*/false));
  std::vector<uint64_t> expected;
  for (uint64_t bits : in)
    expected.push_back(llvm::bit_cast<uint64_t>(std::pow(F64::read(bits), -3)));
  expectSame<F64>("fpowi", powers.call<uint64_t>(0, {in}), expected);
}

} // namespace
