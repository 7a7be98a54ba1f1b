//===- TextReport.cpp - A report as text ----------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "Uop/Report/PrintReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace uop;
using namespace uop::report;
using llvm::raw_ostream;
using llvm::StringRef;

void report::printCounts(raw_ostream &os, const AccessReport &access) {
  os << describeAccess(access.kind, access.isShared);
  if (!access.notCounted.empty())
    os << " is not counted: " << access.notCounted;
  else
    os << ": " << describeRequests(access, access.isShared);
  os << "; " << access.op << " of " << access.buffer;
  if (access.copies > 1)
    os << ", " << access.copies << " copies";
}

namespace {

class TextPrinter {
public:
  TextPrinter(raw_ostream &os, const TextOptions &options)
      : os(os), options(options) {}

  void print(const KernelReport &report);

private:
  void section(StringRef title);
  /// A name in a column of its own, and what belongs to it.
  raw_ostream &field(StringRef name);
  void color(raw_ostream::Colors color) {
    if (options.hasColors)
      os.changeColor(color, /*Bold=*/false);
  }
  void bold() {
    if (options.hasColors)
      os.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  }
  void plain() {
    if (options.hasColors)
      os.resetColor();
  }
  void printPlace(const SourcePlace &place);
  void printCaret(const SourcePlace &place);

  void printLaunch(const KernelReport &report);
  void printAccesses(const KernelReport &report);
  void printAccess(const AccessReport &access);
  void printSums(StringRef what, const TrafficSums &sums, bool isShared);
  void printOccupancy(const KernelReport &report);
  void printOccupancyTable(const KernelReport &report);
  void printTraffic(const KernelReport &report);
  void printRoofline(const KernelReport &report);
  void printControl(const KernelReport &report);
  void printRaces(const KernelReport &report);
  void printAdvice(const KernelReport &report);

  raw_ostream &os;
  const TextOptions &options;
};

} // namespace

void TextPrinter::section(StringRef title) {
  os << "\n";
  bold();
  os << title;
  plain();
  os << "\n";
}

raw_ostream &TextPrinter::field(StringRef name) {
  return os << "  " << llvm::left_justify(name, 22);
}

void TextPrinter::printPlace(const SourcePlace &place) {
  std::string text = describePlace(place);
  if (!text.empty())
    os << text << ": ";
}

/// The source line, and where in it.
void TextPrinter::printCaret(const SourcePlace &place) {
  StringRef line = place.text;
  size_t indent = line.size() - line.ltrim().size();
  line = line.trim();
  if (line.empty())
    return;
  os << "    " << line << "\n";
  if (place.column > indent) {
    os << "    " << std::string(place.column - 1 - indent, ' ');
    color(raw_ostream::GREEN);
    os << "^";
    plain();
    os << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Launch and accesses
//===----------------------------------------------------------------------===//

void TextPrinter::printLaunch(const KernelReport &report) {
  const LaunchReport &launch = report.launch;
  bold();
  os << "@" << report.name;
  plain();
  os << ": ";
  if (launch.launches > 1)
    os << launch.launches << " launches, ";
  os << "grid " << describeShape(launch.grid) << ", block "
     << describeShape(launch.block) << ": "
     << describeCount(launch.threads, "thread") << ", "
     << launch.globalAccesses + launch.sharedAccesses
     << (launch.globalAccesses + launch.sharedAccesses == 1 ? " access"
                                                            : " accesses")
     << "\n";
  field("counted in") << (report.origin == Origin::Run ? "an emulated run"
                                                       : "the code alone")
                      << " (" << report.form << ")\n";
  field("chip") << report.chip.chip << ", as " << report.chip.product << "\n";
  field("warps") << launch.warps << " of " << launch.warpSize << " lanes, "
                 << asPercent(launch.usefulLanes) << " of the lanes useful\n";
  field("shared memory") << describeCount(launch.sharedBytes, "byte")
                         << " a block\n";
  for (const std::string &note : report.notes) {
    color(raw_ostream::YELLOW);
    os << "  note: ";
    plain();
    os << note << "\n";
  }
}

void TextPrinter::printAccess(const AccessReport &access) {
  bool isWrong =
      access.notCounted.empty() && access.getCost() > access.getIdeal();
  os << "  ";
  printPlace(access.place);
  color(isWrong ? raw_ostream::RED : raw_ostream::GREEN);
  printCounts(os, access);
  plain();
  os << "\n";
  if (!access.cause.empty())
    os << "      why: " << access.cause << "\n";
  if (access.remedy) {
    os << "      fix: " << access.remedy->action;
    if (access.remedy->cost)
      os << " (" << access.getCost() << " -> " << *access.remedy->cost << ")";
    os << "\n";
  }
  if (!options.isVerbose || !access.example)
    return;
  if (!access.assumption.empty())
    os << "      " << access.assumption << "\n";
  const ExampleRequest &example = *access.example;
  os << "      for example block " << describeShape(example.block)
     << ", threads " << example.firstThread << " to "
     << example.firstThread + int64_t(example.addresses.size()) - 1 << ": "
     << describeCount(example.cost, access.isShared ? "wavefront" : "sector")
     << ", ideal " << example.ideal << ", " << example.countDistinct()
     << (example.countDistinct() == 1 ? " distinct address"
                                      : " distinct addresses")
     << "\n";
}

void TextPrinter::printSums(StringRef what, const TrafficSums &sums,
                            bool isShared) {
  if (sums.requests == 0)
    return;
  field(what) << describeCount(sums.requests, "request") << ", "
              << describeCount(sums.elements, "element") << ", ";
  if (isShared)
    os << describeCount(sums.wavefronts, "wavefront") << " (ideal "
       << sums.idealWavefronts << ")\n";
  else
    os << describeCount(sums.sectors, "sector") << " (ideal "
       << sums.idealSectors << "), " << describeCount(sums.lines, "transaction")
       << "\n";
}

void TextPrinter::printAccesses(const KernelReport &report) {
  if (report.accesses.empty())
    return;
  section(
      "Memory, by request of a warp: sectors of 32 bytes, and wavefronts of "
      "shared memory");
  for (const AccessReport &access : report.accesses)
    printAccess(access);
  printSums("global loads", report.globalLoads, /*isShared=*/false);
  printSums("global stores", report.globalStores, /*isShared=*/false);
  printSums("global atomics", report.globalAtomics, /*isShared=*/false);
  printSums("shared loads", report.sharedLoads, /*isShared=*/true);
  printSums("shared stores", report.sharedStores, /*isShared=*/true);
  printSums("shared atomics", report.sharedAtomics, /*isShared=*/true);
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

void TextPrinter::printOccupancy(const KernelReport &report) {
  if (!report.occupancy)
    return;
  const Occupancy &occupancy = *report.occupancy;
  section("Occupancy");
  if (report.registers) {
    const RegisterReport &registers = *report.registers;
    field("registers") << registers.perThread << " a thread ("
                       << describeSource(registers.source) << ")";
    if (registers.spillStores + registers.spillLoads > 0)
      os << ", spills " << registers.spillStores << " bytes stored, "
         << registers.spillLoads << " loaded";
    os << "\n";
  }
  field("blocks") << occupancy.blocks << " a multiprocessor, "
                  << occupancy.warps << " of " << occupancy.maxWarps
                  << " warps, " << asPercent(occupancy.getShare()) << "\n";
  field("limited by") << listLimits(occupancy) << " (";
  bool isFirst = true;
  for (OccupancyLimit limit : kOccupancyLimits) {
    if (!isFirst)
      os << ", ";
    isFirst = false;
    os << stringifyOccupancyLimit(limit) << " ";
    if (std::optional<int64_t> blocks = occupancy.getBlocksBy(limit))
      os << *blocks;
    else
      os << "-";
  }
  os << ")\n";
  // With all warps active more blocks are no gain.
  if (report.nextStep && occupancy.warps < occupancy.maxWarps) {
    std::string ways = describeStep(*report.nextStep);
    if (!ways.empty())
      field("for " + std::to_string(report.nextStep->blocks) + " blocks")
          << ways << "\n";
  }
  if (options.isVerbose)
    printOccupancyTable(report);
}

void TextPrinter::printOccupancyTable(const KernelReport &report) {
  os << "  threads a block  blocks  warps  occupancy  limited by\n";
  for (const OccupancyRow &row : report.occupancyByBlock) {
    os << llvm::right_justify(std::to_string(row.threads), 17);
    if (!row.occupancy) {
      os << "  " << row.reason << "\n";
      continue;
    }
    os << llvm::right_justify(std::to_string(row.occupancy->blocks), 8)
       << llvm::right_justify(std::to_string(row.occupancy->warps), 7)
       << llvm::right_justify(asPercent(row.occupancy->getShare()), 11) << "  "
       << listLimits(*row.occupancy) << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Traffic and roofline
//===----------------------------------------------------------------------===//

static std::string printBytes(std::optional<uint64_t> bytes) {
  return bytes ? withPrefix(double(*bytes), "B") : "?";
}

void TextPrinter::printTraffic(const KernelReport &report) {
  if (report.buffers.empty())
    return;
  section("Bytes of global memory, by how often a byte is counted");
  os << "  buffer            each access    once a block   once a launch\n";
  auto row = [&](StringRef name, std::optional<uint64_t> threads,
                 std::optional<uint64_t> blocks, std::optional<uint64_t> launch,
                 bool isUpperBound) {
    os << "  " << llvm::left_justify(name, 16)
       << llvm::right_justify(printBytes(threads), 13)
       << llvm::right_justify(printBytes(blocks), 16)
       << llvm::right_justify((isUpperBound ? "<= " : "") + printBytes(launch),
                              16)
       << "\n";
  };
  for (const BufferTraffic &buffer : report.buffers) {
    if (buffer.threadReads > 0)
      row(buffer.name + " read", buffer.threadReads, buffer.blockReads,
          buffer.launchReads, buffer.isUpperBound);
    if (buffer.threadWrites > 0)
      row(buffer.name + " write", buffer.threadWrites, buffer.blockWrites,
          buffer.launchWrites, buffer.isUpperBound);
  }
  if (report.buffers.size() < 2)
    return;
  auto sum = [&](auto member) {
    std::optional<uint64_t> total = 0;
    for (const BufferTraffic &buffer : report.buffers) {
      std::optional<uint64_t> bytes = buffer.*member;
      if (!bytes)
        return std::optional<uint64_t>();
      total = llvm::SaturatingAdd(*total, *bytes);
    }
    return total;
  };
  bool isUpperBound =
      llvm::any_of(report.buffers, [](const BufferTraffic &buffer) {
        return buffer.isUpperBound;
      });
  row("all read", sum(&BufferTraffic::threadReads),
      sum(&BufferTraffic::blockReads), sum(&BufferTraffic::launchReads),
      isUpperBound);
  row("all write", sum(&BufferTraffic::threadWrites),
      sum(&BufferTraffic::blockWrites), sum(&BufferTraffic::launchWrites),
      isUpperBound);
}

void TextPrinter::printRoofline(const KernelReport &report) {
  const WorkReport &work = report.work;
  if (report.origin == Origin::Run)
    return;
  section("Roofline");
  field("work") << withPrefix(work.getTotal(), "FLOP");
  if (work.special > 0)
    os << ", " << withPrefix(work.special, "divisions and functions");
  if (!work.notCounted.empty())
    os << "; not all: " << work.notCounted;
  os << "\n";
  if (!report.roofline)
    return;
  const Roofline &roofline = *report.roofline;
  field("DRAM") << withPrefix(report.dramBytesRead, "B") << " read, "
                << withPrefix(report.dramBytesWritten, "B") << " written\n";
  field("intensity") << asNumber(roofline.intensity) << " FLOP/B, ridge at "
                     << asNumber(roofline.ridge) << "\n";
  field("bound by") << stringifyBound(roofline.bound) << ": at least "
                    << asNumber(1e6 * roofline.getSeconds()) << " us, "
                    << withPrefix(roofline.attainableFlopsPerSecond, "FLOP/s")
                    << " of "
                    << withPrefix(roofline.peakFlopsPerSecond, "FLOP/s")
                    << "\n";
  field("least times");
  bool isFirst = true;
  for (Bound bound : kBounds) {
    if (roofline.getSeconds(bound) <= 0)
      continue;
    os << (isFirst ? "" : ", ") << stringifyBound(bound) << " "
       << asNumber(1e6 * roofline.getSeconds(bound)) << " us";
    isFirst = false;
  }
  os << "\n";
  field("bytes in flight") << withPrefix(roofline.bytesInFlightAvailable, "B")
                           << " of the "
                           << withPrefix(roofline.bytesInFlightNeeded, "B")
                           << " that keep DRAM busy ("
                           << report.bytesInFlightPerThread
                           << " bytes a thread)\n";
  const LoadBalance &load = roofline.load;
  field("load balance") << describeCount(load.blocks, "block") << " on "
                        << load.multiprocessors << " multiprocessors, "
                        << asNumber(load.waves) << " waves";
  if (load.idleMultiprocessors > 0)
    os << ", " << load.idleMultiprocessors << " idle";
  if (load.tailBlocks > 0)
    os << ", tail of " << describeCount(load.tailBlocks, "block") << " ("
       << asPercent(load.tailShare) << ")";
  os << ", " << asPercent(load.multiprocessorUse) << " in use\n";
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

void TextPrinter::printControl(const KernelReport &report) {
  auto isShown = [&](const BranchReport &branch) {
    return branch.divergent > 0 || options.isVerbose;
  };
  if (llvm::none_of(report.branches, isShown) && report.recomputations.empty())
    return;
  section("Threads of a block");
  for (const BranchReport &branch : report.branches) {
    if (!isShown(branch))
      continue;
    os << "  ";
    printPlace(branch.place);
    os << branch.op << ": lanes part in " << branch.divergent << " of "
       << describeCount(branch.executions, "warp") << "\n";
  }
  for (const RecomputationReport &loop : report.recomputations) {
    os << "  ";
    printPlace(loop.place);
    os << loop.op << ": each value is computed by " << asNumber(loop.times)
       << " threads of a block, " << asPercent(loop.share)
       << " of all operations\n";
  }
}

void TextPrinter::printRaces(const KernelReport &report) {
  const RaceSummary &races = report.races;
  if (races.verdict == RaceVerdict::NotAsked && races.checkedRun.empty())
    return;
  section("Races");
  field("static proof");
  color(races.verdict == RaceVerdict::Proved ? raw_ostream::GREEN
                                             : raw_ostream::RED);
  os << describeVerdict(races.verdict);
  plain();
  os << ": " << describeCount(races.pairsProved, "pair")
     << " of accesses proved";
  if (races.pairsRacy > 0)
    os << ", " << races.pairsRacy << " racy";
  if (races.pairsNotProved > 0)
    os << ", " << races.pairsNotProved << " not proved";
  os << "\n";
  for (const RaceSummary::Entry &entry : races.entries) {
    os << "  ";
    printPlace(entry.place);
    os << entry.text << "\n";
  }
  if (!races.checkedRun.empty())
    field("checked run") << races.checkedRun << "\n";
}

void TextPrinter::printAdvice(const KernelReport &report) {
  if (report.advice.empty())
    return;
  section("Advice, by estimated cost");
  unsigned number = 0;
  for (const Advice &advice : report.advice) {
    os << "  " << ++number << ". ";
    printPlace(advice.place);
    color(raw_ostream::YELLOW);
    os << advice.finding;
    plain();
    os << " (about " << asPercent(advice.cost) << " of the time)\n";
    printCaret(advice.place);
    os << "     " << advice.remedy.action;
    if (advice.valueAfter)
      os << " (" << advice.figure << " " << asNumber(advice.value) << " -> "
         << asNumber(*advice.valueAfter) << ")";
    os << "\n";
  }
}

void TextPrinter::print(const KernelReport &report) {
  printLaunch(report);
  printAccesses(report);
  printOccupancy(report);
  printTraffic(report);
  printRoofline(report);
  printControl(report);
  printRaces(report);
  printAdvice(report);
}

void report::printText(raw_ostream &os, llvm::ArrayRef<KernelReport> reports,
                       const TextOptions &options) {
  bool isFirst = true;
  for (const KernelReport &report : reports) {
    if (!isFirst)
      os << "\n";
    isFirst = false;
    TextPrinter(os, options).print(report);
  }
}
