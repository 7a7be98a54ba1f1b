// A kernel of 41 operations in graph form, of which one store is at fault: it
// says that no two points write one element, but rows 8 apart do. What is left
// says just that. The test is a race that checked mode finds; the kernel loses
// arguments on the way.
// DEFINE: %{race} = %python %S/Inputs/has_race.py %uop_bin/uop-run "data race on global memory"
// RUN: %{race} %s
// RUN: uop-reduce %s -o %t.mlir --test=%python --test-arg=%S/Inputs/has_race.py \
// RUN:   --test-arg=%uop_bin/uop-run --test-arg="data race on global memory"
// RUN: FileCheck %s --input-file=%t.mlir --match-full-lines --strict-whitespace
// It is a file like any other, and it has the race.
// RUN: uop-opt %t.mlir | diff %t.mlir - && %{race} %t.mlir

//      CHECK:module {
// CHECK-NEXT:  uop.kernel @layer(%arg0: memref<2xf32>, %arg1: memref<f32>) {
// CHECK-NEXT:    %loop = uop.range loop 2
// CHECK-NEXT:    %0 = uop.load %arg0[%loop] : memref<2xf32>
// CHECK-NEXT:    uop.store %0, %arg1[] unique : memref<f32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
//  CHECK-NOT:{{.}}

uop.kernel @layer(%A: memref<16x12xf32>, %B: memref<12x8xf32>, %bias: memref<8xf32>, %C: memref<16x8xf32>, %D: memref<16xf32>, %E: memref<8xi32>, %n: i32, %F: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3 : i32
  %c8 = arith.constant 8 : index
  %c15 = arith.constant 15 : index
  // C = max(A B + bias, 0), without the last row.
  %m = uop.range loop 16
  %j = uop.range loop 8
  %k = uop.range reduce 12
  %a = uop.load %A[%m, %k] : memref<16x12xf32>
  %b = uop.load %B[%k, %j] : memref<12x8xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  %bv = uop.load %bias[%j] : memref<8xf32>
  %cb = arith.addf %c, %bv : f32
  %relu = arith.maximumf %cb, %zero : f32
  %in = arith.cmpi slt, %m, %c15 : index
  uop.store %relu, %C[%m, %j] mask %in : memref<16x8xf32>
  // The fault.
  %row = uop.floormod %m, %c8
  %scaled = arith.mulf %cb, %bv : f32
  uop.store %scaled, %F[%row, %j] unique : memref<8x8xf32>
  // D = the largest square of a row, of a tile.
  %r = uop.range loop 16
  %s = uop.range loop 12
  %x = uop.load %A[%r, %s] : memref<16x12xf32>
  %t = uop.stage %x over(%s) : !uop.tile<12xf32, private>
  %q = uop.range reduce 12
  %y = uop.load %t[%q] : !uop.tile<12xf32, private>
  %e = arith.mulf %y, %y : f32
  %largest = uop.reduce maximumf %e over(%q) : f32
  uop.store %largest, %D[%r] : memref<16xf32>
  // E[i] = 3 (i + n)
  %i = uop.range loop 8
  %i32 = arith.index_cast %i : index to i32
  %sum = arith.addi %i32, %n : i32
  %product = arith.muli %sum, %three : i32
  uop.store %product, %E[%i] : memref<8xi32>
}

uop.kernel @helper(%x: memref<64xf32>, %y: memref<64xf32>) {
  %i = uop.range loop 64
  %v = uop.load %x[%i] : memref<64xf32>
  %w = arith.negf %v : f32
  uop.store %w, %y[%i] : memref<64xf32>
}
