// Threads, tiles and copies of a CPU.
// RUN: uop-opt %s --uop-cpu-map --split-input-file | FileCheck %s
// RUN: uop-opt %s --uop-cpu-map --uop-lower-to-loops --split-input-file | FileCheck %s --check-prefix=LOOPS

// 4 threads of 16 rows each, in tiles of 8 rows and 32 columns; each step of a
// tile computes 2x4 outputs. Loops over tiles come before those over points.
// CHECK-LABEL: uop.kernel @gemm
// CHECK-DAG:     %[[T:.*]] = uop.range thread 4
// CHECK-DAG:     %[[MO:.*]] = uop.range serial 2
// CHECK-DAG:     %[[MI:.*]] = uop.range serial 4
// CHECK-DAG:     %[[MU:.*]] = uop.range upcast 2
// CHECK-DAG:     %[[NI:.*]] = uop.range serial 8
// CHECK-DAG:     %[[NU:.*]] = uop.range upcast 4
// CHECK:         uop.store {{.*}} over(%[[T]], %[[MO]], %[[NO:.*]], %[[MI]], %[[NI]], %[[MU]], %[[NU]])
// CHECK-NOT:     global
// CHECK-NOT:     local
// LOOPS-LABEL: uop.kernel loops @gemm
// LOOPS:         uop.range thread 4
// LOOPS-COUNT-4: scf.for
// LOOPS:         scf.for {{.*}} iter_args
// LOOPS-COUNT-8: memref.store
uop.kernel @gemm(%A: memref<64x16xf32>, %B: memref<16x64xf32>, %C: memref<64x64xf32>)
    attributes {schedule = #uop.schedule<[THREAD 0:4, TILE 0:4, TILE 1:8, UPCAST 0:2, UPCAST 1:4], upcast_layout = cpu>} {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 16
  %a = uop.load %A[%m, %k] : memref<64x16xf32>
  %b = uop.load %B[%k, %n] : memref<16x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}

// -----

// Threads of two axes are one range; what they do not divide is masked.
// CHECK-LABEL: uop.kernel @tails
// CHECK:         %[[T:.*]] = uop.range thread 6
// CHECK:         uop.floordiv %[[T]], %c3
// CHECK:         uop.floormod %[[T]], %c3
// CHECK:         uop.store {{.*}} mask
uop.kernel @tails(%out: memref<7x11xi32>)
    attributes {schedule = #uop.schedule<[THREAD 0:2, THREAD 1:3]>} {
  %i = uop.range loop 7
  %j = uop.range loop 11
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<7x11xi32>
}

// -----

// The loop over the axis that is stored contiguously is innermost.
// CHECK-LABEL: uop.kernel @transposed
// CHECK:         %[[I:.*]] = uop.range serial 8
// CHECK:         %[[J:.*]] = uop.range serial 4
// CHECK:         uop.store {{.*}} over(%[[J]], %[[I]])
uop.kernel @transposed(%out: memref<4x8xi32>)
    attributes {schedule = #uop.schedule<[]>} {
  %i = uop.range loop 8
  %j = uop.range loop 4
  %one = arith.constant 1 : i32
  uop.store %one, %out[%j, %i] : memref<4x8xi32>
}

// -----

// A schedule for a GPU is left aside: one element has nothing to be divided.
// CHECK-LABEL: uop.kernel @for_a_gpu
// CHECK-SAME:    #uop.schedule<[], upcast_layout = cpu>
uop.kernel @for_a_gpu(%out: memref<1xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:16]>} {
  %i = uop.range loop 1
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<1xi32>
}
