// Most kernels are found to be right by code that only asks that. Where it asks
// in vain the log says that there is nothing; what is wrong is found by both.
// RUN: rm -rf %t && mkdir -p %t && split-file %s %t
// RUN: uop-run --check %t/indirect.mlir iota rand:seed=1 nan --save=2=%t/got.npy --vector-width=8
// RUN: uop-run %t/indirect.mlir iota rand:seed=1 nan --compare=2=%t/got.npy
// RUN: uop-run --check %t/halves.mlir iota zeros
// RUN: uop-run --check %t/sum.mlir iota zeros --print-launch | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: launch: @sum grid (2, 1, 1) block (32, 1, 1) shared 0 bytes
// RUN: not uop-run --check %t/outside.mlir iota zeros 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not uop-run --check %t/collide.mlir zeros 2>&1 | FileCheck %s --check-prefix=COLLIDE
// RUN: uop-run --check %t/sum.mlir iota zeros --save=1=%t/sum.npy
// RUN: uop-run %t/sum.mlir iota zeros --compare=1=%t/sum.npy
// RUN: uop-run --check %t/shuffled.mlir iota nan --save=1=%t/shuffled.npy --vector-width=8
// RUN: uop-run %t/shuffled.mlir iota nan --compare=1=%t/shuffled.npy
// RUN: not uop-run --check %t/hasty.mlir iota nan 2>&1 | FileCheck %s --check-prefix=HASTY

// A shuffle is no barrier.
// HASTY: error: @hasty: data race on shared memory (same-block, 64 pairs)

// OUTSIDE: error: @outside: out of bounds (1 access)
// Two threads in four of one vector store to one word, different numbers.
// COLLIDE: error: @collide: data race on global memory (same-warp, 32 pairs)

//--- indirect.mlir
// An index that is loaded, and one that the shared memory has.
uop.kernel loops @indirect(%at: memref<64xi32>, %x: memref<64xf32>, %y: memref<64xf32>) {
  %t = uop.range local<x> 64
  %tile = uop.alloc : memref<64xf32, #gpu.address_space<workgroup>>
  %number = memref.load %at[%t] : memref<64xi32>
  %i = arith.index_cast %number : i32 to index
  %v = memref.load %x[%i] : memref<64xf32>
  memref.store %v, %tile[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  uop.barrier
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %w = memref.load %tile[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%t] : memref<64xf32>
}

//--- halves.mlir
// Neighbours write halves of a word.
uop.kernel loops @halves(%x: memref<64xi16>, %y: memref<64xi16>) {
  %t = uop.range local<x> 64
  %v = memref.load %x[%t] : memref<64xi16>
  memref.store %v, %y[%t] : memref<64xi16>
}

//--- outside.mlir
// Only the last thread is outside.
uop.kernel loops @outside(%x: memref<63xf32>, %y: memref<64xf32>) {
  %b = uop.range global<x> 2
  %t = uop.range local<x> 32
  %c32 = arith.constant 32 : index
  %base = arith.muli %b, %c32 : index
  %i = arith.addi %base, %t : index
  %v = memref.load %x[%i] : memref<63xf32>
  memref.store %v, %y[%i] : memref<64xf32>
}

//--- collide.mlir
uop.kernel loops @collide(%x: memref<32xi32>) {
  %t = uop.range local<x> 64
  %c2 = arith.constant 2 : index
  %i = arith.divui %t, %c2 : index
  %v = arith.index_cast %t : index to i32
  memref.store %v, %x[%i] : memref<32xi32>
}

//--- sum.mlir
// Blocks add to one word: that is no race.
uop.kernel loops @sum(%x: memref<64xi32>, %y: memref<1xi32>) {
  %b = uop.range global<x> 2
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %base = arith.muli %b, %c32 : index
  %i = arith.addi %base, %t : index
  %v = memref.load %x[%i] : memref<64xi32>
  %old = memref.atomic_rmw addi %v, %y[%c0] : (i32, memref<1xi32>) -> i32
}

//--- shuffled.mlir
uop.kernel loops @shuffled(%x: memref<64xf32>, %y: memref<64xf32>) {
  %t = uop.range local<x> 64
  %tile = uop.alloc : memref<64xf32, #gpu.address_space<workgroup>>
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : index
  %v = memref.load %x[%t] : memref<64xf32>
  %s, %valid = gpu.shuffle xor %v, %c1, %c32 : f32
  memref.store %s, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  uop.barrier
  %s2, %valid2 = gpu.shuffle xor %s, %c1, %c32 : f32
  %r = arith.subi %c63, %t : index
  %w = memref.load %tile[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  %sum = arith.addf %w, %s2 : f32
  memref.store %sum, %y[%t] : memref<64xf32>
}

//--- hasty.mlir
uop.kernel loops @hasty(%x: memref<64xf32>, %y: memref<64xf32>) {
  %t = uop.range local<x> 64
  %tile = uop.alloc : memref<64xf32, #gpu.address_space<workgroup>>
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : index
  %v = memref.load %x[%t] : memref<64xf32>
  %s, %valid = gpu.shuffle xor %v, %c1, %c32 : f32
  memref.store %s, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  %s2, %valid2 = gpu.shuffle xor %s, %c1, %c32 : f32
  %r = arith.subi %c63, %t : index
  %w = memref.load %tile[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  %sum = arith.addf %w, %s2 : f32
  memref.store %sum, %y[%t] : memref<64xf32>
}
