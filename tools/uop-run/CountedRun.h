//===- CountedRun.h - Runs that count requests to memory --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_COUNTEDRUN_H
#define UOP_TOOLS_UOP_RUN_COUNTEDRUN_H

#include "Arguments.h"
#include "EntryResult.h"
#include "Options.h"
#include "Progress.h"
#include "Uop/Emulator/Count.h"
#include "Uop/Emulator/Program.h"
#include "llvm/Support/SourceMgr.h"

namespace uop::run {

/// Runs once; `launches` is what was asked of memory.
llvm::LogicalResult runCounted(CompiledProgram &program,
                               llvm::MutableArrayRef<Argument> arguments,
                               ResultBits *result,
                               std::vector<CountedLaunch> &launches,
                               Progress *progress);

/// Prints it and writes it, as the options say. `sources` has the text of the
/// program.
llvm::LogicalResult reportCounts(llvm::ArrayRef<CountedLaunch> launches,
                                 const Options &options,
                                 const llvm::SourceMgr &sources);

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_COUNTEDRUN_H
