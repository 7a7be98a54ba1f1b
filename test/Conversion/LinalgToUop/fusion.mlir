// Which linalg ops become a part of another op's kernel.
// RUN: uop-opt %s --convert-linalg-to-uop --split-input-file | FileCheck %s
// RUN: uop-opt %s --convert-linalg-to-uop=fuse=false --split-input-file | FileCheck %s --check-prefix=APART

#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>

// A product with its bias and activation; the buffer in between goes.
// CHECK-LABEL: uop.kernel @epilogue_generic_0(
// CHECK-SAME: %[[BIAS:arg0]]: memref<3xf32>, %[[OUT:arg1]]: memref<4x3xf32>, %[[A:arg2]]: memref<4x5xf32>, %[[B:arg3]]: memref<5x3xf32>
// CHECK: %[[I:.*]] = uop.range loop 4
// CHECK: %[[J:.*]] = uop.range loop 3
// CHECK: %[[K:.*]] = uop.range reduce 5
// CHECK: uop.load %[[A]][%[[I]], %[[K]]]
// CHECK: uop.load %[[B]][%[[K]], %[[J]]]
// CHECK: %[[S:.*]] = uop.reduce add %{{.*}} over(%[[K]])
// CHECK: %[[V:.*]] = uop.load %[[BIAS]][%[[J]]]
// CHECK: %[[T:.*]] = arith.addf %[[S]], %[[V]]
// CHECK: %[[R:.*]] = arith.maximumf %[[T]]
// CHECK: uop.store %[[R]], %[[OUT]][%[[I]], %[[J]]]
// CHECK: func.func @epilogue
// CHECK-NOT: memref.
// CHECK: uop.launch @epilogue_generic_0(%arg2, %arg3, %arg0, %arg1)
// CHECK-NEXT: return
// APART-LABEL: func.func @epilogue
// APART: memref.alloc
// APART: uop.launch @epilogue_matmul_0
// APART: uop.launch @epilogue_generic_0
// APART: memref.dealloc
func.func @epilogue(%a: memref<4x5xf32>, %b: memref<5x3xf32>, %bias: memref<3xf32>, %out: memref<4x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4x3xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<4x3xf32>)
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x3xf32>) outs(%t : memref<4x3xf32>)
  linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
    ins(%t, %bias : memref<4x3xf32>, memref<3xf32>) outs(%out : memref<4x3xf32>) {
  ^bb0(%v: f32, %w: f32, %old: f32):
    %s = arith.addf %v, %w : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  }
  memref.dealloc %t : memref<4x3xf32>
  return
}

// -----

// The same in place: what the product has written is read once, and then
// overwritten.
// CHECK-LABEL: uop.kernel @in_place_exp_0(
// CHECK: uop.reduce add
// CHECK: math.exp
// CHECK-NOT: uop.kernel
// CHECK-LABEL: func.func @in_place
func.func @in_place(%a: memref<4x5xf32>, %b: memref<5x3xf32>, %out: memref<4x3xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<4x3xf32>)
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x3xf32>) outs(%out : memref<4x3xf32>)
  linalg.exp ins(%out : memref<4x3xf32>) outs(%out : memref<4x3xf32>)
  return
}

// -----

// A bias that the product is added to; the sizes are those of what is left.
// CHECK-LABEL: uop.kernel @beginning_matmul_0(
// CHECK: %[[S:.*]] = uop.reduce add
// CHECK: %[[V:.*]] = uop.load %{{.*}}[%{{.*}}] : memref<?xf32>
// CHECK: arith.addf %[[V]], %[[S]]
// CHECK-NOT: uop.kernel
// CHECK-LABEL: func.func @beginning
func.func @beginning(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %bias: memref<?xf32>, %out: memref<?x?xf32>) {
  linalg.broadcast ins(%bias : memref<?xf32>) outs(%out : memref<?x?xf32>) dimensions = [0]
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%out : memref<?x?xf32>)
  return
}

// -----

// What is cheap goes into anything, even where elements are read again.
// CHECK-LABEL: uop.kernel @cheap_matmul_0(
// CHECK: %[[X:.*]] = uop.load %{{.*}}[%reduce, %loop] : memref<5x4xf16>
// CHECK: arith.extf %[[X]] : f16 to f32
// CHECK-NOT: uop.kernel
// CHECK-LABEL: func.func @cheap
// CHECK-NOT: alloc
func.func @cheap(%a: memref<5x4xf16>, %b: memref<5x3xf32>, %out: memref<4x3xf32>) {
  %t = memref.alloc() : memref<4x5xf16>
  %u = memref.alloc() : memref<4x5xf32>
  linalg.transpose ins(%a : memref<5x4xf16>) outs(%t : memref<4x5xf16>) permutation = [1, 0]
  linalg.copy ins(%t : memref<4x5xf16>) outs(%u : memref<4x5xf32>)
  linalg.matmul ins(%u, %b : memref<4x5xf32>, memref<5x3xf32>) outs(%out : memref<4x3xf32>)
  memref.dealloc %t : memref<4x5xf16>
  memref.dealloc %u : memref<4x5xf32>
  return
}

// -----

// A function goes where each element is read once, twice at most.
// CHECK-LABEL: uop.kernel @costly_reduce_0(
// CHECK: math.exp
// CHECK-LABEL: uop.kernel @costly_reduce_1(
// CHECK: math.exp
// CHECK-LABEL: uop.kernel @costly_exp_0(
// CHECK: math.exp
// CHECK-LABEL: uop.kernel @costly_matmul_0(
// CHECK-NOT: math.exp
// CHECK-LABEL: func.func @costly
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
func.func @costly(%a: memref<4x5xf32>, %b: memref<5x3xf32>, %s: memref<4xf32>, %c: memref<5xf32>,
                  %out: memref<4x3xf32>) {
  %t = memref.alloc() : memref<4x5xf32>
  linalg.exp ins(%a : memref<4x5xf32>) outs(%t : memref<4x5xf32>)
  linalg.reduce { arith.addf } ins(%t : memref<4x5xf32>) outs(%s : memref<4xf32>) dimensions = [1]
  linalg.reduce { arith.addf } ins(%t : memref<4x5xf32>) outs(%c : memref<5xf32>) dimensions = [0]
  %u = memref.alloc() : memref<4x5xf32>
  linalg.exp ins(%a : memref<4x5xf32>) outs(%u : memref<4x5xf32>)
  linalg.matmul ins(%u, %b : memref<4x5xf32>, memref<5x3xf32>) outs(%out : memref<4x3xf32>)
  memref.dealloc %t : memref<4x5xf32>
  memref.dealloc %u : memref<4x5xf32>
  return
}

// -----

// A reduction is not repeated, and not done inside of another.
// CHECK-LABEL: func.func @repeated
// CHECK: uop.launch @repeated_reduce_0
// CHECK: uop.launch @repeated_sub_0
// CHECK: uop.launch @repeated_reduce_1
// CHECK: uop.launch @repeated_reduce_2
func.func @repeated(%a: memref<4x5xf32>, %x: memref<4xf32>, %y: memref<4xf32>, %s: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<4xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<4x5xf32>) outs(%t : memref<4xf32>) dimensions = [1]
  linalg.sub ins(%t, %t : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  %u = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%u : memref<4xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<4x5xf32>) outs(%u : memref<4xf32>) dimensions = [1]
  linalg.reduce { arith.maximumf } ins(%u : memref<4xf32>) outs(%s : memref<f32>) dimensions = [0]
  memref.dealloc %t : memref<4xf32>
  memref.dealloc %u : memref<4xf32>
  return
}

// -----

// What is read is written in between; or the reader itself writes it.
// CHECK-LABEL: func.func @written
// CHECK: uop.launch @written_copy_0
// CHECK: memref.store
// CHECK: uop.launch @written_copy_1
// CHECK: uop.launch @written_transpose_0
// CHECK: uop.launch @written_copy_2
func.func @written(%a: memref<4x4xf32>, %out: memref<4x4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<4x4xf32>
  linalg.copy ins(%a : memref<4x4xf32>) outs(%t : memref<4x4xf32>)
  memref.store %f, %a[%c0, %c0] : memref<4x4xf32>
  linalg.copy ins(%t : memref<4x4xf32>) outs(%out : memref<4x4xf32>)
  %u = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%u : memref<4x4xf32>) permutation = [1, 0]
  linalg.copy ins(%u : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  memref.dealloc %t : memref<4x4xf32>
  memref.dealloc %u : memref<4x4xf32>
  return
}

// -----

// Buffers that something else sees: a result, an argument, host code, a view,
// another block, another iteration.
func.func private @see(memref<4xf32>)
// CHECK-LABEL: func.func @seen
// CHECK-COUNT-6: uop.launch @seen_copy_{{[0-9]+}}
// CHECK: scf.for
// CHECK-COUNT-2: uop.launch @seen_copy_{{[0-9]+}}
func.func @seen(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %n: index) -> (memref<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = memref.alloc() : memref<4xf32>
  %called = memref.alloc() : memref<4xf32>
  %loaded = memref.alloc() : memref<4xf32>
  %carried = memref.alloc() : memref<4xf32>
  linalg.copy ins(%a : memref<4xf32>) outs(%result : memref<4xf32>)
  linalg.copy ins(%result : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.copy ins(%a : memref<4xf32>) outs(%called : memref<4xf32>)
  call @see(%called) : (memref<4xf32>) -> ()
  linalg.copy ins(%a : memref<4xf32>) outs(%loaded : memref<4xf32>)
  %x = memref.load %loaded[%c0] : memref<4xf32>
  linalg.copy ins(%a : memref<4xf32>) outs(%carried : memref<4xf32>)
  linalg.copy ins(%b : memref<4xf32>) outs(%c : memref<4xf32>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.copy ins(%carried : memref<4xf32>) outs(%b : memref<4xf32>)
    linalg.copy ins(%c : memref<4xf32>) outs(%carried : memref<4xf32>)
  }
  memref.dealloc %called : memref<4xf32>
  memref.dealloc %loaded : memref<4xf32>
  memref.dealloc %carried : memref<4xf32>
  return %result, %x : memref<4xf32>, f32
}

// -----

// What nobody reads is not computed.
// CHECK-LABEL: func.func @dead
// CHECK-NOT: @dead_exp
// CHECK: uop.launch @dead_copy_0
// CHECK-NEXT: return
func.func @dead(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}

// -----

// A window reads elements again; the padded image goes into it all the same,
// and the size that only the allocation knew comes from there.
// CHECK-LABEL: uop.kernel @window_conv_1d_0(
// CHECK: %[[N:.*]] = uop.range loop
// CHECK: %[[K:.*]] = uop.range reduce
// CHECK: %[[I:.*]] = arith.addi %[[N]], %[[K]]
// CHECK: %[[X:.*]] = uop.load %{{.*}}[%[[I]]] : memref<?xf32>
// CHECK: arith.negf %[[X]]
// CHECK-LABEL: func.func @window
// CHECK-NOT: memref.alloc
func.func @window(%a: memref<?xf32>, %w: memref<3xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  linalg.negf ins(%a : memref<?xf32>) outs(%t : memref<?xf32>)
  linalg.conv_1d ins(%t, %w : memref<?xf32>, memref<3xf32>) outs(%out : memref<?xf32>)
  memref.dealloc %t : memref<?xf32>
  return
}

// -----

// A call knows nothing of a buffer that is passed to nobody, and changes no
// constant.
memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func private @log(memref<4xf32>)
// CHECK-LABEL: func.func @calls
// CHECK-NOT: memref.alloc
// CHECK: call @log
// CHECK: uop.launch @calls_exp_0
// CHECK: call @log
func.func @calls(%a: memref<4xf32>, %out: memref<4xf32>) {
  %w = memref.get_global @weights : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  linalg.negf ins(%w : memref<4xf32>) outs(%t : memref<4xf32>)
  call @log(%a) : (memref<4xf32>) -> ()
  linalg.exp ins(%t : memref<4xf32>) outs(%out : memref<4xf32>)
  call @log(%a) : (memref<4xf32>) -> ()
  return
}
