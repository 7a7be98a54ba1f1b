//===- AccessPicture.h - A request to global memory over sectors *- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_HTML_ACCESSPICTURE_H
#define UOP_LIB_REPORT_HTML_ACCESSPICTURE_H

#include "Markup.h"
#include "Uop/Report/KernelReport.h"

namespace uop::report {

/// Bytes of a line that the same lanes access, ascending.
struct LineSegment {
  int64_t offset = 0, bytes = 0;
  std::vector<unsigned> lanes;
};

/// A line of 128 bytes that a request touches.
struct TouchedLine {
  /// Of its first byte, from the beginning of the buffer.
  int64_t address = 0;
  /// Lines between the touched one before and this one.
  int64_t omittedBefore = 0;
  std::array<bool, 4> sectors = {};
  /// Ascending and disjoint.
  std::vector<LineSegment> segments;

  int64_t getNumSectors() const;
  int64_t getUsedBytes() const;
};

/// By address.
std::vector<TouchedLine> layOutLines(const ExampleRequest &example);

/// Lanes above the lines that they touch: a row a line, in sectors, with the
/// lanes at the bytes that they access.
void drawAccess(MarkupWriter &writer, const ExampleRequest &example);

} // namespace uop::report

#endif // UOP_LIB_REPORT_HTML_ACCESSPICTURE_H
