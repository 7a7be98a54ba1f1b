//===- UopDialect.td - The uop dialect ---------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOPDIALECT
#define UOP_IR_UOPDIALECT

include "mlir/IR/OpBase.td"

def Uop_Dialect : Dialect {
  let name = "uop";
  let cppNamespace = "::uop";
  let summary = "A loop IR in which a loop is a value";
  let description = [{
    In `uop`, a loop is a value: `uop.range` yields an `index` that stands for
    every integer from 0 to its extent. What is computed from a range is *free*
    in it; a reduction or a store consumes it. Splitting, mapping and padding a
    loop are substitutions on values, not surgery on nested regions.

    A kernel comes in two forms. **Graph form** has no order and no barriers:

    ```mlir
    uop.kernel @gemm(%A: memref<64x48xf32>, %B: memref<48x32xf32>,
                     %C: memref<64x32xf32>) {
      %m = uop.range loop 64
      %n = uop.range loop 32
      %k = uop.range reduce 48
      %a = uop.load %A[%m, %k] : memref<64x48xf32>
      %b = uop.load %B[%k, %n] : memref<48x32xf32>
      %p = arith.mulf %a, %b : f32
      %c = uop.reduce add %p over(%k) : f32
      uop.store %c, %C[%m, %n] : memref<64x32xf32>
    }
    ```

    **Loop form** (`uop.kernel loops`) is what a person writes by hand and what
    graph form is lowered to: hardware ranges, upstream's `scf`, `memref`,
    `arith`, `math` and `vector`, and `uop.alloc`, `uop.barrier`, `uop.phase`.
    Of the `gpu` dialect it has `gpu.shuffle`, with which the lanes of a warp
    exchange values. Like a barrier it stands where every thread of the block
    comes, and not in a phase:

    ```mlir
    // Each thread gets the sum of its value and its neighbour's.
    uop.kernel loops @pairs(%x: memref<64xf32>, %y: memref<64xf32>) {
      %t = uop.range local<x> 64
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %a = memref.load %x[%t] : memref<64xf32>
      %b, %valid = gpu.shuffle xor %a, %one, %width : f32
      %s = arith.addf %a, %b : f32
      memref.store %s, %y[%t] : memref<64xf32>
    }
    ```

    Of the `nvgpu` dialect it has asynchronous copies from an argument to shared
    memory: `nvgpu.device_async_copy`, and `nvgpu.device_async_create_group` and
    `nvgpu.device_async_wait`. A copy reads when it is issued, and has been made
    when its thread has waited for its group; other threads see it after a
    barrier that comes after that. As in PTX a group has the copies that the
    thread has issued since the one before, and a wait leaves at most
    `numGroups` of them, the newest, under way, none where that is not given;
    tokens order the ops, but mean no more:

    ```mlir
    !tile = memref<128xf32, #gpu.address_space<workgroup>>
    uop.kernel loops @reverse(%x: memref<128xf32> {llvm.align = 16 : i64},
                              %y: memref<128xf32>) {
      %t = uop.range local<x> 32
      %c4 = arith.constant 4 : index
      %c127 = arith.constant 127 : index
      %s = uop.alloc {alignment = 16 : i64} : !tile
      %i = arith.muli %t, %c4 : index
      %copy = nvgpu.device_async_copy %x[%i], %s[%i], 4
          : memref<128xf32> to !tile
      %group = nvgpu.device_async_create_group %copy
      nvgpu.device_async_wait %group
      uop.barrier
      %r = arith.subi %c127, %t : index
      %v = memref.load %s[%r] : !tile
      memref.store %v, %y[%t] : memref<128xf32>
    }
    ```

    The rules of graph form, each checked by the verifier of `uop.kernel`:

    1. A range is free in itself; an op is free in whatever its operands are;
       `uop.reduce` and `uop.stage` remove the ranges that they close.
    2. Loads read memory as on kernel entry, stores appear at exit. A buffer
       that is both loaded and stored is legal only if the indices are equal,
       all its stores have one domain, and the load is free in exactly that
       domain and used by stores of that domain only.
    3. The domain of a store is its `over` list. It contains the free ranges of
       its operands, and no rewrite shrinks it. The indices are injective over
       the domain: proved, or marked `unique`, or the store accumulates.
    4. A range is closed or in store domains, never both; and a value that is
       free in a range does not depend on a result that closed the range.
    5. Extents do not depend on ranges or memory.
    6. No op is free in two ranges of one hardware dimension.
  }];

  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"
  ];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // UOP_IR_UOPDIALECT
