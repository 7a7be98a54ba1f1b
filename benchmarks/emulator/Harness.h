//===- Harness.h - What the workloads of this benchmark share ---*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are files of the folder kernels, in which $N is a size and $N/16 a
// quotient of it. Rivals are checked for a right result before any is timed.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_BENCHMARKS_EMULATOR_HARNESS_H
#define UOP_BENCHMARKS_EMULATOR_HARNESS_H

#include "../Interleaved.h"
#include "../OpenBLAS.h"
#include "OpenCL.h"

#include "Uop/Emulator/Jit.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <new>

namespace uop::bench {

/// Gives memory that begins with a line of the cache, as that of uop-run and of
/// devices does.
template <typename T> struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <typename U> AlignedAllocator(const AlignedAllocator<U> &) {}
  T *allocate(size_t count) {
    return static_cast<T *>(
        ::operator new(count * sizeof(T), std::align_val_t(256)));
  }
  void deallocate(T *data, size_t) {
    ::operator delete(data, std::align_val_t(256));
  }
  bool operator==(const AlignedAllocator &) const { return true; }
  bool operator!=(const AlignedAllocator &) const { return false; }
};
using Buffer = std::vector<float, AlignedAllocator<float>>;

/// The goals of all workloads, printed as one table at the end.
class Goals {
public:
  /// That `rival` takes at least `least` times as long as `ours` does.
  void addSpeed(const std::string &what, const Rival &ours, const Rival &rival,
                double least);
  /// That so many billions of operations are done with at least `least` of them
  /// a second.
  void addRate(const std::string &what, const Rival &ours, double gflop,
               double least);
  /// That the times, in milliseconds, have a median below `most`.
  void addTime(const std::string &what, const std::vector<double> &times,
               double most);
  /// What could not be measured, and why.
  void leaveOut(const std::string &what, const std::string &why);
  void print() const;

private:
  struct Row {
    std::string what, measured, target;
    bool met;
  };
  std::vector<Row> rows;
  std::vector<std::string> missing;
};

struct Settings {
  unsigned runs = 15;
  unsigned cores = 1; // of the comparison of several with one
  Clock clock = Clock::Wall;
};

class Harness {
public:
  explicit Harness(Settings settings);

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &file, int n);
  /// Takes kernels in graph and in loop form to the gpu dialect.
  bool lowerToGPU(mlir::ModuleOp module);
  /// `detects`: in checked mode, to find out whether it is right.
  std::unique_ptr<Jit> compile(const std::string &file, int n, bool parallel,
                               bool detects = false);
  /// Calls the function and prints what fails.
  static bool call(Jit &jit, llvm::StringRef function,
                   llvm::ArrayRef<void *> args);

  /// Runs them in turn, prints their times; false where one fails.
  bool compete(std::vector<Rival> &rivals, const std::string &title,
               double gflop = 0);

  /// Null where it is not on this machine.
  OpenBLAS *openBLAS() { return hasBLAS ? &blas : nullptr; }
  OpenCL *openCL() { return hasOpenCL ? &opencl : nullptr; }

  const Settings settings;
  Goals goals;

private:
  mlir::MLIRContext context;
  OpenBLAS blas;
  OpenCL opencl;
  bool hasBLAS, hasOpenCL;
};

/// The workloads: each prints its tables and adds its goals; false where
/// something fails.
bool runGemm(Harness &harness, int n);
bool runGemmOnCores(Harness &harness, int n);
bool runAxpy(Harness &harness, int n);
bool runSoftmax(Harness &harness, int n);
bool runCompileTime(Harness &harness, int n);

} // namespace uop::bench

#endif // UOP_BENCHMARKS_EMULATOR_HARNESS_H
