//===- HTMLReportTest.cpp - A page is whole, and says what it is told -----===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Report/PrintReport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <limits>

using namespace uop;
using namespace uop::report;
using llvm::StringRef;
using testing::HasSubstr;
using testing::Not;

static std::string print(llvm::ArrayRef<KernelReport> reports) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printHTML(os, reports);
  return text;
}

/// The first tag that does not close the one that is open, or empty where each
/// does.
static std::string findUnbalanced(StringRef page) {
  std::vector<std::string> open;
  for (size_t at = page.find('<'); at != StringRef::npos;
       at = page.find('<', at + 1)) {
    StringRef tag = page.slice(at + 1, page.find('>', at));
    if (tag.starts_with("!") || tag.ends_with("/"))
      continue;
    if (!tag.consume_front("/")) {
      open.push_back(tag.split(' ').first.str());
      continue;
    }
    if (open.empty() || open.back() != tag)
      return tag.str();
    open.pop_back();
  }
  return open.empty() ? "" : open.back();
}

/// What every page has to be, whatever is in it.
static void checkPage(const std::string &page) {
  EXPECT_EQ(findUnbalanced(page), "");
  EXPECT_THAT(page, testing::StartsWith("<!DOCTYPE html>\n"));
  for (const char *number : {"nan", "inf", "-nan", "-inf"})
    for (const char *before : {"\"", ">", " ", ","})
      for (const char *after : {"\"", "<", " ", ","})
        EXPECT_THAT(page, Not(HasSubstr(std::string(before) + number + after)));
  for (const char *other : {"<script", "<link", "@import", "src=", "<image"})
    EXPECT_THAT(page, Not(HasSubstr(other)));
  // Names of XML are no addresses.
  StringRef rest = page;
  while (rest.contains("http")) {
    rest = rest.drop_front(rest.find("http"));
    EXPECT_TRUE(rest.consume_front("http://www.w3.org/2000/svg"));
    rest = rest.drop_front(1);
  }
}

static AccessReport makeAccess(bool isShared, unsigned lanes, int64_t stride) {
  AccessReport access;
  access.isShared = isShared;
  access.op = "memref.load";
  access.buffer = "%A";
  access.place = {"in.mlir", 3, 8, "  %v = memref.load %A[%i] : memref<8xf32>"};
  access.elementType = "f32";
  access.elementBytes = 4;
  access.sums.requests = 1;
  access.sums.sectors = access.sums.wavefronts = 32;
  access.sums.idealSectors = 4;
  access.sums.idealWavefronts = 1;
  access.requestsByCost[32] = 1;
  access.example.emplace();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    access.example->addresses.push_back(stride * lane);
    access.example->bytes.push_back(4);
  }
  return access;
}

/// With every part that a report can have.
static KernelReport makeFullReport() {
  KernelReport report;
  report.name = "gemm";
  report.form = "loop form";
  report.chip = *lookUpChip("sm_80");
  report.accesses = {makeAccess(false, 32, 128), makeAccess(true, 64, 128)};
  report.globalLoads = report.accesses[0].sums;
  report.sharedLoads = report.accesses[1].sums;
  report.launch.block = {256, 1, 1};
  BlockResources block;
  block.threads = 256;
  report.registers = RegisterReport{40, RegisterSource::Ptxas, 16, 8};
  report.occupancy = llvm::cantFail(computeOccupancy(report.chip, block));
  report.nextStep = OccupancyStep();
  report.occupancyByBlock = computeOccupancyTable(report.chip, block);
  BufferTraffic &buffer = report.buffers.emplace_back();
  buffer.name = "%A";
  buffer.threadReads = 128;
  buffer.threadWrites = 64;
  report.work.fp32 = 1e6;
  report.roofline.emplace();
  report.roofline->intensity = 1;
  report.roofline->attainableFlopsPerSecond = 1e9;
  report.roofline->seconds.fill(1e-6);
  report.branches.push_back({{}, "scf.if", 8, 1, true});
  report.recomputations.push_back({{}, "scf.for", 16, 0.5});
  report.races.verdict = RaceVerdict::Racy;
  report.races.entries.push_back({{"in.mlir", 3, 8, "text"}, "a race"});
  report.races.checkedRun = "found the same";
  report.notes = {"a note"};
  Advice advice;
  advice.place = report.accesses[0].place;
  advice.finding = "too many sectors";
  advice.figure = "sectors";
  advice.remedy = {"exchange x and y", "--an-option", 4};
  advice.valueAfter = 4;
  report.advice = {advice};
  return report;
}

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

TEST(HTMLReport, NothingAtAll) {
  std::string page = print({});
  checkPage(page);
  EXPECT_THAT(page, HasSubstr("There are no kernels."));
  checkPage(print(KernelReport()));
}

TEST(HTMLReport, AllParts) {
  std::string page = print(makeFullReport());
  checkPage(page);
  for (const char *id : {"advice", "roofline", "global", "shared", "occupancy",
                         "traffic", "control", "races", "launch"})
    EXPECT_THAT(page, HasSubstr("id=\"kernel-1-" + std::string(id) + "\""));
  for (const char *picture :
       {"Access pattern of a warp over sectors",
        "Banks of shared memory that a request hits", "Roofline of sm_80",
        "Occupancy against block size", "Least time that each bound takes"})
    EXPECT_THAT(page, HasSubstr("aria-label=\"" + std::string(picture)));
  // The finding leads to its access, of global memory.
  EXPECT_THAT(page, HasSubstr("<a href=\"#kernel-1-access-1\">see the access"));
  EXPECT_THAT(page, HasSubstr("id=\"kernel-1-access-1\""));
  EXPECT_THAT(page, HasSubstr("%v = <mark>memref.load</mark> %A[%i]"));
  // No list of one.
  EXPECT_THAT(page, Not(HasSubstr("id=\"contents\"")));
}

TEST(HTMLReport, SeveralKernels) {
  KernelReport without;
  without.name = "copy";
  without.chip = *lookUpChip("sm_90");
  std::vector<KernelReport> reports = {makeFullReport(), without,
                                       makeFullReport()};
  std::string page = print(reports);
  checkPage(page);
  EXPECT_THAT(page, HasSubstr("id=\"contents\""));
  EXPECT_THAT(page, HasSubstr("<a href=\"#kernel-2\">@copy</a>"));
  EXPECT_THAT(page, HasSubstr("id=\"kernel-3-access-2\""));
  EXPECT_THAT(page, HasSubstr("that stand with the kernel: 2 (@copy)."));
}

// Every text that comes from elsewhere is text, and no markup.
TEST(HTMLReport, EscapesEverything) {
  const std::string evil = "\"'><b>&\x01";
  KernelReport report = makeFullReport();
  SourcePlace place = {evil, 1, 2, evil + evil};
  report.name = report.form = report.chip.product = report.chip.chip = evil;
  report.place = place;
  report.notes = {evil};
  for (AccessReport &access : report.accesses) {
    access.op = access.buffer = access.elementType = access.cause =
        access.assumption = evil;
    access.place = access.bufferPlace = place;
    access.remedy = Remedy{evil, evil, std::nullopt};
  }
  report.accesses.push_back(report.accesses.front());
  report.accesses.back().notCounted = evil;
  report.buffers[0].name = evil;
  report.buffers[0].place = place;
  report.work.notCounted = evil;
  report.branches[0].op = report.recomputations[0].op = evil;
  report.branches[0].place = report.recomputations[0].place = place;
  report.races.entries[0] = {place, evil};
  report.races.checkedRun = evil;
  report.occupancyByBlock[0].occupancy.reset();
  report.occupancyByBlock[0].reason = evil;
  report.advice[0].finding = report.advice[0].figure = evil;
  report.advice[0].place = place;
  report.advice[0].remedy = {evil, evil, 3};
  std::vector<KernelReport> reports = {report, report};
  std::string page = print(reports);
  checkPage(page);
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, HasSubstr("&quot;&apos;&gt;&lt;b&gt;&amp;\uFFFD"));
}

TEST(HTMLReport, HugeAndOddNumbers) {
  KernelReport report = makeFullReport();
  uint64_t most = std::numeric_limits<uint64_t>::max();
  report.launch.blocks = report.launch.threads = report.launch.warps = most;
  report.launch.globalAccesses = report.launch.sharedAccesses = most;
  report.launch.block.fill(std::numeric_limits<int64_t>::max());
  report.globalLoads.sectors = most;
  report.globalLoads.idealSectors = 0;
  for (AccessReport &access : report.accesses) {
    access.sums.requests = access.sums.sectors = access.sums.bytes = most;
    // Far away from the beginning of the buffer, and from each other.
    for (int64_t lane = 0; lane < 32; ++lane)
      access.example->addresses[lane] = (int64_t(1) << 57) * (lane - 16);
  }
  report.buffers[0].blockReads = most;
  report.roofline->intensity = std::numeric_limits<double>::infinity();
  report.occupancy = Occupancy();
  checkPage(print(report));
  report.work = WorkReport();
  report.roofline->intensity = 0;
  report.roofline->seconds.fill(0);
  checkPage(print(report));
}

// What a report need not have.
TEST(HTMLReport, Without) {
  KernelReport report = makeFullReport();
  for (AccessReport &access : report.accesses)
    access.example.reset();
  report.registers.reset();
  report.occupancy.reset();
  report.nextStep.reset();
  report.occupancyByBlock.clear();
  report.roofline.reset();
  report.advice.clear();
  std::string page = print(report);
  checkPage(page);
  EXPECT_THAT(page, HasSubstr("There is no roofline: see the notes."));
  EXPECT_THAT(page, HasSubstr("Nothing found that is worth changing."));
  // A run does not count work.
  report.origin = Origin::Run;
  report.launch.launches = 3;
  page = print(report);
  checkPage(page);
  EXPECT_THAT(page, HasSubstr("an emulated run"));
  EXPECT_THAT(page, Not(HasSubstr("-roofline\"")));
}
