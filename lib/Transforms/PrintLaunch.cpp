//===- PrintLaunch.cpp - Print the launch shapes of kernels ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Analysis/UsefulThreads.h"
#include "Uop/Transforms/LowerToLoops.h"
#include "Uop/Transforms/Passes.h"
#include "llvm/Support/Format.h"

namespace uop {
#define GEN_PASS_DEF_PRINTLAUNCH
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

static void printShape(raw_ostream &os, ArrayRef<int64_t> shape) {
  os << "(";
  llvm::interleave(
      shape, os,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          os << "?";
        else
          os << extent;
      },
      ",");
  os << ")";
}

static std::string describe(const LaunchShape &shape, double usefulThreads) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "grid ";
  printShape(os, shape.grid);
  os << ", block ";
  printShape(os, shape.block);
  if (std::optional<int64_t> blocks = shape.getNumBlocks()) {
    int64_t threads, warps;
    if (!llvm::MulOverflow(*blocks, shape.getNumThreadsPerBlock(), threads) &&
        !llvm::MulOverflow(*blocks, shape.getNumWarpsPerBlock(), warps))
      os << ", " << threads << (threads == 1 ? " thread, " : " threads, ")
         << warps << (warps == 1 ? " warp" : " warps");
  }
  os << ", "
     << llvm::format("%g", 100 * shape.getUsefulLaneShare() * usefulThreads)
     << " % useful lanes";
  return text;
}

/// The shared memory of a block; nothing where that is not decided yet. What
/// stages, and reductions by the threads of a block, need is up to their
/// lowering.
static std::optional<int64_t> computeSharedBytes(KernelOp kernel) {
  if (!kernel.isGraphForm())
    return getSharedBytes(kernel);
  if (!kernel.isMapped())
    return std::nullopt;
  Block &body = kernel.getBodyBlock();
  if (body.getOps<StageOp>().empty() &&
      llvm::none_of(body.getOps<RangeOp>(), [](RangeOp range) {
        return range.getAxis().getKind() == AxisKind::GroupReduce;
      }))
    return 0;
  OwningOpRef<KernelOp> copy(kernel.clone());
  if (failed(lowerToLoops(*copy)))
    return std::nullopt;
  return getSharedBytes(*copy);
}

static std::string describe(KernelOp kernel) {
  LaunchShape shape = computeLaunchShape(kernel);
  return describe(shape, kernel.isGraphForm()
                             ? computeUsefulThreadShare(kernel, shape)
                             : 1);
}

namespace {

struct PrintLaunchPass : uop::impl::PrintLaunchBase<PrintLaunchPass> {
  using Base::Base;

  void runOnOperation() override {
    if (!lookUpGPUTarget(chip)) {
      emitError(getOperation()->getLoc())
          << "expected a known chip, but got '" << chip
          << "'; known chips: " << listGPUTargets();
      return signalPassFailure();
    }
    bool isRefused = false;
    getOperation()->walk([&](KernelOp kernel) {
      std::optional<int64_t> sharedBytes = computeSharedBytes(kernel);
      InFlightDiagnostic remark = emitRemark(kernel.getLoc())
                                  << "@" << kernel.getSymName();
      if (kernel.isGraphForm() && !kernel.isMapped())
        remark << " is not mapped, and so has no launch shape; run "
                  "--uop-gpu-map";
      else
        remark << ": " << describe(kernel);
      if (sharedBytes)
        remark << ", " << *sharedBytes << " bytes of shared memory";
      isRefused |= failed(checkSharedBytes(sharedBytes.value_or(0), chip, [&] {
        remark.report();
        return kernel.emitOpError();
      }));
    });
    if (isRefused)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
