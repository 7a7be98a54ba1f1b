// A kernel in loop form: between the two uses of %row there is no barrier. The
// two that there are, loops, branches and what else is done with tiles go.
// DEFINE: %{race} = %python %S/Inputs/has_race.py %uop_bin/uop-run "data race on shared memory"
// RUN: %{race} %s
// RUN: uop-reduce %s -o %t.mlir --test=%python --test-arg=%S/Inputs/has_race.py \
// RUN:   --test-arg=%uop_bin/uop-run --test-arg="data race on shared memory"
// RUN: FileCheck %s --input-file=%t.mlir --match-full-lines --strict-whitespace
// RUN: uop-opt %t.mlir | diff %t.mlir - && %{race} %t.mlir

// Two threads write an element that both read.
//      CHECK:module {
// CHECK-NEXT:  uop.kernel loops @sums() {
// CHECK-NEXT:    %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %local = uop.range local<x> 2
// CHECK-NEXT:    %0 = uop.alloc : memref<f32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    memref.store %cst, %0[] : memref<f32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    %1 = memref.load %0[] : memref<f32, #gpu.address_space<workgroup>>
// CHECK-NEXT:  }
// CHECK-NEXT:}
//  CHECK-NOT:{{.}}

!tile = memref<32x8xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @sums(%x: memref<64x64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %n: index) {
  %b = uop.range global<x> 2
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %tile = uop.alloc zero : !tile
  %row = uop.alloc {alignment = 16 : i64} : !row
  %base = arith.muli %b, %c32 : index
  %sum, %most = scf.for %k = %c0 to %c64 step %c8
      iter_args(%acc = %zero, %max = %zero) -> (f32, f32) {
    %inside = arith.cmpi slt, %t, %c32 : index
    scf.if %inside {
      %r = arith.addi %base, %t : index
      scf.for %j = %c0 to %c8 step %c1 {
        %column = arith.addi %k, %j : index
        %v = memref.load %x[%r, %column] : memref<64x64xf32>
        memref.store %v, %tile[%t, %j] : !tile
      }
    } else {
      memref.store %zero, %row[%t] : !row
    }
    uop.barrier
    %lane = arith.remui %t, %c32 : index
    %partial = scf.for %j = %c0 to %c8 step %c1
        iter_args(%inner = %acc) -> f32 {
      %v = memref.load %tile[%lane, %j] : !tile
      %next = arith.addf %inner, %v : f32
      scf.yield %next : f32
    }
    %larger = arith.maximumf %max, %partial : f32
    uop.barrier
    scf.yield %partial, %larger : f32, f32
  }
  memref.store %sum, %row[%t] : !row
  %other = arith.subi %c63, %t : index
  %w = memref.load %row[%other] : !row
  %product = arith.mulf %w, %most : f32
  %first = arith.cmpi eq, %b, %c0 : index
  scf.if %first {
    memref.store %product, %y[%t] : memref<64xf32>
  }
  %rest = arith.subi %n, %c1 : index
  %i = arith.addi %rest, %t : index
  %last = arith.cmpi eq, %b, %c1 : index
  scf.if %last {
    memref.store %w, %z[%i] : memref<64xf32>
  }
}
