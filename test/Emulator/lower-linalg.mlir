// Linalg on buffers becomes loops; nothing else is touched, not even what is
// dead: a shuffle that nobody reads is a place where threads wait.
// RUN: uop-opt %s --uop-lower-linalg | FileCheck %s

// CHECK-LABEL: func.func @fill(
// CHECK-SAME: %[[X:.*]]: memref<2x3xf32>)
// CHECK: %[[V:.*]] = arith.constant 1.0
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store %[[V]], %[[X]]
// CHECK-NOT: linalg
func.func @fill(%x: memref<2x3xf32>) {
  %v = arith.constant 1.0 : f32
  linalg.fill ins(%v : f32) outs(%x : memref<2x3xf32>)
  return
}

// CHECK-LABEL: gpu.module @k
gpu.module @k {
  gpu.func @f(%v: i32) kernel {
    // CHECK: gpu.shuffle
    %a, %b = gpu.shuffle xor %v, %v, %v : i32
    gpu.return
  }
}
