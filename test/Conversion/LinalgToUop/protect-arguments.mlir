// RUN: uop-opt %s --uop-protect-arguments | FileCheck %s

// Tensors of public functions, unless the function says otherwise.
// CHECK: func.func @public(%arg0: tensor<4xf32> {bufferization.writable = false},
// CHECK-SAME: %arg1: tensor<4xf32> {bufferization.writable = true}, %arg2: memref<4xf32>, %arg3: f32)
func.func @public(%a: tensor<4xf32>, %b: tensor<4xf32> {bufferization.writable = true}, %c: memref<4xf32>, %d: f32) {
  return
}

// CHECK: func.func private @private(%arg0: tensor<4xf32>) {
func.func private @private(%a: tensor<4xf32>) {
  return
}

// CHECK: func.func private @declared(tensor<4xf32>)
func.func private @declared(tensor<4xf32>)
