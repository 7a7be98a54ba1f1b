// Races, with two threads each; what cannot be proved, and why. The verdicts, the
// pairs and who the threads are to each other are those that were worked out by
// hand for these kernels; the witnesses can be followed in the code.
// RUN: uop-opt %s --split-input-file --uop-verify-races --verify-diagnostics

// Each thread overwrites what its neighbour reads, in place (k03): in a warp, in a
// block and across blocks.
uop.kernel loops @shift(%x: memref<129xf32>) {
  %b = uop.range global<x> 2
  %t = uop.range local<x> 64
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %base = arith.muli %b, %c64 : index
  %i = arith.addi %base, %t : index
  %j = arith.addi %i, %c1 : index
  // expected-note @below {{the other access, which reads, is here}}
  %v = memref.load %x[%j] : memref<129xf32>
  // expected-error @below {{race on global memory (same warp): thread (63, 0, 0) writes element [63] that thread (62, 0, 0) reads, with no barrier in between}}
  // expected-error @below {{race on global memory (same block): thread (32, 0, 0) writes element [32] that thread (31, 0, 0) reads, with no barrier in between}}
  // expected-error @below {{race on global memory (cross-block): thread (0, 0, 0) of block (1, 0, 0) writes element [64] that thread (63, 0, 0) of block (0, 0, 0) reads; blocks are never ordered}}
  memref.store %v, %x[%i] : memref<129xf32>
}

// -----

// A transpose without its barrier (k11): a column is of other threads, in a warp
// and across warps.
!t33 = memref<32x33xf32, #gpu.address_space<workgroup>>
uop.kernel loops @transpose_padded(%in: memref<64x64xf32>,
                                   %out: memref<64x64xf32>) {
  %bx = uop.range global<x> 2
  %by = uop.range global<y> 2
  %tx = uop.range local<x> 32
  %ty = uop.range local<y> 8
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %s = uop.alloc : !t33
  %bx32 = arith.muli %bx, %c32 : index
  %by32 = arith.muli %by, %c32 : index
  %col = arith.addi %bx32, %tx : index
  scf.for %j = %c0 to %c32 step %c8 {
    %r = arith.addi %ty, %j : index
    %row = arith.addi %by32, %r : index
    %v = memref.load %in[%row, %col] : memref<64x64xf32>
    // expected-note @below {{the other access, which writes, is here}}
    memref.store %v, %s[%r, %tx] : !t33
  }
  %ocol = arith.addi %by32, %tx : index
  scf.for %j = %c0 to %c32 step %c8 {
    %r = arith.addi %ty, %j : index
    %orow = arith.addi %bx32, %r : index
    // expected-error @below {{race on shared memory (same warp): thread (31, 7, 0) (iteration at 0) reads element [31, 7] that thread (7, 7, 0) (iteration at 24) writes, with no barrier in between}}
    // expected-error @below {{race on shared memory (same block): thread (24, 7, 0) (iteration at 24) reads element [24, 31] that thread (31, 0, 0) (iteration at 24) writes, with no barrier in between}}
    %v = memref.load %s[%tx, %r] : !t33
    memref.store %v, %out[%orow, %ocol] : memref<64x64xf32>
  }
}

// -----

// A tree without the barrier in its loop (k15): the loop's next iterations read
// what this one writes.
!s256 = memref<256xf32, #gpu.address_space<workgroup>>
uop.kernel loops @sum_halving(%x: memref<256xf32>, %o: memref<f32>) {
  %t = uop.range local<x> 256
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %s = uop.alloc : !s256
  %v = memref.load %x[%t] : memref<256xf32>
  memref.store %v, %s[%t] : !s256
  uop.barrier
  %end = scf.while (%st = %c128) : (index) -> index {
    %go = arith.cmpi sgt, %st, %c0 : index
    scf.condition(%go) %st : index
  } do {
  ^bb0(%st: index):
    %in = arith.cmpi slt, %t, %st : index
    scf.if %in {
      %j = arith.addi %t, %st : index
      %a = memref.load %s[%t] : !s256
      // expected-error @below {{race on shared memory (same warp): thread (0, 0, 0) (iteration 3) reads element [16] that thread (16, 0, 0) (iteration 0) writes, with no barrier in between}}
      // expected-error @below {{race on shared memory (same block): thread (0, 0, 0) (iteration 1) reads element [64] that thread (64, 0, 0) (iteration 0) writes, with no barrier in between}}
      %b = memref.load %s[%j] : !s256
      %r = arith.addf %a, %b : f32
      // expected-note @below {{the other access, which writes, is here}}
      memref.store %r, %s[%t] : !s256
    }
    %half = arith.shrui %st, %c1 : index
    scf.yield %half : index
  }
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %r = memref.load %s[%c0] : !s256
    memref.store %r, %o[] : memref<f32>
  }
}

// -----

// A scan with one barrier a step (k19): it writes what a neighbour still reads.
!s128 = memref<128xf32, #gpu.address_space<workgroup>>
uop.kernel loops @scan_inclusive(%x: memref<128xf32>, %o: memref<128xf32>) {
  %t = uop.range local<x> 128
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %s = uop.alloc : !s128
  %v = memref.load %x[%t] : memref<128xf32>
  memref.store %v, %s[%t] : !s128
  uop.barrier
  %end = scf.while (%d = %c1) : (index) -> index {
    %go = arith.cmpi slt, %d, %c128 : index
    scf.condition(%go) %d : index
  } do {
  ^bb0(%d: index):
    %in = arith.cmpi sge, %t, %d : index
    %left = scf.if %in -> f32 {
      %j = arith.subi %t, %d : index
      // expected-note @below {{the other access, which reads, is here}}
      %a = memref.load %s[%j] : !s128
      scf.yield %a : f32
    } else {
      scf.yield %zero : f32
    }
    scf.if %in {
      %b = memref.load %s[%t] : !s128
      %r = arith.addf %b, %left : f32
      // expected-error @below {{race on shared memory (same warp): thread (1, 0, 0) (iteration 0) writes element [1] that thread (2, 0, 0) (iteration 0) reads, with no barrier in between}}
      // expected-error @below {{race on shared memory (same block): thread (16, 0, 0) (iteration 4) writes element [16] that thread (32, 0, 0) (iteration 4) reads, with no barrier in between}}
      memref.store %r, %s[%t] : !s128
    }
    uop.barrier
    %d2 = arith.addi %d, %d : index
    scf.yield %d2 : index
  }
  %r = memref.load %s[%t] : !s128
  memref.store %r, %o[%t] : memref<128xf32>
}

// -----

// The product of tiles without the second barrier (k27): rows of A are of one
// warp, columns of B also of others.
!t16 = memref<16x16xf32, #gpu.address_space<workgroup>>
uop.kernel loops @gemm_32(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                          %C: memref<32x32xf32>) {
  %by = uop.range global<y> 2
  %bx = uop.range global<x> 2
  %ty = uop.range local<y> 16
  %tx = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %sA = uop.alloc : !t16
  %sB = uop.alloc : !t16
  %by16 = arith.muli %by, %c16 : index
  %bx16 = arith.muli %bx, %c16 : index
  %row = arith.addi %by16, %ty : index
  %col = arith.addi %bx16, %tx : index
  %sum = scf.for %k0 = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> f32 {
    %ka = arith.addi %k0, %tx : index
    %kb = arith.addi %k0, %ty : index
    %a = memref.load %A[%row, %ka] : memref<32x32xf32>
    %b = memref.load %B[%kb, %col] : memref<32x32xf32>
    // expected-error @below {{race on shared memory (same warp): thread (15, 0, 0) (iteration at 16) writes element [0, 15] that thread (0, 0, 0) (iteration at 0, iteration at 15) reads, with no barrier in between}}
    memref.store %a, %sA[%ty, %tx] : !t16
    // expected-error @below {{race on shared memory (same warp): thread (0, 15, 0) (iteration at 16) writes element [15, 0] that thread (0, 14, 0) (iteration at 0, iteration at 15) reads, with no barrier in between}}
    // expected-error @below {{race on shared memory (same block): thread (15, 2, 0) (iteration at 16) writes element [2, 15] that thread (15, 0, 0) (iteration at 0, iteration at 2) reads, with no barrier in between}}
    memref.store %b, %sB[%ty, %tx] : !t16
    uop.barrier
    %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
      // expected-note @below {{the other access, which reads, is here}}
      %x = memref.load %sA[%ty, %k] : !t16
      // expected-note @below {{the other access, which reads, is here}}
      %y = memref.load %sB[%k, %tx] : !t16
      %p = arith.mulf %x, %y : f32
      %n = arith.addf %s, %p : f32
      scf.yield %n : f32
    }
    scf.yield %part : f32
  }
  memref.store %sum, %C[%row, %col] : memref<32x32xf32>
}

// -----

// And without the first: the tiles are read before they are written.
!t16 = memref<16x16xf32, #gpu.address_space<workgroup>>
uop.kernel loops @gemm_32(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                          %C: memref<32x32xf32>) {
  %by = uop.range global<y> 2
  %bx = uop.range global<x> 2
  %ty = uop.range local<y> 16
  %tx = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %sA = uop.alloc : !t16
  %sB = uop.alloc : !t16
  %by16 = arith.muli %by, %c16 : index
  %bx16 = arith.muli %bx, %c16 : index
  %row = arith.addi %by16, %ty : index
  %col = arith.addi %bx16, %tx : index
  %sum = scf.for %k0 = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> f32 {
    %ka = arith.addi %k0, %tx : index
    %kb = arith.addi %k0, %ty : index
    %a = memref.load %A[%row, %ka] : memref<32x32xf32>
    %b = memref.load %B[%kb, %col] : memref<32x32xf32>
    // expected-note @below {{the other access, which writes, is here}}
    memref.store %a, %sA[%ty, %tx] : !t16
    // expected-note @below {{the other access, which writes, is here}}
    memref.store %b, %sB[%ty, %tx] : !t16
    %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
      // expected-error @below {{race on shared memory (same warp): thread (15, 0, 0) (iteration at 14) reads element [0, 14] that thread (14, 0, 0) writes, with no barrier in between}}
      %x = memref.load %sA[%ty, %k] : !t16
      // expected-error @below {{race on shared memory (same warp): thread (0, 15, 0) (iteration at 14) reads element [14, 0] that thread (0, 14, 0) writes, with no barrier in between}}
      // expected-error @below {{race on shared memory (same block): thread (15, 2, 0) (iteration at 0) reads element [0, 15] that thread (15, 0, 0) writes, with no barrier in between}}
      %y = memref.load %sB[%k, %tx] : !t16
      %p = arith.mulf %x, %y : f32
      %n = arith.addf %s, %p : f32
      scf.yield %n : f32
    }
    uop.barrier
    scf.yield %part : f32
  }
  memref.store %sum, %C[%row, %col] : memref<32x32xf32>
}

// -----

// A histogram without atomic updates (k25): bins depend on the data, so that it is
// not proved; nor is there a proof of the contrary.
!h = memref<16xi32, #gpu.address_space<workgroup>>
uop.kernel loops @histogram(%x: memref<256xi32>) {
  %b = uop.range global<x> 2
  %t = uop.range local<x> 128
  %c128 = arith.constant 128 : index
  %c15 = arith.constant 15 : i32
  %one = arith.constant 1 : i32
  %s = uop.alloc zero : !h
  %base = arith.muli %b, %c128 : index
  %i = arith.addi %base, %t : index
  // expected-note @below {{it depends on this}}
  %v = memref.load %x[%i] : memref<256xi32>
  %bin = arith.andi %v, %c15 : i32
  %at = arith.index_cast %bin : i32 to index
  // expected-note @below {{the other access, which reads, is here}}
  %n = memref.load %s[%at] : !h
  %m = arith.addi %n, %one : i32
  // expected-warning @below {{not provably free of races: two threads of a block may access one element of shared memory, of which one writes and one writes it, in no order: it depends on a value that may be any}}
  // expected-note @below {{the other access, which writes, is here}}
  // expected-warning @below {{not provably free of races: two threads of a block may access one element of shared memory, of which one reads and one writes it, in no order: it depends on a value that may be any}}
  memref.store %m, %s[%at] : !h
}

// -----

// With bins by the thread it is a race, and with atomic updates none.
!h = memref<16xi32, #gpu.address_space<workgroup>>
uop.kernel loops @histogram_of_threads() {
  %t = uop.range local<x> 128
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %s = uop.alloc zero : !h
  %at = uop.floormod %t, %c16
  // expected-note @below {{the other access, which reads, is here}}
  %n = memref.load %s[%at] : !h
  %m = arith.addi %n, %one : i32
  // expected-error @below {{race on shared memory (same warp): thread (112, 0, 0) writes element [0] that thread (96, 0, 0) writes, where no barrier can be in between}}
  // expected-note @below {{the other access, which writes, is here}}
  // expected-error @below {{race on shared memory (same block): thread (47, 0, 0) writes element [15] that thread (15, 0, 0) writes, where no barrier can be in between}}
  // expected-error @below {{race on shared memory (same warp): thread (112, 0, 0) writes element [0] that thread (96, 0, 0) reads, with no barrier in between}}
  // expected-error @below {{race on shared memory (same block): thread (47, 0, 0) writes element [15] that thread (15, 0, 0) reads, with no barrier in between}}
  memref.store %m, %s[%at] : !h
}

// -----

!h = memref<16xi32, #gpu.address_space<workgroup>>
uop.kernel loops @histogram_atomic(%x: memref<128xi32>) {
  %t = uop.range local<x> 128
  %c15 = arith.constant 15 : i32
  %one = arith.constant 1 : i32
  %s = uop.alloc zero : !h
  %v = memref.load %x[%t] : memref<128xi32>
  %bin = arith.andi %v, %c15 : i32
  %at = arith.index_cast %bin : i32 to index
  %n = memref.atomic_rmw addi %one, %s[%at] : (i32, !h) -> i32
}

// -----

// The last block reads what all have stored (k34): which one that is depends on
// data, and blocks are never ordered.
uop.kernel loops @last_block(%p: memref<4xf32>, %count: memref<1xi32>,
                             %o: memref<1xf32>) {
  %b = uop.range global<x> 4
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %f = arith.constant 1.0 : f32
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    // expected-note @below {{the other access, which writes, is here}}
    memref.store %f, %p[%b] : memref<4xf32>
    %n = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    %last = arith.cmpi eq, %n, %three : i32
    // expected-note @below {{it depends on this}}
    scf.if %last {
      // expected-warning @below {{not provably free of races: threads of two blocks may access one element of global memory, of which one writes and one reads it, in no order: whether the access is executed is not known}}
      %v = memref.load %p[%c0] : memref<4xf32>
      // expected-warning @below {{not provably free of races: threads of two blocks may access one element of global memory, of which one writes and one writes it, in no order: whether the access is executed is not known}}
      // expected-note @below {{the other access, which writes, is here}}
      memref.store %v, %o[%c0] : memref<1xf32>
    }
  }
}

// -----

// Many threads store one value (k43): a class of its own.
uop.kernel loops @flag(%x: memref<64xf32>, %flag: memref<1xi32>) {
  %b = uop.range global<x> 2
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %base = arith.muli %b, %c32 : index
  %i = arith.addi %base, %t : index
  %v = memref.load %x[%i] : memref<64xf32>
  %isSet = arith.cmpf ogt, %v, %zero : f32
  scf.if %isSet {
    // expected-warning @below {{possible race on global memory, of equal values (same warp): thread (0, 0, 0) writes element [0] that thread (1, 0, 0) writes, where no barrier can be in between}}
    // expected-note @below {{the other access, which writes, is here}}
    // expected-warning @below {{possible race on global memory, of equal values (cross-block): thread (0, 0, 0) of block (0, 0, 0) writes element [0] that thread (0, 0, 0) of block (1, 0, 0) writes; blocks are never ordered}}
    memref.store %one, %flag[%c0] : memref<1xi32>
  }
}

// -----

// Memory that is used twice (m19) without barrier 1: read before it is written.
!s16 = memref<16xf32, #gpu.address_space<workgroup>>
uop.kernel loops @reuse(%a: memref<16xf32>, %b: memref<16xf32>,
                        %c: memref<16xf32>, %d: memref<16xf32>) {
  %l = uop.range local<x> 16
  %c15 = arith.constant 15 : index
  %r = arith.subi %c15, %l : index
  %s = uop.alloc : !s16
  %v = memref.load %a[%l] : memref<16xf32>
  // expected-note @below {{the other access, which writes, is here}}
  memref.store %v, %s[%l] : !s16
  // expected-error @below {{race on shared memory (same warp): thread (15, 0, 0) reads element [0] that thread (0, 0, 0) writes, with no barrier in between}}
  %o = memref.load %s[%r] : !s16
  memref.store %o, %c[%l] : memref<16xf32>
  uop.barrier
  %w = memref.load %b[%l] : memref<16xf32>
  memref.store %w, %s[%l] : !s16
  uop.barrier
  %p = memref.load %s[%r] : !s16
  memref.store %p, %d[%l] : memref<16xf32>
}

// -----

// Memory that is used twice (m19) without barrier 2: overwritten before it is read.
!s16 = memref<16xf32, #gpu.address_space<workgroup>>
uop.kernel loops @reuse(%a: memref<16xf32>, %b: memref<16xf32>,
                        %c: memref<16xf32>, %d: memref<16xf32>) {
  %l = uop.range local<x> 16
  %c15 = arith.constant 15 : index
  %r = arith.subi %c15, %l : index
  %s = uop.alloc : !s16
  %v = memref.load %a[%l] : memref<16xf32>
  memref.store %v, %s[%l] : !s16
  uop.barrier
  // expected-note @below {{the other access, which reads, is here}}
  %o = memref.load %s[%r] : !s16
  memref.store %o, %c[%l] : memref<16xf32>
  %w = memref.load %b[%l] : memref<16xf32>
  // expected-error @below {{race on shared memory (same warp): thread (15, 0, 0) writes element [15] that thread (0, 0, 0) reads, with no barrier in between}}
  memref.store %w, %s[%l] : !s16
  uop.barrier
  %p = memref.load %s[%r] : !s16
  memref.store %p, %d[%l] : memref<16xf32>
}

// -----

// Memory that is used twice (m19) without barrier 3: read before it is written again.
!s16 = memref<16xf32, #gpu.address_space<workgroup>>
uop.kernel loops @reuse(%a: memref<16xf32>, %b: memref<16xf32>,
                        %c: memref<16xf32>, %d: memref<16xf32>) {
  %l = uop.range local<x> 16
  %c15 = arith.constant 15 : index
  %r = arith.subi %c15, %l : index
  %s = uop.alloc : !s16
  %v = memref.load %a[%l] : memref<16xf32>
  memref.store %v, %s[%l] : !s16
  uop.barrier
  %o = memref.load %s[%r] : !s16
  memref.store %o, %c[%l] : memref<16xf32>
  uop.barrier
  %w = memref.load %b[%l] : memref<16xf32>
  // expected-note @below {{the other access, which writes, is here}}
  memref.store %w, %s[%l] : !s16
  // expected-error @below {{race on shared memory (same warp): thread (15, 0, 0) reads element [0] that thread (0, 0, 0) writes, with no barrier in between}}
  %p = memref.load %s[%r] : !s16
  memref.store %p, %d[%l] : memref<16xf32>
}

// -----

// Without the barrier between the loop and the overwrite (m20).
!s16 = memref<16xf32, #gpu.address_space<workgroup>>
uop.kernel loops @add_around(%a: memref<16xf32>, %c: memref<16xf32>) {
  %l = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %s = uop.alloc : !s16
  %v = memref.load %a[%l] : memref<16xf32>
  memref.store %v, %s[%l] : !s16
  uop.barrier
  %acc = scf.for %k = %c0 to %c16 step %c1 iter_args(%x = %zero) -> f32 {
    %lk = arith.addi %l, %k : index
    %at = uop.floormod %lk, %c16
    // expected-note @below {{the other access, which reads, is here}}
    %w = memref.load %s[%at] : !s16
    %n = arith.addf %x, %w : f32
    scf.yield %n : f32
  }
  // expected-error @below {{race on shared memory (same warp): thread (15, 0, 0) writes element [15] that thread (0, 0, 0) (iteration at 15) reads, with no barrier in between}}
  memref.store %acc, %s[%l] : !s16
  uop.barrier
  %r = arith.subi %c15, %l : index
  %o = memref.load %s[%r] : !s16
  memref.store %o, %c[%l] : memref<16xf32>
}

// -----

// Four threads write one element (m23), and read those of others.
uop.kernel loops @wrapped(%a: memref<16xf32>, %c: memref<16xf32>) {
  %l = uop.range local<x> 16
  %c4 = arith.constant 4 : index
  %s = uop.alloc : memref<4xf32, #gpu.address_space<workgroup>>
  %i = uop.floormod %l, %c4
  %v = memref.load %a[%l] : memref<16xf32>
  // expected-error @below {{race on shared memory (same warp): thread (15, 0, 0) writes element [3] that thread (3, 0, 0) writes, where no barrier can be in between}}
  // expected-note @below {{the other access, which writes, is here}}
  memref.store %v, %s[%i] : memref<4xf32, #gpu.address_space<workgroup>>
  // expected-error @below {{race on shared memory (same warp): thread (15, 0, 0) reads element [3] that thread (3, 0, 0) writes, with no barrier in between}}
  %w = memref.load %s[%i] : memref<4xf32, #gpu.address_space<workgroup>>
  memref.store %w, %c[%l] : memref<16xf32>
}

// -----

// The neighbour, in one phase.
!s = memref<33xf32, #gpu.address_space<workgroup>>
uop.kernel loops @phase() {
  %s = uop.alloc zero : !s
  uop.phase {
    %t = uop.range local<x> 32
    %c1 = arith.constant 1 : index
    %i = arith.addi %t, %c1 : index
    // expected-note @below {{the other access, which reads, is here}}
    %v = memref.load %s[%i] : !s
    // expected-error @below {{race on shared memory (same warp): thread (31, 0, 0) writes element [31] that thread (30, 0, 0) reads, where no barrier can be in between}}
    memref.store %v, %s[%t] : !s
  }
}

// -----

// A row maximum of 32 partial ones, of which thread 0 makes one, without the
// barrier.
!s = memref<32xf32, #gpu.address_space<workgroup>>
uop.kernel loops @row_max(%x: memref<4x32xf32>, %o: memref<4xf32>) {
  %b = uop.range global<x> 4
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant 0xFF800000 : f32
  %s = uop.alloc : !s
  %v = memref.load %x[%b, %t] : memref<4x32xf32>
  // expected-note @below {{the other access, which writes, is here}}
  memref.store %v, %s[%t] : !s
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %m = scf.for %i = %c0 to %c32 step %c1 iter_args(%acc = %low) -> f32 {
      // expected-error @below {{race on shared memory (same warp): thread (0, 0, 0) (iteration at 31) reads element [31] that thread (31, 0, 0) writes, with no barrier in between}}
      %w = memref.load %s[%i] : !s
      %n = arith.maximumf %acc, %w : f32
      scf.yield %n : f32
    }
    memref.store %m, %o[%b] : memref<4xf32>
  }
}

// -----

// Bytes of an element through a view of another type.
!s = memref<64xi8, #gpu.address_space<workgroup>>
uop.kernel loops @bytes(%o: memref<64xi8>) {
  %t = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %s = uop.alloc : !s
  %w = memref.view %s[%c0][] : !s to memref<16xi32, #gpu.address_space<workgroup>>
  %i = arith.index_cast %t : index to i32
  // expected-note @below {{the other access, which writes, is here}}
  memref.store %i, %w[%t] : memref<16xi32, #gpu.address_space<workgroup>>
  // expected-error @below {{race on shared memory (same warp): thread (3, 0, 0) reads byte [3] that thread (0, 0, 0) writes, with no barrier in between}}
  %b = memref.load %s[%t] : !s
  memref.store %b, %o[%t] : memref<64xi8>
}

// -----

// A condition of the next iteration says nothing of this one: what is read in the
// first iteration is overwritten in the second.
!s = memref<8x8xf32, #gpu.address_space<workgroup>>
!flat = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @not_in_the_first() {
  %y = uop.range local<x> 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 1.0 : f32
  %s = uop.alloc zero : !s
  %flat = memref.collapse_shape %s [[0, 1]] : !s into !flat
  scf.for %i = %c0 to %c2 step %c1 {
    %p = arith.cmpi slt, %i, %c1 : index
    scf.if %p {
      uop.barrier
    } else {
      // expected-error @below {{race on shared memory (same warp): thread (1, 0, 0) (iteration at 1) writes byte [4] that thread (0, 0, 0) (iteration at 0) reads, with no barrier in between}}
      memref.store %f, %flat[%y] : !flat
      uop.barrier
    }
    %j = arith.addi %y, %i : index
    // expected-note @below {{the other access, which reads, is here}}
    %v = memref.load %s[%j, %c1] : !s
  }
}

// -----

// A condition of data in front of a barrier is taken to be the same for all, but
// whether it holds is not known.
!s = memref<16xf32, #gpu.address_space<workgroup>>
uop.kernel loops @sometimes(%n: index, %o: memref<16xf32>) {
  %t = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c15 = arith.constant 15 : index
  %f = arith.constant 1.0 : f32
  %s = uop.alloc : !s
  // expected-note @below {{the other access, which writes, is here}}
  memref.store %f, %s[%t] : !s
  %p = arith.cmpi eq, %n, %c0 : index
  scf.if %p {
    uop.barrier
  }
  %r = arith.subi %c15, %t : index
  // expected-warning @below {{not provably free of races: two threads of a block may access one element of shared memory, of which one writes and one reads it, in no order: whether there is a barrier in between depends on a condition}}
  %v = memref.load %s[%r] : !s
  memref.store %v, %o[%t] : memref<16xf32>
}

// -----

// What a thread waits for is there for itself; the others need a barrier after
// the wait, and one before it is none.
!s = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @barrier_before_wait(%a: memref<64xf32>, %c: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %s = uop.alloc : !s
  // expected-note @below {{the other access, which writes, is here}}
  %p = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<64xf32> to !s
  %g = nvgpu.device_async_create_group %p
  uop.barrier
  nvgpu.device_async_wait %g
  // expected-error @below {{race on shared memory (same block): thread (63, 0, 0) reads element [0] that thread (0, 0, 0) writes, with no barrier in between}}
  %v = memref.load %s[%r] : !s
  memref.store %v, %c[%t] : memref<64xf32>
}

// -----

// A copy is under way until the wait: barriers around a read do not help.
!s = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @read_under_way(%a: memref<64xf32>, %c: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %s = uop.alloc : !s
  // expected-note @below {{the other access, which writes, is here}}
  %p = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<64xf32> to !s
  %g = nvgpu.device_async_create_group %p
  uop.barrier
  // expected-error @below {{race on shared memory (same block): thread (63, 0, 0) reads element [0] that thread (0, 0, 0) writes, while the copy is under way; wait for its group, and put a uop.barrier after that}}
  %v = memref.load %s[%r] : !s
  uop.barrier
  nvgpu.device_async_wait %g
  memref.store %v, %c[%t] : memref<64xf32>
}
