//===- Check.h - Report what checked mode finds -----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_CHECK_H
#define UOP_TOOLS_UOP_RUN_CHECK_H

#include "Uop/Emulator/Check.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

namespace uop::run {

/// Says what has been found.
class CheckReport {
public:
  /// `sources` has the text of the program.
  CheckReport(mlir::MLIRContext &context, llvm::SourceMgr &sources)
      : context(context), sources(sources) {}

  /// As diagnostics of the context.
  void emit(const std::vector<Finding> &findings);
  /// As JSON.
  llvm::Error write(const std::vector<Finding> &findings, llvm::StringRef path);

  /// Whether something is more than a warning.
  static bool isFailure(const std::vector<Finding> &findings);

private:
  std::string getBuffer(const Finding &finding);
  mlir::Location getLocation(const SourcePosition &position);

  mlir::MLIRContext &context;
  llvm::SourceMgr &sources;
};

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_CHECK_H
