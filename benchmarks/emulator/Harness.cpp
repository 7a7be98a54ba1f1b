//===- Harness.cpp - What the workloads of this benchmark share -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "Uop/Conversion/Pipelines.h"
#include "Uop/IR/Uop.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;
using namespace uop::bench;

//===----------------------------------------------------------------------===//
// Goals
//===----------------------------------------------------------------------===//

static std::string format(const char *pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

// Small factors are read as parts of a hundred, great ones as multiples.
static std::string formatSpeed(double value, double goal) {
  return goal < 5 ? format("%.0f %%", 100 * value) : format("%.1fx", value);
}

void Goals::addSpeed(const std::string &what, const Rival &ours,
                     const Rival &rival, double least) {
  std::vector<double> ratios = ratiosOf(rival, ours);
  auto at = [&](double which) {
    return formatSpeed(quantile(ratios, which), least);
  };
  rows.push_back({what, at(0.5) + " (" + at(0.25) + " to " + at(0.75) + ")",
                  ">= " + formatSpeed(least, least), median(ratios) >= least});
}

void Goals::addRate(const std::string &what, const Rival &ours, double gflop,
                    double least) {
  auto at = [&](double which) {
    return 1e3 * gflop / quantile(ours.times, 1 - which);
  };
  rows.push_back({what,
                  format("%.1f GFLOP/s", at(0.5)) +
                      format(" (%.1f to ", at(0.25)) +
                      format("%.1f)", at(0.75)),
                  format(">= %.0f", least), at(0.5) >= least});
}

void Goals::addTime(const std::string &what, const std::vector<double> &times,
                    double most) {
  auto at = [&](double which) {
    return format("%.0f", quantile(times, which));
  };
  rows.push_back({what, at(0.5) + " ms (" + at(0.25) + " to " + at(0.75) + ")",
                  format("< %.0f ms", most), median(times) < most});
}

void Goals::leaveOut(const std::string &what, const std::string &why) {
  missing.push_back(what + ": left out: " + why);
}

void Goals::print() const {
  std::printf("\n%-54s %-26s %-10s\n", "Speed of the emulator, goals",
              "median (quartiles)", "target");
  for (const Row &row : rows)
    std::printf("%-54s %-26s %-10s %s\n", row.what.c_str(),
                row.measured.c_str(), row.target.c_str(),
                row.met ? "met" : "not met");
  for (const std::string &line : missing)
    std::printf("%s\n", line.c_str());
}

//===----------------------------------------------------------------------===//
// Harness
//===----------------------------------------------------------------------===//

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<uop::UopDialect>();
  return registry;
}

Harness::Harness(Settings settings)
    : settings(settings), context(makeRegistry()), hasBLAS(blas.load()),
      hasOpenCL(opencl.load()) {
  std::printf("%s\n%s\n",
              hasBLAS ? blas.describe().c_str()
                      : "OpenBLAS not found (Debian: libopenblas0-pthread): "
                        "no comparison with it",
              opencl.describe().c_str());
}

static std::string substituteSize(llvm::StringRef text, int n) {
  std::string result;
  while (true) {
    auto [before, after] = text.split("$N");
    result += before;
    if (before.size() == text.size())
      return result;
    int divisor = 1;
    if (after.consume_front("/"))
      (void)after.consumeInteger(10, divisor);
    result += std::to_string(n / divisor);
    text = after;
  }
}

OwningOpRef<ModuleOp> Harness::parse(const std::string &file, int n) {
  std::string path = UOP_BENCH_KERNELS "/" + file;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    llvm::errs() << "uop-bench-emulator: error: cannot read '" << path
                 << "': " << buffer.getError().message() << "\n";
    return nullptr;
  }
  return parseSourceString<ModuleOp>(substituteSize((*buffer)->getBuffer(), n),
                                     &context, path);
}

bool Harness::lowerToGPU(ModuleOp module) {
  PassManager pm(&context);
  buildLowerToGPUPipeline(pm, LowerToGPUOptions());
  return succeeded(pm.run(module));
}

std::unique_ptr<uop::Jit> Harness::compile(const std::string &file, int n,
                                           bool parallel, bool detects) {
  OwningOpRef<ModuleOp> module = parse(file, n);
  if (!module || !lowerToGPU(*module))
    return nullptr;
  JitOptions options;
  options.openmp = parallel;
  options.checked = options.detect = detects;
  return Jit::create(*module, options);
}

bool Harness::call(Jit &jit, llvm::StringRef function,
                   llvm::ArrayRef<void *> args) {
  llvm::Error error = jit.invoke(function, args);
  if (!error)
    return true;
  llvm::errs() << toString(std::move(error)) << "\n";
  return false;
}

bool Harness::compete(std::vector<Rival> &rivals, const std::string &title,
                      double gflop) {
  if (!uop::bench::compete(rivals, settings.runs, settings.clock))
    return false;
  std::printf("\n%s, %u rounds\n", title.c_str(), settings.runs);
  printTable(rivals, gflop);
  std::fflush(stdout);
  return true;
}
