//===- emulator.cpp - A tiled product on the emulator, beside others ------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hand-written GEMM of examples/smem_gemm (16x16 threads, two tiles in
// shared memory, two barriers), emulated, beside the same split loops written
// in C and beside OpenBLAS: first on one core, then on several.
//
//   uop-bench-emulator [--size=512] [--runs=41] [--cores=N]
//
// OpenBLAS is loaded when it is there; without it its lines are left out.
//
//===----------------------------------------------------------------------===//

#include "../Interleaved.h"
#include "../OpenBLAS.h"
#include "split_loops.h"

#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/IR/Uop.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdlib>
#include <random>
#include <thread>

using namespace mlir;
namespace cl = llvm::cl;

static cl::opt<unsigned> size("size", cl::init(512),
                              cl::desc("Rows and columns, a multiple of 16 "
                                       "(default: 512)"));
static cl::opt<unsigned> runs("runs", cl::init(41),
                              cl::desc("Rounds (default: 41)"));
static cl::opt<unsigned> cores("cores", cl::init(0),
                               cl::desc("Cores of the second table (default: "
                                        "all of this machine)"));

// $N: the size, $G: blocks along an axis.
static constexpr StringLiteral kernelText = R"(
!mat = memref<$Nx$Nxf32>
!tile = memref<16x16xf32, #gpu.address_space<workgroup>>
uop.kernel loops @smem_gemm(%A: !mat, %B: !mat, %C: !mat) {
  %by = uop.range global<y> $G
  %bx = uop.range global<x> $G
  %ty = uop.range local<y> 16
  %tx = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %T = arith.constant 16 : index
  %N = arith.constant $N : index
  %zero = arith.constant 0.0 : f32
  %sA = uop.alloc : !tile
  %sB = uop.alloc : !tile
  %by16 = arith.muli %by, %T : index
  %bx16 = arith.muli %bx, %T : index
  %row = arith.addi %by16, %ty : index
  %col = arith.addi %bx16, %tx : index
  %sum = scf.for %k0 = %c0 to %N step %T iter_args(%acc = %zero) -> f32 {
    %ka = arith.addi %k0, %tx : index
    %kb = arith.addi %k0, %ty : index
    %a = memref.load %A[%row, %ka] : !mat
    %b = memref.load %B[%kb, %col] : !mat
    memref.store %a, %sA[%ty, %tx] : !tile
    memref.store %b, %sB[%ty, %tx] : !tile
    uop.barrier
    %part = scf.for %k = %c0 to %T step %c1 iter_args(%s = %acc) -> f32 {
      %x = memref.load %sA[%ty, %k] : !tile
      %y = memref.load %sB[%k, %tx] : !tile
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %s, %p : f32
      scf.yield %next : f32
    }
    uop.barrier
    scf.yield %part : f32
  }
  memref.store %sum, %C[%row, %col] : !mat
}
)";

static std::string getKernelText() {
  std::string text;
  for (size_t i = 0; i < kernelText.size(); ++i) {
    if (kernelText[i] != '$') {
      text += kernelText[i];
      continue;
    }
    text += std::to_string(kernelText[++i] == 'N' ? size : size / TILE);
  }
  return text;
}

using uop::bench::OpenBLAS;

static std::unique_ptr<uop::Jit> compile(MLIRContext &context, bool parallel) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(getKernelText(), &context);
  if (!module)
    return nullptr;
  PassManager pm(&context);
  uop::buildLowerToGPUPipeline(pm, uop::LowerToGPUOptions());
  if (failed(pm.run(*module)))
    return nullptr;
  uop::JitOptions options;
  options.openmp = parallel;
  return uop::Jit::create(*module, options);
}

namespace {

using SplitLoops = void (*)(int, const float *, const float *, float *, int,
                            int);

class Benchmark {
public:
  Benchmark()
      : n(static_cast<int>(size)), elements(size_t(n) * n), A(elements),
        B(elements), C(elements), expected(elements) {
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<uop::UopDialect>();
    context.appendDialectRegistry(registry);
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (size_t i = 0; i < elements; ++i) {
      A[i] = uniform(random);
      B[i] = uniform(random);
    }
    splitLoops(n, A.data(), B.data(), expected.data(), 0, n / TILE);
  }

  bool run(unsigned cores, OpenBLAS *blas);

private:
  /// The rival `multiply`, which must have written all of C rightly.
  uop::bench::Rival makeRival(std::string name, std::function<bool()> multiply);
  void runSplitLoops(SplitLoops loops, unsigned cores);

  int n;
  size_t elements;
  std::vector<float> A, B, C, expected;
  DialectRegistry registry;
  MLIRContext context;
};

} // namespace

uop::bench::Rival Benchmark::makeRival(std::string name,
                                       std::function<bool()> multiply) {
  // Checked once, outside of what is timed.
  std::fill(C.begin(), C.end(), NAN);
  bool ok = multiply();
  for (size_t i = 0; i < elements; ++i)
    ok &= std::abs(C[i] - expected[i]) < 1e-3f;
  if (!ok)
    return {name + " (wrong result)", [] { return false; }};
  return {std::move(name), std::move(multiply)};
}

void Benchmark::runSplitLoops(SplitLoops loops, unsigned cores) {
  unsigned rows = size / TILE;
  auto work = [&](unsigned core) {
    loops(n, A.data(), B.data(), C.data(), rows * core / cores,
          rows * (core + 1) / cores);
  };
  std::vector<std::thread> threads;
  for (unsigned core = 1; core < cores; ++core)
    threads.emplace_back(work, core);
  work(0);
  for (std::thread &thread : threads)
    thread.join();
}

bool Benchmark::run(unsigned cores, OpenBLAS *blas) {
  std::unique_ptr<uop::Jit> jit = compile(context, cores > 1);
  if (!jit)
    return false;
  if (cores > 1 && !jit->isParallel()) {
    llvm::outs() << "Several cores: left out: " << jit->note() << "\n";
    return true;
  }

  SmallVector<int64_t> shape = {n, n};
  uop::MemRefArgument argA(A.data(), shape), argB(B.data(), shape),
      argC(C.data(), shape);
  std::vector<uop::bench::Rival> rivals;
  rivals.push_back(makeRival("emulator", [&] {
    llvm::Error error = jit->invoke(
        "smem_gemm", {argA.descriptor(), argB.descriptor(), argC.descriptor()});
    if (!error)
      return true;
    llvm::errs() << toString(std::move(error)) << "\n";
    return false;
  }));
  rivals.push_back(makeRival("C, the same split loops", [&] {
    runSplitLoops(splitLoops, cores);
    return true;
  }));
  rivals.push_back(makeRival("C, split loops, k outside of x", [&] {
    runSplitLoops(splitLoopsKOutside, cores);
    return true;
  }));
  if (blas)
    rivals.push_back(makeRival("OpenBLAS", [&] {
      blas->useThreads(static_cast<int>(cores));
      blas->multiply(n, A.data(), B.data(), C.data());
      return true;
    }));
  if (!uop::bench::compete(rivals, runs))
    return false;
  std::printf("%u core%s, %u rounds\n", cores, cores > 1 ? "s" : "",
              unsigned(runs));
  uop::bench::printTable(rivals, 2e-9 * n * n * n);
  std::fflush(stdout);
  return true;
}

int main(int argc, char **argv) {
  // The threads of one rival must not wait in a loop while another is timed.
  // The libraries read these when they are loaded.
  setenv("KMP_BLOCKTIME", "0", /*overwrite=*/0);
  setenv("OPENBLAS_THREAD_TIMEOUT", "4", /*overwrite=*/0);
  cl::ParseCommandLineOptions(argc, argv, "The emulator beside others\n");
  unsigned all = cores ? unsigned(cores) : std::thread::hardware_concurrency();
  if (size == 0 || size % TILE != 0 || size > 8192 || runs == 0) {
    llvm::errs() << "uop-bench-emulator: error: expected a size from 16 to "
                    "8192 that is a multiple of 16, and at least one run\n";
    return 1;
  }
  // The OpenMP runtime reads it, too.
  setenv("OMP_NUM_THREADS", std::to_string(all).c_str(), /*overwrite=*/1);

  std::printf("C = A * B of %ux%u f32, blocks of 16x16 threads\n",
              unsigned(size), unsigned(size));
  OpenBLAS blas;
  bool hasBLAS = blas.load();
  std::printf("%s\n", hasBLAS ? blas.describe().c_str()
                              : "OpenBLAS not found (Debian: "
                                "libopenblas0-pthread): no comparison");
  Benchmark benchmark;
  if (!benchmark.run(1, hasBLAS ? &blas : nullptr))
    return 1;
  if (all > 1 && !benchmark.run(all, hasBLAS ? &blas : nullptr))
    return 1;
  return 0;
}
