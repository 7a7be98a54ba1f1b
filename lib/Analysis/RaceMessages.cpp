//===- RaceMessages.cpp - Races in words ----------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Races.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;

static std::string print(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(numbers, os);
  return text;
}

static std::string describeThread(const AccessInstance &instance,
                                  bool hasBlock) {
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

StringRef uop::getVerb(const MemoryAccess &access) {
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

static std::string getRemedy(const Race &race) {
  if (race.relation == RaceRelation::CrossBlock)
    return "; blocks are never ordered: give each block elements of its own, "
           "use memref.atomic_rmw, or split the kernel";
  if (race.isUnderWay)
    return ", while the copy is under way; wait for its group, and put a "
           "uop.barrier after that";
  if (race.isOrderable)
    return ", with no barrier in between; put a uop.barrier there, as "
           "--uop-place-barriers does";
  return ", where no barrier can be in between; give each thread elements of "
         "its own, or use memref.atomic_rmw";
}

std::string uop::describe(const Race &race) {
  bool isCross = race.relation == RaceRelation::CrossBlock;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (race.isCertain ? "race on " : "possible race on ")
     << getMemory(*race.second)
     << (race.isEqualValue ? ", of equal values" : "") << " ("
     << getRelation(race.relation)
     << "): " << describeThread(race.witness.second, isCross) << " "
     << getVerb(*race.second)
     << (race.witness.isByte ? " byte [" : " element [")
     << print(race.witness.element) << "] that "
     << describeThread(race.witness.first, isCross) << " "
     << getVerb(*race.first) << getRemedy(race);
  return text;
}

std::string uop::describe(const UnprovenPair &pair) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "not provably free of races: "
     << (pair.relation == RaceRelation::CrossBlock ? "threads of two blocks"
                                                   : "two threads of a block")
     << " may access one element of " << getMemory(*pair.second)
     << ", of which one " << getVerb(*pair.first) << " and one "
     << getVerb(*pair.second) << " it, in no order: " << pair.reason;
  return text;
}
