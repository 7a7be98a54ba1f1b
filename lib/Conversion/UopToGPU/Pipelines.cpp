//===- Pipelines.cpp - From kernels to the gpu dialect --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Pipelines.h"
#include "Uop/Conversion/Passes.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace uop;

/// Splits what is to be two kernels, and gives every kernel that has none yet a
/// schedule.
static void addMapping(OpPassManager &pm, const LowerToGPUOptions &options) {
  // What a schedule asks for is done in any case.
  SplitReductionsOptions split;
  split.heuristic = options.splitReductions ? "default" : "none";
  split.chip = options.chip;
  pm.addPass(createSplitReductions(split));
  if (options.placeShared) {
    PlaceSharedOptions place;
    place.onlyUnmapped = true;
    place.chip = options.chip;
    pm.addPass(createPlaceShared(place));
  } else {
    GPUMapOptions map;
    map.chip = options.chip;
    pm.addPass(createGPUMap(map));
  }
}

static void addContraction(OpPassManager &kernels,
                           const LowerToGPUOptions &options) {
  if (options.fpContract == FPContract::On)
    kernels.addPass(createContractFMA());
}

static void addLowering(OpPassManager &kernels,
                        const LowerToGPUOptions &options) {
  // Equal addresses become one value before the loops are made, so that copies
  // of an upcast axis share what they load, and once more when copies have
  // numbers for ranges.
  kernels.addPass(createSimplify());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLowerToLoops());
  kernels.addPass(createSimplify());
  kernels.addPass(createCSEPass());
  kernels.addPass(createMergeGuards());
  kernels.addPass(createWidenAccesses());
  // A layout keeps together what one access has; the tiles that are filled
  // ahead have that layout; and only then it is known how long each is in use.
  kernels.addPass(createLayoutShared());
  PipelineSharedOptions pipeline;
  pipeline.chip = options.chip;
  kernels.addPass(createPipelineShared(pipeline));
  kernels.addPass(createSimplify());
  kernels.addPass(createCSEPass());
  kernels.addPass(createPackShared());
  addContraction(kernels, options);
}

void uop::buildLowerToGPUPipeline(OpPassManager &pm,
                                  const LowerToGPUOptions &options) {
  addMapping(pm, options);
  addLowering(pm.nest<KernelOp>(), options);
  pm.addPass(createConvertUopToGPU());
}

static LogicalResult run(Operation *op,
                         function_ref<void(OpPassManager &)> build) {
  PassManager pm(op->getContext(), op->getName().getStringRef());
  build(pm);
  return pm.run(op);
}

LogicalResult uop::lowerToLoopForm(ModuleOp module,
                                   const LowerToGPUOptions &options) {
  if (failed(run(module, [&](OpPassManager &pm) { addMapping(pm, options); })))
    return failure();
  // What has loop form now is what the user wrote.
  for (KernelOp kernel : module.getOps<KernelOp>())
    if (failed(run(kernel, [&](OpPassManager &pm) {
          kernel.isGraphForm() ? addLowering(pm, options)
                               : addContraction(pm, options);
        })))
      return failure();
  return success();
}

LogicalResult uop::lowerToGPUAsWritten(ModuleOp module,
                                       const LowerToGPUOptions &options) {
  if (failed(lowerToLoopForm(module, options)))
    return failure();
  return run(module,
             [](OpPassManager &pm) { pm.addPass(createConvertUopToGPU()); });
}

void uop::registerUopConversionPipelines() {
  PassPipelineRegistration<LowerToGPUOptions>(
      "uop-lower-to-gpu-pipeline",
      "Take kernels in any form to the gpu dialect and their launches",
      buildLowerToGPUPipeline);
}
