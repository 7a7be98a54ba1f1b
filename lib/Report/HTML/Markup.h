//===- Markup.h - Elements of a page and of its pictures --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes elements so that the page is well-formed XML as well as HTML: what is
// opened is closed, text and values are escaped, and numbers are finite.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_HTML_MARKUP_H
#define UOP_LIB_REPORT_HTML_MARKUP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <initializer_list>
#include <string>

namespace uop::report {

/// A coordinate or length, which is finite, with at most two digits behind the
/// point.
std::string asCoordinate(double value);

struct Attribute {
  llvm::StringRef name;
  std::string value;

  Attribute(llvm::StringRef name, llvm::StringRef value)
      : name(name), value(value) {}
  Attribute(llvm::StringRef name, double value)
      : name(name), value(asCoordinate(value)) {}
};

using Attributes = std::initializer_list<Attribute>;

class MarkupWriter {
public:
  explicit MarkupWriter(llvm::raw_ostream &os) : os(os) {}
  MarkupWriter(const MarkupWriter &) = delete;
  MarkupWriter &operator=(const MarkupWriter &) = delete;

  /// Closes its element at the end of its scope.
  class Scope {
  public:
    explicit Scope(MarkupWriter &writer) : writer(&writer) {}
    Scope(Scope &&other) : writer(other.writer) { other.writer = nullptr; }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    ~Scope() {
      if (writer)
        writer->close();
    }

  private:
    MarkupWriter *writer;
  };

  /// Opens an element. `tag` outlives it; empty attributes are left out.
  [[nodiscard]] Scope open(llvm::StringRef tag, Attributes attributes = {});
  /// An element with text alone.
  void leaf(llvm::StringRef tag, llvm::StringRef text,
            Attributes attributes = {});
  /// An element that has no content: `meta`, `rect`, ...
  void empty(llvm::StringRef tag, Attributes attributes = {});
  /// Escaped; what XML cannot have becomes the replacement character.
  void text(llvm::StringRef text);
  /// Trusted text, as it is: the doctype and the style sheet.
  void raw(llvm::StringRef text) { os << text; }

private:
  void close();
  void printTag(llvm::StringRef tag, Attributes attributes,
                llvm::StringRef end);

  llvm::raw_ostream &os;
  llvm::SmallVector<llvm::StringRef> tags;
};

/// A picture: an `svg` with a title and a description for those who do not see
/// it. Colours are classes of the page's style sheet.
class Picture {
public:
  Picture(MarkupWriter &writer, double width, double height,
          llvm::StringRef title, llvm::StringRef description);

  /// What follows in its scope belongs together, and says `hint` where a mouse
  /// stands on it.
  [[nodiscard]] MarkupWriter::Scope group(llvm::StringRef hint,
                                          llvm::StringRef classes = "");
  void rect(double x, double y, double width, double height,
            llvm::StringRef classes);
  void line(double x1, double y1, double x2, double y2,
            llvm::StringRef classes);
  void circle(double x, double y, double radius, llvm::StringRef classes);
  void path(llvm::ArrayRef<std::pair<double, double>> points,
            llvm::StringRef classes);
  /// `classes` has start, middle or end where `x` is not the left.
  void text(double x, double y, llvm::StringRef text, llvm::StringRef classes);

private:
  MarkupWriter &writer;
  MarkupWriter::Scope svg;
};

} // namespace uop::report

#endif // UOP_LIB_REPORT_HTML_MARKUP_H
