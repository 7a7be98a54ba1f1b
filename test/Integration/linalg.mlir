// Linalg programs on memrefs, by upstream's loops and by kernels on the
// emulator: the same numbers. All values are small integers, so sums of floats
// are exact in any order. Sizes are 1, primes, 0 and dynamic; outputs begin as
// a sentinel, which reductions without a fill add to.
// RUN: mlir-opt %s -convert-linalg-to-loops -lower-affine -expand-strided-metadata -lower-affine \
// RUN:   -convert-scf-to-cf -convert-to-llvm -reconcile-unrealized-casts | %run-main | sed "s/base@ = [0-9a-fx]*//" > %t.loops
// RUN: uop-opt %s --convert-linalg-to-uop > %t.mlir
// RUN: uop-run --place-shared=false %t.mlir -e main | sed "s/base@ = [0-9a-fx]*//" > %t.kernels
// RUN: diff %t.loops %t.kernels
// RUN: FileCheck %s < %t.kernels

func.func private @printMemrefF32(memref<*xf32>)
func.func private @printMemrefI32(memref<*xi32>)

#id1 = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
#id3 = affine_map<(i, j, k) -> (i, j, k)>
#id4 = affine_map<(i, j, k, l) -> (i, j, k, l)>

// Numbers of -5 to 5 by the indices.
func.func @ramp1(%x: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%x : memref<?xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c3 : index
    %m = arith.remsi %a, %c11 : index
    %s = arith.subi %m, %c5 : index
    %n = arith.index_cast %s : index to i32
    %v = arith.sitofp %n : i32 to f32
    linalg.yield %v : f32
  }
  return
}
func.func @ramp2(%x: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%x : memref<?x?xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c3 : index
    %b = arith.muli %j, %c7 : index
    %c = arith.addi %a, %b : index
    %m = arith.remsi %c, %c11 : index
    %s = arith.subi %m, %c5 : index
    %n = arith.index_cast %s : index to i32
    %v = arith.sitofp %n : i32 to f32
    linalg.yield %v : f32
  }
  return
}
func.func @ramp4(%x: memref<?x?x?x?xf32>) {
  linalg.generic {indexing_maps = [#id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    outs(%x : memref<?x?x?x?xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c3 : index
    %b = arith.muli %j, %c7 : index
    %c = arith.addi %a, %b : index
    %d = arith.muli %k, %c5 : index
    %e = arith.addi %c, %d : index
    %f = arith.addi %e, %l : index
    %m = arith.remsi %f, %c11 : index
    %s = arith.subi %m, %c5 : index
    %n = arith.index_cast %s : index to i32
    %v = arith.sitofp %n : i32 to f32
    linalg.yield %v : f32
  }
  return
}
func.func @sentinel(%x: memref<?x?xf32>) {
  %v = arith.constant -1000.0 : f32
  linalg.fill ins(%v : f32) outs(%x : memref<?x?xf32>)
  return
}
func.func @sentinel4(%x: memref<?x?x?x?xf32>) {
  %v = arith.constant -1000.0 : f32
  linalg.fill ins(%v : f32) outs(%x : memref<?x?x?x?xf32>)
  return
}
// Of memory without elements the runner's library would print some.
func.func @print2(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %size = arith.muli %m, %n : index
  %any = arith.cmpi ne, %size, %c0 : index
  scf.if %any {
    %u = memref.cast %x : memref<?x?xf32> to memref<*xf32>
    func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  }
  return
}
func.func @print4(%x: memref<?x?x?x?xf32>) {
  %u = memref.cast %x : memref<?x?x?x?xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}

// A product of M x K and K x N, onto what is there, then from zero.
func.func @product(%m: index, %k: index, %n: index) {
  %a = memref.alloc(%m, %k) : memref<?x?xf32>
  %b = memref.alloc(%k, %n) : memref<?x?xf32>
  %c = memref.alloc(%m, %n) : memref<?x?xf32>
  %d = memref.alloc(%n, %m) : memref<?x?xf32>
  call @ramp2(%a) : (memref<?x?xf32>) -> ()
  call @ramp2(%b) : (memref<?x?xf32>) -> ()
  call @sentinel(%c) : (memref<?x?xf32>) -> ()
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  call @print2(%c) : (memref<?x?xf32>) -> ()
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  call @print2(%c) : (memref<?x?xf32>) -> ()
  call @sentinel(%d) : (memref<?x?xf32>) -> ()
  linalg.transpose ins(%c : memref<?x?xf32>) outs(%d : memref<?x?xf32>) permutation = [1, 0]
  call @print2(%d) : (memref<?x?xf32>) -> ()
  memref.dealloc %a : memref<?x?xf32>
  memref.dealloc %b : memref<?x?xf32>
  memref.dealloc %c : memref<?x?xf32>
  memref.dealloc %d : memref<?x?xf32>
  return
}

// Two images of 9 x 8 with 3 channels.
func.func @images() {
  %x = memref.alloc() : memref<2x9x8x3xf32>
  %w = memref.alloc() : memref<3x2x3x5xf32>
  %y = memref.alloc() : memref<2x4x5x5xf32>
  %p = memref.alloc() : memref<2x4x4x3xf32>
  %window = memref.alloc() : memref<2x2xf32>
  %xd = memref.cast %x : memref<2x9x8x3xf32> to memref<?x?x?x?xf32>
  %wd = memref.cast %w : memref<3x2x3x5xf32> to memref<?x?x?x?xf32>
  %yd = memref.cast %y : memref<2x4x5x5xf32> to memref<?x?x?x?xf32>
  %pd = memref.cast %p : memref<2x4x4x3xf32> to memref<?x?x?x?xf32>
  %windowd = memref.cast %window : memref<2x2xf32> to memref<?x?xf32>
  call @ramp4(%xd) : (memref<?x?x?x?xf32>) -> ()
  call @ramp4(%wd) : (memref<?x?x?x?xf32>) -> ()
  call @sentinel4(%yd) : (memref<?x?x?x?xf32>) -> ()
  linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
    ins(%x, %w : memref<2x9x8x3xf32>, memref<3x2x3x5xf32>) outs(%y : memref<2x4x5x5xf32>)
  call @print4(%yd) : (memref<?x?x?x?xf32>) -> ()
  // The same with sizes that are not known.
  call @sentinel4(%yd) : (memref<?x?x?x?xf32>) -> ()
  linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
    ins(%xd, %wd : memref<?x?x?x?xf32>, memref<?x?x?x?xf32>) outs(%yd : memref<?x?x?x?xf32>)
  call @print4(%yd) : (memref<?x?x?x?xf32>) -> ()
  call @sentinel4(%pd) : (memref<?x?x?x?xf32>) -> ()
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
    ins(%x, %window : memref<2x9x8x3xf32>, memref<2x2xf32>) outs(%p : memref<2x4x4x3xf32>)
  call @print4(%pd) : (memref<?x?x?x?xf32>) -> ()
  linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>}
    ins(%xd, %windowd : memref<?x?x?x?xf32>, memref<?x?xf32>) outs(%pd : memref<?x?x?x?xf32>)
  call @print4(%pd) : (memref<?x?x?x?xf32>) -> ()
  memref.dealloc %x : memref<2x9x8x3xf32>
  memref.dealloc %w : memref<3x2x3x5xf32>
  memref.dealloc %y : memref<2x4x5x5xf32>
  memref.dealloc %p : memref<2x4x4x3xf32>
  memref.dealloc %window : memref<2x2xf32>
  return
}

// For each row where its greatest value is first, and where its least is last.
func.func @choices(%m: index, %n: index) {
  %x = memref.alloc(%m, %n) : memref<?x?xf32>
  %best = memref.alloc(%m) : memref<?xf32>
  %at = memref.alloc(%m) : memref<?xi32>
  call @ramp2(%x) : (memref<?x?xf32>) -> ()
  // One value is none.
  %nan = arith.constant 0x7FC00000 : f32
  %c0 = arith.constant 0 : index
  memref.store %nan, %x[%c0, %c0] : memref<?x?xf32>
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant -7 : i32
  linalg.fill ins(%low : f32) outs(%best : memref<?xf32>)
  linalg.fill ins(%none : i32) outs(%at : memref<?xi32>)
  linalg.generic {
    indexing_maps = [#id2, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<?x?xf32>) outs(%best, %at : memref<?xf32>, memref<?xi32>) {
  ^bb0(%v: f32, %b: f32, %a: i32):
    %j = linalg.index 1 : index
    %j32 = arith.index_cast %j : index to i32
    %more = arith.cmpf ogt, %v, %b : f32
    %k = arith.select %more, %v, %b : f32
    %i = arith.select %more, %j32, %a : i32
    linalg.yield %k, %i : f32, i32
  }
  %u = memref.cast %at : memref<?xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  %high = arith.constant 0x7F800000 : f32
  linalg.fill ins(%high : f32) outs(%best : memref<?xf32>)
  linalg.fill ins(%none : i32) outs(%at : memref<?xi32>)
  linalg.generic {
    indexing_maps = [#id2, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<?x?xf32>) outs(%at, %best : memref<?xi32>, memref<?xf32>) {
  ^bb0(%v: f32, %a: i32, %b: f32):
    %j = linalg.index 1 : index
    %j32 = arith.index_cast %j : index to i32
    %keep = arith.cmpf ult, %b, %v : f32
    %k = arith.select %keep, %b, %v : f32
    %i = arith.select %keep, %a, %j32 : i32
    linalg.yield %i, %k : i32, f32
  }
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  memref.dealloc %x : memref<?x?xf32>
  memref.dealloc %best : memref<?xf32>
  memref.dealloc %at : memref<?xi32>
  return
}

// Row sums, column maxima and squares in one op; then parts of the result are
// copied from one place to another.
func.func @several(%m: index, %n: index) {
  %x = memref.alloc(%m, %n) : memref<?x?xf32>
  %one = arith.constant 1 : index
  %rows = memref.alloc(%m, %one) : memref<?x?xf32>
  %columns = memref.alloc(%one, %n) : memref<?x?xf32>
  %squares = memref.alloc(%m, %n) : memref<?x?xf32>
  call @ramp2(%x) : (memref<?x?xf32>) -> ()
  call @sentinel(%rows) : (memref<?x?xf32>) -> ()
  call @sentinel(%columns) : (memref<?x?xf32>) -> ()
  call @sentinel(%squares) : (memref<?x?xf32>) -> ()
  linalg.generic {
    indexing_maps = [#id2, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (0, j)>, #id2],
    iterator_types = ["reduction", "reduction"]}
    ins(%x : memref<?x?xf32>) outs(%rows, %columns, %squares : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) {
  ^bb0(%v: f32, %row: f32, %column: f32, %old: f32):
    %a = arith.subf %row, %v : f32
    %b = arith.maximumf %v, %column : f32
    %c = arith.mulf %v, %v : f32
    linalg.yield %a, %b, %c : f32, f32, f32
  }
  %source = memref.subview %squares[0, 0] [1, %n] [1, 1] : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1]>>
  %target = memref.subview %squares[1, 0] [1, %n] [1, 1]
    : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
  memref.copy %source, %target : memref<1x?xf32, strided<[?, 1]>> to memref<1x?xf32, strided<[?, 1], offset: ?>>
  call @print2(%rows) : (memref<?x?xf32>) -> ()
  call @print2(%columns) : (memref<?x?xf32>) -> ()
  call @print2(%squares) : (memref<?x?xf32>) -> ()
  memref.dealloc %x : memref<?x?xf32>
  memref.dealloc %rows : memref<?x?xf32>
  memref.dealloc %columns : memref<?x?xf32>
  memref.dealloc %squares : memref<?x?xf32>
  return
}

// The sum of all, of a vector that may be empty.
func.func @total(%n: index) {
  %x = memref.alloc(%n) : memref<?xf32>
  %s = memref.alloc() : memref<f32>
  call @ramp1(%x) : (memref<?xf32>) -> ()
  %v = arith.constant -1000.0 : f32
  memref.store %v, %s[] : memref<f32>
  linalg.reduce { arith.addf } ins(%x : memref<?xf32>) outs(%s : memref<f32>) dimensions = [0]
  %u = memref.cast %s : memref<f32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %s : memref<f32>
  return
}

// What a table says, where it says something, else twice the element.
func.func @branches(%n: index) {
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  %table = memref.alloc() : memref<3xf32>
  %tabled = memref.cast %table : memref<3xf32> to memref<?xf32>
  call @ramp1(%x) : (memref<?xf32>) -> ()
  call @ramp1(%tabled) : (memref<?xf32>) -> ()
  linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
    ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%v: f32, %old: f32):
    %i = linalg.index 0 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %known = arith.cmpi ult, %i, %c3 : index
    %low = arith.cmpf olt, %v, %zero : f32
    %r = scf.if %known -> f32 {
      %w = memref.load %table[%i] : memref<3xf32>
      %s = scf.if %low -> f32 {
        %t = arith.addf %w, %v : f32
        scf.yield %t : f32
      } else {
        %u = memref.load %table[%i] : memref<3xf32>
        scf.yield %u : f32
      }
      scf.yield %s : f32
    } else {
      %d = arith.addf %v, %v : f32
      scf.yield %d : f32
    }
    linalg.yield %r : f32
  }
  %u = memref.cast %y : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %y : memref<?xf32>
  memref.dealloc %table : memref<3xf32>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c13 = arith.constant 13 : index
  %c17 = arith.constant 17 : index
  %c37 = arith.constant 37 : index
  // A product over nothing is what was there.
  // CHECK: sizes = [1, 1]
  // CHECK-NEXT: {{\[}}[-1000]]
  call @product(%c1, %c0, %c1) : (index, index, index) -> ()
  call @product(%c1, %c1, %c1) : (index, index, index) -> ()
  call @product(%c13, %c17, %c37) : (index, index, index) -> ()
  call @product(%c0, %c2, %c13) : (index, index, index) -> ()
  call @images() : () -> ()
  call @choices(%c1, %c1) : (index, index) -> ()
  call @choices(%c13, %c37) : (index, index) -> ()
  call @several(%c2, %c1) : (index, index) -> ()
  call @several(%c13, %c17) : (index, index) -> ()
  call @branches(%c13) : (index) -> ()
  call @total(%c0) : (index) -> ()
  call @total(%c1) : (index) -> ()
  call @total(%c37) : (index) -> ()
  return
}
