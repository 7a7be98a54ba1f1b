// Sizes that the amounts do not divide: the axis runs on under masks.
// RUN: uop-opt %s --uop-gpu-map --split-input-file | FileCheck %s
// RUN: uop-opt %s --uop-gpu-map --uop-print-launch --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAUNCH

// 100 columns in blocks of 32 threads: four blocks, of which the last has 4
// threads at work. Loads and the store have the mask, the indices are as they
// were; that no element is written twice was proved for 3x100.
// CHECK-LABEL: uop.kernel @tail
// CHECK:         %[[C100:.*]] = arith.constant 100 : index
// CHECK:         %[[G:.*]] = uop.range global<x> 4
// CHECK:         %[[L:.*]] = uop.range local<x> 32
// CHECK:         %[[B:.*]] = arith.muli %[[G]], %{{.*}} : index
// CHECK:         %[[J:.*]] = arith.addi %[[B]], %[[L]] : index
// CHECK:         %[[IN:.*]] = arith.cmpi slt, %[[J]], %[[C100]] : index
// CHECK:         uop.load %{{.*}}[%{{.*}}, %[[J]]] mask %[[IN]] : memref<3x100xf32>
// CHECK:         uop.store %{{.*}}, %{{.*}}[%{{.*}}, %[[J]]] mask %[[IN]] unique : memref<3x100xf32>
// LAUNCH: @tail: grid (4,3,1), block (32,1,1), 384 threads, 12 warps, 78.125 % useful lanes
uop.kernel @tail(%in: memref<3x100xf32>, %out: memref<3x100xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 1:32]>} {
  %i = uop.range loop 3
  %j = uop.range loop 100
  %x = uop.load %in[%i, %j] : memref<3x100xf32>
  uop.store %x, %out[%i, %j] : memref<3x100xf32>
}

// -----

// A mask that is there already stays, and has a further condition.
// CHECK-LABEL: uop.kernel @masked
// CHECK:         %[[IN:.*]] = arith.cmpi slt
// CHECK:         %[[OWN:.*]] = arith.cmpi sge
// CHECK:         %[[BOTH:.*]] = arith.andi %[[OWN]], %[[IN]] : i1
// CHECK:         uop.load %{{.*}} mask %[[BOTH]] else
uop.kernel @masked(%in: memref<7xf32>, %out: memref<7xf32>)
    attributes {schedule = #uop.schedule<[UPCAST 0:2]>} {
  %i = uop.range loop 7
  %c1 = arith.constant 1 : index
  %inside = arith.cmpi sge, %i, %c1 : index
  %j = arith.subi %i, %c1 : index
  %one = arith.constant 1.0 : f32
  %x = uop.load %in[%j] mask %inside else %one : memref<7xf32>
  uop.store %x, %out[%i] : memref<7xf32>
}

// -----

// A padded reduction takes the mask, so that no pad enters it; in the unrolled
// steps as well. The store does not vary with it.
// CHECK-LABEL: uop.kernel @reduce
// CHECK:         uop.range reduce 8
// CHECK:         uop.range unroll 4
// CHECK:         %[[IN:.*]] = arith.cmpi slt
// CHECK:         %[[X:.*]] = uop.load %{{.*}} mask %[[IN]]
// CHECK:         uop.reduce maxsi %[[X]] over(%{{.*}}, %{{.*}}) mask %[[IN]]
// CHECK:         uop.store %{{.*}}, %{{.*}}[] : memref<i32>
uop.kernel @reduce(%in: memref<17xi32>, %out: memref<i32>)
    attributes {schedule = #uop.schedule<[PADTO 0:32, UNROLL 0:4]>} {
  %k = uop.range reduce 17
  %x = uop.load %in[%k] : memref<17xi32>
  %m = uop.reduce maxsi %x over(%k) : i32
  uop.store %m, %out[] : memref<i32>
}

// -----

// Beyond the axis a loaded divisor is zero: there it is 1.
// CHECK-LABEL: uop.kernel @divide
// CHECK:         %[[IN:.*]] = arith.cmpi slt
// CHECK:         %[[X:.*]] = uop.load %{{.*}} mask %[[IN]]
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         %[[D:.*]] = arith.select %[[IN]], %[[X]], %[[ONE]] : i32
// CHECK:         arith.divsi %{{.*}}, %[[D]] : i32
uop.kernel @divide(%in: memref<7xi32>, %out: memref<7xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:4]>} {
  %i = uop.range loop 7
  %c100 = arith.constant 100 : i32
  %x = uop.load %in[%i] : memref<7xi32>
  %q = arith.divsi %c100, %x : i32
  uop.store %q, %out[%i] : memref<7xi32>
}

// -----

// A prime number of elements, and one element only.
// LAUNCH: @prime: grid (3907,1,1), block (256,1,1), 1000192 threads, 31256 warps, 99.9811 % useful lanes
uop.kernel @prime(%out: memref<1000003xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:256]>} {
  %i = uop.range loop 1000003
  %one = arith.constant 1.0 : f32
  uop.store %one, %out[%i] : memref<1000003xf32>
}

// -----

// LAUNCH: @one: grid (1,1,1), block (32,1,1), 32 threads, 1 warp, 3.125 % useful lanes
uop.kernel @one(%out: memref<1xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:32]>} {
  %i = uop.range loop 1
  %one = arith.constant 1.0 : f32
  uop.store %one, %out[%i] : memref<1xf32>
}

// -----

// No elements make no blocks, and need no mask.
// CHECK-LABEL: uop.kernel @none
// CHECK:         uop.range global<x> 0
// CHECK-NOT:     mask
uop.kernel @none(%out: memref<0xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:32, UPCAST 0:3]>} {
  %i = uop.range loop 0
  %one = arith.constant 1.0 : f32
  uop.store %one, %out[%i] : memref<0xf32>
}

// -----

// The number of blocks of a dynamic axis is computed from its extent, and every
// tail is guarded: (n + 255) // 256.
// CHECK-LABEL: uop.kernel @dynamic
// CHECK-SAME:    %[[N:.*]]: index
// CHECK:         %[[M:.*]] = arith.addi %[[N]], %c255
// CHECK:         %[[B:.*]] = uop.floordiv %[[M]], %c256
// CHECK:         uop.range global<x> %[[B]]
// CHECK:         uop.range local<x> 256
// CHECK:         %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : index
// CHECK:         uop.store %{{.*}} mask %[[IN]] unique
uop.kernel @dynamic(%n: index, %out: memref<?xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:256]>} {
  %i = uop.range loop %n
  %one = arith.constant 1.0 : f32
  uop.store %one, %out[%i] : memref<?xf32>
}
