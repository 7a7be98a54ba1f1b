//===- Advice.cpp - What is worth changing --------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding costs the share of the kernel's least time that it takes: that of
// the slowest of the units that work at once: memory, moved in sectors; shared
// memory, a wavefront a cycle; and arithmetic. What waits for the latency of
// memory has a finding of its own. These are estimates for an order, not
// predictions.
//
//===----------------------------------------------------------------------===//

#include "Advice.h"
#include "Uop/Analysis/MemoryRequest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <numeric>

using namespace uop;
using namespace uop::report;
using llvm::StringRef;

/// What costs less than this share of the time is not worth a finding.
static constexpr double kLeastCost = 0.05;
/// That some multiprocessors have a block more is so in most launches.
static constexpr double kLeastTailCost = 0.1;
static constexpr size_t kMostFindings = 5;

static std::string format(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", value);
  return text;
}

static std::string percent(double share) { return format(100 * share) + " %"; }

namespace {

class Adviser {
public:
  explicit Adviser(KernelReport &report) : report(report) { estimateTimes(); }

  void run();

private:
  void estimateTimes();
  void add(Advice advice, double cost);
  void adviseOnRaces();
  void adviseOnAccesses();
  void adviseOnBlocks();
  void adviseOnIdle(const LoadBalance &load);
  void adviseOnTail(const Roofline &roofline);
  void adviseOnLanes();
  void adviseOnOccupancy();
  void adviseOnSpills();
  void adviseOnRecomputation();
  void adviseOnBranches();

  bool isDivisible() const;
  uint64_t getSectors() const {
    return report.globalLoads.sectors + report.globalStores.sectors +
           report.globalAtomics.sectors;
  }
  uint64_t getWavefronts() const {
    return report.sharedLoads.wavefronts + report.sharedStores.wavefronts +
           report.sharedAtomics.wavefronts;
  }
  double getSectorSeconds(double sectors) const {
    return sectors * double(kSectorBytes) / report.chip.dramBytesPerSecond;
  }
  double getWavefrontSeconds(double wavefronts) const {
    return wavefronts / (double(report.chip.numMultiprocessors) *
                         report.chip.clockHertz * getUse());
  }
  /// The share of the multiprocessors that work.
  double getUse() const {
    return report.roofline ? report.roofline->load.multiprocessorUse : 1;
  }
  /// Whether options of the mapping change the kernel.
  bool isMapped() const { return report.form == "graph form"; }

  KernelReport &report;
  /// The least time of the kernel, without what it waits for memory: a launch
  /// that is too small to hide that is to be large one day.
  double seconds = 0;
  double arithmeticSeconds = 0;
  std::vector<Advice> found;
};

} // namespace

void Adviser::estimateTimes() {
  const GPUTarget &chip = report.chip;
  // A function or a division takes about eight instructions.
  constexpr double specialFlops = 8;
  arithmeticSeconds = (report.work.fp32 + report.work.fp16 +
                       specialFlops * report.work.special) /
                          chip.fp32FlopsPerSecond +
                      report.work.tensor / chip.tensorFlopsPerSecond;
  if (chip.fp64FlopsPerSecond > 0)
    arithmeticSeconds += report.work.fp64 / chip.fp64FlopsPerSecond;
  arithmeticSeconds /= getUse();
  seconds = std::max({getSectorSeconds(double(getSectors())),
                      getWavefrontSeconds(double(getWavefronts())),
                      arithmeticSeconds});
}

void Adviser::add(Advice advice, double cost) {
  advice.cost = std::min(cost, 1.0);
  if (advice.cost >= kLeastCost)
    found.push_back(std::move(advice));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void Adviser::adviseOnRaces() {
  const RaceSummary &races = report.races;
  if (races.verdict != RaceVerdict::Racy)
    return;
  Advice advice;
  advice.place = races.entries.front().place;
  advice.finding = races.entries.front().text;
  if (races.pairsRacy > 1)
    advice.finding +=
        " (" + std::to_string(races.pairsRacy) + " pairs of accesses in all)";
  advice.figure = "racy pairs of accesses";
  advice.value = double(races.pairsRacy);
  advice.remedy.action = "order the accesses; results are not defined before";
  advice.valueAfter = 0;
  add(std::move(advice), 1);
}

/// What to do where no change that was tried helps.
static std::string getGeneralRemedy(const AccessReport &access, bool isMapped) {
  if (access.isShared)
    return "change the layout of the tile, or which lanes access it together";
  std::optional<int64_t> stride = access.threadStrides[0];
  int64_t width = access.elementBytes * access.elementsPerLane;
  if (stride && *stride > width && *stride < kSectorBytes)
    return "store each field in an array of its own, or load whole structures "
           "as vectors";
  if (stride && *stride == width)
    return "let rows begin at a multiple of " + std::to_string(kSectorBytes) +
           " bytes";
  std::string action = "give neighbouring threads neighbouring elements, or "
                       "stage the data in shared memory";
  return isMapped ? action + ": --uop-place-shared" : action;
}

void Adviser::adviseOnAccesses() {
  for (const AccessReport &access : report.accesses) {
    uint64_t cost = access.getCost(), ideal = access.getIdeal();
    if (!access.notCounted.empty() || cost <= ideal)
      continue;
    StringRef unit = access.isShared ? "wavefronts" : "sectors";
    Advice advice;
    advice.place = access.place;
    advice.figure = unit.str();
    advice.value = double(cost);
    advice.finding = access.op + " of " + access.buffer + " takes " +
                     std::to_string(cost) + " " + unit.str() + ", " +
                     format(double(cost) / double(ideal)) + " times the ideal";
    if (!access.cause.empty())
      advice.finding += ": " + access.cause;
    advice.remedy = access.remedy.value_or(
        Remedy{getGeneralRemedy(access, isMapped()), "", std::nullopt});
    if (advice.remedy.cost)
      advice.valueAfter = double(*advice.remedy.cost);
    double excess = double(cost - advice.remedy.cost.value_or(ideal));
    double time = access.isShared ? getWavefrontSeconds(excess)
                                  : getSectorSeconds(excess);
    add(std::move(advice), seconds > 0 ? time / seconds : 0);
  }
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

/// Whether the work is enough for more blocks: whole warps for them, or loops
/// to split.
bool Adviser::isDivisible() const {
  constexpr double manyOperations = 64;
  return report.launch.warps > report.launch.blocks ||
         report.work.getTotal() >=
             manyOperations * double(report.launch.threads);
}

void Adviser::adviseOnIdle(const LoadBalance &load) {
  Advice advice;
  advice.place = report.place;
  advice.figure = "idle multiprocessors";
  advice.value = double(load.idleMultiprocessors);
  advice.finding = std::to_string(load.idleMultiprocessors) + " of " +
                   std::to_string(load.multiprocessors) +
                   " multiprocessors are idle: the grid has " +
                   std::to_string(load.blocks) +
                   (load.blocks == 1 ? " block" : " blocks");
  advice.remedy.action =
      "make more blocks of fewer outputs each, or split the reduction";
  if (isMapped())
    advice.remedy.action +=
        ": --uop-gpu-map=\"min-blocks=" + std::to_string(load.multiprocessors) +
        "\", --uop-split-reductions";
  add(std::move(advice), 1 - load.multiprocessorUse);
}

/// Where multiprocessors are what takes longest: some have a block more to do.
void Adviser::adviseOnTail(const Roofline &roofline) {
  const LoadBalance &load = roofline.load;
  double cost = 1 - load.multiprocessorUse;
  if (cost < kLeastTailCost || roofline.bound == Bound::Dram ||
      roofline.bound == Bound::Latency)
    return;
  Advice advice;
  advice.place = report.place;
  advice.figure = "share of the machine in use";
  advice.value = load.multiprocessorUse;
  double average = double(load.blocks) / double(load.multiprocessors);
  advice.finding = std::to_string(load.blocks) + " blocks on " +
                   std::to_string(load.multiprocessors) +
                   " multiprocessors: some have " + format(std::ceil(average)) +
                   ", and the average is " + format(average);
  advice.remedy.action = "choose tiles so that the number of blocks is a "
                         "multiple of " +
                         std::to_string(load.multiprocessors) +
                         " or a little less, or so small that there are many";
  add(std::move(advice), cost);
}

void Adviser::adviseOnBlocks() {
  if (!report.roofline)
    return;
  if (report.roofline->load.idleMultiprocessors == 0)
    adviseOnTail(*report.roofline);
  else if (isDivisible())
    adviseOnIdle(report.roofline->load);
}

void Adviser::adviseOnLanes() {
  double useful = report.launch.usefulLanes;
  // A launch that does nothing, or has only so many threads.
  if (report.launch.globalAccesses + report.launch.sharedAccesses == 0 ||
      report.launch.threads <= 1)
    return;
  Advice advice;
  advice.place = report.place;
  advice.figure = "useful lanes";
  advice.value = useful;
  advice.finding = percent(useful) + " of the lanes have something to do";
  int64_t threads = 1;
  for (int64_t extent : report.launch.block)
    threads *= extent;
  if (threads < int64_t(report.launch.warpSize))
    advice.remedy.action = "give a block at least " +
                           std::to_string(report.launch.warpSize) + " threads" +
                           (isMapped() ? ": --uop-gpu-map chooses so, or its "
                                         "option local"
                                       : "");
  else
    advice.remedy.action = "choose a block that the extents are a multiple of, "
                           "or give the other threads a part of the work";
  add(std::move(advice), 1 - useful);
}

/// Occupancy matters where too little is under way to hide latency.
void Adviser::adviseOnOccupancy() {
  if (!report.occupancy || !report.roofline || report.occupancy->blocks == 0)
    return;
  const Roofline &roofline = *report.roofline;
  // What is under way all at once takes one latency, whatever is done.
  if (roofline.bound != Bound::Latency ||
      roofline.load.idleMultiprocessors > 0 ||
      roofline.bytesInFlightAvailable >= report.dramBytesRead)
    return;
  const Occupancy &occupancy = *report.occupancy;
  Advice advice;
  advice.place = report.place;
  advice.figure = "bytes in flight";
  advice.value = roofline.bytesInFlightAvailable;
  advice.finding = "too little is under way to hide the latency of memory: " +
                   format(roofline.bytesInFlightAvailable / 1000) + " of " +
                   format(roofline.bytesInFlightNeeded / 1000) + " kB, at " +
                   percent(occupancy.getShare()) + " occupancy";
  std::string limits;
  for (OccupancyLimit limit : occupancy.getLimits())
    limits +=
        (limits.empty() ? "" : " and ") + stringifyOccupancyLimit(limit).str();
  advice.finding += ", limited by " + limits;
  std::string action;
  if (report.nextStep) {
    const OccupancyStep &step = *report.nextStep;
    auto addOption = [&](const std::optional<OccupancyChange> &change,
                         StringRef what) {
      if (change && change->warps > occupancy.warps)
        action +=
            (action.empty() ? "" : ", or ") +
            ("at most " + std::to_string(change->value) + " " + what.str());
    };
    addOption(step.registers, "registers a thread");
    addOption(step.sharedBytes, "bytes of shared memory a block");
    addOption(step.threads, "threads a block");
    if (!action.empty())
      action = "for " + std::to_string(step.blocks) +
               " blocks a multiprocessor take " + action + "; or ";
  }
  advice.remedy.action =
      action +
      "let each thread load more before it uses it (wider or unrolled "
      "loads, asynchronous copies" +
      (isMapped() ? ": --uop-place-shared)" : ")");
  double latency = roofline.getSeconds(Bound::Latency);
  double next = 0;
  for (Bound bound : kBounds)
    if (bound != Bound::Latency)
      next = std::max(next, roofline.getSeconds(bound));
  add(std::move(advice), latency > 0 ? 1 - next / latency : 0);
}

void Adviser::adviseOnSpills() {
  if (!report.registers)
    return;
  int64_t bytes = report.registers->spillStores + report.registers->spillLoads;
  if (bytes == 0)
    return;
  Advice advice;
  advice.place = report.place;
  advice.figure = "spilled bytes";
  advice.value = double(bytes);
  advice.finding =
      "ptxas spills: " + std::to_string(report.registers->spillStores) +
      " bytes stored and " + std::to_string(report.registers->spillLoads) +
      " loaded a thread, at " + std::to_string(report.registers->perThread) +
      " registers";
  advice.remedy.action = "keep fewer partial results a thread (smaller upcast "
                         "amounts), or allow more registers (nvvm.maxnreg, "
                         "nvvm.minctasm)";
  add(std::move(advice), std::min(0.5, double(bytes) / 256));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void Adviser::adviseOnRecomputation() {
  for (const RecomputationReport &loop : report.recomputations) {
    Advice advice;
    advice.place = loop.place;
    advice.figure = "computations of each value";
    advice.value = loop.times;
    advice.finding = "each value of this loop is computed by " +
                     format(loop.times) + " threads of a block";
    advice.remedy.action = "let the threads of a block share the reduction";
    if (isMapped()) {
      advice.remedy.option =
          "--uop-gpu-map=\"group=0:" + format(loop.times) + "\"";
      advice.remedy.action += ": " + advice.remedy.option;
    }
    advice.valueAfter = 1;
    // Its loads and its arithmetic are a share of all.
    add(std::move(advice), (1 - 1 / loop.times) * loop.share);
  }
}

void Adviser::adviseOnBranches() {
  for (const BranchReport &branch : report.branches) {
    double share = double(branch.divergent) / double(branch.executions);
    Advice advice;
    advice.place = branch.place;
    advice.figure = "divergent warps";
    advice.value = double(branch.divergent);
    advice.finding = "lanes of " + std::to_string(branch.divergent) + " of " +
                     std::to_string(branch.executions) +
                     " warps part at this " + branch.op;
    advice.remedy.action =
        "let whole warps take one way, for example by a condition on "
        "threadIdx.x / " +
        std::to_string(report.launch.warpSize);
    add(std::move(advice), branch.isBothWays ? share / 2 : 0);
  }
}

void Adviser::run() {
  // What does nothing cannot do it better.
  if (report.launch.threads == 0)
    return;
  adviseOnRaces();
  adviseOnAccesses();
  adviseOnBlocks();
  adviseOnLanes();
  adviseOnOccupancy();
  adviseOnSpills();
  adviseOnRecomputation();
  adviseOnBranches();
  // Of equals the one that was found first.
  std::vector<size_t> order(found.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-found[a].cost, a) < std::pair(-found[b].cost, b);
  });
  order.resize(std::min(order.size(), kMostFindings));
  for (size_t number : order)
    report.advice.push_back(std::move(found[number]));
}

void report::addAdvice(KernelReport &report) {
  report.advice.clear();
  Adviser(report).run();
}
