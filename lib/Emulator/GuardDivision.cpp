//===- GuardDivision.cpp - Integer divisions of a kernel ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uop;

static bool isSignedDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
             arith::FloorDivSIOp>(op);
}

static bool isDivision(Operation *op) {
  return isSignedDivision(op) ||
         isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
}

void uop::guardDivisions(func::FuncOp block, StringRef kernel,
                         RuntimeCalls &runtime) {
  // The last nine arguments are the block id, the grid and the block. The sizes
  // have been checked to be positive.
  ValueRange arguments = block.getArguments();
  ValueRange ids = arguments.take_back(9).take_front(3);
  ValueRange sizes = arguments.take_back(6);
  SmallVector<Operation *> divisions;
  block.walk([&](Operation *op) {
    if (isDivision(op) && op->getResult(0).getType().isIntOrIndex())
      divisions.push_back(op);
  });
  for (Operation *op : divisions) {
    Value divisor = op->getOperand(1);
    APInt number;
    bool isConstant = matchPattern(divisor, m_ConstantInt(&number));
    if (llvm::is_contained(sizes, divisor) ||
        (isConstant && !number.isZero() && !number.isAllOnes()))
      continue;
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Type type = divisor.getType();
    auto constant = [&](const APInt &value) -> Value {
      return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
    };
    auto equals = [&](Value value, const APInt &other) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value,
                                   constant(other));
    };
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    if (!isConstant || number.isZero()) {
      auto ifOp = scf::IfOp::create(b, equals(divisor, APInt(width, 0)),
                                    /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(ifOp.thenBlock());
      runtime.beginReport(b);
      runtime.print(b,
                    (describeLocation(op->getLoc()) + ": error: '" +
                     op->getName().getStringRef() +
                     "' divides by zero in block (%lld, %lld, %lld) of kernel "
                     "'" +
                     kernel + "'\n")
                        .str(),
                    ids);
      runtime.endReport(b);
    }
    if (!isSignedDivision(op))
      continue;
    Value overflows = arith::AndIOp::create(
        b, equals(op->getOperand(0), APInt::getSignedMinValue(width)),
        equals(divisor, APInt::getAllOnes(width)));
    // The least number divided by 1 is what it wraps to.
    op->setOperand(1, arith::SelectOp::create(
                          b, overflows, constant(APInt(width, 1)), divisor));
  }
}
