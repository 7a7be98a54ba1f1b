//===- Clusters.cpp - Clusters of blocks ----------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clusters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

void uop::replaceClusterSizes(gpu::LaunchOp launch) {
  std::optional<gpu::KernelDim3> sizes = launch.getClusterSize();
  if (!sizes)
    return;
  OpBuilder b = OpBuilder::atBlockBegin(&launch.getBody().front());
  for (auto [size, axis] : {std::pair(sizes->x, gpu::Dimension::x),
                            {sizes->y, gpu::Dimension::y},
                            {sizes->z, gpu::Dimension::z}})
    if (!size.use_empty())
      size.replaceAllUsesWith(
          gpu::ClusterDimBlocksOp::create(b, launch.getLoc(), axis));
}

SmallVector<Value, 3> uop::createClusterSizes(gpu::GPUFuncOp kernel,
                                              const LaunchShape &shape) {
  SmallVector<Value, 3> sizes;
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  if (shape.hasConstantCluster()) {
    for (std::optional<int64_t> size : shape.cluster)
      sizes.push_back(
          arith::ConstantIndexOp::create(b, kernel.getLoc(), *size));
    return sizes;
  }
  unsigned first = kernel.getNumArguments();
  for (unsigned axis = 0; axis < 3; ++axis)
    (void)kernel.insertArgument(first + axis, b.getIndexType(), {},
                                kernel.getLoc());
  for (unsigned axis = 0; axis < 3; ++axis)
    sizes.push_back(kernel.getArgument(first + axis));
  return sizes;
}

void uop::lowerClusterIds(gpu::GPUFuncOp kernel, ValueRange sizes) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<gpu::ClusterIdOp, gpu::ClusterDimOp, gpu::ClusterBlockIdOp,
            gpu::ClusterDimBlocksOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    // Of most launches a block is a cluster: nothing is divided.
    auto divide = [&](Value blocks, Value size) -> Value {
      return matchPattern(size, m_One())
                 ? blocks
                 : arith::DivUIOp::create(b, loc, blocks, size).getResult();
    };
    auto sizeAlong = [&](auto known) {
      return sizes[static_cast<unsigned>(known.getDimension())];
    };
    Value value =
        llvm::TypeSwitch<Operation *, Value>(op)
            .Case([&](gpu::ClusterIdOp id) {
              Value block = gpu::BlockIdOp::create(b, loc, id.getDimension());
              return divide(block, sizeAlong(id));
            })
            .Case([&](gpu::ClusterDimOp dim) {
              Value grid = gpu::GridDimOp::create(b, loc, dim.getDimension());
              return divide(grid, sizeAlong(dim));
            })
            .Case([&](gpu::ClusterBlockIdOp id) {
              Value block = gpu::BlockIdOp::create(b, loc, id.getDimension());
              return b.createOrFold<arith::RemUIOp>(loc, block, sizeAlong(id));
            })
            .Case([&](gpu::ClusterDimBlocksOp dim) { return sizeAlong(dim); });
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}
