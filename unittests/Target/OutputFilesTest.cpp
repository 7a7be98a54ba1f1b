//===- OutputFilesTest.cpp - Tests of writing files whole -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/OutputFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

namespace {

std::string read(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "no such file";
}

class OutputFiles : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("uop-output", root));
    a = (root + "/a").str();
    b = (root + "/b").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }

  unsigned countFiles() {
    std::error_code error;
    unsigned count = 0;
    for (llvm::sys::fs::directory_iterator it(root, error), end; it != end;
         it.increment(error))
      ++count;
    return count;
  }

  llvm::SmallString<128> root;
  std::string a, b;
};

TEST_F(OutputFiles, WritesAll) {
  llvm::Error error = uop::writeOutputFiles({{a, "one"}, {b, "two"}});
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(read(a), "one");
  EXPECT_EQ(read(b), "two");
  EXPECT_EQ(countFiles(), 2u);
}

// The first could be written; it keeps what it had, and no trace is left.
TEST_F(OutputFiles, WritesNoneIfOneFails) {
  llvm::cantFail(uop::writeOutputFiles({{a, "old"}}));
  std::string missing = (root + "/no/b").str();
  llvm::Error error = uop::writeOutputFiles({{a, "new"}, {missing, "two"}});
  EXPECT_EQ(llvm::toString(std::move(error)),
            "cannot write '" + missing + "': No such file or directory");
  EXPECT_EQ(read(a), "old");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(OutputFiles, RefusesADirectory) {
  llvm::Error error = uop::writeOutputFiles({{root, "text"}});
  EXPECT_EQ(llvm::toString(std::move(error)),
            "cannot write '" + root.str().str() + "': Is a directory");
}

} // namespace
