//===- PageParts.h - Tables, places and numbers of a page -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_HTML_PAGEPARTS_H
#define UOP_LIB_REPORT_HTML_PAGEPARTS_H

#include "Markup.h"
#include "Uop/Report/KernelReport.h"

namespace uop::report {

/// The style sheet of the page, for both colour schemes and for paper.
llvm::StringRef getStyleSheet();

/// A number in groups of three digits: `1,048,576`.
std::string withCommas(uint64_t number);

/// `x2.5`, how much more than the ideal; `x1` where both are none.
std::string asRatio(uint64_t cost, uint64_t ideal);

/// `12.5 us`, in the unit that suits.
std::string asTime(double seconds);

struct Column {
  llvm::StringRef title;
  /// To the right, and not broken.
  bool isNumber = true;
};

struct Cell {
  std::string text;
  /// Of the page, without the hash; empty for none.
  std::string anchor = "";
  /// How it looks: "good", "bad", "muted", or empty.
  llvm::StringRef look = "";

  Cell(std::string text, std::string anchor = "", llvm::StringRef look = "")
      : text(std::move(text)), anchor(std::move(anchor)), look(look) {}
  Cell(const char *text) : text(text) {}
};

using Row = std::vector<Cell>;

void printTable(MarkupWriter &writer, llvm::StringRef caption,
                llvm::ArrayRef<Column> columns, llvm::ArrayRef<Row> rows);

/// Names and what belongs to them.
void printFields(MarkupWriter &writer,
                 llvm::ArrayRef<std::pair<std::string, std::string>> fields);

/// Where it is, and the text of the line with the place in it marked; nothing
/// where it is not known.
void printSource(MarkupWriter &writer, const SourcePlace &place);

} // namespace uop::report

#endif // UOP_LIB_REPORT_HTML_PAGEPARTS_H
