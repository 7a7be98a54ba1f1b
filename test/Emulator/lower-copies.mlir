// A copy between layouts is a loop nest; one of contiguous memory stays.
// RUN: uop-opt %s --uop-lower-copies | FileCheck %s

// CHECK-LABEL: func.func @strided
// CHECK-NOT: memref.copy
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK: memref.store %[[X]], %{{.*}}[%[[I]], %[[J]]]
func.func @strided(%a: memref<2x3xf32, strided<[1, 2]>>, %b: memref<2x3xf32>) {
  memref.copy %a, %b : memref<2x3xf32, strided<[1, 2]>> to memref<2x3xf32>
  return
}

// CHECK-LABEL: func.func @contiguous
// CHECK: memref.copy
func.func @contiguous(%a: memref<2x3xf32>, %b: memref<2x3xf32>) {
  memref.copy %a, %b : memref<2x3xf32> to memref<2x3xf32>
  return
}
