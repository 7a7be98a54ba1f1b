// Kernels that are proved free of races; no false alarm.
// RUN: uop-opt %s --split-input-file '--uop-verify-races=strict remarks' --verify-diagnostics

// A row of the swizzled tile is written by threads along x, a column is read.
// expected-remark @below {{race-free: 2 pairs of accesses proved}}
uop.kernel loops @swizzled(%a: memref<32x32xf32>, %c: memref<32x32xf32>) {
  %x = uop.range local<x> 32
  %y = uop.range local<y> 32
  %s = uop.alloc : memref<32x32xf32, #gpu.address_space<workgroup>>
  %v = memref.load %a[%y, %x] : memref<32x32xf32>
  %at = arith.xori %x, %y : index
  memref.store %v, %s[%y, %at] : memref<32x32xf32, #gpu.address_space<workgroup>>
  uop.barrier
  %w = memref.load %s[%x, %at] : memref<32x32xf32, #gpu.address_space<workgroup>>
  memref.store %w, %c[%y, %x] : memref<32x32xf32>
}

// -----

// The digits of the linear index of a thread determine the thread, also where
// the copy goes on by as many elements as there are threads.
// expected-remark @below {{race-free: 1 pair of accesses proved}}
uop.kernel loops @copy(%a: memref<16x48xf32>) {
  %x = uop.range local<x> 16
  %y = uop.range local<y> 8
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %c128 = arith.constant 128 : index
  %c768 = arith.constant 768 : index
  %s = uop.alloc : memref<16x48xf32, #gpu.address_space<workgroup>>
  %y16 = arith.muli %y, %c16 : index
  %tid = arith.addi %y16, %x : index
  scf.for %i = %c0 to %c768 step %c128 {
    %e = arith.addi %tid, %i : index
    %row = uop.floordiv %e, %c48
    %col = uop.floormod %e, %c48
    %v = memref.load %a[%row, %col] : memref<16x48xf32>
    memref.store %v, %s[%row, %col] : memref<16x48xf32, #gpu.address_space<workgroup>>
  }
}

// -----

// Vectors of four elements, side by side; loaded by the threads that store them.
// expected-remark @below {{race-free: 2 pairs of accesses proved}}
uop.kernel loops @vectors(%c: memref<128xf32>) {
  %t = uop.range local<x> 32
  %c4 = arith.constant 4 : index
  %f = arith.constant dense<1.0> : vector<4xf32>
  %s = uop.alloc : memref<128xf32, #gpu.address_space<workgroup>>
  %i = arith.muli %t, %c4 : index
  vector.store %f, %s[%i] : memref<128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
  %v = vector.load %s[%i] : memref<128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
}

// -----

// A dynamic grid and a guard.
// expected-remark @below {{race-free: 2 pairs of accesses proved}}
uop.kernel loops @saxpy(%n: index, %x: memref<?xf32>) {
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %m = arith.addi %n, %c127 : index
  %blocks = uop.floordiv %m, %c128
  %b = uop.range global<x> %blocks
  %t = uop.range local<x> 128
  %base = arith.muli %b, %c128 : index
  %i = arith.addi %base, %t : index
  %in = arith.cmpi slt, %i, %n : index
  scf.if %in {
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<?xf32>
  }
}

// -----

// Phases: what one has written all threads of the next one may read.
// expected-remark @below {{race-free: 2 pairs of accesses proved}}
uop.kernel loops @phases(%in: memref<8x64xf32>, %out: memref<8xf32>) {
  %b = uop.range global<x> 8
  %s = uop.alloc : memref<64xf32, #gpu.address_space<workgroup>>
  uop.phase {
    %t = uop.range local<x> 64
    %x = memref.load %in[%b, %t] : memref<8x64xf32>
    memref.store %x, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  }
  uop.phase {
    %c63 = arith.constant 63 : index
    %x = memref.load %s[%c63] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %x, %out[%b] : memref<8xf32>
  }
}

// -----

// Three tiles in turn, one barrier an iteration: what is written two iterations
// ahead is what all have read one iteration ago.
// expected-remark @below {{race-free}}
uop.kernel loops @pipelined(%a: memref<16x32xf32>, %c: memref<16x32xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c14 = arith.constant 14 : index
  %c31 = arith.constant 31 : index
  %r = arith.subi %c31, %t : index
  %s = uop.alloc : memref<3x32xf32, #gpu.address_space<workgroup>>
  scf.for %p = %c0 to %c2 step %c1 {
    %v = memref.load %a[%p, %t] : memref<16x32xf32>
    memref.store %v, %s[%p, %t] : memref<3x32xf32, #gpu.address_space<workgroup>>
  }
  scf.for %k = %c0 to %c14 step %c1 {
    uop.barrier
    %ahead = arith.addi %k, %c2 : index
    %v = memref.load %a[%ahead, %t] : memref<16x32xf32>
    %to = uop.floormod %ahead, %c3
    memref.store %v, %s[%to, %t] : memref<3x32xf32, #gpu.address_space<workgroup>>
    %from = uop.floormod %k, %c3
    %w = memref.load %s[%from, %r] : memref<3x32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %c[%k, %t] : memref<16x32xf32>
  }
}

// -----

// What is read in later iterations only is not read in the first one, before the
// barrier of which there is no other.
!s = memref<33xf32, #gpu.address_space<workgroup>>
// expected-remark @below {{race-free}}
uop.kernel loops @not_in_the_first(%o: memref<4x32xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %f = arith.constant 1.0 : f32
  %s = uop.alloc zero : !s
  memref.store %f, %s[%t] : !s
  %t1 = arith.addi %t, %c1 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %later = arith.cmpi sge, %i, %c1 : index
    scf.if %later {
      %v = memref.load %s[%t1] : !s
      memref.store %v, %o[%i, %t] : memref<4x32xf32>
    }
    uop.barrier
  }
}

// -----

// A copy that is waited for, and then a barrier.
!s = memref<64xf32, #gpu.address_space<workgroup>>
// expected-remark @below {{race-free: 2 pairs of accesses proved}}
uop.kernel loops @copied(%a: memref<64xf32>, %c: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %s = uop.alloc : !s
  %p = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<64xf32> to !s
  %g = nvgpu.device_async_create_group %p
  nvgpu.device_async_wait %g
  uop.barrier
  %v = memref.load %s[%r] : !s
  memref.store %v, %c[%t] : memref<64xf32>
}
