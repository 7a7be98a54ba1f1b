//===- BarPictures.h - Occupancy by block size, and least times -*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_HTML_BARPICTURES_H
#define UOP_LIB_REPORT_HTML_BARPICTURES_H

#include "Markup.h"
#include "Uop/Report/KernelReport.h"

namespace uop::report {

/// The active share of the warps of a multiprocessor, 0 where there can be
/// none.
double getOccupancyShare(const Occupancy &occupancy);

/// The row of `report.occupancyByBlock` that the kernel's own block is in, or
/// none.
std::optional<size_t> findOwnRow(const KernelReport &report);

/// A bar for each block size, with that of the kernel marked, and those that
/// the chip cannot have crossed out.
void drawOccupancy(MarkupWriter &writer, const KernelReport &report);

/// A bar for each bound, as long as the least time that it takes.
void drawTimes(MarkupWriter &writer, const Roofline &roofline);

} // namespace uop::report

#endif // UOP_LIB_REPORT_HTML_BARPICTURES_H
