//===- consumer-run.cpp - Runs a program of the example -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   consumer-run FILE FUNCTION N
//
// Calls a function of two arrays, memref<?xf32>, on the emulator, with N
// elements 0, 1, 2, ... in the first, and prints the second.
//
//===----------------------------------------------------------------------===//

#include "Poly/Poly.h"
#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/InitAll.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <numeric>

using namespace mlir;

int main(int argc, char **argv) {
  size_t size;
  if (argc != 4 || StringRef(argv[3]).getAsInteger(10, size)) {
    llvm::errs() << "usage: consumer-run FILE FUNCTION N\n";
    return 1;
  }
  DialectRegistry registry;
  uop::registerAllDialects(registry);
  uop::registerAllExtensions(registry);
  registry.insert<poly::PolyDialect>();
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  // Our op to a kernel, our mapping, and the rest of the way by Uop.
  PassManager passes(&context);
  passes.addPass(poly::createConvertPolyToUop());
  passes.addNestedPass<uop::KernelOp>(poly::createMapPoly());
  uop::buildLowerToGPUPipeline(passes, uop::LowerToGPUOptions());
  if (failed(passes.run(*module)))
    return 1;
  std::unique_ptr<uop::Jit> jit = uop::Jit::create(*module);
  if (!jit)
    return 1;

  std::vector<float> x(size), y(size, std::numeric_limits<float>::quiet_NaN());
  std::iota(x.begin(), x.end(), 0.0f);
  uop::MemRefArgument in(x.data(), {int64_t(size)});
  uop::MemRefArgument out(y.data(), {int64_t(size)});
  if (llvm::Error error =
          jit->invoke(argv[2], {in.descriptor(), out.descriptor()})) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  for (float value : y)
    llvm::outs() << value << "\n";
  return 0;
}
