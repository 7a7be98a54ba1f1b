//===- InterestingTest.h - The user's test of a file ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_REDUCE_INTERESTINGTEST_H
#define UOP_TOOLS_UOP_REDUCE_INTERESTINGTEST_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace uop::reduce {

/// A program that says of a file whether it is interesting. It runs without
/// input and output, in the folder of the caller, as `PROGRAM ARGS... FILE`;
/// FILE is the same name each time.
class InterestingTest {
public:
  /// How a run ended.
  struct Outcome {
    bool isInteresting = false;
    /// In words: "exited with status 1".
    std::string text;
  };

  ~InterestingTest();
  InterestingTest(InterestingTest &&) = default;

  /// Finds the program, as a path or in PATH. A run that takes longer than
  /// `seconds` is ended, and is not interesting; 0 is no limit. With `mustFail`
  /// files are interesting where the program fails, else where it succeeds.
  static llvm::Expected<InterestingTest> create(llvm::StringRef program,
                                                std::vector<std::string> args,
                                                unsigned seconds,
                                                bool mustFail);

  /// Tests a text. An error if the program cannot run.
  llvm::Expected<Outcome> run(llvm::StringRef text);

private:
  InterestingTest() = default;

  std::string program;
  std::vector<std::string> args;
  unsigned seconds = 0;
  bool mustFail = false;
  llvm::SmallString<128> file;
};

} // namespace uop::reduce

#endif // UOP_TOOLS_UOP_REDUCE_INTERESTINGTEST_H
