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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {
#define GEN_PASS_DEF_PROMOTERESULTS
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

using namespace mlir;

namespace {

class PromoteResults : public uop::impl::PromoteResultsBase<PromoteResults> {
public:
  using PromoteResultsBase::PromoteResultsBase;
  void runOnOperation() override;
};

} // namespace

static bool isDynamic(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && !memref.hasStaticShape();
}

static void assertSize(ImplicitLocOpBuilder &b, Value size, Value expected,
                       int64_t dimension) {
  Value isEqual =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, size, expected);
  cf::AssertOp::create(b, isEqual,
                       "expected the memory for a result to have the result's "
                       "size in dimension #" +
                           std::to_string(dimension));
}

/// Gives a memref that is returned twice a copy for the second time: each
/// argument is memory of its own.
static void copyRepeatedResults(func::FuncOp function) {
  function.walk([](func::ReturnOp op) {
    llvm::SmallPtrSet<Value, 4> seen;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (!type || seen.insert(operand.get()).second)
        continue;
      ImplicitLocOpBuilder b(op.getLoc(), op);
      Value source = operand.get();
      SmallVector<Value> sizes;
      for (int64_t dim : llvm::seq(type.getRank()))
        if (type.isDynamicDim(dim))
          sizes.push_back(memref::DimOp::create(b, source, dim));
      Value copy = memref::AllocOp::create(b, type, sizes);
      memref::CopyOp::create(b, source, copy);
      operand.set(copy);
    }
  });
}

/// Says where a result is allocated what size it has: the caller's memory comes
/// in the place of the allocation.
static void assertAllocatedSizes(func::FuncOp function) {
  llvm::SetVector<memref::AllocOp> allocations;
  function.walk([&](func::ReturnOp op) {
    for (Value result : op.getOperands())
      if (auto alloc = result.getDefiningOp<memref::AllocOp>())
        allocations.insert(alloc);
  });
  for (memref::AllocOp alloc : allocations) {
    MemRefType type = alloc.getType();
    ImplicitLocOpBuilder b(alloc.getLoc(), alloc);
    b.setInsertionPointAfter(alloc);
    for (int64_t dim : llvm::seq(type.getRank()))
      if (type.isDynamicDim(dim))
        assertSize(b, memref::DimOp::create(b, alloc, dim),
                   alloc.getDynamicSizes()[type.getDynamicDimIndex(dim)], dim);
  }
}

/// The same of what is copied to the caller's memory, which is there from
/// argument `begin` on.
static void assertCopiedSizes(func::FuncOp function, unsigned begin) {
  for (BlockArgument argument : function.getArguments().drop_front(begin)) {
    if (!isDynamic(argument.getType()))
      continue;
    auto type = cast<MemRefType>(argument.getType());
    for (Operation *user : llvm::to_vector(argument.getUsers())) {
      auto copy = dyn_cast<memref::CopyOp>(user);
      if (!copy || copy.getTarget() != argument)
        continue;
      ImplicitLocOpBuilder b(copy.getLoc(), copy);
      for (int64_t dim : llvm::seq(type.getRank()))
        if (type.isDynamicDim(dim))
          assertSize(b, memref::DimOp::create(b, argument, dim),
                     memref::DimOp::create(b, copy.getSource(), dim), dim);
    }
  }
}

void PromoteResults::runOnOperation() {
  ModuleOp module = getOperation();
  // Before any use changes.
  llvm::MapVector<func::FuncOp, unsigned> promoted;
  module.walk([&](func::FuncOp function) {
    if (function.isExternal() ||
        llvm::none_of(function.getResultTypes(), llvm::IsaPred<MemRefType>) ||
        (llvm::any_of(function.getResultTypes(), isDynamic) &&
         !SymbolTable::symbolKnownUseEmpty(function, module)))
      return;
    promoted[function] = function.getNumArguments();
    copyRepeatedResults(function);
    assertAllocatedSizes(function);
  });
  bufferization::BufferResultsToOutParamsOpts options;
  options.filterFn = [&](func::FuncOp *function) {
    return promoted.contains(*function);
  };
  options.hoistStaticAllocs = true;
  options.hoistDynamicAllocs = true;
  options.modifyPublicFunctions = true;
  if (failed(bufferization::promoteBufferResultsToOutParams(module, options)))
    return signalPassFailure();
  for (auto [function, begin] : promoted)
    assertCopiedSizes(function, begin);
}
