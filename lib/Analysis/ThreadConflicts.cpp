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
#include "llvm/ADT/SetVector.h"

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

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

namespace uop {

/// What is known of the differences of atoms between the two threads, given
/// that they access one element.
class DigitClosure {
public:
  explicit DigitClosure(ConflictQuestion &question)
      : question(question), forms(question.forms) {}

  bool excludes();

private:
  /// A sum of differences that is from `low` to `high`.
  struct Equation {
    llvm::SmallVector<std::pair<AtomNumber, int64_t>, 4> terms;
    std::optional<int64_t> low, high;
    bool isUsed = false;
  };

  void reach(FormNumber form);
  std::optional<WideInt> getRange(AtomNumber atom);
  std::optional<WideInt> getDifference(AtomNumber atom);
  std::optional<WideInt> getFormDifference(FormNumber form);
  void equate(FormNumber form, std::optional<int64_t> low,
              std::optional<int64_t> high);
  bool derive(AtomNumber atom);
  bool solve(Equation &equation);
  bool set(AtomNumber atom, WideInt difference);

  ConflictQuestion &question;
  AddressForms &forms;
  llvm::SetVector<AtomNumber> atoms;
  llvm::DenseMap<AtomNumber, int64_t> known;
  std::vector<Equation> equations;
  /// The forms that are equal, and the quotients whose numerators are near.
  llvm::DenseSet<FormNumber> equated;
  llvm::DenseSet<AtomNumber> bounded;
};

} // namespace uop

void DigitClosure::reach(FormNumber form) {
  for (auto [number, coefficient] : forms.getForm(form).terms) {
    if (!atoms.insert(number))
      continue;
    Atom atom = forms.getAtom(number);
    if (atom.kind == Atom::Kind::FloorDiv || atom.kind == Atom::Kind::FloorMod)
      reach(atom.form);
    if (atom.kind == Atom::Kind::Xor) {
      reach(atom.form);
      reach(atom.other);
    }
  }
}

bool DigitClosure::set(AtomNumber atom, WideInt difference) {
  auto fitting = narrow(difference);
  return fitting && known.try_emplace(atom, *fitting).second;
}

/// second - first of an atom, where that is known.
std::optional<WideInt> DigitClosure::getDifference(AtomNumber number) {
  if (auto it = known.find(number); it != known.end())
    return it->second;
  if (question.isShared(number))
    return 0;
  if (question.isCarried(number))
    return *question.meeting.distance;
  auto a = question.getBounds(number, false).getConstant();
  auto b = question.getBounds(number, true).getConstant();
  if (a && b)
    return WideInt(*b) - *a;
  return std::nullopt;
}

std::optional<WideInt> DigitClosure::getFormDifference(FormNumber form) {
  WideInt sum = 0;
  for (auto [atom, coefficient] : forms.getForm(form).terms) {
    std::optional<WideInt> difference = getDifference(atom);
    if (!difference || !narrow(*difference))
      return std::nullopt;
    sum += *difference * coefficient;
    if (!narrow(sum))
      return std::nullopt;
  }
  return sum;
}

/// The most that an atom may differ by.
std::optional<WideInt> DigitClosure::getRange(AtomNumber atom) {
  IndexBounds a = question.getBounds(atom, false);
  IndexBounds b = question.getBounds(atom, true);
  if (!a.isBounded() || !b.isBounded())
    return std::nullopt;
  return std::max(WideInt(*a.high) - *b.low, WideInt(*b.high) - *a.low);
}

void DigitClosure::equate(FormNumber form, std::optional<int64_t> low,
                          std::optional<int64_t> high) {
  Equation equation;
  equation.terms = forms.getForm(form).terms;
  equation.low = low;
  equation.high = high;
  equations.push_back(equation);
}

/// Takes the digits from the largest down, as long as what is below cannot make
/// up for a difference.
bool DigitClosure::solve(Equation &equation) {
  if (!equation.low || !equation.high)
    return false;
  WideInt low = *equation.low, high = *equation.high;
  SmallVector<std::pair<AtomNumber, int64_t>, 4> open;
  for (auto [atom, coefficient] : equation.terms) {
    if (std::optional<WideInt> difference = getDifference(atom)) {
      WideInt part = *difference * coefficient;
      low -= part;
      high -= part;
    } else {
      open.push_back({atom, coefficient});
    }
  }
  llvm::sort(open, [](auto a, auto b) {
    return std::abs(a.second) > std::abs(b.second);
  });
  WideInt slack = std::max(low < 0 ? -low : low, high < 0 ? -high : high);
  bool changed = false;
  for (size_t i = 0; i < open.size(); ++i) {
    WideInt below = slack;
    for (auto [atom, coefficient] : ArrayRef(open).drop_front(i + 1)) {
      std::optional<WideInt> range = getRange(atom);
      if (!range || !narrow(*range))
        return changed;
      below += *range * std::abs(WideInt(coefficient));
    }
    if (std::abs(WideInt(open[i].second)) <= below)
      break;
    changed |= set(open[i].first, 0);
  }
  return changed;
}

/// What follows from a quotient, a remainder or an exclusive or for its parts,
/// and the other way round.
bool DigitClosure::derive(AtomNumber number) {
  Atom atom = forms.getAtom(number);
  bool isDiv = atom.kind == Atom::Kind::FloorDiv;
  if (!isDiv && atom.kind != Atom::Kind::FloorMod &&
      atom.kind != Atom::Kind::Xor)
    return false;
  bool changed = false;
  std::optional<WideInt> form = getFormDifference(atom.form);
  std::optional<WideInt> own = getDifference(number);
  if (atom.kind == Atom::Kind::Xor) {
    std::optional<WideInt> other = getFormDifference(atom.other);
    if (!own && form == 0 && other == 0)
      return set(number, 0);
    if (own != 0)
      return false;
    if (form == 0 && !other && equated.insert(atom.other).second) {
      equate(atom.other, 0, 0);
      changed = true;
    }
    if (other == 0 && !form && equated.insert(atom.form).second) {
      equate(atom.form, 0, 0);
      changed = true;
    }
    return changed;
  }
  if (!own && form == 0)
    return set(number, 0);
  if (own != 0 || form || equated.contains(atom.form))
    return false;
  if (isDiv) {
    // The rest is what the numerators may still differ by; nothing, where the
    // remainders are equal, too.
    bool isExact = llvm::any_of(atoms, [&](AtomNumber other) {
      const Atom &rest = forms.getAtom(other);
      return rest.kind == Atom::Kind::FloorMod && rest.form == atom.form &&
             rest.divisor == atom.divisor && getDifference(other) == 0;
    });
    int64_t slack = isExact ? 0 : atom.divisor - 1;
    if (isExact)
      equated.insert(atom.form);
    else if (!bounded.insert(number).second)
      return false;
    equate(atom.form, -slack, slack);
    return true;
  }
  // A multiple of the divisor that is smaller than it is 0.
  WideInt range = 0;
  for (auto [part, coefficient] : forms.getForm(atom.form).terms) {
    std::optional<WideInt> difference = getDifference(part);
    std::optional<WideInt> most =
        difference ? std::optional(*difference < 0 ? -*difference : *difference)
                   : getRange(part);
    if (!most || !narrow(*most))
      return false;
    range += *most * std::abs(WideInt(coefficient));
  }
  if (range >= atom.divisor)
    return false;
  equated.insert(atom.form);
  equate(atom.form, 0, 0);
  return true;
}

bool DigitClosure::excludes() {
  for (const ConflictQuestion::Dimension &dimension : question.dimensions) {
    reach(dimension.first);
    reach(dimension.second);
  }
  for (const ConflictQuestion::Dimension &dimension : question.dimensions) {
    // Only the same terms have differences.
    const LinearForm &a = forms.getForm(dimension.first);
    const LinearForm &b = forms.getForm(dimension.second);
    auto constant = narrow(WideInt(b.constant) - a.constant);
    if (a.terms != b.terms || !constant)
      continue;
    auto shift = [&](std::optional<int64_t> bound) -> std::optional<int64_t> {
      if (!bound)
        return std::nullopt;
      return narrow(WideInt(*bound) - *constant);
    };
    equate(dimension.first, shift(dimension.low), shift(dimension.high));
  }
  if (equations.empty())
    return false;
  auto isSame = [&](AtomNumber atom) { return getDifference(atom) == 0; };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < equations.size(); ++i)
      changed |= solve(equations[i]);
    for (size_t i = 0; i < atoms.size(); ++i)
      changed |= derive(atoms[i]);
  }
  if (question.acrossBlocks) {
    for (unsigned dim = 0; dim < 4; ++dim)
      if (!isSame(forms.getBlockAtom(dim)))
        return false;
    return true;
  }
  for (unsigned dim = 0; dim < 3; ++dim)
    if (!isSame(forms.getThreadAtom(dim)))
      return false;
  return true;
}

bool ConflictQuestion::excludesByDigits() {
  return DigitClosure(*this).excludes();
}
