//===- HostViews.cpp - Buffers that a kernel is given in part -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostViews.h"

#include "AccessShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace uop;

Value uop::findViewedRoot(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      memref = view.getViewSource();
    else if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
      memref = metadata.getSource();
    else
      break;
  }
  return memref;
}

/// Without casts that say nothing new.
static Value dropPlainCasts(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::MemorySpaceCastOp>(op))
      break;
    auto from = dyn_cast<MemRefType>(op->getOperand(0).getType());
    auto to = dyn_cast<MemRefType>(memref.getType());
    if (!from || !to || from.getRank() != to.getRank())
      break;
    bool isNew =
        llvm::any_of(llvm::zip(from.getShape(), to.getShape()), [](auto sizes) {
          auto [known, said] = sizes;
          return ShapedType::isDynamic(known) && ShapedType::isStatic(said);
        });
    if (isNew)
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

SmallVector<unsigned> uop::findHostViews(gpu::LaunchFuncOp op) {
  SmallVector<unsigned> views;
  for (auto [number, operand] : llvm::enumerate(op.getKernelOperands())) {
    if (!isa<MemRefType>(operand.getType()))
      continue;
    Value root = findViewedRoot(operand);
    if (root != dropPlainCasts(operand) && isa<MemRefType>(root.getType()) &&
        hasKnownElements(root.getType()) && hasKnownElements(operand.getType()))
      views.push_back(number);
  }
  return views;
}

SmallVector<GivenBuffer> uop::addBufferBounds(gpu::GPUFuncOp kernel,
                                              ArrayRef<unsigned> views) {
  unsigned first = kernel.getNumArguments();
  Type index = IndexType::get(kernel.getContext());
  for (unsigned i = 0; i < 2 * views.size(); ++i)
    (void)kernel.insertArgument(first + i, index, {}, kernel.getLoc());
  SmallVector<GivenBuffer> buffers;
  for (auto [i, number] : llvm::enumerate(views))
    buffers.push_back({number, kernel.getArgument(first + 2 * i),
                       kernel.getArgument(first + 2 * i + 1)});
  return buffers;
}

/// The lowest address and the one after the highest. Both are the same where
/// there is no element.
static std::pair<Value, Value> createExtent(ImplicitLocOpBuilder &b,
                                            Value memref) {
  MemRefShape shape(b, memref);
  auto type = cast<MemRefType>(memref.getType());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value bytes = arith::ConstantIndexOp::create(b, getElementBytes(type));
  Value begin = shape.getStart(b), length = bytes;
  Value isEmpty = arith::ConstantIntOp::create(b, 0, 1);
  for (auto [size, stride] : llvm::zip(shape.sizes, shape.strides)) {
    Value last = arith::SubIOp::create(b, size, one);
    Value way =
        arith::MulIOp::create(b, arith::MulIOp::create(b, last, stride), bytes);
    Value down = arith::MinSIOp::create(b, way, zero);
    begin = arith::AddIOp::create(b, begin, down);
    length = arith::AddIOp::create(
        b, length,
        arith::SubIOp::create(b, arith::MaxSIOp::create(b, way, zero), down));
    isEmpty = arith::OrIOp::create(
        b, isEmpty,
        arith::CmpIOp::create(b, arith::CmpIPredicate::sle, size, zero));
  }
  length = arith::SelectOp::create(b, isEmpty, zero, length);
  return {begin, arith::AddIOp::create(b, begin, length)};
}

SmallVector<Value> uop::createBufferBounds(ImplicitLocOpBuilder &b,
                                           gpu::LaunchFuncOp op,
                                           ArrayRef<unsigned> views) {
  SmallVector<Value> bounds;
  for (unsigned number : views) {
    Value root = findViewedRoot(op.getKernelOperands()[number]);
    auto [begin, end] = createExtent(b, root);
    bounds.append({begin, end});
  }
  return bounds;
}

Value uop::createIsBeyond(ImplicitLocOpBuilder &b, gpu::LaunchFuncOp op,
                          ArrayRef<unsigned> views) {
  Value beyond;
  for (unsigned number : views) {
    Value view = op.getKernelOperands()[number];
    auto [begin, end] = createExtent(b, view);
    auto [first, last] = createExtent(b, findViewedRoot(view));
    auto compare = [&](arith::CmpIPredicate predicate, Value x,
                       Value y) -> Value {
      return arith::CmpIOp::create(b, predicate, x, y);
    };
    Value outside = arith::OrIOp::create(
        b, compare(arith::CmpIPredicate::ult, begin, first),
        compare(arith::CmpIPredicate::ugt, end, last));
    outside = arith::AndIOp::create(
        b, outside, compare(arith::CmpIPredicate::ne, begin, end));
    beyond =
        beyond ? arith::OrIOp::create(b, beyond, outside).getResult() : outside;
  }
  return beyond;
}
