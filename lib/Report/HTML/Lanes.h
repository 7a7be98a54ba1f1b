//===- Lanes.h - Lanes of a warp in pictures --------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_HTML_LANES_H
#define UOP_LIB_REPORT_HTML_LANES_H

#include "Markup.h"
#include "Uop/Report/KernelReport.h"

namespace uop::report {

/// What pictures of requests have in common: labels, then 128 bytes or 32
/// banks, then remarks.
inline constexpr double kLabelWidth = 104, kByteWidth = 4.5,
                        kGridWidth = 128 * kByteWidth, kRemarkWidth = 168,
                        kRequestWidth = kLabelWidth + kGridWidth + kRemarkWidth;

/// Of a request that is long, so many rows come first, and last; between them
/// is a row that says what is left out.
struct RowSelection {
  size_t first = 0, last = 0, omitted = 0;
};
RowSelection selectRows(size_t number, size_t most);

/// `lane 3`, `lanes 0 to 7 and 9`.
std::string listLanes(llvm::ArrayRef<unsigned> lanes);

/// The class of a lane's colour, which is darker from lane to lane, so that
/// their order shows.
std::string getLaneClass(unsigned lane, size_t numLanes);

/// A cell of the lanes that access the same bytes: the number of one, or how
/// many they are.
void drawLanes(Picture &picture, double x, double y, double width,
               double height, llvm::ArrayRef<unsigned> lanes, size_t numLanes,
               llvm::StringRef hint);

inline constexpr double kLaneStripHeight = 18;
/// The warp: a box for each lane, those that take no part dashed and empty.
void drawLaneStrip(Picture &picture, double y, const ExampleRequest &example);

/// `32 lanes, 4 of which take no part`.
std::string describeLanes(const ExampleRequest &example);

/// How the addresses of the lanes follow each other: "lanes step by 128 bytes".
std::string describePattern(const ExampleRequest &example);

} // namespace uop::report

#endif // UOP_LIB_REPORT_HTML_LANES_H
