//===- KernelPage.cpp - The part of a page on a kernel --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPage.h"
#include "../Format.h"
#include "BarPictures.h"
#include "PageParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace uop;
using namespace uop::report;
using llvm::StringRef;

std::string report::getAnchor(unsigned kernel) {
  return "kernel-" + std::to_string(kernel);
}

MarkupWriter::Scope report::openSection(MarkupWriter &writer, unsigned kernel,
                                        StringRef name, StringRef title) {
  MarkupWriter::Scope card =
      writer.open("section", {{"class", "card"},
                              {"id", getAnchor(kernel) + "-" + name.str()}});
  writer.leaf("h3", title);
  return card;
}

std::string report::getAccessAnchor(unsigned kernel, size_t access) {
  return getAnchor(kernel) + "-access-" + std::to_string(access + 1);
}

TrafficSums report::sumTraffic(const KernelReport &report, bool isShared) {
  TrafficSums sums = isShared ? report.sharedLoads : report.globalLoads;
  sums += isShared ? report.sharedStores : report.globalStores;
  sums += isShared ? report.sharedAtomics : report.globalAtomics;
  return sums;
}

namespace {

class KernelPage {
public:
  KernelPage(MarkupWriter &writer, const KernelReport &report, unsigned number)
      : writer(writer), report(report), number(number) {}

  void print();

private:
  using Fields = std::vector<std::pair<std::string, std::string>>;

  bool hasControl() const {
    return !report.branches.empty() || !report.recomputations.empty();
  }
  bool hasRaces() const {
    return report.races.verdict != RaceVerdict::NotAsked ||
           !report.races.checkedRun.empty();
  }
  MarkupWriter::Scope openCard(StringRef name, StringRef title) {
    return openSection(writer, number, name, title);
  }
  void printHeader();
  void printLinks();
  void printTile(StringRef name, const std::string &value,
                 const std::string &remark, StringRef look);
  void printTiles();
  void printTrafficTile(bool isShared);
  void printNotes();
  void printAdvice();
  void printFinding(const Advice &advice);
  void printLaunch();
  void printBuffers();
  void printControl();
  void printRaces();

  MarkupWriter &writer;
  const KernelReport &report;
  unsigned number;
};

} // namespace

//===----------------------------------------------------------------------===//
// Overview
//===----------------------------------------------------------------------===//

static std::string countAccesses(const LaunchReport &launch) {
  uint64_t accesses =
      llvm::SaturatingAdd(launch.globalAccesses, launch.sharedAccesses);
  return withCommas(accesses) + (accesses == 1 ? " access" : " accesses");
}

void KernelPage::printHeader() {
  writer.leaf("h2", "@" + report.name);
  const LaunchReport &launch = report.launch;
  std::string line =
      "grid " + describeShape(launch.grid) + ", block " +
      describeShape(launch.block) + ", " + withCommas(launch.threads) +
      (launch.threads == 1 ? " thread" : " threads") + ", " +
      countAccesses(launch) + "; counted in " +
      (report.origin == Origin::Run ? "an emulated run" : "the code alone") +
      " (" + report.form + "), for " + report.chip.chip + ", as " +
      report.chip.product;
  writer.leaf("p", line, {{"class", "muted"}});
  printSource(writer, report.place);
  printLinks();
}

/// To the sections that there are.
void KernelPage::printLinks() {
  auto list = writer.open("nav", {{"class", "sections"}});
  auto link = [&](StringRef name, StringRef title) {
    writer.leaf("a", title,
                {{"href", "#" + getAnchor(number) + "-" + name.str()}});
    writer.text(" ");
  };
  auto hasAccess = [&](bool isShared) {
    return llvm::any_of(report.accesses, [&](const AccessReport &access) {
      return access.isShared == isShared;
    });
  };
  link("advice", "Advice");
  if (hasRooflineSection(report))
    link("roofline", "Time and roofline");
  if (hasAccess(/*isShared=*/false))
    link("global", "Global memory");
  if (hasAccess(/*isShared=*/true))
    link("shared", "Shared memory");
  if (hasOccupancySection(report))
    link("occupancy", "Occupancy");
  if (!report.buffers.empty())
    link("traffic", "Bytes");
  if (hasControl())
    link("control", "Threads of a block");
  if (hasRaces())
    link("races", "Races");
  link("launch", "Launch");
}

void KernelPage::printTile(StringRef name, const std::string &value,
                           const std::string &remark, StringRef look) {
  auto tile = writer.open(
      "div", {{"class", look.empty() ? "tile" : "tile " + look.str()}});
  writer.leaf("span", name, {{"class", "name"}});
  writer.leaf("span", value, {{"class", "value"}});
  writer.leaf("span", remark, {{"class", "remark"}});
}

void KernelPage::printTrafficTile(bool isShared) {
  TrafficSums sums = sumTraffic(report, isShared);
  if (sums.requests == 0)
    return;
  uint64_t cost = isShared ? sums.wavefronts : sums.sectors;
  uint64_t ideal = isShared ? sums.idealWavefronts : sums.idealSectors;
  printTile(isShared ? "shared wavefronts" : "global sectors",
            asRatio(cost, ideal),
            withCommas(cost) + ", ideal " + withCommas(ideal),
            cost > ideal ? "bad" : "good");
}

void KernelPage::printTiles() {
  auto tiles = writer.open("div", {{"class", "tiles"}});
  if (report.roofline) {
    const Roofline &roofline = *report.roofline;
    printTile("least time", asTime(roofline.getSeconds()),
              "bound by " + stringifyBound(roofline.bound).str(), "");
    if (report.work.getTotal() > 0)
      printTile("attainable",
                withPrefix(roofline.attainableFlopsPerSecond, "FLOP/s"),
                "of " + withPrefix(roofline.peakFlopsPerSecond, "FLOP/s"), "");
  }
  if (report.occupancy)
    printTile("occupancy", asPercent(getOccupancyShare(*report.occupancy)),
              "limited by " + listLimits(*report.occupancy), "");
  printTrafficTile(/*isShared=*/false);
  printTrafficTile(/*isShared=*/true);
  if (report.races.verdict != RaceVerdict::NotAsked)
    printTile("races",
              report.races.verdict == RaceVerdict::Racy     ? "racy"
              : report.races.verdict == RaceVerdict::Proved ? "none"
                                                            : "?",
              describeVerdict(report.races.verdict).str(),
              report.races.verdict == RaceVerdict::Proved ? "good" : "bad");
}

void KernelPage::printNotes() {
  for (const std::string &note : report.notes) {
    auto frame = writer.open("div", {{"class", "note"}});
    writer.leaf("strong", "Note: ");
    writer.text(note);
  }
}

//===----------------------------------------------------------------------===//
// Advice
//===----------------------------------------------------------------------===//

/// The access that a finding is about, or none.
static std::optional<size_t> findAccess(const KernelReport &report,
                                        const Advice &advice) {
  if (advice.place.line == 0)
    return std::nullopt;
  bool isShared = advice.figure == "wavefronts";
  if (!isShared && advice.figure != "sectors")
    return std::nullopt;
  for (auto [index, access] : llvm::enumerate(report.accesses))
    if (access.isShared == isShared && access.place.file == advice.place.file &&
        access.place.line == advice.place.line &&
        access.place.column == advice.place.column)
      return index;
  return std::nullopt;
}

void KernelPage::printFinding(const Advice &advice) {
  auto item = writer.open("li");
  writer.leaf("span", advice.finding, {{"class", "finding"}});
  writer.leaf("span", "about " + asPercent(advice.cost) + " of the time",
              {{"class", "badge warn"}});
  printSource(writer, advice.place);
  auto paragraph = writer.open("p");
  writer.leaf("strong", "Do: ");
  writer.text(advice.remedy.action);
  if (advice.valueAfter)
    writer.text(" (" + advice.figure + " " + asNumber(advice.value) +
                " \u2192 " + asNumber(*advice.valueAfter) + ")");
  // The option alone is what one copies.
  if (!advice.remedy.option.empty()) {
    writer.text(" ");
    writer.leaf("code", advice.remedy.option);
  }
  if (std::optional<size_t> access = findAccess(report, advice)) {
    writer.text(" ");
    writer.leaf("a", "see the access",
                {{"href", "#" + getAccessAnchor(number, *access)}});
  }
}

void KernelPage::printAdvice() {
  auto card = openCard("advice", "Advice, by estimated cost");
  if (report.advice.empty()) {
    writer.leaf("p", "Nothing found that is worth changing.",
                {{"class", "muted"}});
    return;
  }
  auto list = writer.open("ol", {{"class", "advice"}});
  for (const Advice &advice : report.advice)
    printFinding(advice);
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

void KernelPage::printLaunch() {
  auto card = openCard("launch", "Launch");
  const LaunchReport &launch = report.launch;
  Fields fields = {
      {"grid", describeShape(launch.grid)},
      {"block", describeShape(launch.block)},
      {"blocks", withCommas(launch.blocks)},
      {"threads", withCommas(launch.threads)},
      {"warps", withCommas(launch.warps) + " of " +
                    std::to_string(launch.warpSize) + " lanes"},
      {"useful lanes", asPercent(launch.usefulLanes)},
      {"global accesses", withCommas(launch.globalAccesses)},
      {"shared accesses", withCommas(launch.sharedAccesses)},
      {"shared memory", withCommas(launch.sharedBytes) + " bytes a block"}};
  if (launch.launches > 1)
    fields.push_back({"launches", withCommas(launch.launches)});
  printFields(writer, fields);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

static std::string asBytes(std::optional<uint64_t> bytes,
                           bool isUpperBound = false) {
  return bytes
             ? (isUpperBound ? "\u2264 " : "") + withPrefix(double(*bytes), "B")
             : "?";
}

void KernelPage::printBuffers() {
  if (report.buffers.empty())
    return;
  auto card = openCard("traffic", "Bytes of global memory");
  std::vector<Row> rows;
  for (const BufferTraffic &buffer : report.buffers) {
    std::string place = describePlace(buffer.place);
    if (buffer.threadReads > 0)
      rows.push_back({buffer.name, "read", asBytes(buffer.threadReads),
                      asBytes(buffer.blockReads),
                      asBytes(buffer.launchReads, buffer.isUpperBound), place});
    if (buffer.threadWrites > 0)
      rows.push_back({buffer.name, "written", asBytes(buffer.threadWrites),
                      asBytes(buffer.blockWrites),
                      asBytes(buffer.launchWrites, buffer.isUpperBound),
                      place});
  }
  printTable(writer, "By how often a byte is counted",
             {{"buffer", false},
              {"", false},
              {"each access"},
              {"once a block"},
              {"once a launch"},
              {"defined at", false}},
             rows);
}

void KernelPage::printControl() {
  if (!hasControl())
    return;
  auto card = openCard("control", "Threads of a block");
  std::vector<Row> rows;
  for (const BranchReport &branch : report.branches)
    rows.push_back({branch.op, describePlace(branch.place),
                    "lanes part in " + withCommas(branch.divergent) + " of " +
                        withCommas(branch.executions) + " warps" +
                        (branch.isBothWays ? ", with work either way" : "")});
  for (const RecomputationReport &loop : report.recomputations)
    rows.push_back({loop.op, describePlace(loop.place),
                    "each value is computed by " + asNumber(loop.times) +
                        " threads of a block, " + asPercent(loop.share) +
                        " of all operations"});
  printTable(writer,
             "Branches that lanes leave differently, and loops that "
             "threads repeat",
             {{"operation", false}, {"place", false}, {"finding", false}},
             rows);
}

void KernelPage::printRaces() {
  const RaceSummary &races = report.races;
  if (!hasRaces())
    return;
  auto card = openCard("races", "Races");
  Fields fields = {{"static proof", describeVerdict(races.verdict).str()},
                   {"pairs proved", withCommas(races.pairsProved)},
                   {"racy", withCommas(races.pairsRacy)},
                   {"not proved", withCommas(races.pairsNotProved)}};
  if (!races.checkedRun.empty())
    fields.push_back({"checked run", races.checkedRun});
  printFields(writer, fields);
  for (const RaceSummary::Entry &entry : races.entries) {
    writer.leaf("p", entry.text);
    printSource(writer, entry.place);
  }
}

void KernelPage::print() {
  auto frame =
      writer.open("article", {{"class", "kernel"}, {"id", getAnchor(number)}});
  printHeader();
  printTiles();
  printNotes();
  printAdvice();
  printRooflineSection(writer, report, number);
  printAccesses(writer, report, number, /*isShared=*/false);
  printAccesses(writer, report, number, /*isShared=*/true);
  printOccupancySection(writer, report, number);
  printBuffers();
  printControl();
  printRaces();
  printLaunch();
}

void report::printKernel(MarkupWriter &writer, const KernelReport &report,
                         unsigned number) {
  KernelPage(writer, report, number).print();
}
