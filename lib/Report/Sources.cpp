//===- Sources.cpp - Lines and names of the source ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Advice.h"
#include "Uop/Report/BuildReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace uop;
using namespace uop::report;

llvm::StringRef report::findBufferName(llvm::StringRef line, unsigned column) {
  if (column == 0 || column > line.size())
    return {};
  auto takeName = [](llvm::StringRef text) {
    return text.take_while([](char c) {
      return llvm::isAlnum(c) || c == '%' || c == '_' || c == '.' || c == '$' ||
             c == '-';
    });
  };
  llvm::StringRef rest = line.drop_front(column - 1);
  if (rest.starts_with("%"))
    return takeName(rest);
  llvm::StringRef before = line.take_front(column - 1).rtrim();
  if (!before.consume_back("="))
    return {};
  size_t start = before.find('%');
  return start == llvm::StringRef::npos ? llvm::StringRef()
                                        : takeName(before.drop_front(start));
}

void report::addSources(KernelReport &report, const llvm::SourceMgr &sources) {
  auto getText = [&](const SourcePlace &place) -> llvm::StringRef {
    return getLine(sources, place.file, place.line).value_or(llvm::StringRef());
  };
  auto addText = [&](SourcePlace &place) { place.text = getText(place).str(); };
  auto addName = [&](std::string &name, SourcePlace &place) {
    addText(place);
    llvm::StringRef found = findBufferName(place.text, place.column);
    if (!found.empty())
      name = found.str();
  };
  addText(report.place);
  for (AccessReport &access : report.accesses) {
    addText(access.place);
    addName(access.buffer, access.bufferPlace);
  }
  for (BufferTraffic &buffer : report.buffers)
    addName(buffer.name, buffer.place);
  for (BranchReport &branch : report.branches)
    addText(branch.place);
  for (RecomputationReport &recomputation : report.recomputations)
    addText(recomputation.place);
  for (RaceSummary::Entry &entry : report.races.entries)
    addText(entry.place);
  // It is about buffers by their names.
  addAdvice(report);
  for (Advice &advice : report.advice)
    addText(advice.place);
}

std::optional<llvm::StringRef> report::getLine(const llvm::SourceMgr &sources,
                                               llvm::StringRef file,
                                               unsigned line) {
  // The manager of sources takes 0, which is no line, for the first.
  if (line == 0)
    return std::nullopt;
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(id);
    if (buffer->getBufferIdentifier() != file)
      continue;
    // Finds the ends of all lines once.
    const char *start = sources.getBufferInfo(id).getPointerForLineNumber(line);
    if (!start)
      return llvm::StringRef();
    llvm::StringRef rest(start, buffer->getBufferEnd() - start);
    return rest.split('\n').first.rtrim('\r');
  }
  return std::nullopt;
}
