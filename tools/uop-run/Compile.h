//===- Compile.h - A program for this machine's CPU -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes a module down the whole road, to code in this process: kernels are
// mapped, lowered to the gpu dialect, and emulated; or they become plain loops.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TOOLS_UOP_RUN_COMPILE_H
#define UOP_TOOLS_UOP_RUN_COMPILE_H

#include "Arguments.h"
#include "mlir/IR/BuiltinOps.h"
#include <array>
#include <mutex>

namespace uop {
class Jit;
} // namespace uop

namespace uop::run {

/// The launch of a kernel, as (x, y, z).
struct Launch {
  std::string kernel;
  std::array<int64_t, 3> grid, block;
  int64_t sharedBytes = 0;
};

/// What kernels are compiled for.
enum class Device { Emulator, CPU };

struct CompileOptions {
  Device device = Device::Emulator;
  /// The chip that is emulated.
  std::string chip = "sm_80";
  /// With `check`: only find out whether anything may be at fault, and the most
  /// iterations of loops that a thread makes for that (0: no limit).
  bool detect = false;
  uint64_t stepLimit = 0;
  /// Threads that run as one vector; 0: what suits this machine.
  int64_t vectorWidth = 0;
  /// Stage what a block reads several times in shared memory.
  bool placeShared = true;
  /// Reduce in parts that a second kernel combines, where outputs are few.
  bool splitReductions = true;
  /// Fuse products with the sums that they enter, as nvcc does.
  bool contract = true;
  /// Libraries whose functions the program calls.
  std::vector<std::string> sharedLibs;
  /// Note each launch as it happens.
  bool recordLaunches = false;
  /// Report to the active CheckSession what kernels do, which are compiled as
  /// they are written: loop form is not optimised.
  bool check = false;
  /// Report to the active CountSession what kernels ask of memory, which are
  /// compiled as they are written, too.
  bool count = false;
  /// Threads in a subgroup.
  int64_t subgroupSize = 32;
  /// With `check`: run the first and the last block of a grid only.
  bool sample = false;
};

/// Lowers what `entry` needs of a module to the gpu dialect and host code;
/// everything else is erased.
mlir::LogicalResult lowerToGPU(mlir::ModuleOp module, llvm::StringRef entry,
                               const CompileOptions &options);

/// The same to plain loops. Refuses kernels and launches of the gpu dialect.
mlir::LogicalResult lowerToCPULoops(mlir::ModuleOp module,
                                    llvm::StringRef entry,
                                    const CompileOptions &options);

/// A function that is ready to run.
class Program {
public:
  /// Consumes the module. Reports errors through the context's diagnostics and
  /// returns null.
  static std::unique_ptr<Program> compile(mlir::ModuleOp module,
                                          llvm::StringRef entry,
                                          const CompileOptions &options);
  ~Program();

  /// Leaves the function's result, if it has one, at `result`.
  llvm::Error run(llvm::MutableArrayRef<Argument> arguments,
                  void *result = nullptr);

  /// The launches of the last run, if they are recorded.
  llvm::ArrayRef<Launch> getLaunches() const { return launches; }
  /// Whether blocks and CPU threads run on several cores, and else why not.
  bool isParallel() const;
  llvm::StringRef getNote() const;

private:
  Program();
  mlir::LogicalResult instrument(mlir::ModuleOp module);
  static void record(Program *program, int64_t site, int64_t gridX,
                     int64_t gridY, int64_t gridZ, int64_t blockX,
                     int64_t blockY, int64_t blockZ, int64_t dynamicBytes);

  std::string entry;
  std::unique_ptr<Jit> jit;
  /// Each launch in the program, without its shape.
  std::vector<Launch> sites;
  std::vector<Launch> launches;
  std::mutex recording;
};

} // namespace uop::run

#endif // UOP_TOOLS_UOP_RUN_COMPILE_H
