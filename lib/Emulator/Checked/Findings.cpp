//===- Findings.cpp - What checked mode says ------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SiteTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace uop;

StringRef uop::getFindingKindName(FindingKind kind) {
  switch (kind) {
  case FindingKind::Race:
    return "race";
  case FindingKind::EqualValueRace:
    return "equal-value-race";
  case FindingKind::OutOfBounds:
    return "out-of-bounds";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::UninitializedRead:
    return "uninitialized-read";
  case FindingKind::Divergence:
    return "divergence";
  case FindingKind::ExitBeforeBarrier:
    return "exit-before-barrier";
  case FindingKind::InactiveLane:
    return "inactive-lane";
  case FindingKind::IndexOverflow:
    return "index-overflow";
  case FindingKind::StepLimit:
    return "step-limit";
  }
  llvm_unreachable("unknown kind");
}

static StringRef getSpaceName(AccessSpace space) {
  switch (space) {
  case AccessSpace::Global:
    return "global";
  case AccessSpace::Shared:
    return "shared";
  case AccessSpace::Private:
    return "private";
  }
  llvm_unreachable("unknown space");
}

static StringRef getRelationName(ThreadRelation relation) {
  switch (relation) {
  case ThreadRelation::None:
    return "one-thread";
  case ThreadRelation::SameWarp:
    return "same-warp";
  case ThreadRelation::SameBlock:
    return "same-block";
  case ThreadRelation::CrossBlock:
    return "cross-block";
  }
  llvm_unreachable("unknown relation");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

template <typename Range> static std::string printList(const Range &numbers) {
  return llvm::join(
      llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }),
      ", ");
}

static std::string print(const Coordinates3 &id) {
  return "(" + printList(id) + ")";
}

static std::string printThread(const FindingAccess &access) {
  return "thread " + print(access.thread) + " of block " + print(access.block);
}

static std::string printElement(const Finding &finding, StringRef buffer) {
  if (!finding.indices.empty() || finding.byteOffset == 0)
    return buffer.str() + "[" + printList(finding.indices) + "]";
  if (finding.byteOffset < 0)
    return buffer.str();
  return "byte " + std::to_string(finding.byteOffset) + " of " + buffer.str();
}

static std::string printCount(uint64_t count, StringRef one, StringRef many) {
  return std::to_string(count) + " " + (count == 1 ? one : many).str();
}

std::string uop::describeFinding(const Finding &finding, StringRef buffer) {
  std::string element = printElement(finding, buffer);
  std::string count = printCount(finding.count, "access", "accesses");
  const FindingAccess &access = finding.accesses.front();
  switch (finding.kind) {
  case FindingKind::Race:
  case FindingKind::EqualValueRace: {
    const FindingAccess &other = finding.accesses.back();
    bool isEqual = finding.kind == FindingKind::EqualValueRace;
    std::string text = isEqual ? "race of equal values on " : "data race on ";
    text += getSpaceName(finding.space);
    text += " memory (";
    text += getRelationName(finding.relation);
    text += ", " + printCount(finding.count, "pair", "pairs");
    text += "): " + printThread(access) + " " + access.action + " " + element +
            " and thread " + print(other.thread);
    if (finding.relation == ThreadRelation::CrossBlock)
      text += " of block " + print(other.block);
    return text + " " + other.action + " it, in no order";
  }
  case FindingKind::OutOfBounds:
    return "out of bounds (" + count + "): " + printThread(access) + " " +
           access.action + " " + element + ", but " +
           (finding.detail.empty()
                ? "the buffer is of size [" + printList(finding.sizes) + "]"
                : finding.detail);
  case FindingKind::Misaligned:
    return "misaligned (" + count + "): " + printThread(access) + " " +
           access.action + " " + element + ", but " + finding.detail;
  case FindingKind::UninitializedRead:
    return "uninitialized read of shared memory (" + count +
           "): " + printThread(access) + " " + access.action + " " + element +
           ", which no thread of the block has written";
  case FindingKind::Divergence:
    return "barrier divergence (" + printCount(finding.count, "time", "times") +
           "): the threads of block " + print(access.block) +
           " disagree at the " + access.op;
  case FindingKind::ExitBeforeBarrier:
    return "exit before a barrier (" +
           printCount(finding.count, "time", "times") +
           "): some threads of block " + print(access.block) +
           " have returned when the others wait";
  case FindingKind::InactiveLane:
    return "shuffle from an inactive lane (" +
           printCount(finding.count, "time", "times") +
           "): " + printThread(access) + " reads from " + finding.detail;
  case FindingKind::IndexOverflow:
    return "overflow of an index (" +
           printCount(finding.count, "time", "times") +
           "): " + printThread(access) + " computes " + finding.detail;
  case FindingKind::StepLimit:
    return "step limit: " + printThread(access) + " has made " +
           finding.detail + " iterations and is in this loop";
  }
  llvm_unreachable("unknown kind");
}

std::string uop::getRemedy(const Finding &finding) {
  switch (finding.kind) {
  case FindingKind::Race:
  case FindingKind::EqualValueRace: {
    if (finding.relation == ThreadRelation::CrossBlock)
      return "a barrier cannot order this: the threads are in different "
             "blocks; use an atomic update, or two launches";
    if (finding.hasReturned)
      return "a barrier does not order this: one of the threads has returned "
             "and takes no part in it; let it come to the barrier";
    const FindingAccess &a = finding.accesses.front();
    const FindingAccess &b = finding.accesses.back();
    bool isOne = a.where.line == b.where.line &&
                 a.where.column == b.where.column && a.op == b.op;
    if (isOne)
      return "an atomic update would be no race; a barrier orders only what "
             "comes before and after it";
    return "a barrier of the block between the two would order them";
  }
  case FindingKind::OutOfBounds:
    return "the access was not made";
  case FindingKind::ExitBeforeBarrier:
    return finding.isWarning
               ? "CUDA does not wait for them, other models leave it undefined"
               : "let all threads come to the barrier, or allow it with "
                 "--check-policy=cuda";
  case FindingKind::Misaligned:
    return "the access was not made";
  case FindingKind::Divergence:
    return "the rest of the block was not run";
  case FindingKind::IndexOverflow:
    return "compute it in 64 bits, or as index";
  case FindingKind::UninitializedRead:
  case FindingKind::InactiveLane:
  case FindingKind::StepLimit:
    return "";
  }
  llvm_unreachable("unknown kind");
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value toJSON(const FindingAccess &access) {
  json::Object object{{"op", access.op},
                      {"where", uop::toJSON(access.where)},
                      {"thread", json::Array(access.thread)},
                      {"block", json::Array(access.block)}};
  if (!access.action.empty())
    object["action"] = access.action;
  return object;
}

static json::Value toJSON(const FindingSide &side) {
  json::Array threads;
  for (const Coordinates3 &thread : side.threads)
    threads.push_back(json::Array(thread));
  return json::Object{{"place", side.place},
                      {"where", uop::toJSON(side.where)},
                      {"count", side.count},
                      {"threads", std::move(threads)}};
}

static bool hasBuffer(const Finding &finding) {
  switch (finding.kind) {
  case FindingKind::Race:
  case FindingKind::EqualValueRace:
  case FindingKind::OutOfBounds:
  case FindingKind::Misaligned:
  case FindingKind::UninitializedRead:
    return true;
  case FindingKind::Divergence:
  case FindingKind::ExitBeforeBarrier:
  case FindingKind::InactiveLane:
  case FindingKind::IndexOverflow:
  case FindingKind::StepLimit:
    return false;
  }
  llvm_unreachable("unknown kind");
}

void uop::printFindingsAsJSON(
    raw_ostream &os, const std::vector<Finding> &findings,
    function_ref<std::string(const Finding &)> getBuffer) {
  json::Array array;
  for (const Finding &finding : findings) {
    std::string name = getBuffer(finding);
    json::Object object{
        {"kind", getFindingKindName(finding.kind)},
        {"severity", finding.isWarning ? "warning" : "error"},
        {"kernel", finding.kernel},
        {"count", static_cast<int64_t>(finding.count)},
        {"message", describeFinding(finding, name)},
    };
    if (std::string remedy = getRemedy(finding); !remedy.empty())
      object["remedy"] = remedy;
    json::Array accesses, sides;
    for (const FindingAccess &access : finding.accesses)
      accesses.push_back(::toJSON(access));
    object["accesses"] = std::move(accesses);
    if (hasBuffer(finding)) {
      json::Object buffer{{"name", name},
                          {"where", uop::toJSON(finding.bufferPosition)}};
      if (!finding.sizes.empty() || finding.byteOffset == 0) {
        buffer["indices"] = json::Array(finding.indices);
        buffer["sizes"] = json::Array(finding.sizes);
      }
      if (finding.byteOffset >= 0)
        buffer["byteOffset"] = finding.byteOffset;
      object["buffer"] = std::move(buffer);
      object["space"] = getSpaceName(finding.space);
      object["relation"] = getRelationName(finding.relation);
    }
    for (const FindingSide &side : finding.sides)
      sides.push_back(::toJSON(side));
    if (!finding.sides.empty())
      object["sides"] = std::move(sides);
    if (!finding.detail.empty())
      object["detail"] = finding.detail;
    array.push_back(std::move(object));
  }
  os << formatv("{0:2}", json::Value(json::Object{
                             {"version", 1}, {"findings", std::move(array)}}))
     << "\n";
}
