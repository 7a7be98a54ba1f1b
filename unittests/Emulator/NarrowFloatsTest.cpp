//===- NarrowFloatsTest.cpp - f16 and bf16 are rounded once ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs operations on millions of numbers and compares with LLVM's software
// floating point. The adversarial numbers are near the middle of two neighbours
// of the narrow type, where a second rounding goes wrong.
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Jit.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace mlir;
using namespace uop;
using llvm::APFloat;
using llvm::APInt;

namespace {

constexpr auto kNearest = llvm::RoundingMode::NearestTiesToEven;

const llvm::fltSemantics &getFormat(StringRef type) {
  return type == "f16" ? APFloat::IEEEhalf() : APFloat::BFloat();
}

class NarrowFloatsTest : public ::testing::TestWithParam<const char *> {
protected:
  NarrowFloatsTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
  }

  const llvm::fltSemantics &format() { return getFormat(GetParam()); }

  APFloat narrow(uint16_t bits) { return APFloat(format(), APInt(16, bits)); }

  /// Applies `op`, the text of an operation on %x, %y and %z, to each element
  /// of arrays of the type `from`. T for the narrow type.
  template <typename Number>
  std::vector<uint16_t> apply(std::string from, const char *op,
                              std::vector<std::vector<Number>> inputs) {
    std::string text = R"mlir(
      func.func @run(%a: memref<?xFROM>, %b: memref<?xFROM>, %c: memref<?xFROM>,
                     %out: memref<?xT>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %n = memref.dim %a, %c0 : memref<?xFROM>
        scf.for %i = %c0 to %n step %c1 {
          %x = memref.load %a[%i] : memref<?xFROM>
          %y = memref.load %b[%i] : memref<?xFROM>
          %z = memref.load %c[%i] : memref<?xFROM>
          %r = OP
          memref.store %r, %out[%i] : memref<?xT>
        }
        return
      }
    )mlir";
    auto replace = [&](StringRef what, StringRef by) {
      for (size_t at; (at = text.find(what)) != std::string::npos;)
        text.replace(at, what.size(), by);
    };
    replace("OP", op);
    replace("FROM", from);
    replace("xT>", "x" + std::string(GetParam()) + ">");
    replace(" T", " " + std::string(GetParam()));
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    JitOptions options;
    options.openmp = false;
    std::unique_ptr<Jit> jit = module ? Jit::create(*module, options) : nullptr;
    std::vector<uint16_t> out(inputs[0].size(), 0xA5A5);
    if (!jit) {
      ADD_FAILURE() << text;
      return out;
    }
    inputs.resize(3, inputs[0]);
    int64_t size = out.size();
    MemRefArgument a(inputs[0].data(), {size}), b(inputs[1].data(), {size}),
        c(inputs[2].data(), {size}), to(out.data(), {size});
    llvm::Error error = jit->invoke("run", {a.descriptor(), b.descriptor(),
                                            c.descriptor(), to.descriptor()});
    EXPECT_FALSE(static_cast<bool>(error));
    llvm::consumeError(std::move(error));
    return out;
  }

  /// One failure is enough to see.
  bool expectEqual(const APFloat &expected, uint16_t bits,
                   const std::string &what) {
    APFloat actual = narrow(bits);
    if (expected.bitwiseIsEqual(actual) || (expected.isNaN() && actual.isNaN()))
      return true;
    ADD_FAILURE() << what << ": expected 0x"
                  << llvm::utohexstr(expected.bitcastToAPInt().getZExtValue())
                  << ", but got 0x" << llvm::utohexstr(bits);
    return false;
  }

  MLIRContext context;
  std::mt19937_64 random{1};
};

INSTANTIATE_TEST_SUITE_P(Types, NarrowFloatsTest,
                         ::testing::Values("f16", "bf16"));

} // namespace

TEST_P(NarrowFloatsTest, FusedMultiplyAdd) {
  std::vector<std::vector<uint16_t>> in(3);
  auto add = [&](uint16_t a, uint16_t b, uint16_t c) {
    in[0].push_back(a), in[1].push_back(b), in[2].push_back(c);
  };
  // Every triple of numbers at the limits of the type: zeros, the least and
  // greatest subnormal and normal numbers, 1 and its neighbours, infinity, NaN.
  std::vector<uint16_t> special;
  uint16_t one = APFloat::getOne(format()).bitcastToAPInt().getZExtValue();
  uint16_t infinity = APFloat::getInf(format()).bitcastToAPInt().getZExtValue();
  uint16_t least =
      APFloat::getSmallestNormalized(format()).bitcastToAPInt().getZExtValue();
  for (int bits :
       {0, 1, 2, 3, least - 1, int(least), least + 1, one - 1, int(one),
        one + 1, one + 2, infinity - 1, int(infinity), infinity + 1})
    for (int sign : {0, 0x8000})
      special.push_back(bits | sign);
  for (uint16_t a : special)
    for (uint16_t b : special)
      for (uint16_t c : special)
        add(a, b, c);
  for (int i = 0; i < 400000; ++i) {
    uint64_t bits = random();
    add(bits, bits >> 16, bits >> 32);
    // A sum in which the addend nearly cancels the product.
    APFloat product = narrow(bits);
    product.multiply(narrow(bits >> 16), kNearest);
    uint16_t near = product.bitcastToAPInt().getZExtValue() ^ 0x8000;
    add(bits, bits >> 16, near + (bits >> 48) % 5 - 2);
    // A product that is about half a unit in the last place of the addend,
    // that is 2^k * (1 + small) * (1 + small), or far below it.
    uint16_t a = one + (bits >> 32) % 4, addend = bits;
    APFloat half = narrow(addend);
    if (!half.isFiniteNonZero())
      continue;
    half = llvm::scalbn(APFloat::getOne(format()),
                        llvm::ilogb(half) -
                            int(APFloat::semanticsPrecision(format())) -
                            int((bits >> 48) % 3 == 0 ? (bits >> 50) % 20 : 0),
                        kNearest);
    uint16_t b = half.bitcastToAPInt().getZExtValue() + (bits >> 40) % 4;
    add(a | (bits >> 60 & 1 ? 0x8000 : 0), b, addend);
  }
  std::vector<uint16_t> out =
      apply<uint16_t>(GetParam(), "math.fma %x, %y, %z : T", in);
  for (size_t i = 0; i < out.size(); ++i) {
    APFloat expected = narrow(in[0][i]);
    expected.fusedMultiplyAdd(narrow(in[1][i]), narrow(in[2][i]), kNearest);
    if (!expectEqual(expected, out[i],
                     "fma of 0x" + llvm::utohexstr(in[0][i]) + ", 0x" +
                         llvm::utohexstr(in[1][i]) + ", 0x" +
                         llvm::utohexstr(in[2][i])))
      return;
  }
}

// Every number of the type, every middle of two, and what is next to these.
TEST_P(NarrowFloatsTest, TruncateDouble) {
  std::vector<double> in;
  for (int bits = 0; bits < 0x10000; ++bits) {
    APFloat value = narrow(bits), next = narrow(bits + 1);
    auto toDouble = [](APFloat number) {
      bool losesInfo;
      number.convert(APFloat::IEEEdouble(), kNearest, &losesInfo);
      return number.convertToDouble();
    };
    double x = toDouble(value);
    double middle = x + (toDouble(next) - x) / 2;
    for (double y : {x, middle})
      for (double toward : {-HUGE_VAL, HUGE_VAL, y})
        in.push_back(std::nextafter(y, toward));
    uint64_t any = random();
    std::memcpy(&x, &any, 8);
    in.push_back(x);
  }
  std::vector<uint16_t> out =
      apply<double>("f64", "arith.truncf %x : f64 to T", {in});
  for (size_t i = 0; i < out.size(); ++i) {
    APFloat expected(in[i]);
    bool losesInfo;
    expected.convert(format(), kNearest, &losesInfo);
    if (!expectEqual(expected, out[i], "truncf of " + std::to_string(in[i])))
      return;
  }
}

// Integers of all sizes, and powers of two with a tie and one more or less.
TEST_P(NarrowFloatsTest, FromIntegers) {
  std::vector<int64_t> in = {0, 1, -1, std::numeric_limits<int64_t>::max(),
                             std::numeric_limits<int64_t>::min()};
  for (int i = 0; i < 200000; ++i) {
    uint64_t bits = random();
    in.push_back(bits >> (bits & 63));
    in.push_back(-(bits >> (bits & 63)));
    unsigned precision = APFloat::semanticsPrecision(format());
    uint64_t leading = 1ull << (precision - 1) | (bits >> 32 & 127);
    // Its last bit, half of it, and a tail far below.
    unsigned shift = 1 + (bits >> 8) % (63 - precision);
    uint64_t tie = (leading << shift) + (1ull << (shift - 1));
    in.push_back(tie + (bits >> 16) % 3 - 1);
    in.push_back(-(tie + (bits >> 16) % 3 - 1));
  }
  std::vector<int32_t> narrowed(in.begin(), in.end());
  for (StringRef op : {"sitofp", "uitofp"}) {
    auto check = [&](const auto &numbers, unsigned width) {
      using Number = std::decay_t<decltype(numbers[0])>;
      std::string type = "i" + std::to_string(width);
      std::vector<uint16_t> out = apply<Number>(
          type, ("arith." + op + " %x : " + type + " to T").str().c_str(),
          {numbers});
      for (size_t i = 0; i < out.size(); ++i) {
        APFloat expected(format());
        expected.convertFromAPInt(
            APInt(width, numbers[i], /*isSigned=*/true, /*implicitTrunc=*/true),
            op == "sitofp", kNearest);
        if (!expectEqual(expected, out[i],
                         (op + " of " + std::to_string(numbers[i])).str()))
          return;
      }
    };
    check(in, 64);
    check(narrowed, 32);
  }
}
