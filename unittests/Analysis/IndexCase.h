//===- IndexCase.h - Cases of index algebra, and smaller ones ---*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is an expression with the bounds of its symbols, apart from any
// context, so that parts and bounds of it can be changed one by one.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_ANALYSIS_INDEXCASE_H
#define UOP_UNITTESTS_ANALYSIS_INDEXCASE_H

#include "IndexText.h"
#include <optional>

namespace uop::test {

struct Tree {
  IndexOp op = IndexOp::Constant;
  /// A constant, or the number of a symbol.
  int64_t value = 0;
  std::vector<Tree> operands = {};
};

struct CaseSymbol {
  /// Where its values are.
  IndexBounds bounds;
  /// Whether the simplifier is told so.
  bool isDeclared = true;
  /// The number of an older symbol that is greater, if any.
  std::optional<size_t> limit = {};
};

struct Case {
  Tree expr;
  /// Where it is false the value of the expression does not matter.
  std::optional<Tree> condition = {};
  std::vector<CaseSymbol> symbols = {};
};

Tree toTree(IndexExpr expr);

/// A case in a context of its own.
struct BuiltCase {
  explicit BuiltCase(const Case &source);

  IndexContext context;
  Symbols symbols;
  IndexExpr expr;
  /// Null where there is none.
  IndexExpr condition;
};

/// `(a // 2) * 2 under a < 3, where a in [0,7]`; a symbol whose bounds are not
/// declared is `a among [0,7]`, and one that is less than another `below b`.
std::string toString(const Case &source);

/// Whether each symbol is less than its limit.
bool isWithinLimits(const Case &source, llvm::ArrayRef<int64_t> point);

/// What is to be tested: makes an equal expression, given the condition under
/// which it must be equal (or null).
using Rewrite = std::function<IndexExpr(IndexContext &context, IndexExpr expr,
                                        IndexExpr condition)>;

/// Compares what the rewrite makes of a case with the original, on a machine
/// that wraps, wherever the original divides by no zero and overflows nowhere:
/// at each point within the bounds, or at 20,000 of them. It must be no larger,
/// and stay as it is when rewritten again. Says what is wrong, if anything.
std::optional<std::string> findFault(const Case &source,
                                     const Rewrite &rewrite);

/// The smallest case found, in steps that each keep `fails` true: operands in
/// place of operations, smaller constants, narrower bounds.
Case shrink(Case source, const std::function<bool(const Case &)> &fails);

} // namespace uop::test

#endif // UOP_UNITTESTS_ANALYSIS_INDEXCASE_H
