//===- Speculation.cpp - What may run where it is not needed --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Speculation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

bool uop::isSafeToSpeculate(Operation *op) {
  if (!isSpeculatable(op))
    return false;
  if (!isa<arith::FloorDivSIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return true;
  APInt divisor;
  return matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) &&
         !divisor.isZero() && !divisor.isAllOnes();
}
