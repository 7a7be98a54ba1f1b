//===- DynamicMemory.cpp - Shared memory whose size a launch gives --------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockStorage.h"
#include "PrepareKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uop;

// The memory that the launch gives is one more buffer of the block. Where its
// size is not constant it is one more argument of the kernel, the last.
LogicalResult uop::addDynamicMemory(gpu::GPUFuncOp kernel,
                                    std::optional<int64_t> bytes) {
  SmallVector<gpu::DynamicSharedMemoryOp> ops;
  kernel.walk([&](gpu::DynamicSharedMemoryOp op) { ops.push_back(op); });
  if (!bytes)
    (void)kernel.insertArgument(kernel.getNumArguments(),
                                IndexType::get(kernel.getContext()), {},
                                kernel.getLoc());
  if (ops.empty())
    return success();
  if (bytes == 0)
    return ops.front().emitOpError("expected a launch that gives dynamic "
                                   "shared memory, but got one of 0 bytes");
  OpBuilder b(kernel.getContext());
  auto type = MemRefType::get({bytes.value_or(ShapedType::kDynamic)},
                              b.getI8Type(), MemRefLayoutAttrInterface(),
                              ops.front().getType().getMemorySpace());
  Value memory = kernel.addWorkgroupAttribution(type, ops.front().getLoc());
  if (!bytes)
    kernel.setWorkgroupAttributionAttr(kernel.getNumWorkgroupAttributions() - 1,
                                       b.getStringAttr(kDynamicSharedMemory),
                                       b.getUnitAttr());
  for (gpu::DynamicSharedMemoryOp op : ops) {
    b.setInsertionPoint(op);
    op.getResult().replaceAllUsesWith(
        b.createOrFold<memref::CastOp>(op.getLoc(), op.getType(), memory));
    op.erase();
  }
  return success();
}
