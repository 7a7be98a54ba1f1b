//===- SessionReports.cpp - What a session has to say ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "../Collectives.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace uop;

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

int64_t CheckSession::Impl::diverge(ArrayRef<uint64_t> votes,
                                    int64_t firstThread, StringRef text) {
  // The places by number, of which the first is the end of the kernel, and the
  // operation that decided.
  constexpr uint64_t end = 1;
  Expected<json::Value> value = json::parse(text);
  if (!value)
    reportFatalUsageError(value.takeError());
  const json::Object *object = value->getAsObject();
  const json::Array *places = object->getArray("places");

  // A return that is not the last op has a vote of its own.
  auto getPlace = [&](uint64_t vote) -> uint64_t {
    return vote == static_cast<uint64_t>(leftVote)
               ? end
               : static_cast<uint32_t>(vote);
  };
  std::map<uint64_t, FindingSide> sides;
  bool newExit = false, newEnd = false, isBarrier = false;
  for (auto [number, vote] : enumerate(votes)) {
    int64_t thread = firstThread + number;
    uint64_t place = getPlace(vote);
    bool isNew = place == end && !threads[thread].hasExited;
    newExit |= isNew;
    newEnd |= isNew && vote != static_cast<uint64_t>(leftVote);
    // The way to the end makes no difference.
    FindingSide &side = sides[place == end ? end : vote];
    if (side.count == 0) {
      if (place == 0 || place > places->size())
        reportFatalUsageError("a vote for a place that is not known");
      const json::Object *known = (*places)[place - 1].getAsObject();
      side.place = known->getString("place")->str();
      isBarrier |= known->getBoolean("isBarrier").value_or(false);
      json::Path::Root root;
      fromJSON(*known->get("where"), side.where, root);
    }
    if (++side.count <= 4)
      side.threads.push_back(getThread(thread));
  }
  auto exited = sides.find(end);
  size_t waiting = sides.size() - (exited != sides.end());
  if (waiting == 0)
    return end;
  // A barrier is for all; other stops are for the threads that have not left by
  // a return of their own, but not for some of those on the same way.
  bool isExit = exited != sides.end() && waiting == 1 && isBarrier;
  bool isFault = waiting > 1 || (isBarrier ? newExit : newEnd);
  if (isFault) {
    bool isNew;
    std::string key = text.str();
    for (auto &[vote, side] : sides)
      key += " " + std::to_string(static_cast<uint32_t>(vote));
    Finding &finding =
        find(isExit ? FindingKind::ExitBeforeBarrier : FindingKind::Divergence,
             key, isNew);
    ++finding.count;
    if (isNew) {
      finding.isWarning =
          isExit && options.policy == CheckOptions::Policy::CUDA;
      FindingAccess decision;
      decision.op = object->getString("op")->str();
      json::Path::Root root;
      fromJSON(*object->get("where"), decision.where, root);
      decision.block = getBlock(block);
      finding.accesses = {decision};
      for (auto &[vote, side] : sides)
        finding.sides.push_back(side);
      llvm::sort(finding.sides, [](const FindingSide &a, const FindingSide &b) {
        return a.threads.front() < b.threads.front();
      });
      bool differ = false;
      for (auto [a, b] : zip(ArrayRef(finding.sides).drop_back(),
                             ArrayRef(finding.sides).drop_front()))
        differ |= a.place != b.place || a.where.line != b.where.line ||
                  a.where.column != b.where.column;
      if (!differ)
        finding.detail = "they came there by different control flow";
    }
  }
  if (waiting != 1 || (isFault && !isExit))
    return end;
  // Those who are left go on. Where that is a finding, it is the only one.
  bool isLoose = !isBarrier || options.policy == CheckOptions::Policy::CUDA;
  for (auto [number, vote] : enumerate(votes)) {
    Thread &thread = threads[firstThread + number];
    if (getPlace(vote) != end || thread.hasExited)
      continue;
    thread.hasExited = true;
    thread.isLoose = isLoose;
  }
  for (uint64_t vote : votes)
    if (getPlace(vote) != end)
      return getPlace(vote);
  return end;
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

Coordinates3 CheckSession::Impl::getThread(int64_t linear) const {
  return {linear % blockSize[0], linear / blockSize[0] % blockSize[1],
          linear / (blockSize[0] * blockSize[1])};
}

Coordinates3 CheckSession::Impl::getBlock(int64_t linear) const {
  return {linear % gridSize[0], linear / gridSize[0] % gridSize[1],
          linear / (gridSize[0] * gridSize[1])};
}

FindingAccess CheckSession::Impl::describe(int64_t number, int64_t thread,
                                           uint64_t blockNumber) const {
  const AccessSite &site = table->accesses[number];
  FindingAccess access;
  access.op = site.op;
  switch (site.kind) {
  case SiteKind::Load:
    access.action = "reads";
    break;
  case SiteKind::Store:
    access.action = "writes";
    break;
  case SiteKind::Atomic:
    access.action = "updates atomically";
    break;
  case SiteKind::AsyncCopy:
    access.action = "copies to";
    break;
  }
  access.where = site.where;
  access.thread = getThread(thread);
  access.block = getBlock(blockNumber);
  return access;
}

void CheckSession::Impl::locate(Finding &finding, int64_t number,
                                uint64_t address) const {
  const AccessSite &site = table->accesses[number];
  const ViewSite &known = table->views[site.view];
  finding.bufferPosition = known.where;
  finding.buffer = known.name;
  for (const View &view : views[site.view]) {
    if (address < view.address)
      continue;
    // From the largest stride to the smallest one.
    int64_t rest = (address - view.address) / known.elementBytes;
    SmallVector<size_t> axes;
    for (size_t axis = 0; axis < view.sizes.size(); ++axis)
      axes.push_back(axis);
    llvm::sort(axes, [&](size_t a, size_t b) {
      return std::make_pair(-view.strides[a], a) <
             std::make_pair(-view.strides[b], b);
    });
    std::vector<int64_t> indices(axes.size(), 0);
    bool fits = true;
    for (size_t axis : axes) {
      if (view.strides[axis] <= 0)
        continue;
      indices[axis] = rest / view.strides[axis];
      rest %= view.strides[axis];
      // An axis of size 1 may have any stride.
      if (indices[axis] >= view.sizes[axis])
        fits = false;
    }
    if (!fits || rest != 0)
      continue;
    finding.indices = indices;
    finding.sizes.assign(view.sizes.begin(), view.sizes.end());
    finding.byteOffset = address - view.address;
    return;
  }
  if (!views[site.view].empty())
    finding.byteOffset = address - views[site.view].front().address;
}

Finding &CheckSession::Impl::find(FindingKind kind, const std::string &key,
                                  bool &isNew) {
  std::string full = table->kernel;
  full += "\n" + std::to_string(static_cast<int>(kind)) + "\n" + key;
  auto [it, inserted] = numbers.try_emplace(full, findings.size());
  isNew = inserted;
  if (inserted) {
    Finding &finding = findings.emplace_back();
    finding.kind = kind;
    finding.kernel = table->kernel;
  }
  return findings[it->second];
}

Finding *CheckSession::Impl::count(FindingKind kind, int64_t place,
                                   int64_t thread) {
  const OpPlace &known = table->places[place];
  bool isNew;
  Finding &finding = find(kind,
                          known.op + " " + known.where.file + " " +
                              std::to_string(known.where.line) + " " +
                              std::to_string(known.where.column),
                          isNew);
  ++finding.count;
  if (!isNew)
    return nullptr;
  FindingAccess access;
  access.op = known.op;
  access.where = known.where;
  access.thread = getThread(thread);
  access.block = getBlock(block);
  finding.accesses = {access};
  return &finding;
}

Finding &CheckSession::Impl::find(FindingKind kind, ArrayRef<int64_t> sites,
                                  ThreadRelation relation, bool &isNew) {
  // Copies of an operation are one to the user.
  SmallVector<std::string> keys;
  for (int64_t number : sites) {
    const AccessSite &site = table->accesses[number];
    keys.push_back(site.op + " " + std::to_string(static_cast<int>(site.kind)) +
                   " " + site.where.file + " " +
                   std::to_string(site.where.line) + " " +
                   std::to_string(site.where.column));
  }
  llvm::sort(keys);
  return find(kind,
              std::to_string(static_cast<int>(relation)) + "\n" +
                  llvm::join(keys, "\n"),
              isNew);
}

void CheckSession::Impl::report(const RacePairs &pairs) {
  bool isNew;
  Finding &finding =
      find(pairs.isEqualValue ? FindingKind::EqualValueRace : FindingKind::Race,
           {pairs.first.site, pairs.second.site}, pairs.relation, isNew);
  finding.count += pairs.count;
  if (!isNew)
    return;
  finding.relation = pairs.relation;
  finding.hasReturned = pairs.relation != ThreadRelation::CrossBlock &&
                        (pairs.first.hasReturned || pairs.second.hasReturned ||
                         (pairs.relation == ThreadRelation::SameWarp &&
                          pairs.first.phase != pairs.second.phase));
  // The read comes first, then the lower thread.
  LoggedAccess first = pairs.first, second = pairs.second;
  auto order = [&](const LoggedAccess &access) {
    return std::make_tuple(table->accesses[access.site].isWrite(), access.block,
                           access.thread);
  };
  if (order(second) < order(first))
    std::swap(first, second);
  finding.space = findShared(table->accesses[first.site], first.address)
                      ? AccessSpace::Shared
                      : AccessSpace::Global;
  finding.accesses = {describe(first.site, first.thread, first.block),
                      describe(second.site, second.thread, second.block)};
  locate(finding, first.site, std::max(first.address, second.address));
}
