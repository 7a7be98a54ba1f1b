//===- Pipelines.cpp - From kernels to plain loops ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Pipelines.h"
#include "Uop/Conversion/Passes.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace uop;

void uop::buildLowerToCPULoopsPipeline(OpPassManager &pm,
                                       const LowerToCPULoopsOptions &options) {
  // A schedule for every kernel that has none for a CPU yet.
  pm.addPass(createCPUMap());

  OpPassManager &kernels = pm.nest<KernelOp>();
  // As on the road to a GPU: before the loops are made, and once more when
  // copies have numbers for ranges.
  kernels.addPass(createSimplify());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLowerToLoops());
  kernels.addPass(createSimplify());
  kernels.addPass(createCSEPass());
  // What is left of each guard is decided by the bounds of the new loops.
  kernels.addPass(createCPUSplitTails());
  kernels.addPass(createSimplify());
  kernels.addPass(createCSEPass());
  kernels.addPass(createMergeGuards());
  if (options.fpContract == FPContract::On)
    kernels.addPass(createContractFMA());

  pm.addPass(createConvertUopToFunc());
}

void uop::registerUopToFuncPipelines() {
  PassPipelineRegistration<LowerToCPULoopsOptions>(
      "uop-lower-to-cpu-loops-pipeline",
      "Take kernels to plain functions with loops, parallel over the axis "
      "thread",
      buildLowerToCPULoopsPipeline);
}
