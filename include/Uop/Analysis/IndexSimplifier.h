//===- IndexSimplifier.h - Algebra of index expressions ---------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_INDEXSIMPLIFIER_H
#define UOP_ANALYSIS_INDEXSIMPLIFIER_H

#include "Uop/Analysis/IndexExpr.h"
#include <memory>

namespace uop {

/// Rewrites index expressions to equal ones that are at most as large, in a
/// canonical operand order: the order depends on the numbers of the symbols
/// and on structure, not on how or in what order the expressions were written.
///
/// An expression goes to a normal form (sums of products of atoms, with the
/// remainder written as `x - c*(x//c)`, so that recombination is addition),
/// and is written out again in the fewest operations found. Equal means: for
/// every value of the symbols within their bounds for which no divisor is zero.
/// Symbols are integers of any size and sign unless their bounds say more.
class IndexSimplifier {
public:
  explicit IndexSimplifier(IndexContext &context);
  ~IndexSimplifier();

  /// An equal expression with no more operations (those that are shared within
  /// it counted once).
  IndexExpr simplify(IndexExpr expr);

  /// The same, but the result need only be equal where the condition holds.
  /// Where it does not, the result divides by zero only if the expression does.
  IndexExpr simplifyUnder(IndexExpr expr, IndexExpr condition);

  /// What is known of the value of an integer expression.
  IndexBounds getBounds(IndexExpr expr);

  /// Expressions larger than this (see IndexNode::getTreeSize) may be given,
  /// but take time that grows faster than their size: cut them.
  static constexpr uint32_t kMaxTreeSize = 256;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation;
};

} // namespace uop

#endif // UOP_ANALYSIS_INDEXSIMPLIFIER_H
