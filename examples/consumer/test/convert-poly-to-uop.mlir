// RUN: consumer-opt --convert-poly-to-uop --split-input-file %s | FileCheck %s

// Horner's rule over the elements of an array of any size.

// CHECK-LABEL: func.func @cubic(
// CHECK:         uop.launch @poly(%{{.*}}, %{{.*}})
// CHECK:       uop.kernel @poly(%[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>) {
// CHECK:         %[[SIZE:.*]] = memref.dim %[[X]]
// CHECK:         %[[I:.*]] = uop.range loop %[[SIZE]]
// CHECK:         %[[V:.*]] = uop.load %[[X]][%[[I]]]
// CHECK:         %[[A:.*]] = arith.mulf %{{.*}}, %[[V]]
// CHECK:         %[[B:.*]] = arith.addf %[[A]], %{{.*}}
// CHECK:         %[[C:.*]] = arith.mulf %[[B]], %[[V]]
// CHECK:         %[[D:.*]] = arith.addf %[[C]], %{{.*}}
// CHECK:         uop.store %[[D]], %[[Y]][%[[I]]]
func.func @cubic(%x: memref<?xf32>, %y: memref<?xf32>) {
  poly.eval [1.0, 2.0, 3.0] of %x into %y : memref<?xf32>
  return
}

// -----

// Two ops, two kernels.

// CHECK-LABEL: func.func @two(
// CHECK:         uop.launch @poly(
// CHECK:         uop.launch @poly_0(
func.func @two(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %z: memref<4x8xf32>) {
  poly.eval [1.0, 2.0] of %x into %y : memref<4x8xf32>
  poly.eval [5.0] of %y into %z : memref<4x8xf32>
  return
}
