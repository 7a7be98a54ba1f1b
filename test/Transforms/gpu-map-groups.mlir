// Reductions by the threads of a block: which points each thread has, and which
// dimension the threads get.
// RUN: uop-opt %s --uop-gpu-map --split-input-file | FileCheck %s
// RUN: uop-opt %s --uop-gpu-map --uop-print-launch --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAUNCH

// GROUP interleaves: thread t has the points t, t + 8, ... Amounts for one axis
// multiply.
// CHECK-LABEL: uop.kernel @interleaved
// CHECK-DAG:     %[[R:.*]] = uop.range reduce 8
// CHECK-DAG:     %[[T:.*]] = uop.range group_reduce<x> 8
// CHECK:         %[[B:.*]] = arith.muli %[[R]], %c8
// CHECK:         %[[I:.*]] = arith.addi %[[B]], %[[T]]
// CHECK:         uop.load %{{.*}}[%[[I]]]
// CHECK:         uop.reduce add %{{.*}} over(%[[R]], %[[T]])
// LAUNCH: @interleaved: grid (1,1,1), block (8,1,1)
uop.kernel @interleaved(%in: memref<64xi32>, %out: memref<i32>)
    attributes {schedule = #uop.schedule<[GROUP 0:2, GROUP 0:4]>} {
  %k = uop.range reduce 64
  %x = uop.load %in[%k] : memref<64xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[] : memref<i32>
}

// -----

// GROUPTOP divides: thread t has the points t * 8 to t * 8 + 7, here two at a
// time. The order of the points is kept.
// CHECK-LABEL: uop.kernel @divided
// CHECK-DAG:     %[[T:.*]] = uop.range group_reduce<x> 8
// CHECK-DAG:     %[[R:.*]] = uop.range reduce 4
// CHECK-DAG:     %[[U:.*]] = uop.range unroll 2
// CHECK:         uop.reduce add %{{.*}} over(%[[T]], %[[R]], %[[U]])
uop.kernel @divided(%in: memref<64xi32>, %out: memref<i32>)
    attributes {schedule = #uop.schedule<[GROUPTOP 0:8, UNROLL 0:2]>} {
  %k = uop.range reduce 64
  %x = uop.load %in[%k] : memref<64xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[] : memref<i32>
}

// -----

// Rows are contiguous along the reduction: its threads are lanes, those of the
// rows along y.
// LAUNCH: @rows: grid (4,1,1), block (32,2,1)
uop.kernel @rows(%in: memref<8x64xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:2, GROUP 0:32]>} {
  %i = uop.range loop 8
  %k = uop.range reduce 64
  %x = uop.load %in[%i, %k] : memref<8x64xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%i] : memref<8xi32>
}

// -----

// Columns are contiguous along the output: its threads are lanes.
// LAUNCH: @columns: grid (2,1,1), block (4,16,1)
uop.kernel @columns(%in: memref<64x8xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:4, GROUP 0:16]>} {
  %i = uop.range loop 8
  %k = uop.range reduce 64
  %x = uop.load %in[%k, %i] : memref<64x8xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%i] : memref<8xi32>
}

// -----

// The threads of a row find its maximum together, and then each has a part of
// the row: one dimension for both.
// CHECK-LABEL: uop.kernel @shared
// CHECK:         uop.range local<x> 32
// CHECK:         uop.range group_reduce<x> 32
// LAUNCH: @shared: grid (16,1,1), block (32,1,1)
uop.kernel @shared(%in: memref<16x32xf32>, %out: memref<16x32xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 1:32, GROUP 0:32]>} {
  %i = uop.range loop 16
  %j = uop.range loop 32
  %k = uop.range reduce 32
  %x = uop.load %in[%i, %k] : memref<16x32xf32>
  %m = uop.reduce maximumf %x over(%k) : f32
  %y = uop.load %in[%i, %j] : memref<16x32xf32>
  %d = arith.subf %y, %m : f32
  uop.store %d, %out[%i, %j] : memref<16x32xf32>
}

// -----

// Three local axes that the reduction varies with: two of them are folded onto
// x, so that the group has a dimension.
// LAUNCH: @three_locals: grid (1,1,1), block (21,5,2)
uop.kernel @three_locals(%in: memref<4x3x5x7xi32>, %out: memref<3x5x7xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:3, LOCAL 1:5, LOCAL 2:7, GROUP 0:2]>} {
  %a = uop.range loop 3
  %b = uop.range loop 5
  %c = uop.range loop 7
  %k = uop.range reduce 4
  %x = uop.load %in[%k, %a, %b, %c] : memref<4x3x5x7xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%a, %b, %c] : memref<3x5x7xi32>
}

// -----

// A combiner takes its points in order: GROUPTOP. 10 points on 4 threads have a
// tail.
// CHECK-LABEL: uop.kernel @combiner
// CHECK:         uop.range group_reduce<x> 4
// CHECK:         uop.range reduce 3
// CHECK:         mask
uop.kernel @combiner(%in: memref<10xi32>, %out: memref<i32>)
    attributes {schedule = #uop.schedule<[GROUPTOP 0:4]>} {
  %k = uop.range reduce 10
  %x = uop.load %in[%k] : memref<10xi32>
  %least = arith.constant -2147483648 : i32
  %s = uop.reduce (%x) init(%least) over(%k) combine (%a: i32, %b: i32) {
    %most = arith.maxsi %a, %b : i32
    uop.yield %most : i32
  } : i32
  uop.store %s, %out[] : memref<i32>
}

// -----

// 53 points on 64 threads: the others have nothing to do.
// LAUNCH: @useful: grid (4,1,1), block (64,1,1), 256 threads, 8 warps, 82.8125 % useful lanes
uop.kernel @useful(%in: memref<4x53xi32>, %out: memref<4xi32>)
    attributes {schedule = #uop.schedule<[GROUP 0:64]>} {
  %i = uop.range loop 4
  %k = uop.range reduce 53
  %x = uop.load %in[%i, %k] : memref<4x53xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%i] : memref<4xi32>
}
