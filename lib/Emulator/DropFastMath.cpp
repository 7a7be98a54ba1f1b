//===- DropFastMath.cpp - One rounding for each operation -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace uop {
#define GEN_PASS_DEF_DROPFASTMATH
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

namespace {
class DropFastMath : public uop::impl::DropFastMathBase<DropFastMath> {
public:
  using DropFastMathBase::DropFastMathBase;

  void runOnOperation() override {
    auto none = arith::FastMathFlagsAttr::get(&getContext(),
                                              arith::FastMathFlags::none);
    getOperation()->walk([&](arith::ArithFastMathInterface op) {
      arith::FastMathFlagsAttr flags = op.getFastMathFlagsAttr();
      // On a conversion the attribute is optional, and even an empty one would
      // stay on the LLVM operation, which does not have it.
      if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        op->removeAttr(op.getFastMathAttrName());
      else if (flags && flags.getValue() != arith::FastMathFlags::none)
        op->setAttr(op.getFastMathAttrName(), none);
    });
  }
};
} // namespace
