//===- Jit.h - Run emulated gpu code in this process ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_JIT_H
#define UOP_EMULATOR_JIT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace llvm {
class Error;
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace uop {

struct JitOptions {
  /// Run the blocks of a grid, and parallel loops, on all cores. Without an
  /// OpenMP runtime on the machine the code is serial, and Jit::note says so.
  bool openmp = true;
  /// Optimisation level of LLVM, 0 to 3.
  unsigned optLevel = 3;
  /// Threads in a subgroup.
  int64_t subgroupSize = 32;
  /// The chip whose limit of shared memory holds.
  std::string chip = "sm_80";
  /// Report what kernels do to the CheckSession that is active in the thread
  /// that calls `invoke`; there must be one. Blocks run one after another.
  bool checked = false;
  /// With `checked`: only find out, and fast, whether anything may be at fault
  /// (CheckSession::hasFired). What the code computes is then not to be used.
  bool detect = false;
  /// With `detect`: the most iterations of loops that a thread makes; 0: no
  /// limit.
  uint64_t stepLimit = 0;
  /// With `checked`: run the first and the last block of a grid only.
  bool sample = false;
  /// Report the accesses of kernels to the CountSession that is active in the
  /// thread that calls `invoke`; there must be one. Blocks run one after
  /// another. Not together with `checked`.
  bool counted = false;
  /// Code that finds a program at fault ends the call of `invoke` with an
  /// error, and not the process. Not possible where the fault happens while
  /// several threads run: in a parallel region (`openmp`), or in asynchronous
  /// code.
  bool recover = false;
  /// Threads that run as one vector: a power of two up to 64, 1 for none, 0 for
  /// what suits this machine. Results do not depend on it. `checked` code has
  /// none unless it only detects, and `counted` code has none.
  int64_t vectorWidth = 0;
  /// Libraries whose symbols the code uses, beside MLIR's runner libraries,
  /// which are found and loaded where the code needs them.
  std::vector<std::string> sharedLibs;
};

/// A ranked memref as the code expects it: two pointers, the offset, the sizes
/// and the strides, in elements.
class MemRefArgument {
public:
  /// `data` in row-major order. It must outlive the argument.
  MemRefArgument(void *data, llvm::ArrayRef<int64_t> shape);
  MemRefArgument(void *data, int64_t offset, llvm::ArrayRef<int64_t> shape,
                 llvm::ArrayRef<int64_t> strides);

  /// What Jit::invoke wants for the argument.
  void *descriptor() { return words.data(); }

private:
  void build(void *data, int64_t offset, llvm::ArrayRef<int64_t> shape,
             llvm::ArrayRef<int64_t> strides);

  llvm::SmallVector<int64_t> words;
};

/// Compiles a module for this machine. No multiplication is fused with an
/// addition and nothing is reordered: results are those of IEEE arithmetic, one
/// operation at a time.
class Jit {
public:
  /// Lowers the module in place with the pipeline uop-lower-to-cpu-pipeline and
  /// compiles it. The context needs the dialects of that pipeline registered.
  /// Reports errors through the context's diagnostics and returns null.
  ///
  /// Emulated code that finds a kernel at fault (divergence, a launch beyond
  /// the limits) prints a message and *ends the process* with status 1, unless
  /// JitOptions::recover says otherwise.
  static std::unique_ptr<Jit> create(mlir::ModuleOp module,
                                     const JitOptions &options = {});
  /// Waits for the threads of asynchronous code to leave it.
  ~Jit();

  /// Calls a public func.func. Each element of `args` points to a scalar, or to
  /// a memref descriptor (MemRefArgument). A bit (i1) is a byte, an index eight
  /// bytes. A function that has a result, one scalar, leaves it at `result`.
  /// Several threads may call at once.
  llvm::Error invoke(llvm::StringRef name, llvm::ArrayRef<void *> args,
                     void *result = nullptr);

  /// The address of a function as LLVM knows it, by the name in the module.
  llvm::Expected<void *> lookup(llvm::StringRef name);

  /// Whether blocks run on several cores, and else why not.
  bool isParallel() const { return parallel; }
  llvm::StringRef note() const { return message; }

private:
  Jit();

  // The order matters: the engine uses what is above it.
  std::unique_ptr<llvm::TargetMachine> machine;
  std::function<llvm::Error(llvm::Module *)> transformer;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  // Of each function: which of its arguments are memrefs, its results, and its
  // address once it has been called, for looking it up takes microseconds.
  struct Signature {
    llvm::SmallVector<bool> isMemRef;
    unsigned numResults = 0;
    std::atomic<void (*)(void **)> address = nullptr;
  };
  llvm::StringMap<Signature> functions;
  bool parallel = false, recovers = false;
  // Whether threads of the async runtime may be in the code.
  bool isAsynchronous = false;
  std::string message;
};

/// Ends the innermost call of Jit::invoke in this thread, which fails without a
/// message; for functions that emulated code calls, such as
/// CheckOptions::stop. Returns where that is not possible
/// (JitOptions::recover). No frame between may have anything to destroy.
void leaveEmulatedCode();

} // namespace uop

#endif // UOP_EMULATOR_JIT_H
