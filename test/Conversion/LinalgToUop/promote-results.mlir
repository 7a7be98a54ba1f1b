// RUN: uop-opt %s --uop-promote-results | FileCheck %s

// CHECK: func.func @static(%arg0: f32, %arg1: memref<4xf32>) {
// CHECK: linalg.fill {{.*}} outs(%arg1
// CHECK-NOT: memref.copy
func.func @static(%f: f32) -> memref<4xf32> {
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%y : memref<4xf32>)
  return %y : memref<4xf32>
}

// CHECK: func.func @dynamic(%arg0: index, %arg1: f32, %arg2: memref<?xf32>) {
func.func @dynamic(%n: index, %f: f32) -> memref<?xf32> {
  %y = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%y : memref<?xf32>)
  return %y : memref<?xf32>
}

// The caller knows no size.
// CHECK: func.func @called(%arg0: index, %arg1: f32) -> memref<?xf32> {
// CHECK: func.func @caller(%arg0: index, %arg1: f32, %arg2: memref<4xf32>) {
// CHECK: call @called(%arg0, %arg1) : (index, f32) -> memref<?xf32>
// CHECK: call @static(
func.func @called(%n: index, %f: f32) -> memref<?xf32> {
  %y = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%y : memref<?xf32>)
  return %y : memref<?xf32>
}
func.func @caller(%n: index, %f: f32) -> memref<4xf32> {
  %x = call @called(%n, %f) : (index, f32) -> memref<?xf32>
  %y = call @static(%f) : (f32) -> memref<4xf32>
  memref.dealloc %x : memref<?xf32>
  return %y : memref<4xf32>
}

// The memory of a caller may have another size: that is found out first.
// CHECK: func.func @checked(%arg0: index, %arg1: f32, %arg2: memref<?x3xf32>) {
// CHECK:   %[[SIZE:.*]] = memref.dim %arg2, %{{.*}} : memref<?x3xf32>
// CHECK:   %[[EQUAL:.*]] = arith.cmpi eq, %[[SIZE]], %arg0
// CHECK:   cf.assert %[[EQUAL]], "expected the memory for a result to have the result's size in dimension #0"
// CHECK:   linalg.fill {{.*}} outs(%arg2
func.func @checked(%n: index, %f: f32) -> memref<?x3xf32> {
  %y = memref.alloc(%n) : memref<?x3xf32>
  linalg.fill ins(%f : f32) outs(%y : memref<?x3xf32>)
  return %y : memref<?x3xf32>
}

// Also where the result is copied.
// CHECK: func.func @passed(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
// CHECK:   cf.assert
// CHECK:   memref.copy %arg0, %arg1
func.func @passed(%x: memref<?xf32>) -> memref<?xf32> {
  return %x : memref<?xf32>
}

// What is returned twice is memory of the caller's twice.
// CHECK: func.func @twice(%arg0: f32, %arg1: memref<4xf32>, %arg2: memref<4xf32>) {
// CHECK:   linalg.fill {{.*}} outs(%arg1
// CHECK:   memref.copy %arg1, %arg2
func.func @twice(%f: f32) -> (memref<4xf32>, memref<4xf32>) {
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%y : memref<4xf32>)
  return %y, %y : memref<4xf32>, memref<4xf32>
}
