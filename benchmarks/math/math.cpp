//===- math.cpp - Math functions of the emulator, beside the C library ----===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that uop-expand-math makes arithmetic of, on f32:
//
// * the time an element takes, in code for vectors on one core, beside the C
//   library's;
// * with --exhaustive the greatest error over all 2^32 arguments, against the C
//   library's function of f64, and how many results are not the nearest number.
//
//   uop-bench-math [--runs=9] [--functions=exp,log] [--exhaustive]
//
//===----------------------------------------------------------------------===//

#include "../../unittests/Emulator/MathCases.h"
#include "../Interleaved.h"

#include "Uop/Emulator/Jit.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <random>
#include <thread>
#include <unistd.h>

using namespace mlir;
using namespace uop;
using namespace uop::math_cases;
using uop::bench::Rival;
namespace cl = llvm::cl;

static cl::opt<unsigned> runs("runs", cl::init(9),
                              cl::desc("Rounds (default: 9)"));
static cl::list<std::string> wanted("functions", cl::CommaSeparated,
                                    cl::desc("Names (default: all)"));
static cl::opt<bool> exhaustive("exhaustive",
                                cl::desc("Compare all arguments of f32"));
static cl::opt<unsigned>
    threads("workers",
            cl::init(std::max(1u, std::thread::hardware_concurrency())),
            cl::desc("With --exhaustive: threads (default: one a core)"));

static bool isWanted(StringRef name) {
  return wanted.empty() || llvm::is_contained(wanted, name);
}

/// A function of arrays, "run".
static std::unique_ptr<Jit> compile(MLIRContext &context, const UnaryCase &of) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      makeFunction("run", of.text, "f32", /*isBinary=*/false, 16), &context);
  JitOptions options;
  options.openmp = false;
  return module ? Jit::create(*module, options) : nullptr;
}

static bool call(Jit &jit, std::vector<float> &xs, std::vector<float> &rs) {
  int64_t size = xs.size();
  MemRefArgument from(xs.data(), {size}), to(rs.data(), {size});
  llvm::Error error = jit.invoke("run", {from.descriptor(), to.descriptor()});
  bool ok = !error;
  llvm::consumeError(std::move(error));
  return ok;
}

namespace {
/// What is known of the results so far. A nearest number is within half an ulp.
struct Findings {
  double worst = 0.5;
  float at = 0;
  uint64_t notNearest = 0;

  void merge(const Findings &other) {
    if (other.worst > worst)
      worst = other.worst, at = other.at;
    notNearest += other.notNearest;
  }
};
} // namespace

static Findings compare(Jit &jit, const UnaryCase &of, uint64_t first,
                        uint64_t count) {
  std::vector<float> xs(count), rs(count, -1.0f);
  for (uint64_t i = 0; i < count; ++i)
    xs[i] = llvm::bit_cast<float>(static_cast<uint32_t>(first + i));
  Findings found;
  if (!call(jit, xs, rs))
    std::abort();
  for (uint64_t i = 0; i < count; ++i) {
    double exact = of.near(xs[i]);
    // Most results are the nearest number, which is quickly seen.
    float nearest = static_cast<float>(exact);
    if (llvm::bit_cast<uint32_t>(nearest) == llvm::bit_cast<uint32_t>(rs[i]) ||
        (std::isnan(nearest) && std::isnan(rs[i])))
      continue;
    ++found.notNearest;
    double error = ulpError<double>(kF32, rs[i], exact);
    if (error > found.worst)
      found.worst = error, found.at = xs[i];
  }
  return found;
}

static bool compareAll(MLIRContext &context, const UnaryCase &of) {
  std::unique_ptr<Jit> jit = compile(context, of);
  if (!jit)
    return false;
  constexpr uint64_t all = 1ull << 32, chunk = 1ull << 18;
  std::atomic<uint64_t> next{0};
  std::vector<Findings> found(threads);
  auto work = [&](unsigned thread) {
    for (uint64_t first; (first = next.fetch_add(chunk)) < all;) {
      found[thread].merge(compare(*jit, of, first, chunk));
      if (thread == 0 && isatty(STDERR_FILENO))
        llvm::errs() << "\r" << of.name << ": " << first * 100 / all << " %";
    }
  };
  std::vector<std::thread> workers;
  for (unsigned thread = 1; thread < threads; ++thread)
    workers.emplace_back(work, thread);
  work(0);
  for (std::thread &worker : workers)
    worker.join();
  if (isatty(STDERR_FILENO))
    llvm::errs() << "\r";
  for (unsigned thread = 1; thread < threads; ++thread)
    found[0].merge(found[thread]);
  std::printf("%-16s %12.6f  %15.9g %14llu\n", of.name, found[0].worst,
              found[0].at,
              static_cast<unsigned long long>(found[0].notNearest));
  std::fflush(stdout);
  return true;
}

static bool measure(MLIRContext &context, const UnaryCase &of) {
  // Numbers between 1/8 and 1, which all functions but acosh have.
  std::vector<float> xs(1 << 16), rs(xs.size());
  std::mt19937 random(1);
  std::uniform_real_distribution<float> numbers(0.125f, 1.0f);
  bool isAcosh = StringRef(of.name) == "acosh";
  for (float &x : xs)
    x = isAcosh ? 1 / numbers(random) : numbers(random);
  std::unique_ptr<Jit> jit = compile(context, of);
  if (!jit)
    return false;
  std::vector<Rival> rivals = {
      {of.name + std::string(": C library"),
       [&] {
         for (size_t i = 0; i < xs.size(); ++i)
           rs[i] = of.library(xs[i]);
         return true;
       }},
      {"vectors of 16", [&] { return call(*jit, xs, rs); }}};
  if (!bench::compete(rivals, runs))
    return false;
  auto time = [&](const Rival &rival) {
    return bench::median(rival.times) * 1e6 / xs.size();
  };
  std::printf("%-16s %9.2f %9.2f\n", of.name, time(rivals[0]), time(rivals[1]));
  return true;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Math functions of the emulator\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  MLIRContext context(registry);
  if (exhaustive)
    std::printf("%-16s %12s  %15s %14s\n", "function", "error in ulp", "at",
                "not nearest");
  else
    std::printf("nanoseconds an element\n%-16s %9s %9s\n", "function",
                "C library", "vectors");
  for (const UnaryCase &of : kUnary)
    if (isWanted(of.name) &&
        !(exhaustive ? compareAll(context, of) : measure(context, of)))
      return 1;
  return 0;
}
