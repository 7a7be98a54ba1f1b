//===- RuntimeCalls.h - Messages of an emulated kernel ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that stops an emulated run. It calls nothing but the C library, so that
// uop-run, mlir-runner and any other host of the code needs no library of ours.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_RUNTIMECALLS_H
#define UOP_LIB_EMULATOR_RUNTIMECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {

/// "file:line:col", or the location as MLIR prints it.
std::string describeLocation(mlir::Location loc);

/// Makes the function one that only its module can call. LLVM puts such a one
/// in the place of its call where there is but one or where it is short.
void setInternal(mlir::func::FuncOp func);

/// The text in the language of printf.
std::string escapeFormat(llvm::StringRef text);

class RuntimeCalls {
public:
  /// `isChecked`: for checked mode, whose code calls the functions of
  /// Uop/Emulator/Check.h besides; `isCounted`: the same of Count.h.
  explicit RuntimeCalls(mlir::ModuleOp module, bool isChecked = false,
                        bool onlyDetects = false, bool isCounted = false)
      : module(module), table(module), checked(isChecked),
        detects(isChecked && onlyDetects), counted(isCounted) {}

  bool isChecked() const { return checked; }
  /// Whether a session is told what kernels do, of one launch at a time.
  bool hasSession() const { return checked || counted; }
  /// Checked code that only finds out whether something is wrong.
  bool onlyDetects() const { return detects; }

  mlir::SymbolTable &symbols() { return table; }

  /// Fails when the module gives a name of the C library another meaning.
  mlir::LogicalResult check();

  /// The address of a constant, zero-terminated text.
  mlir::Value text(mlir::ImplicitLocOpBuilder &b, llvm::StringRef string);

  /// Prints to standard error. Index arguments become `long long` (%lld).
  void print(mlir::ImplicitLocOpBuilder &b, llvm::StringRef format,
             mlir::ValueRange args = {});

  /// Lets one thread of the host report; every other one waits for the end.
  void beginReport(mlir::ImplicitLocOpBuilder &b);

  /// Ends the process with status 1, after writing out what is buffered.
  void endReport(mlir::ImplicitLocOpBuilder &b);

  /// Ends the run with a message where the condition holds.
  void failIf(mlir::ImplicitLocOpBuilder &b, mlir::Value bad,
              llvm::StringRef format, mlir::ValueRange args = {});

  /// A function `(votes, first, end, block id x, y, z, block size x, y, text)
  /// -> index` that returns the place where all threads of a block, those with
  /// linear ids from `first` up to `end`, have arrived. Where
  /// they differ it ends the run with a message that says, for each side, how
  /// many threads there are and which come first. The low 32 bits of a vote
  /// are the place; the high ones are a hash of the way to it. `places` names
  /// the places from number 1 on, as "wait at ..."; the text names the ops that
  /// decided. With `leftVote`, threads of this vote have left the kernel and
  /// are not asked; when all have, the place is number 1. In checked mode the
  /// session is told of all of them, which gets the text; the place is that of
  /// the threads that go on, or the end.
  mlir::func::FuncOp voteFunction(llvm::StringRef kernel, mlir::Location loc,
                                  llvm::ArrayRef<std::string> places,
                                  std::optional<int64_t> leftVote);

  /// A function of the C library.
  mlir::LLVM::LLVMFuncOp libc(llvm::StringRef name, mlir::Type result,
                              llvm::ArrayRef<mlir::Type> args,
                              bool variadic = false);

private:
  mlir::ModuleOp module;
  mlir::SymbolTable table;
  bool checked, detects, counted;
  llvm::StringMap<mlir::LLVM::GlobalOp> texts;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_RUNTIMECALLS_H
