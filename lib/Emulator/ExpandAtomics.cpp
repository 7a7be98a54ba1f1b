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
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace uop {
#define GEN_PASS_DEF_UOPEXPANDATOMICS
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

/// Whether LLVM's atomicrmw has no such update, or another one.
static bool needsLoop(memref::AtomicRMWOp op) {
  if (op.getValue().getType().isInteger(1))
    return true;
  switch (op.getKind()) {
  case arith::AtomicRMWKind::mulf:
  case arith::AtomicRMWKind::muli:
  case arith::AtomicRMWKind::maxnumf:
  case arith::AtomicRMWKind::minnumf:
    return true;
  default:
    return false;
  }
}

namespace {
class ExpandAtomics : public uop::impl::UopExpandAtomicsBase<ExpandAtomics> {
public:
  using UopExpandAtomicsBase::UopExpandAtomicsBase;

  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    uop::populateExpandAtomicsPatterns(patterns, converter, needsLoop);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
