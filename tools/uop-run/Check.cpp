//===- Check.cpp - Report what checked mode finds -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Uop/Report/RunReport.h"
#include "Uop/Target/OutputFiles.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::run;

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

std::string CheckReport::getBuffer(const Finding &finding) {
  return report::nameBuffer(sources, finding);
}

Location CheckReport::getLocation(const SourcePosition &position) {
  if (position.line == 0)
    return UnknownLoc::get(&context);
  return FileLineColLoc::get(&context, position.file, position.line,
                             position.column);
}

static std::string printThreads(const FindingSide &side) {
  std::string text;
  for (const Coordinates3 &thread : side.threads) {
    text += text.empty() ? "(" : ", (";
    text += llvm::join(
        llvm::map_range(thread, [](int64_t n) { return std::to_string(n); }),
        ", ");
    text += ")";
  }
  if (side.count > static_cast<int64_t>(side.threads.size()))
    text += ", ...";
  return text;
}

void CheckReport::emit(const std::vector<Finding> &findings) {
  for (const Finding &finding : findings) {
    const FindingAccess &access = finding.accesses.front();
    Location loc = getLocation(access.where);
    InFlightDiagnostic diag =
        finding.isWarning ? emitWarning(loc) : emitError(loc);
    diag << "@" << finding.kernel << ": "
         << describeFinding(finding, getBuffer(finding));
    bool isFirst = true;
    for (const FindingAccess &other : finding.accesses) {
      if (!isFirst && (other.where.line != access.where.line ||
                       other.where.column != access.where.column))
        diag.attachNote(getLocation(other.where))
            << "the other access, by " << other.op << ", is here";
      isFirst = false;
    }
    for (const FindingSide &side : finding.sides)
      diag.attachNote(side.where.line ? getLocation(side.where) : loc)
          << side.count << (side.count == 1 ? " thread (" : " threads (")
          << side.place << "): " << printThreads(side);
    if (finding.kind == FindingKind::Divergence && !finding.detail.empty())
      diag.attachNote(loc) << finding.detail;
    if (std::string remedy = getRemedy(finding); !remedy.empty())
      diag.attachNote(loc) << remedy;
  }
}

llvm::Error CheckReport::write(const std::vector<Finding> &findings,
                               StringRef path) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printFindingsAsJSON(
      os, findings, [&](const Finding &finding) { return getBuffer(finding); });
  return writeOutputFiles({OutputFile{path.str(), {text}}});
}

bool CheckReport::isFailure(const std::vector<Finding> &findings) {
  return llvm::any_of(
      findings, [](const Finding &finding) { return !finding.isWarning; });
}
