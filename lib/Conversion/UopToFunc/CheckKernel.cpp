//===- CheckKernel.cpp - What a plain function cannot express -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/LaunchShape.h"
#include "UopToFunc.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace uop;

static LogicalResult checkAlloc(AllocOp alloc, KernelOp kernel) {
  if (isWorkgroup(alloc))
    return alloc.emitOpError("allocates workgroup memory, which belongs to a "
                             "block of threads of a GPU; plain CPU loops have "
                             "private memory only");
  // It is one piece of memory, which every iteration of a loop uses again.
  Operation *escape =
      alloc->getParentOp() == kernel ? nullptr : findEscape(alloc.getResult());
  if (!escape)
    return success();
  InFlightDiagnostic diag =
      alloc.emitOpError("leaves the region in which private memory is "
                        "allocated; allocate it at the top of the kernel");
  diag.attachNote(escape->getLoc()) << "it leaves the region here";
  return diag;
}

static LogicalResult checkOp(Operation *op, KernelOp kernel) {
  if (auto range = dyn_cast<RangeOp>(op)) {
    if (range.getAxis().getKind() == AxisKind::Thread)
      return success();
    return range.emitOpError()
           << "expected the axis 'thread', the threads of a CPU, but got '"
           << range.getAxis().str()
           << "', which is of a GPU; take the kernel before it is mapped, or "
              "run it with --convert-uop-to-gpu and the emulator";
  }
  if (isa<BarrierOp, PhaseOp>(op) ||
      isa<gpu::GPUDialect, nvgpu::NVGPUDialect>(op->getDialect()))
    return op->emitOpError("is about the threads of a GPU, which plain CPU "
                           "loops do not have; run the kernel with "
                           "--convert-uop-to-gpu and the emulator");
  if (isa<memref::DeallocOp, memref::ReallocOp>(op))
    return op->emitOpError("is not supported in a kernel; uop.alloc lasts as "
                           "long as the thread that it belongs to");
  if (auto alloc = dyn_cast<AllocOp>(op))
    return checkAlloc(alloc, kernel);
  return success();
}

LogicalResult uop::checkCPUKernel(KernelOp kernel) {
  if (!isa<ModuleOp>(kernel->getParentOp()))
    return kernel.emitOpError("expected a kernel directly in a module");
  if (kernel.isGraphForm())
    return kernel.emitOpError("expected loop form, but got graph form; run "
                              "--uop-lower-to-loops first");
  WalkResult walk = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    return op != kernel && failed(checkOp(op, kernel)) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
