//===- Races.cpp - The races of a kernel, summarized ----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Races.h"
#include "BuildParts.h"
#include "Places.h"
#include "Uop/Analysis/TrafficText.h"
#include "Uop/Report/BuildReport.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

RaceSummary report::summarizeRaces(KernelOp kernel) {
  std::unique_ptr<RaceReport> races = findRaces(kernel);
  RaceSummary summary;
  summary.pairsProved = races->numProven;
  summary.pairsRacy = races->races.size();
  summary.pairsNotProved = races->unproven.size();
  for (const Race &race : races->races)
    summary.entries.push_back(
        {getPlace(race.second->op->getLoc()), describe(race)});
  for (const UnprovenPair &pair : races->unproven)
    summary.entries.push_back(
        {getPlace(pair.second->op->getLoc()), describe(pair)});
  summary.verdict = !races->races.empty()      ? RaceVerdict::Racy
                    : !races->unproven.empty() ? RaceVerdict::NotProved
                                               : RaceVerdict::Proved;
  return summary;
}

/// What it means that a run on one input has found so many races.
static llvm::StringRef compareWithProof(RaceVerdict verdict, bool hasFound) {
  switch (verdict) {
  case RaceVerdict::Proved:
    return hasFound ? "which the proof excludes: one of them is wrong"
                    : "as is proved";
  case RaceVerdict::Racy:
    return hasFound ? "as the code says" : "on this input, though the code is";
  case RaceVerdict::NotProved:
    return hasFound ? "which settles it" : "on this input";
  case RaceVerdict::NotAsked:
    break;
  }
  return hasFound ? "" : "on this input";
}

llvm::Error report::addCheckedRun(KernelReport &report,
                                  const llvm::json::Value &findings) {
  const llvm::json::Object *object = findings.getAsObject();
  const llvm::json::Array *list =
      object ? object->getArray("findings") : nullptr;
  if (!list)
    return llvm::createStringError(
        "expected an object with findings, as uop-run --check-json writes it");
  uint64_t races = 0, others = 0;
  for (const llvm::json::Value &value : *list) {
    const llvm::json::Object *finding = value.getAsObject();
    if (!finding || finding->getString("kernel") != report.name)
      continue;
    bool isRace = finding->getString("kind").value_or("").ends_with("race");
    ++(isRace ? races : others);
  }
  std::string text =
      races == 0 ? "no races" : describeCount(races, "kind") + " of races";
  llvm::StringRef comparison =
      compareWithProof(report.races.verdict, races > 0);
  if (!comparison.empty())
    text += (comparison.starts_with("on") ? " " : ", ") + comparison.str();
  if (others > 0)
    text += "; " + describeCount(others, "other finding");
  report.races.checkedRun = text;
  return llvm::Error::success();
}
