//===- InstrumentOrder.cpp - What comes before what -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

void Instrumentation::instrument(LLVM::FenceOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  bool acquires = op.getOrdering() != LLVM::AtomicOrdering::release;
  bool releases = op.getOrdering() != LLVM::AtomicOrdering::acquire;
  call(b, "uop_check_fence",
       {thread, number(b, acquires), number(b, releases)});
}

void Instrumentation::instrumentOrder() {
  table.hasFences = !fences.empty();
  for (LLVM::FenceOp op : fences)
    instrument(op);
  for (Operation *op : exits) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    call(b, "uop_check_exit", {thread});
  }
  for (Operation *op : barriers) {
    ImplicitLocOpBuilder b(op->getLoc(), kernel.getContext());
    b.setInsertionPointAfter(op);
    call(b, "uop_check_barrier", {thread});
  }
  for (Operation *op : warpBarriers) {
    ImplicitLocOpBuilder b(op->getLoc(), kernel.getContext());
    b.setInsertionPointAfter(op);
    call(b, "uop_check_warp_barrier", {thread});
  }
  for (Operation *op : groups) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    call(b, "uop_check_async_group", {thread});
  }
  for (Operation *op : waits) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    int64_t left =
        cast<nvgpu::DeviceAsyncWaitOp>(op).getNumGroups().value_or(0);
    call(b, "uop_check_async_wait", {thread, number(b, left)});
  }
  for (Operation *op : loops) {
    Block *body = isa<scf::WhileOp>(op) ? cast<scf::WhileOp>(op).getBeforeBody()
                                        : &op->getRegion(0).front();
    auto b = ImplicitLocOpBuilder::atBlockBegin(op->getLoc(), body);
    call(b, "uop_check_step", {number(b, addPlace(op)), thread});
  }
}
