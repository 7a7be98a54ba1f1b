//===- TrafficText.h - Memory traffic in words ------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of `--uop-print-traffic` and of the report of a run.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_TRAFFICTEXT_H
#define UOP_ANALYSIS_TRAFFICTEXT_H

#include "Uop/Analysis/TrafficSums.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace uop {

/// `7 requests`, and `1 request`.
std::string describeCount(uint64_t count, llvm::StringRef what);

/// Such as `shared load`.
std::string describeAccess(AccessKind kind, bool isShared);

/// `16 requests, 4 sec x15/3 sec x1 (ideal 63)`, the most frequent cost first.
std::string describeRequests(const RequestCounts &counts, bool isShared);

/// `; global loads: ...; shared stores: ...`, of what there is.
std::string describeTotals(const TrafficTotals &totals);

} // namespace uop

#endif // UOP_ANALYSIS_TRAFFICTEXT_H
