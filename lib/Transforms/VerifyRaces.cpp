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

static std::string print(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(numbers, os);
  return text;
}

static std::string describe(const AccessInstance &instance, bool hasBlock) {
  std::string text = "thread (" + print(instance.thread) + ")";
  if (hasBlock)
    text += " of block (" + print(instance.block) + ")";
  bool isFirst = true;
  for (auto [loop, value] : instance.iterations) {
    text += isFirst ? " (" : ", ";
    text += isa<scf::ForOp>(loop) ? "iteration at " : "iteration ";
    text += std::to_string(value);
    isFirst = false;
  }
  return isFirst ? text : text + ")";
}

static StringRef getVerb(const MemoryAccess &access) {
  if (access.isAtomic)
    return "updates";
  return access.isWrite ? "writes" : "reads";
}

static StringRef getMemory(const MemoryAccess &access) {
  return access.isShared() ? "shared memory" : "global memory";
}

static StringRef getRelation(RaceRelation relation) {
  switch (relation) {
  case RaceRelation::SameWarp:
    return "same warp";
  case RaceRelation::SameBlock:
    return "same block";
  case RaceRelation::CrossBlock:
    return "cross-block";
  }
  llvm_unreachable("all relations are handled");
}

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
  bool isCross = race.relation == RaceRelation::CrossBlock;
  InFlightDiagnostic diag = race.isEqualValue && !strict
                                ? mlir::emitWarning(race.second->op->getLoc())
                                : mlir::emitError(race.second->op->getLoc());
  diag << (race.isCertain ? "race on " : "possible race on ")
       << getMemory(*race.second)
       << (race.isEqualValue ? ", of equal values" : "") << " ("
       << getRelation(race.relation)
       << "): " << describe(race.witness.second, isCross) << " "
       << getVerb(*race.second)
       << (race.witness.isByte ? " byte [" : " element [")
       << print(race.witness.element) << "] that "
       << describe(race.witness.first, isCross) << " " << getVerb(*race.first);
  if (isCross)
    diag << "; blocks are never ordered: give each block elements of its own, "
            "use memref.atomic_rmw, or split the kernel";
  else if (race.isUnderWay)
    diag << ", while the copy is under way; wait for its group, and put a "
            "uop.barrier after that";
  else if (race.isOrderable)
    diag << ", with no barrier in between; put a uop.barrier there, as "
            "--uop-place-barriers does";
  else
    diag
        << ", where no barrier can be in between; give each thread elements of "
           "its own, or use memref.atomic_rmw";
  diag.attachNote(race.first->op->getLoc())
      << "the other access, which " << getVerb(*race.first) << ", is here";
}

void VerifyRaces::emit(const UnprovenPair &pair) {
  InFlightDiagnostic diag = strict
                                ? mlir::emitError(pair.second->op->getLoc())
                                : mlir::emitWarning(pair.second->op->getLoc());
  diag << "not provably free of races: "
       << (pair.relation == RaceRelation::CrossBlock ? "threads of two blocks"
                                                     : "two threads of a block")
       << " may access one element of " << getMemory(*pair.second)
       << ", of which one " << getVerb(*pair.first) << " and one "
       << getVerb(*pair.second) << " it, in no order: " << pair.reason;
  diag.attachNote(pair.first->op->getLoc())
      << "the other access, which " << getVerb(*pair.first) << ", is here";
  if (pair.reasonOp && pair.reasonOp != pair.first->op &&
      pair.reasonOp != pair.second->op)
    diag.attachNote(pair.reasonOp->getLoc()) << "it depends on this";
}
