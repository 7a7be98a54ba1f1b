//===- BuildReport.h - From a kernel to its report --------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_REPORT_BUILDREPORT_H
#define UOP_REPORT_BUILDREPORT_H

#include "Uop/Analysis/WarpRequests.h"
#include "Uop/IR/Uop.h"
#include "Uop/Report/KernelReport.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"
#include <functional>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace uop::report {

struct ReportOptions {
  /// What the kernel was given in (KernelReport.h): advice names options for
  /// that.
  std::string form = "loop form";
  GPUTarget chip = *lookUpGPUTarget(kDefaultGPUTarget);
  /// What the launch gives that the kernel leaves open.
  LaunchValues values;
  unsigned warpSize = 32;
  /// More requests than these are not counted; those of the first block are.
  int64_t maxRequests = 1 << 22;
  /// Of a thread; estimated where it is not given.
  std::optional<RegisterReport> registers;
  /// Look for races, which takes longest.
  bool findsRaces = true;
};

/// The report of a kernel in loop form. Fails with a diagnostic where its grid
/// is not known, or it is for a CPU. Names and lines of source files are left
/// to `addSources`.
mlir::FailureOr<KernelReport> buildReport(KernelOp kernel,
                                          const ReportOptions &options);

/// Puts what follows from the counts of `report` into it: occupancy, roofline
/// and advice. A part of buildReport, for counts that come from a run.
void completeReport(KernelReport &report);

/// Puts what a checked run of the emulator has found (the document of
/// `uop-run --check-json`) beside the static proof, and says whether they
/// agree. An error says why it is no such document.
llvm::Error addCheckedRun(KernelReport &report,
                          const llvm::json::Value &findings);

/// Adds the text of source lines from the files that `sources` has, and calls
/// buffers what the source calls them.
void addSources(KernelReport &report, const llvm::SourceMgr &sources);

/// A line of one of these files, by its number from 1; nothing for 0, which
/// stands for an unknown place, and for another file.
std::optional<llvm::StringRef> getLine(const llvm::SourceMgr &sources,
                                       llvm::StringRef file, unsigned line);

/// The name of the buffer that is defined at a column, from 1, of a line of
/// MLIR: that of an argument there, or of the result of the op there. Empty
/// where there is none.
llvm::StringRef findBufferName(llvm::StringRef line, unsigned column);

} // namespace uop::report

#endif // UOP_REPORT_BUILDREPORT_H
