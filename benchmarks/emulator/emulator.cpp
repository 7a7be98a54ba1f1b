//===- emulator.cpp - The emulator's speed, beside others -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of the gpu dialect and of loop form on the emulator, beside C,
// OpenBLAS and PoCL, and at the end one table of what is aimed at and what is
// reached.
//
//   uop-bench-emulator [--only=gemm,cores,axpy,softmax,jit] [--runs=15]
//                      [--size=N] [--cores=N] [--cpu-time]
//
// OpenBLAS and PoCL are loaded when they are there; without them their lines
// are left out.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <thread>

namespace cl = llvm::cl;
using namespace uop::bench;

namespace {
enum class Workload { Gemm, Cores, Axpy, Softmax, Jit };
} // namespace

static cl::list<Workload>
    only("only", cl::CommaSeparated, cl::desc("Workloads (default: all)"),
         cl::values(clEnumValN(Workload::Gemm, "gemm", "Products, one core"),
                    clEnumValN(Workload::Cores, "cores",
                               "Products, several cores and one"),
                    clEnumValN(Workload::Axpy, "axpy", "a x + y"),
                    clEnumValN(Workload::Softmax, "softmax", "Softmax of rows"),
                    clEnumValN(Workload::Jit, "jit", "Time of the JIT")));
static cl::list<unsigned>
    sizeList("size", cl::CommaSeparated,
             cl::desc("Rows and columns of the products, multiples of 64 "
                      "(default: 512,1024)"));
static cl::opt<unsigned> runs("runs", cl::init(15),
                              cl::desc("Rounds (default: 15)"));
static cl::opt<unsigned> cores("cores", cl::init(2),
                               cl::desc("Cores to compare with one (default: "
                                        "2)"));
static cl::opt<bool>
    cpuTime("cpu-time",
            cl::desc("Measure the time of the process on all its cores and not "
                     "that of the clock, for what runs on one core of a busy "
                     "machine"));

static bool isWanted(Workload workload) {
  return only.empty() || llvm::is_contained(only, workload);
}

static bool run(Harness &harness, const std::vector<unsigned> &sizes) {
  if (isWanted(Workload::Gemm)) {
    OpenCL *opencl = harness.openCL();
    if (opencl && !opencl->build(UOP_BENCH_KERNELS "/gemm.cl"))
      return false;
    for (unsigned size : sizes)
      if (!runGemm(harness, static_cast<int>(size)))
        return false;
  }
  if (isWanted(Workload::Cores) &&
      !runGemmOnCores(harness, static_cast<int>(sizes.back())))
    return false;
  if (isWanted(Workload::Axpy))
    for (int log : {24, 16})
      if (!runAxpy(harness, 1 << log))
        return false;
  if (isWanted(Workload::Softmax) && !runSoftmax(harness, 4096))
    return false;
  if (isWanted(Workload::Jit) &&
      !runCompileTime(harness, static_cast<int>(sizes.front())))
    return false;
  harness.goals.print();
  return true;
}

int main(int argc, char **argv) {
  // The threads of one rival must not wait in a loop while another is timed,
  // and PoCL has one core like the others. The libraries read these when they
  // are loaded.
  setenv("KMP_BLOCKTIME", "0", /*overwrite=*/0);
  setenv("OPENBLAS_THREAD_TIMEOUT", "4", /*overwrite=*/0);
  setenv("POCL_MAX_PTHREAD_COUNT", "1", /*overwrite=*/1);
  cl::ParseCommandLineOptions(argc, argv, "The emulator beside others\n");
  std::vector<unsigned> sizes(sizeList.begin(), sizeList.end());
  if (sizes.empty())
    sizes = {512, 1024};
  if (runs == 0 || cores == 0 || llvm::any_of(sizes, [](unsigned size) {
        return size == 0 || size % 64 != 0 || size > 8192;
      })) {
    llvm::errs() << "uop-bench-emulator: error: expected sizes from 64 to 8192 "
                    "that are multiples of 64, at least one run and one core\n";
    return 1;
  }
  // The OpenMP runtime reads it, too.
  setenv("OMP_NUM_THREADS", std::to_string(cores).c_str(), /*overwrite=*/1);

  Settings settings;
  settings.runs = runs;
  settings.cores =
      std::min<unsigned>(cores, std::thread::hardware_concurrency());
  settings.clock = cpuTime ? Clock::Process : Clock::Wall;
  Harness harness(settings);
  return run(harness, sizes) ? 0 : 1;
}
