//===- IndexWriter.cpp - From the normal form to an expression ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tree with m multiplications by constants gives its leaves at most m + 1
// different factors, so writing each factor of a sum once is never worse than
// how the sum was written: 4*a + 4*b is written 4*(a + b). Constants come
// last, so that neighbouring addresses share what is before.
//
//===----------------------------------------------------------------------===//

#include "IndexForm.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace uop;

IndexExpr FormWriter::write(const Form *form) {
  if (IndexExpr known = written.lookup(form))
    return known;
  IndexExpr expr =
      form->kind == FormKind::Sum ? writeSum(form) : writeAtom(form);
  written[form] = expr;
  return expr;
}

IndexExpr FormWriter::writeAtom(const Form *form) {
  auto fold = [&](IndexOp op) {
    llvm::SmallVector<const Form *> operands(form->operands);
    // A constant is the last operand.
    if (op == IndexOp::Min || op == IndexOp::Max)
      if (operands.front()->getConstant())
        std::rotate(operands.begin(), operands.begin() + 1, operands.end());
    IndexExpr result = write(operands.front());
    for (const Form *operand : llvm::drop_begin(operands))
      result = context.get(op, {result, write(operand)});
    return result;
  };
  switch (form->kind) {
  case FormKind::Symbol:
  case FormKind::BoolSymbol:
    return context.getSymbol(form->value);
  case FormKind::Opaque:
  case FormKind::OpaqueBool:
    return form->expr;
  case FormKind::BoolConstant:
    return context.getBool(form->value);
  case FormKind::Product:
    return fold(IndexOp::Mul);
  case FormKind::Min:
    return fold(IndexOp::Min);
  case FormKind::Max:
    return fold(IndexOp::Max);
  case FormKind::And:
    return fold(IndexOp::And);
  case FormKind::Or:
    return fold(IndexOp::Or);
  case FormKind::Not:
    return context.get(IndexOp::Not, write(form->operands[0]));
  case FormKind::Mod:
    return fold(IndexOp::FloorMod);
  case FormKind::Div: {
    // x // c is -x // -c.
    const Form *numerator = form->operands[0], *divisor = form->operands[1];
    IndexExpr plain =
        context.get(IndexOp::FloorDiv, {write(numerator), write(divisor)});
    if (!divisor->getConstant())
      return plain;
    IndexExpr negated =
        context.get(IndexOp::FloorDiv, {write(builder.scale(numerator, -1)),
                                        write(builder.scale(divisor, -1))});
    return negated->getTreeSize() < plain->getTreeSize() ? negated : plain;
  }
  case FormKind::Select:
    return context.get(IndexOp::Select,
                       {write(form->operands[0]), write(form->operands[1]),
                        write(form->operands[2])});
  default:
    return writeComparison(form);
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

bool FormWriter::takeOutFactor(const Form *form, IndexExpr &result) {
  // The factor of the most products, the first in order of several.
  const Form *best = nullptr;
  auto hasFactor = [](const Form *atom, const Form *factor) {
    return atom == factor->getAtom() ||
           (atom->kind == FormKind::Product &&
            llvm::is_contained(atom->operands, factor));
  };
  llvm::MapVector<const Form *, size_t> counts;
  bool hasProduct = false;
  for (const Term &term : form->terms) {
    if (term.atom->kind != FormKind::Product) {
      ++counts[builder.getSum(term.atom)];
      continue;
    }
    hasProduct = true;
    // Equal factors stand side by side.
    const Form *last = nullptr;
    for (const Form *factor : term.atom->operands)
      if (std::exchange(last, factor) != factor)
        ++counts[factor];
  }
  if (!hasProduct)
    return false;
  size_t most = 1;
  for (auto [factor, count] : counts)
    if (count > most ||
        (count == most && best && compareForms(factor, best) < 0)) {
      best = factor;
      most = count;
    }
  if (!best)
    return false;
  const Form *multiple = builder.getConstant(0);
  llvm::SmallVector<Term> rest;
  for (const Term &term : form->terms) {
    if (!hasFactor(term.atom, best)) {
      rest.push_back(term);
      continue;
    }
    const Form *other = builder.getConstant(term.factor);
    if (term.atom->kind == FormKind::Product) {
      bool isTaken = false;
      for (const Form *factor : term.atom->operands) {
        if (factor == best && !isTaken)
          isTaken = true;
        else
          other = builder.multiply(other, factor);
      }
    }
    multiple = builder.add(multiple, other);
  }
  IndexExpr product = context.get(IndexOp::Mul, {write(best), write(multiple)});
  if (rest.empty() && form->value == 0) {
    result = product;
    return true;
  }
  const Form *others = builder.getSum(rest, form->value);
  if (std::optional<int64_t> constant = others->getConstant())
    result =
        context.get(IndexOp::Add, {product, context.getConstant(*constant)});
  else if (compareForms(best, others) < 0)
    result = context.get(IndexOp::Add, {product, write(others)});
  else
    result = context.get(IndexOp::Add, {write(others), product});
  return true;
}

FormWriter::Item FormWriter::writeTerm(Term term) {
  bool isNegative = term.factor < 0;
  int64_t factor = isNegative ? -term.factor : term.factor;
  // -(y mod c) is (-y) mod (-c).
  if (term.atom->kind == FormKind::Mod && isNegative &&
      term.atom->operands[1]->getConstant()) {
    const Form *numerator = builder.scale(term.atom->operands[0], -1);
    const Form *divisor = builder.scale(term.atom->operands[1], -1);
    if (write(numerator)->getTreeSize() <
        write(term.atom->operands[0])->getTreeSize())
      return {
          context.get(IndexOp::FloorMod, {write(numerator), write(divisor)}),
          factor, false};
  }
  return {write(term.atom), factor, isNegative};
}

IndexExpr FormWriter::join(llvm::ArrayRef<Item> items, int64_t constant) {
  auto scaled = [&](const Item &item, bool isNegative) {
    int64_t factor = isNegative ? -item.factor : item.factor;
    return factor == 1 ? item.expr
                       : context.get(IndexOp::Mul,
                                     {item.expr, context.getConstant(factor)});
  };
  // What is added comes first, then what is subtracted keeps its sign.
  const Item *first =
      llvm::find_if(items, [](const Item &item) { return !item.isNegative; });
  IndexExpr sum;
  if (first != items.end()) {
    sum = scaled(*first, false);
  } else if (constant != 0 || items.empty()) {
    sum = context.getConstant(constant);
    constant = 0;
    first = nullptr;
  } else {
    first = items.begin();
    sum = scaled(*first, true);
  }
  for (const Item &item : items)
    if (&item != first)
      sum = context.get(item.isNegative ? IndexOp::Sub : IndexOp::Add,
                        {sum, scaled(item, false)});
  if (constant != 0)
    sum = context.get(IndexOp::Add, {sum, context.getConstant(constant)});
  return sum;
}

void FormWriter::group(llvm::ArrayRef<Term> terms,
                       llvm::SmallVectorImpl<Item> &items) {
  llvm::SmallVector<Item> single;
  for (const Term &term : terms)
    single.push_back(writeTerm(term));
  llvm::SmallVector<bool> isTaken(single.size(), false);
  for (size_t i = 0; i < single.size(); ++i) {
    if (isTaken[i])
      continue;
    llvm::SmallVector<Item> same;
    for (size_t j = i; j < single.size(); ++j) {
      if (single[j].factor != single[i].factor)
        continue;
      if (single[i].factor == 1 && j != i)
        break;
      isTaken[j] = true;
      same.push_back({single[j].expr, 1, single[j].isNegative});
    }
    if (same.size() == 1) {
      items.push_back(single[i]);
      continue;
    }
    bool isNegative =
        llvm::all_of(same, [](const Item &item) { return item.isNegative; });
    if (isNegative)
      for (Item &item : same)
        item.isNegative = false;
    items.push_back({join(same, 0), single[i].factor, isNegative});
  }
}

IndexExpr FormWriter::writeSum(const Form *form) {
  IndexExpr factored = nullptr;
  llvm::SmallVector<Term> terms(form->terms);
  WideInt constant = form->value;
  builder.matchRemainders(terms, constant);
  std::optional<int64_t> fits = narrow(constant);
  if (!fits) {
    terms.assign(form->terms.begin(), form->terms.end());
    fits = form->value;
  }
  llvm::SmallVector<Item> items;
  group(terms, items);
  IndexExpr joined = join(items, *fits);
  if (takeOutFactor(form, factored) &&
      factored->getTreeSize() < joined->getTreeSize())
    return factored;
  return joined;
}

IndexExpr FormWriter::writeComparison(const Form *form) {
  const Form *sum = form->operands[0];
  int64_t constant = form->value;
  llvm::SmallVector<Term> terms(sum->terms);
  WideInt offset = 0;
  builder.matchRemainders(terms, offset);
  std::optional<int64_t> moved = narrow(constant - offset);
  if (moved) {
    constant = *moved;
  } else {
    terms.assign(sum->terms.begin(), sum->terms.end());
  }
  // Both sides are positive: x - y < c is x < y + c.
  llvm::SmallVector<Item> items, left, right;
  group(terms, items);
  for (Item item : items) {
    auto &side = item.isNegative ? right : left;
    item.isNegative = false;
    side.push_back(item);
  }
  FormKind kind = form->kind;
  bool isOrder = kind == FormKind::Less || kind == FormKind::GreaterEqual;
  auto get = [&](IndexOp less, IndexOp greaterEqual, IndexExpr a, IndexExpr b) {
    IndexOp op = kind == FormKind::Less           ? less
                 : kind == FormKind::GreaterEqual ? greaterEqual
                 : kind == FormKind::Equal        ? IndexOp::Equal
                                                  : IndexOp::NotEqual;
    return context.get(op, {a, b});
  };
  if (right.empty()) {
    IndexExpr a = join(left, 0);
    // The first and the last value read best as equalities.
    if (kind == FormKind::Less && sum->bounds.low == form->value - 1)
      return context.get(IndexOp::Equal,
                         {a, context.getConstant(constant - 1)});
    if (kind == FormKind::GreaterEqual && sum->bounds.high == form->value)
      return context.get(IndexOp::Equal, {a, context.getConstant(constant)});
    return get(IndexOp::Less, IndexOp::GreaterEqual, a,
               context.getConstant(constant));
  }
  if (left.empty())
    // -y < c is y > -c.
    return get(IndexOp::Greater, IndexOp::LessEqual, join(right, 0),
               context.getConstant(-constant));
  if (isOrder && constant == 1)
    // x < y + 1 is x <= y.
    return get(IndexOp::LessEqual, IndexOp::Greater, join(left, 0),
               join(right, 0));
  IndexExpr a = join(left, constant < 0 ? -constant : 0);
  IndexExpr b = join(right, constant > 0 ? constant : 0);
  return get(IndexOp::Less, IndexOp::GreaterEqual, a, b);
}
