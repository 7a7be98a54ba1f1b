//===- Pipeline.cpp - From gpu kernels to LLVM for the CPU ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Async/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void uop::buildEmulationPipeline(OpPassManager &pm,
                                 const EmulationPipelineOptions &options) {
  EmulateGpuOptions emulate;
  emulate.parallel = options.openmp;
  emulate.subgroupSize = options.subgroupSize;
  emulate.chip = options.chip;
  emulate.checked = options.checked;
  emulate.counted = options.counted;
  emulate.sample = options.sample;
  emulate.detect = options.detect;
  emulate.stepLimit = options.stepLimit;
  pm.addPass(createDropFastMath());
  // What host code and kernels may be written in besides. A kernel is not
  // simplified before it is cut: a shuffle that nobody reads is still one.
  pm.addPass(createLowerLinalg());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createEmulateGpu(emulate));
  pm.addPass(createGuardDivisions());
  pm.addPass(createDropMemorySpaces());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Most tests of indices follow from the bounds of loops.
  if (options.detect) {
    pm.addPass(arith::createIntRangeOptimizationsPass());
    pm.addPass(createCanonicalizerPass());
  }
  pm.addNestedPass<func::FuncOp>(createLoopInvariantCodeMotionPass());
  pm.addPass(createLowerCopies());
  pm.addPass(createExpandAtomics());

  // Functions of narrow floats are computed in f64: what rounds these numbers
  // comes after.
  pm.addPass(createExpandMath());
  // Every other operation on a narrow float is computed in f32 and rounded at
  // once, whatever the CPU has.
  pm.addPass(createNarrowFloats());
  pm.addNestedPass<func::FuncOp>(math::createMathExtendToSupportedTypes());
  // Powers of integers, which neither LLVM nor the C library has.
  ConvertMathToFuncsOptions powers;
  powers.minWidthOfFPowIExponent = IntegerType::kMaxWidth;
  pm.addPass(createConvertMathToFuncs(powers));
  arith::ArithEmulateUnsupportedFloatsOptions narrow;
  static constexpr StringLiteral narrowTypes[] = {"f16", "bf16"};
  for (StringRef type : narrowTypes)
    narrow.sourceTypeStrs.push_back(type.str());
  narrow.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(narrow));
  // The last two passes leave flags that allow a rounding to be folded away.
  pm.addPass(createDropFastMath());
  pm.addPass(createLowerExtrema());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  VectorizeThreadsOptions vectorize;
  bool tellsEachAccess =
      (options.checked && !options.detect) || options.counted;
  vectorize.width = tellsEachAccess ? 1 : options.vectorWidth;
  pm.addPass(createVectorizeThreads(vectorize));
  pm.addPass(createCSEPass());

  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(memref::createExpandOpsPass());
  // While regions have one block: they become functions.
  pm.addPass(createAsyncFuncToAsyncRuntimePass());
  pm.addPass(createAsyncToAsyncRuntimePass());
  pm.addPass(createAsyncRuntimeRefCountingPass());
  if (options.openmp)
    pm.addPass(createConvertSCFToOpenMPPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  // Before the loops go: a loop in a parallel region needs allocas in place.
  FinalizeMemRefToLLVMConversionPassOptions memory;
  // Aligned by hand, a pointer goes through an integer, and LLVM no longer
  // knows that it is a buffer of its own.
  memory.useAlignedAlloc = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createLowerAsync());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  if (options.openmp)
    pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createBFloat16ToBits());
}

void uop::registerUopEmulatorPipelines() {
  PassPipelineRegistration<EmulationPipelineOptions>(
      "uop-lower-to-cpu-pipeline",
      "Take gpu kernels and their launches to the LLVM dialect for the CPU",
      buildEmulationPipeline);
}
