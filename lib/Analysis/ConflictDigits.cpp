//===- ConflictDigits.cpp - What equal addresses determine ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equal addresses make all digits equal, and these determine the thread. An
// address is a sum of digits where each coefficient exceeds the largest sum of
// all smaller ones; a quotient and a remainder determine their numerator, and
// an exclusive or one side where the other is known.
//
//===----------------------------------------------------------------------===//

#include "ConflictQuestion.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uop;

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
