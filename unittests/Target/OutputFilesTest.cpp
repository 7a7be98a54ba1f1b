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
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

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
  llvm::Error error = uop::writeOutputFiles({{a, {"one"}}, {b, {"two"}}});
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(read(a), "one");
  EXPECT_EQ(read(b), "two");
  EXPECT_EQ(countFiles(), 2u);
}

// The first could be written; it keeps what it had, and no trace is left.
TEST_F(OutputFiles, WritesNoneIfOneFails) {
  llvm::cantFail(uop::writeOutputFiles({{a, {"old"}}}));
  std::string missing = (root + "/no/b").str();
  llvm::Error error = uop::writeOutputFiles({{a, {"new"}}, {missing, {"two"}}});
  EXPECT_EQ(llvm::toString(std::move(error)),
            "cannot write '" + missing + "': No such file or directory");
  EXPECT_EQ(read(a), "old");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(OutputFiles, RefusesADirectory) {
  llvm::Error error = uop::writeOutputFiles({{std::string(root), {"text"}}});
  EXPECT_EQ(llvm::toString(std::move(error)),
            "cannot write '" + root.str().str() + "': it is a directory");
}

// The link stays a link, and what it names is replaced. A link to nothing makes
// the file that it names.
TEST_F(OutputFiles, FollowsLinks) {
  llvm::cantFail(uop::writeOutputFiles({{a, {"old"}}}));
  std::string link = (root + "/link").str();
  // Relative to the directory of the link.
  std::filesystem::create_symlink("a", link);
  llvm::cantFail(uop::checkOutputFile(link));
  llvm::cantFail(uop::writeOutputFiles({{link, {"ne", "w"}}}));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read(a), "new");

  std::string dangling = (root + "/dangling").str();
  std::filesystem::create_symlink(b, dangling);
  llvm::cantFail(uop::writeOutputFiles({{dangling, {"two"}}}));
  EXPECT_TRUE(std::filesystem::is_symlink(dangling));
  EXPECT_EQ(read(b), "two");
  EXPECT_EQ(countFiles(), 4u);

  std::string loop = (root + "/loop").str();
  std::filesystem::create_symlink(loop, loop);
  llvm::Error error = uop::writeOutputFiles({{loop, {"text"}}});
  EXPECT_EQ(llvm::toString(std::move(error)),
            "cannot write '" + loop + "': Too many levels of symbolic links");
}

// A file keeps who may read and run it.
TEST_F(OutputFiles, KeepsPermissions) {
  llvm::cantFail(uop::writeOutputFiles({{a, {"old"}}}));
  using std::filesystem::perms;
  std::filesystem::permissions(a, perms::owner_all);
  llvm::cantFail(uop::writeOutputFiles({{a, {"new"}}}));
  EXPECT_EQ(std::filesystem::status(a).permissions(), perms::owner_all);
}

// Under whatever names.
TEST_F(OutputFiles, RefusesOneFileTwice) {
  std::string link = (root + "/link").str();
  std::filesystem::create_symlink(a, link);
  llvm::Error error = uop::writeOutputFiles({{a, {"one"}}, {link, {"two"}}});
  EXPECT_EQ(llvm::toString(std::move(error)),
            "cannot write '" + link + "': '" + a +
                "', which is the same file, is written as well");
  EXPECT_EQ(countFiles(), 1u);
}

// Nothing takes the place of a pipe, and a file beside it is written.
TEST_F(OutputFiles, WritesToAPipe) {
  std::string pipe = (root + "/pipe").str();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(uop::isRegularOutput(pipe));
  // A reader, without which opening a pipe for writing waits.
  int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  llvm::cantFail(uop::checkOutputFile(pipe));
  llvm::cantFail(uop::writeOutputFiles({{a, {"one"}}, {pipe, {"two"}}}));
  char text[8] = {};
  EXPECT_EQ(::read(reader, text, sizeof(text)), 3);
  close(reader);
  EXPECT_STREQ(text, "two");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(read(a), "one");
}

TEST_F(OutputFiles, ChecksWithoutATrace) {
  llvm::cantFail(uop::checkOutputFile(a));
  EXPECT_EQ(countFiles(), 0u);
  std::string missing = (root + "/no/b").str();
  EXPECT_EQ(llvm::toString(uop::checkOutputFile(missing)),
            "cannot write '" + missing + "': No such file or directory");
}

} // namespace
