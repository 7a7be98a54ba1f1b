//===- LaneShapes.cpp - How a value differs among the lanes ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorCode.h"

#include "Uop/Analysis/SharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace uop;

// How far the operands of a number are followed outside of the loop.
static constexpr unsigned maxDepth = 8;

LaneShapes::LaneShapes(scf::ForOp threads, int64_t lanes)
    : threads(threads), lanes(lanes) {
  LaneShape id = LaneShape::strided(1);
  id.divisor = lanes;
  id.nonNegative = true;
  // No block has more threads along an axis.
  APInt end;
  id.max = matchPattern(threads.getUpperBound(), m_ConstantInt(&end))
               ? llvm::alignTo(end.getSExtValue(), lanes) - 1
               : 1023 + lanes;
  shapes[threads.getInductionVar()] = id;
  do {
    changed = false;
    visit(*threads.getBody());
  } while (changed);
}

bool LaneShapes::isInside(Value value) const {
  return threads.getRegion().isAncestor(value.getParentRegion());
}

LaneShape LaneShapes::get(Value value) const {
  if (isPrivateBuffer(value)) {
    auto type = cast<MemRefType>(value.getType());
    return isInterleaved(value)
               ? LaneShape::uniform()
               : LaneShape::strided(bytesOfLane(type) /
                                    getStoredBytes(type.getElementType()));
  }
  return isInside(value) ? shapes.lookup(value) : shapeOutside(value, maxDepth);
}

LaneShape LaneShapes::shapeOutside(Value value, unsigned depth) const {
  APInt number;
  if (!value.getType().isIntOrIndex() || depth == 0)
    return LaneShape::uniform();
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isSignedIntN(64) ? LaneShape::constant(number.getSExtValue())
                                   : LaneShape::uniform();
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    LaneShape shape = LaneShape::uniform();
    Operation *parent = arg.getOwner()->getParentOp();
    if (auto func = dyn_cast<func::FuncOp>(parent))
      shape.nonNegative = func->hasAttr(blockFunctionAttrName) &&
                          arg.getArgNumber() + 9 >= func.getNumArguments();
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || arg != loop.getInductionVar())
      return shape;
    LaneShape first = shapeOutside(loop.getLowerBound(), depth - 1);
    LaneShape step = shapeOutside(loop.getStep(), depth - 1);
    shape.divisor = std::gcd(first.divisor, step.divisor);
    shape.nonNegative = first.nonNegative && step.nonNegative;
    if (shape.nonNegative &&
        matchPattern(loop.getUpperBound(), m_ConstantInt(&number)))
      shape.max = std::max<int64_t>(number.getSExtValue() - 1, 0);
    return shape;
  }
  Operation *op = value.getDefiningOp();
  if (!isPure(op) || op->getNumRegions() != 0)
    return LaneShape::uniform();
  SmallVector<LaneShape> operands;
  for (Value operand : op->getOperands())
    operands.push_back(shapeOutside(operand, depth - 1));
  return inferLaneShape(op, operands, lanes);
}

void LaneShapes::update(Value value, LaneShape shape) {
  LaneShape &known = shapes[value];
  LaneShape joined = known.join(shape);
  if (joined == known)
    return;
  known = joined;
  changed = true;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

bool uop::isVectorElement(Type type) {
  return type.isIndex() ||
         (type.isIntOrFloat() &&
          llvm::is_contained({8, 16, 32, 64}, type.getIntOrFloatBitWidth()));
}

bool LaneShapes::isPrivateBuffer(Value value, scf::ForOp threads) {
  Operation *op = value.getDefiningOp();
  if (auto alloca = dyn_cast_or_null<memref::AllocaOp>(op))
    return op->hasAttr(privateBufferAttrName) ||
           threads.getRegion().isAncestor(op->getParentRegion());
  return isa_and_nonnull<memref::AllocOp>(op) &&
         op->hasAttr(privateBufferAttrName);
}

bool LaneShapes::isInterleaved(Value buffer) const {
  auto it = interleaved.find(buffer);
  if (it != interleaved.end())
    return it->second;
  auto isAccess = [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (!threads.getRegion().isAncestor(user->getParentRegion()))
      return true;
    return llvm::TypeSwitch<Operation *, bool>(user)
        .Case<memref::LoadOp, memref::StoreOp>(
            [&](auto op) { return op.getMemRef() == buffer; })
        .Case<vector::LoadOp, vector::StoreOp>(
            [&](auto op) { return op.getBase() == buffer; })
        .Default([](Operation *) { return false; });
  };
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  bool result =
      isVectorElement(element) && llvm::all_of(buffer.getUses(), isAccess);
  interleaved[buffer] = result;
  return result;
}

int64_t LaneShapes::bytesOfLane(MemRefType type) {
  return llvm::alignTo(
      type.getNumElements() * getStoredBytes(type.getElementType()), 64);
}

/// The shape of a memref that is made of another: how many of its elements lie
/// between the places of two neighbouring lanes.
LaneShape LaneShapes::shapeOfView(Operation *op) const {
  auto add = [](LaneShape shape, int64_t stride, int64_t factor) {
    int64_t step;
    if (llvm::MulOverflow(stride, factor, step) ||
        llvm::AddOverflow(shape.stride, step, shape.stride))
      return LaneShape::varying();
    return shape;
  };
  auto offsets = [&](LaneShape shape, ValueRange values,
                     ArrayRef<int64_t> strides,
                     ArrayRef<int64_t> staticOffsets) {
    unsigned next = 0;
    for (auto [axis, offset] : llvm::enumerate(staticOffsets)) {
      if (!ShapedType::isDynamic(offset))
        continue;
      LaneShape one = get(values[next++]);
      if (!one.isStrided() || !shape.isStrided())
        return LaneShape::varying();
      if (one.stride == 0)
        continue;
      if (ShapedType::isDynamic(strides[axis]) || !one.exact)
        return LaneShape::varying();
      shape = add(shape, one.stride, strides[axis]);
    }
    return shape;
  };
  auto allUniform = [&](ValueRange values) {
    return llvm::all_of(values,
                        [&](Value value) { return get(value).isUniform(); });
  };
  return llvm::TypeSwitch<Operation *, LaneShape>(op)
      .Case([&](memref::ViewOp view) {
        LaneShape source = get(view.getSource()),
                  shift = get(view.getByteShift());
        if (!source.isStrided() || !shift.isStrided() ||
            !allUniform(view.getSizes()))
          return LaneShape::varying();
        int64_t bytes = getStoredBytes(view.getType().getElementType());
        int64_t stride = source.stride + shift.stride;
        return stride % bytes == 0 ? LaneShape::strided(stride / bytes)
                                   : LaneShape::varying();
      })
      .Case([&](memref::SubViewOp view) {
        SmallVector<int64_t> strides;
        int64_t offset;
        if (!allUniform(view.getSizes()) || !allUniform(view.getStrides()) ||
            failed(view.getSourceType().getStridesAndOffset(strides, offset)))
          return LaneShape::varying();
        return offsets(get(view.getSource()), view.getOffsets(), strides,
                       view.getStaticOffsets());
      })
      .Case([&](memref::ReinterpretCastOp view) {
        if (!allUniform(view.getSizes()) || !allUniform(view.getStrides()))
          return LaneShape::varying();
        return offsets(get(view.getSource()), view.getOffsets(), {1},
                       view.getStaticOffsets());
      })
      .Case<memref::CastOp, memref::CollapseShapeOp, memref::MemorySpaceCastOp>(
          [&](Operation *cast) { return get(cast->getOperand(0)); })
      .Case([&](memref::ExpandShapeOp expand) {
        return allUniform(expand.getOutputShape()) ? get(expand.getSrc())
                                                   : LaneShape::varying();
      })
      .Default([&](Operation *) {
        return allUniform(op->getOperands()) ? LaneShape::uniform()
                                             : LaneShape::varying();
      });
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LaneShape LaneShapes::shapeOfResult(Operation *op) const {
  SmallVector<LaneShape> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  bool uniform = llvm::all_of(
      operands, [](const LaneShape &shape) { return shape.isUniform(); });
  bool unknown = llvm::any_of(
      operands, [](const LaneShape &shape) { return shape.isUnknown(); });
  if (unknown)
    return LaneShape();
  // All lanes read at one time: of one place they read one value.
  if (isa<memref::LoadOp, vector::LoadOp>(op)) {
    bool isOne = uniform && !isPrivateBuffer(op->getOperand(0));
    return isOne ? LaneShape::uniform() : LaneShape::varying();
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return LaneShape::varying();
  APInt number;
  if (op->hasTrait<OpTrait::ConstantLike>()) {
    bool isNumber =
        op->getNumResults() == 1 && op->getResult(0).getType().isIntOrIndex() &&
        matchPattern(op, m_ConstantInt(&number)) && number.isSignedIntN(64);
    return isNumber ? LaneShape::constant(number.getSExtValue())
                    : LaneShape::uniform();
  }
  return inferLaneShape(op, operands, lanes);
}

void LaneShapes::visit(Operation *op) {
  if (isSerial(op)) {
    for (Value result : op->getResults())
      update(result, LaneShape::varying());
    return;
  }
  if (auto forOp = dyn_cast<scf::ForOp>(op))
    return visitFor(forOp);
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return visitIf(ifOp);
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return visitWhile(whileOp);
  if (op->getNumResults() == 0)
    return;
  for (Value result : op->getResults()) {
    if (isPrivateBuffer(result))
      continue;
    update(result, isa<BaseMemRefType>(result.getType()) ? shapeOfView(op)
                                                         : shapeOfResult(op));
  }
}

void LaneShapes::visit(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

bool LaneShapes::diverges(Operation *op) const {
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return !get(ifOp.getCondition()).isUniform();
  if (auto forOp = dyn_cast<scf::ForOp>(op))
    return !get(forOp.getLowerBound()).isUniform() ||
           !get(forOp.getUpperBound()).isUniform() ||
           !get(forOp.getStep()).isUniform();
  auto whileOp = cast<scf::WhileOp>(op);
  return !get(whileOp.getConditionOp().getCondition()).isUniform();
}

void LaneShapes::visitIf(scf::IfOp op) {
  visit(*op.thenBlock());
  if (op.elseBlock())
    visit(*op.elseBlock());
  if (op.getNumResults() == 0 || get(op.getCondition()).isUnknown())
    return;
  bool differs = diverges(op);
  for (auto [index, result] : llvm::enumerate(op.getResults()))
    update(result, differs ? LaneShape::varying()
                           : get(op.thenYield().getOperand(index))
                                 .join(get(op.elseYield().getOperand(index))));
}

void LaneShapes::visitFor(scf::ForOp op) {
  LaneShape lower = get(op.getLowerBound()), upper = get(op.getUpperBound()),
            step = get(op.getStep());
  if (lower.isUnknown() || upper.isUnknown() || step.isUnknown())
    return;
  LaneShape variable = LaneShape::varying();
  if (lower.isStrided() && step.isUniform()) {
    variable = lower;
    variable.max = -1;
    variable.divisor = std::gcd(lower.divisor, step.divisor);
    variable.nonNegative = lower.nonNegative && step.nonNegative;
    APInt end;
    if (variable.nonNegative && lower.isUniform() &&
        matchPattern(op.getUpperBound(), m_ConstantInt(&end)))
      variable.max = std::max<int64_t>(end.getSExtValue() - 1, 0);
  }
  update(op.getInductionVar(), variable);
  bool differs = diverges(op);
  for (auto [result, arg, init, yield] :
       llvm::zip(op.getResults(), op.getRegionIterArgs(), op.getInitArgs(),
                 op.getYieldedValues())) {
    LaneShape shape =
        differs ? LaneShape::varying() : get(init).join(get(yield));
    update(arg, shape);
    update(result, get(arg));
  }
  visit(*op.getBody());
}

void LaneShapes::visitWhile(scf::WhileOp op) {
  scf::ConditionOp condition = op.getConditionOp();
  bool known = !get(condition.getCondition()).isUnknown();
  bool differs = known && diverges(op);
  for (auto [arg, init, yield] :
       llvm::zip(op.getBeforeArguments(), op.getInits(),
                 op.getYieldOp().getOperands()))
    update(arg, differs ? LaneShape::varying() : get(init).join(get(yield)));
  visit(*op.getBeforeBody());
  for (auto [result, arg, value] : llvm::zip(
           op.getResults(), op.getAfterArguments(), condition.getArgs())) {
    LaneShape shape = differs ? LaneShape::varying() : get(value);
    update(arg, shape);
    update(result, get(arg));
  }
  visit(*op.getAfterBody());
}
