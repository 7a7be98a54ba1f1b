//===- KernelPage.h - The part of a page on a kernel ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_HTML_KERNELPAGE_H
#define UOP_LIB_REPORT_HTML_KERNELPAGE_H

#include "Markup.h"
#include "Uop/Report/KernelReport.h"

namespace uop::report {

/// What the links of a page call a kernel, by its number from 1, and an access
/// by its number from 0.
std::string getAnchor(unsigned kernel);
std::string getAccessAnchor(unsigned kernel, size_t access);

/// Whether an access is counted, and costs more than it has to.
bool isWasteful(const AccessReport &access);

/// Of global accesses, or of shared ones, all together.
TrafficSums sumTraffic(const KernelReport &report, bool isShared);

/// All of a kernel: what to change first, then each figure with its pictures.
void printKernel(MarkupWriter &writer, const KernelReport &report,
                 unsigned number);

/// A part of a kernel, that links call `name`.
[[nodiscard]] MarkupWriter::Scope openSection(MarkupWriter &writer,
                                              unsigned kernel,
                                              llvm::StringRef name,
                                              llvm::StringRef title);

/// Work, least times and roofline. A run does not count work, and has none.
bool hasRooflineSection(const KernelReport &report);
void printRooflineSection(MarkupWriter &writer, const KernelReport &report,
                          unsigned number);

bool hasOccupancySection(const KernelReport &report);
void printOccupancySection(MarkupWriter &writer, const KernelReport &report,
                           unsigned number);

/// The accesses to one memory: a table of them, and each with its picture.
/// Nothing where there are none.
void printAccesses(MarkupWriter &writer, const KernelReport &report,
                   unsigned number, bool isShared);

} // namespace uop::report

#endif // UOP_LIB_REPORT_HTML_KERNELPAGE_H
