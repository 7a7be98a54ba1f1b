//===- ProgressTest.cpp - The line that says how far a run is -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "gtest/gtest.h"

using namespace uop::run;

namespace {

constexpr Progress::Milliseconds kNever(1000000000);

TEST(Progress, IsThereAtOnceWithoutDelay) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Progress progress(os, "check", Progress::Milliseconds(0));
  EXPECT_TRUE(progress.isShown());
  progress.end();
  EXPECT_FALSE(progress.isShown());
  EXPECT_EQ(text.find("\rcheck:   0 %"), 0u);
  // As long as the longest line, from its start, and back there.
  std::string last = "\r" + std::string(strlen("check: 100 %"), ' ') + "\r";
  ASSERT_GT(text.size(), last.size());
  EXPECT_EQ(text.substr(text.size() - last.size()), last);
}

/// What is written, for threads that look at it meanwhile.
class Screen : public llvm::raw_ostream {
public:
  Screen() : raw_ostream(/*unbuffered=*/true) {}
  bool has(llvm::StringRef part) {
    std::lock_guard<std::mutex> lock(mutex);
    return llvm::StringRef(text).contains(part);
  }

private:
  void write_impl(const char *data, size_t size) override {
    std::lock_guard<std::mutex> lock(mutex);
    text.append(data, size);
  }
  uint64_t current_pos() const override { return text.size(); }

  std::mutex mutex;
  std::string text;
};

// However long that takes.
TEST(Progress, ComesAfterAWhileAndSaysHowFar) {
  Screen screen;
  Progress progress(screen, "check", Progress::Milliseconds(1));
  progress.report(3, 4);
  while (!screen.has(" 75 %"))
    std::this_thread::yield();
  progress.report(4, 4);
  while (!screen.has("100 %"))
    std::this_thread::yield();
}

TEST(Progress, ShortRunsShowNothing) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    Progress progress(os, "check", kNever);
    progress.report(1, 2);
  }
  EXPECT_EQ(text, "");
}

} // namespace
