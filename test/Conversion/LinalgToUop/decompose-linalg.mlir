// RUN: uop-opt %s --uop-decompose-linalg | FileCheck %s

// CHECK-LABEL: func.func @filter
// CHECK-NOT: linalg.winograd
// CHECK: linalg.matmul
func.func @filter(%x: tensor<2x3x3x5xf32>, %y: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  %z = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<2x3x3x5xf32>)
    outs(%y : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %z : tensor<6x6x5x2xf32>
}

// CHECK-LABEL: func.func @pack
// CHECK: tensor.expand_shape
// CHECK: linalg.transpose
func.func @pack(%x: tensor<6x8xf32>, %y: tensor<3x4x2x2xf32>) -> tensor<3x4x2x2xf32> {
  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %y : tensor<6x8xf32> -> tensor<3x4x2x2xf32>
  return %p : tensor<3x4x2x2xf32>
}

// CHECK-LABEL: func.func @unpack
// CHECK: linalg.transpose
// CHECK: tensor.collapse_shape
func.func @unpack(%x: tensor<3x4x2x2xf32>, %y: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %p = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %y : tensor<3x4x2x2xf32> -> tensor<6x8xf32>
  return %p : tensor<6x8xf32>
}

// Bufferised as it is.
// CHECK-LABEL: func.func @softmax
// CHECK: linalg.softmax
func.func @softmax(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
