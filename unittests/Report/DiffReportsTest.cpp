//===- DiffReportsTest.cpp - Two reports compared -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Report/BuildReport.h"
#include "Uop/Report/PrintReport.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <regex>

using namespace uop;
using namespace uop::report;
namespace json = llvm::json;

namespace {

/// A kernel with one load of so many sectors.
KernelReport makeKernel(std::string name, uint64_t sectors) {
  KernelReport report;
  report.name = std::move(name);
  report.form = "loop form";
  report.chip = *lookUpChip("sm_80");
  AccessReport &access = report.accesses.emplace_back();
  access.op = "memref.load";
  access.buffer = "%x";
  access.sums.requests = 8;
  access.sums.sectors = sectors;
  access.sums.idealSectors = 32;
  report.globalLoads = access.sums;
  return report;
}

std::string compare(const json::Value &before, const json::Value &after) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = printDifference(os, before, after))
    return "error: " + llvm::toString(std::move(error));
  return text;
}

json::Value makeDocument(std::vector<KernelReport> kernels) {
  return buildJSON(kernels);
}

} // namespace

TEST(DiffReports, SaysWhatIsBetter) {
  std::string text = compare(makeDocument({makeKernel("k", 256)}),
                             makeDocument({makeKernel("k", 32)}));
  EXPECT_NE(text.find("@k\n"), std::string::npos) << text;
  std::string line;
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [first, others] = rest.split('\n');
    if (first.contains("global load of %x, sectors"))
      line = std::regex_replace(first.trim().str(), std::regex(" +"), " ");
    rest = others;
  }
  EXPECT_EQ(line, "global load of %x, sectors 256 -> 32 x 0.125 better");
  // What is equal is not listed.
  EXPECT_EQ(text.find("requests"), std::string::npos) << text;
  text = compare(makeDocument({makeKernel("k", 32)}),
                 makeDocument({makeKernel("k", 256)}));
  EXPECT_NE(text.find("x 8  worse"), std::string::npos) << text;
}

TEST(DiffReports, PairsKernels) {
  std::string text =
      compare(makeDocument(
                  {makeKernel("a", 1), makeKernel("b", 2), makeKernel("a", 3)}),
              makeDocument({makeKernel("a", 1), makeKernel("a", 4),
                            makeKernel("c", 2)}));
  EXPECT_NE(text.find("@a\n  no difference\n"), std::string::npos) << text;
  EXPECT_NE(text.find("@b\n  only before\n"), std::string::npos) << text;
  EXPECT_NE(text.find("@a #2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("@c\n  only after\n"), std::string::npos) << text;
}

TEST(DiffReports, RefusesOtherDocuments) {
  json::Value good = makeDocument({});
  EXPECT_EQ(compare(good, good), "");
  EXPECT_NE(compare(json::Object{}, good).find("the report before is none"),
            std::string::npos);
  EXPECT_NE(compare(good, json::Array{}).find("the report after is none"),
            std::string::npos);
  json::Object later{{"version", 2}, {"kernels", json::Array{}}};
  EXPECT_NE(compare(good, std::move(later)).find("version 2"),
            std::string::npos);
  json::Object numbers{{"version", 1}, {"kernels", json::Array{1}}};
  EXPECT_NE(compare(std::move(numbers), good).find("no object"),
            std::string::npos);
}

// A checked run beside each verdict.
TEST(CheckedRun, IsComparedWithTheProof) {
  auto describe = [](RaceVerdict verdict, std::vector<json::Value> list) {
    json::Array findings;
    for (json::Value &finding : list)
      findings.push_back(std::move(finding));
    KernelReport report = makeKernel("k", 1);
    report.races.verdict = verdict;
    llvm::Error error =
        addCheckedRun(report, json::Object{{"version", 1},
                                           {"findings", std::move(findings)}});
    EXPECT_FALSE(bool(error));
    llvm::consumeError(std::move(error));
    return report.races.checkedRun;
  };
  auto finding = [](const char *kind, const char *kernel) -> json::Value {
    return json::Object{{"kind", kind}, {"kernel", kernel}};
  };
  EXPECT_EQ(describe(RaceVerdict::Proved, {}), "no races, as is proved");
  EXPECT_EQ(describe(RaceVerdict::Proved, {finding("race", "other")}),
            "no races, as is proved");
  EXPECT_EQ(describe(RaceVerdict::Proved, {finding("race", "k")}),
            "1 kind of races, which the proof excludes: one of them is wrong");
  EXPECT_EQ(describe(RaceVerdict::Racy,
                     {finding("race", "k"), finding("equal-value-race", "k")}),
            "2 kinds of races, as the code says");
  EXPECT_EQ(describe(RaceVerdict::NotProved, {finding("out-of-bounds", "k")}),
            "no races on this input; 1 other finding");
  KernelReport report;
  llvm::Error error = addCheckedRun(report, json::Array{});
  EXPECT_TRUE(bool(error));
  llvm::consumeError(std::move(error));
}
