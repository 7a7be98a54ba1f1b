//===- ContractFMA.cpp - Products and sums in one rounding ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice of what is fused depends on the definitions of operands alone, not
// on the number of their uses: a reference that knows the rule takes the same
// choice, before and after common subexpressions are merged.
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {
#define GEN_PASS_DEF_CONTRACTFMA
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

/// The types for which math.fma rounds once wherever it is lowered to.
static bool hasFMA(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16() || element.isF32() ||
         element.isF64();
}

/// The fma of a sum or difference with a product among its operands, or null.
static Value fuse(Operation *op) {
  if (!isa<arith::AddFOp, arith::SubFOp>(op) ||
      !hasFMA(op->getResult(0).getType()))
    return {};
  bool isDifference = isa<arith::SubFOp>(op);
  for (unsigned index : {0u, 1u}) {
    auto product = op->getOperand(index).getDefiningOp<arith::MulFOp>();
    if (!product)
      continue;
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    Value factor = product.getLhs();
    Value addend = op->getOperand(1 - index);
    // Negation is exact, so the one rounding stays that of the difference.
    if (isDifference && index == 0)
      addend = arith::NegFOp::create(builder, addend);
    else if (isDifference)
      factor = arith::NegFOp::create(builder, factor);
    return math::FmaOp::create(builder, factor, product.getRhs(), addend);
  }
  return {};
}

namespace {

class ContractFMA : public uop::impl::ContractFMABase<ContractFMA> {
public:
  void runOnOperation() override {
    if (getOperation().isGraphForm())
      return markAllAnalysesPreserved();
    // In program order: a sum that is fused first is a factor or an addend of
    // later ones as before.
    SmallVector<Operation *> products;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::MulFOp>(op))
        products.push_back(op);
      Value result = fuse(op);
      if (!result)
        return;
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
      ++fused;
    });
    // Users come after the products that they use.
    for (Operation *product : llvm::reverse(products))
      if (product->use_empty())
        product->erase();
  }
};

} // namespace
