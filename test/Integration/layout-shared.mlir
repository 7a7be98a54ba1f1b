// Every layout leaves the results as they are, bit for bit, for elements of 1, 2,
// 4 and 8 bytes, two and three dimensions, scalar and wide accesses. The output
// begins as a sentinel. What the kernels do without a layout is compared with
// their inputs: each is its own inverse.
// RUN: rm -rf %t && mkdir %t

// DEFINE: %{type} = f32
// DEFINE: %{k} = transpose
// DEFINE: %{lay} = sed 's/f32/%{type}/g' %s | uop-opt --uop-layout-shared
// DEFINE: %{run} = uop-run %t/%{k}.mlir -e %{k} %t/in.npy nan
// DEFINE: %{all} = sed 's/f32/%{type}/g' %s > %t/%{k}.mlir && \
// DEFINE:   uop-run %t/%{k}.mlir -e %{k} rand nan --save 0=%t/in.npy --save 1=%t/out.npy && \
// DEFINE:   uop-run %t/%{k}.mlir -e %{k} %t/out.npy nan --compare 1=%t/in.npy && \
// DEFINE:   %{lay} -o %t/%{k}.mlir && %{run} --compare 1=%t/out.npy && \
// DEFINE:   %{lay}=layout=xor -o %t/%{k}.mlir && %{run} --compare 1=%t/out.npy && \
// DEFINE:   %{lay}=layout=rotate -o %t/%{k}.mlir && %{run} --compare 1=%t/out.npy && \
// DEFINE:   %{lay}=layout=pad -o %t/%{k}.mlir && %{run} --compare 1=%t/out.npy
// RUN: %{all}
// REDEFINE: %{type} = i8
// RUN: %{all}
// REDEFINE: %{type} = f16
// RUN: %{all}
// REDEFINE: %{type} = f64
// RUN: %{all}
// REDEFINE: %{k} = swap
// RUN: %{all}
// REDEFINE: %{type} = f32
// RUN: %{all}
// REDEFINE: %{k} = wide
// RUN: %{all}
// REDEFINE: %{type} = f16
// RUN: %{all}

// The comparison has teeth: a store at a column that is wrong in one bit shows.
// RUN: uop-opt %s --uop-layout-shared=layout=xor -o %t/right.mlir
// RUN: sed '0,/\(%[0-9]*\) = arith.xori \(.*\) : index/s//%%flipped = arith.xori \2 : index\n\1 = arith.xori %%flipped, %%c8 : index/' %t/right.mlir > %t/wrong.mlir
// RUN: uop-run %s -e transpose rand nan --save 0=%t/in.npy --save 1=%t/out.npy
// RUN: uop-run %t/right.mlir -e transpose %t/in.npy nan --compare 1=%t/out.npy
// RUN: not uop-run %t/wrong.mlir -e transpose %t/in.npy nan --compare 1=%t/out.npy

// RUN: uop-opt %s --uop-layout-shared --uop-print-traffic -o /dev/null 2>&1 | FileCheck %s
// CHECK: @transpose; {{.*}}; shared loads: 128 requests, 4096 elements, 128 wavefronts (ideal 128); shared stores: 128 requests, 4096 elements, 128 wavefronts (ideal 128)
// CHECK: @swap; {{.*}}; shared loads: 64 requests, 2048 elements, 64 wavefronts (ideal 64); shared stores: 64 requests, 2048 elements, 64 wavefronts (ideal 64)
// CHECK: @wide; {{.*}}; shared loads: 8 requests, 1024 elements, 32 wavefronts (ideal 32); shared stores: 8 requests, 1024 elements, 32 wavefronts (ideal 32)

!tile = memref<32x32xf32, #gpu.address_space<workgroup>>
!two = memref<2x32x32xf32, #gpu.address_space<workgroup>>

// Tiles of 32x32 by 32x8 threads.
uop.kernel loops @transpose(%in: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %bx = uop.range global<x> 2
  %by = uop.range global<y> 2
  %tx = uop.range local<x> 32
  %ty = uop.range local<y> 8
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %s = uop.alloc : !tile
  %bx32 = arith.muli %bx, %c32 : index
  %by32 = arith.muli %by, %c32 : index
  %col = arith.addi %bx32, %tx : index
  scf.for %j = %c0 to %c32 step %c8 {
    %r = arith.addi %ty, %j : index
    %row = arith.addi %by32, %r : index
    %v = memref.load %in[%row, %col] : memref<64x64xf32>
    memref.store %v, %s[%r, %tx] : !tile
  }
  uop.barrier
  %ocol = arith.addi %by32, %tx : index
  scf.for %j = %c0 to %c32 step %c8 {
    %r = arith.addi %ty, %j : index
    %orow = arith.addi %bx32, %r : index
    %v = memref.load %s[%tx, %r] : !tile
    memref.store %v, %out[%orow, %ocol] : memref<64x64xf32>
  }
}

// Two tiles in one allocation, each transposed and written where the other was.
uop.kernel loops @swap(%in: memref<2x32x32xf32>, %out: memref<2x32x32xf32>) {
  %tx = uop.range local<x> 32
  %ty = uop.range local<y> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = uop.alloc : !two
  scf.for %j = %c0 to %c2 step %c1 {
    %v = memref.load %in[%j, %ty, %tx] : memref<2x32x32xf32>
    memref.store %v, %s[%j, %ty, %tx] : !two
  }
  uop.barrier
  scf.for %j = %c0 to %c2 step %c1 {
    %o = arith.subi %c1, %j : index
    %v = memref.load %s[%o, %tx, %ty] : !two
    memref.store %v, %out[%j, %ty, %tx] : memref<2x32x32xf32>
  }
}

// Rows of 4 elements, in the opposite order.
uop.kernel loops @wide(%in: memref<32x32xf32>, %out: memref<32x32xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c28 = arith.constant 28 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %s = uop.alloc : !tile
  scf.for %i = %c0 to %c32 step %c4 {
    %v = vector.load %in[%t, %i] : memref<32x32xf32>, vector<4xf32>
    vector.store %v, %s[%t, %i] : !tile, vector<4xf32>
  }
  uop.barrier
  %r = arith.subi %c31, %t : index
  scf.for %i = %c0 to %c32 step %c4 {
    %o = arith.subi %c28, %i : index
    %v = vector.load %s[%r, %o] : !tile, vector<4xf32>
    vector.store %v, %out[%t, %i] : memref<32x32xf32>, vector<4xf32>
  }
}
