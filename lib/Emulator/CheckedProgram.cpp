//===- CheckedProgram.cpp - Runs that look for faults ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/CheckedProgram.h"
#include "Uop/Emulator/Jit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace uop;

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

CheckedProgram::CheckedProgram() = default;
CheckedProgram::~CheckedProgram() = default;

std::unique_ptr<CheckedProgram>
CheckedProgram::create(ModuleOp module, StringRef entry,
                       const ProgramOptions &options) {
  std::unique_ptr<CheckedProgram> program(new CheckedProgram());
  program->module = module.clone();
  program->entry = entry.str();
  program->options = options;
  program->options.check = true;
  program->options.detect = false;
  OwningOpRef<ModuleOp> copy(module.clone());
  if (!canRunTwice(module)) {
    program->logging = CompiledProgram::create(*copy, entry, program->options);
    return program->logging ? std::move(program) : nullptr;
  }
  ProgramOptions detect = program->options;
  detect.detect = true;
  program->detecting = CompiledProgram::create(*copy, entry, detect);
  return program->detecting ? std::move(program) : nullptr;
}

llvm::Expected<std::vector<Finding>>
CheckedProgram::run(const CheckedRun &how, const CheckOptions &options) {
  how.save();
  hasLogged = !detecting;
  if (detecting) {
    llvm::Expected<bool> hasFired = detect(how, options);
    if (!hasFired)
      return hasFired.takeError();
    if (!*hasFired)
      return std::vector<Finding>();
    how.restore();
    hasLogged = true;
  }
  return log(how, options);
}

llvm::Expected<bool> CheckedProgram::detect(const CheckedRun &how,
                                            const CheckOptions &options) {
  CheckOptions detect;
  detect.progress = options.progress;
  CheckSession session(detect);
  CheckSession::Scope scope(session);
  if (llvm::Error error = how.run(*detecting))
    return error;
  return session.hasFired();
}

llvm::Expected<std::vector<Finding>> CheckedProgram::log(const CheckedRun &how,
                                                         CheckOptions options) {
  if (!logging) {
    OwningOpRef<ModuleOp> copy(module->clone());
    logging = CompiledProgram::create(*copy, entry, this->options);
    if (!logging)
      return llvm::createStringError("the program cannot be compiled to log "
                                     "its accesses");
  }
  while (true) {
    std::optional<CheckSession> session;
    bool isStopped = false;
    options.stop = [&]() {
      if (how.atStepLimit)
        how.atStepLimit(session->takeFindings());
      isStopped = true;
      leaveEmulatedCode();
    };
    session.emplace(options);
    {
      CheckSession::Scope scope(*session);
      if (llvm::Error error = how.run(*logging)) {
        if (!isStopped)
          return error;
        llvm::consumeError(std::move(error));
      }
    }
    if (isStopped || options.logEverything || !session->needsFullLog())
      return session->takeFindings();
    // Two arguments are one memory, which is written.
    options.logEverything = true;
    how.restore();
  }
}

llvm::ArrayRef<ProgramLaunch> CheckedProgram::getLaunches() const {
  return (hasLogged ? logging : detecting)->getLaunches();
}
