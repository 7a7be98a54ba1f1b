//===- BuildReport.cpp - From a kernel to its report ----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Report/BuildReport.h"
#include "Advice.h"
#include "BuildParts.h"
#include "Places.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

/// The share of the threads that have something to do. Where those of a block
/// work together, all that the first block has do, though one may store what
/// they have found: what counts is how full the other blocks are beside it.
static double getUsefulThreads(KernelOp kernel, const KernelCounts &counts,
                               RequestOptions options, bool isGraph) {
  double share = getStoringThreadShare(kernel, counts);
  if (counts.traffic.isFirstBlockOnly || !isCooperative(kernel, isGraph))
    return share;
  options.block = {0, 0, 0};
  FailureOr<KernelCounts> first = countKernel(kernel, options);
  if (failed(first))
    return share;
  double ofFirst = getStoringThreadShare(kernel, *first);
  return ofFirst > 0 ? std::min(share / ofFirst, 1.0) : share;
}

static LaunchReport describeLaunch(KernelOp kernel, const KernelCounts &counts,
                                   const RequestOptions &options,
                                   StringRef form) {
  unsigned warpSize = options.warpSize;
  LaunchReport launch;
  launch.grid = counts.launch.grid;
  launch.block = counts.launch.block;
  launch.warpSize = warpSize;
  launch.blocks = 1;
  for (int64_t extent : launch.grid)
    launch.blocks = llvm::SaturatingMultiply<uint64_t>(launch.blocks, extent);
  launch.threads = llvm::SaturatingMultiply<uint64_t>(
      launch.blocks, counts.launch.getNumThreadsPerBlock());
  launch.warps = llvm::SaturatingMultiply<uint64_t>(
      launch.blocks, counts.launch.getNumWarpsPerBlock(warpSize));
  launch.usefulLanes =
      counts.launch.getUsefulLaneShare(warpSize) *
      getUsefulThreads(kernel, counts, options, form.ends_with("graph form"));
  launch.sharedBytes = getSharedBytes(kernel);
  return launch;
}

static void addSums(KernelReport &report, const KernelTraffic &traffic) {
  static_cast<TrafficTotals &>(report) = traffic;
  report.launch.globalAccesses = traffic.globalLoads.elements +
                                 traffic.globalStores.elements +
                                 traffic.globalAtomics.elements;
  report.launch.sharedAccesses = traffic.sharedLoads.elements +
                                 traffic.sharedStores.elements +
                                 traffic.sharedAtomics.elements;
  if (traffic.isTooLarge)
    report.notes.push_back("accesses are not counted: there are too many "
                           "requests even in the first block");
  else if (traffic.isFirstBlockOnly)
    report.notes.push_back(
        "there are too many requests: the counts are those of block (0, 0, 0) "
        "alone");
  constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
  bool isCutOff = report.launch.threads == most;
  for (const AccessReport &access : report.accesses)
    isCutOff |= access.sums.bytes == most || access.sums.requests == most;
  if (isCutOff)
    report.notes.push_back(
        "counts of more than 64 bits are cut off: there is at "
        "least as much as is said");
  unsigned numUncounted =
      llvm::count_if(traffic.accesses, [](const AccessTraffic &access) {
        return !access.isCounted();
      });
  if (numUncounted > 0)
    report.notes.push_back(
        std::to_string(numUncounted) +
        (numUncounted == 1 ? " access is" : " accesses are") +
        " not in the sums");
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Whether lowering has made both of one operation of the source.
static bool areCopies(const AccessReport &a, const AccessReport &b) {
  auto getKey = [](const AccessReport &access) {
    return std::tie(access.place.line, access.place.column, access.place.file,
                    access.kind, access.isShared, access.op, access.buffer,
                    access.bufferPlace.line, access.bufferPlace.column,
                    access.elementsPerLane, access.notCounted);
  };
  return a.place.line != 0 && getKey(a) == getKey(b);
}

static void addCopy(AccessReport &access, const AccessReport &copy) {
  // The one with most to say speaks for all.
  auto getExcess = [](const AccessReport &one) {
    return double(one.getCost()) - double(one.getIdeal());
  };
  if (getExcess(copy) > std::max(getExcess(access), 0.0)) {
    access.example = copy.example;
    access.threadStrides = copy.threadStrides;
    access.cause = copy.cause;
  }
  // A change does to all what it does to each.
  std::optional<Remedy> remedy = access.remedy ? access.remedy : copy.remedy;
  if (remedy) {
    auto getCost = [](const AccessReport &one) {
      return one.remedy && one.remedy->cost ? *one.remedy->cost : one.getCost();
    };
    remedy->cost = getCost(access) + getCost(copy);
  }
  access.remedy = remedy;
  access += copy;
  access.copies += copy.copies;
}

static void mergeCopies(std::vector<AccessReport> &accesses) {
  std::vector<AccessReport> merged;
  for (AccessReport &access : accesses) {
    auto it = llvm::find_if(merged, [&](const AccessReport &other) {
      return areCopies(other, access);
    });
    if (it == merged.end())
      merged.push_back(std::move(access));
    else
      addCopy(*it, access);
  }
  // What some copies take too much others may save.
  for (AccessReport &access : merged)
    if (access.getCost() <= access.getIdeal()) {
      access.cause.clear();
      access.remedy.reset();
    }
  accesses = std::move(merged);
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

static BlockResources getResources(const KernelReport &report) {
  BlockResources block;
  block.threads = 1;
  for (int64_t extent : report.launch.block)
    block.threads *= extent;
  if (report.registers)
    block.registers = report.registers->perThread;
  block.dynamicSharedBytes = report.launch.sharedBytes;
  return block;
}

static void addOccupancy(KernelReport &report) {
  BlockResources block = getResources(report);
  llvm::Expected<Occupancy> occupancy = computeOccupancy(report.chip, block);
  if (!occupancy) {
    report.notes.push_back("no such block on " + report.chip.chip + ": " +
                           llvm::toString(occupancy.takeError()));
    return;
  }
  report.occupancy = *occupancy;
  if (llvm::Expected<OccupancyStep> step =
          computeNextOccupancyStep(report.chip, block))
    report.nextStep = *step;
  else
    llvm::consumeError(step.takeError());
  report.occupancyByBlock = computeOccupancyTable(report.chip, block);
}

/// What DRAM moves: each byte once where the second-level cache holds all of
/// it, else each byte once a block. None where that is not known.
static std::optional<std::pair<double, double>>
getDramBytes(const KernelReport &report) {
  double once[2] = {0, 0}, byBlock[2] = {0, 0};
  bool isOnceKnown = true, isByBlockKnown = true;
  for (const BufferTraffic &buffer : report.buffers) {
    isOnceKnown &= buffer.launchReads && buffer.launchWrites;
    isByBlockKnown &= buffer.blockReads && buffer.blockWrites;
    once[0] += buffer.launchReads.value_or(0);
    once[1] += buffer.launchWrites.value_or(0);
    byBlock[0] += buffer.blockReads.value_or(0);
    byBlock[1] += buffer.blockWrites.value_or(0);
  }
  bool fits = once[0] + once[1] <= double(report.chip.l2Bytes);
  if (isOnceKnown && (fits || !isByBlockKnown))
    return std::pair(once[0], once[1]);
  if (isByBlockKnown)
    return std::pair(byBlock[0], byBlock[1]);
  return std::nullopt;
}

static void addRoofline(KernelReport &report) {
  std::optional<std::pair<double, double>> dram = getDramBytes(report);
  if (!report.occupancy || report.launch.blocks == 0 ||
      report.occupancy->blocks == 0)
    return;
  if (!dram) {
    if (!report.accesses.empty())
      report.notes.push_back("no roofline: what memory moves is not known");
    return;
  }
  KernelWork work;
  work.fp32Flops = report.work.fp32 + report.work.fp16;
  work.fp64Flops = report.work.fp64;
  work.tensorFlops = report.work.tensor;
  work.dramBytesRead = dram->first;
  work.dramBytesWritten = dram->second;
  work.sharedWavefronts = double(report.sharedLoads.wavefronts) +
                          double(report.sharedStores.wavefronts) +
                          double(report.sharedAtomics.wavefronts);
  work.blocks = int64_t(std::min<uint64_t>(
      report.launch.blocks, std::numeric_limits<int64_t>::max()));
  work.threadsPerBlock = getResources(report).threads;
  work.blocksPerMultiprocessor = report.occupancy->blocks;
  work.bytesInFlightPerThread = double(report.bytesInFlightPerThread);
  llvm::Expected<Roofline> roofline = computeRoofline(report.chip, work);
  if (roofline)
    report.roofline = *roofline;
  else
    report.notes.push_back("no roofline: " +
                           llvm::toString(roofline.takeError()));
  report.dramBytesRead = dram->first;
  report.dramBytesWritten = dram->second;
}

void report::completeReport(KernelReport &report) {
  addOccupancy(report);
  addRoofline(report);
  addAdvice(report);
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

FailureOr<KernelReport> report::buildReport(KernelOp kernel,
                                            const ReportOptions &options) {
  RequestOptions requests;
  requests.values = options.values;
  requests.warpSize = options.warpSize;
  requests.maxRequests = options.maxRequests;
  FailureOr<KernelCounts> counts = countKernel(kernel, requests);
  if (failed(counts))
    return failure();
  KernelReport report;
  report.name = kernel.getSymName().str();
  report.place = getPlace(kernel.getLoc());
  report.form = options.form;
  report.chip = options.chip;
  report.launch = describeLaunch(kernel, *counts, requests, options.form);
  report.accesses = describeAccesses(kernel, *counts, options.warpSize);
  addSums(report, counts->traffic);
  tryRemedies(kernel, requests, options.form, report.accesses);
  mergeCopies(report.accesses);
  report.registers = options.registers;
  if (!report.registers)
    report.registers = RegisterReport{
        std::min(estimateRegisters(kernel), options.chip.maxRegistersPerThread),
        RegisterSource::Estimate};
  report.buffers = countBuffers(kernel, *counts, requests);
  report.work = countWork(kernel, *counts, options.warpSize);
  report.bytesInFlightPerThread = getBytesInFlight(kernel, *counts);
  report.branches = describeBranches(*counts);
  report.recomputations = findRecomputations(kernel, *counts);
  // The proof looks at pairs.
  constexpr size_t maxAccesses = 2000;
  if (options.findsRaces && counts->traffic.accesses.size() <= maxAccesses)
    report.races = summarizeRaces(kernel);
  else if (options.findsRaces)
    report.notes.push_back("races are not looked for among more than " +
                           std::to_string(maxAccesses) +
                           " accesses: --uop-verify-races does");
  completeReport(report);
  return std::move(report);
}
