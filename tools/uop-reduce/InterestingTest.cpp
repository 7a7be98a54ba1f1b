//===- InterestingTest.cpp - The user's test of a file --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each run has a process group of its own, so that what a script has started
// ends with it when its time is over, or when the user interrupts the tool.
//
//===----------------------------------------------------------------------===//

#include "InterestingTest.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>

using namespace uop::reduce;
using llvm::StringRef;

/// The group that runs, for the handler of interrupts.
static std::atomic<int> runningGroup{0};

static void endGroup(int group) {
  if (group > 0)
    ::kill(-group, SIGKILL);
}

/// LLVM has removed the files by then, and taken its handlers away.
static void onInterrupt() {
  endGroup(runningGroup);
  ::signal(SIGINT, SIG_DFL);
  ::raise(SIGINT);
}

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static llvm::Expected<std::string> findProgram(StringRef name) {
  namespace fs = llvm::sys::fs;
  std::string path = name.str();
  if (!name.contains('/') && !fs::is_regular_file(name)) {
    llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name);
    if (!found)
      return makeError("no file '" + name + "', and no program in PATH");
    return *found;
  }
  if (!fs::exists(name))
    return makeError("no file '" + name + "'");
  if (fs::is_directory(name))
    return makeError("'" + name + "' is a folder: expected a program");
  if (!fs::can_execute(name))
    return makeError("'" + name + "' may not be executed; chmod +x it");
  return name.contains('/') ? path : "./" + path;
}

llvm::Expected<InterestingTest>
InterestingTest::create(StringRef program, std::vector<std::string> args,
                        unsigned seconds, bool mustFail) {
  InterestingTest test;
  llvm::Expected<std::string> path = findProgram(program);
  if (!path)
    return path.takeError();
  test.program = *path;
  test.args = std::move(args);
  test.seconds = seconds;
  test.mustFail = mustFail;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("uop-reduce", "mlir", test.file))
    return makeError("no place for temporary files: " + error.message());
  llvm::sys::RemoveFileOnSignal(test.file);
  return test;
}

InterestingTest::~InterestingTest() {
  if (file.empty())
    return;
  (void)llvm::sys::fs::remove(file);
  llvm::sys::DontRemoveFileOnSignal(file);
}

/// Waits until the process ends; false if that takes too long.
static bool waitFor(llvm::sys::ProcessInfo &process, unsigned seconds,
                    std::string &message) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  std::optional<unsigned> left;
  if (seconds != 0)
    left = seconds;
  while (true) {
    llvm::sys::ProcessInfo ended = llvm::sys::Wait(
        process, left, &message, /*ProcStat=*/nullptr, /*Polling=*/true);
    if (ended.Pid == process.Pid) {
      process = ended;
      return true;
    }
    // The time is over, or a signal has ended the wait.
    if (seconds == 0)
      continue;
    auto rest = std::chrono::ceil<std::chrono::seconds>(end - Clock::now());
    if (rest.count() <= 0)
      return false;
    left = rest.count();
  }
}

llvm::Expected<InterestingTest::Outcome> InterestingTest::run(StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream os(file, code);
  if (!code) {
    os << text;
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return makeError("cannot write '" + file + "': " + code.message());

  std::vector<StringRef> argv{program};
  argv.insert(argv.end(), args.begin(), args.end());
  argv.push_back(file);
  std::optional<StringRef> null = StringRef();
  std::string message;
  bool hasFailed = false;
  llvm::sys::ProcessInfo process = llvm::sys::ExecuteNoWait(
      program, argv, /*Env=*/std::nullopt, {null, null, null},
      /*MemoryLimit=*/0, &message, &hasFailed, /*AffinityMask=*/nullptr,
      /*DetachProcess=*/true);
  if (hasFailed)
    return makeError("cannot run '" + program + "': " + message);
  runningGroup = process.Pid;
  llvm::sys::SetInterruptFunction(onInterrupt);
  Outcome outcome;
  bool isLate = !waitFor(process, seconds, message);
  if (isLate) {
    endGroup(process.Pid);
    llvm::sys::Wait(process, std::nullopt);
  }
  runningGroup = 0;
  if (isLate) {
    outcome.text =
        "took longer than " + std::to_string(seconds) + " s (--timeout)";
    return outcome;
  }
  if (process.ReturnCode == -1)
    return makeError("cannot run '" + program + "', or a program that it " +
                     "starts: " + message);
  outcome.isInteresting = (process.ReturnCode == 0) != mustFail;
  outcome.text =
      process.ReturnCode < 0
          ? "died: " + message
          : "exited with status " + std::to_string(process.ReturnCode);
  return outcome;
}
