//===- LowerExtrema.cpp - The larger and the smaller of two numbers -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace uop {
#define GEN_PASS_DEF_LOWEREXTREMA
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

/// Replaces an op by the intrinsic, where LLVM has the type.
template <typename Intrinsic, typename Op> static void lower(Op op) {
  Type type = op.getType();
  if (!LLVM::isCompatibleType(type))
    return;
  OpBuilder builder(op);
  Value result =
      Intrinsic::create(builder, op.getLoc(), type, op.getLhs(), op.getRhs());
  op.replaceAllUsesWith(result);
  op.erase();
}

/// The same for an intrinsic that the LLVM dialect has no op for.
template <typename Op> static void lowerToCall(Op op, StringRef intrinsic) {
  Type type = op.getType();
  if (!LLVM::isCompatibleType(type))
    return;
  OpBuilder builder(op);
  auto call = LLVM::CallIntrinsicOp::create(
      builder, op.getLoc(), type, builder.getStringAttr(intrinsic),
      ValueRange{op.getLhs(), op.getRhs()});
  op.replaceAllUsesWith(call.getResults());
  op.erase();
}

namespace {
class LowerExtrema : public uop::impl::LowerExtremaBase<LowerExtrema> {
public:
  using LowerExtremaBase::LowerExtremaBase;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto maximum = dyn_cast<arith::MaximumFOp>(op))
        lower<LLVM::MaximumOp>(maximum);
      else if (auto minimum = dyn_cast<arith::MinimumFOp>(op))
        lower<LLVM::MinimumOp>(minimum);
      else if (auto maxnum = dyn_cast<arith::MaxNumFOp>(op))
        lowerToCall(maxnum, "llvm.maximumnum");
      else if (auto minnum = dyn_cast<arith::MinNumFOp>(op))
        lowerToCall(minnum, "llvm.minimumnum");
    });
  }
};
} // namespace
