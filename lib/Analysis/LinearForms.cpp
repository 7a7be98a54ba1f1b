//===- LinearForms.cpp - Indices as sums of multiples ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/LinearForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace uop;

unsigned LinearForms::getNumber(Value value) {
  auto [it, isNew] = numbers.try_emplace(value, numbered.size());
  if (isNew)
    numbered.push_back(value);
  return it->second;
}

/// Adds a multiple of a form; false where a number leaves 64 bits.
static bool add(LinearForm &sum, const LinearForm &other, int64_t factor) {
  LinearForm result;
  auto multiply = [&](int64_t number, int64_t added, int64_t &into) {
    std::optional<int64_t> value = llvm::checkedMulAdd(number, factor, added);
    into = value.value_or(0);
    return value.has_value();
  };
  auto a = sum.terms.begin(), aEnd = sum.terms.end();
  auto b = other.terms.begin(), bEnd = other.terms.end();
  while (a != aEnd || b != bEnd) {
    if (b == bEnd || (a != aEnd && a->first < b->first)) {
      result.terms.push_back(*a++);
      continue;
    }
    int64_t before = 0, coefficient;
    unsigned number = b->first;
    if (a != aEnd && a->first == number)
      before = (a++)->second;
    if (!multiply((b++)->second, before, coefficient))
      return false;
    if (coefficient != 0)
      result.terms.push_back({number, coefficient});
  }
  if (!multiply(other.constant, sum.constant, result.constant))
    return false;
  sum = std::move(result);
  return true;
}

/// The form of the result of an op: a sum, if it is a short one, or the result
/// as a value of which no more is known.
LinearForm LinearForms::readOp(Operation *op, unsigned depth) {
  constexpr size_t maxTerms = 16;
  APInt constant;
  auto getConstant = [&](unsigned operand) {
    return matchPattern(op->getOperand(operand), m_ConstantInt(&constant));
  };
  LinearForm form;
  bool isSum = false;
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    // Both are read before one is used: reading may move the other.
    form = read(op->getOperand(0), depth);
    isSum = add(form, read(op->getOperand(1), depth),
                isa<arith::AddIOp>(op) ? 1 : -1);
  } else if (isa<arith::MulIOp>(op) && (getConstant(1) || getConstant(0))) {
    unsigned other = getConstant(1) ? 0 : 1;
    isSum =
        add(form, read(op->getOperand(other), depth), constant.getSExtValue());
  } else if (isa<arith::ShLIOp>(op) && getConstant(1) && constant.ult(63)) {
    isSum = add(form, read(op->getOperand(0), depth),
                int64_t(1) << constant.getZExtValue());
  }
  if (isSum && form.terms.size() <= maxTerms)
    return form;
  LinearForm atom;
  atom.terms.push_back({getNumber(op->getResult(0)), 1});
  return atom;
}

const LinearForm &LinearForms::read(Value value, unsigned depth) {
  // Deeper ones are rare, and the stack is finite.
  constexpr unsigned maxDepth = 100;
  if (auto it = forms.find(value); it != forms.end())
    return it->second;
  LinearForm form;
  APInt constant;
  Operation *op = value.getDefiningOp();
  if (matchPattern(value, m_ConstantInt(&constant)))
    form.constant = constant.getSExtValue();
  else if (op && op->getNumResults() == 1 && depth < maxDepth)
    form = readOp(op, depth + 1);
  else
    form.terms.push_back({getNumber(value), 1});
  return forms[value] = std::move(form);
}
