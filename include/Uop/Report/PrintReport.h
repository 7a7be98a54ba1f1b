//===- PrintReport.h - Reports as text, JSON and HTML -----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_REPORT_PRINTREPORT_H
#define UOP_REPORT_PRINTREPORT_H

#include "Uop/Report/KernelReport.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace uop::report {

struct TextOptions {
  /// Colours, for a terminal.
  bool hasColors = false;
  /// All sections, and not only those in which something is wrong.
  bool isVerbose = false;
};

/// Aligned text of up to about 100 columns.
void printText(llvm::raw_ostream &os, llvm::ArrayRef<KernelReport> reports,
               const TextOptions &options = {});

/// One access in a line: "global load: 16 requests, 4 sec x15/3 sec x1 (ideal
/// 63); memref.load of %x".
void printCounts(llvm::raw_ostream &os, const AccessReport &access);

/// The document whose schema is docs/report.schema.json.
llvm::json::Object buildJSON(llvm::ArrayRef<KernelReport> reports);

/// A page that needs no other file: tables, and pictures as SVG.
void printHTML(llvm::raw_ostream &os, llvm::ArrayRef<KernelReport> reports);

/// Compares two documents of `buildJSON`, kernel by kernel and access by
/// access: a line for each figure that differs, with both values and their
/// ratio. An error says which document is none, and why.
llvm::Error printDifference(llvm::raw_ostream &os,
                            const llvm::json::Value &before,
                            const llvm::json::Value &after,
                            const TextOptions &options = {});

} // namespace uop::report

#endif // UOP_REPORT_PRINTREPORT_H
