//===- CheckKernel.cpp - What a device function cannot express ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UopToGPU.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// Device code has its arguments and allocations, but neither the module's
/// globals nor a heap.
static LogicalResult checkMemoryOps(KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) {
    if (isa<memref::GetGlobalOp>(op)) {
      op->emitOpError("is not supported in a kernel; pass the global as an "
                      "argument");
      return WalkResult::interrupt();
    }
    if (isa<memref::DeallocOp, memref::ReallocOp>(op)) {
      op->emitOpError("is not supported in a kernel; uop.alloc lasts as long "
                      "as the block or thread that it belongs to");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

int64_t uop::getDynamicSharedBytes(KernelOp kernel) {
  int64_t bytes = getSharedBytes(kernel);
  return bytes > kMaxStaticSharedBytes ? bytes : 0;
}

/// Which chip it will be is not known here.
static LogicalResult checkSharedMemory(KernelOp kernel) {
  int64_t bytes = getSharedBytes(kernel), limit = getLargestSharedBytes();
  if (bytes > limit) {
    InFlightDiagnostic diag =
        kernel.emitOpError()
        << "allocates " << bytes
        << " bytes of workgroup memory: expected at most " << limit
        << ", the most that any chip has; use smaller tiles or fewer buffers";
    kernel.walk([&](AllocOp alloc) {
      if (isWorkgroup(alloc))
        diag.attachNote(alloc.getLoc()) << getBytes(alloc) << " bytes are here";
    });
    return diag;
  }
  if (getDynamicSharedBytes(kernel) == 0)
    return success();
  WalkResult result = kernel.walk([&](AllocOp alloc) {
    if (!isWorkgroup(alloc) || getAlignment(alloc) <= kDynamicSharedAlignment)
      return WalkResult::advance();
    alloc.emitOpError() << "expected an alignment of at most "
                        << kDynamicSharedAlignment
                        << " bytes in a kernel with more than "
                        << kMaxStaticSharedBytes
                        << " bytes of workgroup memory, but got "
                        << getAlignment(alloc);
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// A private allocation is one piece of memory of the thread, which every
/// iteration of a loop around it uses again.
static LogicalResult checkPrivateMemory(KernelOp kernel) {
  WalkResult result = kernel.walk([&](AllocOp alloc) {
    if (alloc->getParentOp() == kernel || isWorkgroup(alloc))
      return WalkResult::advance();
    Operation *escape = findEscape(alloc.getResult());
    if (!escape)
      return WalkResult::advance();
    InFlightDiagnostic diag =
        alloc.emitOpError("leaves the region in which private memory is "
                          "allocated; allocate it at the top of the kernel");
    diag.attachNote(escape->getLoc()) << "it leaves the region here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Threads beyond the ranges at the top of a kernel, which are lanes that fill
/// up a warp, are kept from its whole body, and so from its barriers.
static LogicalResult checkLanes(KernelOp kernel, const KernelLaunch &launch) {
  bool hasPhases = false, hasBarriers = false;
  kernel.walk([&](Operation *op) {
    hasPhases |= isa<PhaseOp>(op);
    hasBarriers |= isa<BarrierOp, gpu::ShuffleOp>(op);
  });
  if (hasPhases || !hasBarriers)
    return success();
  for (auto range : kernel.getBodyBlock().getOps<RangeOp>())
    if (range.getAxis().getKind() == AxisKind::Warp &&
        *getConstantExtent(range) != launch.block[0])
      return range.emitOpError()
             << "expected " << launch.block[0]
             << " lanes, a whole warp, in a kernel with barriers or shuffles, "
                "but got "
             << *getConstantExtent(range)
             << "; use a whole warp and guard single accesses, or uop.phase";
  return success();
}

LogicalResult uop::checkKernel(KernelOp kernel, const KernelLaunch &launch) {
  if (failed(checkMemoryOps(kernel)) || failed(checkSharedMemory(kernel)) ||
      failed(checkPrivateMemory(kernel)))
    return failure();
  return checkLanes(kernel, launch);
}
