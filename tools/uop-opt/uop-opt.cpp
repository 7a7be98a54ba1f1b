//===- uop-opt.cpp - The optimiser driver of Uop --------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs passes on a module: all of upstream MLIR's, and Uop's.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Passes.h"
#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/Passes.h"
#include "Uop/IR/Uop.h"
#include "Uop/Transforms/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  registry.insert<uop::UopDialect>();
  uop::registerUopConversionPasses();
  uop::registerUopConversionPipelines();
  uop::registerUopTransformsPasses();
  uop::registerUopEmulatorPasses();
  uop::registerUopEmulatorPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Uop optimiser driver\n", registry));
}
