// RUN: uop-opt %s --split-input-file --uop-pack-shared | FileCheck %s
// RUN: uop-opt %s --split-input-file --uop-pack-shared --uop-verify-races -o /dev/null
// RUN: uop-opt %s --split-input-file --uop-pack-shared --uop-pack-shared | FileCheck %s

// One after the other: the second takes the place of the first, and a barrier
// keeps what is written there from what is still to be read.
// CHECK-LABEL: @twice
// CHECK:         %[[MEMORY:.*]] = uop.alloc {alignment = 16 : i64} : memref<256xi8, #gpu.address_space<workgroup>>
// CHECK-COUNT-2: memref.view %[[MEMORY]][%c0{{.*}}][] : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
// CHECK:         memref.store
// CHECK-NEXT:    uop.barrier derived
// CHECK:         memref.load
// CHECK:         uop.barrier derived
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    uop.barrier derived
// CHECK-NEXT:    memref.load
// CHECK-NOT:     uop.barrier
!tile = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @twice(%in: memref<64xf32>, %out: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %a = uop.alloc : !tile
  %b = uop.alloc : !tile
  %x = memref.load %in[%t] : memref<64xf32>
  memref.store %x, %a[%t] : !tile
  uop.barrier derived
  %y = memref.load %a[%r] : !tile
  %z = arith.mulf %y, %y : f32
  memref.store %z, %b[%t] : !tile
  uop.barrier derived
  %w = memref.load %b[%r] : !tile
  memref.store %w, %out[%t] : memref<64xf32>
}

// -----

// Both at once: nothing is gained, and nothing changes.
// CHECK-LABEL: @both
// CHECK-COUNT-2: uop.alloc : memref<64xf32
// CHECK-NOT:     memref.view
!tile = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @both(%in: memref<64xf32>, %out: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %a = uop.alloc : !tile
  %b = uop.alloc : !tile
  %x = memref.load %in[%t] : memref<64xf32>
  memref.store %x, %a[%t] : !tile
  memref.store %x, %b[%r] : !tile
  uop.barrier
  %y = memref.load %a[%r] : !tile
  %z = memref.load %b[%r] : !tile
  %w = arith.mulf %y, %z : f32
  memref.store %w, %out[%t] : memref<64xf32>
}

// -----

// The largest comes first: 64 doubles, in the place of which there is room for
// both of the others, at offsets that suit their elements. A third one that is
// in use all the time stays as it is.
// CHECK-LABEL: @sizes
// CHECK:         %[[MEMORY:.*]] = uop.alloc {alignment = 16 : i64} : memref<512xi8, #gpu.address_space<workgroup>>
// CHECK-DAG:     memref.view %[[MEMORY]][%c0{{.*}}][] : {{.*}} to memref<33xf16,
// CHECK-DAG:     memref.view %[[MEMORY]][%c0{{.*}}][] : {{.*}} to memref<64xf64,
// CHECK-DAG:     %[[AFTER:.*]] = arith.constant 68 : index
// CHECK-DAG:     memref.view %[[MEMORY]][%[[AFTER]]][] : {{.*}} to memref<1xf32,
// CHECK-DAG:     uop.alloc : memref<5xf32,
#shared = #gpu.address_space<workgroup>
uop.kernel loops @sizes(%in: memref<64xf64>, %h: memref<33xf16>, %f: memref<5xf32>) {
  %t = uop.range local<x> 1
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %all = uop.alloc : memref<5xf32, #shared>
  %half = uop.alloc : memref<33xf16, #shared>
  %one = uop.alloc : memref<1xf32, #shared>
  %big = uop.alloc : memref<64xf64, #shared>
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %all[%c4] : memref<5xf32, #shared>
  %v = memref.load %h[%t] : memref<33xf16>
  memref.store %v, %half[%t] : memref<33xf16, #shared>
  memref.store %zero, %one[%c0] : memref<1xf32, #shared>
  %w = memref.load %half[%t] : memref<33xf16, #shared>
  memref.store %w, %h[%t] : memref<33xf16>
  %g = memref.load %one[%c0] : memref<1xf32, #shared>
  memref.store %g, %f[%c0] : memref<5xf32>
  %d = memref.load %in[%t] : memref<64xf64>
  memref.store %d, %big[%t] : memref<64xf64, #shared>
  %e = memref.load %big[%t] : memref<64xf64, #shared>
  memref.store %e, %in[%t] : memref<64xf64>
  %k = memref.load %all[%c4] : memref<5xf32, #shared>
  memref.store %k, %f[%c4] : memref<5xf32>
}

// -----

// In a loop: each iteration fills both tiles before it reads them, which the
// indices of 32 threads show, and so they share.
// CHECK-LABEL: @refilled
// CHECK:         uop.alloc {alignment = 16 : i64} : memref<256xi8
// CHECK:         scf.for
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
uop.kernel loops @refilled(%in: memref<4x8x8xf32>, %out: memref<4x8x8xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = uop.alloc : !tile
  %b = uop.alloc : !tile
  %row = uop.floordiv %t, %c8
  %j = uop.floormod %t, %c8
  scf.for %s = %c0 to %c4 step %c1 {
    scf.for %u = %c0 to %c8 step %c4 {
      %i = arith.addi %row, %u : index
      %x = memref.load %in[%s, %i, %j] : memref<4x8x8xf32>
      memref.store %x, %a[%i, %j] : !tile
    }
    uop.barrier
    %x0 = memref.load %a[%j, %row] : !tile
    uop.barrier
    scf.for %u = %c0 to %c8 step %c4 {
      %i = arith.addi %row, %u : index
      memref.store %x0, %b[%i, %j] : !tile
    }
    uop.barrier
    %y = memref.load %b[%j, %row] : !tile
    memref.store %y, %out[%s, %row, %j] : memref<4x8x8xf32>
    uop.barrier
  }
}

// -----

// Half of the tile is what the last iteration left: it is in use throughout.
// CHECK-LABEL: @carried
// CHECK-COUNT-2: uop.alloc : memref<64xf32
// CHECK-NOT:     memref.view
!tile = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @carried(%in: memref<4x32xf32>, %out: memref<4x32xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %a = uop.alloc : !tile
  %b = uop.alloc : !tile
  %t32 = arith.addi %t, %c32 : index
  %r = arith.subi %c31, %t : index
  scf.for %s = %c0 to %c4 step %c1 {
    %x = memref.load %in[%s, %t] : memref<4x32xf32>
    memref.store %x, %a[%t] : !tile
    uop.barrier
    %y = memref.load %a[%r] : !tile
    memref.store %y, %b[%t] : !tile
    uop.barrier
    %z = memref.load %b[%t32] : !tile
    %w = memref.load %b[%r] : !tile
    memref.store %w, %b[%t32] : !tile
    %q = arith.addf %z, %w : f32
    memref.store %q, %out[%s, %t] : memref<4x32xf32>
  }
}

// -----

// Zeroed memory is in use from the beginning: it shares with what comes later,
// not with what comes before its first access.
// CHECK-LABEL: @zeroed
// CHECK:         %[[MEMORY:.*]] = uop.alloc zero {alignment = 16 : i64} : memref<384xi8,
// CHECK-DAG:     memref.view %[[MEMORY]][%c256{{.*}} to memref<32xf32,
// CHECK-DAG:     memref.view %[[MEMORY]][%c0{{.*}} to memref<64xi32,
// CHECK-DAG:     memref.view %[[MEMORY]][%c0{{.*}} to memref<32xf64,
#shared = #gpu.address_space<workgroup>
uop.kernel loops @zeroed(%f: memref<32xf32>, %i: memref<64xi32>, %d: memref<32xf64>) {
  %t = uop.range local<x> 32
  %first = uop.alloc : memref<32xf32, #shared>
  %counts = uop.alloc zero : memref<64xi32, #shared>
  %last = uop.alloc : memref<32xf64, #shared>
  %x = memref.load %f[%t] : memref<32xf32>
  memref.store %x, %first[%t] : memref<32xf32, #shared>
  %y = memref.load %first[%t] : memref<32xf32, #shared>
  memref.store %y, %f[%t] : memref<32xf32>
  %n = memref.load %counts[%t] : memref<64xi32, #shared>
  memref.store %n, %i[%t] : memref<64xi32>
  %z = memref.load %d[%t] : memref<32xf64>
  memref.store %z, %last[%t] : memref<32xf64, #shared>
  %w = memref.load %last[%t] : memref<32xf64, #shared>
  memref.store %w, %d[%t] : memref<32xf64>
}
