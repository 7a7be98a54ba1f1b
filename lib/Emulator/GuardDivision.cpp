//===- GuardDivision.cpp - Integer divisions of a kernel ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardDivision.h"

#include "Uop/Conversion/Passes.h"
#include "Uop/Emulator/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace uop {
#define GEN_PASS_DEF_GUARDDIVISIONS
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

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

void uop::guardDivisions(func::FuncOp func, StringRef kernel,
                         ValueRange blockId, ValueRange positive,
                         RuntimeCalls &runtime) {
  SmallVector<Operation *> divisions;
  func.walk([&](Operation *op) {
    if (isDivision(op) && op->getResult(0).getType().isIntOrIndex())
      divisions.push_back(op);
  });
  for (Operation *op : divisions) {
    Value divisor = op->getOperand(1);
    APInt number;
    bool isConstant = matchPattern(divisor, m_ConstantInt(&number));
    if (llvm::is_contained(positive, divisor) ||
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
      std::string message = describeLocation(op->getLoc()) + ": error: '";
      message += op->getName().getStringRef();
      message += "' divides by zero in ";
      if (!blockId.empty())
        message += "block (%lld, %lld, %lld) of ";
      message += "kernel '" + kernel.str() + "'\n";
      runtime.print(b, message, blockId);
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

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class GuardDivisions : public uop::impl::GuardDivisionsBase<GuardDivisions> {
public:
  void runOnOperation() override {
    SmallVector<func::FuncOp> kernels;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func->hasAttrOfType<StringAttr>(kKernelAttrName))
        kernels.push_back(func);
    if (kernels.empty())
      return;
    RuntimeCalls runtime(getOperation());
    if (failed(runtime.check()))
      return signalPassFailure();
    for (func::FuncOp func : kernels)
      guardDivisions(func, cast<StringAttr>(func->removeAttr(kKernelAttrName)),
                     /*blockId=*/{}, /*positive=*/{}, runtime);
  }
};
} // namespace
