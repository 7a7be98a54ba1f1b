//===- ConvertToNVVM.cpp - From gpu.module to NVVM ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the passes between the gpu dialect and NVVM, and the pass
// convert-to-nvvm that runs them.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Conversion/Passes.h"
#include "Uop/Conversion/Pipelines.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace uop {
#define GEN_PASS_DEF_CONVERTTONVVM
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

void uop::buildConvertToNVVMPipeline(OpPassManager &pm,
                                     const ConvertToNVVMOptions &options) {
  AttachNVVMTargetOptions attach;
  attach.chip = options.chip;
  attach.features = options.features;
  attach.optLevel = options.optLevel;
  attach.fastMath = options.fastMath;
  pm.addPass(createAttachNVVMTarget(attach));

  OpPassManager &device = pm.nest<gpu::GPUModuleOp>();
  device.addPass(createConvertVectorToSCFPass());
  LegalizeForNVVMOptions legalize;
  legalize.fastMath = options.fastMath;
  device.addPass(createLegalizeForNVVM(legalize));
  device.addPass(memref::createExpandStridedMetadataPass());
  device.addPass(createLowerAffinePass());
  device.addPass(createAlignAccesses());
  if (options.indexWidth != "64")
    device.addPass(arith::createIntRangeOptimizationsPass());
  device.addPass(createAlternateRemainders());
  if (options.indexWidth != "64")
    device.addPass(createNarrowIndex());
  device.addPass(createCanonicalizerPass());
  device.addPass(createCSEPass());
  device.addPass(createSCFToControlFlowPass());
  // Its patterns want the nvgpu operations while their memrefs are memrefs.
  device.addPass(createConvertNVGPUToNVVMPass());
  ConvertGpuOpsToNVVMOpsOptions toNVVM;
  toNVVM.useBarePtrCallConv = true;
  device.addPass(createConvertGpuOpsToNVVMOps(toNVVM));
  device.addPass(createCanonicalizerPass());
  device.addPass(createCSEPass());
  device.addPass(createReconcileUnrealizedCastsPass());
  device.addPass(createFinishNVVM());
}

/// By these the passes find how to convert an op of another dialect. A host may
/// have registered them already; without them every op would be refused.
static void registerConversionInterfaces(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  NVVM::registerConvertGpuToNVVMInterface(registry);
}

namespace {

struct ConvertToNVVM : uop::impl::ConvertToNVVMBase<ConvertToNVVM> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager pm(ModuleOp::getOperationName());
    buildPipeline(pm);
    pm.getDependentDialects(registry);
    registerConversionInterfaces(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (indexWidth != "auto" && indexWidth != "64") {
      module.emitError() << "expected index-width auto or 64, but got '"
                         << indexWidth.getValue()
                         << "'; 32 bits are used where they are proved to fit";
      return signalPassFailure();
    }
    OpPassManager pm(ModuleOp::getOperationName());
    buildPipeline(pm);
    if (failed(runPipeline(pm, module)))
      signalPassFailure();
  }

  void buildPipeline(OpPassManager &pm) const {
    uop::LowerToGPUOptions toGPU;
    toGPU.fpContract = fpContract;
    toGPU.placeShared = placeShared;
    toGPU.splitReductions = splitReductions;
    // One that is not known is refused where it becomes the target.
    if (uop::lookUpGPUTarget(chip))
      toGPU.chip = chip;
    uop::buildLowerToGPUPipeline(pm, toGPU);
    uop::buildConvertToNVVMPipeline(pm, getOptions());
  }

  uop::ConvertToNVVMOptions getOptions() const {
    uop::ConvertToNVVMOptions options;
    options.chip = chip;
    options.features = features;
    options.optLevel = optLevel;
    options.fastMath = fastMath;
    options.indexWidth = indexWidth;
    return options;
  }
};

} // namespace

void uop::registerUopToNVVMPipelines() {
  PassPipelineRegistration<LowerToNVVMOptions>(
      "uop-lower-to-nvvm-pipeline",
      "Take kernels in any form to NVVM and its target, with tiles in shared "
      "memory",
      [](OpPassManager &pm, const LowerToNVVMOptions &options) {
        ConvertToNVVMOptions convert;
        convert.chip = options.chip;
        convert.fpContract = options.fpContract;
        convert.placeShared = options.placeShared;
        convert.splitReductions = options.splitReductions;
        pm.addPass(createConvertToNVVM(convert));
      });
}
