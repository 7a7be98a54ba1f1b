//===- CheckTest.cpp - Names of buffers in the text of a program ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Report/BuildReport.h"
#include "gtest/gtest.h"

using namespace uop::report;

namespace {

TEST(BufferName, OfAnArgument) {
  llvm::StringRef line = "uop.kernel loops @k(%x: memref<4xf32>, %out_1: f32)";
  EXPECT_EQ(findBufferName(line, 21), "%x");
  EXPECT_EQ(findBufferName(line, 40), "%out_1");
}

TEST(BufferName, OfAResult) {
  EXPECT_EQ(findBufferName("  %tile = uop.alloc : !t", 11), "%tile");
  EXPECT_EQ(findBufferName("  %a, %b = some.op", 12), "%a");
}

TEST(BufferName, OfNothing) {
  EXPECT_EQ(findBufferName("  memref.store %a, %b[]", 3), "");
  EXPECT_EQ(findBufferName("  x", 0), "");
  EXPECT_EQ(findBufferName("  x", 9), "");
  EXPECT_EQ(findBufferName("", 1), "");
}

} // namespace
