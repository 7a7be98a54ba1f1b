//===- IndexForm.h - The normal form of index expressions -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An integer is a Sum: a constant plus factors times atoms. Atoms are symbols,
// products, floor quotients by what they cannot be reduced by, min, max and
// select, whose operands are sums (and conditions). The remainder is no atom:
// x mod c is x - c*(x//c), so that div and mod that belong together cancel by
// addition. A condition compares a sum without constant with a constant.
//
// Where a bound is needed or an expression is written out, remainders are
// found again (matchRemainders).
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_ANALYSIS_INDEXFORM_H
#define UOP_LIB_ANALYSIS_INDEXFORM_H

#include "Uop/Analysis/IndexExpr.h"
#include "llvm/ADT/DenseMap.h"

namespace uop {

enum class FormKind : uint8_t {
  Symbol,
  Product,
  Div,
  /// Only in the results of matchRemainders, and where the divisor is a sum.
  Mod,
  Min,
  Max,
  Select,
  /// An expression that cannot be a form, since a number left 64 bits.
  Opaque,
  Sum,
  // Conditions. Less and the like: the operand is a sum, the value a constant.
  BoolConstant,
  BoolSymbol,
  OpaqueBool,
  Less,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Not,
};

class Form;

/// A factor times an atom.
struct Term {
  const Form *atom;
  int64_t factor;

  bool operator==(const Term &other) const {
    return atom == other.atom && factor == other.factor;
  }
};

/// A node of a normal form, stored once.
class Form : public llvm::FoldingSetNode {
public:
  FormKind kind;
  /// The number of a symbol, the constant of a sum or comparison.
  int64_t value = 0;
  /// Of a sum: in canonical order, factors not zero, each atom once.
  llvm::ArrayRef<Term> terms;
  llvm::ArrayRef<const Form *> operands;
  /// Of Opaque and OpaqueBool.
  IndexExpr expr = nullptr;
  IndexBounds bounds;
  /// The greatest number of a symbol in it.
  int64_t rank = -1;
  /// The number of nodes, those that are shared counted each time.
  uint32_t size = 1;

  std::optional<int64_t> getConstant() const {
    if (kind == FormKind::Sum && terms.empty())
      return value;
    return std::nullopt;
  }
  /// The atom that a sum consists of, if it is one.
  const Form *getAtom() const {
    return terms.size() == 1 && terms[0].factor == 1 && value == 0
               ? terms[0].atom
               : nullptr;
  }
  bool isBool(bool constant) const {
    return kind == FormKind::BoolConstant && value == constant;
  }
  bool isComparison() const {
    return kind >= FormKind::Less && kind <= FormKind::NotEqual;
  }
  void Profile(llvm::FoldingSetNodeID &id) const;
  unsigned hash = 0;
  unsigned getHash() const { return hash; }
};

} // namespace uop

template <>
struct llvm::FoldingSetTrait<uop::Form> : uop::HashedNodeTrait<uop::Form> {};

namespace uop {

/// The canonical order, by rank, kind and structure: negative, 0 or positive.
int compareForms(const Form *a, const Form *b);
/// The same for expressions.
int compareExprs(IndexExpr a, IndexExpr b);

/// Makes normal forms. A number that leaves 64 bits, or a form beyond all
/// measure, sets `overflowed`; what is then returned means nothing.
class FormBuilder {
public:
  /// A product of two sums is multiplied out on demand; else it is an atom.
  explicit FormBuilder(IndexContext &context, bool multipliesOut = false)
      : context(context), multipliesOut(multipliesOut) {}

  /// The normal form of an expression, an integer or a condition.
  const Form *build(IndexExpr expr);

  const Form *getConstant(int64_t value);
  const Form *getBool(bool value);
  /// The sum of terms in any order, atoms possibly repeated.
  const Form *getSum(llvm::ArrayRef<Term> terms, WideInt constant);
  const Form *getSum(const Form *atom) { return getSum(Term{atom, 1}, 0); }
  /// a + factor * b
  const Form *add(const Form *a, const Form *b, WideInt factor = 1);
  const Form *scale(const Form *a, WideInt factor);
  const Form *multiply(const Form *a, const Form *b);
  const Form *divide(const Form *a, const Form *b);
  const Form *modulo(const Form *a, const Form *b);
  /// The least (greatest) of the operands.
  const Form *minmax(FormKind kind, llvm::ArrayRef<const Form *> operands);
  const Form *select(const Form *condition, const Form *a, const Form *b);

  /// Whether a < b.
  const Form *less(const Form *a, const Form *b);
  const Form *equal(const Form *a, const Form *b);
  const Form *negate(const Form *condition);
  /// And, Or.
  const Form *combine(FormKind kind, llvm::ArrayRef<const Form *> operands);

  /// The greatest value of a sum, where that of its symbols is less than an
  /// expression (IndexContext::setLimit) or a constant.
  std::optional<int64_t> getHigh(const Form *sum);
  /// An equal form where the condition holds.
  const Form *assume(const Form *form, const Form *condition);

  /// Rewrites the terms of a sum with remainders (kind Mod) where that leaves
  /// no more terms, changing the constant along.
  void matchRemainders(llvm::SmallVectorImpl<Term> &terms, WideInt &constant);

  unsigned getNumForms() const { return forms.size(); }

  bool overflowed = false;
  /// Whether any product of two sums has been met.
  bool hasProductOfSums = false;

private:
  /// What a condition says of a sum without constant.
  struct Fact {
    const Form *sum;
    IndexBounds bounds;
  };

  const Form *unique(const Form &form);
  /// The sum of terms in order, each atom once.
  const Form *getCollectedSum(llvm::SmallVectorImpl<Term> &terms,
                              WideInt constant);
  const Form *getAtom(FormKind kind, llvm::ArrayRef<const Form *> operands,
                      IndexBounds bounds);
  int64_t check(WideInt value);
  /// x//2 + (x + 1)//2 is x, and so on for each divisor: changes the terms, and
  /// returns true, where all quotients of a number are there. They must then be
  /// put in order again.
  bool addUpQuotients(llvm::SmallVectorImpl<Term> &terms);
  IndexBounds computeBounds(llvm::ArrayRef<Term> terms, WideInt constant);
  const Form *buildNode(IndexExpr expr);

  const Form *divideByConstant(const Form *a, int64_t divisor);
  const Form *divideBySymbol(const Form *a, const Form *b);
  /// The quotient where it comes out without a division; else null.
  const Form *divideExactly(const Form *a, int64_t divisor);

  const Form *compare(FormKind kind, const Form *sum, WideInt constant);
  void collectFacts(const Form *condition, llvm::SmallVectorImpl<Fact> &facts);
  /// Bounds of a sum where facts hold.
  IndexBounds getBoundsGiven(const Form *sum, llvm::ArrayRef<Fact> facts);
  const Form *minmaxGiven(FormKind kind,
                          llvm::SmallVectorImpl<const Form *> &operands,
                          llvm::ArrayRef<Fact> facts);
  const Form *substitute(const Form *form, llvm::ArrayRef<Fact> facts,
                         llvm::DenseMap<const Form *, const Form *> &known);

  IndexContext &context;
  bool multipliesOut;
  bool isAssuming = false;
  llvm::BumpPtrAllocator allocator;
  llvm::FoldingSet<Form> forms;
  llvm::DenseMap<IndexExpr, const Form *> built;
  llvm::DenseMap<std::pair<const Form *, int64_t>, const Form *> quotients;
};

/// Writes normal forms as expressions, in the fewest operations found.
class FormWriter {
public:
  FormWriter(IndexContext &context, FormBuilder &builder)
      : context(context), builder(builder) {}

  IndexExpr write(const Form *form);

private:
  /// factor * expr, to be added or subtracted.
  struct Item {
    IndexExpr expr;
    int64_t factor;
    bool isNegative;
  };

  IndexExpr writeSum(const Form *form);
  IndexExpr writeAtom(const Form *form);
  IndexExpr writeComparison(const Form *form);
  /// The terms of a sum that are multiples of one factor, taken together.
  bool takeOutFactor(const Form *form, IndexExpr &result);
  Item writeTerm(Term term);
  void group(llvm::ArrayRef<Term> terms, llvm::SmallVectorImpl<Item> &items);
  IndexExpr join(llvm::ArrayRef<Item> items, int64_t constant);

  IndexContext &context;
  FormBuilder &builder;
  llvm::DenseMap<const Form *, IndexExpr> written;
};

} // namespace uop

#endif // UOP_LIB_ANALYSIS_INDEXFORM_H
