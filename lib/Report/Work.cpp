//===- Work.cpp - The arithmetic of a kernel ------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floating-point additions, subtractions, multiplications and fused ones, as
// Nsight Compute's smsp__sass_thread_inst_executed_op_{fadd,fmul,ffma}_pred_on
// and their halves and doubles count them, and products of matrices.
//
//===----------------------------------------------------------------------===//

#include "BuildParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

static double getNumElements(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements();
  return 1;
}

namespace {
/// What one thread does when it executes an op.
struct OpWork {
  /// Additions and products, and whether they are fused.
  double operations = 0;
  bool isFused = false;
  double special = 0;
  /// Additions and products of all lanes of a warp together.
  double tensor = 0;
};
} // namespace

static OpWork countOp(Operation *op) {
  OpWork work;
  llvm::TypeSwitch<Operation *>(op)
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp>([&](auto) {
        work.operations = getNumElements(op->getResult(0).getType());
      })
      .Case<math::FmaOp, vector::FMAOp>([&](auto) {
        work.operations = 2 * getNumElements(op->getResult(0).getType());
        work.isFused = true;
      })
      .Case([&](vector::ReductionOp reduction) {
        bool isSum = reduction.getKind() == vector::CombiningKind::ADD ||
                     reduction.getKind() == vector::CombiningKind::MUL;
        if (isSum)
          work.operations = reduction.getSourceVectorType().getNumElements() -
                            1 + (reduction.getAcc() ? 1 : 0);
      })
      .Case<arith::DivFOp, arith::RemFOp>([&](auto) {
        work.special = getNumElements(op->getResult(0).getType());
      })
      .Case<math::AbsFOp, math::CopySignOp, math::FloorOp, math::CeilOp,
            math::TruncOp, math::RoundOp, math::RoundEvenOp>([](auto) {})
      .Case([&](gpu::SubgroupMmaComputeOp product) {
        auto a = cast<gpu::MMAMatrixType>(product.getOpA().getType());
        auto c = cast<gpu::MMAMatrixType>(product.getOpC().getType());
        work.tensor = 2.0 * c.getShape()[0] * c.getShape()[1] * a.getShape()[1];
      })
      .Case([&](nvgpu::MmaSyncOp product) {
        std::array<int64_t, 3> shape = product.getMmaShapeAsArray();
        work.tensor = 2.0 * shape[0] * shape[1] * shape[2];
      })
      .Default([&](Operation *op) {
        if (isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
            op->getNumResults() == 1 &&
            isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
          work.special = getNumElements(op->getResult(0).getType());
      });
  return work;
}

static void add(WorkReport &report, Operation *op, double threads,
                unsigned warpSize) {
  OpWork work = countOp(op);
  report.special += work.special * threads;
  report.tensor += work.tensor * threads / warpSize;
  if (work.operations == 0)
    return;
  if (work.isFused)
    report.fma += work.operations / 2 * threads;
  unsigned width =
      getElementTypeOrSelf(op->getResult(0).getType()).getIntOrFloatBitWidth();
  double &sum = width >= 64   ? report.fp64
                : width >= 32 ? report.fp32
                              : report.fp16;
  sum += work.operations * threads;
}

WorkReport report::countWork(KernelOp kernel, const KernelCounts &counts,
                             unsigned warpSize) {
  WorkReport report;
  kernel.getBody().walk([&](Operation *op) {
    OpWork work = countOp(op);
    if (work.operations == 0 && work.special == 0 && work.tensor == 0)
      return;
    if (std::optional<uint64_t> threads = counts.getThreads(op->getBlock()))
      add(report, op, double(*threads), warpSize);
    else if (report.notCounted.empty())
      report.notCounted =
          "how often " + op->getName().getStringRef().str() +
          " is executed depends on data, or on control flow that is not "
          "followed";
  });
  return report;
}
