//===- UopLoopOps.td - The ops of loop form ----------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOPLOOPOPS
#define UOP_IR_UOPLOOPOPS

include "Uop/IR/UopOpBase.td"

def Uop_AllocOp : Uop_Op<"alloc"> {
  let summary = "Allocate shared memory of the block, or private memory";
  let description = [{
    The memory space of the type, `#gpu.address_space<workgroup>` or
    `#gpu.address_space<private>`, says whose memory it is. A workgroup
    allocation belongs to the block, wherever it is written: it is made once
    when the block starts. Its contents are then undefined (the emulator poisons
    them), or zero with `zero`.

    `buffers` and `layout` are wishes, which passes fulfil by changing the
    allocation and every access to it: so many tiles for a loop to fill ahead
    (`--uop-pipeline-shared`), and how the rows lie in memory
    (`--uop-layout-shared`).

    ```mlir
    uop.kernel loops @zeros(%out: memref<32xf32>) {
      %t = uop.range local<x> 32
      %s = uop.alloc zero : memref<32xf32, #gpu.address_space<workgroup>>
      %x = memref.load %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %x, %out[%t] : memref<32xf32>
    }
    ```
  }];
  let arguments = (ins
    Arg<UnitAttr, "whether the memory starts as zeros">:$zero,
    Arg<OptionalAttr<ConfinedAttr<I64Attr, [IntPositive, IntPowerOf2]>>,
        "the least alignment in bytes">:$alignment,
    Arg<DefaultValuedOptionalAttr<Uop_BuffersAttr, "1">,
        "the tiles that a loop may fill ahead, this one included">:$buffers,
    Arg<OptionalAttr<Uop_TileLayoutAttr>,
        "how the rows are to lie in memory">:$layout);
  let results = (outs
    Res<StaticShapeMemRefOf<[Uop_Data]>, "the memory",
        [MemAlloc<DefaultResource>]>:$result);
  let assemblyFormat = [{
    (`zero` $zero^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::MemRefType":$type), [{
    $_state.addTypes(type);
  }]>];
}

def Uop_BarrierOp : Uop_Op<"barrier"> {
  let summary = "Wait until every thread of the block is here";
  let description = [{
    Orders the accesses to memory before it before those after it, for all
    threads of the block. It stands where every thread of the block comes:
    control flow around it that provably depends on the thread is rejected, and
    what is not proved is checked when the kernel runs on the emulator. The
    example of `uop.kernel` shows one.

    Like `gpu.barrier` it has unknown effects: nothing moves across it.

    A `derived` barrier is not the user's: a pass has found that accesses need
    it. A pass that moves accesses may erase it and derive the barriers anew.
  }];
  let arguments = (ins
    Arg<UnitAttr, "whether a pass has put it there">:$derived);
  let assemblyFormat = "(`derived` $derived^)? attr-dict";
  let hasVerifier = 1;
}

def Uop_PhaseOp : Uop_Op<"phase", [
    NoTerminator, NoRegionArguments, SingleBlock]> {
  let summary = "Run code on a group of threads, between two barriers";
  let description = [{
    A kernel written in phases is a sequence of groups of threads: every phase
    has `local` ranges of its own, directly inside it, whose extents (literals;
    1 to 1024 threads in all) may differ from phase to phase. A barrier lies
    between one phase and the next. The block is as large as the largest phase;
    threads beyond a phase do nothing in it.

    Phases may stand in uniform control flow but not in one another, and hold no
    `uop.barrier`. Where phases are used nothing is stored outside of them.

    ```mlir
    !tile = memref<64xf32, #gpu.address_space<workgroup>>
    uop.kernel loops @sum(%in: memref<8x64xf32>, %out: memref<8xf32>) {
      %b = uop.range global<x> 8
      %s = uop.alloc : !tile
      uop.phase {
        %t = uop.range local<x> 64
        %x = memref.load %in[%b, %t] : memref<8x64xf32>
        memref.store %x, %s[%t] : !tile
      }
      uop.phase {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %zero = arith.constant 0.0 : f32
        %sum = scf.for %i = %c0 to %c64 step %c1
            iter_args(%acc = %zero) -> f32 {
          %x = memref.load %s[%i] : !tile
          %next = arith.addf %acc, %x : f32
          scf.yield %next : f32
        }
        memref.store %sum, %out[%b] : memref<8xf32>
      }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
  let hasVerifier = 1;
}

#endif // UOP_IR_UOPLOOPOPS
