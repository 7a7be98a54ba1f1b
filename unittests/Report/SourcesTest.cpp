//===- SourcesTest.cpp - Lines and names of the source --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Report/BuildReport.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace uop;
using namespace uop::report;

namespace {

class Sources : public testing::Test {
protected:
  Sources() {
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(
                                   "%a = first\r\n%b = second\nlast", "file"),
                               llvm::SMLoc());
  }

  llvm::SourceMgr sources;
};

} // namespace

TEST_F(Sources, GiveLinesByTheirNumber) {
  EXPECT_EQ(getLine(sources, "file", 1), "%a = first");
  EXPECT_EQ(getLine(sources, "file", 2), "%b = second");
  EXPECT_EQ(getLine(sources, "file", 3), "last");
}

TEST_F(Sources, GiveNoLineOfAnUnknownPlace) {
  EXPECT_EQ(getLine(sources, "file", 0), std::nullopt);
  EXPECT_EQ(getLine(sources, "other", 1), std::nullopt);
  // The file has no such line, but it is known.
  EXPECT_EQ(getLine(sources, "file", 4), "");
}

TEST_F(Sources, NameNothingAfterAnUnknownPlace) {
  KernelReport report;
  BufferTraffic &unknown = report.buffers.emplace_back();
  unknown.name = "argument 0";
  unknown.place.file = "file";
  unknown.place.line = 0;
  unknown.place.column = 1;
  BufferTraffic &known = report.buffers.emplace_back(unknown);
  known.place.line = 2;
  addSources(report, sources);
  EXPECT_EQ(report.buffers[0].name, "argument 0");
  EXPECT_EQ(report.buffers[0].place.text, "");
  EXPECT_EQ(report.buffers[1].name, "%b");
  EXPECT_EQ(report.buffers[1].place.text, "%b = second");
}
