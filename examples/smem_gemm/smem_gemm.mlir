//===- smem_gemm.mlir - A matrix product through shared memory ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A * B, row-major f32, written by hand in loop form. A block of 16x16
// threads computes a 16x16 tile of C. It walks along K in steps of 16, through
// two tiles in shared memory. Two barriers: no thread may read the tiles before
// all have written them, nor overwrite them before all have read.
//
// Also: the same for N = 1024, and the reversal of each 32 elements of a vector
// through a tile, with one barrier.
//
//===----------------------------------------------------------------------===//

!mat = memref<64x64xf32>
!mat_1024 = memref<1024x1024xf32>
!tile = memref<16x16xf32, #gpu.address_space<workgroup>>
!line = memref<32xf32, #gpu.address_space<workgroup>>

uop.kernel loops @smem_gemm(%A: !mat, %B: !mat, %C: !mat) {
  %by = uop.range global<y> 4
  %bx = uop.range global<x> 4
  %ty = uop.range local<y> 16
  %tx = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %T = arith.constant 16 : index
  %N = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %sA = uop.alloc : !tile
  %sB = uop.alloc : !tile
  %by16 = arith.muli %by, %T : index
  %bx16 = arith.muli %bx, %T : index
  %row = arith.addi %by16, %ty : index
  %col = arith.addi %bx16, %tx : index
  %sum = scf.for %k0 = %c0 to %N step %T iter_args(%acc = %zero) -> f32 {
    %ka = arith.addi %k0, %tx : index
    %kb = arith.addi %k0, %ty : index
    %a = memref.load %A[%row, %ka] : !mat
    %b = memref.load %B[%kb, %col] : !mat
    memref.store %a, %sA[%ty, %tx] : !tile
    memref.store %b, %sB[%ty, %tx] : !tile
    uop.barrier // both tiles are written
    %part = scf.for %k = %c0 to %T step %c1 iter_args(%s = %acc) -> f32 {
      %x = memref.load %sA[%ty, %k] : !tile
      %y = memref.load %sB[%k, %tx] : !tile
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %s, %p : f32
      scf.yield %next : f32
    }
    uop.barrier // both tiles are read
    scf.yield %part : f32
  }
  memref.store %sum, %C[%row, %col] : !mat
}

uop.kernel loops @smem_gemm_1024(%A: !mat_1024, %B: !mat_1024,
                                 %C: !mat_1024) {
  %by = uop.range global<y> 64
  %bx = uop.range global<x> 64
  %ty = uop.range local<y> 16
  %tx = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %T = arith.constant 16 : index
  %N = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %sA = uop.alloc : !tile
  %sB = uop.alloc : !tile
  %by16 = arith.muli %by, %T : index
  %bx16 = arith.muli %bx, %T : index
  %row = arith.addi %by16, %ty : index
  %col = arith.addi %bx16, %tx : index
  %sum = scf.for %k0 = %c0 to %N step %T iter_args(%acc = %zero) -> f32 {
    %ka = arith.addi %k0, %tx : index
    %kb = arith.addi %k0, %ty : index
    %a = memref.load %A[%row, %ka] : !mat_1024
    %b = memref.load %B[%kb, %col] : !mat_1024
    memref.store %a, %sA[%ty, %tx] : !tile
    memref.store %b, %sB[%ty, %tx] : !tile
    uop.barrier // both tiles are written
    %part = scf.for %k = %c0 to %T step %c1 iter_args(%s = %acc) -> f32 {
      %x = memref.load %sA[%ty, %k] : !tile
      %y = memref.load %sB[%k, %tx] : !tile
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %s, %p : f32
      scf.yield %next : f32
    }
    uop.barrier // both tiles are read
    scf.yield %part : f32
  }
  memref.store %sum, %C[%row, %col] : !mat_1024
}

uop.kernel loops @reverse(%in: memref<256xf32>, %out: memref<256xf32>) {
  %b = uop.range global<x> 8
  %t = uop.range local<x> 32
  %c32 = arith.constant 32 : index
  %last = arith.constant 31 : index
  %s = uop.alloc : !line
  %first = arith.muli %b, %c32 : index
  %i = arith.addi %first, %t : index
  %x = memref.load %in[%i] : memref<256xf32>
  memref.store %x, %s[%t] : !line
  uop.barrier // the tile is written
  %r = arith.subi %last, %t : index
  %y = memref.load %s[%r] : !line
  memref.store %y, %out[%i] : memref<256xf32>
}
