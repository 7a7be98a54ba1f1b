//===- UopLoopOps.cpp - The ops of loop form ------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/Uop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace uop;

static LogicalResult verifyInKernel(Operation *op) {
  if (!op->getParentOfType<KernelOp>())
    return op->emitOpError("expected to be inside a uop.kernel");
  return success();
}

LogicalResult BarrierOp::verify() { return verifyInKernel(*this); }
LogicalResult PhaseOp::verify() { return verifyInKernel(*this); }

LogicalResult AllocOp::verify() {
  if (failed(verifyInKernel(*this)))
    return failure();
  auto type = cast<MemRefType>(getType());
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  if (!space || space.getValue() == gpu::AddressSpace::Global)
    return emitOpError() << "expected the memory space "
                            "#gpu.address_space<workgroup> or "
                            "#gpu.address_space<private>, but got "
                         << type;
  if (!type.getLayout().isIdentity())
    return emitOpError() << "expected an identity layout, but got " << type;
  return success();
}
