//===- ExpandAtomics.cpp - Atomic updates of the emulator -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/ExpandAtomics.h"
#include "Uop/Emulator/Passes.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace uop {
#define GEN_PASS_DEF_EXPANDATOMICS
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

/// Whether LLVM's own update is not exactly the one that is meant. It has no
/// product and no i1 (which takes a byte), and its updates of floats leave
/// zeros and NaN open.
static bool needsLoop(memref::AtomicRMWOp op) {
  Type type = op.getMemRefType().getElementType();
  if (!type.isInteger(8) && !type.isInteger(16) && !type.isInteger(32) &&
      !type.isInteger(64))
    return true;
  return op.getKind() == arith::AtomicRMWKind::muli;
}

namespace {
class ExpandAtomics : public uop::impl::ExpandAtomicsBase<ExpandAtomics> {
public:
  using ExpandAtomicsBase::ExpandAtomicsBase;

  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    uop::populateExpandAtomicsPatterns(patterns, converter, needsLoop);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation()->walk([&](Operation *op) {
      auto simple = dyn_cast<memref::AtomicRMWOp>(op);
      if (!isa<memref::GenericAtomicRMWOp>(op) &&
          !(simple && needsLoop(simple)))
        return;
      op->emitOpError("is not supported by the emulator for elements of type ")
          << getElementTypeOrSelf(op->getOperand(simple ? 1 : 0).getType())
          << ": expected 1, 8, 16, 32 or 64 bits";
      signalPassFailure();
    });
  }
};
} // namespace
