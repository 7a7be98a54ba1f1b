//===- Program.h - A program for this machine's CPU -------------*- C++ -*-===//
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

#ifndef UOP_EMULATOR_PROGRAM_H
#define UOP_EMULATOR_PROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace uop {

class Jit;

/// The launch of a kernel, as (x, y, z).
struct ProgramLaunch {
  std::string kernel;
  std::array<int64_t, 3> grid, block;
  int64_t sharedBytes = 0;
};

/// What kernels are compiled for.
enum class ProgramDevice { Emulator, CPU };

struct ProgramOptions {
  ProgramDevice device = ProgramDevice::Emulator;
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
  /// Run blocks and CPU threads on all cores.
  bool openmp = true;
  /// Optimisation level of LLVM, 0 to 3.
  unsigned optLevel = 3;
  /// A fault ends the run with an error, not the process, where that is
  /// possible (JitOptions::recover).
  bool recover = false;
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

/// A function that is ready to run.
class CompiledProgram {
public:
  /// Consumes the module, and takes what `entry` needs of it: errors elsewhere
  /// do not matter. For a CPU, kernels and launches of the gpu dialect are
  /// refused. Reports errors through the context's diagnostics and
  /// returns null.
  static std::unique_ptr<CompiledProgram> create(mlir::ModuleOp module,
                                                 llvm::StringRef entry,
                                                 const ProgramOptions &options);
  ~CompiledProgram();

  /// Calls the function; Jit::invoke says what `arguments` are, and where its
  /// result is left. Several threads may call at once unless launches are
  /// recorded.
  llvm::Error run(llvm::ArrayRef<void *> arguments, void *result = nullptr);

  /// The launches of the last run, if they are recorded.
  llvm::ArrayRef<ProgramLaunch> getLaunches() const { return launches; }
  /// Whether blocks and CPU threads run on several cores, and else why not.
  bool isParallel() const;
  llvm::StringRef getNote() const;

private:
  CompiledProgram();
  mlir::LogicalResult instrument(mlir::ModuleOp module);
  static void record(CompiledProgram *program, int64_t site, int64_t gridX,
                     int64_t gridY, int64_t gridZ, int64_t blockX,
                     int64_t blockY, int64_t blockZ, int64_t dynamicBytes);

  std::string entry;
  std::unique_ptr<Jit> jit;
  /// Each launch in the program, without its shape.
  std::vector<ProgramLaunch> sites;
  std::vector<ProgramLaunch> launches;
  std::mutex recording;
};

} // namespace uop

#endif // UOP_EMULATOR_PROGRAM_H
