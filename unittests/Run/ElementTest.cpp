//===- ElementTest.cpp - The elements of a buffer -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Element.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace uop::run;

namespace {
class ElementTest : public ::testing::Test {
protected:
  Element get(Type type) { return *Element::get(type); }
  Element getInteger(unsigned width) {
    return get(IntegerType::get(&context, width));
  }
  /// The bits of a text; nothing if it is refused.
  static std::optional<uint64_t> parse(const Element &element, StringRef text) {
    llvm::Expected<uint64_t> bits = element.parse(text);
    if (bits)
      return *bits;
    consumeError(bits.takeError());
    return std::nullopt;
  }

  MLIRContext context;
};
} // namespace

TEST_F(ElementTest, KnowsTheTypesThatNumPyKeeps) {
  EXPECT_TRUE(Element::get(IndexType::get(&context)));
  EXPECT_TRUE(Element::get(Float8E5M2Type::get(&context)));
  EXPECT_FALSE(Element::get(IntegerType::get(&context, 24)));
  EXPECT_FALSE(Element::get(IntegerType::get(&context, 4)));
  EXPECT_FALSE(Element::get(Float128Type::get(&context)));
  EXPECT_FALSE(Element::get(FloatTF32Type::get(&context)));
}

TEST_F(ElementTest, ParsesIntegersOfEitherSign) {
  Element i8 = getInteger(8);
  EXPECT_EQ(parse(i8, "-128"), 0x80u);
  EXPECT_EQ(parse(i8, "255"), 0xFFu);
  EXPECT_EQ(parse(i8, "0x1f"), 0x1Fu);
  EXPECT_EQ(parse(i8, "-0"), 0u);
  for (StringRef text : {"-129", "256", "", "-", "1.5", "true", "1 ", "--1"})
    EXPECT_FALSE(parse(i8, text)) << text.str();
  Element i64 = getInteger(64);
  EXPECT_EQ(parse(i64, "-9223372036854775808"), uint64_t(1) << 63);
  EXPECT_EQ(parse(i64, "18446744073709551615"), ~uint64_t(0));
  EXPECT_FALSE(parse(i64, "18446744073709551616"));
  EXPECT_FALSE(parse(i64, "-9223372036854775809"));
  Element i1 = getInteger(1);
  EXPECT_EQ(parse(i1, "true"), 1u);
  EXPECT_EQ(parse(i1, "0"), 0u);
  EXPECT_FALSE(parse(i1, "2"));
}

TEST_F(ElementTest, ParsesFloatingPointNumbers) {
  Element f32 = get(Float32Type::get(&context));
  EXPECT_EQ(parse(f32, "1"), 0x3F800000u);
  EXPECT_EQ(parse(f32, "-0x1p-3"), 0xBE000000u);
  EXPECT_EQ(parse(f32, "-inf"), 0xFF800000u);
  EXPECT_EQ(parse(f32, "nan"), 0x7FC00000u);
  // Halfway between 1 and the next number: to even.
  EXPECT_EQ(parse(f32, "0x1.000001p0"), 0x3F800000u);
  for (StringRef text : {"1e39", "", "-", ".", "1e", "0x1", "one", "1,5"})
    EXPECT_FALSE(parse(f32, text)) << text.str();
  // This format has no infinity: 448 is the largest number.
  Element f8 = get(Float8E4M3FNType::get(&context));
  EXPECT_EQ(parse(f8, "448"), 0x7Eu);
  EXPECT_FALSE(parse(f8, "500"));
  EXPECT_FALSE(parse(f8, "inf"));
  EXPECT_EQ(parse(f8, "nan"), 0x7Fu);
}

TEST_F(ElementTest, RoundsAndWraps) {
  EXPECT_EQ(getInteger(8).fromInteger(257), 1u);
  EXPECT_EQ(getInteger(8).fromInteger(-1), 0xFFu);
  // 1 + 2^-8 lies halfway between two bf16 numbers.
  Element bf16 = get(BFloat16Type::get(&context));
  EXPECT_EQ(bf16.fromDouble(1 + 0x1p-8), 0x3F80u);
  EXPECT_EQ(bf16.fromDouble(1 + 3 * 0x1p-8), 0x3F82u);
}

// A number reads back as what has been printed.
TEST_F(ElementTest, PrintsEnoughDigits) {
  Element f32 = get(Float32Type::get(&context));
  for (uint64_t bits : {0x3DCCCCCDu, 0x3F800001u, 0x00000001u, 0x7F7FFFFFu,
                        0x80000000u, 0xFF800000u, 0x4B800000u})
    EXPECT_EQ(parse(f32, f32.format(bits)), bits) << f32.format(bits);
  EXPECT_EQ(getInteger(8).format(0x80), "-128");
  EXPECT_EQ(getInteger(8).format(0x80, /*isUnsigned=*/true), "128");
  EXPECT_EQ(getInteger(1).format(1), "true");
}

TEST_F(ElementTest, MarksWhatNobodyHasWritten) {
  EXPECT_TRUE(get(Float16Type::get(&context))
                  .toFloat(get(Float16Type::get(&context)).getSentinel())
                  .isNaN());
  EXPECT_EQ(getInteger(16).getSentinel(), 0xA5A5u);
  EXPECT_EQ(getInteger(1).getSentinel(), 1u);
}
