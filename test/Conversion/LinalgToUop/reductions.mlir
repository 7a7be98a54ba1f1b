// By what payloads combine the points of a reduction.
// RUN: uop-opt %s --convert-linalg-to-uop --split-input-file | FileCheck %s

// CHECK-LABEL: uop.kernel @reduce_reduce_0(
// CHECK: uop.reduce maxnumf %{{.*}} over(%reduce) : f32
// CHECK: arith.maxnumf
// CHECK-LABEL: uop.kernel @reduce_reduce_1(
// CHECK: uop.reduce or
// CHECK-LABEL: uop.kernel @reduce_reduce_2(
// CHECK: uop.reduce mul %{{.*}} over(%reduce, %reduce_0) : i32
// CHECK: uop.store %{{.*}}, %arg1[] : memref<i32>
func.func @reduce(%x: memref<4x5xf32>, %y: memref<4xf32>, %b: memref<4x5xi32>, %c: memref<5xi32>, %s: memref<i32>) {
  linalg.reduce { arith.maxnumf } ins(%x : memref<4x5xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  linalg.reduce { arith.ori } ins(%b : memref<4x5xi32>) outs(%c : memref<5xi32>) dimensions = [0]
  linalg.reduce { arith.muli } ins(%b : memref<4x5xi32>) outs(%s : memref<i32>) dimensions = [0, 1]
  return
}

// -----

// A difference is a sum of negated values; two sums in a row are one.
// CHECK-LABEL: uop.kernel @sums_generic_0(
// CHECK: %[[V:.*]] = uop.load %arg0[%reduce]
// CHECK: %[[N:.*]] = arith.negf %[[V]]
// CHECK: uop.reduce add %[[N]]
// CHECK-LABEL: uop.kernel @sums_generic_1(
// CHECK: %[[S:.*]] = arith.addi
// CHECK: uop.reduce add %[[S]]
#in = affine_map<(i) -> (i)>
#out = affine_map<(i) -> ()>
func.func @sums(%x: memref<5xf32>, %y: memref<f32>, %a: memref<5xi32>, %b: memref<5xi32>, %c: memref<i32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]}
    ins(%x : memref<5xf32>) outs(%y : memref<f32>) {
  ^bb0(%v: f32, %acc: f32):
    %r = arith.subf %acc, %v : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#in, #in, #out], iterator_types = ["reduction"]}
    ins(%a, %b : memref<5xi32>, memref<5xi32>) outs(%c : memref<i32>) {
  ^bb0(%v: i32, %w: i32, %acc: i32):
    %s = arith.addi %acc, %v : i32
    %r = arith.addi %w, %s : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// Outputs that are reduced over different loops have loops of their own.
// CHECK-LABEL: uop.kernel @several_generic_0(
// CHECK: %[[I:.*]] = uop.range loop 4
// CHECK: %[[J:.*]] = uop.range reduce 5
// CHECK: %[[ROW:.*]] = uop.reduce add %{{.*}} over(%[[J]])
// CHECK: uop.store %{{.*}}, %arg1[%[[I]]]
// CHECK: %[[J2:.*]] = uop.range loop 5
// CHECK: %[[I2:.*]] = uop.range reduce 4
// CHECK: uop.reduce maximumf %{{.*}} over(%[[I2]])
// CHECK: uop.store %{{.*}}, %arg2[%[[J2]]]
// CHECK: uop.store %{{.*}}, %arg3[%[[I]], %[[J2]]]
func.func @several(%x: memref<4x5xf32>, %rows: memref<4xf32>, %columns: memref<5xf32>, %square: memref<4x5xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>,
                     affine_map<(i, j) -> (i, j)>],
    iterator_types = ["reduction", "reduction"]}
    ins(%x : memref<4x5xf32>) outs(%rows, %columns, %square : memref<4xf32>, memref<5xf32>, memref<4x5xf32>) {
  ^bb0(%v: f32, %row: f32, %column: f32, %old: f32):
    %a = arith.addf %row, %v : f32
    %b = arith.maximumf %v, %column : f32
    %c = arith.mulf %v, %v : f32
    linalg.yield %a, %b, %c : f32, f32, f32
  }
  return
}

// -----

// A choice by keys keeps whether there was a point, the key, and the rest; a
// key that is no number takes no part.
// CHECK-LABEL: uop.kernel @argmax_generic_0(
// CHECK: %[[V:.*]] = uop.load %arg0[%loop, %reduce]
// CHECK: %[[J:.*]] = arith.index_cast %reduce
// CHECK: %[[ORD:.*]] = arith.cmpf ord, %[[V]], %[[V]]
// CHECK: %[[R:.*]]:3 = uop.reduce (%[[ORD]], %[[V]], %[[J]]) init({{.*}}) over(%reduce) combine (%[[A:.*]]: i1, %[[AK:.*]]: f32, %[[AV:.*]]: i32, %[[B:.*]]: i1, %[[BK:.*]]: f32, %[[BV:.*]]: i32)
// CHECK: %[[BEFORE:.*]] = arith.cmpf ogt, %[[BK]], %[[AK]]
// CHECK: %[[EMPTY:.*]] = arith.xori %[[A]], %true
// CHECK: %[[OR:.*]] = arith.ori %[[BEFORE]], %[[EMPTY]]
// CHECK: %[[TAKE:.*]] = arith.andi %[[OR]], %[[B]]
// CHECK: %[[ANY:.*]] = arith.ori %[[A]], %[[B]]
// CHECK: %[[K:.*]] = arith.select %[[TAKE]], %[[BK]], %[[AK]]
// CHECK: %[[I:.*]] = arith.select %[[TAKE]], %[[BV]], %[[AV]]
// CHECK: uop.yield %[[ANY]], %[[K]], %[[I]]
// CHECK: %[[OLD:.*]] = uop.load %arg1[%loop]
// CHECK: %[[FIRST:.*]] = arith.cmpf ogt, %[[R]]#1, %[[OLD]]
// CHECK: %[[TAKEN:.*]] = arith.andi %[[R]]#0, %[[FIRST]]
// CHECK: arith.select %[[TAKEN]], %[[R]]#1, %[[OLD]]
// CHECK: arith.select %[[TAKEN]], %[[R]]#2, %{{.*}}
func.func @argmax(%x: memref<4x5xf32>, %best: memref<4xf32>, %at: memref<4xi32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<4x5xf32>) outs(%best, %at : memref<4xf32>, memref<4xi32>) {
  ^bb0(%v: f32, %b: f32, %a: i32):
    %j = linalg.index 1 : index
    %j32 = arith.index_cast %j : index to i32
    %more = arith.cmpf ogt, %v, %b : f32
    %k = arith.select %more, %v, %b : f32
    %i = arith.select %more, %j32, %a : i32
    linalg.yield %k, %i : f32, i32
  }
  return
}

// -----

// The last minimum: the old key on the left, and kept where it is less.
// CHECK-LABEL: uop.kernel @argmin_generic_0(
// CHECK: combine (%[[A:.*]]: i1, %[[AK:.*]]: i32, %[[B:.*]]: i1, %[[BK:.*]]: i32)
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %[[AK]], %[[BK]]
// CHECK: arith.xori %[[LESS]], %true
func.func @argmin(%x: memref<5xi32>, %best: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%x : memref<5xi32>) outs(%best : memref<i32>) {
  ^bb0(%v: i32, %b: i32):
    %less = arith.cmpi slt, %b, %v : i32
    %k = arith.select %less, %b, %v : i32
    linalg.yield %k : i32
  }
  return
}

// -----

// Three kernels, with the maximum and the sum of each row in memory.
// CHECK-LABEL: uop.kernel @softmax_generic_0(
// CHECK: uop.reduce maxnumf
// CHECK-LABEL: uop.kernel @softmax_generic_1(
// CHECK: math.exp
// CHECK: uop.reduce add
// CHECK-LABEL: uop.kernel @softmax_generic_2(
// CHECK: arith.divf
// CHECK: func.func @softmax
// CHECK: %[[ROWS:.*]] = memref.dim %arg0, %{{.*}}
// CHECK: %[[MAX:.*]] = memref.alloc(%[[ROWS]]) : memref<?x3xf32>
// CHECK: uop.launch @softmax_generic_0(%arg0, %[[MAX]])
// CHECK: %[[SUM:.*]] = memref.alloc({{.*}}) : memref<?x3xf32>
// CHECK: uop.launch @softmax_generic_1(%arg0, %[[MAX]], %[[SUM]])
// CHECK: uop.launch @softmax_generic_2(%arg0, %[[MAX]], %[[SUM]], %arg1)
// CHECK: memref.dealloc %[[MAX]]
// CHECK: memref.dealloc %[[SUM]]
func.func @softmax(%x: memref<?x5x3xf32>, %y: memref<?x5x3xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<?x5x3xf32>) outs(%y : memref<?x5x3xf32>)
  return
}
