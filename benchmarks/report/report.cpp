//===- report.cpp - How long a report takes -------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports on products of N^3 in f32 by the default schedule, of growing N. What
// they count grows with the third power of N, from 10^5 to 10^12 accesses;
// their time is not to grow. It includes mapping and lowering, but not ptxas.
//
// The time is that of this process, which does one thing.
//
//   uop-bench-report [--runs=9] [--sizes=64,512,4096,16384]
//
//===----------------------------------------------------------------------===//

#include "../Interleaved.h"

#include "Uop/IR/Uop.h"
#include "Uop/Report/ReportModule.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <ctime>

namespace cl = llvm::cl;
using namespace mlir;
using namespace uop;

static cl::opt<unsigned> runs("runs", cl::init(9),
                              cl::desc("Rounds (default: 9)"));
static cl::list<unsigned> sizes("sizes", cl::CommaSeparated,
                                cl::desc("N (default: 64,512,4096,16384)"));

static std::string makeProduct(unsigned size) {
  std::string n = std::to_string(size),
              type = "memref<" + n + "x" + n + "xf32>";
  return "uop.kernel @gemm(%A: " + type + ", %B: " + type + ", %C: " + type +
         ") {\n%m = uop.range loop " + n + "\n%n = uop.range loop " + n +
         "\n%k = uop.range reduce " + n +
         "\n%a = uop.load %A[%m, %k] : " + type +
         "\n%b = uop.load %B[%k, %n] : " + type +
         "\n%p = arith.mulf %a, %b : f32\n"
         "%c = uop.reduce add %p over(%k) : f32\n"
         "uop.store %c, %C[%m, %n] : " +
         type + "\n}\n";
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "How long a report takes\n");
  if (sizes.empty())
    for (unsigned size : {64, 512, 4096, 16384})
      sizes.push_back(size);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<UopDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  report::ModuleReportOptions options;
  options.usesPtxas = false;

  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<uint64_t> accesses(sizes.size());
  for (unsigned size : sizes)
    modules.push_back(parseSourceString<ModuleOp>(makeProduct(size), &context));
  std::vector<std::vector<double>> times(sizes.size());
  // One round to warm up.
  for (unsigned round = 0; round <= runs; ++round)
    for (size_t i = 0; i < modules.size(); ++i) {
      std::clock_t start = std::clock();
      auto reports = report::reportModule(*modules[i], options);
      double time = double(std::clock() - start) * 1000 / CLOCKS_PER_SEC;
      if (failed(reports))
        return 1;
      if (round > 0)
        times[i].push_back(time);
      accesses[i] = 0;
      for (const report::KernelReport &report : *reports)
        accesses[i] +=
            report.launch.globalAccesses + report.launch.sharedAccesses;
    }

  std::printf("Report of a product, medians of %u rounds\n", unsigned(runs));
  std::printf("  %8s %18s %10s %10s %12s\n", "N", "accesses", "ms", "least",
              "of the first");
  for (size_t i = 0; i < modules.size(); ++i)
    std::printf("  %8u %18llu %10.1f %10.1f %12.2f\n", sizes[i],
                static_cast<unsigned long long>(accesses[i]),
                bench::median(times[i]), bench::quantile(times[i], 0),
                bench::median(times[i]) / bench::median(times[0]));
  return 0;
}
