//===- CountReport.cpp - What a run has asked of memory -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Checked/SiteTable.h"
#include "Uop/Analysis/TrafficText.h"
#include "Uop/Emulator/Count.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace uop;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printPosition(raw_ostream &os, const SourcePosition &where) {
  if (where.line == 0)
    os << "<unknown>: ";
  else
    os << where.file << ":" << where.line << ":" << where.column << ": ";
}

static std::string describe(const Coordinates3 &sizes) {
  return formatv("({0}, {1}, {2})", sizes[0], sizes[1], sizes[2]);
}

/// What all that follows is about.
static void printHeading(raw_ostream &os, const CountedLaunch &launch) {
  os << "report: @" << launch.kernel << ": ";
  if (launch.launches != 1)
    os << launch.launches << " launches, ";
  os << "grid " << describe(launch.grid) << ", block " << describe(launch.block)
     << ", shared " << describeCount(launch.sharedBytes, "byte") << ": "
     << describeCount(launch.getNumThreads(), "thread") << ", "
     << launch.getNumAccesses()
     << (launch.getNumAccesses() == 1 ? " access" : " accesses") << "\n";
}

static void print(raw_ostream &os, const CountedAccess &access,
                  BufferNameFn getBuffer) {
  printPosition(os, access.where);
  os << describeAccess(access.kind, access.isShared);
  if (access.isCounted())
    os << ": " << describeRequests(access, access.isShared);
  else
    os << " is not counted: " << access.reason;
  os << "; " << access.op << " of "
     << getBuffer(access.bufferPosition, access.buffer) << "\n";
}

static void print(raw_ostream &os, const CountedBranch &branch) {
  printPosition(os, branch.where);
  if (branch.reason.empty())
    os << "branch: " << describeCount(branch.executions, "warp execution")
       << ", " << branch.divergent << " both ways";
  else
    os << "branch is not counted: " << branch.reason;
  os << "; " << branch.op << "\n";
}

void uop::printCounts(raw_ostream &os, ArrayRef<CountedLaunch> launches,
                      BufferNameFn getBuffer) {
  for (const CountedLaunch &launch : launches) {
    printHeading(os, launch);
    for (const CountedAccess &access : launch.accesses)
      print(os, access, getBuffer);
    for (const CountedBranch &branch : launch.branches)
      print(os, branch);
    os << "@" << launch.kernel << describeTotals(launch.getTotals());
    int64_t numUncounted =
        count_if(launch.accesses, [](const CountedAccess &access) {
          return !access.isCounted();
        });
    if (numUncounted > 0)
      os << "; " << numUncounted
         << (numUncounted == 1 ? " access is" : " accesses are")
         << " not counted";
    os << "\n";
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// The largest number of JSON readers that have 64 bits.
static int64_t toNumber(uint64_t value) {
  return std::min<uint64_t>(value, INT64_MAX);
}

static json::Object toJSON(const TrafficSums &sums, bool isShared) {
  json::Object object{{"requests", toNumber(sums.requests)},
                      {"distinctAddresses", toNumber(sums.distinctAddresses)},
                      {"elements", toNumber(sums.elements)},
                      {"bytes", toNumber(sums.bytes)}};
  if (isShared) {
    object["wavefronts"] = toNumber(sums.wavefronts);
    object["idealWavefronts"] = toNumber(sums.idealWavefronts);
    return object;
  }
  object["sectors"] = toNumber(sums.sectors);
  object["idealSectors"] = toNumber(sums.idealSectors);
  object["transactions"] = toNumber(sums.lines);
  return object;
}

static StringRef getKindName(AccessKind kind) {
  switch (kind) {
  case AccessKind::Load:
    return "load";
  case AccessKind::Store:
    return "store";
  case AccessKind::Atomic:
    break;
  }
  return "atomic";
}

static json::Value toJSON(const CountedAccess &access, BufferNameFn getBuffer) {
  json::Object object{
      {"op", access.op},
      {"where", uop::toJSON(access.where)},
      {"kind", getKindName(access.kind)},
      {"space", access.isShared ? "shared" : "global"},
      {"buffer",
       json::Object{{"name", getBuffer(access.bufferPosition, access.buffer)},
                    {"where", uop::toJSON(access.bufferPosition)}}},
      {"elementBytes", access.elementBytes}};
  if (!access.isCounted()) {
    object["reason"] = access.reason;
    return object;
  }
  object["counts"] = toJSON(access.sums, access.isShared);
  json::Array costs;
  for (auto [cost, requests] : access.requestsByCost)
    costs.push_back(
        json::Object{{"cost", cost}, {"requests", toNumber(requests)}});
  object["requestsByCost"] = std::move(costs);
  return object;
}

static json::Value toJSON(const CountedBranch &branch) {
  json::Object object{{"op", branch.op}, {"where", uop::toJSON(branch.where)}};
  if (!branch.reason.empty()) {
    object["reason"] = branch.reason;
    return object;
  }
  object["executions"] = toNumber(branch.executions);
  object["divergent"] = toNumber(branch.divergent);
  return object;
}

static json::Value toJSON(TrafficTotals totals) {
  return json::Object{{"globalLoads", toJSON(totals.globalLoads, false)},
                      {"globalStores", toJSON(totals.globalStores, false)},
                      {"globalAtomics", toJSON(totals.globalAtomics, false)},
                      {"sharedLoads", toJSON(totals.sharedLoads, true)},
                      {"sharedStores", toJSON(totals.sharedStores, true)},
                      {"sharedAtomics", toJSON(totals.sharedAtomics, true)}};
}

void uop::printCountsAsJSON(raw_ostream &os, ArrayRef<CountedLaunch> launches,
                            BufferNameFn getBuffer) {
  json::Array array;
  for (const CountedLaunch &launch : launches) {
    json::Array accesses, branches;
    for (const CountedAccess &access : launch.accesses)
      accesses.push_back(::toJSON(access, getBuffer));
    for (const CountedBranch &branch : launch.branches)
      branches.push_back(::toJSON(branch));
    array.push_back(
        json::Object{{"kernel", launch.kernel},
                     {"launches", toNumber(launch.launches)},
                     {"grid", json::Array(launch.grid)},
                     {"block", json::Array(launch.block)},
                     {"sharedBytes", launch.sharedBytes},
                     {"subgroupSize", launch.subgroupSize},
                     {"threads", toNumber(launch.getNumThreads())},
                     {"elements", toNumber(launch.getNumAccesses())},
                     {"accesses", std::move(accesses)},
                     {"branches", std::move(branches)},
                     {"totals", ::toJSON(launch.getTotals())}});
  }
  os << formatv("{0:2}", json::Value(json::Object{
                             {"version", 1}, {"launches", std::move(array)}}))
     << "\n";
}
