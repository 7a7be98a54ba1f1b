//===- ChipTest.cpp - Tests of the chips that LLVM knows ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/GPUToNVVM/Chip.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// Checks a chip; what is wrong goes to `message`.
LogicalResult check(llvm::StringRef chip, llvm::StringRef features,
                    std::string &message) {
  MLIRContext context;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  return uop::checkChip(chip, features,
                        [&] { return emitError(UnknownLoc::get(&context)); });
}

TEST(Chip, ListsThemByAge) {
  SmallVector<std::string> chips = uop::getKnownChips();
  auto at = [&](llvm::StringRef name) { return llvm::find(chips, name); };
  ASSERT_NE(at("sm_80"), chips.end());
  EXPECT_LT(at("sm_80"), at("sm_90"));
  EXPECT_LT(at("sm_90"), at("sm_90a"));
  EXPECT_LT(at("sm_90a"), at("sm_100"));
}

// NVIDIA's PTX manual, "Release notes": the version that brought each target.
TEST(Chip, KnowsTheLowestPTXVersion) {
  EXPECT_EQ(uop::getMinPTXVersion("sm_70"), 60u);
  EXPECT_EQ(uop::getMinPTXVersion("sm_75"), 63u);
  EXPECT_EQ(uop::getMinPTXVersion("sm_80"), 70u);
  EXPECT_EQ(uop::getMinPTXVersion("sm_86"), 71u);
  EXPECT_EQ(uop::getMinPTXVersion("sm_89"), 78u);
  EXPECT_EQ(uop::getMinPTXVersion("sm_90"), 78u);
  EXPECT_EQ(uop::getMinPTXVersion("sm_90a"), 80u);
  EXPECT_EQ(uop::getMinPTXVersion("sm_100"), 86u);
}

TEST(Chip, RefusesALowVersion) {
  std::string message;
  EXPECT_TRUE(succeeded(check("sm_90", "", message)));
  EXPECT_TRUE(succeeded(check("sm_90", "+ptx78", message)));
  // The highest one counts.
  EXPECT_TRUE(succeeded(check("sm_90", "+ptx60, +ptx80", message)));
  EXPECT_EQ(message, "");
  EXPECT_TRUE(failed(check("sm_90", "+ptx77", message)));
  EXPECT_NE(message.find("PTX 7.8"), std::string::npos) << message;
  EXPECT_TRUE(failed(check("sm_90", "-ptx78", message)));
  EXPECT_NE(message.find("but got '-ptx78'"), std::string::npos) << message;
  EXPECT_TRUE(failed(check("gfx942", "", message)));
  EXPECT_NE(message.find("but got 'gfx942'"), std::string::npos) << message;
}

} // namespace
