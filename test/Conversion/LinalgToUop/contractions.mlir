// Products of matrices and vectors, by their indexing maps.
// RUN: uop-opt %s --convert-linalg-to-uop --split-input-file | FileCheck %s

// The fill is the identity of the sum: the output is not read.
// CHECK-LABEL: uop.kernel @matmul_matmul_0(
// CHECK-SAME: %[[A:.*]]: memref<64x48xf32>, %[[B:.*]]: memref<48x32xf32>, %[[C:.*]]: memref<64x32xf32>
// CHECK-NEXT: %[[M:.*]] = uop.range loop 64
// CHECK-NEXT: %[[N:.*]] = uop.range loop 32
// CHECK-NEXT: %[[K:.*]] = uop.range reduce 48
// CHECK-NEXT: %[[X:.*]] = uop.load %[[A]][%[[M]], %[[K]]]
// CHECK-NEXT: %[[Y:.*]] = uop.load %[[B]][%[[K]], %[[N]]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK-NEXT: %[[S:.*]] = uop.reduce add %[[P]] over(%[[K]]) : f32
// CHECK-NEXT: uop.store %[[S]], %[[C]][%[[M]], %[[N]]] : memref<64x32xf32>
// CHECK-NEXT: }
// CHECK: func.func @matmul(
// CHECK-NOT: linalg
// CHECK: uop.launch @matmul_matmul_0(%arg0, %arg1, %arg2)
func.func @matmul(%a: memref<64x48xf32>, %b: memref<48x32xf32>, %c: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x32xf32>)
  linalg.matmul ins(%a, %b : memref<64x48xf32>, memref<48x32xf32>) outs(%c : memref<64x32xf32>)
  return
}

// -----

// Without a fill the output is added to, once.
// CHECK-LABEL: uop.kernel @accumulate_matmul_0(
// CHECK: %[[S:.*]] = uop.reduce add %{{.*}} over(%reduce) : f32
// CHECK-NEXT: %[[OLD:.*]] = uop.load %arg2[%loop, %loop_0]
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[OLD]], %[[S]]
// CHECK-NEXT: uop.store %[[NEW]], %arg2[%loop, %loop_0]
func.func @accumulate(%a: memref<4x5xf32>, %b: memref<5x3xf32>, %c: memref<4x3xf32>) {
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x3xf32>) outs(%c : memref<4x3xf32>)
  return
}

// -----

// A fill with another value begins the result; a use in between keeps the fill.
// CHECK-LABEL: uop.kernel @from_one_matmul_0(
// CHECK: %[[S:.*]] = uop.reduce add
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.0
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[S]], %[[ONE]]
// CHECK-NEXT: uop.store %[[NEW]]
// CHECK-LABEL: uop.kernel @kept_fill_0(
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: %[[I:.*]] = uop.range loop 4
// CHECK-NEXT: %[[J:.*]] = uop.range loop 3
// CHECK-NEXT: uop.store %[[ZERO]], %arg0[%[[I]], %[[J]]] : memref<4x3xf32>
// CHECK-LABEL: uop.kernel @kept_matmul_0(
// CHECK: uop.load %arg2
func.func @from_one(%a: memref<4x5xf32>, %b: memref<5x3xf32>, %c: memref<4x3xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%c : memref<4x3xf32>)
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x3xf32>) outs(%c : memref<4x3xf32>)
  return
}
func.func @kept(%a: memref<4x5xf32>, %b: memref<5x3xf32>, %c: memref<4x3xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  linalg.fill ins(%zero : f32) outs(%c : memref<4x3xf32>)
  %x = memref.load %c[%i, %i] : memref<4x3xf32>
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x3xf32>) outs(%c : memref<4x3xf32>)
  return %x : f32
}

// -----

// Transposed operands and mixed types.
// CHECK-LABEL: uop.kernel @transposed_matmul_0(
// CHECK: %[[X:.*]] = uop.load %arg0[%reduce, %loop] : memref<5x4xi8>
// CHECK-NEXT: %[[Y:.*]] = uop.load %arg1[%loop_0, %reduce] : memref<3x5xi8>
// CHECK-NEXT: arith.extsi %[[X]] : i8 to i32
// CHECK-NEXT: arith.extsi %[[Y]] : i8 to i32
// CHECK-NEXT: arith.muli
func.func @transposed(%a: memref<5x4xi8>, %b: memref<3x5xi8>, %c: memref<4x3xi32>) {
  linalg.matmul indexing_maps = [
      affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<5x4xi8>, memref<3x5xi8>) outs(%c : memref<4x3xi32>)
  return
}

// -----

// CHECK-LABEL: uop.kernel @family_batch_matmul_0(
// CHECK: uop.load %arg0[%loop, %loop_0, %reduce]
// CHECK: uop.load %arg1[%loop, %reduce, %loop_1]
// CHECK-LABEL: uop.kernel @family_batch_reduce_matmul_0(
// CHECK: %[[B:.*]] = uop.range reduce 2
// CHECK: %[[K:.*]] = uop.range reduce 5
// CHECK: uop.reduce add %{{.*}} over(%[[B]], %[[K]])
// CHECK-LABEL: uop.kernel @family_matvec_0(
// CHECK: uop.load %arg1[%reduce] : memref<5xf32>
// CHECK-LABEL: uop.kernel @family_vecmat_0(
// CHECK: uop.load %arg1[%reduce, %loop] : memref<5x3xf32>
// CHECK-LABEL: uop.kernel @family_dot_0(
// CHECK: uop.store %{{.*}}, %arg1[] : memref<f32>
// CHECK-LABEL: uop.kernel @family_contract_0(
// CHECK: uop.load %arg0[%loop, %reduce, %loop_0] : memref<4x5x3xf32>
func.func @family(%a: memref<2x4x5xf32>, %b: memref<2x5x3xf32>, %c: memref<2x4x3xf32>, %d: memref<4x3xf32>,
                  %m: memref<4x5xf32>, %v: memref<5xf32>, %w: memref<4xf32>, %n: memref<5x3xf32>,
                  %u: memref<3xf32>, %s: memref<f32>, %t: memref<4x5x3xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<2x4x5xf32>, memref<2x5x3xf32>) outs(%c : memref<2x4x3xf32>)
  linalg.batch_reduce_matmul ins(%a, %b : memref<2x4x5xf32>, memref<2x5x3xf32>) outs(%d : memref<4x3xf32>)
  linalg.matvec ins(%m, %v : memref<4x5xf32>, memref<5xf32>) outs(%w : memref<4xf32>)
  linalg.vecmat ins(%v, %n : memref<5xf32>, memref<5x3xf32>) outs(%u : memref<3xf32>)
  linalg.dot ins(%v, %v : memref<5xf32>, memref<5xf32>) outs(%s : memref<f32>)
  linalg.contract indexing_maps = [
      affine_map<(m, n, k) -> (m, k, n)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%t, %v : memref<4x5x3xf32>, memref<5xf32>) outs(%d : memref<4x3xf32>)
  return
}

// -----

// Dynamic sizes are those of arguments.
// CHECK-LABEL: uop.kernel @dynamic_matmul_0(
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[M:.*]] = memref.dim %arg0, %[[C0]]
// CHECK: uop.range loop %[[M]]
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[N:.*]] = memref.dim %arg1, %[[C1]]
// CHECK: uop.range loop %[[N]]
// A size that one operand knows is static.
// CHECK: uop.range reduce 7
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<7x?xf32, strided<[?, 1], offset: ?>>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<7x?xf32, strided<[?, 1], offset: ?>>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// A loop of extent 1 is no reduction.
// CHECK-LABEL: uop.kernel @unit_matmul_0(
// CHECK: %[[OLD:.*]] = uop.load %arg2[%loop, %loop_0]
// CHECK-NOT: uop.reduce
func.func @unit(%a: memref<4x1xf32>, %b: memref<1x3xf32>, %c: memref<4x3xf32>) {
  linalg.matmul ins(%a, %b : memref<4x1xf32>, memref<1x3xf32>) outs(%c : memref<4x3xf32>)
  return
}
