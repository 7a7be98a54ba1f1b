//===- IndexSimplifier.cpp - Algebra of index expressions -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The normal form is sometimes longer than what was written, (x mod 8)//2 for
// one. Then the operands are simplified by themselves, and what is larger in
// normal form is left.
//
// Index values are mathematical integers, and the ops given do not overflow;
// nor does what is made of them. Where bounds are known this is checked; values
// without bounds are taken to be as far from the limits as addresses are.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/IndexSimplifier.h"
#include "IndexForm.h"
#include "llvm/ADT/DenseSet.h"

using namespace uop;

class IndexSimplifier::Implementation {
public:
  explicit Implementation(IndexContext &context)
      : context(context), forms(std::make_unique<Forms>(context)) {}

  /// Forgets what has been found so far, if that is much: in a large kernel it
  /// would no longer fit a cache, and is seldom needed again far from where it
  /// was made.
  void forgetOldForms() {
    if (forms->builder.getNumForms() > kMaxForms)
      forms = std::make_unique<Forms>(context);
  }

  IndexExpr simplify(IndexExpr expr) {
    return repeat(expr, [&](IndexExpr next) { return simplifyOnce(next); });
  }

  IndexExpr simplifyUnder(IndexExpr expr, IndexExpr condition) {
    return repeat(expr, [&](IndexExpr next) {
      next = simplifyOnce(next);
      FormBuilder &builder = forms->builder;
      const Form *form = builder.build(next);
      builder.overflowed = false;
      form = builder.assume(form, builder.build(condition));
      if (std::exchange(builder.overflowed, false))
        return next;
      IndexExpr result = forms->writer.write(form);
      if (std::exchange(builder.overflowed, false))
        return next;
      return isBetter(result, next) ? result : next;
    });
  }

  IndexBounds getBounds(IndexExpr expr) {
    return forms->builder.build(expr)->bounds;
  }

private:
  static constexpr unsigned kMaxForms = 1 << 14;

  struct Forms {
    explicit Forms(IndexContext &context)
        : builder(context), writer(context, builder),
          expander(context, /*multipliesOut=*/true),
          expansionWriter(context, expander) {}

    FormBuilder builder;
    FormWriter writer;
    /// The same, with products of sums multiplied out.
    FormBuilder expander;
    FormWriter expansionWriter;
    llvm::DenseMap<IndexExpr, IndexExpr> partly;
  };

  static IndexExpr
  repeat(IndexExpr expr,
         llvm::function_ref<IndexExpr(IndexExpr)> simplifyOnce) {
    // One round does nearly everything; a second may see what the first made.
    for (unsigned round = 0; round < 4; ++round) {
      IndexExpr next = simplifyOnce(expr);
      if (next == expr)
        break;
      expr = next;
    }
    return expr;
  }

  static IndexExpr toNormalForm(IndexExpr expr, FormBuilder &builder,
                                FormWriter &writer) {
    const Form *form = builder.build(expr);
    builder.overflowed = false;
    IndexExpr result = writer.write(form);
    return std::exchange(builder.overflowed, false) ? expr : result;
  }

  IndexExpr toNormalForm(IndexExpr expr) {
    IndexExpr result = toNormalForm(expr, forms->builder, forms->writer);
    if (!forms->builder.hasProductOfSums)
      return result;
    // What is multiplied out is longer, unless something cancels.
    IndexExpr expanded =
        toNormalForm(expr, forms->expander, forms->expansionWriter);
    return IndexContext::countOps(expanded) < IndexContext::countOps(result) &&
                   fitsMachine(expanded, expr)
               ? expanded
               : result;
  }

  /// Whether `result` may stand for `expr`.
  bool isBetter(IndexExpr result, IndexExpr expr) {
    return result == expr ||
           (IndexContext::countOps(result) <= IndexContext::countOps(expr) &&
            dividesNothingNewByZero(result, expr) && fitsMachine(result, expr));
  }

  /// Calls the function with each node of an expression until it returns false.
  static bool forEachNode(IndexExpr root,
                          llvm::function_ref<bool(IndexExpr)> visit) {
    llvm::SmallVector<IndexExpr> stack{root};
    llvm::DenseSet<IndexExpr> seen;
    while (!stack.empty()) {
      IndexExpr expr = stack.pop_back_val();
      if (!seen.insert(expr).second)
        continue;
      if (!visit(expr))
        return false;
      llvm::append_range(stack, expr->getOperands());
    }
    return true;
  }

  /// Whether each divisor in `result` that may be zero is one in `expr`, too: a
  /// choice that guards a division is not dropped.
  bool dividesNothingNewByZero(IndexExpr result, IndexExpr expr) {
    auto collectDivisors = [&](IndexExpr root) {
      llvm::DenseSet<IndexExpr> divisors;
      forEachNode(root, [&](IndexExpr node) {
        if (node->getOp() == IndexOp::FloorDiv ||
            node->getOp() == IndexOp::FloorMod ||
            node->getOp() == IndexOp::CeilDiv)
          if (IndexExpr divisor = node->getOperands()[1];
              !isNeverZero(getBounds(divisor)))
            divisors.insert(divisor);
        return true;
      });
      return divisors;
    };
    llvm::DenseSet<IndexExpr> unproved = collectDivisors(result);
    if (unproved.empty())
      return true;
    llvm::DenseSet<IndexExpr> given = collectDivisors(expr);
    return llvm::all_of(
        unproved, [&](IndexExpr divisor) { return given.contains(divisor); });
  }

  static bool isNeverZero(IndexBounds bounds) {
    return bounds.isAtLeast(1) || bounds.isAtMost(-1);
  }

  /// Whether what is divided or compared in `result` fits 64 bits: by bounds,
  /// or since it is divided or compared in `expr`, or because a value without
  /// bounds is in it. Sums and products wrap alike: only the whole matters.
  bool fitsMachine(IndexExpr result, IndexExpr expr) {
    llvm::SmallVector<IndexExpr> unproved;
    forEachNode(result, [&](IndexExpr node) {
      bool isLinear = node->getOp() == IndexOp::Add ||
                      node->getOp() == IndexOp::Sub ||
                      node->getOp() == IndexOp::Mul;
      for (IndexExpr operand : node->getOperands())
        if (!isLinear && !isBoolean(operand->getOp()) &&
            !getBounds(operand).isBounded())
          unproved.push_back(operand);
      return true;
    });
    if (unproved.empty())
      return true;
    llvm::DenseSet<IndexExpr> given;
    forEachNode(expr, [&](IndexExpr node) {
      given.insert(node);
      return true;
    });
    return llvm::all_of(unproved, [&](IndexExpr operand) {
      if (given.contains(operand))
        return true;
      return !forEachNode(operand, [&](IndexExpr node) {
        return node->getOp() != IndexOp::Symbol ||
               context.getBounds(node->getValue()).isBounded();
      });
    });
  }

  IndexExpr simplifyOnce(IndexExpr expr) {
    IndexExpr result = toNormalForm(expr);
    return isBetter(result, expr) ? result : simplifyOperands(expr);
  }

  IndexExpr simplifyOperands(IndexExpr expr) {
    if (expr->isLeaf())
      return expr;
    if (IndexExpr known = forms->partly.lookup(expr))
      return known;
    llvm::SmallVector<IndexExpr, 3> operands;
    for (IndexExpr operand : expr->getOperands())
      operands.push_back(simplifyOperands(operand));
    IndexOp op = expr->getOp();
    if (op == IndexOp::Add || op == IndexOp::Mul || op == IndexOp::Min ||
        op == IndexOp::Max || op == IndexOp::And || op == IndexOp::Or)
      if (compareExprs(operands[1], operands[0]) < 0)
        std::swap(operands[0], operands[1]);
    IndexExpr rebuilt = context.get(op, operands);
    IndexExpr normal = toNormalForm(rebuilt);
    if (isBetter(normal, rebuilt))
      rebuilt = normal;
    // Operands that were shared may no longer be.
    if (!isBetter(rebuilt, expr))
      rebuilt = expr;
    forms->partly[expr] = rebuilt;
    return rebuilt;
  }

  IndexContext &context;
  std::unique_ptr<Forms> forms;
};

IndexSimplifier::IndexSimplifier(IndexContext &context)
    : implementation(std::make_unique<Implementation>(context)) {}
IndexSimplifier::~IndexSimplifier() = default;

IndexExpr IndexSimplifier::simplify(IndexExpr expr) {
  implementation->forgetOldForms();
  return implementation->simplify(expr);
}

IndexExpr IndexSimplifier::simplifyUnder(IndexExpr expr, IndexExpr condition) {
  implementation->forgetOldForms();
  return implementation->simplifyUnder(expr, condition);
}

IndexBounds IndexSimplifier::getBounds(IndexExpr expr) {
  implementation->forgetOldForms();
  return implementation->getBounds(expr);
}
