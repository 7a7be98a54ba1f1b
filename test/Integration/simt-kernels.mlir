// Kernels with barriers and shared memory, as they are written for GPUs, against
// NumPy in the same order, bit for bit with two roundings and with one; the
// launch as every tool states it. See Inputs/check_schedule.py.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/simt_kernels.py %t
// DEFINE: %{check} = %python %S/Inputs/check_schedule.py %s

!s8 = memref<8xf32, #gpu.address_space<workgroup>>
!s16 = memref<16xf32, #gpu.address_space<workgroup>>
!s256 = memref<256xf32, #gpu.address_space<workgroup>>
!s128 = memref<128xf32, #gpu.address_space<workgroup>>
!t33 = memref<32x33xf32, #gpu.address_space<workgroup>>
!t16 = memref<16x16xf32, #gpu.address_space<workgroup>>

// Each thread adds up all 16 elements, beginning with its own, and the sums go
// back to the same memory: a barrier between the loop and the overwrite.
// RUN: %{check} add_around loops 1,1,1 16,1,1 %t add_around.0 --shared=64
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
    %w = memref.load %s[%at] : !s16
    %n = arith.addf %x, %w : f32
    scf.yield %n : f32
  }
  uop.barrier
  memref.store %acc, %s[%l] : !s16
  uop.barrier
  %r = arith.subi %c15, %l : index
  %o = memref.load %s[%r] : !s16
  memref.store %o, %c[%l] : memref<16xf32>
}

// Memory that is used twice: three barriers.
// RUN: uop-run %s -e reuse %t/reuse.0.npy %t/reuse.1.npy nan nan \
// RUN:   --compare 2=%t/reuse.c.npy --compare 3=%t/reuse.d.npy
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
  memref.store %w, %s[%l] : !s16
  uop.barrier
  %p = memref.load %s[%r] : !s16
  memref.store %p, %d[%l] : memref<16xf32>
}

// The low lanes store, all load.
// RUN: %{check} low_lanes loops 1,1,1 16,1,1 %t low_lanes.0 --shared=32
uop.kernel loops @low_lanes(%a: memref<16xf32>, %c: memref<16xf32>) {
  %l = uop.range local<x> 16
  %c8 = arith.constant 8 : index
  %s = uop.alloc : !s8
  %low = arith.cmpi slt, %l, %c8 : index
  scf.if %low {
    %v = memref.load %a[%l] : memref<16xf32>
    memref.store %v, %s[%l] : !s8
  }
  uop.barrier
  %m = uop.floormod %l, %c8
  %o = memref.load %s[%m] : !s8
  memref.store %o, %c[%l] : memref<16xf32>
}

// 512 threads, of which 500 have something to do.
// RUN: %{check} add_guarded loops 2,1,1 256,1,1 %t add_guarded.0 add_guarded.1
uop.kernel loops @add_guarded(%a: memref<500xf32>, %b: memref<500xf32>,
                              %c: memref<500xf32>) {
  %g = uop.range global<x> 2
  %t = uop.range local<x> 256
  %c256 = arith.constant 256 : index
  %n = arith.constant 500 : index
  %base = arith.muli %g, %c256 : index
  %i = arith.addi %base, %t : index
  %in = arith.cmpi slt, %i, %n : index
  scf.if %in {
    %x = memref.load %a[%i] : memref<500xf32>
    %y = memref.load %b[%i] : memref<500xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %c[%i] : memref<500xf32>
  }
}

// Lanes 128 bytes apart.
// RUN: %{check} every_32nd loops 1,1,1 64,1,1 %t every_32nd.0
uop.kernel loops @every_32nd(%x: memref<2048xf32>, %y: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c32 = arith.constant 32 : index
  %i = arith.muli %t, %c32 : index
  %v = memref.load %x[%i] : memref<2048xf32>
  memref.store %v, %y[%t] : memref<64xf32>
}

// Structs of three floats.
// RUN: %{check} lengths loops 1,1,1 64,1,1 %t lengths.0
uop.kernel loops @lengths(%p: memref<192xf32>, %n: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %i = arith.muli %t, %c3 : index
  %j = arith.addi %i, %c1 : index
  %k = arith.addi %i, %c2 : index
  %x = memref.load %p[%i] : memref<192xf32>
  %y = memref.load %p[%j] : memref<192xf32>
  %z = memref.load %p[%k] : memref<192xf32>
  %xx = arith.mulf %x, %x : f32
  %yy = arith.mulf %y, %y : f32
  %zz = arith.mulf %z, %z : f32
  %s = arith.addf %xx, %yy : f32
  %r = arith.addf %s, %zz : f32
  memref.store %r, %n[%t] : memref<64xf32>
}

// A transpose straight through global memory; each thread moves four elements.
// RUN: %{check} transpose_plain loops 1,1,1 32,8,1 %t transpose_plain.0
uop.kernel loops @transpose_plain(%in: memref<32x32xf32>,
                                  %out: memref<32x32xf32>) {
  %tx = uop.range local<x> 32
  %ty = uop.range local<y> 8
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.for %j = %c0 to %c32 step %c8 {
    %row = arith.addi %ty, %j : index
    %v = memref.load %in[%row, %tx] : memref<32x32xf32>
    memref.store %v, %out[%tx, %row] : memref<32x32xf32>
  }
}

// A transpose through shared tiles whose rows are 33 apart.
// RUN: %{check} transpose_padded loops 2,2,1 32,8,1 %t transpose_padded.0 --shared=4224
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
    memref.store %v, %s[%r, %tx] : !t33
  }
  uop.barrier
  %ocol = arith.addi %by32, %tx : index
  scf.for %j = %c0 to %c32 step %c8 {
    %r = arith.addi %ty, %j : index
    %orow = arith.addi %bx32, %r : index
    %v = memref.load %s[%tx, %r] : !t33
    memref.store %v, %out[%orow, %ocol] : memref<64x64xf32>
  }
}

// A tree that adds neighbours at distance 1, 2, 4, ...
// RUN: %{check} sum_strided loops 1,1,1 256,1,1 %t sum_strided.0 --shared=1024
uop.kernel loops @sum_strided(%x: memref<256xf32>, %o: memref<f32>) {
  %t = uop.range local<x> 256
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c256 = arith.constant 256 : index
  %s = uop.alloc : !s256
  %v = memref.load %x[%t] : memref<256xf32>
  memref.store %v, %s[%t] : !s256
  uop.barrier
  %end = scf.while (%st = %c1) : (index) -> index {
    %go = arith.cmpi slt, %st, %c256 : index
    scf.condition(%go) %st : index
  } do {
  ^bb0(%st: index):
    %st2 = arith.muli %st, %c2 : index
    %i = arith.muli %st2, %t : index
    %in = arith.cmpi slt, %i, %c256 : index
    scf.if %in {
      %j = arith.addi %i, %st : index
      %a = memref.load %s[%i] : !s256
      %b = memref.load %s[%j] : !s256
      %r = arith.addf %a, %b : f32
      memref.store %r, %s[%i] : !s256
    }
    uop.barrier
    scf.yield %st2 : index
  }
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %r = memref.load %s[%c0] : !s256
    memref.store %r, %o[] : memref<f32>
  }
}

// A tree that adds the upper half to the lower half.
// RUN: %{check} sum_halving loops 1,1,1 256,1,1 %t sum_halving.0 --shared=1024
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
      %b = memref.load %s[%j] : !s256
      %r = arith.addf %a, %b : f32
      memref.store %r, %s[%t] : !s256
    }
    uop.barrier
    %half = arith.shrui %st, %c1 : index
    scf.yield %half : index
  }
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %r = memref.load %s[%c0] : !s256
    memref.store %r, %o[] : memref<f32>
  }
}

// Hillis and Steele: every step adds the element at distance 1, 2, 4, ..., with
// a barrier between load and store.
// RUN: %{check} scan_inclusive loops 1,1,1 128,1,1 %t scan_inclusive.0 --shared=512
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
      %a = memref.load %s[%j] : !s128
      scf.yield %a : f32
    } else {
      scf.yield %zero : f32
    }
    uop.barrier
    scf.if %in {
      %b = memref.load %s[%t] : !s128
      %r = arith.addf %b, %left : f32
      memref.store %r, %s[%t] : !s128
    }
    uop.barrier
    %d2 = arith.addi %d, %d : index
    scf.yield %d2 : index
  }
  %r = memref.load %s[%t] : !s128
  memref.store %r, %o[%t] : memref<128xf32>
}

// Blelloch: up and down a tree, exclusive.
// RUN: %{check} scan_exclusive loops 1,1,1 128,1,1 %t scan_exclusive.0 --shared=1024
uop.kernel loops @scan_exclusive(%x: memref<256xf32>, %o: memref<256xf32>) {
  %t = uop.range local<x> 128
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %s = uop.alloc : !s256
  %t128 = arith.addi %t, %c128 : index
  %v = memref.load %x[%t] : memref<256xf32>
  memref.store %v, %s[%t] : !s256
  %v2 = memref.load %x[%t128] : memref<256xf32>
  memref.store %v2, %s[%t128] : !s256
  %t2 = arith.muli %t, %c2 : index
  %p1 = arith.addi %t2, %c1 : index
  %p2 = arith.addi %t2, %c2 : index
  %up:2 = scf.while (%off = %c1, %d = %c128) : (index, index) -> (index, index) {
    %go = arith.cmpi sgt, %d, %c0 : index
    scf.condition(%go) %off, %d : index, index
  } do {
  ^bb0(%off: index, %d: index):
    uop.barrier
    %in = arith.cmpi slt, %t, %d : index
    scf.if %in {
      %ai0 = arith.muli %off, %p1 : index
      %ai = arith.subi %ai0, %c1 : index
      %bi0 = arith.muli %off, %p2 : index
      %bi = arith.subi %bi0, %c1 : index
      %a = memref.load %s[%ai] : !s256
      %b = memref.load %s[%bi] : !s256
      %r = arith.addf %b, %a : f32
      memref.store %r, %s[%bi] : !s256
    }
    %off2 = arith.muli %off, %c2 : index
    %half = arith.shrui %d, %c1 : index
    scf.yield %off2, %half : index, index
  }
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %zero, %s[%c255] : !s256
  }
  %down:2 = scf.while (%off = %c256, %d = %c1) : (index, index) -> (index, index) {
    %go = arith.cmpi slt, %d, %c256 : index
    scf.condition(%go) %off, %d : index, index
  } do {
  ^bb0(%off: index, %d: index):
    %half = arith.shrui %off, %c1 : index
    uop.barrier
    %in = arith.cmpi slt, %t, %d : index
    scf.if %in {
      %ai0 = arith.muli %half, %p1 : index
      %ai = arith.subi %ai0, %c1 : index
      %bi0 = arith.muli %half, %p2 : index
      %bi = arith.subi %bi0, %c1 : index
      %a = memref.load %s[%ai] : !s256
      %b = memref.load %s[%bi] : !s256
      memref.store %b, %s[%ai] : !s256
      %r = arith.addf %b, %a : f32
      memref.store %r, %s[%bi] : !s256
    }
    %d2 = arith.muli %d, %c2 : index
    scf.yield %half, %d2 : index, index
  }
  uop.barrier
  %r = memref.load %s[%t] : !s256
  memref.store %r, %o[%t] : memref<256xf32>
  %r2 = memref.load %s[%t128] : !s256
  memref.store %r2, %o[%t128] : memref<256xf32>
}

// A matrix product in tiles of 16x16, with two barriers a step.
// RUN: %{check} gemm_32 loops 2,2,1 16,16,1 %t gemm_32.0 gemm_32.1 --shared=2048
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
    memref.store %a, %sA[%ty, %tx] : !t16
    memref.store %b, %sB[%ty, %tx] : !t16
    uop.barrier
    %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
      %x = memref.load %sA[%ty, %k] : !t16
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
