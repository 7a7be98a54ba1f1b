//===- Passes.td - The passes of Uop/Conversion ------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_CONVERSION_PASSES
#define UOP_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertUopToGPU : Pass<"convert-uop-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Lower kernels in loop form to the gpu dialect";
  let description = [{
    Every `uop.kernel loops @k` becomes a `gpu.func @k` in one `gpu.module`,
    `@uop_kernels`, and a host function `@k` of the same arguments and
    visibility that launches it; `uop.launch @k` becomes a call of that. Kernels
    in graph form are refused.

    | loop form | gpu dialect |
    |---|---|
    | `uop.range global<d>`, `local<d>` | `gpu.block_id d`, `gpu.thread_id d`, with their bound; 0 for an extent of 1 |
    | `uop.range warp` | `gpu.thread_id x`, of a block of whole warps |
    | `uop.alloc` | a workgroup or private attribution; workgroup memory is zeroed by all threads at entry, followed by a barrier |
    | `uop.barrier` | `gpu.barrier` |
    | `uop.phase` | its body, for the threads within its extents; a barrier before every phase that another may precede |
    | `uop.floordiv`, `uop.floormod` | `arith` ops that round towards negative infinity; unsigned where that is the same |

    Block and grid are stated on the `gpu.func` where static
    (`known_block_size`, `known_grid_size`). The host computes the extents of
    a dynamic grid with the kernel's own arithmetic; a grid without blocks is
    not launched. Memref arguments are static, and carry what is known of the
    pointers that they become: `llvm.noalias` (arguments do not overlap),
    `llvm.readonly` where the kernel does not write, and `llvm.align`, that of
    their elements unless the kernel's own argument states another.

    Example:

    ```mlir
    uop.kernel loops @double(%x: memref<1024xf32>) {
      %b = uop.range global<x> 8
      %t = uop.range local<x> 128
      %c128 = arith.constant 128 : index
      %base = arith.muli %b, %c128 : index
      %i = arith.addi %base, %t : index
      %v = memref.load %x[%i] : memref<1024xf32>
      %r = arith.addf %v, %v : f32
      memref.store %r, %x[%i] : memref<1024xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // UOP_CONVERSION_PASSES
