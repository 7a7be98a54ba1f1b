//===- Pipelines.cpp - From linalg on tensors to the gpu dialect ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Pipelines.h"
#include "Uop/Conversion/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace uop;

/// What can be done better, or only, while values are tensors.
static void addTensorPasses(OpPassManager &pm,
                            const LowerLinalgToGPUOptions &options) {
  pm.addPass(createConvertElementwiseToLinalgPass());
  // Copies and casts of tensors are left as they are: bufferisation goes by
  // them.
  pm.addPass(createDecomposeLinalg());
  if (options.fuse)
    pm.addPass(createLinalgElementwiseOpFusionPass());
}

/// Functions take their results as further arguments, memrefs of any strides
/// become such of none, and what is allocated is freed.
static void addBufferization(OpPassManager &pm) {
  pm.addPass(createProtectArguments());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(bufferization::createDropEquivalentBufferResultsPass());
  pm.addPass(createPromoteResults());
  bufferization::buildBufferDeallocationPipeline(
      pm, bufferization::BufferDeallocationPipelineOptions());
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void uop::buildLowerLinalgToGPUPipeline(
    OpPassManager &pm, const LowerLinalgToGPUOptions &options) {
  addTensorPasses(pm, options);
  addBufferization(pm);
  ConvertLinalgToUopOptions convert;
  convert.fuse = options.fuse;
  pm.addPass(createConvertLinalgToUop(convert));
  LowerToGPUOptions lower;
  lower.fpContract = options.fpContract;
  lower.placeShared = options.placeShared;
  lower.splitReductions = options.splitReductions;
  lower.chip = options.chip;
  buildLowerToGPUPipeline(pm, lower);
}

void uop::registerLinalgToUopPipelines() {
  PassPipelineRegistration<LowerLinalgToGPUOptions>(
      "uop-lower-linalg-to-gpu-pipeline",
      "Take linalg on tensors or memrefs to kernels of the gpu dialect and "
      "their launches; results of functions become their last arguments",
      buildLowerLinalgToGPUPipeline);
}
