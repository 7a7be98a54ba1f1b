//===- simplify.cpp - How the time of --uop-simplify grows ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simplifies kernels with 10^2, 10^4 and 10^6 ops of index arithmetic, in
// turns, and reports the time an op and its growth.
//
//   uop-bench-simplify [--runs=5] [--sizes=100,10000,1000000]
//
// Kernels of two kinds: addresses, as folding and splitting make them, and
// random chains, where each op uses recent values, so that all of the kernel is
// one deep expression with much sharing.
//
//===----------------------------------------------------------------------===//

#include "../Interleaved.h"

#include "Uop/IR/Uop.h"
#include "Uop/Transforms/Simplify.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <random>

namespace cl = llvm::cl;
using namespace mlir;
using namespace uop;

static cl::opt<unsigned> runs("runs", cl::init(5),
                              cl::desc("Rounds (default: 5)"));
static cl::list<unsigned> sizes("sizes", cl::CommaSeparated,
                                cl::desc("Ops (default: 100,10000,1000000)"));

namespace {

/// Writes the text of a kernel in loop form, and counts its index arithmetic.
class KernelText {
public:
  explicit KernelText(unsigned numOps) : numOps(numOps) {
    text = "uop.kernel loops @k(%out: memref<4xi64>) {\n"
           "%zero = arith.constant 0 : index\n"
           "%g = uop.range global<x> 30030\n%t = uop.range local<x> 128\n";
    for (int64_t number = 1; number <= 64; ++number)
      text += "%c" + std::to_string(number) + " = arith.constant " +
              std::to_string(number) + " : index\n";
  }

  bool isFull() const { return count >= numOps; }

  std::string add(const std::string &op, const std::string &a,
                  const std::string &b) {
    std::string name = "%v" + std::to_string(count++);
    text += name + " = " + op + " " + a + ", " + b +
            (op[0] == 'a' ? " : index\n" : "\n");
    return name;
  }

  void use(const std::string &value) {
    std::string name = "%u" + std::to_string(numUses++);
    text += name + " = arith.index_cast " + value +
            " : index to i64\nmemref.store " + name +
            ", %out[%zero] : memref<4xi64>\n";
  }

  std::string finish() { return text + "}\n"; }

private:
  std::string text;
  unsigned numOps, count = 0, numUses = 0;
};

} // namespace

/// Block indices folded from axes, tiled, flattened, and taken apart again.
static std::string makeAddresses(unsigned numOps) {
  std::mt19937_64 random(1);
  auto pick = [&](int64_t low, int64_t high) {
    return "%c" + std::to_string(low + random() % (high - low + 1));
  };
  KernelText kernel(numOps);
  while (!kernel.isFull()) {
    std::string inner = pick(2, 64), outer = pick(2, 64), tile = pick(2, 64);
    std::string both = kernel.add("arith.muli", inner, outer);
    std::string a = kernel.add("uop.floordiv", "%g", both);
    std::string rest = kernel.add("uop.floormod", "%g", both);
    std::string b = kernel.add("uop.floordiv", rest, inner);
    std::string c = kernel.add("uop.floormod", rest, inner);
    std::string lane = kernel.add("uop.floormod", "%t", tile);
    std::string flat = kernel.add("arith.muli", a, outer);
    flat = kernel.add("arith.addi", flat, b);
    flat = kernel.add("arith.muli", flat, inner);
    flat = kernel.add("arith.addi", flat, c);
    flat = kernel.add("arith.muli", flat, tile);
    flat = kernel.add("arith.addi", flat, lane);
    kernel.use(kernel.add("uop.floordiv", flat, tile));
    kernel.use(kernel.add("uop.floormod", flat, tile));
  }
  return kernel.finish();
}

static std::string makeChain(unsigned numOps) {
  std::mt19937_64 random(1);
  auto pick = [&](uint64_t count) { return random() % count; };
  std::vector<std::string> values = {"%g", "%t"};
  KernelText kernel(numOps);
  while (!kernel.isFull()) {
    auto value = [&] {
      return values[values.size() - 1 -
                    pick(std::min<size_t>(values.size(), 8))];
    };
    std::string a = value(), number = "%c" + std::to_string(2 + pick(15));
    static const char *const ops[] = {
        "arith.addi",   "arith.subi",   "arith.minsi",  "arith.maxsi",
        "uop.floordiv", "uop.floormod", "uop.floordiv", "uop.floormod",
        "arith.muli",   "uop.floordiv"};
    size_t op = pick(std::size(ops));
    values.push_back(kernel.add(ops[op], a, op < 4 ? value() : number));
    if (pick(16) == 0)
      kernel.use(values.back());
  }
  kernel.use(values.back());
  return kernel.finish();
}

/// Runs one kind of kernel, all sizes in turn. Returns false on failure.
static bool measure(const char *kind, std::string (*make)(unsigned),
                    llvm::ArrayRef<unsigned> numOps) {
  MLIRContext context;
  context.loadDialect<UopDialect, arith::ArithDialect, memref::MemRefDialect>();
  std::vector<OwningOpRef<ModuleOp>> modules;
  for (unsigned size : numOps) {
    modules.push_back(parseSourceString<ModuleOp>(make(size), &context));
    if (!modules.back())
      return false;
  }
  // Small kernels are simplified often enough for the clock.
  std::vector<std::vector<double>> times(numOps.size());
  for (unsigned round = 0; round <= runs; ++round)
    for (auto [index, size] : llvm::enumerate(numOps)) {
      unsigned repeats = std::max(1u, 10000 / size);
      double nanoseconds = 0;
      for (unsigned i = 0; i < repeats; ++i) {
        OwningOpRef<ModuleOp> copy = modules[index]->clone();
        KernelOp kernel = *copy->getOps<KernelOp>().begin();
        auto start = std::chrono::steady_clock::now();
        simplifyIndices(kernel);
        std::chrono::duration<double, std::nano> passed =
            std::chrono::steady_clock::now() - start;
        nanoseconds += passed.count();
      }
      // The first round warms up.
      if (round != 0)
        times[index].push_back(nanoseconds / repeats / size);
    }

  llvm::outs() << kind << ", " << runs << " rounds\n";
  llvm::outs().flush();
  std::printf("  %10s %12s %12s  %s\n", "ops", "median us/op", "least us/op",
              "ratio to the size before (quartiles)");
  for (size_t i = 0; i < numOps.size(); ++i) {
    std::printf("  %10u %12.3f %12.3f", numOps[i],
                bench::median(times[i]) / 1000,
                bench::quantile(times[i], 0) / 1000);
    if (i != 0) {
      std::vector<double> ratios;
      for (size_t round = 0; round < runs; ++round)
        ratios.push_back(times[i][round] / times[i - 1][round]);
      std::printf("  %.2f (%.2f to %.2f)", bench::median(ratios),
                  bench::quantile(ratios, 0.25), bench::quantile(ratios, 0.75));
    }
    std::printf("\n");
  }
  std::fflush(stdout);
  return true;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Time of --uop-simplify\n");
  std::vector<unsigned> numOps(sizes.begin(), sizes.end());
  if (numOps.empty())
    numOps = {100, 10000, 1000000};
  if (runs == 0 || llvm::is_contained(numOps, 0u)) {
    llvm::errs() << "uop-bench-simplify: error: expected at least one run, and "
                    "sizes above 0\n";
    return 1;
  }
  return measure("Addresses", makeAddresses, numOps) &&
                 measure("Random chains", makeChain, numOps)
             ? 0
             : 1;
}
