//===- CheckedRun.cpp - Runs that look for faults -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedRun.h"
#include "Failure.h"
#include "Uop/Emulator/CheckedProgram.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mlir;
using namespace uop;
using namespace uop::run;

LogicalResult run::reportFindings(const std::vector<Finding> &findings,
                                  const Options &options, CheckReport &report) {
  report.emit(findings);
  if (!options.checkJSON.empty())
    if (llvm::Error error = report.write(findings, options.checkJSON))
      return fail(std::move(error));
  return success();
}

std::optional<std::vector<Finding>>
run::runChecked(ModuleOp module, StringRef entry, const ProgramOptions &compile,
                const Options &options, MutableArrayRef<Argument> arguments,
                ResultBits *result, std::vector<ProgramLaunch> &launches,
                CheckReport &report, Progress *progress) {
  ProgramOptions compileChecked = compile;
  compileChecked.stepLimit = options.stepLimit;
  std::unique_ptr<CheckedProgram> program =
      CheckedProgram::create(module, entry, compileChecked);
  if (!program)
    return std::nullopt;
  auto endProgress = [&] {
    if (progress)
      progress->end();
  };
  CheckedRun how;
  how.run = [&](CompiledProgram &program) {
    return invoke(program, arguments, result);
  };
  how.save = [&] {
    for (Argument &argument : arguments)
      argument.save();
  };
  how.restore = [&] {
    for (Argument &argument : arguments)
      argument.restore();
  };
  // Emulated code has no way out.
  how.atStepLimit = [&](std::vector<Finding> findings) {
    endProgress();
    (void)reportFindings(findings, options, report);
    llvm::outs().flush();
    std::_Exit(3);
  };
  CheckOptions check;
  check.policy = options.checkPolicy;
  check.stepLimit = options.stepLimit;
  // A session with nobody to show anything to is asked for nothing.
  if (progress)
    check.progress = [progress](int64_t done, int64_t total) {
      progress->report(done, total);
    };
  llvm::Expected<std::vector<Finding>> findings = program->run(how, check);
  endProgress();
  if (!findings) {
    (void)fail(findings.takeError());
    return std::nullopt;
  }
  launches = program->getLaunches().vec();
  return std::move(*findings);
}
