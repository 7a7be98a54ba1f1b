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
// The time is that of this process, which does one thing.
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
#include <algorithm>
#include <ctime>

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

/// Milliseconds of this process for mapping and simplification, and for all up
/// to loop form. There is one thread, and other processes do not count.
struct Times {
  double mapped = 0, lowered = 0;
};

static double getMilliseconds(std::clock_t start) {
  return double(std::clock() - start) * 1000 / CLOCKS_PER_SEC;
}

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
  std::clock_t start = std::clock();
  if (failed(map.run(*copy)))
    return false;
  double mapped = getMilliseconds(start);
  if (failed(lower.run(*copy)))
    return false;
  times.mapped += mapped;
  times.lowered += getMilliseconds(start);
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

/// The time an op of each size, and how many times that is the least of them:
/// 1 throughout where time grows like the number of ops. `times` begins with
/// those of the kernel of six axes.
static void printPerOp(const char *what, const std::vector<unsigned> &numOps,
                       const std::vector<std::vector<double>> &times) {
  std::vector<double> perOp;
  for (size_t i = 0; i < numOps.size(); ++i)
    perOp.push_back(bench::median(times[i + 1]) * 1000 / numOps[i]);
  double least = *std::min_element(perOp.begin(), perOp.end());
  std::printf("%s\n  %-28s %14s  %s\n", what, "ops", "median us an op",
              "ratio to the least");
  for (size_t i = 0; i < numOps.size(); ++i)
    std::printf("  %-28u %14.2f  %.2f\n", numOps[i], perOp[i],
                perOp[i] / least);
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
  // In ascending order, and each kernel only then made: after a large one the
  // next is scattered over memory, and took up to three times as long.
  llvm::sort(numOps);
  size_t numKernels = numOps.size() + 1;
  std::vector<std::vector<double>> mapped(numKernels), lowered(numKernels);
  for (size_t i = 0; i < numKernels; ++i) {
    std::string text = i == 0 ? kSixAxes : makeStencil(numOps[i - 1]);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    // As many ops a round for every size.
    unsigned repeats =
        i == 0 ? 10 : std::max(1u, numOps.back() / numOps[i - 1]);
    for (unsigned round = 0; round <= runs; ++round) {
      Times times;
      for (unsigned repeat = 0; repeat < repeats; ++repeat)
        if (!module || !run(*module, times))
          return 1;
      // The first round warms up.
      if (round == 0)
        continue;
      mapped[i].push_back(times.mapped / repeats);
      lowered[i].push_back(times.lowered / repeats);
    }
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
  printPerOp("Map and simplify", numOps, mapped);
  printPerOp("Map, simplify and lower to loops", numOps, lowered);
  return 0;
}
