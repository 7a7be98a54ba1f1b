// Integer ranges of uop's indices, seen through upstream's optimisation: a
// comparison that they decide becomes a constant.
// RUN: uop-opt %s --int-range-optimizations | FileCheck %s

// 0 <= i < 8 holds, i < 7 is open.
// CHECK-LABEL: uop.kernel @range
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK:         %[[OPEN:.*]] = arith.cmpi slt
// CHECK:         uop.store %[[TRUE]], %{{.*}} : memref<8xi1>
// CHECK-NEXT:    uop.store %[[TRUE]], %{{.*}} : memref<8xi1>
// CHECK-NEXT:    uop.store %[[OPEN]], %{{.*}} : memref<8xi1>
uop.kernel @range(%a: memref<8xi1>, %b: memref<8xi1>, %c: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %i = uop.range loop 8
  %0 = arith.cmpi sge, %i, %c0 : index
  %1 = arith.cmpi slt, %i, %c8 : index
  %2 = arith.cmpi slt, %i, %c7 : index
  uop.store %0, %a[%i] : memref<8xi1>
  uop.store %1, %b[%i] : memref<8xi1>
  uop.store %2, %c[%i] : memref<8xi1>
}

// The extent is between 1 and 4.
// CHECK-LABEL: uop.kernel @dynamic
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK:         uop.store %[[TRUE]], %{{.*}} : memref<8xi1>
uop.kernel @dynamic(%n: index, %a: memref<8xi1>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %low = arith.maxsi %n, %c1 : index
  %extent = arith.minsi %low, %c4 : index
  %i = uop.range loop %extent
  %0 = arith.cmpi slt, %i, %c4 : index
  uop.store %0, %a[%i] : memref<8xi1>
}

// A range that has no points, or may have none, is not the constant 0: the
// store would have one.
// CHECK-LABEL: uop.kernel @no_points
// CHECK:         %[[I:.*]] = uop.range loop 0
// CHECK:         %[[J:.*]] = uop.range loop %{{.*}}
// CHECK:         uop.store %{{.*}}, %{{.*}}[%[[I]]] : memref<8xf32>
// CHECK-NEXT:    uop.store %{{.*}}, %{{.*}}[%[[J]]] : memref<8xf32>
uop.kernel @no_points(%n: index, %x: f32, %a: memref<8xf32>,
                      %b: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %extent = arith.minsi %n, %c1 : index
  %i = uop.range loop 0
  %j = uop.range loop %extent
  uop.store %x, %a[%i] : memref<8xf32>
  uop.store %x, %b[%j] : memref<8xf32>
}

// One of extent 1 is, in its domain, too.
// CHECK-LABEL: uop.kernel @one_point
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         uop.store %{{.*}}, %{{.*}}[%[[ZERO]]] over(%[[ZERO]]) : memref<8xf32>
uop.kernel @one_point(%x: f32, %a: memref<8xf32>) {
  %i = uop.range loop 1
  uop.store %x, %a[%i] : memref<8xf32>
}

// (i - 8) floordiv 4 is -2 or -1, (i - 8) floormod 4 is 0 to 3; and for i + 8,
// with i below 4, the remainder by 16 is 8 to 11.
// CHECK-LABEL: uop.kernel @floor
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-COUNT-5: uop.store %[[TRUE]]
uop.kernel @floor(%a: memref<8xi1>, %b: memref<8xi1>, %c: memref<8xi1>,
                  %d: memref<8xi1>, %e: memref<4xi1>) {
  %m2 = arith.constant -2 : index
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %i = uop.range loop 8
  %j = arith.subi %i, %c8 : index
  %q = uop.floordiv %j, %c4
  %r = uop.floormod %j, %c4
  %0 = arith.cmpi sge, %q, %m2 : index
  %1 = arith.cmpi slt, %q, %c0 : index
  %2 = arith.cmpi sge, %r, %c0 : index
  %3 = arith.cmpi slt, %r, %c4 : index
  %k = uop.range loop 4
  %l = arith.addi %k, %c8 : index
  %s = uop.floormod %l, %c16
  %4 = arith.cmpi sge, %s, %c8 : index
  uop.store %0, %a[%i] : memref<8xi1>
  uop.store %1, %b[%i] : memref<8xi1>
  uop.store %2, %c[%i] : memref<8xi1>
  uop.store %3, %d[%i] : memref<8xi1>
  uop.store %4, %e[%k] : memref<4xi1>
}
