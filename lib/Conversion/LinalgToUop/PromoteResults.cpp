//===- PromoteResults.cpp - Results of functions as further arguments -----===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever calls a function from outside gives it the arrays for its results,
// too. Upstream does this for all functions or none; but a caller in the module
// has no size for a memref of dynamic shape.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace uop {
#define GEN_PASS_DEF_PROMOTERESULTS
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

using namespace mlir;

namespace {

class PromoteResults : public uop::impl::PromoteResultsBase<PromoteResults> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Before any use changes.
    llvm::DenseSet<Operation *> excluded;
    module.walk([&](func::FuncOp function) {
      bool isDynamic = llvm::any_of(function.getResultTypes(), [](Type type) {
        auto memref = dyn_cast<MemRefType>(type);
        return memref && !memref.hasStaticShape();
      });
      if (isDynamic && !SymbolTable::symbolKnownUseEmpty(function, module))
        excluded.insert(function);
    });
    bufferization::BufferResultsToOutParamsOpts options;
    options.filterFn = [&](func::FuncOp *function) {
      return !excluded.contains(*function);
    };
    options.hoistStaticAllocs = true;
    options.hoistDynamicAllocs = true;
    options.modifyPublicFunctions = true;
    if (failed(bufferization::promoteBufferResultsToOutParams(module, options)))
      signalPassFailure();
  }
};

} // namespace
