//===- AccessSection.cpp - The accesses of a kernel on its page -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Format.h"
#include "AccessPicture.h"
#include "BankPicture.h"
#include "KernelPage.h"
#include "Lanes.h"
#include "PageParts.h"
#include "Uop/Report/PrintReport.h"
#include "llvm/ADT/STLExtras.h"

using namespace uop;
using namespace uop::report;
using llvm::StringRef;

/// Of more accesses than these, those that cost no more than they have to are
/// folded up.
static constexpr size_t kMostUnfolded = 6;

bool report::isWasteful(const AccessReport &access) {
  return access.notCounted.empty() && access.getCost() > access.getIdeal();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static Row describeSums(Cell name, Cell place, const TrafficSums &sums,
                        bool isShared, StringRef look) {
  uint64_t cost = isShared ? sums.wavefronts : sums.sectors;
  uint64_t ideal = isShared ? sums.idealWavefronts : sums.idealSectors;
  Row row = {std::move(name),
             std::move(place),
             withCommas(sums.requests),
             withCommas(sums.elements),
             withPrefix(double(sums.bytes), "B"),
             withCommas(sums.distinctAddresses),
             withCommas(cost),
             withCommas(ideal),
             Cell(asRatio(cost, ideal), "", look)};
  if (!isShared)
    row.push_back(withCommas(sums.lines));
  return row;
}

static void addTotals(std::vector<Row> &rows, const KernelReport &report,
                      bool isShared) {
  std::pair<const char *, const TrafficSums *> totals[] = {
      {"loads in all", isShared ? &report.sharedLoads : &report.globalLoads},
      {"stores in all", isShared ? &report.sharedStores : &report.globalStores},
      {"atomics in all",
       isShared ? &report.sharedAtomics : &report.globalAtomics}};
  for (auto [name, sums] : totals)
    if (sums->requests > 0)
      rows.push_back(
          describeSums(Cell(name, "", "muted"), "", *sums, isShared, ""));
}

static void printSummary(MarkupWriter &writer, const KernelReport &report,
                         unsigned number, bool isShared) {
  std::vector<Column> columns = {{"access", false}, {"line", true},
                                 {"requests"},      {"elements"},
                                 {"bytes"},         {"distinct addresses"}};
  columns.push_back({isShared ? "wavefronts" : "sectors"});
  columns.push_back({"ideal"});
  columns.push_back({"of the ideal"});
  if (!isShared)
    columns.push_back({"transactions"});
  std::vector<Row> rows;
  for (auto [index, access] : llvm::enumerate(report.accesses)) {
    if (access.isShared != isShared)
      continue;
    Cell name(describeAccess(access.kind, access.isShared) + " of " +
                  access.buffer,
              getAccessAnchor(number, index));
    Cell line(access.place.line > 0 ? std::to_string(access.place.line) : "");
    if (!access.notCounted.empty())
      rows.push_back({name, line, Cell("not counted", "", "muted")});
    else
      rows.push_back(describeSums(name, line, access.sums, isShared,
                                  isWasteful(access) ? "bad" : "good"));
  }
  addTotals(rows, report, isShared);
  printTable(writer,
             isShared ? "All requests of the launch; a wavefront is one pass "
                        "through the 32 banks"
                      : "All requests of the launch; a sector has 32 bytes, "
                        "and four are a line",
             columns, rows);
}

//===----------------------------------------------------------------------===//
// One access
//===----------------------------------------------------------------------===//

static void printBadge(MarkupWriter &writer, const AccessReport &access) {
  if (!access.notCounted.empty())
    writer.leaf("span", "not counted", {{"class", "badge warn"}});
  else if (isWasteful(access))
    writer.leaf("span",
                asRatio(access.getCost(), access.getIdeal()) + " the ideal",
                {{"class", "badge bad"}});
  else
    writer.leaf("span", "ideal", {{"class", "badge good"}});
}

static void printLegend(MarkupWriter &writer, bool isShared) {
  auto legend = writer.open("div", {{"class", "legends"}});
  auto entry = [&](StringRef classes, StringRef text) {
    writer.leaf("span", "", {{"class", ("legend " + classes).str()}});
    writer.text(text);
  };
  entry("used", "lanes, from the first to the last");
  entry("many", "\u00d7n: n lanes that ask for the same");
  if (isShared)
    entry("clash", "the bank with most words at once");
  else
    entry("waste", "moved, and not asked for");
  entry("none", isShared ? "lanes that take no part"
                         : "not moved, or lanes that take no part");
}

static std::string describeExample(const AccessReport &access) {
  const ExampleRequest &example = *access.example;
  std::string text =
      "A request of block " + describeShape(example.block) + ", threads " +
      std::to_string(example.firstThread) + " to " +
      std::to_string(example.firstThread + int64_t(example.addresses.size()) -
                     1) +
      ": " + describePattern(example) + "; " +
      describeCount(example.cost, access.isShared ? "wavefront" : "sector") +
      ", ideal " + std::to_string(example.ideal);
  if (!access.isShared || example.ways <= 1)
    return text + ".";
  std::vector<unsigned> lanes(example.conflictingLanes.begin(),
                              example.conflictingLanes.end());
  text += "; " + std::to_string(example.ways) + "-way conflict in bank " +
          std::to_string(example.bank);
  return text + (lanes.empty() ? "." : " of " + listLanes(lanes) + ".");
}

static void printStrides(MarkupWriter &writer, const AccessReport &access) {
  static constexpr const char *names[] = {"x", "y", "z"};
  std::string text;
  for (auto [name, stride] : llvm::zip_equal(names, access.threadStrides))
    if (stride)
      text += std::string(text.empty() ? "" : ", ") + name + " " +
              std::to_string(*stride);
  if (!text.empty())
    writer.leaf("p", "Bytes from one thread to the next along: " + text,
                {{"class", "muted"}});
}

static void printPicture(MarkupWriter &writer, const AccessReport &access) {
  if (!access.example)
    return;
  auto figure = writer.open("figure");
  if (access.isShared)
    drawBanks(writer, *access.example);
  else
    drawAccess(writer, *access.example);
  writer.leaf("figcaption", describeExample(access));
}

static void printAccessBody(MarkupWriter &writer, const AccessReport &access) {
  printSource(writer, access.place);
  std::string counts;
  llvm::raw_string_ostream stream(counts);
  printCounts(stream, access);
  writer.leaf("p", counts);
  if (!access.cause.empty()) {
    auto paragraph = writer.open("p");
    writer.leaf("strong", "Why: ");
    writer.text(access.cause);
  }
  if (access.remedy) {
    auto paragraph = writer.open("p");
    writer.leaf("strong", "Fix: ");
    writer.text(access.remedy->action);
    if (access.remedy->cost)
      writer.text(" (" + withCommas(access.getCost()) + " \u2192 " +
                  withCommas(*access.remedy->cost) + ")");
  }
  if (!access.assumption.empty())
    writer.leaf("p", "Note: " + access.assumption, {{"class", "muted"}});
  printPicture(writer, access);
  std::string element = access.elementType + " (" +
                        describeCount(access.elementBytes, "byte") + ")";
  if (access.elementsPerLane > 1)
    element += ", " + std::to_string(access.elementsPerLane) + " a lane";
  std::string buffer = describePlace(access.bufferPlace);
  writer.leaf("p",
              "Elements: " + element +
                  (buffer.empty() ? "" : "; buffer defined at " + buffer),
              {{"class", "muted"}});
  printStrides(writer, access);
}

static void printAccess(MarkupWriter &writer, const AccessReport &access,
                        StringRef anchor, bool isOpen) {
  auto frame = writer.open(
      "details",
      {{"class", "access"}, {"id", anchor}, {"open", isOpen ? "open" : ""}});
  {
    auto summary = writer.open("summary");
    writer.leaf("h4", describeAccess(access.kind, access.isShared) + ": " +
                          access.op + " of " + access.buffer);
    printBadge(writer, access);
  }
  printAccessBody(writer, access);
}

void report::printAccesses(MarkupWriter &writer, const KernelReport &report,
                           unsigned number, bool isShared) {
  size_t numAccesses =
      llvm::count_if(report.accesses, [&](const AccessReport &access) {
        return access.isShared == isShared;
      });
  if (numAccesses == 0)
    return;
  auto card = writer.open(
      "section",
      {{"class", "card"},
       {"id", getAnchor(number) + (isShared ? "-shared" : "-global")}});
  writer.leaf("h3", isShared ? "Shared memory: wavefronts of each request"
                             : "Global memory: sectors of each request");
  printSummary(writer, report, number, isShared);
  printLegend(writer, isShared);
  for (auto [index, access] : llvm::enumerate(report.accesses))
    if (access.isShared == isShared)
      printAccess(writer, access, getAccessAnchor(number, index),
                  numAccesses <= kMostUnfolded || isWasteful(access));
}
