//===- IndexConditions.cpp - The normal form: conditions and choices ------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexForm.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace uop;

/// Operands are compared with each other: more than this stay as they are
/// written.
static constexpr size_t kMaxOperands = 24;

/// What is larger is not looked at again under a condition.
static constexpr uint32_t kMaxAssumedSize = 256;

static bool isBefore(const Form *a, const Form *b) {
  return compareForms(a, b) < 0;
}

//===----------------------------------------------------------------------===//
// Min, max, select
//===----------------------------------------------------------------------===//

/// The terms that all sums have. A remainder, x - c*(x//c), is not torn apart:
/// where there is a quotient, nothing is common.
static llvm::SmallVector<Term>
findCommonTerms(llvm::ArrayRef<const Form *> sums) {
  llvm::SmallVector<Term> common(sums.front()->terms);
  for (const Form *sum : sums) {
    for (const Term &term : sum->terms)
      if (term.atom->kind == FormKind::Div ||
          term.atom->kind == FormKind::Product)
        return {};
    llvm::erase_if(common, [&](const Term &term) {
      return llvm::none_of(sum->terms, [&](const Term &other) {
        return other.atom == term.atom && other.factor == term.factor;
      });
    });
  }
  return common;
}

const Form *FormBuilder::minmax(FormKind kind,
                                llvm::ArrayRef<const Form *> operands) {
  llvm::SmallVector<const Form *> flat;
  for (const Form *operand : operands) {
    const Form *atom = operand->getAtom();
    if (atom && atom->kind == kind)
      llvm::append_range(flat, atom->operands);
    else
      flat.push_back(operand);
  }
  llvm::sort(flat, isBefore);
  flat.erase(llvm::unique(flat), flat.end());
  if (flat.size() > kMaxOperands) {
    overflowed = true;
    return flat.front();
  }
  // What another operand is never beyond goes.
  bool isMin = kind == FormKind::Min;
  for (size_t i = 0; i < flat.size(); ++i) {
    bool isNeeded = llvm::none_of(flat, [&](const Form *other) {
      if (other == flat[i])
        return false;
      IndexBounds difference = add(flat[i], other, -1)->bounds;
      return isMin ? difference.isAtLeast(0) : difference.isAtMost(0);
    });
    if (!isNeeded)
      flat.erase(flat.begin() + i--);
  }
  if (flat.size() == 1)
    return flat.front();

  // min(a + x, a + y) is a + min(x, y), min(2*x, 2*y) is 2*min(x, y), and
  // min(-x, -y) is -max(x, y). The least constant is common, too.
  WideInt least = flat.front()->value;
  for (const Form *operand : flat)
    least = std::min<WideInt>(least, operand->value);
  const Form *common = getSum(findCommonTerms(flat), least);
  int64_t gcd = 0;
  bool isNegative = true;
  for (const Form *&operand : flat) {
    operand = add(operand, common, -1);
    gcd = std::gcd(gcd, operand->value);
    for (const Term &term : operand->terms)
      gcd = std::gcd(gcd, term.factor);
    isNegative &= operand->terms.empty() || operand->terms[0].factor < 0;
  }
  if (overflowed)
    return common;
  if (gcd != 1 || isNegative) {
    int64_t factor = isNegative ? -gcd : gcd;
    for (const Form *&operand : flat) {
      llvm::SmallVector<Term> terms;
      for (const Term &term : operand->terms)
        terms.push_back({term.atom, term.factor / factor});
      operand = getSum(terms, operand->value / factor);
    }
    FormKind opposite = isMin ? FormKind::Max : FormKind::Min;
    return add(common, minmax(isNegative ? opposite : kind, flat), factor);
  }
  if (common->getConstant() != 0)
    return add(common, minmax(kind, flat));

  IndexBounds bounds = flat.front()->bounds;
  for (const Form *operand : llvm::drop_begin(flat))
    bounds = isMin ? bounds.min(operand->bounds) : bounds.max(operand->bounds);
  return getSum(getAtom(kind, flat, bounds));
}

const Form *FormBuilder::select(const Form *condition, const Form *a,
                                const Form *b) {
  if (condition->isBool(true))
    return a;
  if (condition->isBool(false))
    return b;
  // One of each two opposite conditions is written.
  if (condition->kind == FormKind::GreaterEqual ||
      condition->kind == FormKind::NotEqual ||
      condition->kind == FormKind::Not) {
    condition = negate(condition);
    std::swap(a, b);
  }
  a = assume(a, condition);
  b = assume(b, negate(condition));
  if (a == b)
    return a;
  if (condition == less(a, b) || condition == negate(less(b, a)))
    return minmax(FormKind::Min, {a, b});
  if (condition == less(b, a) || condition == negate(less(a, b)))
    return minmax(FormKind::Max, {a, b});
  const Form *both[] = {a, b};
  if (llvm::SmallVector<Term> terms = findCommonTerms(both); !terms.empty()) {
    const Form *common = getSum(terms, 0);
    return add(common,
               select(condition, add(a, common, -1), add(b, common, -1)));
  }
  const Form *operands[] = {condition, a, b};
  return getSum(
      getAtom(FormKind::Select, operands, a->bounds.unite(b->bounds)));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Whether all values within the bounds satisfy the comparison with a constant
/// (true), none does (false), or neither.
static std::optional<bool> decide(FormKind kind, IndexBounds bounds,
                                  WideInt constant) {
  switch (kind) {
  case FormKind::Less:
  case FormKind::GreaterEqual:
    if (bounds.high && *bounds.high < constant)
      return kind == FormKind::Less;
    if (bounds.low && *bounds.low >= constant)
      return kind == FormKind::GreaterEqual;
    return std::nullopt;
  case FormKind::Equal:
  case FormKind::NotEqual:
    if ((bounds.low && *bounds.low > constant) ||
        (bounds.high && *bounds.high < constant))
      return kind == FormKind::NotEqual;
    if (bounds.isBounded() && *bounds.low == constant &&
        *bounds.high == constant)
      return kind == FormKind::Equal;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// `sum` has no constant.
const Form *FormBuilder::compare(FormKind kind, const Form *sum,
                                 WideInt constant) {
  if (!narrow(constant)) {
    overflowed = true;
    return getBool(false);
  }
  if (std::optional<bool> known = decide(kind, sum->bounds, constant))
    return getBool(*known);
  // By what symbols are less than, as well.
  if (context.hasLimits()) {
    std::optional<int64_t> high = getHigh(sum);
    std::optional<int64_t> negatedLow = getHigh(scale(sum, -1));
    IndexBounds bounds{
        negatedLow ? narrow(-WideInt(*negatedLow)) : std::nullopt, high};
    if (std::optional<bool> known = decide(kind, bounds, constant))
      return getBool(*known);
  }
  if (kind == FormKind::GreaterEqual || kind == FormKind::NotEqual)
    return negate(
        compare(kind == FormKind::NotEqual ? FormKind::Equal : FormKind::Less,
                sum, constant));

  int64_t gcd = 0;
  for (const Term &term : sum->terms)
    gcd = std::gcd(gcd, term.factor);
  bool isNegative = sum->terms[0].factor < 0;
  if (gcd != 1 || isNegative) {
    llvm::SmallVector<Term> terms;
    for (const Term &term : sum->terms)
      terms.push_back(
          {term.atom, isNegative ? -(term.factor / gcd) : term.factor / gcd});
    const Form *reduced = getSum(terms, 0);
    if (kind == FormKind::Equal) {
      if (floorMod(constant, gcd) != 0)
        return getBool(false);
      constant = constant / gcd;
      return compare(kind, reduced, isNegative ? -constant : constant);
    }
    constant = ceilDiv(constant, gcd);
    if (!isNegative)
      return compare(kind, reduced, constant);
    // -x < c is x >= 1 - c.
    return compare(FormKind::GreaterEqual, reduced, 1 - constant);
  }

  // g*x + r < c is x < ceil((c - r)/g), where that is one number for all r.
  if (kind == FormKind::Less) {
    for (const Term &candidate : sum->terms) {
      int64_t divisor = std::abs(candidate.factor);
      if (divisor == 1)
        continue;
      llvm::SmallVector<Term> multiple, rest;
      for (const Term &term : sum->terms) {
        if (term.factor % divisor == 0)
          multiple.push_back({term.atom, term.factor / divisor});
        else
          rest.push_back(term);
      }
      IndexBounds bounds = getSum(rest, 0)->bounds;
      if (!bounds.isBounded())
        continue;
      WideInt limit = ceilDiv(constant - *bounds.low, divisor);
      if (limit == ceilDiv(constant - *bounds.high, divisor))
        return compare(kind, getSum(multiple, 0), limit);
    }
  }

  // x//d < c is x < c*d; a quotient is one number on an interval.
  if (const Form *atom = sum->getAtom(); atom && atom->kind == FormKind::Div) {
    const Form *numerator = atom->operands[0];
    if (auto divisor = atom->operands[1]->getConstant()) {
      const Form *terms = getSum(numerator->terms, 0);
      WideInt low = constant * *divisor - numerator->value;
      if (kind == FormKind::Less)
        return compare(kind, terms, low);
      const Form *both[] = {compare(FormKind::GreaterEqual, terms, low),
                            compare(FormKind::Less, terms, low + *divisor)};
      const Form *interval = combine(FormKind::And, both);
      if (interval->kind != FormKind::And)
        return interval;
    }
  }

  // max(x, y) < c is x < c and y < c: good where one of them is known.
  if (const Form *atom = sum->getAtom();
      atom && kind == FormKind::Less &&
      (atom->kind == FormKind::Min || atom->kind == FormKind::Max)) {
    bool isMax = atom->kind == FormKind::Max;
    llvm::SmallVector<const Form *> parts;
    for (const Form *operand : atom->operands)
      parts.push_back(
          compare(kind, getSum(operand->terms, 0), constant - operand->value));
    FormKind whole = isMax ? FormKind::And : FormKind::Or;
    const Form *result = combine(whole, parts);
    if (result->kind != whole)
      return result;
  }

  // The first and the last value have one form.
  if (kind == FormKind::Equal) {
    if (sum->bounds.low && *sum->bounds.low == constant)
      return compare(FormKind::Less, sum, constant + 1);
    if (sum->bounds.high && *sum->bounds.high == constant)
      return compare(FormKind::GreaterEqual, sum, constant);
  }
  Form form;
  form.kind = kind;
  form.value = check(constant);
  form.operands = sum;
  form.bounds = {0, 1};
  return unique(form);
}

const Form *FormBuilder::less(const Form *a, const Form *b) {
  const Form *difference = add(a, b, -1);
  return compare(FormKind::Less, getSum(difference->terms, 0),
                 -WideInt(difference->value));
}

const Form *FormBuilder::equal(const Form *a, const Form *b) {
  const Form *difference = add(a, b, -1);
  return compare(FormKind::Equal, getSum(difference->terms, 0),
                 -WideInt(difference->value));
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

const Form *FormBuilder::negate(const Form *condition) {
  Form form = *condition;
  switch (condition->kind) {
  case FormKind::BoolConstant:
    return getBool(!condition->value);
  case FormKind::Less:
    form.kind = FormKind::GreaterEqual;
    return unique(form);
  case FormKind::GreaterEqual:
    form.kind = FormKind::Less;
    return unique(form);
  case FormKind::Equal:
    form.kind = FormKind::NotEqual;
    return unique(form);
  case FormKind::NotEqual:
    form.kind = FormKind::Equal;
    return unique(form);
  case FormKind::Not:
    return condition->operands[0];
  default:
    return getAtom(FormKind::Not, condition, {0, 1});
  }
}

const Form *FormBuilder::combine(FormKind kind,
                                 llvm::ArrayRef<const Form *> operands) {
  bool isAnd = kind == FormKind::And;
  llvm::SmallVector<const Form *> flat;
  for (const Form *operand : operands) {
    if (operand->isBool(!isAnd))
      return operand;
    if (operand->kind == kind)
      llvm::append_range(flat, operand->operands);
    else if (!operand->isBool(isAnd))
      flat.push_back(operand);
  }
  llvm::sort(flat, isBefore);
  flat.erase(llvm::unique(flat), flat.end());
  if (flat.size() > kMaxOperands) {
    overflowed = true;
    return getBool(isAnd);
  }
  // Of two comparisons of one sum, the stronger (the weaker) is enough.
  for (size_t i = 0; i < flat.size(); ++i) {
    const Form *form = flat[i];
    if (llvm::is_contained(flat, negate(form)))
      return getBool(!isAnd);
    bool isNeeded = llvm::none_of(flat, [&](const Form *other) {
      if (other == form || !other->isComparison() || !form->isComparison() ||
          other->operands != form->operands)
        return false;
      llvm::SmallVector<Fact> facts;
      collectFacts(isAnd ? other : negate(other), facts);
      return !facts.empty() &&
             decide(form->kind, facts[0].bounds, form->value) == isAnd;
    });
    if (!isNeeded)
      flat.erase(flat.begin() + i--);
  }
  for (const Form *form : flat)
    for (const Form *other : flat) {
      if (!other->isComparison() || !form->isComparison() || other == form ||
          other->operands != form->operands)
        continue;
      llvm::SmallVector<Fact> facts;
      collectFacts(isAnd ? other : negate(other), facts);
      if (!facts.empty() &&
          decide(form->kind, facts[0].bounds, form->value) == !isAnd)
        return getBool(!isAnd);
    }
  // Each matters only where the others hold (where they do not). Once: what
  // comes of it is put in order, but not looked at in this way again.
  if (flat.size() > 1 && !isAssuming) {
    bool isChanged = false;
    for (const Form *&form : flat) {
      const Form *simpler = form;
      for (const Form *other : flat)
        if (other != form)
          simpler = assume(simpler, isAnd ? other : negate(other));
      isChanged |= simpler != form;
      form = simpler;
    }
    if (isChanged) {
      isAssuming = true;
      const Form *result = combine(kind, flat);
      isAssuming = false;
      return result;
    }
  }
  if (flat.empty())
    return getBool(isAnd);
  if (flat.size() == 1)
    return flat.front();
  return getAtom(kind, flat, {0, 1});
}

//===----------------------------------------------------------------------===//
// What a condition says
//===----------------------------------------------------------------------===//

void FormBuilder::collectFacts(const Form *condition,
                               llvm::SmallVectorImpl<Fact> &facts) {
  std::optional<int64_t> below = narrow(WideInt(condition->value) - 1);
  switch (condition->kind) {
  case FormKind::And:
    for (const Form *operand : condition->operands)
      collectFacts(operand, facts);
    return;
  case FormKind::Less:
    if (below)
      facts.push_back({condition->operands[0], {std::nullopt, *below}});
    return;
  case FormKind::GreaterEqual:
    facts.push_back({condition->operands[0], {condition->value, std::nullopt}});
    return;
  case FormKind::Equal:
    facts.push_back(
        {condition->operands[0], IndexBounds::exactly(condition->value)});
    return;
  default:
    return;
  }
}

/// The terms that a fact's bounds are worked out from; more say little.
static constexpr size_t kMaxTermsOfFact = 16;

/// What a fact says of each of its atoms, given the bounds of the others:
/// 4*g + l < 17 says that g < 5 where l is not negative.
static void narrowAtoms(const Form *sum, IndexBounds bounds,
                        llvm::MapVector<const Form *, IndexBounds> &narrowed) {
  if (sum->terms.size() > kMaxTermsOfFact)
    return;
  auto getBounds = [&](const Form *atom) {
    auto it = narrowed.find(atom);
    return it == narrowed.end() ? atom->bounds : it->second;
  };
  for (const Term &term : sum->terms) {
    IndexBounds rest = IndexBounds::exactly(0);
    for (const Term &other : sum->terms)
      if (other.atom != term.atom)
        rest = rest + getBounds(other.atom) * other.factor;
    // The atom is this multiple, divided.
    IndexBounds multiple = bounds + rest * -1;
    IndexBounds atom;
    int64_t factor = term.factor;
    auto &low = factor > 0 ? multiple.low : multiple.high;
    auto &high = factor > 0 ? multiple.high : multiple.low;
    if (low)
      atom.low = narrow(ceilDiv(*low, factor));
    if (high)
      atom.high = narrow(floorDiv(*high, factor));
    IndexBounds before = getBounds(term.atom);
    IndexBounds after = before.intersect(atom);
    if (after.low != before.low || after.high != before.high)
      narrowed[term.atom] = after;
  }
}

IndexBounds FormBuilder::getBoundsGiven(const Form *sum,
                                        llvm::ArrayRef<Fact> facts) {
  IndexBounds bounds = sum->bounds;
  for (const Fact &fact : facts) {
    // The multiple of the fact that cancels an atom of the sum.
    for (const Term &term : fact.sum->terms) {
      const Term *same = llvm::find_if(sum->terms, [&](const Term &other) {
        return other.atom == term.atom;
      });
      if (same == sum->terms.end() || same->factor % term.factor != 0)
        continue;
      int64_t factor = same->factor / term.factor;
      bool before = std::exchange(overflowed, false);
      const Form *rest = add(sum, fact.sum, -WideInt(factor));
      if (!std::exchange(overflowed, before))
        bounds = bounds.intersect(rest->bounds + fact.bounds * factor);
      break;
    }
  }
  return bounds;
}

const Form *FormBuilder::assume(const Form *form, const Form *condition) {
  // Choices within a choice have been through this for their own conditions.
  if (form->getConstant() || isAssuming || form->size > kMaxAssumedSize)
    return form;
  llvm::SmallVector<Fact> facts;
  collectFacts(condition, facts);
  // What is known is replaced: the parts of the condition by true, atoms by
  // symbols with the bounds that hold here. Symbols are put back in the end:
  // what has been simplified in between stays so.
  llvm::DenseMap<const Form *, const Form *> forward, back;
  auto isPart = [](const Form *part) {
    return part->kind != FormKind::BoolConstant && !part->isComparison();
  };
  llvm::ArrayRef<const Form *> parts = condition;
  if (condition->kind == FormKind::And)
    parts = condition->operands;
  for (const Form *part : parts)
    if (isPart(part)) {
      forward[part] = getBool(true);
      forward[negate(part)] = getBool(false);
    }
  if (facts.empty() && forward.empty())
    return form;

  isAssuming = true;
  llvm::MapVector<const Form *, IndexBounds> narrowed;
  // Once more, since what one fact says may tell more from another.
  for (unsigned round = 0; round < 2; ++round)
    for (const Fact &fact : facts)
      narrowAtoms(fact.sum, fact.bounds, narrowed);
  for (auto [atom, bounds] : narrowed) {
    Form symbol;
    symbol.kind = FormKind::Symbol;
    symbol.value = symbol.rank = context.createSymbol(bounds)->getValue();
    symbol.bounds = bounds;
    if (atom->kind == FormKind::Symbol)
      if (IndexExpr limit = context.getLimit(atom->value))
        context.setLimit(symbol.value, limit);
    const Form *unique = this->unique(symbol);
    forward[atom] = unique;
    back[unique] = atom;
  }
  // Facts are read in the same symbols.
  bool before = std::exchange(overflowed, false);
  for (Fact &fact : facts) {
    llvm::DenseMap<const Form *, const Form *> known = forward;
    const Form *sum = substitute(fact.sum, {}, known);
    fact.sum = getSum(sum->terms, 0);
    fact.bounds = fact.bounds + IndexBounds::exactly(sum->value) * -1;
  }
  if (std::exchange(overflowed, before))
    facts.clear();
  form = substitute(form, facts, forward);
  form = substitute(form, {}, back);
  isAssuming = false;
  return form;
}

const Form *
FormBuilder::minmaxGiven(FormKind kind,
                         llvm::SmallVectorImpl<const Form *> &operands,
                         llvm::ArrayRef<Fact> facts) {
  // What another operand is never beyond goes.
  bool isMin = kind == FormKind::Min;
  for (size_t i = 0; i < operands.size() && !facts.empty(); ++i) {
    bool isNeeded = llvm::none_of(operands, [&](const Form *other) {
      if (other == operands[i])
        return false;
      IndexBounds difference =
          getBoundsGiven(add(operands[i], other, -1), facts);
      return isMin ? difference.isAtLeast(0) : difference.isAtMost(0);
    });
    if (!isNeeded)
      operands.erase(operands.begin() + i--);
  }
  return minmax(kind, operands);
}

/// `known` maps atoms and conditions to atoms and conditions, or to sums.
const Form *
FormBuilder::substitute(const Form *form, llvm::ArrayRef<Fact> facts,
                        llvm::DenseMap<const Form *, const Form *> &known) {
  if (form->kind == FormKind::Sum) {
    const Form *sum = getConstant(form->value);
    for (const Term &term : form->terms) {
      const Form *atom = substitute(term.atom, facts, known);
      sum = add(sum, atom->kind == FormKind::Sum ? atom : getSum(atom),
                term.factor);
    }
    return sum;
  }
  if (const Form *result = known.lookup(form))
    return result;
  llvm::SmallVector<const Form *> operands;
  for (const Form *operand : form->operands)
    operands.push_back(substitute(operand, facts, known));
  const Form *result = form;
  switch (form->kind) {
  case FormKind::Product:
    result = getConstant(1);
    for (const Form *operand : operands)
      result = multiply(result, operand);
    break;
  case FormKind::Div: {
    IndexBounds bounds = getBoundsGiven(operands[0], facts);
    std::optional<int64_t> quotient =
        bounds.floorDiv(operands[1]->bounds).getConstant();
    result =
        quotient ? getConstant(*quotient) : divide(operands[0], operands[1]);
    break;
  }
  case FormKind::Mod:
    result = modulo(operands[0], operands[1]);
    break;
  case FormKind::Min:
  case FormKind::Max:
    result = minmaxGiven(form->kind, operands, facts);
    break;
  case FormKind::Select:
    result = select(operands[0], operands[1], operands[2]);
    break;
  case FormKind::Less:
  case FormKind::GreaterEqual:
  case FormKind::Equal:
  case FormKind::NotEqual: {
    IndexBounds bounds = getBoundsGiven(operands[0], facts);
    if (auto value = decide(form->kind, bounds, form->value)) {
      result = getBool(*value);
      break;
    }
    result = compare(form->kind, getSum(operands[0]->terms, 0),
                     WideInt(form->value) - operands[0]->value);
    break;
  }
  case FormKind::And:
  case FormKind::Or:
    result = combine(form->kind, operands);
    break;
  case FormKind::Not:
    result = negate(operands[0]);
    break;
  case FormKind::Symbol:
  case FormKind::Opaque:
  case FormKind::Sum:
  case FormKind::BoolConstant:
  case FormKind::BoolSymbol:
  case FormKind::OpaqueBool:
    break;
  }
  known[form] = result;
  return result;
}

//===----------------------------------------------------------------------===//
// From expressions
//===----------------------------------------------------------------------===//

const Form *FormBuilder::buildNode(IndexExpr expr) {
  llvm::SmallVector<const Form *, 3> operands;
  for (IndexExpr operand : expr->getOperands())
    operands.push_back(build(operand));
  switch (expr->getOp()) {
  case IndexOp::Constant:
    return getSum({}, expr->getValue());
  case IndexOp::BoolConstant:
    return getBool(expr->getValue());
  case IndexOp::Symbol:
  case IndexOp::BoolSymbol: {
    Form form;
    bool isBool = expr->getOp() == IndexOp::BoolSymbol;
    form.kind = isBool ? FormKind::BoolSymbol : FormKind::Symbol;
    form.value = form.rank = expr->getValue();
    form.bounds = context.getBounds(expr->getValue());
    if (isBool)
      return unique(form);
    if (std::optional<int64_t> constant = form.bounds.getConstant())
      return getSum({}, *constant);
    return getSum(unique(form));
  }
  case IndexOp::Add:
    return add(operands[0], operands[1]);
  case IndexOp::Sub:
    return add(operands[0], operands[1], -1);
  case IndexOp::Mul:
    return multiply(operands[0], operands[1]);
  case IndexOp::FloorDiv:
    return divide(operands[0], operands[1]);
  case IndexOp::FloorMod:
    return modulo(operands[0], operands[1]);
  case IndexOp::CeilDiv:
    return scale(divide(scale(operands[0], -1), operands[1]), -1);
  case IndexOp::Min:
    return minmax(FormKind::Min, operands);
  case IndexOp::Max:
    return minmax(FormKind::Max, operands);
  case IndexOp::Select:
    return select(operands[0], operands[1], operands[2]);
  case IndexOp::Less:
    return less(operands[0], operands[1]);
  case IndexOp::LessEqual:
    return negate(less(operands[1], operands[0]));
  case IndexOp::Greater:
    return less(operands[1], operands[0]);
  case IndexOp::GreaterEqual:
    return negate(less(operands[0], operands[1]));
  case IndexOp::Equal:
    return equal(operands[0], operands[1]);
  case IndexOp::NotEqual:
    return negate(equal(operands[0], operands[1]));
  case IndexOp::And:
    return combine(FormKind::And, operands);
  case IndexOp::Or:
    return combine(FormKind::Or, operands);
  case IndexOp::Not:
    return negate(operands[0]);
  }
  return nullptr;
}

const Form *FormBuilder::build(IndexExpr expr) {
  if (const Form *known = built.lookup(expr))
    return known;
  bool before = std::exchange(overflowed, false);
  const Form *form = buildNode(expr);
  // A number left 64 bits: this operation, at least, stays as it is.
  if (std::exchange(overflowed, before)) {
    Form opaque;
    opaque.kind =
        isBoolean(expr->getOp()) ? FormKind::OpaqueBool : FormKind::Opaque;
    opaque.expr = expr;
    for (IndexExpr operand : expr->getOperands())
      opaque.rank = std::max(opaque.rank, build(operand)->rank);
    form = unique(opaque);
    if (!isBoolean(expr->getOp())) {
      form = getSum(form);
      overflowed = before;
    }
  }
  built[expr] = form;
  return form;
}
