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
