//===- Passes.td - The passes of Uop/Report --------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_REPORT_PASSES
#define UOP_REPORT_PASSES

include "mlir/Pass/PassBase.td"

defvar reportOptions = [
  Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
         "The chip that is reported on (default: sm_80)">,
  Option<"kernel", "kernel", "std::string", /*default=*/"",
         "Only the kernel of this name (default: empty, all)">,
  ListOption<"args", "args", "std::string",
             "Values of scalar arguments as argument:value pairs, and sizes of "
             "dynamic dimensions as argument.dimension:size (default: none)">,
  Option<"registers", "registers", "int64_t", /*default=*/"0",
         "Registers of a thread (default: 0, an estimate)">,
];

class ReportPass<string name> : Pass<name, "::mlir::ModuleOp"> {
  let options = reportOptions;
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect", "::uop::UopDialect"
  ];
}

def ReportTraffic : ReportPass<"uop-report-traffic"> {
  let summary = "Explain the memory traffic of kernels in remarks";
  let description = [{
    Emits a remark at each access to global or shared memory, as `uop-report`
    prints it: the requests of warps by sectors or wavefronts, why they are more
    than the ideal, and what would make them fewer, tried out. Kernels may be in
    graph form, mapped or not, in loop form, or of the gpu dialect; the module is
    not changed. `docs/Reports.md` explains the figures.

    ```
    uop-opt --uop-report-traffic kernels.mlir -o /dev/null
    ```
  }];
}

def ReportOccupancy : ReportPass<"uop-report-occupancy"> {
  let summary = "Explain the occupancy of kernels in remarks";
  let description = [{
    Emits a remark at each kernel with the blocks and warps that a
    multiprocessor of `chip` has at once, what limits them, and what one block
    more needs. Registers are estimated unless `registers` gives them;
    `uop-report` asks ptxas.
  }];
}

def ReportRoofline : ReportPass<"uop-report-roofline"> {
  let summary = "Explain what bounds kernels in remarks";
  let description = [{
    Emits a remark at each kernel with its floating-point operations, what moves
    between DRAM and the chip, its intensity beside the ridge of `chip`, the
    least time and what bounds it, and how its blocks lie on the
    multiprocessors.
  }];
}

def ReportAdvice : ReportPass<"uop-report-advice"> {
  let summary = "Say what of kernels is worth changing, in remarks";
  let description = [{
    Emits at most five remarks a kernel, the costliest first, each with the
    figure, what to do and what the figure is then; none where nothing costs
    more than a few percent.
  }];
}

#endif // UOP_REPORT_PASSES
