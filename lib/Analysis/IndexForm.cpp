//===- IndexForm.cpp - The normal form: sums, products, quotients ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <limits>
#include <numeric>

using namespace uop;

//===----------------------------------------------------------------------===//
// Nodes and their order
//===----------------------------------------------------------------------===//

void Form::Profile(llvm::FoldingSetNodeID &id) const {
  id.AddInteger(unsigned(kind));
  id.AddInteger(value);
  id.AddPointer(expr);
  for (const Term &term : terms) {
    id.AddPointer(term.atom);
    id.AddInteger(term.factor);
  }
  for (const Form *operand : operands)
    id.AddPointer(operand);
}

template <typename T> static int compareNumbers(T a, T b) {
  return a < b ? -1 : a > b;
}

int uop::compareExprs(IndexExpr a, IndexExpr b) {
  if (a == b)
    return 0;
  if (int order = compareNumbers(a->getTreeSize(), b->getTreeSize()))
    return order;
  if (int order = compareNumbers(a->getOp(), b->getOp()))
    return order;
  if (int order = compareNumbers(a->getValue(), b->getValue()))
    return order;
  for (auto [x, y] : llvm::zip(a->getOperands(), b->getOperands()))
    if (int order = compareExprs(x, y))
      return order;
  return 0;
}

int uop::compareForms(const Form *a, const Form *b) {
  if (a == b)
    return 0;
  if (int order = compareNumbers(a->rank, b->rank))
    return order;
  if (int order = compareNumbers(a->kind, b->kind))
    return order;
  if (int order = compareNumbers(a->value, b->value))
    return order;
  if (int order = compareNumbers(a->terms.size(), b->terms.size()))
    return order;
  if (int order = compareNumbers(a->operands.size(), b->operands.size()))
    return order;
  for (auto [x, y] : llvm::zip(a->terms, b->terms)) {
    if (int order = compareForms(x.atom, y.atom))
      return order;
    if (int order = compareNumbers(x.factor, y.factor))
      return order;
  }
  for (auto [x, y] : llvm::zip(a->operands, b->operands))
    if (int order = compareForms(x, y))
      return order;
  return a->expr && b->expr ? compareExprs(a->expr, b->expr) : 0;
}

static bool isBefore(const Form *a, const Form *b) {
  return compareForms(a, b) < 0;
}

const Form *FormBuilder::unique(const Form &form) {
  llvm::FoldingSetNodeID id;
  form.Profile(id);
  void *position;
  if (Form *known = forms.FindNodeOrInsertPos(id, position))
    return known;
  auto *created = new (allocator.Allocate<Form>()) Form(form);
  created->hash = id.ComputeHash();
  auto *terms = allocator.Allocate<Term>(form.terms.size());
  llvm::copy(form.terms, terms);
  created->terms = {terms, form.terms.size()};
  auto *operands = allocator.Allocate<const Form *>(form.operands.size());
  llvm::copy(form.operands, operands);
  created->operands = {operands, form.operands.size()};
  uint64_t size = 1;
  for (const Term &term : form.terms) {
    created->rank = std::max(created->rank, term.atom->rank);
    size += term.atom->size;
  }
  for (const Form *operand : form.operands) {
    created->rank = std::max(created->rank, operand->rank);
    size += operand->size;
  }
  created->size =
      std::min<uint64_t>(size, std::numeric_limits<uint32_t>::max());
  // The bounds of a sum are worked out once, with forms that this may make:
  // the place found above may no longer be good.
  if (form.kind == FormKind::Sum)
    created->bounds = computeBounds(created->terms, form.value);
  if (Form *known = forms.FindNodeOrInsertPos(id, position))
    return known;
  forms.InsertNode(created, position);
  return created;
}

const Form *FormBuilder::getAtom(FormKind kind,
                                 llvm::ArrayRef<const Form *> operands,
                                 IndexBounds bounds) {
  Form form;
  form.kind = kind;
  form.operands = operands;
  form.bounds = bounds;
  return unique(form);
}

const Form *FormBuilder::getConstant(int64_t value) {
  return getSum({}, value);
}

const Form *FormBuilder::getBool(bool value) {
  Form form;
  form.kind = FormKind::BoolConstant;
  form.value = value;
  return unique(form);
}

int64_t FormBuilder::check(WideInt value) {
  if (std::optional<int64_t> fits = narrow(value))
    // The least 64-bit integer has no negative.
    if (*fits != std::numeric_limits<int64_t>::min())
      return *fits;
  overflowed = true;
  return 1;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

/// Sorts terms, and makes one of those with one atom. Factors that leave 64
/// bits are reported by the result.
static bool collect(llvm::SmallVectorImpl<Term> &terms) {
  llvm::sort(terms, [](const Term &a, const Term &b) {
    return isBefore(a.atom, b.atom);
  });
  size_t size = 0;
  bool fits = true;
  for (size_t i = 0; i < terms.size();) {
    WideInt factor = 0;
    size_t first = i;
    for (; i < terms.size() && terms[i].atom == terms[first].atom; ++i)
      factor += terms[i].factor;
    std::optional<int64_t> narrowed = narrow(factor);
    fits &= narrowed.has_value();
    if (narrowed && *narrowed != 0)
      terms[size++] = {terms[first].atom, *narrowed};
  }
  terms.resize(size);
  return fits;
}

/// Terms of a sum plus a multiple of those of another, each in order. Returns
/// false where a factor leaves 64 bits.
static bool addTerms(llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b,
                     WideInt factor, llvm::SmallVectorImpl<Term> &sum) {
  const Term *x = a.begin(), *y = b.begin();
  while (x != a.end() || y != b.end()) {
    int order = x == a.end()   ? 1
                : y == b.end() ? -1
                               : compareForms(x->atom, y->atom);
    const Form *atom = order > 0 ? y->atom : x->atom;
    WideInt total = 0;
    if (order <= 0)
      total += x++->factor;
    if (order >= 0)
      total += factor * y++->factor;
    std::optional<int64_t> fits = narrow(total);
    if (!fits || *fits == std::numeric_limits<int64_t>::min())
      return false;
    if (*fits != 0)
      sum.push_back({atom, *fits});
  }
  return true;
}

const Form *FormBuilder::getSum(llvm::ArrayRef<Term> terms, WideInt constant) {
  llvm::SmallVector<Term> collected(terms);
  if (!collect(collected))
    overflowed = true;
  return getCollectedSum(collected, constant);
}

const Form *FormBuilder::getCollectedSum(llvm::SmallVectorImpl<Term> &collected,
                                         WideInt constant) {
  if (addUpQuotients(collected))
    return getSum(collected, constant);
  Form form;
  form.kind = FormKind::Sum;
  form.value = check(constant);
  form.terms = collected;
  const Form *sum = unique(form);
  std::optional<int64_t> known = sum->bounds.getConstant();
  if (!known || sum->terms.empty())
    return sum;
  return getConstant(*known);
}

bool FormBuilder::addUpQuotients(llvm::SmallVectorImpl<Term> &terms) {
  auto isQuotient = [](const Term &term) {
    return term.atom->kind == FormKind::Div;
  };
  int64_t numQuotients = llvm::count_if(terms, isQuotient);
  if (numQuotients < 2)
    return false;
  for (const Term &first : terms) {
    if (!isQuotient(first) || first.atom->operands[0]->value != 0)
      continue;
    const Form *numerator = first.atom->operands[0];
    std::optional<int64_t> divisor = first.atom->operands[1]->getConstant();
    if (!divisor || *divisor > numQuotients)
      continue;
    // The same terms, with each constant below the divisor.
    llvm::SmallVector<Term *> found;
    for (Term &term : terms)
      if (isQuotient(term) &&
          term.atom->operands[1] == first.atom->operands[1] &&
          term.atom->operands[0]->terms.equals(numerator->terms) &&
          (term.factor > 0) == (first.factor > 0))
        found.push_back(&term);
    if (int64_t(found.size()) != *divisor)
      continue;
    int64_t least = first.factor;
    for (Term *term : found)
      if (std::abs(term->factor) < std::abs(least))
        least = term->factor;
    for (Term *term : found)
      term->factor -= least;
    for (const Term &term : numerator->terms)
      terms.push_back({term.atom, check(WideInt(term.factor) * least)});
    return true;
  }
  return false;
}

IndexBounds FormBuilder::computeBounds(llvm::ArrayRef<Term> terms,
                                       WideInt constant) {
  auto addUp = [](llvm::ArrayRef<Term> terms, WideInt constant) {
    // Partial sums may be out of range where the whole is not.
    std::optional<WideInt> low = constant, high = constant;
    const WideInt limit = WideInt(1) << 100;
    for (const Term &term : terms) {
      IndexBounds bounds = term.atom->bounds;
      auto extend = [&](std::optional<WideInt> &sum,
                        std::optional<int64_t> bound) {
        if (sum && bound)
          sum = *sum + WideInt(*bound) * term.factor;
        else
          sum = std::nullopt;
        if (sum && (*sum > limit || *sum < -limit))
          sum = std::nullopt;
      };
      extend(low, term.factor > 0 ? bounds.low : bounds.high);
      extend(high, term.factor > 0 ? bounds.high : bounds.low);
    }
    return IndexBounds{low ? narrow(*low) : std::nullopt,
                       high ? narrow(*high) : std::nullopt};
  };
  IndexBounds bounds = addUp(terms, constant);
  if (bounds.getConstant())
    return bounds;
  llvm::SmallVector<Term> matched(terms);
  WideInt matchedConstant = constant;
  matchRemainders(matched, matchedConstant);
  return bounds.intersect(addUp(matched, matchedConstant));
}

const Form *FormBuilder::add(const Form *a, const Form *b, WideInt factor) {
  llvm::SmallVector<Term> terms;
  if (!addTerms(a->terms, b->terms, factor, terms))
    overflowed = true;
  return getCollectedSum(terms, a->value + factor * b->value);
}

const Form *FormBuilder::scale(const Form *a, WideInt factor) {
  if (factor == 0)
    return getConstant(0);
  if (factor == 1)
    return a;
  return add(getConstant(0), a, factor);
}

/// Whether a product of sums may be multiplied out: products of many would grow
/// beyond all measure.
static bool isWorthMultiplying(const Form *a, const Form *b) {
  constexpr size_t maxTerms = 16, maxFactors = 4;
  auto countFactors = [](const Form *sum) {
    size_t most = 1;
    for (const Term &term : sum->terms)
      if (term.atom->kind == FormKind::Product)
        most = std::max(most, term.atom->operands.size());
    return most;
  };
  return a->terms.size() * b->terms.size() <= maxTerms &&
         countFactors(a) + countFactors(b) <= maxFactors;
}

/// Products of more than this stay as they are written: where each is a product
/// of others their number doubles from one to the next.
static constexpr size_t kMaxTerms = 64, kMaxFactors = 8;

const Form *FormBuilder::multiply(const Form *a, const Form *b) {
  if (std::optional<int64_t> constant = a->getConstant())
    return scale(b, *constant);
  if (std::optional<int64_t> constant = b->getConstant())
    return scale(a, *constant);

  // A product of two sums stays one; a sum times an atom is spread out, so
  // that terms that cancel are found.
  auto isSingle = [](const Form *sum) {
    return sum->terms.size() == 1 && sum->value == 0;
  };
  if (!isSingle(a) && !isSingle(b)) {
    hasProductOfSums = true;
    if (multipliesOut && isWorthMultiplying(a, b)) {
      const Form *result = scale(a, b->value);
      for (const Term &term : b->terms)
        result = add(result, multiply(a, getSum(term, 0)));
      return result;
    }
    // Without common factors and with a positive first one, so that 2*(x+1)*y
    // and (2*x+2)*y are one.
    auto reduce = [&](const Form *sum, int64_t &content) {
      WideInt gcd = sum->value < 0 ? -WideInt(sum->value) : sum->value;
      for (const Term &term : sum->terms)
        gcd = std::gcd(int64_t(gcd), term.factor);
      content = sum->terms[0].factor < 0 ? -int64_t(gcd) : int64_t(gcd);
      if (content == 1)
        return sum;
      llvm::SmallVector<Term> terms;
      for (const Term &term : sum->terms)
        terms.push_back({term.atom, term.factor / content});
      return getSum(terms, sum->value / content);
    };
    int64_t contentOfA, contentOfB;
    const Form *factors[] = {reduce(a, contentOfA), reduce(b, contentOfB)};
    if (isBefore(factors[1], factors[0]))
      std::swap(factors[0], factors[1]);
    const Form *atom = getAtom(FormKind::Product, factors,
                               factors[0]->bounds * factors[1]->bounds);
    return getSum(Term{atom, check(WideInt(contentOfA) * contentOfB)}, 0);
  }
  if (!isSingle(b))
    std::swap(a, b);
  // Now b is an atom with a factor.
  llvm::SmallVector<Term> terms;
  auto getFactors = [&](const Form *atom,
                        llvm::SmallVectorImpl<const Form *> &factors) {
    if (atom->kind == FormKind::Product)
      llvm::append_range(factors, atom->operands);
    else
      factors.push_back(getSum(atom));
  };
  for (const Term &term : a->terms) {
    llvm::SmallVector<const Form *> factors;
    getFactors(term.atom, factors);
    getFactors(b->terms[0].atom, factors);
    if (factors.size() > kMaxFactors || a->terms.size() > kMaxTerms) {
      overflowed = true;
      return a;
    }
    llvm::sort(factors, isBefore);
    IndexBounds bounds = IndexBounds::exactly(1);
    for (const Form *factor : factors)
      bounds = bounds * factor->bounds;
    const Form *atom = getAtom(FormKind::Product, factors, bounds);
    terms.push_back({atom, check(WideInt(term.factor) * b->terms[0].factor)});
  }
  if (a->value != 0)
    terms.push_back(
        {b->terms[0].atom, check(WideInt(a->value) * b->terms[0].factor)});
  return getSum(terms, 0);
}

//===----------------------------------------------------------------------===//
// Quotients and remainders
//===----------------------------------------------------------------------===//

namespace {
/// How a factor is split into a multiple of the divisor and a rest.
enum class Rounding { Truncate, Floor, Nearest };
} // namespace

static int64_t divideFactor(int64_t factor, int64_t divisor,
                            Rounding rounding) {
  switch (rounding) {
  case Rounding::Truncate:
    return factor / divisor;
  case Rounding::Floor:
    return int64_t(floorDiv(factor, divisor));
  case Rounding::Nearest:
    return int64_t(
        floorDiv(2 * WideInt(factor) + divisor - 1, 2 * WideInt(divisor)));
  }
  return 0;
}

namespace {
/// A sum as divisor * quotient + rest, whose terms are in order.
struct Split {
  llvm::SmallVector<Term> quotient, rest;
  int64_t constant = 0, restConstant = 0;
};
} // namespace

static Split splitSum(const Form *sum, int64_t divisor, Rounding rounding) {
  Split split;
  for (const Term &term : sum->terms) {
    int64_t quotient = divideFactor(term.factor, divisor, rounding);
    if (quotient != 0)
      split.quotient.push_back({term.atom, quotient});
    if (int64_t rest = term.factor - quotient * divisor)
      split.rest.push_back({term.atom, rest});
  }
  split.constant = divideFactor(sum->value, divisor, Rounding::Floor);
  split.restConstant = sum->value - split.constant * divisor;
  return split;
}

const Form *FormBuilder::divideExactly(const Form *a, int64_t divisor) {
  for (Rounding rounding :
       {Rounding::Truncate, Rounding::Floor, Rounding::Nearest}) {
    Split split = splitSum(a, divisor, rounding);
    const Form *rest = getCollectedSum(split.rest, split.restConstant);
    IndexBounds quotient = rest->bounds.floorDiv(IndexBounds::exactly(divisor));
    if (std::optional<int64_t> constant = quotient.getConstant())
      return getCollectedSum(split.quotient,
                             WideInt(split.constant) + *constant);
  }
  return nullptr;
}

const Form *FormBuilder::divideByConstant(const Form *a, int64_t divisor) {
  if (divisor == 1)
    return a;
  if (const Form *known = quotients.lookup({a, divisor}))
    return known;
  auto remember = [&](const Form *result) {
    if (!overflowed)
      quotients[{a, divisor}] = result;
    return result;
  };
  if (const Form *quotient = divideExactly(a, divisor))
    return remember(quotient);
  Split split = splitSum(a, divisor, Rounding::Truncate);
  const Form *whole = getCollectedSum(split.quotient, split.constant);
  const Form *rest = getCollectedSum(split.rest, split.restConstant);

  // If g divides the divisor, and the rest by g needs no division, then
  // rest//divisor is (rest//g)//(divisor/g). The greatest g does most.
  llvm::SmallVector<int64_t> candidates;
  for (const Term &term : rest->terms) {
    int64_t gcd = std::gcd(term.factor, divisor);
    if (gcd > 1 && gcd < divisor)
      candidates.push_back(gcd);
  }
  llvm::sort(candidates, std::greater<>());
  candidates.erase(llvm::unique(candidates), candidates.end());
  for (int64_t gcd : candidates)
    if (const Form *quotient = divideExactly(rest, gcd))
      return remember(add(whole, divideByConstant(quotient, divisor / gcd)));

  // (x//c + y)//d is (x + c*y)//(c*d), for any integer y.
  const Term *inner = nullptr;
  unsigned numQuotients = 0;
  for (const Term &term : rest->terms) {
    if (term.atom->kind != FormKind::Div)
      continue;
    ++numQuotients;
    std::optional<int64_t> constant = term.atom->operands[1]->getConstant();
    if (constant && term.factor == 1 && narrow(WideInt(*constant) * divisor))
      inner = &term;
  }
  if (inner && numQuotients == 1) {
    int64_t constant = *inner->atom->operands[1]->getConstant();
    const Form *other = add(rest, getSum(inner->atom), -1);
    const Form *numerator = add(inner->atom->operands[0], other, constant);
    return remember(
        add(whole, divideByConstant(numerator, constant * divisor)));
  }

  const Form *operands[] = {rest, getConstant(divisor)};
  const Form *atom =
      getAtom(FormKind::Div, operands,
              rest->bounds.floorDiv(IndexBounds::exactly(divisor)));
  return remember(add(whole, getSum(atom)));
}

std::optional<int64_t> FormBuilder::getHigh(const Form *sum) {
  std::optional<int64_t> high = sum->bounds.high;
  auto getLimit = [&](const Form *atom) {
    return atom && atom->kind == FormKind::Symbol
               ? context.getLimit(atom->value)
               : nullptr;
  };
  // The last symbol first: what it is less than may have others in it. Few
  // steps do for an address.
  for (unsigned steps = 0; steps < 8; ++steps) {
    const Form *next = nullptr;
    for (const Term &term : llvm::reverse(sum->terms)) {
      if (term.factor <= 0)
        continue;
      llvm::SmallVector<const Form *> factors;
      if (term.atom->kind == FormKind::Product)
        llvm::append_range(factors, term.atom->operands);
      else
        factors.push_back(getSum(term.atom));
      for (size_t i = 0; i < factors.size() && !next; ++i) {
        IndexExpr limit = getLimit(factors[i]->getAtom());
        bool isMonotone =
            limit && llvm::all_of(factors, [&](const Form *other) {
              return other == factors[i] || other->bounds.isAtLeast(0);
            });
        if (!isMonotone || llvm::count(factors, factors[i]) != 1)
          continue;
        bool before = std::exchange(overflowed, false);
        const Form *greatest = add(build(limit), getConstant(1), -1);
        for (size_t j = 0; j < factors.size(); ++j)
          if (j != i)
            greatest = multiply(greatest, factors[j]);
        const Form *others = add(sum, getSum(term.atom), -WideInt(term.factor));
        next = add(others, greatest, term.factor);
        if (std::exchange(overflowed, before))
          return high;
      }
      if (next)
        break;
    }
    if (!next)
      return high;
    sum = next;
    if (sum->bounds.high && (!high || *sum->bounds.high < *high))
      high = sum->bounds.high;
  }
  return high;
}

const Form *FormBuilder::divideBySymbol(const Form *a, const Form *b) {
  if (a->getConstant() == 0)
    return a;
  IndexBounds bounds = a->bounds.floorDiv(b->bounds);
  if (std::optional<int64_t> constant = bounds.getConstant())
    return getConstant(*constant);
  // What is below the divisor, and not negative.
  if (context.hasLimits() && a->bounds.isAtLeast(0))
    if (std::optional<int64_t> high = getHigh(add(a, b, -1)); high && *high < 0)
      return getConstant(0);
  // What is a multiple of the divisor comes out. That may be a product, too.
  llvm::SmallVector<Term> quotient, rest;
  WideInt constant = 0;
  const Form *divisor = b->getAtom();
  llvm::SmallVector<const Form *> divisors;
  if (divisor && divisor->kind == FormKind::Product)
    llvm::append_range(divisors, divisor->operands);
  else
    divisors.push_back(b);
  for (const Term &term : a->terms) {
    if (divisor && term.atom == divisor) {
      constant = term.factor;
      continue;
    }
    llvm::SmallVector<const Form *> factors(term.atom->operands);
    bool isMultiple = divisor && term.atom->kind == FormKind::Product &&
                      llvm::all_of(divisors, [&](const Form *each) {
                        auto it = llvm::find(factors, each);
                        if (it == factors.end())
                          return false;
                        factors.erase(it);
                        return true;
                      });
    if (!isMultiple) {
      rest.push_back(term);
      continue;
    }
    const Form *other = getConstant(term.factor);
    for (const Form *factor : factors)
      other = multiply(other, factor);
    llvm::append_range(quotient, other->terms);
    constant += other->value;
  }
  if (quotient.empty() && constant == 0) {
    // All of it may be a multiple.
    if (!b->terms.empty() && a->terms.size() == b->terms.size() &&
        a->terms[0].factor % b->terms[0].factor == 0) {
      int64_t multiple = a->terms[0].factor / b->terms[0].factor;
      if (scale(b, multiple) == a)
        return getConstant(multiple);
    }
    const Form *operands[] = {a, b};
    return getSum(getAtom(FormKind::Div, operands, bounds));
  }
  return add(getSum(quotient, constant),
             divideBySymbol(getSum(rest, a->value), b));
}

const Form *FormBuilder::divide(const Form *a, const Form *b) {
  std::optional<int64_t> constant = b->getConstant();
  if (!constant)
    return divideBySymbol(a, b);
  if (*constant == 0) {
    overflowed = true;
    return a;
  }
  if (*constant < 0)
    return divideByConstant(scale(a, -1), -*constant);
  return divideByConstant(a, *constant);
}

const Form *FormBuilder::modulo(const Form *a, const Form *b) {
  const Form *quotient = divide(a, b);
  if (b->getConstant() || b->getAtom() || quotient->getConstant())
    return add(a, multiply(b, quotient), -1);
  // The product with a sum would not be found again.
  IndexBounds bounds;
  if (b->bounds.isAtLeast(0)) {
    bounds.low = 0;
    if (b->bounds.high)
      bounds.high = std::max<int64_t>(*b->bounds.high - 1, 0);
  }
  const Form *operands[] = {a, b};
  return getSum(getAtom(FormKind::Mod, operands, bounds));
}

void FormBuilder::matchRemainders(llvm::SmallVectorImpl<Term> &terms,
                                  WideInt &constant) {
  // y mod m, `multiple` times, for the term at `index`.
  struct Candidate {
    size_t index;
    const Form *numerator, *divisor;
    WideInt multiple;
  };
  auto apply = [&](const Candidate &candidate,
                   llvm::SmallVectorImpl<Term> &result) {
    IndexBounds bounds;
    if (std::optional<int64_t> divisor = candidate.divisor->getConstant())
      bounds = IndexBounds::between(0, *divisor - 1);
    else if (candidate.divisor->bounds.isAtLeast(0))
      bounds = {0, candidate.divisor->bounds.high
                       ? std::optional(std::max<int64_t>(
                             *candidate.divisor->bounds.high - 1, 0))
                       : std::nullopt};
    const Form *operands[] = {candidate.numerator, candidate.divisor};
    std::optional<int64_t> multiple = narrow(candidate.multiple);
    if (!multiple)
      return false;
    llvm::SmallVector<Term> others, rest;
    for (auto [index, term] : llvm::enumerate(terms))
      if (index != candidate.index)
        others.push_back(term);
    const Form *remainder = getAtom(FormKind::Mod, operands, bounds);
    return addTerms(others, candidate.numerator->terms, -candidate.multiple,
                    rest) &&
           addTerms(rest, Term{remainder, *multiple}, 1, result);
  };

  // The number of terms that would be left, where the remainder is a new one.
  llvm::DenseMap<const Form *, int64_t> factors;
  auto countTerms = [&](const Candidate &candidate) {
    size_t count = terms.size();
    for (const Term &term : candidate.numerator->terms) {
      auto it = factors.find(term.atom);
      if (it == factors.end())
        ++count;
      else if (it->second == candidate.multiple * term.factor)
        --count;
    }
    return count;
  };

  for (size_t rounds = terms.size(); rounds != 0; --rounds) {
    llvm::SmallVector<Candidate> candidates;
    factors.clear();
    for (const Term &term : terms)
      factors[term.atom] = term.factor;
    for (auto [index, term] : llvm::enumerate(terms)) {
      const Form *atom = term.atom;
      if (atom->kind == FormKind::Div) {
        std::optional<int64_t> divisor = atom->operands[1]->getConstant();
        if (!divisor)
          continue;
        if (term.factor % *divisor == 0)
          candidates.push_back({index, atom->operands[0], atom->operands[1],
                                -(WideInt(term.factor) / *divisor)});
        // y may itself be a quotient, whose division went into this one.
        llvm::SmallSetVector<int64_t, 4> inners;
        for (const Term &other : terms)
          if (other.atom->kind == FormKind::Div)
            if (auto inner = other.atom->operands[1]->getConstant())
              if (*inner < *divisor && *divisor % *inner == 0 &&
                  term.factor % (*divisor / *inner) == 0)
                inners.insert(*inner);
        for (int64_t inner : inners) {
          bool before = std::exchange(overflowed, false);
          const Form *y = divideByConstant(atom->operands[0], inner);
          if (!std::exchange(overflowed, before))
            candidates.push_back(
                {index, y, getConstant(*divisor / inner),
                 -(WideInt(term.factor) / (*divisor / inner))});
        }
      } else if (atom->kind == FormKind::Product &&
                 atom->operands.size() == 2) {
        for (unsigned i : {0, 1}) {
          const Form *quotient = atom->operands[i]->getAtom();
          if (quotient && quotient->kind == FormKind::Div &&
              quotient->operands[1] == atom->operands[1 - i])
            candidates.push_back({index, quotient->operands[0],
                                  quotient->operands[1],
                                  -WideInt(term.factor)});
        }
      }
    }
    llvm::SmallVector<Term> best;
    const Candidate *chosen = nullptr;
    for (const Candidate &candidate : candidates) {
      llvm::SmallVector<Term> result;
      // Building the result takes time; the remainder may also be there.
      if (countTerms(candidate) > terms.size() + 1 ||
          !apply(candidate, result) || result.size() > terms.size())
        continue;
      if (chosen && result.size() >= best.size())
        continue;
      best = result;
      chosen = &candidate;
    }
    if (!chosen)
      return;
    constant -= chosen->multiple * chosen->numerator->value;
    terms.assign(best.begin(), best.end());
  }
}
