//===- LaunchShape.cpp - Blocks and threads of a kernel -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UopToGPU.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

std::optional<Extents> LaunchShape::getStaticGrid() const {
  Extents result;
  for (auto [extent, value] : llvm::zip(grid, result)) {
    std::optional<int64_t> constant = getConstantIntValue(extent);
    if (!constant)
      return std::nullopt;
    value = *constant;
  }
  return result;
}

std::optional<int64_t> uop::getStaticExtent(RangeOp range) {
  return getConstantIntValue(range.getMixedExtent());
}

/// The threads along its dimension that a thread range needs.
static int64_t getThreads(RangeOp range) {
  return getStaticExtent(range).value_or(1);
}

Extents uop::getThreadExtents(Block &block) {
  Extents result = {1, 1, 1};
  for (auto range : block.getOps<RangeOp>())
    if (range.getAxis().isThreadIndex())
      result[unsigned(range.getAxis().getThreadDimension())] =
          getThreads(range);
  return result;
}

/// Collects the ops that compute a dynamic extent, all in the kernel's block.
static LogicalResult collectExtentOps(RangeOp range, Value value,
                                      llvm::SetVector<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!op || ops.contains(op))
    return success();
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0) {
    InFlightDiagnostic diag =
        range.emitOpError()
        << "expected the extent of axis '" << range.getAxis().str()
        << "' to be computed from constants, scalar arguments and memref "
           "dimensions, but it depends on '"
        << op->getName() << "'; pass it as an argument";
    diag.attachNote(op->getLoc()) << "the value is defined here";
    return diag;
  }
  for (Value operand : op->getOperands())
    if (failed(collectExtentOps(range, operand, ops)))
      return failure();
  ops.insert(op);
  return success();
}

static LogicalResult checkBlock(KernelOp kernel, const Extents &block) {
  auto print = [&](InFlightDiagnostic &diag) -> InFlightDiagnostic & {
    return diag << "makes a block of " << block[0] << "x" << block[1] << "x"
                << block[2] << " threads: expected at most ";
  };
  for (unsigned dim = 0; dim < 3; ++dim)
    if (block[dim] > kMaxBlockSize[dim]) {
      InFlightDiagnostic diag = kernel.emitOpError();
      print(diag) << kMaxBlockSize[dim] << " along "
                  << stringifyDimension(Dimension(dim));
      return diag;
    }
  if (block[0] * block[1] * block[2] > kMaxThreadsPerBlock) {
    InFlightDiagnostic diag = kernel.emitOpError();
    print(diag) << kMaxThreadsPerBlock;
    return diag;
  }
  return success();
}

FailureOr<LaunchShape> uop::getLaunchShape(KernelOp kernel) {
  LaunchShape shape;
  shape.grid.fill(Builder(kernel.getContext()).getIndexAttr(1));
  bool hasLanes = false;
  WalkResult result = kernel.walk([&](RangeOp range) {
    AxisAttr axis = range.getAxis();
    if (axis.getKind() == AxisKind::Thread) {
      range.emitOpError("expected an axis of a GPU (global, local or warp), "
                        "but got 'thread', the threads of a CPU; map the "
                        "kernel for a GPU");
      return WalkResult::interrupt();
    }
    if (axis.isThreadIndex()) {
      int64_t &extent = shape.block[unsigned(axis.getThreadDimension())];
      extent = std::max(extent, getThreads(range));
      hasLanes |= axis.getKind() == AxisKind::Warp;
      return WalkResult::advance();
    }
    unsigned dim = unsigned(*axis.getDimension());
    if (std::optional<int64_t> extent = getStaticExtent(range)) {
      if (*extent > kMaxGridSize[dim]) {
        range.emitOpError()
            << "expected an extent of at most " << kMaxGridSize[dim]
            << " for axis '" << axis.str() << "', but got " << *extent
            << "; split the range over several dimensions";
        return WalkResult::interrupt();
      }
      shape.grid[dim] = Builder(kernel.getContext()).getIndexAttr(*extent);
      return WalkResult::advance();
    }
    shape.grid[dim] = range.getExtent();
    return WalkResult(
        collectExtentOps(range, range.getExtent(), shape.gridOps));
  });
  // Lanes are those of whole warps: the threads along x are made a multiple of
  // the lanes, which also makes the lane of a thread a function of x alone.
  if (hasLanes)
    shape.block[0] = llvm::alignTo(shape.block[0], kWarpSize);
  if (result.wasInterrupted() || failed(checkBlock(kernel, shape.block)))
    return failure();
  return shape;
}
