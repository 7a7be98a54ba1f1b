//===- Gemm.cpp - Matrix products on the emulator, beside others ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels with 16x16 tiles and one output a thread, with 64x64 tiles and 4x4
// outputs a thread, in values or in a private buffer, and what the default
// schedule makes of the product. Beside them the first one's split loops in C,
// OpenBLAS, and the first two in OpenCL C on PoCL.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "Uop/Emulator/Check.h"
#include "loops/split_loops.h"

#include <cmath>
#include <random>
#include <thread>

using namespace uop;
using namespace uop::bench;

namespace {

using SplitLoops = void (*)(int, const float *, const float *, float *, int,
                            int);

/// Matrices of n x n elements, what their product is, and those who compute it.
class Product {
public:
  explicit Product(int n);

  /// Adds who computes the product, once its result has been found right.
  void add(std::string name, std::function<bool()> multiply);
  /// In checked mode, which must find nothing.
  void addChecked(Harness &harness, std::string name, const std::string &file);
  void addEmulator(Harness &harness, std::string name, const std::string &file,
                   bool parallel);
  void addLoops(std::string name, SplitLoops loops, unsigned cores);
  void addOpenCL(OpenCL &opencl, std::string name, const char *kernel,
                 int tile);

  int n;
  Buffer A, B, C, expected;
  std::vector<std::unique_ptr<uop::Jit>> jits;
  std::vector<Rival> rivals;
};

} // namespace

Product::Product(int n)
    : n(n), A(size_t(n) * n), B(A.size()), C(A.size()), expected(A.size()) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (size_t i = 0; i < A.size(); ++i) {
    A[i] = uniform(random);
    B[i] = uniform(random);
  }
  splitLoops(n, A.data(), B.data(), expected.data(), 0, n / TILE);
}

void Product::add(std::string name, std::function<bool()> multiply) {
  std::fill(C.begin(), C.end(), NAN);
  bool ok = multiply();
  for (size_t i = 0; i < C.size(); ++i)
    ok &= std::abs(C[i] - expected[i]) < 1e-3f;
  if (!ok)
    rivals.push_back({name + " (wrong result)", [] { return false; }});
  else
    rivals.push_back({std::move(name), std::move(multiply)});
}

void Product::addEmulator(Harness &harness, std::string name,
                          const std::string &file, bool parallel) {
  jits.push_back(harness.compile(file, n, parallel));
  add(std::move(name), [this, jit = jits.back().get()] {
    llvm::SmallVector<int64_t> shape = {n, n};
    MemRefArgument a(A.data(), shape), b(B.data(), shape), c(C.data(), shape);
    return jit &&
           Harness::call(*jit, "gemm",
                         {a.descriptor(), b.descriptor(), c.descriptor()});
  });
}

void Product::addChecked(Harness &harness, std::string name,
                         const std::string &file) {
  jits.push_back(harness.compile(file, n, /*parallel=*/false,
                                 /*detects=*/true));
  add(std::move(name), [this, jit = jits.back().get()] {
    llvm::SmallVector<int64_t> shape = {n, n};
    MemRefArgument a(A.data(), shape), b(B.data(), shape), c(C.data(), shape);
    CheckSession session;
    CheckSession::Scope scope(session);
    return jit &&
           Harness::call(*jit, "gemm",
                         {a.descriptor(), b.descriptor(), c.descriptor()}) &&
           !session.hasFired();
  });
}

void Product::addLoops(std::string name, SplitLoops loops, unsigned cores) {
  add(std::move(name), [this, loops, cores] {
    unsigned rows = n / TILE;
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
    return true;
  });
}

void Product::addOpenCL(OpenCL &opencl, std::string name, const char *kernel,
                        int tile) {
  void *handle = opencl.getKernel(kernel);
  add(std::move(name), [this, &opencl, handle, tile] {
    return handle &&
           opencl.multiply(handle, n, tile, A.data(), B.data(), C.data());
  });
}

bool uop::bench::runGemm(Harness &harness, int n) {
  Product product(n);
  product.addEmulator(harness, "emulator, 16x16 tile", "gemm_16x16.mlir",
                      false);
  product.addEmulator(harness, "emulator, 64x64 tile, 4x4 a thread",
                      "gemm_64x64.mlir", false);
  product.addEmulator(harness, "emulator, the same, private buffer",
                      "gemm_64x64_private.mlir", false);
  product.addEmulator(harness, "emulator, default schedule", "gemm_graph.mlir",
                      false);
  product.addLoops("C, split loops of the 16x16 tile", splitLoops, 1);
  product.addLoops("C, the same, k outside of x", splitLoopsKOutside, 1);
  constexpr size_t blasAt = 6;
  if (OpenBLAS *blas = harness.openBLAS())
    product.add("OpenBLAS", [&product, blas] {
      blas->useThreads(1);
      blas->multiply(product.n, product.A.data(), product.B.data(),
                     product.C.data());
      return true;
    });
  size_t poclAt = product.rivals.size();
  if (OpenCL *opencl = harness.openCL()) {
    product.addOpenCL(*opencl, "PoCL, 16x16 tile", "gemm_16x16", 16);
    product.addOpenCL(*opencl, "PoCL, 64x64 tile, 4x4 a thread", "gemm_64x64",
                      64);
  }
  product.addChecked(harness, "emulator, 16x16 tile, checked",
                     "gemm_16x16.mlir");
  std::string size = std::to_string(n);
  if (!harness.compete(product.rivals,
                       "C = A * B of " + size + "x" + size + " f32, one core",
                       2e-9 * n * n * n))
    return false;

  std::string names[] = {"GEMM " + size + ", 16x16 tile, to ",
                         "GEMM " + size + ", 64x64 tile, to ",
                         "GEMM " + size + ", 64x64, private buffer, to ",
                         "GEMM " + size + ", default schedule, to "};
  const std::vector<Rival> &rivals = product.rivals;
  for (size_t i = 0; i < std::size(names); ++i) {
    if (harness.openBLAS())
      harness.goals.addSpeed(names[i] + "OpenBLAS", rivals[i], rivals[blasAt],
                             0.6);
    else
      harness.goals.leaveOut(names[i] + "OpenBLAS", "it is not installed");
  }
  constexpr double timesOfPoCL[] = {20, 10};
  for (size_t i = 0; i < std::size(timesOfPoCL); ++i) {
    if (harness.openCL())
      harness.goals.addSpeed(names[i] + "PoCL", rivals[i], rivals[poclAt + i],
                             timesOfPoCL[i]);
    else
      harness.goals.leaveOut(names[i] + "PoCL", "it is not installed");
  }
  harness.goals.addRate("GEMM " + size + ", 16x16 tile, checked, no faults",
                        rivals.back(), 2e-9 * n * n * n, 4);
  return true;
}

bool uop::bench::runGemmOnCores(Harness &harness, int n) {
  unsigned cores = harness.settings.cores;
  std::string size = std::to_string(n), count = std::to_string(cores);
  std::string what = "GEMM " + size + ", " + count + " cores to one";
  if (cores < 2) {
    harness.goals.leaveOut(what, "there is one core");
    return true;
  }
  Product product(n);
  for (auto [name, file] : {std::pair("16x16 tile", "gemm_16x16.mlir"),
                            std::pair("64x64 tile", "gemm_64x64.mlir")}) {
    for (bool parallel : {true, false})
      product.addEmulator(harness,
                          std::string("emulator, ") + name +
                              (parallel ? ", " + count + " cores" : ", one"),
                          file, parallel);
  }
  if (uop::Jit *jit = product.jits.front().get(); jit && !jit->isParallel()) {
    harness.goals.leaveOut(what, jit->note().str());
    return true;
  }
  product.addLoops("C, split loops, " + count + " cores", splitLoops, cores);
  product.addLoops("C, split loops, one", splitLoops, 1);
  if (!harness.compete(product.rivals,
                       "C = A * B of " + size + "x" + size +
                           " f32, several "
                           "cores (those of a busy machine are not all ours)",
                       2e-9 * n * n * n))
    return false;
  const std::vector<Rival> &rivals = product.rivals;
  double least = 0.9 * cores;
  harness.goals.addSpeed(what + ", 16x16 tile", rivals[0], rivals[1], least);
  harness.goals.addSpeed(what + ", 64x64 tile", rivals[2], rivals[3], least);
  harness.goals.addSpeed("  the same of C, what the machine gives", rivals[4],
                         rivals[5], least);
  return true;
}
