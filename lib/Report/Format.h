//===- Format.h - Numbers and names in reports ------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_FORMAT_H
#define UOP_LIB_REPORT_FORMAT_H

#include "Uop/Analysis/TrafficText.h"
#include "Uop/Report/KernelReport.h"

namespace uop::report {

/// `file.mlir:12:5`, or nothing where it is not known.
std::string describePlace(const SourcePlace &place);

/// `(4, 8, 1)`.
std::string describeShape(llvm::ArrayRef<int64_t> shape);

/// Four digits, with a prefix of a thousand: `34.36 GB`, `1.2 kB`.
std::string withPrefix(double value, llvm::StringRef unit);

/// `37.5 %`.
std::string asPercent(double share);

/// `%.4g`.
std::string asNumber(double value);

/// `registers, blocks`.
std::string listLimits(const Occupancy &occupancy);

/// `at most 80 registers a thread, or at most 160 threads a block`; empty where
/// no change of one resource alone does.
std::string describeStep(const OccupancyStep &step);

llvm::StringRef describeVerdict(RaceVerdict verdict);
llvm::StringRef describeSource(RegisterSource source);

} // namespace uop::report

#endif // UOP_LIB_REPORT_FORMAT_H
