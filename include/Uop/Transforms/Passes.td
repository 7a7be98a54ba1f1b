//===- Passes.td - The passes of Uop/Transforms ------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_PASSES
#define UOP_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def UopLowerToLoops : Pass<"uop-lower-to-loops", "::uop::KernelOp"> {
  let summary = "Lower kernels from graph form to loop form";
  let description = [{
    Gives the ops of a kernel in graph form an order. Hardware ranges stay
    ranges, one for each dimension, as long as the longest that it stands for;
    `serial`, `reduce` and unmapped `loop` ranges become `scf.for`, with the
    accumulators of reductions as iter_args; `upcast` and `unroll` ranges become
    copies of the code, which share what does not differ between them. A value
    is computed in the innermost loop in whose range it is free. Reductions that
    close the same ranges and vary with the same loops share one nest, and so do
    stores with the same serial domain.

    A store whose domain lacks a dimension of the hardware runs at index 0 of it;
    a thread beyond the extent of a range neither loads nor stores what is free
    in it. These guards wrap single accesses.

    `uop.stage` and the axes `group_reduce` and `fragment` are refused by name.
    Kernels in loop form stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // UOP_TRANSFORMS_PASSES
