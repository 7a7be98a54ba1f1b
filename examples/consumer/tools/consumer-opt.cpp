//===- consumer-opt.cpp - The optimiser driver of the example -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Poly/Poly.h"
#include "Uop/InitAll.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  uop::registerAllDialects(registry);
  uop::registerAllExtensions(registry);
  registry.insert<poly::PolyDialect>();

  mlir::registerAllPasses();
  uop::registerAllPasses();
  poly::registerPolyPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Polynomials on GPUs\n", registry));
}
