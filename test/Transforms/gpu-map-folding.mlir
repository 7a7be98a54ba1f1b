// More axes than dimensions, and axes longer than a dimension.
// RUN: uop-opt %s --uop-gpu-map="remarks" --uop-print-launch --split-input-file -o /dev/null 2>&1 | FileCheck %s
// RUN: uop-opt %s --uop-gpu-map --split-input-file | FileCheck %s --check-prefix=IR

// The axes that are left after x and y are folded onto z.
// CHECK: @four_axes folds the blocks of output axes 0 and 1 onto z
// CHECK: @four_axes: grid (4,4,32), block (16,16,1)
// IR-LABEL: uop.kernel @four_axes
// IR:         %[[G:.*]] = uop.range global<z> 32
// IR:         uop.floordiv %[[G]], %c4
// IR:         uop.floormod %[[G]], %c4
uop.kernel @four_axes(%out: memref<8x4x64x64xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 2:16, LOCAL 3:16]>} {
  %a = uop.range loop 8
  %b = uop.range loop 4
  %c = uop.range loop 64
  %d = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%a, %b, %c, %d] : memref<8x4x64x64xi32>
}

// -----

// The middle axis is too long for y: it goes to x with the last one.
// CHECK: @middle folds the blocks of output axes 1 and 2 onto x
// CHECK: @middle: grid (210003,2,1), block (1,1,1)
uop.kernel @middle(%out: memref<2x70001x3xi8>)
    attributes {schedule = #uop.schedule<[]>} {
  %i = uop.range loop 2
  %j = uop.range loop 70001
  %k = uop.range loop 3
  %one = arith.constant 1 : i8
  uop.store %one, %out[%i, %j, %k] : memref<2x70001x3xi8>
}

// -----

// Threads are folded as blocks are: z has at most 64.
// CHECK: @deep folds the threads of output axes 0 and 1 onto y
// CHECK: @deep: grid (1,1,1), block (2,256,1)
uop.kernel @deep(%out: memref<128x2x2xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:128, LOCAL 1:2, LOCAL 2:2]>} {
  %i = uop.range loop 128
  %j = uop.range loop 2
  %k = uop.range loop 2
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j, %k] : memref<128x2x2xi32>
}

// -----

// CHECK: @four_thread_axes folds the threads of output axes 0 and 1 onto z
// CHECK: @four_thread_axes: grid (1,1,1), block (2,2,4)
uop.kernel @four_thread_axes(%out: memref<2x2x2x2xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:2, LOCAL 1:2, LOCAL 2:2, LOCAL 3:2]>} {
  %a = uop.range loop 2
  %b = uop.range loop 2
  %c = uop.range loop 2
  %d = uop.range loop 2
  %one = arith.constant 1 : i32
  uop.store %one, %out[%a, %b, %c, %d] : memref<2x2x2x2xi32>
}

// -----

// One axis that is longer than x is split over x and y, under a guard: 2^31
// blocks into two parts of 2^30.
// CHECK: @long splits the 2147483648 blocks into 2 parts along y: x has at most 2147483647
// CHECK: @long: grid (1073741824,2,1), block (1,1,1)
uop.kernel @long(%out: memref<2147483648xi8>)
    attributes {schedule = #uop.schedule<[]>} {
  %i = uop.range loop 2147483648
  %one = arith.constant 1 : i8
  uop.store %one, %out[%i] : memref<2147483648xi8>
}

// -----

// A store that lacks a folded axis in its domain runs where that is 0.
// CHECK: @partial folds the blocks of output axes 0 and 1 onto z
// IR-LABEL: uop.kernel @partial
// IR:         %[[G:.*]] = uop.range global<z> 6
// IR:         %[[A:.*]] = uop.floordiv %[[G]]
// IR:         %[[B:.*]] = uop.floormod %[[G]]
// IR:         %[[FIRST:.*]] = arith.cmpi eq, %[[B]], %c0
// IR:         uop.store %{{.*}}, %{{.*}}[%[[A]], %{{.*}}, %{{.*}}] mask %[[FIRST]] unique
uop.kernel @partial(%out: memref<2x3x4x5xi32>, %some: memref<2x4x5xi32>)
    attributes {schedule = #uop.schedule<[]>} {
  %a = uop.range loop 2
  %b = uop.range loop 3
  %c = uop.range loop 4
  %d = uop.range loop 5
  %one = arith.constant 1 : i32
  uop.store %one, %out[%a, %b, %c, %d] : memref<2x3x4x5xi32>
  uop.store %one, %some[%a, %c, %d] : memref<2x4x5xi32>
}

// -----

// x follows the axis along which the store is contiguous, not the last one.
// CHECK: @transposed: grid (8,4,1), block (1,1,1)
// IR-LABEL: uop.kernel @transposed
// IR:         uop.range global<x> 8
// IR:         uop.range global<y> 4
uop.kernel @transposed(%out: memref<4x8xi32>)
    attributes {schedule = #uop.schedule<[]>} {
  %i = uop.range loop 8
  %j = uop.range loop 4
  %one = arith.constant 1 : i32
  uop.store %one, %out[%j, %i] : memref<4x8xi32>
}

// -----

// A SWAP exchanges the places.
// CHECK: @swapped: grid (4,8,1), block (1,1,1)
uop.kernel @swapped(%out: memref<4x8xi32>)
    attributes {schedule = #uop.schedule<[SWAP 0:1]>} {
  %i = uop.range loop 8
  %j = uop.range loop 4
  %one = arith.constant 1 : i32
  uop.store %one, %out[%j, %i] : memref<4x8xi32>
}

// -----

// Merged axes are one, which the other opts count.
// CHECK: @merged: grid (4,1,1), block (8,1,1)
// IR-LABEL: uop.kernel @merged
// IR-SAME:    schedule = #uop.schedule<[MERGE 0:2, LOCAL 0:8]>
// IR:         uop.range global<x> 4
// IR:         uop.range local<x> 8
// IR-NOT:     uop.range
uop.kernel @merged(%in: memref<4x8xi32>, %out: memref<4x8xi32>)
    attributes {schedule = #uop.schedule<[MERGE 0:2, LOCAL 0:8]>} {
  %i = uop.range loop 4
  %j = uop.range loop 8
  %x = uop.load %in[%i, %j] : memref<4x8xi32>
  uop.store %x, %out[%i, %j] : memref<4x8xi32>
}
