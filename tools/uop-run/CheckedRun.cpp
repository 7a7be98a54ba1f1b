//===- CheckedRun.cpp - Runs that look for faults -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedRun.h"
#include "Failure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mlir;
using namespace uop;
using namespace uop::run;

/// A session with nobody to show anything to is asked for nothing.
static void follow(CheckOptions &check, Progress *progress) {
  if (progress)
    check.progress = [progress](int64_t done, int64_t total) {
      progress->report(done, total);
    };
}

/// Whether all that the program does is in its arguments and its result.
static bool canRunTwice(ModuleOp module) {
  WalkResult walk = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    auto func = dyn_cast<func::FuncOp>(op);
    bool acts = (func && func.isExternal()) || isa<vector::PrintOp>(op) ||
                isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()) ||
                isa<memref::GlobalOp>(op);
    return acts ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

std::optional<bool>
run::runDetecting(ModuleOp module, StringRef entry,
                  const ProgramOptions &compile, const Options &options,
                  MutableArrayRef<Argument> arguments, ResultBits *result,
                  std::vector<ProgramLaunch> &launches, Progress *progress) {
  if (!canRunTwice(module))
    return false;
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone()));
  ProgramOptions detecting = compile;
  detecting.detect = true;
  detecting.stepLimit = options.stepLimit;
  std::unique_ptr<CompiledProgram> program =
      CompiledProgram::create(*copy, entry, detecting);
  if (!program)
    return std::nullopt;
  for (Argument &argument : arguments)
    argument.save();
  CheckOptions check;
  follow(check, progress);
  CheckSession session(check);
  {
    CheckSession::Scope scope(session);
    if (llvm::Error error = invoke(*program, arguments, result)) {
      (void)fail(std::move(error));
      return std::nullopt;
    }
  }
  if (!session.hasFired()) {
    launches = program->getLaunches().vec();
    return true;
  }
  for (Argument &argument : arguments)
    argument.restore();
  return false;
}

static LogicalResult emit(std::vector<Finding> findings, const Options &options,
                          CheckReport &report) {
  report.emit(findings);
  if (!options.checkJSON.empty())
    if (llvm::Error error = report.write(findings, options.checkJSON))
      return fail(std::move(error));
  return success();
}

LogicalResult run::reportNothing(const Options &options, CheckReport &report) {
  return emit({}, options, report);
}

LogicalResult run::runChecked(CompiledProgram &program, const Options &options,
                              MutableArrayRef<Argument> arguments,
                              ResultBits *result, CheckReport &report,
                              bool &found, Progress *progress) {
  auto finish = [&](CheckSession &session) -> LogicalResult {
    if (progress)
      progress->end();
    std::vector<Finding> findings = session.takeFindings();
    found = CheckReport::isFailure(findings);
    return emit(std::move(findings), options, report);
  };
  for (Argument &argument : arguments)
    argument.save();
  CheckOptions check;
  check.policy = options.checkPolicy;
  check.stepLimit = options.stepLimit;
  follow(check, progress);
  while (true) {
    std::optional<CheckSession> session;
    // Emulated code has no way out.
    check.stop = [&]() {
      (void)finish(*session);
      llvm::outs().flush();
      std::_Exit(3);
    };
    session.emplace(check);
    {
      CheckSession::Scope scope(*session);
      if (llvm::Error error = invoke(program, arguments, result))
        return fail(std::move(error));
    }
    if (check.logEverything || !session->needsFullLog())
      return finish(*session);
    // Two arguments are one memory, which is written.
    check.logEverything = true;
    for (Argument &argument : arguments)
      argument.restore();
  }
}
