//===- CheckedProgram.h - Runs that look for faults -------------*- C++ -*-===//
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

#ifndef UOP_EMULATOR_CHECKEDPROGRAM_H
#define UOP_EMULATOR_CHECKEDPROGRAM_H

#include "Uop/Emulator/Check.h"
#include "Uop/Emulator/Program.h"
#include "mlir/IR/OwningOpRef.h"

namespace uop {

/// How a program is run, perhaps several times, as if it had been once.
struct CheckedRun {
  /// Runs it once.
  std::function<llvm::Error(CompiledProgram &)> run;
  /// Keeps what the memory of its arguments holds, and puts it back.
  std::function<void()> save, restore;
  /// Is given the findings where the limit of steps is reached, and ends the
  /// process. Without it the run ends, where it can (ProgramOptions::recover),
  /// as if that were its end.
  std::function<void(std::vector<Finding>)> atStepLimit;
};

/// A program in checked mode.
class CheckedProgram {
public:
  /// Compiles a copy of what `entry` needs of the module, for an emulator.
  /// Reports errors through the context's diagnostics and returns null.
  static std::unique_ptr<CheckedProgram> create(mlir::ModuleOp module,
                                                llvm::StringRef entry,
                                                const ProgramOptions &options);
  ~CheckedProgram();

  /// Runs the program and tells what is wrong with it. May compile it once
  /// more, and so reports errors through the context's diagnostics, too.
  llvm::Expected<std::vector<Finding>> run(const CheckedRun &how,
                                           const CheckOptions &options);

  /// The launches of the last run, if they are recorded.
  llvm::ArrayRef<ProgramLaunch> getLaunches() const;

private:
  CheckedProgram();
  llvm::Expected<bool> detect(const CheckedRun &how,
                              const CheckOptions &options);
  llvm::Expected<std::vector<Finding>> log(const CheckedRun &how,
                                           CheckOptions options);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string entry;
  ProgramOptions options;
  /// The fast program, where the program can run twice, and the one that logs,
  /// once it has been needed.
  std::unique_ptr<CompiledProgram> detecting, logging;
  bool hasLogged = false;
};

} // namespace uop

#endif // UOP_EMULATOR_CHECKEDPROGRAM_H
