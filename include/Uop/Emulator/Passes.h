//===- Passes.h - The passes of Uop/Emulator --------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_PASSES_H
#define UOP_EMULATOR_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
namespace affine {
class AffineDialect;
} // namespace affine
namespace arith {
class ArithDialect;
} // namespace arith
namespace cf {
class ControlFlowDialect;
} // namespace cf
namespace async {
class AsyncDialect;
} // namespace async
namespace func {
class FuncDialect;
} // namespace func
namespace LLVM {
class LLVMDialect;
} // namespace LLVM
namespace math {
class MathDialect;
} // namespace math
namespace memref {
class MemRefDialect;
} // namespace memref
namespace nvgpu {
class NVGPUDialect;
} // namespace nvgpu
namespace scf {
class SCFDialect;
} // namespace scf
namespace ub {
class UBDialect;
} // namespace ub
namespace vector {
class VectorDialect;
} // namespace vector
} // namespace mlir

namespace uop {

#define GEN_PASS_DECL
#include "Uop/Emulator/Passes.h.inc"

/// Options of the pipeline `uop-lower-to-cpu-pipeline`.
struct EmulationPipelineOptions
    : public mlir::PassPipelineOptions<EmulationPipelineOptions> {
  PassOptions::Option<bool> openmp{
      *this, "openmp",
      llvm::cl::desc("Run the blocks of a grid, and parallel loops, on all "
                     "cores, through OpenMP"),
      llvm::cl::init(true)};
  PassOptions::Option<int64_t> subgroupSize{
      *this, "subgroup-size",
      llvm::cl::desc("Threads in a subgroup: 32, or 64 on some AMD chips"),
      llvm::cl::init(32)};
  PassOptions::Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The chip whose limit of shared memory holds"),
      llvm::cl::init("sm_80")};
  PassOptions::Option<bool> checked{
      *this, "checked",
      llvm::cl::desc("Report every access of memory to the functions of "
                     "Uop/Emulator/Check.h"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> detect{
      *this, "detect",
      llvm::cl::desc("With checked: only find out whether a kernel may be at "
                     "fault"),
      llvm::cl::init(false)};
  PassOptions::Option<uint64_t> stepLimit{
      *this, "step-limit",
      llvm::cl::desc("With detect: the most iterations of loops that a thread "
                     "makes; 0: no limit"),
      llvm::cl::init(0)};
  PassOptions::Option<bool> counted{
      *this, "counted",
      llvm::cl::desc("Report every access of memory to the functions of "
                     "Uop/Emulator/Count.h"),
      llvm::cl::init(false)};
  PassOptions::Option<int64_t> vectorWidth{
      *this, "vector-width",
      llvm::cl::desc(
          "Threads that run as one vector: a power of two up to 64, "
          "1 for none, 0 for what suits the host; code for a session "
          "has none unless it only detects"),
      llvm::cl::init(0)};
  PassOptions::Option<bool> sample{
      *this, "sample",
      llvm::cl::desc("With checked: run the first and the last block of a grid "
                     "only"),
      llvm::cl::init(false)};
};

/// Takes a module with gpu kernels and launches to the LLVM dialect for the
/// CPU. No arithmetic is fused or reordered; f16 and bf16 operations are
/// computed in f32 and rounded one by one; math functions become calls of the
/// C library, except for those that are correctly rounded instructions.
void buildEmulationPipeline(mlir::OpPassManager &pm,
                            const EmulationPipelineOptions &options);

/// How many numbers of 32 bits a vector register of this machine has.
int64_t getHostVectorWidth();

/// Registers the pipelines of this directory with the pass registry.
void registerUopEmulatorPipelines();

#define GEN_PASS_REGISTRATION
#include "Uop/Emulator/Passes.h.inc"

} // namespace uop

#endif // UOP_EMULATOR_PASSES_H
