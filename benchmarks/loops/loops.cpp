//===- loops.cpp - Kernels as plain loops, beside C -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that are not mapped, by the default schedule for a CPU, on one core:
//
// * C = A * B, of sizes that divide and that do not, and of dynamic size,
//   beside loops in C and OpenBLAS;
// * z = a * x + y and a transposed copy, beside the same in C and memcpy.
//
//   uop-bench-loops [--runs=21] [--sizes=512,511]
//
//===----------------------------------------------------------------------===//

#include "../Interleaved.h"
#include "../OpenBLAS.h"
#include "../emulator/loops/split_loops.h"
#include "plain_loops.h"

#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/IR/Uop.h"
#include "Uop/Transforms/Passes.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace mlir;
using uop::bench::OpenBLAS;
using uop::bench::Rival;
namespace cl = llvm::cl;

static cl::opt<unsigned> runs("runs", cl::init(21),
                              cl::desc("Rounds (default: 21)"));
static cl::list<unsigned> sizes("sizes", cl::CommaSeparated,
                                cl::desc("Rows and columns of matrices "
                                         "(default: 512,511)"));

// $N: the size.
static constexpr StringLiteral gemmText = R"(
!mat = memref<$Nx$Nxf32>
uop.kernel @k(%A: !mat, %B: !mat, %C: !mat) {
  %m = uop.range loop $N
  %n = uop.range loop $N
  %k = uop.range reduce $N
  %a = uop.load %A[%m, %k] : !mat
  %b = uop.load %B[%k, %n] : !mat
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !mat
}
)";

static constexpr StringLiteral dynamicGemmText = R"(
!mat = memref<?x?xf32>
uop.kernel @k(%A: !mat, %B: !mat, %C: !mat) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = memref.dim %C, %c0 : !mat
  %N = memref.dim %C, %c1 : !mat
  %K = memref.dim %A, %c1 : !mat
  %m = uop.range loop %M
  %n = uop.range loop %N
  %k = uop.range reduce %K
  %a = uop.load %A[%m, %k] : !mat
  %b = uop.load %B[%k, %n] : !mat
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !mat
}
)";

static constexpr StringLiteral axpyText = R"(
uop.kernel @k(%a: f32, %x: memref<$Nxf32>, %y: memref<$Nxf32>,
              %z: memref<$Nxf32>) {
  %i = uop.range loop $N
  %u = uop.load %x[%i] : memref<$Nxf32>
  %v = uop.load %y[%i] : memref<$Nxf32>
  %p = arith.mulf %a, %u : f32
  %s = arith.addf %p, %v : f32
  uop.store %s, %z[%i] : memref<$Nxf32>
}
)";

static constexpr StringLiteral transposeText = R"(
uop.kernel @k(%X: memref<$Nx$Nxf32>, %Y: memref<$Nx$Nxf32>) {
  %i = uop.range loop $N
  %j = uop.range loop $N
  %x = uop.load %X[%j, %i] : memref<$Nx$Nxf32>
  uop.store %x, %Y[%i, %j] : memref<$Nx$Nxf32>
}
)";

namespace {

class Benchmark {
public:
  Benchmark() {
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<uop::UopDialect>();
    context.appendDialectRegistry(registry);
    hasBLAS = blas.load();
    std::printf("%s\n", hasBLAS ? blas.describe().c_str()
                                : "OpenBLAS not found (Debian: "
                                  "libopenblas0-pthread): no comparison");
  }

  bool runGemm(int n);
  bool runAxpy(int n);
  bool runTranspose(int n);

private:
  std::unique_ptr<uop::Jit> compile(StringRef text, int n);
  Rival makeRival(std::string name, uop::Jit *jit,
                  SmallVector<void *> arguments);
  bool compete(std::vector<Rival> &rivals, double gflop);

  DialectRegistry registry;
  MLIRContext context;
  OpenBLAS blas;
  bool hasBLAS;
  /// What every rival has to write, and where it writes.
  std::vector<float> expected, actual;
};

} // namespace

static std::vector<float> makeNumbers(size_t count) {
  static std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = uniform(random);
  return numbers;
}

std::unique_ptr<uop::Jit> Benchmark::compile(StringRef text, int n) {
  std::string filled = text.str();
  for (size_t at; (at = filled.find("$N")) != std::string::npos;)
    filled.replace(at, 2, std::to_string(n));
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(filled, &context);
  if (!module)
    return nullptr;
  PassManager pm(&context);
  uop::CPUMapOptions map;
  map.threads = 1;
  pm.addPass(uop::createCPUMap(map));
  uop::buildLowerToCPULoopsPipeline(pm, uop::LowerToCPULoopsOptions());
  if (failed(pm.run(*module)))
    return nullptr;
  uop::JitOptions options;
  options.openmp = false;
  return uop::Jit::create(*module, options);
}

Rival Benchmark::makeRival(std::string name, uop::Jit *jit,
                           SmallVector<void *> arguments) {
  return {std::move(name), [jit, arguments] {
            llvm::Error error = jit->invoke("k", arguments);
            if (!error)
              return true;
            llvm::errs() << toString(std::move(error)) << "\n";
            return false;
          }};
}

/// Checks each rival once, outside of what is timed, and compares them.
bool Benchmark::compete(std::vector<Rival> &rivals, double gflop) {
  for (Rival &rival : rivals) {
    std::fill(actual.begin(), actual.end(), NAN);
    bool ok = rival.run();
    for (size_t i = 0; i < actual.size(); ++i)
      ok &= std::abs(actual[i] - expected[i]) < 1e-3f;
    if (!ok) {
      llvm::errs() << "error: '" << rival.name << "' is wrong\n";
      return false;
    }
  }
  if (!uop::bench::compete(rivals, runs))
    return false;
  uop::bench::printTable(rivals, gflop);
  std::fflush(stdout);
  return true;
}

bool Benchmark::runGemm(int n) {
  std::vector<float> A = makeNumbers(size_t(n) * n),
                     B = makeNumbers(size_t(n) * n);
  expected.assign(size_t(n) * n, 0);
  actual = expected;
  plainGemm(n, A.data(), B.data(), expected.data());
  std::unique_ptr<uop::Jit> fixed = compile(gemmText, n),
                            dynamic = compile(dynamicGemmText, n);
  if (!fixed || !dynamic)
    return false;
  SmallVector<int64_t> shape = {n, n};
  uop::MemRefArgument argA(A.data(), shape), argB(B.data(), shape),
      argC(actual.data(), shape);
  SmallVector<void *> arguments = {argA.descriptor(), argB.descriptor(),
                                   argC.descriptor()};
  std::vector<Rival> rivals;
  rivals.push_back(makeRival("uop", fixed.get(), arguments));
  rivals.push_back(makeRival("uop, dynamic size", dynamic.get(), arguments));
  rivals.push_back({"C, k in the middle", [&] {
                      plainGemm(n, A.data(), B.data(), actual.data());
                      return true;
                    }});
  if (n % TILE == 0)
    rivals.push_back({"C, split loops, k outside of x", [&] {
                        splitLoopsKOutside(n, A.data(), B.data(), actual.data(),
                                           0, n / TILE);
                        return true;
                      }});
  if (hasBLAS)
    rivals.push_back({"OpenBLAS", [&] {
                        blas.useThreads(1);
                        blas.multiply(n, A.data(), B.data(), actual.data());
                        return true;
                      }});
  std::printf("C = A * B of %dx%d f32\n", n, n);
  return compete(rivals, 2e-9 * n * n * n);
}

bool Benchmark::runAxpy(int n) {
  std::vector<float> x = makeNumbers(n), y = makeNumbers(n);
  float a = 1.5f;
  expected.resize(n);
  actual.resize(n);
  plainAxpy(n, a, x.data(), y.data(), expected.data());
  std::unique_ptr<uop::Jit> jit = compile(axpyText, n);
  if (!jit)
    return false;
  SmallVector<int64_t> shape = {n};
  uop::MemRefArgument argX(x.data(), shape), argY(y.data(), shape),
      argZ(actual.data(), shape);
  std::vector<Rival> rivals;
  rivals.push_back(
      makeRival("uop", jit.get(),
                {&a, argX.descriptor(), argY.descriptor(), argZ.descriptor()}));
  rivals.push_back({"C", [&] {
                      plainAxpy(n, a, x.data(), y.data(), actual.data());
                      return true;
                    }});
  std::printf("z = a * x + y of %d f32\n", n);
  return compete(rivals, 0);
}

bool Benchmark::runTranspose(int n) {
  std::vector<float> X = makeNumbers(size_t(n) * n);
  expected.resize(X.size());
  actual.resize(X.size());
  plainTranspose(n, X.data(), expected.data());
  std::unique_ptr<uop::Jit> jit = compile(transposeText, n);
  if (!jit)
    return false;
  SmallVector<int64_t> shape = {n, n};
  uop::MemRefArgument argX(X.data(), shape), argY(actual.data(), shape);
  std::vector<Rival> rivals;
  rivals.push_back(
      makeRival("uop", jit.get(), {argX.descriptor(), argY.descriptor()}));
  rivals.push_back({"C", [&] {
                      plainTranspose(n, X.data(), actual.data());
                      return true;
                    }});
  rivals.push_back({"C, tiles of 32x32", [&] {
                      tiledTranspose(n, X.data(), actual.data());
                      return true;
                    }});
  rivals.push_back({"memcpy, nothing transposed", [&] {
                      std::memcpy(actual.data(), expected.data(),
                                  actual.size() * sizeof(float));
                      return true;
                    }});
  std::printf("a transposed copy of %dx%d f32\n", n, n);
  return compete(rivals, 0);
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Plain loops beside C\n");
  std::vector<unsigned> all(sizes.begin(), sizes.end());
  if (all.empty())
    all = {512, 511};
  if (runs == 0 || llvm::any_of(all, [](unsigned size) {
        return size == 0 || size > 8192;
      })) {
    llvm::errs() << "uop-bench-loops: error: expected at least one run, and "
                    "sizes from 1 to 8192\n";
    return 1;
  }
  Benchmark benchmark;
  for (unsigned size : all)
    if (!benchmark.runGemm(size))
      return 1;
  for (unsigned size : {1u << 16, 1u << 24})
    if (!benchmark.runAxpy(size))
      return 1;
  for (unsigned size : {2048, 2000})
    if (!benchmark.runTranspose(size))
      return 1;
  return 0;
}
