//===- CountedRun.cpp - Runs that count requests to memory ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CountedRun.h"
#include "Check.h"
#include "Failure.h"
#include "Uop/Target/OutputFiles.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;
using namespace uop::run;

LogicalResult run::runCounted(Program &program,
                              MutableArrayRef<Argument> arguments,
                              ResultBits *result,
                              std::vector<CountedLaunch> &launches,
                              Progress *progress) {
  CountOptions count;
  if (progress)
    count.progress = [progress](int64_t done, int64_t total) {
      progress->report(done, total);
    };
  CountSession session(count);
  CountSession::Scope scope(session);
  if (llvm::Error error = program.run(arguments, result))
    return fail(std::move(error));
  if (progress)
    progress->end();
  launches = session.takeLaunches();
  return success();
}

LogicalResult run::reportCounts(ArrayRef<CountedLaunch> launches,
                                const Options &options,
                                llvm::SourceMgr &sources) {
  auto getBuffer = [&](const SourcePosition &where, StringRef otherwise) {
    return nameBuffer(sources, where, otherwise);
  };
  if (options.reportJSON != "-")
    printCounts(llvm::outs(), launches, getBuffer);
  if (options.reportJSON.empty())
    return success();
  std::string text;
  llvm::raw_string_ostream os(text);
  printCountsAsJSON(os, launches, getBuffer);
  llvm::outs().flush();
  if (llvm::Error error =
          writeOutputFiles({OutputFile{options.reportJSON, {text}}}))
    return fail(std::move(error));
  return success();
}
