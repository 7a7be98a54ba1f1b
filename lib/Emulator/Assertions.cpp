//===- Assertions.cpp - What a program takes for granted ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assertions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

void uop::lowerAssertions(ModuleOp module, RuntimeCalls &runtime) {
  SmallVector<cf::AssertOp> assertions;
  module.walk([&](cf::AssertOp op) { assertions.push_back(op); });
  for (cf::AssertOp op : assertions) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value yes = arith::ConstantIntOp::create(b, 1, 1);
    Value isBroken = arith::XOrIOp::create(b, op.getArg(), yes);
    runtime.failIf(b, isBroken,
                   escapeFormat(describeLocation(op.getLoc()) +
                                ": error: " + op.getMsg().str() + "\n"));
    op.erase();
  }
}
