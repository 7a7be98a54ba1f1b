//===- PageParts.cpp - Tables, places and numbers of a page ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageParts.h"
#include "../Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace uop;
using namespace uop::report;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::string report::withCommas(uint64_t number) {
  return llvm::formatv("{0:N}", number).str();
}

std::string report::asRatio(uint64_t cost, uint64_t ideal) {
  if (ideal == 0)
    return cost == 0 ? "\u00d71" : "-";
  return "\u00d7" + asNumber(double(cost) / double(ideal));
}

std::string report::asTime(double seconds) {
  if (!std::isfinite(seconds))
    return "-";
  if (seconds >= 1)
    return asNumber(seconds) + " s";
  if (seconds >= 1e-3)
    return asNumber(1e3 * seconds) + " ms";
  return asNumber(1e6 * seconds) + " \u00b5s";
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static void printCell(MarkupWriter &writer, const Cell &cell,
                      const Column &column) {
  std::string classes = column.isNumber ? "number" : "";
  if (!cell.look.empty())
    classes += (classes.empty() ? "" : " ") + cell.look.str();
  auto data = writer.open("td", {{"class", classes}});
  if (cell.anchor.empty())
    writer.text(cell.text);
  else
    writer.leaf("a", cell.text, {{"href", "#" + cell.anchor}});
}

void report::printTable(MarkupWriter &writer, StringRef caption,
                        llvm::ArrayRef<Column> columns,
                        llvm::ArrayRef<Row> rows) {
  auto frame = writer.open("div", {{"class", "wide"}});
  auto table = writer.open("table");
  writer.leaf("caption", caption);
  {
    auto head = writer.open("thead");
    auto row = writer.open("tr");
    for (const Column &column : columns)
      writer.leaf(
          "th", column.title,
          {{"scope", "col"}, {"class", column.isNumber ? "number" : ""}});
  }
  auto body = writer.open("tbody");
  for (const Row &cells : rows) {
    auto row = writer.open("tr");
    for (auto [cell, column] : llvm::zip(cells, columns))
      printCell(writer, cell, column);
  }
}

void report::printFields(
    MarkupWriter &writer,
    llvm::ArrayRef<std::pair<std::string, std::string>> fields) {
  auto list = writer.open("dl");
  for (const auto &[name, value] : fields) {
    auto entry = writer.open("div");
    writer.leaf("dt", name);
    writer.leaf("dd", value);
  }
}

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

/// The word that begins at a text's beginning, or its first character.
static StringRef takeWord(StringRef text) {
  StringRef sigil =
      text.take_while([](char c) { return StringRef("%@!#^").contains(c); });
  StringRef word = text.drop_front(sigil.size()).take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  });
  return text.take_front(std::max<size_t>(sigil.size() + word.size(), 1));
}

void report::printSource(MarkupWriter &writer, const SourcePlace &place) {
  std::string where = describePlace(place);
  if (where.empty())
    return;
  auto frame = writer.open("div", {{"class", "source"}});
  writer.leaf("span", where, {{"class", "place"}});
  StringRef line = StringRef(place.text).rtrim();
  if (line.empty())
    return;
  size_t indent = line.size() - line.ltrim().size();
  size_t at = place.column > 0 ? place.column - 1 : 0;
  auto code = writer.open("pre");
  if (at < indent || at >= line.size()) {
    writer.text(line.ltrim());
    return;
  }
  StringRef word = takeWord(line.drop_front(at));
  writer.text(line.slice(indent, at));
  writer.leaf("mark", word);
  writer.text(line.drop_front(at + word.size()));
}
