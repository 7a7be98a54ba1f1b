//===- MachineSections.cpp - A kernel on its machine ----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Format.h"
#include "BarPictures.h"
#include "KernelPage.h"
#include "PageParts.h"
#include "RooflinePicture.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace uop;
using namespace uop::report;
using llvm::StringRef;

using Fields = std::vector<std::pair<std::string, std::string>>;

//===----------------------------------------------------------------------===//
// Roofline
//===----------------------------------------------------------------------===//

static std::string describeLoad(const LoadBalance &load) {
  std::string text = describeCount(load.blocks, "block") + " on " +
                     std::to_string(load.multiprocessors) +
                     " multiprocessors, " + asNumber(load.waves) + " waves";
  if (load.idleMultiprocessors > 0)
    text += ", " + std::to_string(load.idleMultiprocessors) + " idle";
  if (load.tailBlocks > 0)
    text += ", tail of " + describeCount(load.tailBlocks, "block") + " (" +
            asPercent(load.tailShare) + ")";
  return text + ", " + asPercent(load.multiprocessorUse) + " in use";
}

static std::string describeWork(const WorkReport &work) {
  std::string text = withPrefix(work.getTotal(), "FLOP");
  std::vector<std::string> parts;
  std::pair<const char *, double> kinds[] = {{"fp16", work.fp16},
                                             {"fp32", work.fp32},
                                             {"fp64", work.fp64},
                                             {"tensor cores", work.tensor}};
  for (auto [name, flops] : kinds)
    if (flops > 0)
      parts.push_back(std::string(name) + " " + withPrefix(flops, "FLOP"));
  if (!parts.empty())
    text += " (" + llvm::join(parts, ", ") + ")";
  if (work.special > 0)
    text += ", " + withPrefix(work.special, "divisions and functions");
  if (!work.notCounted.empty())
    text += "; not all: " + work.notCounted;
  return text;
}

bool report::hasRooflineSection(const KernelReport &report) {
  return report.origin == Origin::Static || report.roofline;
}

void report::printRooflineSection(MarkupWriter &writer,
                                  const KernelReport &report, unsigned number) {
  if (!hasRooflineSection(report))
    return;
  auto card = openSection(writer, number, "roofline", "Time and roofline");
  Fields fields = {{"work", describeWork(report.work)}};
  if (report.work.fma > 0)
    fields.push_back({"fused", withPrefix(report.work.fma, "FMA")});
  if (!report.roofline) {
    printFields(writer, fields);
    writer.leaf("p",
                report.notes.empty() ? "There is no roofline."
                                     : "There is no roofline: see the notes.",
                {{"class", "muted"}});
    return;
  }
  const Roofline &roofline = *report.roofline;
  fields.push_back({"DRAM", withPrefix(report.dramBytesRead, "B") + " read, " +
                                withPrefix(report.dramBytesWritten, "B") +
                                " written"});
  fields.push_back(
      {"intensity",
       std::isfinite(roofline.intensity)
           ? asNumber(roofline.intensity) + " FLOP/B, ridge at " +
                 asNumber(roofline.ridge)
           : "no bytes of DRAM; ridge at " + asNumber(roofline.ridge)});
  fields.push_back({"bound by", stringifyBound(roofline.bound).str() +
                                    ": at least " +
                                    asTime(roofline.getSeconds())});
  fields.push_back(
      {"attainable", withPrefix(roofline.attainableFlopsPerSecond, "FLOP/s") +
                         " of " +
                         withPrefix(roofline.peakFlopsPerSecond, "FLOP/s")});
  fields.push_back({"bytes in flight",
                    withPrefix(roofline.bytesInFlightAvailable, "B") +
                        " of the " +
                        withPrefix(roofline.bytesInFlightNeeded, "B") +
                        " that keep DRAM busy (" +
                        describeCount(report.bytesInFlightPerThread, "byte") +
                        " a thread)"});
  fields.push_back({"load balance", describeLoad(roofline.load)});
  printFields(writer, fields);
  {
    auto figure = writer.open("figure");
    writer.leaf("figcaption", "The least time that each bound takes, and its "
                              "share of the longest:");
    drawTimes(writer, roofline);
  }
  std::string missing = explainMissingPoint(report);
  if (!missing.empty())
    writer.leaf("p", missing);
  auto figure = writer.open("figure");
  drawRoofline(writer, &report, number);
  writer.leaf("figcaption",
              "The roofs are the rates of the chip. The point is what the "
              "launch can attain with its occupancy, its bytes in flight and "
              "its load balance; the dotted line is what that costs.");
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

static std::string describeRegisters(const RegisterReport &registers) {
  std::string text = std::to_string(registers.perThread) + " a thread (" +
                     describeSource(registers.source).str() + ")";
  if (registers.spillStores + registers.spillLoads > 0)
    text += ", spills " + describeCount(registers.spillStores, "byte") +
            " stored, " + std::to_string(registers.spillLoads) + " loaded";
  return text;
}

static void printOccupancyTable(MarkupWriter &writer,
                                const KernelReport &report) {
  if (report.occupancyByBlock.empty())
    return;
  {
    auto figure = writer.open("figure");
    drawOccupancy(writer, report);
    writer.leaf("figcaption",
                "With the registers and the shared memory as they are. Letters "
                "say what limits: W warps, R registers, S shared memory, B "
                "blocks. \u2715: the chip cannot have such a block.");
  }
  auto details = writer.open("details");
  writer.leaf("summary", "The same as a table");
  std::vector<Row> rows;
  for (const OccupancyRow &row : report.occupancyByBlock) {
    if (row.occupancy)
      rows.push_back({withCommas(row.threads),
                      withCommas(row.occupancy->blocks),
                      withCommas(row.occupancy->warps),
                      asPercent(getOccupancyShare(*row.occupancy)),
                      listLimits(*row.occupancy)});
    else
      rows.push_back({withCommas(row.threads), "-", "-", "-",
                      Cell("not possible: " + row.reason, "", "muted")});
  }
  printTable(writer, "Of a multiprocessor",
             {{"threads a block"},
              {"blocks"},
              {"warps"},
              {"occupancy"},
              {"limited by", false}},
             rows);
}

bool report::hasOccupancySection(const KernelReport &report) {
  return report.registers || report.occupancy ||
         !report.occupancyByBlock.empty();
}

void report::printOccupancySection(MarkupWriter &writer,
                                   const KernelReport &report,
                                   unsigned number) {
  if (!hasOccupancySection(report))
    return;
  auto card = openSection(writer, number, "occupancy", "Occupancy");
  Fields fields;
  if (report.registers)
    fields.push_back({"registers", describeRegisters(*report.registers)});
  if (report.occupancy) {
    const Occupancy &occupancy = *report.occupancy;
    fields.push_back(
        {"blocks", std::to_string(occupancy.blocks) + " a multiprocessor"});
    fields.push_back({"warps", std::to_string(occupancy.warps) + " of " +
                                   std::to_string(occupancy.maxWarps) + ", " +
                                   asPercent(getOccupancyShare(occupancy))});
    fields.push_back({"limited by", listLimits(occupancy)});
    for (OccupancyLimit limit : kOccupancyLimits) {
      std::optional<int64_t> blocks = occupancy.getBlocksBy(limit);
      fields.push_back(
          {"blocks by " + stringifyOccupancyLimit(limit).str(),
           blocks ? std::to_string(*blocks) : std::string("no limit")});
    }
  }
  // With all warps active more blocks are no gain.
  if (report.nextStep && report.occupancy &&
      report.occupancy->warps < report.occupancy->maxWarps) {
    std::string ways = describeStep(*report.nextStep);
    if (!ways.empty())
      fields.push_back(
          {"for " + describeCount(report.nextStep->blocks, "block"), ways});
  }
  printFields(writer, fields);
  printOccupancyTable(writer, report);
}
