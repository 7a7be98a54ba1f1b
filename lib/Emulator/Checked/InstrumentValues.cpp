//===- InstrumentValues.cpp - Shuffles and index arithmetic ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

int64_t Instrumentation::addPlace(Operation *op) {
  table.places.push_back(
      {op->getName().getStringRef().str(), getSourcePosition(op->getLoc())});
  return table.places.size() - 1;
}

void Instrumentation::instrument(gpu::ShuffleOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto extend = [&](Value value) -> Value {
    return arith::IndexCastUIOp::create(b, b.getIndexType(), value);
  };
  Value width = extend(op.getWidth()), offset = extend(op.getOffset());
  Value lane = arith::RemUIOp::create(b, thread, number(b, subgroupSize));
  Value source;
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    source = arith::XOrIOp::create(b, lane, offset);
    break;
  case gpu::ShuffleMode::UP:
    source = arith::SubIOp::create(b, lane, offset);
    break;
  case gpu::ShuffleMode::DOWN:
    source = arith::AddIOp::create(b, lane, offset);
    break;
  case gpu::ShuffleMode::IDX:
    source = offset;
    break;
  }
  // Who has left is known when all have come.
  b.setInsertionPointAfter(op);
  Value isValid = arith::ExtUIOp::create(b, b.getI64Type(), op.getValid());
  call(b, "uop_check_shuffle",
       {number(b, addPlace(op)), thread, source, width, isValid});
}

/// Sums and products of fewer than 64 bits that are in an index as they are.
/// What a remainder, a shift or a mask is taken of may wrap on purpose.
void Instrumentation::findIndexArithmetic() {
  SmallVector<std::pair<Value, bool>> todo;
  llvm::DenseSet<Value> seen;
  for (auto &[op, accesses] : ops)
    for (const CheckedAccess &access : accesses)
      for (Value index : access.indices)
        todo.emplace_back(index, true);
  while (!todo.empty()) {
    auto [value, isSigned] = todo.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(value).second)
      continue;
    auto follow = [&](ValueRange operands, bool asSigned) {
      for (Value operand : operands)
        todo.emplace_back(operand, asSigned);
    };
    if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      follow(op->getOperands(), true);
    else if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op))
      follow(op->getOperands(), false);
    else if (auto select = dyn_cast<arith::SelectOp>(op))
      follow({select.getTrueValue(), select.getFalseValue()}, isSigned);
    else if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
      follow(op->getOperands(), isSigned);
      auto type = dyn_cast<IntegerType>(value.getType());
      if (type && type.getWidth() > 1 && type.getWidth() <= 32)
        arithmetic.insert({op, isSigned});
    }
  }
}

/// Whether the result differs from that of more bits.
Value Instrumentation::overflows(ImplicitLocOpBuilder &b, Operation *op,
                                 bool isSigned, Value &exact, Value &wrapped) {
  // Twice the bits hold every product.
  auto extend = [&](Value value) -> Value {
    if (isSigned)
      return arith::ExtSIOp::create(b, b.getI64Type(), value);
    return arith::ExtUIOp::create(b, b.getI64Type(), value);
  };
  Value left = extend(op->getOperand(0)), right = extend(op->getOperand(1));
  if (isa<arith::AddIOp>(op))
    exact = arith::AddIOp::create(b, left, right);
  else if (isa<arith::SubIOp>(op))
    exact = arith::SubIOp::create(b, left, right);
  else
    exact = arith::MulIOp::create(b, left, right);
  wrapped = extend(op->getResult(0));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, exact, wrapped);
}

void Instrumentation::instrumentArithmetic(Operation *op, bool isSigned) {
  ImplicitLocOpBuilder b(op->getLoc(), kernel.getContext());
  b.setInsertionPointAfter(op);
  Value exact, wrapped;
  Value differs = overflows(b, op, isSigned, exact, wrapped);
  auto branch = scf::IfOp::create(b, differs, /*withElseRegion=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
  call(b, "uop_check_overflow",
       {number(b, addPlace(op)), thread, exact, wrapped});
}
