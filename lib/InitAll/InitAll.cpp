//===- InitAll.cpp - Everything that a host must register -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/InitAll.h"
#include "Uop/Conversion/Passes.h"
#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/Passes.h"
#include "Uop/IR/Uop.h"
#include "Uop/Reduce/ReductionPatterns.h"
#include "Uop/Report/Passes.h"
#include "Uop/Target/Registration.h"
#include "Uop/TransformOps/UopTransformOps.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "llvm/Support/Threading.h"

void uop::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  registry.insert<UopDialect>();
}

void uop::registerAllExtensions(mlir::DialectRegistry &registry) {
  // Upstream's extensions are among them.
  registerDeviceTargets(registry);
  registerReductionPatternInterface(registry);
  registerTransformDialectExtension(registry);
}

void uop::registerAllPasses() {
  // A host and a plugin in it may both do so.
  static llvm::once_flag once;
  llvm::call_once(once, [] {
    registerUopConversionPasses();
    registerUopConversionPipelines();
    registerUopToNVVMPipelines();
    registerUopToFuncPipelines();
    registerLinalgToUopPipelines();
    registerUopTransformsPasses();
    registerUopEmulatorPasses();
    registerUopEmulatorPipelines();
    registerUopReportPasses();
  });
}
