// Windows are affine sums of an output loop and a window loop, with their
// strides and dilations; pooling windows have a shape but are not read.
// RUN: uop-opt %s --convert-linalg-to-uop --split-input-file | FileCheck %s

// CHECK-LABEL: uop.kernel @conv_conv_1d_0(
// CHECK: %[[X:.*]] = uop.range loop 6
// CHECK: %[[W:.*]] = uop.range reduce 3
// CHECK: %[[I:.*]] = arith.addi %[[X]], %[[W]] : index
// CHECK: uop.load %arg0[%[[I]]] : memref<8xf32>
// CHECK: uop.load %arg1[%[[W]]] : memref<3xf32>
func.func @conv(%x: memref<8xf32>, %w: memref<3xf32>, %y: memref<6xf32>) {
  linalg.conv_1d ins(%x, %w : memref<8xf32>, memref<3xf32>) outs(%y : memref<6xf32>)
  return
}

// -----

// CHECK-LABEL: uop.kernel @nhwc_conv_2d_nhwc_hwcf_0(
// CHECK: %[[N:.*]] = uop.range loop 1
// CHECK: %[[H:.*]] = uop.range loop 4
// CHECK: %[[W:.*]] = uop.range loop 5
// CHECK: %[[F:.*]] = uop.range loop 7
// CHECK: %[[KH:.*]] = uop.range reduce 3
// CHECK: %[[KW:.*]] = uop.range reduce 2
// CHECK: %[[C:.*]] = uop.range reduce 3
// Rows: 2 * h + kh. Columns: w + 3 * kw.
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[H2:.*]] = arith.muli %[[H]], %[[C2]] : index
// CHECK-DAG: %[[ROW:.*]] = arith.addi %[[H2]], %[[KH]] : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[KW3:.*]] = arith.muli %[[KW]], %[[C3]] : index
// CHECK-DAG: %[[COLUMN:.*]] = arith.addi %[[W]], %[[KW3]] : index
// CHECK: uop.load %arg0[%[[N]], %[[ROW]], %[[COLUMN]], %[[C]]]
// CHECK: uop.load %arg1[%[[KH]], %[[KW]], %[[C]], %[[F]]]
// CHECK: uop.reduce add %{{.*}} over(%[[KH]], %[[KW]], %[[C]])
// CHECK: uop.store %{{.*}}, %arg2[%[[N]], %[[H]], %[[W]], %[[F]]]
func.func @nhwc(%x: memref<1x9x8x3xf32>, %w: memref<3x2x3x7xf32>, %y: memref<1x4x5x7xf32>) {
  linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
    ins(%x, %w : memref<1x9x8x3xf32>, memref<3x2x3x7xf32>) outs(%y : memref<1x4x5x7xf32>)
  return
}

// -----

// CHECK-LABEL: uop.kernel @nchw_conv_2d_nchw_fchw_0(
// CHECK: uop.load %arg1[%loop_0, %reduce, %{{.*}}, %{{.*}}] : memref<7x3x3x3xf32>
// CHECK-LABEL: uop.kernel @nchw_depthwise_conv_2d_nhwc_hwc_0(
// CHECK: uop.load %arg1[%reduce, %reduce_{{.*}}, %[[C:loop_[0-9]+]]] : memref<3x3x3xf32>
// CHECK: uop.store %{{.*}}, %arg2[%loop, %{{.*}}, %{{.*}}, %[[C]]] : memref<2x4x4x3xf32>
func.func @nchw(%x: memref<2x3x6x6xf32>, %w: memref<7x3x3x3xf32>, %y: memref<2x7x4x4xf32>,
                %d: memref<2x6x6x3xf32>, %v: memref<3x3x3xf32>, %e: memref<2x4x4x3xf32>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<2x3x6x6xf32>, memref<7x3x3x3xf32>) outs(%y : memref<2x7x4x4xf32>)
  linalg.depthwise_conv_2d_nhwc_hwc ins(%d, %v : memref<2x6x6x3xf32>, memref<3x3x3xf32>) outs(%e : memref<2x4x4x3xf32>)
  return
}

// -----

// Zero points are scalar operands: constants are constants, others arguments.
// CHECK-LABEL: uop.kernel @quantised_conv_2d_nhwc_hwcf_q_0(
// CHECK-SAME: %arg2: i32, %arg3: memref<1x4x4x2xi32>
// CHECK: %[[ZERO:.*]] = arith.constant 5 : i32
// CHECK: arith.subi %{{.*}}, %[[ZERO]] : i32
// CHECK: arith.subi %{{.*}}, %arg2 : i32
func.func @quantised(%x: memref<1x6x6x3xi8>, %w: memref<3x3x3x2xi8>, %z: i32, %y: memref<1x4x4x2xi32>) {
  %five = arith.constant 5 : i32
  linalg.conv_2d_nhwc_hwcf_q ins(%x, %w, %five, %z : memref<1x6x6x3xi8>, memref<3x3x3x2xi8>, i32, i32)
    outs(%y : memref<1x4x4x2xi32>)
  return
}

// -----

// CHECK-LABEL: uop.kernel @pool_pooling_nhwc_max_0(
// CHECK-SAME: %arg0: memref<1x9x9x2xf32>, %arg1: memref<1x4x4x2xf32>) {
// CHECK: uop.reduce maximumf
// CHECK-LABEL: uop.kernel @pool_pooling_nhwc_sum_0(
// CHECK: uop.reduce add
// CHECK-LABEL: uop.kernel @pool_pooling_nhwc_min_0(
// CHECK: uop.reduce minimumf
func.func @pool(%x: memref<1x9x9x2xf32>, %w: memref<3x3xf32>, %y: memref<1x4x4x2xf32>) {
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : memref<1x9x9x2xf32>, memref<3x3xf32>) outs(%y : memref<1x4x4x2xf32>)
  linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : memref<1x9x9x2xf32>, memref<3x3xf32>) outs(%y : memref<1x4x4x2xf32>)
  linalg.pooling_nhwc_min {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : memref<1x9x9x2xf32>, memref<3x3xf32>) outs(%y : memref<1x4x4x2xf32>)
  return
}

// -----

// The size of a window that only the window has is given by the host.
// CHECK-LABEL: uop.kernel @window_pooling_ncw_max_0(
// CHECK-SAME: %arg0: memref<?x?x?xi32>, %arg1: memref<?x?x?xi32>, %arg2: index) {
// CHECK: uop.range reduce %arg2
// CHECK: uop.reduce maxsi
// CHECK: func.func @window
// CHECK: %[[SIZE:.*]] = memref.dim %arg1, %{{.*}} : memref<?xi32>
// CHECK: uop.launch @window_pooling_ncw_max_0(%arg0, %arg2, %[[SIZE]])
func.func @window(%x: memref<?x?x?xi32>, %w: memref<?xi32>, %y: memref<?x?x?xi32>) {
  linalg.pooling_ncw_max ins(%x, %w : memref<?x?x?xi32>, memref<?xi32>) outs(%y : memref<?x?x?xi32>)
  return
}
