//===- KernelLaunch.cpp - How the host launches a kernel ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/IntegerRanges.h"
#include "UopToGPU.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace uop;

bool KernelLaunch::isEmpty() const {
  return llvm::any_of(grid, [](int64_t extent) {
    return !ShapedType::isDynamic(extent) && extent <= 0;
  });
}

Extents uop::getThreadExtents(Block &block) {
  Extents result = {1, 1, 1};
  for (auto range : block.getOps<RangeOp>())
    if (range.getAxis().isThreadIndex())
      result[unsigned(range.getAxis().getThreadDimension())] =
          getConstantExtent(range).value_or(1);
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

/// The verifier of a range knows its own extent only where it is a literal.
static LogicalResult checkLimits(KernelOp kernel, const KernelLaunch &launch) {
  const Extents &block = launch.block, &grid = launch.grid;
  for (unsigned dim = 0; dim < 3; ++dim) {
    StringRef name = stringifyDimension(Dimension(dim));
    if (block[dim] > kMaxBlockSize[dim])
      return kernel.emitOpError()
             << "makes a block of " << block[0] << "x" << block[1] << "x"
             << block[2] << " threads: expected at most " << kMaxBlockSize[dim]
             << " along " << name;
    if (grid[dim] > kMaxGridSize[dim])
      return kernel.emitOpError()
             << "makes a grid of " << grid[dim] << " blocks along " << name
             << ": expected at most " << kMaxGridSize[dim]
             << "; split the range over several dimensions";
  }
  if (launch.getNumThreadsPerBlock() > kMaxThreadsPerBlock)
    return kernel.emitOpError()
           << "makes a block of " << block[0] << "x" << block[1] << "x"
           << block[2] << " threads: expected at most " << kMaxThreadsPerBlock;
  return success();
}

FailureOr<KernelLaunch> uop::getKernelLaunch(KernelOp kernel) {
  WalkResult result = kernel.walk([&](RangeOp range) {
    if (range.getAxis().getKind() != AxisKind::Thread)
      return WalkResult::advance();
    range.emitOpError("expected an axis of a GPU (global, local or warp), but "
                      "got 'thread', the threads of a CPU; map the kernel for "
                      "a GPU");
    return WalkResult::interrupt();
  });
  KernelLaunch launch;
  static_cast<LaunchShape &>(launch) = computeLaunchShape(kernel);
  if (result.wasInterrupted() || failed(checkLimits(kernel, launch)))
    return failure();
  for (unsigned dim = 0; dim < 3; ++dim)
    if (launch.isDynamic(dim) &&
        failed(collectExtentOps(launch.gridRanges[dim].front(),
                                launch.getDynamicExtent(dim), launch.gridOps)))
      return failure();
  return launch;
}

//===----------------------------------------------------------------------===//
// What ranges prove
//===----------------------------------------------------------------------===//

static bool isExact(const DataFlowSolver &solver, Operation *op) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return false;
  IndexBounds lhs = lookUpBounds(solver, op->getOperand(0));
  IndexBounds rhs = lookUpBounds(solver, op->getOperand(1));
  IndexBounds result = isa<arith::AddIOp>(op)   ? lhs + rhs
                       : isa<arith::SubIOp>(op) ? lhs + rhs * -1
                                                : lhs * rhs;
  return result.isBounded();
}

LogicalResult uop::boundGrids(ModuleOp module,
                              MutableArrayRef<KernelLaunch> launches) {
  if (llvm::none_of(launches, [](const KernelLaunch &launch) {
        return launch.isDynamic(0) || launch.isDynamic(1) ||
               launch.isDynamic(2);
      }))
    return success();
  DataFlowSolver solver;
  loadIntegerRanges(solver);
  if (failed(solver.initializeAndRun(module)))
    return module.emitOpError(
        "the ranges of its indices could not be analysed");
  for (KernelLaunch &launch : launches) {
    for (Operation *op : launch.gridOps)
      if (isExact(solver, op))
        launch.exactOps.insert(op);
    for (unsigned dim = 0; dim < 3; ++dim) {
      if (!launch.isDynamic(dim))
        continue;
      // Without a block there is no index to bound.
      IndexBounds bounds = lookUpBounds(solver, launch.getDynamicExtent(dim));
      if (bounds.high)
        launch.gridBounds[dim] =
            std::clamp<int64_t>(*bounds.high, 1, launch.gridBounds[dim]);
    }
  }
  return success();
}
