// The barriers that kernels need, and no others.
// RUN: uop-opt %s --uop-place-barriers | FileCheck %s
// Placing them again changes nothing.
// RUN: uop-opt %s --uop-place-barriers > %t.once
// RUN: uop-opt %t.once --uop-place-barriers | diff %t.once -
// What it leaves has no race.
// RUN: uop-opt %s --uop-place-barriers '--uop-verify-races=strict' -o /dev/null

!s16 = memref<16xf32, #gpu.address_space<workgroup>>
!t16 = memref<16x16xf32, #gpu.address_space<workgroup>>

// Memory that is used twice (m19): write, read, write, read.
// CHECK-LABEL: @reuse(
// CHECK:         memref.store %{{.*}}, %[[S:[a-z0-9]+]][%{{.*}}] : memref<16xf32, #gpu
// CHECK:         uop.barrier derived
// CHECK-NEXT:    memref.load %[[S]]
// CHECK:         uop.barrier derived
// CHECK-NEXT:    memref.store %{{.*}}, %[[S]]
// CHECK:         uop.barrier derived
// CHECK-NEXT:    memref.load %[[S]]
// CHECK-NOT:     uop.barrier
uop.kernel loops @reuse(%a: memref<16xf32>, %b: memref<16xf32>,
                        %c: memref<16xf32>, %d: memref<16xf32>) {
  %l = uop.range local<x> 16
  %c15 = arith.constant 15 : index
  %r = arith.subi %c15, %l : index
  %s = uop.alloc : !s16
  %v = memref.load %a[%l] : memref<16xf32>
  memref.store %v, %s[%l] : !s16
  %o = memref.load %s[%r] : !s16
  memref.store %o, %c[%l] : memref<16xf32>
  %w = memref.load %b[%l] : memref<16xf32>
  memref.store %w, %s[%l] : !s16
  %p = memref.load %s[%r] : !s16
  memref.store %p, %d[%l] : memref<16xf32>
}

// Each thread reads all (m20): a barrier between the loop and the overwrite,
// none in the loop.
// CHECK-LABEL: @add_around(
// CHECK:         memref.store
// CHECK:         uop.barrier derived
// CHECK-NEXT:    scf.for
// CHECK-NOT:       uop.barrier
// CHECK:         }
// CHECK-NEXT:    uop.barrier derived
// CHECK-NEXT:    memref.store
// CHECK:         uop.barrier derived
// CHECK-NEXT:    memref.load
// CHECK-NOT:     uop.barrier
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
  %acc = scf.for %k = %c0 to %c16 step %c1 iter_args(%x = %zero) -> f32 {
    %lk = arith.addi %l, %k : index
    %at = uop.floormod %lk, %c16
    %w = memref.load %s[%at] : !s16
    %n = arith.addf %x, %w : f32
    scf.yield %n : f32
  }
  memref.store %acc, %s[%l] : !s16
  %r = arith.subi %c15, %l : index
  %o = memref.load %s[%r] : !s16
  memref.store %o, %c[%l] : memref<16xf32>
}

// Tiles that a loop fills again and again: two barriers in the loop, one before
// the tiles are written, one before they are read. The inner loop has none.
// CHECK-LABEL: @gemm(
// CHECK:         scf.for
// CHECK:           uop.barrier derived
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      uop.barrier derived
// CHECK-NEXT:      scf.for
// CHECK-NOT:       uop.barrier
uop.kernel loops @gemm(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
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
    %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
      %x = memref.load %sA[%ty, %k] : !t16
      %y = memref.load %sB[%k, %tx] : !t16
      %p = arith.mulf %x, %y : f32
      %n = arith.addf %s, %p : f32
      scf.yield %n : f32
    }
    scf.yield %part : f32
  }
  memref.store %sum, %C[%row, %col] : memref<32x32xf32>
}

// Two tiles in turn: what one iteration writes is not what it reads, and so one
// barrier an iteration is enough.
// CHECK-LABEL: @two_buffers(
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK:           uop.barrier derived
// CHECK-NEXT:      memref.load
// CHECK-NOT:       uop.barrier
uop.kernel loops @two_buffers(%a: memref<8x32xf32>, %c: memref<8x32xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c31 = arith.constant 31 : index
  %r = arith.subi %c31, %t : index
  %s = uop.alloc : memref<2x32xf32, #gpu.address_space<workgroup>>
  scf.for %k = %c0 to %c8 step %c1 {
    %slot = uop.floormod %k, %c2
    %v = memref.load %a[%k, %t] : memref<8x32xf32>
    memref.store %v, %s[%slot, %t] : memref<2x32xf32, #gpu.address_space<workgroup>>
    %w = memref.load %s[%slot, %r] : memref<2x32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %c[%k, %t] : memref<8x32xf32>
  }
}

// Each thread reads what it has written, through a swizzle: none.
// CHECK-LABEL: @own(
// CHECK-NOT:     uop.barrier
uop.kernel loops @own(%c: memref<8x8xf32>) {
  %x = uop.range local<x> 8
  %y = uop.range local<y> 8
  %f = arith.constant 1.0 : f32
  %s = uop.alloc : memref<8x8xf32, #gpu.address_space<workgroup>>
  %at = arith.xori %x, %y : index
  memref.store %f, %s[%y, %at] : memref<8x8xf32, #gpu.address_space<workgroup>>
  %v = memref.load %s[%y, %at] : memref<8x8xf32, #gpu.address_space<workgroup>>
  memref.store %v, %c[%y, %x] : memref<8x8xf32>
}

// Reads under a guard that depends on the thread: the barrier is outside.
// CHECK-LABEL: @hoisted(
// CHECK:         memref.store
// CHECK:         uop.barrier derived
// CHECK-NEXT:    scf.if
// CHECK:           memref.load
// CHECK-NOT:     uop.barrier
uop.kernel loops @hoisted(%c: memref<16xf32>) {
  %l = uop.range local<x> 16
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %f = arith.constant 1.0 : f32
  %s = uop.alloc : !s16
  memref.store %f, %s[%l] : !s16
  %within = arith.cmpi slt, %l, %c15 : index
  scf.if %within {
    %i = arith.addi %l, %c1 : index
    %v = memref.load %s[%i] : !s16
    memref.store %v, %c[%l] : memref<16xf32>
  }
}

// A barrier by hand stays, and counts; one that was derived goes if nothing
// needs it.
// CHECK-LABEL: @by_hand(
// CHECK:         memref.store
// CHECK-NEXT:    uop.barrier{{$}}
// CHECK-NOT:     uop.barrier
uop.kernel loops @by_hand(%c: memref<16xf32>) {
  %l = uop.range local<x> 16
  %c15 = arith.constant 15 : index
  %r = arith.subi %c15, %l : index
  %f = arith.constant 1.0 : f32
  %s = uop.alloc : !s16
  uop.barrier derived
  memref.store %f, %s[%l] : !s16
  uop.barrier
  %v = memref.load %s[%r] : !s16
  uop.barrier derived
  memref.store %v, %c[%l] : memref<16xf32>
}

// Every thread reads what one of them overwrites in an argument.
// CHECK-LABEL: @in_place(
// CHECK:         memref.load
// CHECK:         uop.barrier derived
// CHECK-NEXT:    scf.if
// CHECK:           memref.store
uop.kernel loops @in_place(%x: memref<4xf32>, %y: memref<32xf32>) {
  %b = uop.range global<x> 4
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%b] : memref<4xf32>
  %f = arith.constant 1.0 : f32
  %w = arith.addf %v, %f : f32
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %w, %x[%b] : memref<4xf32>
  }
}

// A view of another shape and type is the same memory.
// CHECK-LABEL: @views(
// CHECK:         memref.store
// CHECK:         uop.barrier derived
// CHECK-NEXT:    vector.load
uop.kernel loops @views(%c: memref<8xi32>) {
  %t = uop.range local<x> 8
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %s = uop.alloc : memref<64xi8, #gpu.address_space<workgroup>>
  %lower = memref.view %s[%c0][] : memref<64xi8, #gpu.address_space<workgroup>>
      to memref<8xi32, #gpu.address_space<workgroup>>
  %i = arith.index_cast %t : index to i32
  memref.store %i, %lower[%t] : memref<8xi32, #gpu.address_space<workgroup>>
  %b = arith.muli %t, %c4 : index
  %v = vector.load %s[%b] : memref<64xi8, #gpu.address_space<workgroup>>, vector<5xi8>
}

// The other half of the bytes is not: none.
// CHECK-LABEL: @apart(
// CHECK-NOT:     uop.barrier
uop.kernel loops @apart(%c: memref<8xi32>) {
  %t = uop.range local<x> 8
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %s = uop.alloc : memref<64xi8, #gpu.address_space<workgroup>>
  %lower = memref.view %s[%c0][] : memref<64xi8, #gpu.address_space<workgroup>>
      to memref<8xi32, #gpu.address_space<workgroup>>
  %upper = memref.view %s[%c32][] : memref<64xi8, #gpu.address_space<workgroup>>
      to memref<16xi16, #gpu.address_space<workgroup>>
  %i = arith.index_cast %t : index to i32
  memref.store %i, %lower[%t] : memref<8xi32, #gpu.address_space<workgroup>>
  %v = memref.load %upper[%c0] : memref<16xi16, #gpu.address_space<workgroup>>
}

// A loop that may have no iteration orders nothing by what is in it.
// CHECK-LABEL: @maybe(
// CHECK:         memref.store
// CHECK:         scf.for
// CHECK:         }
// CHECK:         uop.barrier derived
// CHECK-NEXT:    memref.load
uop.kernel loops @maybe(%c: memref<16xf32>, %n: index) {
  %l = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %r = arith.subi %c15, %l : index
  %f = arith.constant 1.0 : f32
  %s = uop.alloc : !s16
  memref.store %f, %s[%l] : !s16
  scf.for %i = %c0 to %n step %c1 {
    uop.barrier
  }
  %v = memref.load %s[%r] : !s16
  memref.store %v, %c[%l] : memref<16xf32>
}
