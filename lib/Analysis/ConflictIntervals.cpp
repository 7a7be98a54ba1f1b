//===- ConflictIntervals.cpp - What two addresses can differ by -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The difference of two addresses is a constant and terms of the first thread,
// of the second, and of both. It has bounds, and it is the constant modulo what
// all terms are multiples of. A remainder is its numerator but for multiples of
// the divisor: so the tiles of two iterations are told apart, i mod 2 and
// (i + 1) mod 2.
//
//===----------------------------------------------------------------------===//

#include "ConflictQuestion.h"
#include <numeric>

using namespace mlir;
using namespace uop;

namespace uop {

/// second - first of two forms.
class AddressDifference {
public:
  AddressDifference(ConflictQuestion &question, FormNumber first,
                    FormNumber second)
      : question(question), forms(question.forms) {
    addForm(first, First, -1);
    addForm(second, Second, 1);
  }

  IndexBounds getBounds() const;

  /// Makes terms of remainders those of their numerators.
  void expandRemainders();

  /// The least number from `low` on that it may be.
  WideInt getNearest(int64_t low) const;

private:
  enum Owner { First, Second, Both };
  using Terms = std::map<std::pair<AtomNumber, Owner>, WideInt, std::greater<>>;
  using Term = Terms::value_type;

  void addForm(FormNumber form, Owner owner, WideInt factor);
  IndexBounds getBounds(const Term &term) const;
  static bool fits(WideInt factor) {
    auto fitting = narrow(factor);
    return fitting && *fitting != std::numeric_limits<int64_t>::min();
  }

  ConflictQuestion &question;
  AddressForms &forms;
  WideInt constant = 0;
  /// The atoms that are made of others come first.
  Terms terms;
  /// What it is expanded by.
  int64_t modulus = 0;
};

} // namespace uop

void AddressDifference::addForm(FormNumber number, Owner owner,
                                WideInt factor) {
  const LinearForm &form = forms.getForm(number);
  constant += factor * form.constant;
  for (auto [atom, coefficient] : form.terms) {
    bool isCarried = question.isCarried(atom);
    if (isCarried && owner == Second)
      constant += factor * coefficient * *question.meeting.distance;
    bool isOfBoth = isCarried || question.isShared(atom);
    terms[{atom, isOfBoth ? Both : owner}] += factor * coefficient;
  }
}

IndexBounds AddressDifference::getBounds(const Term &term) const {
  auto [atom, owner] = term.first;
  if (owner == Both) {
    // The number of an iteration is that of the first.
    IndexBounds second = question.getBounds(atom, true);
    if (question.isCarried(atom))
      second = second + IndexBounds::exactly(-*question.meeting.distance);
    return question.getBounds(atom, false).intersect(second);
  }
  return question.getBounds(atom, owner == Second);
}

IndexBounds AddressDifference::getBounds() const {
  auto fitting = narrow(constant);
  if (!fitting)
    return {};
  IndexBounds sum = IndexBounds::exactly(*fitting);
  for (const Term &term : terms) {
    if (term.second == 0)
      continue;
    if (!fits(term.second))
      return {};
    sum = sum + getBounds(term) * int64_t(term.second);
  }
  return sum;
}

void AddressDifference::expandRemainders() {
  // What a numerator is made of comes later.
  for (auto it = terms.begin(); it != terms.end(); ++it) {
    auto [atom, owner] = it->first;
    WideInt factor = it->second;
    if (factor == 0 || forms.getAtom(atom).kind != Atom::Kind::FloorMod ||
        getBounds(*it).getConstant() || !fits(factor) ||
        !fits(factor * forms.getAtom(atom).divisor))
      continue;
    modulus = std::gcd(modulus,
                       std::abs(int64_t(factor * forms.getAtom(atom).divisor)));
    it->second = 0;
    addForm(forms.getAtom(atom).form, owner, factor);
  }
}

WideInt AddressDifference::getNearest(int64_t low) const {
  WideInt rest = constant;
  int64_t divisor = modulus;
  for (const Term &term : terms) {
    if (term.second == 0)
      continue;
    if (!fits(term.second))
      return low;
    // A value that is known has no part in what all terms are multiples of.
    if (auto value = getBounds(term).getConstant())
      rest += *value * term.second;
    else
      divisor = std::gcd(divisor, std::abs(int64_t(term.second)));
  }
  return divisor == 0 ? rest
                      : WideInt(low) + uop::floorMod(rest - low, divisor);
}

/// Whether the difference of the two addresses is never in its interval.
bool ConflictQuestion::excludesByInterval() {
  for (const Dimension &dimension : dimensions) {
    AddressDifference difference(*this, dimension.first, dimension.second);
    IndexBounds bounds = difference.getBounds();
    if ((dimension.high && bounds.low && *bounds.low > *dimension.high) ||
        (dimension.low && bounds.high && *bounds.high < *dimension.low))
      return true;
    if (!dimension.low || !dimension.high)
      continue;
    auto isOutside = [&](WideInt nearest) {
      return nearest > *dimension.high || nearest < *dimension.low;
    };
    if (isOutside(difference.getNearest(*dimension.low)))
      return true;
    difference.expandRemainders();
    if (isOutside(difference.getNearest(*dimension.low)))
      return true;
  }
  return false;
}
