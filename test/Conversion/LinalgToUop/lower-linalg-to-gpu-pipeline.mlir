// From tensors, and from memrefs, to the gpu dialect.
// RUN: uop-opt %s --uop-lower-linalg-to-gpu-pipeline | FileCheck %s
// RUN: uop-opt %s --uop-lower-linalg-to-gpu-pipeline="chip=sm_90 place-shared=false fuse=false fp-contract=off split-reductions=false" \
// RUN:   | FileCheck %s

// A result is an argument; an argument is only read.
// CHECK: gpu.func @f_{{[a-z]*}}_0(
// CHECK-SAME: %{{[a-z0-9]*}}: memref<8xf32> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}
// CHECK: func.func @f(%arg0: memref<8xf32>{{.*}}, %arg1: memref<8xf32>) {
// CHECK: call @f_{{[a-z]*}}_0(%arg0, %arg1)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.negf %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// What is allocated is freed.
// CHECK: func.func @g(%arg0: memref<?x4xf32>
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: memref.dealloc %[[T]]
func.func @g(%x: tensor<?x4xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %rows = linalg.reduce { arith.addf } ins(%x : tensor<?x4xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  %e1 = tensor.empty() : tensor<f32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<f32>) -> tensor<f32>
  %y = linalg.reduce { arith.maximumf } ins(%rows : tensor<?xf32>) outs(%f1 : tensor<f32>) dimensions = [0]
  return %y : tensor<f32>
}

// CHECK: func.func @h(%arg0: memref<4xf32>, %arg1: memref<4xf32>)
// CHECK: call @h_exp_0
func.func @h(%x: memref<4xf32>, %y: memref<4xf32>) {
  linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
