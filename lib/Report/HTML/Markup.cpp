//===- Markup.cpp - Elements of a page and of its pictures ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Markup.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"
#include <cassert>
#include <cmath>

using namespace uop;
using namespace uop::report;
using llvm::StringRef;

std::string report::asCoordinate(double value) {
  assert(std::isfinite(value) && "a picture has finite coordinates");
  std::string text = llvm::formatv("{0:F2}", value).str();
  StringRef trimmed = StringRef(text).rtrim('0').rtrim('.');
  return trimmed == "-0" ? "0" : trimmed.str();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The bytes of the first character of a text, or 0 where they are none that
/// XML can have: no UTF-8, control characters, U+FFFE and U+FFFF.
static unsigned getCharacterBytes(StringRef text) {
  auto begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  unsigned bytes = llvm::getNumBytesForUTF8(*begin);
  if (bytes > text.size() || !llvm::isLegalUTF8Sequence(begin, begin + bytes))
    return 0;
  bool isControl =
      *begin < 0x20 && !llvm::is_contained({'\t', '\n', '\r'}, char(*begin));
  StringRef character = text.take_front(bytes);
  if (isControl || character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf")
    return 0;
  return bytes;
}

static void printText(llvm::raw_ostream &os, StringRef text) {
  while (!text.empty()) {
    unsigned bytes = getCharacterBytes(text);
    if (bytes > 0)
      llvm::printHTMLEscaped(text.take_front(bytes), os);
    else
      os << "\xef\xbf\xbd"; // U+FFFD
    text = text.drop_front(std::max(bytes, 1u));
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void MarkupWriter::printTag(StringRef tag, Attributes attributes,
                            StringRef end) {
  os << "<" << tag;
  for (const Attribute &attribute : attributes) {
    if (attribute.value.empty())
      continue;
    os << " " << attribute.name << "=\"";
    printText(os, attribute.value);
    os << "\"";
  }
  os << end;
}

MarkupWriter::Scope MarkupWriter::open(StringRef tag, Attributes attributes) {
  printTag(tag, attributes, ">");
  tags.push_back(tag);
  return Scope(*this);
}

void MarkupWriter::close() { os << "</" << tags.pop_back_val() << ">\n"; }

void MarkupWriter::leaf(StringRef tag, StringRef content,
                        Attributes attributes) {
  printTag(tag, attributes, ">");
  printText(os, content);
  os << "</" << tag << ">";
}

void MarkupWriter::empty(StringRef tag, Attributes attributes) {
  printTag(tag, attributes, "/>");
}

void MarkupWriter::text(StringRef text) { printText(os, text); }

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

Picture::Picture(MarkupWriter &writer, double width, double height,
                 StringRef title, StringRef description)
    : writer(writer),
      svg(writer.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                              {"role", "img"},
                              {"aria-label", title},
                              {"width", width},
                              {"height", height},
                              {"viewBox", "0 0 " + asCoordinate(width) + " " +
                                              asCoordinate(height)}})) {
  writer.leaf("title", title);
  writer.leaf("desc", description);
}

MarkupWriter::Scope Picture::group(StringRef hint, StringRef classes) {
  MarkupWriter::Scope scope = writer.open("g", {{"class", classes}});
  writer.leaf("title", hint);
  return scope;
}

void Picture::rect(double x, double y, double width, double height,
                   StringRef classes) {
  writer.empty("rect", {{"x", x},
                        {"y", y},
                        {"width", width},
                        {"height", height},
                        {"class", classes}});
}

void Picture::line(double x1, double y1, double x2, double y2,
                   StringRef classes) {
  writer.empty(
      "line",
      {{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}, {"class", classes}});
}

void Picture::circle(double x, double y, double radius, StringRef classes) {
  writer.empty("circle",
               {{"cx", x}, {"cy", y}, {"r", radius}, {"class", classes}});
}

void Picture::path(llvm::ArrayRef<std::pair<double, double>> points,
                   StringRef classes) {
  std::string text;
  for (auto [x, y] : points)
    text += (text.empty() ? "" : " ") + asCoordinate(x) + "," + asCoordinate(y);
  writer.empty("polyline", {{"points", text}, {"class", classes}});
}

void Picture::text(double x, double y, StringRef text, StringRef classes) {
  writer.leaf("text", text, {{"x", x}, {"y", y}, {"class", classes}});
}
