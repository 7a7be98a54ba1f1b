//===- Format.cpp - Numbers and names in reports --------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace uop;
using namespace uop::report;

std::string report::describePlace(const SourcePlace &place) {
  if (place.line == 0)
    return "";
  return place.file + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

std::string report::describeShape(llvm::ArrayRef<int64_t> shape) {
  return "(" +
         llvm::join(llvm::map_range(
                        shape, [](int64_t n) { return std::to_string(n); }),
                    ", ") +
         ")";
}

std::string report::asNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", value);
  return text;
}

std::string report::withPrefix(double value, llvm::StringRef unit) {
  static constexpr const char *prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  size_t prefix = 0;
  while (value >= 1000 && prefix + 1 < std::size(prefixes)) {
    value /= 1000;
    ++prefix;
  }
  return asNumber(value) + " " + prefixes[prefix] + unit.str();
}

std::string report::asPercent(double share) {
  return asNumber(100 * share) + " %";
}

std::string report::listLimits(const Occupancy &occupancy) {
  return llvm::join(
      llvm::map_range(occupancy.getLimits(),
                      [](OccupancyLimit limit) {
                        return stringifyOccupancyLimit(limit).str();
                      }),
      ", ");
}

std::string report::describeStep(const OccupancyStep &step) {
  std::vector<std::string> ways;
  auto add = [&](const std::optional<OccupancyChange> &change,
                 llvm::StringRef what) {
    if (change)
      ways.push_back("at most " + std::to_string(change->value) + " " +
                     what.str());
  };
  add(step.registers, "registers a thread");
  add(step.sharedBytes, "bytes of shared memory a block");
  add(step.threads, "threads a block");
  return llvm::join(ways, ", or ");
}

llvm::StringRef report::describeVerdict(RaceVerdict verdict) {
  switch (verdict) {
  case RaceVerdict::Proved:
    return "race-free, proved";
  case RaceVerdict::Racy:
    return "racy";
  case RaceVerdict::NotProved:
    return "not provably free of races";
  case RaceVerdict::NotAsked:
    break;
  }
  return "not looked for";
}

llvm::StringRef report::describeSource(RegisterSource source) {
  switch (source) {
  case RegisterSource::Given:
    return "given";
  case RegisterSource::Ptxas:
    return "from ptxas";
  case RegisterSource::Estimate:
    break;
  }
  return "estimate";
}
