// Tiles and who fills them.
// RUN: uop-opt %s --split-input-file --uop-lower-to-loops | FileCheck %s
// RUN: uop-opt %s --split-input-file --uop-lower-to-loops --uop-verify-races -o /dev/null

!tile = !uop.tile<16xf32, workgroup>

// As many points as threads: one pass, no guard, one barrier. What is on the
// stage stays on its memory.
// CHECK-LABEL: @rows
// CHECK:         %[[B:.*]] = uop.range global<x> 4
// CHECK:         %[[T:.*]] = uop.range local<x> 16
// CHECK:         %[[S:.*]] = uop.alloc {alignment = 16 : i64, buffers = 2 : i64, layout = #uop.tile_layout<pad 4>, note} : memref<16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    %[[V:.*]] = memref.load %{{.*}}[%[[B]], %[[T]]]
// CHECK-NEXT:    memref.store %[[V]], %[[S]][%[[T]]]
// CHECK:         uop.barrier derived
// CHECK:         memref.load %[[S]]
// CHECK-NOT:     uop.barrier
uop.kernel @rows(%in: memref<4x16xf32>, %out: memref<4x16xf32>) {
  %b = uop.range global<x> 4
  %i = uop.range loop 16
  %x = uop.load %in[%b, %i] : memref<4x16xf32>
  %t = uop.stage %x over(%i) {buffers = 2, layout = #uop.tile_layout<pad 4>, note} : !tile
  %l = uop.range local<x> 16
  %c15 = arith.constant 15 : index
  %r = arith.subi %c15, %l : index
  %y = uop.load %t[%r] : !tile
  uop.store %y, %out[%b, %l] : memref<4x16xf32>
}

// -----

// Two tiles of a loop are filled together: all loads, a barrier for those who
// still read, all stores, a barrier. Threads 0 to 3 copy four neighbours each of
// the first; of the second all copy two, in two passes.
// CHECK-LABEL: @together
// CHECK:         %[[T:.*]] = uop.range local<x> 8
// CHECK:         %[[HAS:.*]] = arith.cmpi slt, %[[T]], %c4
// CHECK:         scf.for
// CHECK-COUNT-4:   scf.if %[[HAS]] -> (f32)
// CHECK-NOT:       scf.if
// CHECK-COUNT-4:   memref.load %arg1
// CHECK-NOT:       memref.load
// CHECK:           uop.barrier derived
// CHECK-COUNT-4:   scf.if %[[HAS]] {
// CHECK-COUNT-4:   memref.store %{{.*}} : memref<32xf32,
// CHECK:           uop.barrier derived
// CHECK:           memref.load
// CHECK:           memref.load
// CHECK-NOT:     uop.barrier
!a = !uop.tile<16xf32, workgroup>
!b = !uop.tile<32xf32, workgroup>
uop.kernel @together(%x: memref<5x16xf32>, %y: memref<5x32xf32>, %out: memref<5x8xf32>) {
  %s = uop.range serial 5
  %i = uop.range loop 16
  %j = uop.range loop 32
  %v = uop.load %x[%s, %i] : memref<5x16xf32>
  %a = uop.stage %v over(%i) {vector = 4} : !a
  %w = uop.load %y[%s, %j] : memref<5x32xf32>
  %b = uop.stage %w over(%j) {vector = 2} : !b
  %l = uop.range local<x> 8
  %c31 = arith.constant 31 : index
  %r = arith.subi %c31, %l : index
  %p = uop.load %a[%l] : !a
  %q = uop.load %b[%r] : !b
  %sum = arith.addf %p, %q : f32
  uop.store %sum, %out[%s, %l] : memref<5x8xf32>
}

// -----

// 100 points of 8 threads are 13 passes, of which the last has a guard. 1000 are
// a loop of 31 times four, and one pass beyond it.
// CHECK-LABEL: @passes
// CHECK:         scf.for %{{.*}} = %c0 to %c124 step %c4
// CHECK-COUNT-4:   memref.store %{{.*}} : memref<1000xi32,
// CHECK-NOT:       memref.store
// CHECK:         }
// CHECK-COUNT-12: memref.load %arg0
// CHECK:         scf.if
// CHECK:           memref.load %arg0
// CHECK-COUNT-12: memref.store %{{.*}} : memref<100xi32,
// CHECK:         scf.if
// CHECK:           memref.store %{{.*}} : memref<100xi32,
!a = !uop.tile<100xi32, workgroup>
!b = !uop.tile<1000xi32, workgroup>
uop.kernel @passes(%x: memref<100xi32>, %y: memref<1000xi32>, %out: memref<8xi32>) {
  %i = uop.range loop 100
  %j = uop.range loop 1000
  %v = uop.load %x[%i] : memref<100xi32>
  %a = uop.stage %v over(%i) : !a
  %w = uop.load %y[%j] : memref<1000xi32>
  %b = uop.stage %w over(%j) : !b
  %l = uop.range local<x> 8
  %c99 = arith.constant 99 : index
  %r = arith.subi %c99, %l : index
  %p = uop.load %a[%r] : !a
  %q = uop.load %b[%r] : !b
  %sum = arith.addi %p, %q : i32
  uop.store %sum, %out[%l] : memref<8xi32>
}

// -----

// A private tile has no barrier. A small one is filled without a loop.
// CHECK-LABEL: @private
// CHECK:         uop.alloc {alignment = 16 : i64} : memref<4xf32, #gpu.address_space<private>>
// CHECK-COUNT-4: memref.store %{{.*}} : memref<4xf32, #gpu.address_space<private>>
// CHECK-NOT:     uop.barrier
// CHECK:         scf.for %{{.*}} = %c0 to %c33
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      memref.store %{{.*}} : memref<33xf32, #gpu.address_space<private>>
// CHECK-NOT:     uop.barrier
!a = !uop.tile<4xf32, private>
!b = !uop.tile<33xf32, private>
uop.kernel @private(%x: memref<8x4xf32>, %y: memref<8x33xf32>, %out: memref<8xf32>) {
  %l = uop.range local<x> 8
  %i = uop.range loop 4
  %j = uop.range loop 33
  %v = uop.load %x[%l, %i] : memref<8x4xf32>
  %a = uop.stage %v over(%i) : !a
  %w = uop.load %y[%l, %j] : memref<8x33xf32>
  %b = uop.stage %w over(%j) : !b
  %c3 = arith.constant 3 : index
  %p = uop.load %a[%c3] : !a
  %q = uop.load %b[%c3] : !b
  %sum = arith.addf %p, %q : f32
  uop.store %sum, %out[%l] : memref<8xf32>
}
