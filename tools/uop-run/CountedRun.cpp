//===- CountedRun.cpp - Runs that count requests to memory ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CountedRun.h"
#include "Failure.h"
#include "Uop/Report/PrintReport.h"
#include "Uop/Report/RunReport.h"
#include "Uop/Target/OutputFiles.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;
using namespace uop::run;

LogicalResult run::runCounted(CompiledProgram &program,
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
  if (llvm::Error error = invoke(program, arguments, result))
    return fail(std::move(error));
  if (progress)
    progress->end();
  launches = session.takeLaunches();
  return success();
}

LogicalResult run::reportCounts(ArrayRef<CountedLaunch> launches,
                                const Options &options,
                                const llvm::SourceMgr &sources) {
  std::vector<KernelReport> reports =
      buildRunReports(launches, options.chip, sources);
  std::string text, json, html;
  SmallVector<OutputFile> files;
  bool hasOutput = options.reportJSON == "-" || options.reportHTML == "-";
  if (!hasOutput) {
    TextOptions textOptions;
    textOptions.hasColors = llvm::outs().is_displayed();
    llvm::raw_string_ostream os(text);
    os.enable_colors(true);
    printText(os, reports, textOptions);
    files.push_back({"-", {text}});
  }
  if (!options.reportJSON.empty()) {
    llvm::raw_string_ostream os(json);
    os << llvm::formatv("{0:2}\n", llvm::json::Value(buildJSON(reports)));
    files.push_back({options.reportJSON, {json}});
  }
  if (!options.reportHTML.empty()) {
    llvm::raw_string_ostream os(html);
    printHTML(os, reports);
    files.push_back({options.reportHTML, {html}});
  }
  llvm::outs().flush();
  if (llvm::Error error = writeOutputFiles(files))
    return fail(std::move(error));
  return success();
}
