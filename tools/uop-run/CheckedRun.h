//===- CheckedRun.h - Runs that look for faults -----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is first run by code that is fast and only finds out whether
// anything may be at fault. If so, it runs again from the same memory, by code
// that logs every access.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_CHECKEDRUN_H
#define UOP_TOOLS_UOP_RUN_CHECKEDRUN_H

#include "Arguments.h"
#include "Check.h"
#include "EntryResult.h"
#include "Options.h"
#include "Progress.h"
#include "Uop/Emulator/Program.h"

namespace uop::run {

/// Runs a copy of the module and says whether it is right; the arguments then
/// are what it leaves. If it may be wrong, or cannot be run twice, they are as
/// before. Nothing where there was an error, of which the user knows.
/// `launches` are those of a program that is right. `progress` is where it says
/// how far it is, or null.
std::optional<bool>
runDetecting(mlir::ModuleOp module, llvm::StringRef entry,
             const ProgramOptions &compile, const Options &options,
             llvm::MutableArrayRef<Argument> arguments, ResultBits *result,
             std::vector<ProgramLaunch> &launches, Progress *progress);

/// Runs once, and reports what is found; `found` says whether there is
/// anything. Ends the progress before it reports.
llvm::LogicalResult runChecked(CompiledProgram &program, const Options &options,
                               llvm::MutableArrayRef<Argument> arguments,
                               ResultBits *result, CheckReport &report,
                               bool &found, Progress *progress);

/// That nothing was found.
llvm::LogicalResult reportNothing(const Options &options, CheckReport &report);

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_CHECKEDRUN_H
