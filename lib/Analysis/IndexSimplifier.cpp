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
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/IndexSimplifier.h"
#include "IndexForm.h"

using namespace uop;

class IndexSimplifier::Implementation {
public:
  explicit Implementation(IndexContext &context)
      : context(context), builder(context), writer(context, builder) {}

  IndexExpr simplify(IndexExpr expr) {
    // One round does nearly everything; a second may see what the first made.
    for (unsigned round = 0; round < 4; ++round) {
      IndexExpr next = simplifyOnce(expr);
      if (next == expr)
        break;
      expr = next;
    }
    return expr;
  }

  IndexBounds getBounds(IndexExpr expr) { return builder.build(expr)->bounds; }

private:
  IndexExpr toNormalForm(IndexExpr expr) {
    const Form *form = builder.build(expr);
    builder.overflowed = false;
    IndexExpr result = writer.write(form);
    return std::exchange(builder.overflowed, false) ? expr : result;
  }

  IndexExpr simplifyOnce(IndexExpr expr) {
    IndexExpr result = toNormalForm(expr);
    if (IndexContext::countOps(result) <= IndexContext::countOps(expr))
      return result;
    return simplifyOperands(expr);
  }

  IndexExpr simplifyOperands(IndexExpr expr) {
    if (expr->isLeaf())
      return expr;
    if (IndexExpr known = partly.lookup(expr))
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
    if (IndexContext::countOps(normal) <= IndexContext::countOps(rebuilt))
      rebuilt = normal;
    // Operands that were shared may no longer be.
    if (IndexContext::countOps(rebuilt) > IndexContext::countOps(expr))
      rebuilt = expr;
    partly[expr] = rebuilt;
    return rebuilt;
  }

  IndexContext &context;
  FormBuilder builder;
  FormWriter writer;
  llvm::DenseMap<IndexExpr, IndexExpr> partly;
};

IndexSimplifier::IndexSimplifier(IndexContext &context)
    : implementation(std::make_unique<Implementation>(context)) {}
IndexSimplifier::~IndexSimplifier() = default;

IndexExpr IndexSimplifier::simplify(IndexExpr expr) {
  return implementation->simplify(expr);
}

IndexBounds IndexSimplifier::getBounds(IndexExpr expr) {
  return implementation->getBounds(expr);
}
