//===- ValuePatterns.cpp - Reductions of any operation --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Erases what nothing uses, and replaces results by what there is already.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace uop;

Value uop::getConstant(PatternRewriter &rewriter, Operation *op,
                       TypedAttr value) {
  Region *region = op->getParentRegion();
  while (!region->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
    region = region->getParentRegion();
  Block &entry = region->front();
  for (Operation &other : entry) {
    auto constant = dyn_cast<arith::ConstantOp>(other);
    if (!constant)
      break;
    if (constant.getValue() == value)
      return constant;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&entry);
  return arith::ConstantOp::create(rewriter, op->getLoc(), value);
}

namespace {

/// A pattern for ops of every kind.
class AnyOpPattern : public RewritePattern {
public:
  explicit AnyOpPattern(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
};

class EraseUnused : public AnyOpPattern {
public:
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!op->getBlock() || op->hasTrait<OpTrait::IsTerminator>() ||
        !op->use_empty())
      return failure();
    if (isa<SymbolOpInterface>(op) &&
        !SymbolTable::symbolKnownUseEmpty(op, op->getParentOp()))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// Whether results of the op may be replaced by other values at all. A range
/// may not: what closes it must know.
bool isReplaceable(Operation *op) {
  return op->getBlock() && op->getNumResults() != 0 && !op->use_empty() &&
         !isa<RangeOp>(op) && !matchPattern(op, m_Constant());
}

class ReplaceByOperand : public AnyOpPattern {
public:
  ReplaceByOperand(MLIRContext *context, unsigned index)
      : AnyOpPattern(context), index(index) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isReplaceable(op) || op->getNumResults() != 1)
      return failure();
    // The operands of the type, each once.
    SmallVector<Value> candidates;
    for (Value operand : op->getOperands())
      if (operand.getType() == op->getResult(0).getType() &&
          !llvm::is_contained(candidates, operand))
        candidates.push_back(operand);
    if (index >= candidates.size())
      return failure();
    rewriter.replaceOp(op, candidates[index]);
    return success();
  }

private:
  unsigned index;
};

/// A constant of a scalar or vector type; null for other types.
TypedAttr getSplat(Type type, int64_t value) {
  auto shaped = dyn_cast<VectorType>(type);
  Type element = shaped ? shaped.getElementType() : type;
  TypedAttr scalar;
  if (isa<FloatType>(element))
    scalar = FloatAttr::get(element, double(value));
  else if (element.isSignlessIntOrIndex())
    scalar = IntegerAttr::get(element, value);
  if (!scalar || !shaped || shaped.isScalable())
    return shaped ? TypedAttr() : scalar;
  return DenseElementsAttr::get(shaped, scalar);
}

class ReplaceByConstant : public AnyOpPattern {
public:
  ReplaceByConstant(MLIRContext *context, int64_t value)
      : AnyOpPattern(context), value(value) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isReplaceable(op))
      return failure();
    SmallVector<TypedAttr> attrs;
    for (Type type : op->getResultTypes()) {
      attrs.push_back(getSplat(type, value));
      if (!attrs.back())
        return failure();
    }
    SmallVector<Value> constants;
    for (TypedAttr attr : attrs)
      constants.push_back(getConstant(rewriter, op, attr));
    rewriter.replaceOp(op, constants);
    return success();
  }

private:
  int64_t value;
};

/// One constant for equal ones, at the top.
struct MergeConstants : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ConstantOp constant,
                                PatternRewriter &rewriter) const override {
    Value merged = getConstant(rewriter, constant, constant.getValue());
    if (merged == constant)
      return failure();
    rewriter.replaceOp(constant, merged);
    return success();
  }
};

} // namespace

void uop::populateErasingPatterns(RewritePatternSet &patterns) {
  patterns.add<EraseUnused>(patterns.getContext());
}

void uop::populateValuePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  // By an operand first: what is computed from is still there then, and what is
  // looked for may be in it.
  for (unsigned index = 0; index < 3; ++index)
    patterns.add<ReplaceByOperand>(context, index);
  for (int64_t value : {0, 1})
    patterns.add<ReplaceByConstant>(context, value);
  patterns.add<MergeConstants>(context);
}
