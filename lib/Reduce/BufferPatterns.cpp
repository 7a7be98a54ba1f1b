//===- BufferPatterns.cpp - Reductions of buffers and their accesses ------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer changes its shape with all of its accesses, or stays. What a launch
// passes has its type from elsewhere: arguments change once a kernel has no
// launches.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

/// The indices of a use that reads or writes one element of the buffer.
static std::optional<MutableOperandRange> getIndices(OpOperand &use) {
  auto indicesIf = [&](auto op,
                       Value buffer) -> std::optional<MutableOperandRange> {
    if (use.get() != buffer)
      return std::nullopt;
    return op.getIndicesMutable();
  };
  using Result = std::optional<MutableOperandRange>;
  return llvm::TypeSwitch<Operation *, Result>(use.getOwner())
      .Case([&](LoadOp op) { return indicesIf(op, op.getSource()); })
      .Case([&](StoreOp op) { return indicesIf(op, op.getTarget()); })
      .Case([&](memref::LoadOp op) { return indicesIf(op, op.getMemref()); })
      .Case([&](memref::StoreOp op) { return indicesIf(op, op.getMemref()); })
      .Default(Result());
}

static ArrayRef<int64_t> getShape(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile ? tile.getShape() : cast<MemRefType>(type).getShape();
}

/// The type with another shape.
static Type withShape(Type type, ArrayRef<int64_t> shape) {
  if (auto tile = dyn_cast<TileType>(type))
    return TileType::get(type.getContext(), shape, tile.getElementType(),
                         tile.getMemorySpace());
  auto memref = cast<MemRefType>(type);
  return MemRefType::get(shape, memref.getElementType(), AffineMap(),
                         memref.getMemorySpace());
}

/// The accesses of a buffer whose shape can be changed; else nothing.
static std::optional<SmallVector<MutableOperandRange>>
getAccesses(Value buffer) {
  SmallVector<MutableOperandRange> accesses;
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (auto stage = buffer.getDefiningOp<StageOp>())
    accesses.push_back(stage.getIndicesMutable());
  else if (!type || !type.getLayout().isIdentity())
    return std::nullopt;
  for (OpOperand &use : buffer.getUses()) {
    std::optional<MutableOperandRange> indices = getIndices(use);
    if (!indices)
      return std::nullopt;
    accesses.push_back(*indices);
  }
  return accesses;
}

/// The shape that the accesses need, as far as their bounds are known. Where
/// they leave the buffer, which may be what is looked for, it stays.
static SmallVector<int64_t>
computeLeastShape(Type type, ArrayRef<MutableOperandRange> accesses) {
  SmallVector<int64_t> shape(getShape(type));
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t needed = 1;
    for (const MutableOperandRange &indices : accesses) {
      FailureOr<int64_t> last = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB, {indices[dim].get(), std::nullopt},
          /*stopCondition=*/nullptr, /*closedUB=*/true);
      if (failed(last) || *last >= INT32_MAX)
        needed = INT64_MAX;
      else
        needed = std::max(needed, *last + 1);
    }
    if (!ShapedType::isDynamic(size))
      size = std::min(size, needed);
  }
  return shape;
}

namespace {

/// What all patterns of this file do: give buffers another type. The buffers
/// are results of allocations, and all arguments of a kernel or one of them.
class BufferPattern : public RewritePattern {
public:
  BufferPattern(MLIRContext *context, std::optional<unsigned> argument)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        argument(argument) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (isa<AllocOp, StageOp, memref::AllocOp, memref::AllocaOp>(op))
      return argument ? failure() : change(op->getResult(0), op, rewriter);
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel || !SymbolTable::symbolKnownUseEmpty(op, op->getParentOp()))
      return failure();
    LogicalResult result = failure();
    for (BlockArgument each : kernel.getArguments())
      if ((!argument || each.getArgNumber() == *argument) &&
          succeeded(change(each, op, rewriter)))
        result = success();
    if (succeeded(result))
      kernel.setType(FunctionType::get(
          op->getContext(), kernel.getBodyBlock().getArgumentTypes(), {}));
    return result;
  }

protected:
  virtual LogicalResult change(Value buffer, Operation *op,
                               PatternRewriter &rewriter) const = 0;

private:
  std::optional<unsigned> argument;
};

/// Makes the sizes as small as the accesses allow.
class FitShape : public BufferPattern {
public:
  using BufferPattern::BufferPattern;

protected:
  LogicalResult change(Value buffer, Operation *op,
                       PatternRewriter &rewriter) const override {
    auto accesses = getAccesses(buffer);
    if (!accesses)
      return failure();
    Type type = buffer.getType();
    SmallVector<int64_t> shape = computeLeastShape(type, *accesses);
    if (ArrayRef(shape) == getShape(type))
      return failure();
    rewriter.modifyOpInPlace(op,
                             [&] { buffer.setType(withShape(type, shape)); });
    return success();
  }
};

/// Drops a dimension, with what it is indexed by.
class DropDimension : public BufferPattern {
public:
  DropDimension(MLIRContext *context, unsigned dim,
                std::optional<unsigned> argument)
      : BufferPattern(context, argument), dim(dim) {}

protected:
  LogicalResult change(Value buffer, Operation *op,
                       PatternRewriter &rewriter) const override {
    auto accesses = getAccesses(buffer);
    if (!accesses)
      return failure();
    SmallVector<int64_t> shape(getShape(buffer.getType()));
    // An allocation of dynamic size has an operand for it.
    if (dim >= shape.size() ||
        (!isa<KernelOp>(op) && ShapedType::isDynamic(shape[dim])))
      return failure();
    shape.erase(shape.begin() + dim);
    rewriter.modifyOpInPlace(
        op, [&] { buffer.setType(withShape(buffer.getType(), shape)); });
    for (MutableOperandRange &indices : *accesses)
      rewriter.modifyOpInPlace(indices.getOwner(), [&] { indices.erase(dim); });
    return success();
  }

private:
  unsigned dim;
};

/// Accesses the first element along a dimension.
class ZeroIndex : public RewritePattern {
public:
  ZeroIndex(MLIRContext *context, unsigned dim)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context), dim(dim) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<MutableOperandRange> indices = getIndices(operand);
      if (!indices || dim >= indices->size() ||
          getConstantIntValue((*indices)[dim].get()))
        continue;
      Value zero = getConstant(rewriter, op, rewriter.getIndexAttr(0));
      rewriter.modifyOpInPlace(op, [&] { (*indices)[dim].set(zero); });
      return success();
    }
    return failure();
  }

private:
  unsigned dim;
};

} // namespace

void uop::populateBufferPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (unsigned dim = 0; dim < 4; ++dim)
    patterns.add<ZeroIndex>(context, dim);
  SmallVector<std::optional<unsigned>> arguments{std::nullopt};
  for (unsigned argument = 0; argument < kMaxAlternatives; ++argument)
    arguments.push_back(argument);
  for (std::optional<unsigned> argument : arguments) {
    for (unsigned dim = 0; dim < 4; ++dim)
      patterns.add<DropDimension>(context, dim, argument);
    patterns.add<FitShape>(context, argument);
  }
}
