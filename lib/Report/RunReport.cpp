//===- RunReport.cpp - Reports of what an emulated run has counted --------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Report/RunReport.h"
#include "Uop/Report/BuildReport.h"
#include "llvm/Support/MathExtras.h"

using namespace uop;
using namespace uop::report;

static SourcePlace getPlace(const SourcePosition &where) {
  return {where.file, where.line, where.column, ""};
}

/// The share of the threads that store something: the most that any store to
/// global memory has, if each thread executes it at most once.
static double getUsefulThreadShare(const CountedLaunch &counted) {
  double threads = double(counted.getNumThreads()), most = 0;
  bool hasStores = false;
  for (const CountedAccess &access : counted.accesses) {
    if (access.isShared || access.kind == AccessKind::Load)
      continue;
    hasStores = true;
    most = std::max(most, double(access.sums.elements));
  }
  return hasStores && threads > 0 ? std::min(most / threads, 1.0) : 1;
}

static LaunchReport describeLaunch(const CountedLaunch &counted,
                                   const TrafficTotals &totals) {
  LaunchReport launch;
  launch.grid = counted.grid;
  launch.block = counted.block;
  launch.warpSize = unsigned(counted.subgroupSize);
  launch.launches = counted.launches;
  launch.threads = counted.getNumThreads();
  int64_t threads = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    launch.blocks *= counted.grid[dim];
    threads *= counted.block[dim];
  }
  launch.blocks *= counted.launches;
  int64_t warps = llvm::divideCeil(threads, counted.subgroupSize);
  launch.warps = launch.blocks * warps;
  launch.usefulLanes = double(threads) / double(warps * counted.subgroupSize) *
                       getUsefulThreadShare(counted);
  launch.sharedBytes = counted.sharedBytes;
  launch.globalAccesses = totals.globalLoads.elements +
                          totals.globalStores.elements +
                          totals.globalAtomics.elements;
  launch.sharedAccesses = totals.sharedLoads.elements +
                          totals.sharedStores.elements +
                          totals.sharedAtomics.elements;
  return launch;
}

static AccessReport describe(const CountedAccess &counted) {
  AccessReport access;
  static_cast<RequestCounts &>(access) = counted;
  access.kind = counted.kind;
  access.isShared = counted.isShared;
  access.op = counted.op;
  access.place = getPlace(counted.where);
  access.buffer = counted.buffer;
  access.bufferPlace = getPlace(counted.bufferPosition);
  access.elementBytes = counted.elementBytes;
  access.notCounted = counted.reason;
  return access;
}

KernelReport report::buildRunReport(const CountedLaunch &launch,
                                    const GPUTarget &chip) {
  KernelReport report;
  TrafficTotals totals = launch.getTotals();
  report.name = launch.kernel;
  report.origin = Origin::Run;
  report.form = "gpu dialect";
  report.chip = chip;
  report.launch = describeLaunch(launch, totals);
  static_cast<TrafficTotals &>(report) = totals;
  unsigned numUncounted = 0;
  for (const CountedAccess &counted : launch.accesses) {
    report.accesses.push_back(describe(counted));
    numUncounted += !counted.isCounted();
  }
  if (numUncounted > 0)
    report.notes.push_back(
        std::to_string(numUncounted) +
        (numUncounted == 1 ? " access is" : " accesses are") +
        " not in the sums");
  for (const CountedBranch &branch : launch.branches) {
    if (branch.reason.empty())
      report.branches.push_back({getPlace(branch.where), branch.op,
                                 branch.executions, branch.divergent,
                                 /*isBothWays=*/false});
    else
      report.notes.push_back(branch.op + " is not counted: " + branch.reason);
  }
  return report;
}

std::vector<KernelReport>
report::buildRunReports(llvm::ArrayRef<CountedLaunch> launches,
                        llvm::StringRef chip, const llvm::SourceMgr &sources) {
  const GPUTarget *target = lookUpGPUTarget(chip);
  if (!target)
    target = lookUpGPUTarget(kDefaultGPUTarget);
  std::vector<KernelReport> reports;
  for (const CountedLaunch &launch : launches) {
    reports.push_back(buildRunReport(launch, *target));
    addSources(reports.back(), sources);
  }
  return reports;
}

std::string report::nameBuffer(const llvm::SourceMgr &sources,
                               const Finding &finding) {
  const SourcePosition &where = finding.bufferPosition;
  if (std::optional<llvm::StringRef> line =
          getLine(sources, where.file, where.line)) {
    llvm::StringRef name = findBufferName(*line, where.column);
    if (!name.empty())
      return name.str();
  }
  return finding.buffer;
}
