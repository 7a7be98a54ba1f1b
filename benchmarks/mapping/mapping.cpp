//===- mapping.cpp - How long it takes to map a kernel --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps and simplifies, and then lowers to loops and simplifies again,
//
// * a kernel of six axes, folded onto a grid, with a tail on each axis and 64
//   upcast copies; and
// * element-wise kernels of 10^2 to 10^5 ops, to see how the time grows.
//
//   uop-bench-mapping [--runs=9] [--sizes=100,1000,10000,100000]
//
//===----------------------------------------------------------------------===//

#include "../Interleaved.h"

#include "Uop/IR/Uop.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace mlir;
using namespace uop;

static cl::opt<unsigned> runs("runs", cl::init(9),
                              cl::desc("Rounds (default: 9)"));
static cl::list<unsigned>
    sizes("sizes", cl::CommaSeparated,
          cl::desc("Ops (default: 100,1000,10000,100000)"));

static const char kSixAxes[] = R"mlir(
  uop.kernel @six(%x: memref<5x6x7x11x13x35xf32>, %y: memref<13x35xf32>,
                  %out: memref<5x6x7x11x13x35xf32>)
      attributes {schedule = #uop.schedule<[LOCAL 5:8, LOCAL 4:4, LOCAL 3:2,
                                            UPCAST 5:4, UPCAST 4:4,
                                            UPCAST 2:4]>} {
    %a = uop.range loop 5
    %b = uop.range loop 6
    %c = uop.range loop 7
    %d = uop.range loop 11
    %e = uop.range loop 13
    %f = uop.range loop 35
    %u = uop.load %x[%a, %b, %c, %d, %e, %f] : memref<5x6x7x11x13x35xf32>
    %v = uop.load %y[%e, %f] : memref<13x35xf32>
    %s = arith.addf %u, %v : f32
    uop.store %s, %out[%a, %b, %c, %d, %e, %f] : memref<5x6x7x11x13x35xf32>
  }
)mlir";

/// A chain of sums of neighbours, of so many ops in all.
static std::string makeStencil(unsigned numOps) {
  std::string text = R"mlir(
    uop.kernel @stencil(%x: memref<1048576xf32>, %out: memref<1000003xf32>) {
      %i = uop.range loop 1000003
      %v = uop.load %x[%i] : memref<1048576xf32>
  )mlir";
  std::string last = "%v";
  for (unsigned number = 0; number < numOps / 4; ++number) {
    std::string n = std::to_string(number);
    text += "%c" + n + " = arith.constant " + std::to_string(number % 40000) +
            " : index\n%i" + n + " = arith.addi %i, %c" + n + " : index\n%v" +
            n + " = uop.load %x[%i" + n + "] : memref<1048576xf32>\n%s" + n +
            " = arith.addf " + last + ", %v" + n + " : f32\n";
    last = "%s" + n;
  }
  return text + "uop.store " + last + ", %out[%i] : memref<1000003xf32>\n}\n";
}

/// Milliseconds for mapping and simplification, and for all up to loop form.
struct Times {
  double mapped, lowered;
};

static bool run(ModuleOp module, Times &times) {
  OwningOpRef<ModuleOp> copy = module.clone();
  MLIRContext *context = module.getContext();
  PassManager map(context), lower(context);
  map.addPass(createGPUMap());
  map.addNestedPass<KernelOp>(createSimplify());
  map.addNestedPass<KernelOp>(createCSEPass());
  lower.addNestedPass<KernelOp>(createLowerToLoops());
  lower.addNestedPass<KernelOp>(createSimplify());
  lower.addNestedPass<KernelOp>(createCSEPass());
  auto start = std::chrono::steady_clock::now();
  if (failed(map.run(*copy)))
    return false;
  std::chrono::duration<double, std::milli> mapped =
      std::chrono::steady_clock::now() - start;
  if (failed(lower.run(*copy)))
    return false;
  std::chrono::duration<double, std::milli> lowered =
      std::chrono::steady_clock::now() - start;
  times = {mapped.count(), lowered.count()};
  return true;
}

static void print(const std::string &name, const std::vector<double> &times,
                  const std::vector<double> &before, double growth) {
  std::printf("  %-28s %10.2f %10.2f", name.c_str(), bench::median(times),
              bench::quantile(times, 0));
  if (!before.empty()) {
    std::vector<double> ratios;
    for (size_t i = 0; i < times.size(); ++i)
      ratios.push_back(times[i] / before[i] / growth);
    std::printf("  %.2f (%.2f to %.2f)", bench::median(ratios),
                bench::quantile(ratios, 0.25), bench::quantile(ratios, 0.75));
  }
  std::printf("\n");
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Time of mapping\n");
  std::vector<unsigned> numOps(sizes.begin(), sizes.end());
  if (numOps.empty())
    numOps = {100, 1000, 10000, 100000};
  if (runs == 0 ||
      llvm::any_of(numOps, [](unsigned size) { return size < 8; })) {
    llvm::errs() << "uop-bench-mapping: error: expected at least one run, and "
                    "sizes of 8 or more\n";
    return 1;
  }
  MLIRContext context;
  context.disableMultithreading();
  context.loadDialect<UopDialect, arith::ArithDialect, memref::MemRefDialect,
                      gpu::GPUDialect>();
  std::vector<OwningOpRef<ModuleOp>> modules;
  modules.push_back(parseSourceString<ModuleOp>(kSixAxes, &context));
  for (unsigned size : numOps)
    modules.push_back(parseSourceString<ModuleOp>(makeStencil(size), &context));
  std::vector<std::vector<double>> mapped(modules.size()),
      lowered(modules.size());
  for (unsigned round = 0; round <= runs; ++round)
    for (size_t i = 0; i < modules.size(); ++i) {
      Times times;
      if (!modules[i] || !run(*modules[i], times))
        return 1;
      // The first round warms up.
      if (round == 0)
        continue;
      mapped[i].push_back(times.mapped);
      lowered[i].push_back(times.lowered);
    }
  std::printf("Mapping, %u rounds\n  %-28s %10s %10s  %s\n", unsigned(runs), "",
              "median ms", "least ms",
              "ratio an op to the size before (quartiles)");
  print("6 axes, 64 copies: map", mapped[0], {}, 1);
  print("                   and loops", lowered[0], {}, 1);
  for (size_t i = 0; i < numOps.size(); ++i) {
    double growth = i == 0 ? 1 : double(numOps[i]) / numOps[i - 1];
    std::string name = std::to_string(numOps[i]) + " ops";
    print(name + ": map", mapped[i + 1],
          i == 0 ? std::vector<double>() : mapped[i], growth);
    print(std::string(name.size(), ' ') + "  and loops", lowered[i + 1],
          i == 0 ? std::vector<double>() : lowered[i], growth);
  }
  return 0;
}
