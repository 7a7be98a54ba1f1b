//===- CompileTime.cpp - From a module to code that can be called ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time of the JIT on the tiled products, and what of it are the passes of
// MLIR: these are run on a copy of the module, and the rest is LLVM's.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "Uop/Emulator/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop::bench;

namespace {
/// Milliseconds of one compilation.
struct Times {
  std::vector<double> total, lowering, passes, llvm;
};
} // namespace

static bool measure(Harness &harness, const std::string &file, int n,
                    Times &times) {
  OwningOpRef<ModuleOp> module = harness.parse(file, n);
  if (!module)
    return false;
  Stopwatch lowering(harness.settings.clock);
  if (!harness.lowerToGPU(*module))
    return false;
  double lowered = lowering.milliseconds();

  OwningOpRef<ModuleOp> copy = module->clone();
  PassManager pm(module->getContext());
  uop::EmulationPipelineOptions options;
  options.openmp = true;
  Stopwatch passes(harness.settings.clock);
  uop::buildEmulationPipeline(pm, options);
  if (failed(pm.run(*copy)))
    return false;
  double passed = passes.milliseconds();

  Stopwatch jitTime(harness.settings.clock);
  std::unique_ptr<uop::Jit> jit = uop::Jit::create(*module);
  if (!jit)
    return false;
  auto address = jit->lookup("gemm");
  if (!address) {
    llvm::errs() << toString(address.takeError()) << "\n";
    return false;
  }
  double compiled = jitTime.milliseconds();
  times.total.push_back(lowered + compiled);
  times.lowering.push_back(lowered);
  times.passes.push_back(passed);
  times.llvm.push_back(compiled - passed);
  return true;
}

bool uop::bench::runCompileTime(Harness &harness, int n) {
  std::printf("\nFrom a module in loop form to code, blocks on all cores, "
              "median ms of %u runs\n  %-34s %9s %9s %9s %9s %9s %9s\n",
              harness.settings.runs, "", "first", "total", "least", "to gpu",
              "passes", "LLVM");
  for (auto [name, file] : {std::pair("16x16 tile", "gemm_16x16.mlir"),
                            std::pair("64x64 tile", "gemm_64x64.mlir")}) {
    Times first, times;
    if (!measure(harness, file, n, first))
      return false;
    for (unsigned run = 0; run < harness.settings.runs; ++run)
      if (!measure(harness, file, n, times))
        return false;
    std::printf("  %-34s %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f\n", name,
                first.total.front(), median(times.total),
                quantile(times.total, 0), median(times.lowering),
                median(times.passes), median(times.llvm));
    harness.goals.addTime(std::string("JIT of the GEMM, ") + name, times.total,
                          150);
  }
  std::fflush(stdout);
  return true;
}
