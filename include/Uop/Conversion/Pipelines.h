//===- Pipelines.h - From kernels to the gpu dialect ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_CONVERSION_PIPELINES_H
#define UOP_CONVERSION_PIPELINES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace uop {

/// Whether a product and the sum that it enters are rounded once or twice.
enum class FPContract { On, Off };

/// The options of a pipeline that lowers kernels.
template <typename Derived>
struct LoweringOptions : mlir::PassPipelineOptions<Derived> {
  typename mlir::PassPipelineOptions<Derived>::template Option<FPContract>
      fpContract{*this, "fp-contract",
                 llvm::cl::desc("Fuse products with the sums that they enter "
                                "(default: on)"),
                 llvm::cl::init(FPContract::On),
                 llvm::cl::values(
                     clEnumValN(FPContract::On, "on", "one rounding, as nvcc"),
                     clEnumValN(FPContract::Off, "off", "two roundings"))};
};

/// The options of a pipeline that lowers kernels for a GPU.
template <typename Derived>
struct LowerToGPUOptionsBase : LoweringOptions<Derived> {
  template <typename T>
  using Option =
      typename mlir::PassPipelineOptions<Derived>::template Option<T>;

  Option<bool> placeShared{
      *this, "place-shared",
      llvm::cl::desc("Stage what a block reads several times in shared memory, "
                     "in kernels that are not mapped (default: true)"),
      llvm::cl::init(true)};
  Option<bool> splitReductions{
      *this, "split-reductions",
      llvm::cl::desc(
          "Reduce in parts that a second kernel combines, in kernels "
          "with few outputs that are not mapped (default: true)"),
      llvm::cl::init(true)};
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The chip for which kernels are mapped, and whose copies "
                     "to shared memory are used (default: sm_80)"),
      llvm::cl::init("sm_80")};
};

struct LowerToGPUOptions : LowerToGPUOptionsBase<LowerToGPUOptions> {};

/// Adds to `pm`, a pass manager on a module, the road from kernels in any form
/// to the gpu dialect: kernels that are not mapped are mapped, kernels in graph
/// form become loops. A module without kernels stays as it is. The PTX and the
/// emulated code of a kernel both come from this.
void buildLowerToGPUPipeline(mlir::OpPassManager &pm,
                             const LowerToGPUOptions &options);

/// The first part of that road: kernels in graph form are mapped and become
/// loops. Kernels in loop form stay as they are written, but for the
/// contraction of products and sums. Runs it on a module.
mlir::LogicalResult lowerToLoopForm(mlir::ModuleOp module,
                                    const LowerToGPUOptions &options);

/// The whole road for checks: kernels in loop form stay as they are written,
/// but for the contraction of products and sums. Runs it on a module.
mlir::LogicalResult lowerToGPUAsWritten(mlir::ModuleOp module,
                                        const LowerToGPUOptions &options);

/// Registers it as `uop-lower-to-gpu-pipeline`.
void registerUopConversionPipelines();

struct LowerToNVVMOptions : LowerToGPUOptionsBase<LowerToNVVMOptions> {};

/// Registers `uop-lower-to-nvvm-pipeline`: the same road, and then to the NVVM
/// dialect (--convert-to-nvvm).
void registerUopToNVVMPipelines();

struct LowerLinalgToGPUOptions
    : LowerToGPUOptionsBase<LowerLinalgToGPUOptions> {
  Option<bool> fuse{
      *this, "fuse",
      llvm::cl::desc("Compute what only other linalg ops read where they read "
                     "it (default: true)"),
      llvm::cl::init(true)};
};

/// Adds to `pm`, a pass manager on a module, the road from linalg on tensors or
/// memrefs to the gpu dialect. Tensors become memrefs; a function that returns
/// some takes memrefs for them instead, after its own arguments, unless the
/// module calls it and their shapes are dynamic. Its own arguments are not
/// written to if it is public, unless `bufferization.writable` says so.
void buildLowerLinalgToGPUPipeline(mlir::OpPassManager &pm,
                                   const LowerLinalgToGPUOptions &options);

/// Registers it as `uop-lower-linalg-to-gpu-pipeline`.
void registerLinalgToUopPipelines();

struct LowerToCPULoopsOptions : LoweringOptions<LowerToCPULoopsOptions> {};

/// Adds to `pm`, a pass manager on a module, the road from kernels that are not
/// mapped for a GPU to plain functions: kernels that are not mapped are mapped
/// for a CPU, ranges with the axis `thread` become parallel loops.
void buildLowerToCPULoopsPipeline(mlir::OpPassManager &pm,
                                  const LowerToCPULoopsOptions &options);

/// Registers it as `uop-lower-to-cpu-loops-pipeline`.
void registerUopToFuncPipelines();

} // namespace uop

#endif // UOP_CONVERSION_PIPELINES_H
