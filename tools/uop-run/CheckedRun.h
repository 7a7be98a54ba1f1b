//===- CheckedRun.h - Runs that look for faults -----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// Runs the program on a copy of the module and tells what is wrong with it;
/// nothing where there was an error, of which the user knows. At the limit of
/// steps it reports what it has found and ends the process with status 3.
/// `progress` is where it says how far it is, or null; it ends.
std::optional<std::vector<Finding>>
runChecked(mlir::ModuleOp module, llvm::StringRef entry,
           const ProgramOptions &compile, const Options &options,
           llvm::MutableArrayRef<Argument> arguments, ResultBits *result,
           std::vector<ProgramLaunch> &launches, CheckReport &report,
           Progress *progress);

/// Reports what is found, where the options say.
llvm::LogicalResult reportFindings(const std::vector<Finding> &findings,
                                   const Options &options, CheckReport &report);

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_CHECKEDRUN_H
