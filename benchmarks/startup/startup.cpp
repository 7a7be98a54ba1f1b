//===- startup.cpp - How long a tool takes to do nothing ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts programs on an empty file, turn by turn, and reports how long each
// takes from start to end.
//
//   uop-bench-startup [--runs=51] program ...
//
// A program that does not exist is left out, except the first.
//
//===----------------------------------------------------------------------===//

#include "../Interleaved.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

static cl::list<std::string> programs(cl::Positional, cl::OneOrMore,
                                      cl::desc("program ..."));
static cl::opt<unsigned> runs("runs", cl::init(51),
                              cl::desc("Rounds (default: 51)"));

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Start-up of tools\n");
  if (runs == 0) {
    llvm::errs() << "uop-bench-startup: error: expected at least one run\n";
    return 1;
  }
  std::vector<uop::bench::Rival> rivals;
  for (const std::string &program : programs) {
    if (!rivals.empty() && !llvm::sys::fs::can_execute(program)) {
      llvm::outs() << program << " not found: left out\n";
      continue;
    }
    auto run = [&program] {
      std::optional<llvm::StringRef> nothing[] = {"", "", std::nullopt};
      return llvm::sys::ExecuteAndWait(program, {program, "/dev/null"},
                                       std::nullopt, nothing) == 0;
    };
    rivals.push_back({llvm::sys::path::filename(program).str(), run});
  }
  if (!uop::bench::compete(rivals, runs))
    return 1;
  llvm::outs() << "Start to end on an empty file, " << runs << " rounds\n";
  llvm::outs().flush();
  uop::bench::printTable(rivals);
  return 0;
}
