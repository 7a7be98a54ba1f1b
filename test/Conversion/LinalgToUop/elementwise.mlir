// Ops without reductions: fills, copies, maps, transposes, broadcasts.
// RUN: uop-opt %s --convert-linalg-to-uop=fuse=false --split-input-file | FileCheck %s

// CHECK-LABEL: uop.kernel @all_fill_0(%arg0: f32, %arg1: memref<?x4xf32>)
// CHECK: uop.store %arg0, %arg1[%loop, %loop_0] : memref<?x4xf32>
// CHECK-LABEL: uop.kernel @all_transpose_0(
// CHECK: %[[V:.*]] = uop.load %arg0[%loop_0, %loop] : memref<3x4xf32>
// CHECK: uop.store %[[V]], %arg1[%loop, %loop_0] : memref<4x3xf32>
// CHECK-LABEL: uop.kernel @all_broadcast_0(
// CHECK: %[[V:.*]] = uop.load %arg0[%loop_0] : memref<4xf32>
// CHECK: uop.store %[[V]], %arg1[%loop, %loop_0] : memref<3x4xf32>
// CHECK-LABEL: uop.kernel @all_map_0(
// CHECK: arith.mulf
// CHECK-LABEL: uop.kernel @all_exp_0(
// CHECK: math.exp
// In place: one memref is one argument.
// CHECK-LABEL: uop.kernel @all_elementwise_0(%arg0: memref<3x4xf32>, %arg1: memref<4xf32>)
// CHECK: %[[A:.*]] = uop.load %arg0[%loop, %loop_0]
// CHECK: %[[B:.*]] = uop.load %arg1[%loop_0]
// CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: uop.store %[[S]], %arg0[%loop, %loop_0]
// CHECK-LABEL: uop.kernel @all_select_0(%arg0: memref<4xi1>
// CHECK-LABEL: uop.kernel @all_copy_0(
// A copy between kernels is one.
// CHECK-LABEL: uop.kernel @all_copy_1(
func.func @all(%f: f32, %dynamic: memref<?x4xf32>, %a: memref<3x4xf32>, %b: memref<4x3xf32>, %v: memref<4xf32>,
               %m: memref<4xi1>, %w: memref<4xf32>) {
  linalg.fill ins(%f : f32) outs(%dynamic : memref<?x4xf32>)
  linalg.transpose ins(%a : memref<3x4xf32>) outs(%b : memref<4x3xf32>) permutation = [1, 0]
  linalg.broadcast ins(%v : memref<4xf32>) outs(%a : memref<3x4xf32>) dimensions = [0]
  linalg.map { arith.mulf } ins(%v, %v : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  linalg.exp ins(%v : memref<4xf32>) outs(%w : memref<4xf32>)
  linalg.elementwise kind=#linalg.elementwise_kind<add>
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>]
    ins(%a, %v : memref<3x4xf32>, memref<4xf32>) outs(%a : memref<3x4xf32>)
  linalg.select ins(%m, %v, %w : memref<4xi1>, memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  linalg.copy ins(%v : memref<4xf32>) outs(%w : memref<4xf32>)
  memref.copy %v, %w : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Memory between kernels that a kernel does not take, or that may overlap,
// stays with the host; so does a copy where there is no linalg.
// CHECK-LABEL: func.func @host_copies
// CHECK-COUNT-2: memref.copy
// CHECK-LABEL: func.func @no_linalg
// CHECK: memref.copy
func.func @host_copies(%a: memref<4xindex>, %b: memref<4xindex>, %c: memref<8xf32>, %f: f32) {
  memref.copy %a, %b : memref<4xindex> to memref<4xindex>
  memref.copy %c, %c : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%f : f32) outs(%c : memref<8xf32>)
  return
}
func.func @no_linalg(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Affine maps of inputs, the loops themselves, and several outputs.
// CHECK-LABEL: uop.kernel @generic_generic_0(
// CHECK-SAME: %[[X:arg0]]: memref<20xf32>, %[[Y:arg1]]: memref<4x3xf32>, %[[Z:arg2]]: memref<3x4xi32>
// CHECK: %[[I:.*]] = uop.range loop 4
// CHECK: %[[J:.*]] = uop.range loop 3
// CHECK: %[[D:.*]] = uop.floordiv %[[I]], %{{.*}}
// CHECK: %[[M:.*]] = uop.floormod %[[J]], %{{.*}}
// CHECK: %[[S:.*]] = arith.addi %{{.*}}, %[[M]]
// CHECK: uop.load %[[X]][%[[S]]]
// CHECK: uop.store %{{.*}}, %[[Y]][%[[I]], %[[J]]]
// CHECK: arith.muli %[[I]], %[[J]]
// CHECK: uop.store %{{.*}}, %[[Z]][%[[J]], %[[I]]]
func.func @generic(%x: memref<20xf32>, %y: memref<4x3xf32>, %z: memref<3x4xi32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i floordiv 2 + j mod 2)>, affine_map<(i, j) -> (i, j)>,
                     affine_map<(i, j) -> (j, i)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<20xf32>) outs(%y, %z : memref<4x3xf32>, memref<3x4xi32>) {
  ^bb0(%v: f32, %old: f32, %oldz: i32):
    %r = arith.negf %v : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.muli %i, %j : index
    %p32 = arith.index_cast %p : index to i32
    linalg.yield %r, %p32 : f32, i32
  }
  return
}

// -----

// The output as it was before, and an output map that is injective, but no
// permutation.
// CHECK-LABEL: uop.kernel @previous_generic_0(
// CHECK: %[[I:.*]] = uop.range loop 4
// CHECK: %[[J:.*]] = arith.muli %[[I]], %{{.*}}
// CHECK: uop.load %arg1[%[[J]]]
// CHECK: uop.store %{{.*}}, %arg1[%[[J]]]
func.func @previous(%x: memref<4xf32>, %y: memref<8xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
    ins(%x : memref<4xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%v: f32, %old: f32):
    %r = arith.mulf %v, %old : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Rows of a table, read at indices that were read.
// CHECK-LABEL: uop.kernel @gather_generic_0(
// CHECK-SAME: %[[AT:arg0]]: memref<5xi32>, %[[OUT:arg1]]: memref<5x8xf32>, %[[TABLE:arg2]]: memref<100x8xf32>
// CHECK: %[[ROW:.*]] = uop.load %[[AT]][%[[I:.*]]]
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[ROW]]
// CHECK: uop.load %[[TABLE]][%[[INDEX]], %[[J:.*]]]
func.func @gather(%table: memref<100x8xf32>, %at: memref<5xi32>, %out: memref<5x8xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%at : memref<5xi32>) outs(%out : memref<5x8xf32>) {
  ^bb0(%row: i32, %old: f32):
    %i = arith.index_cast %row : i32 to index
    %j = linalg.index 1 : index
    %v = memref.load %table[%i, %j] : memref<100x8xf32>
    linalg.yield %v : f32
  }
  return
}

// -----

// Two views that are apart; the same view by two names.
// CHECK-LABEL: uop.kernel @views_copy_0(%arg0: memref<4xf32, strided<[1]>>, %arg1: memref<4xf32, strided<[1], offset: 4>>)
// CHECK-LABEL: uop.kernel @views_exp_0(%arg0: memref<4xf32, strided<[1], offset: 4>>) {
func.func @views(%x: memref<8xf32>) {
  %a = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %b = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %c = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.copy ins(%a : memref<4xf32, strided<[1]>>) outs(%b : memref<4xf32, strided<[1], offset: 4>>)
  linalg.exp ins(%b : memref<4xf32, strided<[1], offset: 4>>) outs(%c : memref<4xf32, strided<[1], offset: 4>>)
  return
}

// -----

// Views between each other's elements, and views at places that are not known:
// what is not seen to overlap is the caller's word.
// CHECK-LABEL: uop.kernel @between_copy_0(%arg0: memref<4xf32, strided<[2]>>, %arg1: memref<4xf32, strided<[2], offset: 1>>)
// CHECK-LABEL: uop.kernel @between_copy_1(%arg0: memref<2xf32, strided<[1], offset: ?>>, %arg1: memref<2xf32, strided<[1], offset: ?>>)
// The same place by two names.
// CHECK-LABEL: uop.kernel @between_exp_0(%arg0: memref<2xf32, strided<[1], offset: ?>>) {
func.func @between(%x: memref<8xf32>, %i: index, %j: index) {
  %even = memref.subview %x[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  %odd = memref.subview %x[1] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
  linalg.copy ins(%even : memref<4xf32, strided<[2]>>) outs(%odd : memref<4xf32, strided<[2], offset: 1>>)
  %a = memref.subview %x[%i] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  %b = memref.subview %x[%j] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  linalg.copy ins(%a : memref<2xf32, strided<[1], offset: ?>>) outs(%b : memref<2xf32, strided<[1], offset: ?>>)
  %c = memref.subview %x[%i] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  linalg.exp ins(%a : memref<2xf32, strided<[1], offset: ?>>) outs(%c : memref<2xf32, strided<[1], offset: ?>>)
  return
}

// -----

// Both branches are computed; what only one reads is only read there.
// CHECK-LABEL: uop.kernel @branches_generic_0(
// CHECK: %[[V:.*]] = uop.load %arg0[%[[I:.*]]]
// CHECK: %[[C:.*]] = arith.cmpf olt, %[[V]]
// CHECK: %[[N:.*]] = arith.negf %[[V]]
// CHECK: %[[ELSE:.*]] = arith.xori %[[C]], %{{.*}}
// CHECK: %[[J:.*]] = arith.subi %{{.*}}, %[[I]]
// CHECK: %[[W:.*]] = uop.load %{{.*}}[%[[J]]] mask %[[ELSE]]
// CHECK: arith.select %[[C]], %[[N]], %[[W]]
func.func @branches(%x: memref<4xf32>, %table: memref<3xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%v: f32, %old: f32):
    %i = linalg.index 0 : index
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf olt, %v, %zero : f32
    %r = scf.if %c -> f32 {
      %n = arith.negf %v : f32
      scf.yield %n : f32
    } else {
      %c2 = arith.constant 2 : index
      %j = arith.subi %c2, %i : index
      %w = memref.load %table[%j] : memref<3xf32>
      scf.yield %w : f32
    }
    linalg.yield %r : f32
  }
  return
}
