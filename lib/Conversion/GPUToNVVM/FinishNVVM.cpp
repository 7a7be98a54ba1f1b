//===- FinishNVVM.cpp - The last look at a module of NVVM -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The upstream conversion is partial: what it has no pattern for stays, and is
// only found by the translation. This pass names it where the user wrote it.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace uop {
#define GEN_PASS_DEF_FINISHNVVM
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

namespace {

struct FinishNVVM : uop::impl::FinishNVVMBase<FinishNVVM> {
  void runOnOperation() override {
    if (failed(verifyOnlyNVVM()))
      return signalPassFailure();
    requireBlockSizes();
    restoreRanges();
  }

  LogicalResult verifyOnlyNVVM();
  void requireBlockSizes();
  void restoreRanges();
};

LogicalResult FinishNVVM::verifyOnlyNVVM() {
  bool ok = true;
  SmallVector<Operation *> casts;
  getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == getOperation() ||
        isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    if (isa<UnrealizedConversionCastOp>(op)) {
      casts.push_back(op);
      return WalkResult::advance();
    }
    ok = false;
    op->emitError() << "'" << op->getName()
                    << "' has no lowering to NVVM on types "
                    << op->getOperandTypes();
    // What is inside stays for the same reason.
    return WalkResult::skip();
  });
  // A cast stays because of an operation beside it, which says more.
  if (ok)
    for (Operation *cast : casts) {
      ok = false;
      cast->emitError() << "a value of type " << cast->getOperand(0).getType()
                        << " has no lowering to NVVM";
    }
  return success(ok);
}

void FinishNVVM::requireBlockSizes() {
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
    // Upstream keeps the attribute of gpu.func and adds the upper bound.
    Attribute known = function->getAttr("gpu.known_block_size");
    StringRef maxntid = NVVM::NVVMDialect::getMaxntidAttrName();
    StringRef reqntid = NVVM::NVVMDialect::getReqntidAttrName();
    if (!known || function->hasAttr(reqntid))
      continue;
    function->removeAttr(maxntid);
    function->setAttr(reqntid, known);
  }
}

void FinishNVVM::restoreRanges() {
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
    auto ranges = function->getAttrOfType<ArrayAttr>(uop::kRangesAttrName);
    if (!ranges)
      continue;
    if (ranges.size() == function.getNumArguments())
      for (auto [index, range] : llvm::enumerate(ranges))
        if (isa<LLVM::ConstantRangeAttr>(range))
          function.setArgAttr(index, LLVM::LLVMDialect::getRangeAttrName(),
                              range);
    function->removeAttr(uop::kRangesAttrName);
  }
}

} // namespace
