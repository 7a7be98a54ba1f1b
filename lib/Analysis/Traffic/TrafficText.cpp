//===- TrafficText.cpp - Memory traffic in words --------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/TrafficText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace uop;

std::string uop::describeCount(uint64_t count, StringRef what) {
  return (Twine(count) + " " + what + (count == 1 ? "" : "s")).str();
}

std::string uop::describeAccess(AccessKind kind, bool isShared) {
  StringRef what = kind == AccessKind::Load    ? "load"
                   : kind == AccessKind::Store ? "store"
                                               : "atomic update";
  return ((isShared ? "shared " : "global ") + what).str();
}

std::string uop::describeRequests(const RequestCounts &counts, bool isShared) {
  const TrafficSums &sums = counts.sums;
  std::string text = describeCount(sums.requests, "request");
  if (sums.requests == 0)
    return text;
  SmallVector<std::pair<int64_t, uint64_t>> costs(counts.requestsByCost.begin(),
                                                  counts.requestsByCost.end());
  llvm::sort(costs, [](auto a, auto b) {
    return std::pair(b.second, a.first) < std::pair(a.second, b.first);
  });
  raw_string_ostream os(text);
  os << ", ";
  interleave(
      costs, os,
      [&](auto cost) {
        os << cost.first << (isShared ? " wf x" : " sec x") << cost.second;
      },
      "/");
  os << " (ideal " << (isShared ? sums.idealWavefronts : sums.idealSectors)
     << ")";
  return text;
}

static void printSums(raw_ostream &os, StringRef what, const TrafficSums &sums,
                      bool isShared) {
  if (sums.requests == 0)
    return;
  os << "; " << what << ": " << describeCount(sums.requests, "request") << ", "
     << describeCount(sums.elements, "element") << ", ";
  if (isShared)
    os << describeCount(sums.wavefronts, "wavefront") << " (ideal "
       << sums.idealWavefronts << ")";
  else
    os << describeCount(sums.sectors, "sector") << " (ideal "
       << sums.idealSectors << "), "
       << describeCount(sums.lines, "transaction");
}

std::string uop::describeTotals(const TrafficTotals &totals) {
  std::string text;
  raw_string_ostream os(text);
  printSums(os, "global loads", totals.globalLoads, false);
  printSums(os, "global stores", totals.globalStores, false);
  printSums(os, "global atomic updates", totals.globalAtomics, false);
  printSums(os, "shared loads", totals.sharedLoads, true);
  printSums(os, "shared stores", totals.sharedStores, true);
  printSums(os, "shared atomic updates", totals.sharedAtomics, true);
  return text;
}
