//===- VerifyRaces.cpp - Refuse kernels with data races -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Races.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"

namespace uop {
#define GEN_PASS_DEF_VERIFYRACES
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

namespace {

struct VerifyRaces : uop::impl::VerifyRacesBase<VerifyRaces> {
  using VerifyRacesBase::VerifyRacesBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    KernelOp kernel = getOperation();
    if (kernel.isGraphForm())
      return;
    std::unique_ptr<RaceReport> report =
        findRaces(kernel, {int64_t(budget), int64_t(budget) * 64});
    bool isFailed = false;
    for (const Race &race : report->races) {
      emit(race);
      isFailed |= !race.isEqualValue || strict;
    }
    for (const UnprovenPair &pair : report->unproven) {
      emit(pair);
      isFailed |= strict;
    }
    numRaces += report->races.size();
    numUnproven += report->unproven.size();
    numProven += report->numProven;
    if (remarks && report->isProven())
      mlir::emitRemark(kernel.getLoc())
          << "race-free: " << report->numProven << " "
          << (report->numProven == 1 ? "pair" : "pairs")
          << " of accesses proved";
    if (isFailed)
      signalPassFailure();
  }

private:
  void emit(const Race &race);
  void emit(const UnprovenPair &pair);
};

} // namespace

void VerifyRaces::emit(const Race &race) {
  InFlightDiagnostic diag = race.isEqualValue && !strict
                                ? mlir::emitWarning(race.second->op->getLoc())
                                : mlir::emitError(race.second->op->getLoc());
  diag << describe(race);
  diag.attachNote(race.first->op->getLoc())
      << "the other access, which " << getVerb(*race.first) << ", is here";
}

void VerifyRaces::emit(const UnprovenPair &pair) {
  InFlightDiagnostic diag = strict
                                ? mlir::emitError(pair.second->op->getLoc())
                                : mlir::emitWarning(pair.second->op->getLoc());
  diag << describe(pair);
  diag.attachNote(pair.first->op->getLoc())
      << "the other access, which " << getVerb(*pair.first) << ", is here";
  if (pair.reasonOp && pair.reasonOp != pair.first->op &&
      pair.reasonOp != pair.second->op)
    diag.attachNote(pair.reasonOp->getLoc()) << "it depends on this";
}
