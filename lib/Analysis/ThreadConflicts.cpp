//===- ThreadConflicts.cpp - Can two threads access one element? ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/ThreadConflicts.h"
#include "ConflictQuestion.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uop;

ThreadConflicts::ThreadConflicts(KernelOp kernel,
                                 const MemoryAccesses &accesses,
                                 const Uniformity &uniformity, Budget budget)
    : kernel(kernel), uniformity(uniformity), forms(kernel, uniformity),
      budget(budget), addresses(accesses.getAll().size()) {}

const AccessAddress &ThreadConflicts::getAddress(const MemoryAccess &access) {
  std::optional<AccessAddress> &address = addresses[access.number];
  if (!address)
    address = forms.resolve(access);
  return *address;
}

const Conflict &ThreadConflicts::decide(const Meeting &meeting, Apart apart) {
  auto toKey = [](int64_t number) {
    return reinterpret_cast<const void *>(uintptr_t(number));
  };
  std::vector<const void *> key{
      meeting.first,
      meeting.second,
      meeting.carrier,
      meeting.sameIteration.empty() ? nullptr : meeting.sameIteration.back(),
      reinterpret_cast<const void *>(uintptr_t(meeting.isCertain) |
                                     uintptr_t(apart) << 1),
      toKey(meeting.distance.value_or(0))};
  for (const PinnedLoops *pinned : {meeting.firstPins, meeting.secondPins}) {
    for (; pinned; pinned = pinned->outer)
      key.insert(key.end(), {pinned->loop, toKey(pinned->iteration)});
    key.push_back(nullptr);
  }
  for (const TripCounts *trips = meeting.trips; trips; trips = trips->next)
    key.insert(key.end(), {trips->loop, toKey(trips->count)});
  auto [it, isNew] = known.try_emplace(std::move(key));
  if (isNew)
    it->second = ConflictQuestion(*this, meeting, apart).answer();
  return it->second;
}

//===----------------------------------------------------------------------===//
// The question
//===----------------------------------------------------------------------===//

/// The bytes from the first one to the last one that is covered.
static std::optional<int64_t>
getCoveredBytes(ArrayRef<std::pair<int64_t, int64_t>> spans, bool &isDense) {
  // Sorted, each span is as long as the ones below together if nothing is left
  // out.
  SmallVector<std::pair<int64_t, int64_t>> sorted(spans);
  llvm::sort(sorted, llvm::less_second());
  WideInt covered = 0;
  for (auto [count, stride] : sorted) {
    if (count < 1 || stride < 0)
      return std::nullopt;
    isDense &= covered == 0 || stride <= covered || count == 1;
    covered = WideInt(count - 1) * stride + std::max<WideInt>(covered, 1);
  }
  return narrow(covered);
}

bool ConflictQuestion::prepare(Conflict &unknown) {
  first = conflicts.getAddress(*meeting.first);
  second = conflicts.getAddress(*meeting.second);
  for (const MemoryAccess *access : {meeting.first, meeting.second}) {
    const AccessAddress &address = conflicts.getAddress(*access);
    if (address.isKnown)
      continue;
    unknown.reason = address.whyUnknown;
    unknown.reasonOp = access->op;
    return false;
  }
  if (!isDetached()) {
    restrictToPins(first, meeting.firstPins);
    restrictToPins(second, meeting.secondPins);
  }
  if (first.isInBytes != second.isInBytes) {
    AccessAddress &other = first.isInBytes ? second : first;
    const MemoryAccess *access =
        first.isInBytes ? meeting.second : meeting.first;
    auto inBytes = forms.convertToBytes(*access, other);
    if (!inBytes) {
      unknown.reason = "the place of a view is not known";
      unknown.reasonOp = access->op;
      return false;
    }
    other = *inBytes;
  }
  if (first.isInBytes) {
    bool isFirstDense = true, isSecondDense = true;
    auto firstBytes = getCoveredBytes(first.spans, isFirstDense);
    auto secondBytes = getCoveredBytes(second.spans, isSecondDense);
    if (!firstBytes || !secondBytes) {
      unknown.reason = "the place of a view is not known";
      unknown.reasonOp = meeting.second->op;
      return false;
    }
    if (!isFirstDense)
      first.uncertain = meeting.first->op;
    if (!isSecondDense)
      second.uncertain = meeting.second->op;
    dimensions.push_back({first.starts.front(), second.starts.front(),
                          1 - *secondBytes, *firstBytes - 1});
    return true;
  }
  for (size_t dim = 0; dim < first.starts.size(); ++dim) {
    std::optional<int64_t> low, high;
    if (second.sizes[dim])
      low = 1 - *second.sizes[dim];
    if (first.sizes[dim])
      high = *first.sizes[dim] - 1;
    dimensions.push_back({first.starts[dim], second.starts[dim], low, high});
  }
  return true;
}

/// Takes what is known of iterations for bounds of their numbers.
void ConflictQuestion::restrictToPins(AccessAddress &address,
                                      const PinnedLoops *pins) {
  for (; pins; pins = pins->outer) {
    if (!isa<scf::ForOp>(pins->loop) || pins->iteration < 0)
      continue;
    AtomNumber counter = forms.getCounterAtom(pins->loop);
    IndexBounds bounds = getBounds(counter, &address == &second);
    // Where conditions exclude it they are to be kept.
    if ((!bounds.low || *bounds.low <= pins->iteration) &&
        (!bounds.high || *bounds.high >= pins->iteration))
      address.bounds[counter] = IndexBounds::exactly(pins->iteration);
  }
}

bool ConflictQuestion::isSameIteration(Operation *loop) const {
  return !isDetached() && llvm::is_contained(meeting.sameIteration, loop);
}

/// Whether the atom is the same number for both threads.
bool ConflictQuestion::isShared(AtomNumber number) {
  if (auto it = shared.find(number); it != shared.end())
    return it->second;
  Atom atom = forms.getAtom(number);
  bool result = false;
  switch (atom.kind) {
  case Atom::Kind::Thread:
  case Atom::Kind::Varying:
    break;
  case Atom::Kind::Block:
    result = !acrossBlocks;
    break;
  case Atom::Kind::Counter:
    result = isSameIteration(atom.loop);
    break;
  case Atom::Kind::Uniform:
    result = isSharedValue(atom.value);
    break;
  case Atom::Kind::FloorDiv:
  case Atom::Kind::FloorMod:
    result = isSharedForm(atom.form);
    break;
  case Atom::Kind::Xor:
    result = isSharedForm(atom.form) && isSharedForm(atom.other);
    break;
  }
  return shared[number] = result;
}

bool ConflictQuestion::isSharedValue(Value value) {
  if (!conflicts.uniformity.isUniform(value) ||
      (acrossBlocks && forms.dependsOnBlock(value)))
    return false;
  for (Operation *op = value.getParentRegion()->getParentOp();
       !isa<KernelOp>(op); op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op) && !isSameIteration(op))
      return false;
  return true;
}

bool ConflictQuestion::isSharedForm(FormNumber form) {
  return llvm::all_of(forms.getForm(form).terms,
                      [&](auto term) { return isShared(term.first); });
}

IndexBounds ConflictQuestion::getBounds(AtomNumber atom, bool isSecond) const {
  const AccessAddress &address = isSecond ? second : first;
  auto it = address.bounds.find(atom);
  return it == address.bounds.end() ? forms.getAtom(atom).bounds : it->second;
}

/// The quotients, remainders and exclusive ors in the addresses, counted for
/// each thread that has its own.
unsigned ConflictQuestion::countQuotients() {
  SmallVector<FormNumber> open;
  for (const Dimension &dimension : dimensions)
    open.append({dimension.first, dimension.second});
  llvm::DenseSet<AtomNumber> seen;
  unsigned count = 0;
  while (!open.empty()) {
    for (auto [number, coefficient] :
         forms.getForm(open.pop_back_val()).terms) {
      const Atom &atom = forms.getAtom(number);
      bool isXor = atom.kind == Atom::Kind::Xor;
      if ((!isXor && atom.kind != Atom::Kind::FloorDiv &&
           atom.kind != Atom::Kind::FloorMod) ||
          !seen.insert(number).second)
        continue;
      count += isShared(number) ? 1 : 2;
      open.push_back(atom.form);
      if (isXor)
        open.push_back(atom.other);
    }
  }
  return count;
}

Conflict ConflictQuestion::answer() {
  Conflict impossible;
  impossible.kind = Conflict::Kind::Impossible;
  Conflict unknown;
  bool isKnown = prepare(unknown);
  if (!isKnown)
    return unknown;
  if (excludesByInterval() || excludesByDigits())
    return impossible;
  // The time of the solver grows steeply with quotients, that of an enumeration
  // with points: few points are faster.
  constexpr unsigned fewQuotients = 2;
  constexpr int64_t fewPoints = 1 << 13;
  if (countQuotients() > fewQuotients)
    if (auto enumerated = enumerate(fewPoints))
      return *enumerated;
  Conflict solved = solve();
  if (solved.kind != Conflict::Kind::Unknown)
    return solved;
  if (auto enumerated = enumerate(conflicts.budget.perQuestion))
    return *enumerated;
  return solved;
}

bool ThreadConflicts::storeEqualValues(const Meeting &meeting, Apart apart) {
  Value first = meeting.first->stored, second = meeting.second->stored;
  if (!first || !second)
    return false;
  Attribute a, b;
  if (matchPattern(first, m_Constant(&a)) &&
      matchPattern(second, m_Constant(&b)))
    return a == b;
  return first == second &&
         ConflictQuestion(*this, meeting, apart).isSharedValue(first);
}
