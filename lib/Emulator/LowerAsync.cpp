//===- LowerAsync.cpp - The async dialect of host code --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"

namespace uop {
#define GEN_PASS_DEF_LOWERASYNC
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

namespace {
class LowerAsync : public uop::impl::LowerAsyncBase<LowerAsync> {
public:
  using LowerAsyncBase::LowerAsyncBase;

  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([](Operation *op) {
      return isa_and_nonnull<async::AsyncDialect>(op->getDialect())
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (!walk.wasInterrupted())
      return;
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addPass(createConvertAsyncToLLVMPass());
    if (failed(runPipeline(pm, getOperation())))
      return signalPassFailure();
    // What goes through control flow keeps its type there, and is a pointer.
    AttrTypeReplacer replacer;
    replacer.addReplacement([](Type type) -> std::optional<Type> {
      if (isa<async::TokenType, async::ValueType, async::GroupType>(type))
        return LLVM::LLVMPointerType::get(type.getContext());
      return std::nullopt;
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }
};
} // namespace
