// Results of functions, which are their last arguments: one that is returned
// twice, one that a loop carries, and one whose size the caller has wrong.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: uop-opt %s --uop-lower-linalg-to-gpu-pipeline -o %t/gpu.mlir
// RUN: %python -c "import numpy as np; x = np.arange(12, dtype=np.int32).reshape(3, 4); \
// RUN:   np.save('%t/x.npy', x); np.save('%t/double.npy', 2 * x); \
// RUN:   a = np.array([[1, 1], [0, 1]], np.int32); np.save('%t/a.npy', a); \
// RUN:   np.save('%t/power.npy', np.linalg.matrix_power(a, 6))"
// RUN: uop-run %t/gpu.mlir -e twice %t/x.npy nan nan \
// RUN:   --compare 1=%t/double.npy --compare 2=%t/double.npy
// RUN: uop-run %t/gpu.mlir -e power %t/a.npy nan --compare 1=%t/power.npy
// RUN: uop-run %t/gpu.mlir -e dynamic %t/x.npy nan:3x4 --compare 1=%t/double.npy
// RUN: not uop-run %t/gpu.mlir -e dynamic %t/x.npy nan:2x4 2>&1 | FileCheck %s
// CHECK: expected the memory for a result to have the result's size in dimension #0

func.func @twice(%x: tensor<3x4xi32>) -> (tensor<3x4xi32>, tensor<3x4xi32>) {
  %e = tensor.empty() : tensor<3x4xi32>
  %y = linalg.add ins(%x, %x : tensor<3x4xi32>, tensor<3x4xi32>) outs(%e : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %y, %y : tensor<3x4xi32>, tensor<3x4xi32>
}

// x to the sixth power; each step makes a new tensor.
func.func @power(%x: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x) -> tensor<2x2xi32> {
    %e = tensor.empty() : tensor<2x2xi32>
    %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x2xi32>) -> tensor<2x2xi32>
    %m = linalg.matmul ins(%a, %x : tensor<2x2xi32>, tensor<2x2xi32>) outs(%f : tensor<2x2xi32>) -> tensor<2x2xi32>
    scf.yield %m : tensor<2x2xi32>
  }
  return %r : tensor<2x2xi32>
}

func.func @dynamic(%x: tensor<?x4xi32>) -> tensor<?x4xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xi32>
  %e = tensor.empty(%n) : tensor<?x4xi32>
  %y = linalg.add ins(%x, %x : tensor<?x4xi32>, tensor<?x4xi32>) outs(%e : tensor<?x4xi32>) -> tensor<?x4xi32>
  return %y : tensor<?x4xi32>
}
