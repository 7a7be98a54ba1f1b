//===- HTMLReport.cpp - A report as a page --------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One page that needs nothing else: no script, no font, no picture of its own
// file. It is well-formed XML, too, which a test checks.
//
//===----------------------------------------------------------------------===//

#include "../Format.h"
#include "BarPictures.h"
#include "KernelPage.h"
#include "PageParts.h"
#include "RooflinePicture.h"
#include "Uop/Report/PrintReport.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace uop;
using namespace uop::report;

static void printHead(MarkupWriter &writer,
                      llvm::ArrayRef<KernelReport> reports) {
  auto head = writer.open("head");
  writer.empty("meta", {{"charset", "utf-8"}});
  writer.empty("meta", {{"name", "viewport"},
                        {"content", "width=device-width, initial-scale=1"}});
  writer.leaf("title",
              reports.size() == 1
                  ? "Report on @" + reports.front().name
                  : "Report on " + describeCount(reports.size(), "kernel"));
  auto style = writer.open("style");
  writer.raw(getStyleSheet());
}

/// The hatching that pictures refer to.
static void printPatterns(MarkupWriter &writer) {
  auto svg = writer.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                 {"class", "defs"},
                                 {"aria-hidden", "true"}});
  auto defs = writer.open("defs");
  auto pattern = writer.open("pattern", {{"id", "waste"},
                                         {"width", "6"},
                                         {"height", "6"},
                                         {"patternUnits", "userSpaceOnUse"},
                                         {"patternTransform", "rotate(45)"}});
  writer.empty(
      "line",
      {{"x1", "1"}, {"y1", "0"}, {"x2", "1"}, {"y2", "6"}, {"class", "hatch"}});
}

//===----------------------------------------------------------------------===//
// All kernels
//===----------------------------------------------------------------------===//

static Row describeKernel(const KernelReport &report, unsigned number) {
  auto ratio = [&](bool isShared) {
    TrafficSums sums = sumTraffic(report, isShared);
    if (sums.requests == 0)
      return Cell("-", "", "muted");
    uint64_t cost = isShared ? sums.wavefronts : sums.sectors;
    uint64_t ideal = isShared ? sums.idealWavefronts : sums.idealSectors;
    return Cell(asRatio(cost, ideal), "", cost > ideal ? "bad" : "good");
  };
  return {std::to_string(number),
          Cell("@" + report.name, getAnchor(number)),
          describeShape(report.launch.grid),
          describeShape(report.launch.block),
          report.roofline ? asTime(report.roofline->getSeconds()) : "-",
          report.roofline ? stringifyBound(report.roofline->bound).str() : "-",
          report.occupancy ? asPercent(getOccupancyShare(*report.occupancy))
                           : "-",
          ratio(/*isShared=*/false),
          ratio(/*isShared=*/true),
          describeVerdict(report.races.verdict).str(),
          std::to_string(report.advice.size())};
}

static void printContents(MarkupWriter &writer,
                          llvm::ArrayRef<KernelReport> reports) {
  auto card = writer.open("nav", {{"class", "card"}, {"id", "contents"}});
  writer.leaf("h3", "Kernels");
  std::vector<Row> rows;
  for (auto [index, report] : llvm::enumerate(reports))
    rows.push_back(describeKernel(report, index + 1));
  printTable(writer,
             "Sectors and wavefronts are given as multiples of the "
             "fewest possible",
             {{"no."},
              {"kernel", false},
              {"grid"},
              {"block"},
              {"least time"},
              {"bound by", false},
              {"occupancy"},
              {"sectors"},
              {"wavefronts"},
              {"races", false},
              {"findings"}},
             rows);
}

/// A picture for each chip, with all its kernels.
static void printRooflines(MarkupWriter &writer,
                           llvm::ArrayRef<KernelReport> reports) {
  llvm::MapVector<llvm::StringRef, std::pair<std::vector<const KernelReport *>,
                                             std::vector<unsigned>>>
      byChip;
  std::string withoutPoint;
  for (auto [index, report] : llvm::enumerate(reports)) {
    auto &[kernels, numbers] = byChip[report.chip.chip];
    kernels.push_back(&report);
    numbers.push_back(index + 1);
    if (!explainMissingPoint(report).empty())
      withoutPoint += (withoutPoint.empty() ? "" : ", ") +
                      std::to_string(index + 1) + " (@" + report.name + ")";
  }
  auto card = writer.open("section", {{"class", "card"}, {"id", "rooflines"}});
  writer.leaf("h3", "Roofline of all kernels");
  for (auto &[chip, list] : byChip) {
    auto figure = writer.open("figure");
    drawRoofline(writer, list.first, list.second);
    writer.leaf("figcaption",
                "Numbers are those of the kernels in the list above.");
  }
  if (!withoutPoint.empty())
    writer.leaf("p", "Without a point, for reasons that stand with the "
                     "kernel: " +
                         withoutPoint + ".");
}

void report::printHTML(llvm::raw_ostream &os,
                       llvm::ArrayRef<KernelReport> reports) {
  MarkupWriter writer(os);
  writer.raw("<!DOCTYPE html>\n");
  auto html = writer.open("html", {{"lang", "en"}});
  printHead(writer, reports);
  auto body = writer.open("body");
  printPatterns(writer);
  {
    auto header = writer.open("header");
    writer.leaf("h1", "What the kernels do, and what to change");
    writer.leaf("p",
                "Counted without a GPU. Every figure is a count or a lower "
                "bound; docs/Reports.md has its formula.",
                {{"class", "muted"}});
  }
  auto main = writer.open("main");
  if (reports.empty())
    writer.leaf("p", "There are no kernels.");
  if (reports.size() > 1) {
    printContents(writer, reports);
    printRooflines(writer, reports);
  }
  for (auto [index, report] : llvm::enumerate(reports))
    printKernel(writer, report, index + 1);
}
