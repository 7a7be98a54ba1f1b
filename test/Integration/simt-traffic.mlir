// The global sectors and shared wavefronts of each request of kernels as they
// are written for GPUs, worked by hand. Kernels with a race count like others:
// some barriers are left out on purpose.
// RUN: uop-opt %s --uop-print-traffic --verify-diagnostics -o /dev/null
// RUN: uop-opt %S/simt-kernels.mlir --uop-print-traffic -o /dev/null 2>&1 | FileCheck %s

!s16 = memref<16xf32, #gpu.address_space<workgroup>>
!s8 = memref<8xf32, #gpu.address_space<workgroup>>
!s64 = memref<64xf32, #gpu.address_space<workgroup>>
!s128 = memref<128xf32, #gpu.address_space<workgroup>>
!s256 = memref<256xf32, #gpu.address_space<workgroup>>
!i16 = memref<16xi32, #gpu.address_space<workgroup>>
!t32 = memref<32x32xf32, #gpu.address_space<workgroup>>
!t33 = memref<32x33xf32, #gpu.address_space<workgroup>>
!t16 = memref<16x16xf32, #gpu.address_space<workgroup>>
!line = memref<1056xf32, #gpu.address_space<workgroup>>

// Of simt-kernels.mlir: a guarded addition, lanes 128 bytes apart, structs,
// transposes.
// CHECK: global load: {{.*}}, 4 sec x15/3 sec x1 (
// CHECK: global load: {{.*}}, 4 sec x15/3 sec x1 (
// CHECK: global store: {{.*}}, 4 sec x15/3 sec x1 (
// CHECK: @add_guarded; global loads: 32 requests, 1000 elements, 126 sectors (ideal 126), 32 transactions; global stores: 16 requests, 500 elements, 63 sectors (ideal 63), 16 transactions{{$}}
// CHECK: global load: {{.*}}, 32 sec x2 (ideal 8)
// CHECK: global store: {{.*}}, 4 sec x2 (
// CHECK: @every_32nd;
// CHECK-COUNT-3: global load: {{.*}}, 12 sec x2 (
// CHECK: global store: {{.*}}, 4 sec x2 (
// CHECK: @lengths;
// CHECK: global load: {{.*}}, 4 sec x32 (
// CHECK: global store: {{.*}}, 32 sec x32 (
// CHECK: @transpose_plain;
// CHECK: global load: {{.*}}, 4 sec x128 (
// CHECK: shared store: {{.*}}, 1 wf x128 (
// CHECK: shared load: {{.*}}, 1 wf x128 (
// CHECK: global store: {{.*}}, 4 sec x128 (
// CHECK: @transpose_padded;

// Trees and scans, whose loops are scf.while.
// CHECK: global load: {{.*}}, 4 sec x8 (
// CHECK: shared store: {{.*}}, 1 wf x8 (
// CHECK-COUNT-2: shared load: {{.*}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// CHECK: shared store: {{.*}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// CHECK: shared load: {{.*}}, 1 wf x1 (
// CHECK: global store: {{.*}}, 1 sec x1 (
// CHECK: @sum_strided;
// CHECK: global load: {{.*}}, 4 sec x8 (
// CHECK: shared store: {{.*}}, 1 wf x8 (
// CHECK-COUNT-2: shared load: {{.*}}, 1 wf x12 (
// CHECK: shared store: {{.*}}, 1 wf x12 (
// CHECK: shared load: {{.*}}, 1 wf x1 (
// CHECK: global store: {{.*}}, 1 sec x1 (
// CHECK: @sum_halving;
// CHECK: global load: {{.*}}, 4 sec x4 (
// CHECK: shared store: {{.*}}, 1 wf x4 (
// CHECK-COUNT-2: shared load: {{.*}}, 1 wf x25 (
// CHECK: shared store: {{.*}}, 1 wf x25 (
// CHECK: shared load: {{.*}}, 1 wf x4 (
// CHECK: global store: {{.*}}, 4 sec x4 (
// CHECK: @scan_inclusive;

// The way down has the strides of the way up.
// CHECK-COUNT-2: shared store: {{.*}}, 1 wf x4 (
// CHECK-COUNT-2: shared load: {{.*}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// CHECK: shared store: {{.*}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// CHECK: shared store: {{.*}}, 1 wf x1 (
// CHECK-COUNT-2: shared load: {{.*}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// CHECK-COUNT-2: shared store: {{.*}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// CHECK: @scan_exclusive;

// CHECK-COUNT-2: global load: {{.*}}, 4 sec x64 (
// CHECK-COUNT-2: shared store: {{.*}}, 1 wf x64 (
// CHECK-COUNT-2: shared load: {{.*}}, 1 wf x1024 (
// CHECK: global store: {{.*}}, 4 sec x32 (
// CHECK: @gemm_32;

// x[i] = x[i + 1], in place: a fifth sector.
// expected-remark@+1 {{@shift;}}
uop.kernel loops @shift(%x: memref<129xf32>) {
  %g = uop.range global<x> 2
  %t = uop.range local<x> 64
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %b = arith.muli %g, %c64 : index
  %i = arith.addi %b, %t : index
  %j = arith.addi %i, %c1 : index
  // expected-remark@+1 {{, 5 sec x4 (ideal}}
  %v = memref.load %x[%j] : memref<129xf32>
  // expected-remark@+1 {{, 4 sec x4 (ideal}}
  memref.store %v, %x[%i] : memref<129xf32>
}

// A transpose through a tile of 32x32: a column lies in one bank.
// expected-remark@+1 {{@transpose_32;}}
uop.kernel loops @transpose_32(%in: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %bx = uop.range global<x> 2
  %by = uop.range global<y> 2
  %tx = uop.range local<x> 32
  %ty = uop.range local<y> 8
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %s = uop.alloc : !t32
  %bx32 = arith.muli %bx, %c32 : index
  %by32 = arith.muli %by, %c32 : index
  %col = arith.addi %bx32, %tx : index
  %ocol = arith.addi %by32, %tx : index
  scf.for %j = %c0 to %c32 step %c8 {
    %r = arith.addi %ty, %j : index
    %row = arith.addi %by32, %r : index
    // expected-remark@+1 {{, 4 sec x128 (ideal}}
    %v = memref.load %in[%row, %col] : memref<64x64xf32>
    // expected-remark@+1 {{, 1 wf x128 (ideal}}
    memref.store %v, %s[%r, %tx] : !t32
  }
  scf.for %j = %c0 to %c32 step %c8 {
    %r = arith.addi %ty, %j : index
    %orow = arith.addi %bx32, %r : index
    // expected-remark@+1 {{, 32 wf x128 (ideal}}
    %v = memref.load %s[%tx, %r] : !t32
    // expected-remark@+1 {{, 4 sec x128 (ideal}}
    memref.store %v, %out[%orow, %ocol] : memref<64x64xf32>
  }
}

// One block of the padded one.
// expected-remark@+1 {{@transpose_33_block;}}
uop.kernel loops @transpose_33_block(%in: memref<32x32xf32>, %out: memref<32x32xf32>) {
  %bx = uop.range global<x> 1
  %by = uop.range global<y> 1
  %tx = uop.range local<x> 32
  %ty = uop.range local<y> 8
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %s = uop.alloc : !t33
  %bx32 = arith.muli %bx, %c32 : index
  %by32 = arith.muli %by, %c32 : index
  %col = arith.addi %bx32, %tx : index
  %ocol = arith.addi %by32, %tx : index
  scf.for %j = %c0 to %c32 step %c8 {
    %r = arith.addi %ty, %j : index
    %row = arith.addi %by32, %r : index
    // expected-remark@+1 {{, 4 sec x32 (ideal}}
    %v = memref.load %in[%row, %col] : memref<32x32xf32>
    // expected-remark@+1 {{, 1 wf x32 (ideal}}
    memref.store %v, %s[%r, %tx] : !t33
  }
  scf.for %j = %c0 to %c32 step %c8 {
    %r = arith.addi %ty, %j : index
    %orow = arith.addi %bx32, %r : index
    // expected-remark@+1 {{, 1 wf x32 (ideal}}
    %v = memref.load %s[%tx, %r] : !t33
    // expected-remark@+1 {{, 4 sec x32 (ideal}}
    memref.store %v, %out[%orow, %ocol] : memref<32x32xf32>
  }
}

// A reduction by shuffles: 8 partial sums through shared memory.
// expected-remark@+1 {{@sum_shuffle;}}
uop.kernel loops @sum_shuffle(%x: memref<256xf32>, %o: memref<f32>) {
  %t = uop.range local<x> 256
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  %s = uop.alloc : !s256
  %w = uop.alloc : !s8
  // expected-remark@+1 {{, 4 sec x8 (ideal}}
  %v = memref.load %x[%t] : memref<256xf32>
  // expected-remark@+1 {{, 1 wf x8 (ideal}}
  memref.store %v, %s[%t] : !s256
  %u, %valid = gpu.shuffle xor %v, %one, %width : f32
  %p = arith.addf %v, %u : f32
  %lane = uop.floormod %t, %c32
  %warp = uop.floordiv %t, %c32
  %first = arith.cmpi eq, %lane, %c0 : index
  scf.if %first {
    // expected-remark@+1 {{, 1 wf x8 (ideal}}
    memref.store %p, %w[%warp] : !s8
  }
  uop.barrier
  %few = arith.cmpi slt, %t, %c8 : index
  scf.if %few {
    // expected-remark@+1 {{, 1 wf x1 (ideal}}
    %q = memref.load %w[%t] : !s8
    %zero = arith.cmpi eq, %t, %c0 : index
    scf.if %zero {
      // expected-remark@+1 {{, 1 sec x1 (ideal}}
      memref.store %q, %o[] : memref<f32>
    }
  }
}

// A histogram: which bin is accessed depends on data.
// expected-remark@+1 {{@histogram;}}
uop.kernel loops @histogram(%x: memref<256xi32>, %out: memref<16xi32>) {
  %g = uop.range global<x> 2
  %t = uop.range local<x> 128
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %h = uop.alloc : !i16
  %low = arith.cmpi slt, %t, %c16 : index
  scf.if %low {
    // expected-remark@+1 {{, 1 wf x2 (ideal}}
    memref.store %zero, %h[%t] : !i16
  }
  uop.barrier
  %b = arith.muli %g, %c128 : index
  %i = arith.addi %b, %t : index
  // expected-remark@+1 {{, 4 sec x8 (ideal}}
  %v = memref.load %x[%i] : memref<256xi32>
  %bin = arith.index_cast %v : i32 to index
  // expected-remark@+1 {{shared load is not counted: its address depends on the result of memref.load}}
  %old = memref.load %h[%bin] : !i16
  %new = arith.addi %old, %one : i32
  // expected-remark@+1 {{shared store is not counted: its address depends on the result of memref.load}}
  memref.store %new, %h[%bin] : !i16
  uop.barrier
  scf.if %low {
    // expected-remark@+1 {{, 1 wf x2 (ideal}}
    %n = memref.load %h[%t] : !i16
    // expected-remark@+1 {{global atomic update: 2 requests, 2 sec x2}}
    %r = memref.atomic_rmw addi %n, %out[%t] : (i32, memref<16xi32>) -> i32
  }
}

// One block of a product in tiles of 16x16.
// expected-remark@+1 {{@gemm_block;}}
uop.kernel loops @gemm_block(%A: memref<16x32xf32>, %B: memref<32x16xf32>, %C: memref<16x16xf32>) {
  %ty = uop.range local<y> 16
  %tx = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %sA = uop.alloc : !t16
  %sB = uop.alloc : !t16
  %sum = scf.for %k0 = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> f32 {
    %ka = arith.addi %k0, %tx : index
    %kb = arith.addi %k0, %ty : index
    // expected-remark@+1 {{, 4 sec x16 (ideal}}
    %a = memref.load %A[%ty, %ka] : memref<16x32xf32>
    // expected-remark@+1 {{, 4 sec x16 (ideal}}
    %b = memref.load %B[%kb, %tx] : memref<32x16xf32>
    // expected-remark@+1 {{, 1 wf x16 (ideal}}
    memref.store %a, %sA[%ty, %tx] : !t16
    // expected-remark@+1 {{, 1 wf x16 (ideal}}
    memref.store %b, %sB[%ty, %tx] : !t16
    uop.barrier
    %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
      // expected-remark@+1 {{, 1 wf x256 (ideal}}
      %x = memref.load %sA[%ty, %k] : !t16
      // expected-remark@+1 {{, 1 wf x256 (ideal}}
      %y = memref.load %sB[%k, %tx] : !t16
      %p = arith.mulf %x, %y : f32
      %n = arith.addf %s, %p : f32
      scf.yield %n : f32
    }
    scf.yield %part : f32
  }
  // expected-remark@+1 {{, 4 sec x8 (ideal}}
  memref.store %sum, %C[%ty, %tx] : memref<16x16xf32>
}

// Two branches, of 40 and 24 threads.
// expected-remark@+1 {{@two_branches;}}
uop.kernel loops @two_branches(%o: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c40 = arith.constant 40 : index
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  %low = arith.cmpi slt, %t, %c40 : index
  %v = arith.select %low, %x, %y : f32
  // expected-remark@+1 {{, 4 sec x2 (ideal}}
  memref.store %v, %o[%t] : memref<64xf32>
}

// 100 of 128 threads go on.
// expected-remark@+1 {{@early_return;}}
uop.kernel loops @early_return(%x: memref<100xf32>, %o: memref<100xf32>) {
  %g = uop.range global<x> 2
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %s = uop.alloc : !s64
  %b = arith.muli %g, %c64 : index
  %i = arith.addi %b, %t : index
  %in = arith.cmpi slt, %i, %c100 : index
  scf.if %in {
    // expected-remark@+1 {{, 4 sec x3/1 sec x1 (ideal}}
    %v = memref.load %x[%i] : memref<100xf32>
    // expected-remark@+1 {{, 1 wf x4 (ideal}}
    memref.store %v, %s[%t] : !s64
  }
  uop.barrier
  scf.if %in {
    %l = arith.subi %t, %c1 : index
    %k = arith.maxsi %l, %c0 : index
    // expected-remark@+1 {{, 1 wf x4 (ideal}}
    %v = memref.load %s[%k] : !s64
    // expected-remark@+1 {{, 4 sec x3/1 sec x1 (ideal}}
    memref.store %v, %o[%i] : memref<100xf32>
  }
}

// The last block adds up what all have stored: which one, a counter says.
// expected-remark@+1 {{@last_block;}}
uop.kernel loops @last_block(%x: memref<128xf32>, %p: memref<4xf32>, %n: memref<i32>, %o: memref<f32>) {
  %g = uop.range global<x> 4
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %b = arith.muli %g, %c32 : index
  %i = arith.addi %b, %t : index
  // expected-remark@+1 {{, 4 sec x4 (ideal}}
  %v = memref.load %x[%i] : memref<128xf32>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    // expected-remark@+1 {{, 1 sec x4 (ideal}}
    memref.store %v, %p[%g] : memref<4xf32>
    // expected-remark@+1 {{, 1 sec x4 (ideal}}
    %old = memref.atomic_rmw addi %one, %n[] : (i32, memref<i32>) -> i32
    %last = arith.cmpi eq, %old, %three : i32
    scf.if %last {
      // expected-remark@+1 {{global load is not counted: whether it is executed depends on the result of memref.atomic_rmw}}
      %q = memref.load %p[%c0] : memref<4xf32>
      // expected-remark@+1 {{global store is not counted: whether it is executed depends on the result of memref.atomic_rmw}}
      memref.store %q, %o[] : memref<f32>
    }
  }
}

// One element too many: i <= 99 + 1.
// expected-remark@+1 {{@off_by_one;}}
uop.kernel loops @off_by_one(%o: memref<100xf32>) {
  %g = uop.range global<x> 2
  %t = uop.range local<x> 64
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %x = arith.constant 1.0 : f32
  %b = arith.muli %g, %c64 : index
  %i = arith.addi %b, %t : index
  %in = arith.cmpi sle, %i, %c100 : index
  scf.if %in {
    // expected-remark@+1 {{, 4 sec x3/1 sec x1 (ideal}}
    memref.store %x, %o[%i] : memref<100xf32>
  }
}

// Rows of 16 bytes, 128 bytes apart: 8 of them in the same banks.
// expected-remark@+1 {{@rows_128;}}
uop.kernel loops @rows_128(%o: memref<32x4xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %v = arith.constant dense<1.0> : vector<4xf32>
  %s = uop.alloc : !t32
  scf.for %c = %c0 to %c2 step %c1 {
    %i = arith.muli %c, %c4 : index
    // expected-remark@+1 {{, 32 wf x2 (ideal 8)}}
    vector.store %v, %s[%t, %i] : !t32, vector<4xf32>
  }
  scf.for %c = %c0 to %c2 step %c1 {
    %i = arith.muli %c, %c4 : index
    // expected-remark@+1 {{, 32 wf x2 (ideal 8)}}
    %x = vector.load %s[%t, %i] : !t32, vector<4xf32>
    // expected-remark@+1 {{, 16 sec x2 (ideal}}
    vector.store %x, %o[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  }
}

// The same, with chunk c of row r at c ^ (r mod 8).
// expected-remark@+1 {{@rows_swizzled;}}
uop.kernel loops @rows_swizzled(%o: memref<32x4xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %v = arith.constant dense<1.0> : vector<4xf32>
  %s = uop.alloc : !t32
  scf.for %c = %c0 to %c2 step %c1 {
    %r = uop.floormod %t, %c8
    %m = arith.xori %c, %r : index
    %i = arith.muli %m, %c4 : index
    // expected-remark@+1 {{, 4 wf x2 (ideal 8)}}
    vector.store %v, %s[%t, %i] : !t32, vector<4xf32>
  }
  scf.for %c = %c0 to %c2 step %c1 {
    %r = uop.floormod %t, %c8
    %m = arith.xori %c, %r : index
    %i = arith.muli %m, %c4 : index
    // expected-remark@+1 {{, 4 wf x2 (ideal 8)}}
    %x = vector.load %s[%t, %i] : !t32, vector<4xf32>
    // expected-remark@+1 {{, 16 sec x2 (ideal}}
    vector.store %x, %o[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  }
}

// Many threads store one flag; which ones depends on data.
// expected-remark@+1 {{@flag;}}
uop.kernel loops @flag(%x: memref<64xf32>, %flag: memref<i32>) {
  %g = uop.range global<x> 2
  %t = uop.range local<x> 32
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %b = arith.muli %g, %c32 : index
  %i = arith.addi %b, %t : index
  // expected-remark@+1 {{, 4 sec x2 (ideal}}
  %v = memref.load %x[%i] : memref<64xf32>
  %p = arith.cmpf ogt, %v, %zero : f32
  scf.if %p {
    // expected-remark@+1 {{global store is not counted: whether it is executed depends on the result of arith.cmpf}}
    memref.store %one, %flag[] : memref<i32>
  }
}

// s[stride * lane], for each stride.
// expected-remark@+1 {{@strides;}}
uop.kernel loops @strides() {
  %t = uop.range local<x> 32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %x = arith.constant 1.0 : f32
  %s = uop.alloc : !line
  %i1 = arith.muli %t, %c1 : index
  // expected-remark@+1 {{, 1 wf x1 (ideal}}
  memref.store %x, %s[%i1] : !line
  %i2 = arith.muli %t, %c2 : index
  // expected-remark@+1 {{, 2 wf x1 (ideal}}
  memref.store %x, %s[%i2] : !line
  %i3 = arith.muli %t, %c3 : index
  // expected-remark@+1 {{, 1 wf x1 (ideal}}
  memref.store %x, %s[%i3] : !line
  %i4 = arith.muli %t, %c4 : index
  // expected-remark@+1 {{, 4 wf x1 (ideal}}
  memref.store %x, %s[%i4] : !line
  %i8 = arith.muli %t, %c8 : index
  // expected-remark@+1 {{, 8 wf x1 (ideal}}
  memref.store %x, %s[%i8] : !line
  %i16 = arith.muli %t, %c16 : index
  // expected-remark@+1 {{, 16 wf x1 (ideal}}
  memref.store %x, %s[%i16] : !line
  %i31 = arith.muli %t, %c31 : index
  // expected-remark@+1 {{, 1 wf x1 (ideal}}
  memref.store %x, %s[%i31] : !line
  %i32 = arith.muli %t, %c32 : index
  // expected-remark@+1 {{, 32 wf x1 (ideal}}
  memref.store %x, %s[%i32] : !line
  %i33 = arith.muli %t, %c33 : index
  // expected-remark@+1 {{, 1 wf x1 (ideal}}
  memref.store %x, %s[%i33] : !line
}
