//===- HostOps.cpp - Memory operations of the host ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

static void lowerMemset(OpBuilder &b, gpu::MemsetOp op) {
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> indices;
  OpBuilder::InsertionGuard guard(b);
  auto type = cast<MemRefType>(op.getDst().getType());
  SmallVector<Value> ends;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    ends.push_back(memref::DimOp::create(b, loc, op.getDst(), axis));
  for (Value end : ends) {
    auto loop = scf::ForOp::create(b, loc, zero, end, one);
    indices.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  memref::StoreOp::create(b, loc, op.getValue(), op.getDst(), indices);
}

LogicalResult uop::lowerHostMemoryOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (isa<gpu::WaitOp, gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp,
            gpu::MemsetOp, gpu::HostRegisterOp, gpu::HostUnregisterOp,
            gpu::LaunchFuncOp>(op))
      ops.push_back(op);
    return WalkResult::advance();
  });
  // Everything happens in the order of the text, so no token is waited for.
  for (Operation *op : ops)
    llvm::TypeSwitch<Operation *>(op)
        .Case<gpu::WaitOp, gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp,
              gpu::MemsetOp, gpu::LaunchFuncOp>(
            [](auto async) { async.getAsyncDependenciesMutable().clear(); });
  for (Operation *op : ops) {
    auto async = dyn_cast<gpu::AsyncOpInterface>(op);
    Value token = async ? async.getAsyncToken() : Value();
    if (!token || token.use_empty())
      continue;
    InFlightDiagnostic diag =
        op->emitOpError("expected its token to be used by gpu operations only");
    diag.attachNote(token.use_begin()->getOwner()->getLoc())
        << "it is used here";
    return diag;
  }
  for (Operation *op : ops) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    if (auto alloc = dyn_cast<gpu::AllocOp>(op)) {
      if (!alloc.getSymbolOperands().empty())
        return op->emitOpError("with a layout of symbols is not supported by "
                               "the emulator");
      Value buffer = memref::AllocOp::create(b, loc, alloc.getType(),
                                             alloc.getDynamicSizes());
      alloc.getMemref().replaceAllUsesWith(buffer);
    } else if (auto dealloc = dyn_cast<gpu::DeallocOp>(op)) {
      memref::DeallocOp::create(b, loc, dealloc.getMemref());
    } else if (auto copy = dyn_cast<gpu::MemcpyOp>(op)) {
      memref::CopyOp::create(b, loc, copy.getSrc(), copy.getDst());
    } else if (auto set = dyn_cast<gpu::MemsetOp>(op)) {
      if (!isa<MemRefType>(set.getDst().getType()))
        return op->emitOpError("expected a ranked memref");
      lowerMemset(b, set);
    }
    if (!isa<gpu::LaunchFuncOp>(op))
      op->erase();
  }
  return success();
}
