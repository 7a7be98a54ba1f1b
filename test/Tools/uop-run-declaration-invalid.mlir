// A function that is only declared, and is in no library.
// RUN: not uop-run %s -e main ones 2>&1 | FileCheck %s
// CHECK: uop-run-declaration-invalid.mlir:8:1: error: expected a definition of @nowhere_to_be_found, which no library of this process has
// CHECK-NOT: error
// One of the C library is found.
// RUN: uop-run %s -e exp_of_zero nan

func.func private @nowhere_to_be_found(memref<8xf32>)
func.func @main(%x: memref<8xf32>) {
  func.call @nowhere_to_be_found(%x) : (memref<8xf32>) -> ()
  return
}
func.func private @expf(f32) -> f32
func.func @exp_of_zero(%x: memref<8xf32>) {
  %c = arith.constant 0.0 : f32
  %e = func.call @expf(%c) : (f32) -> f32
  %i = arith.constant 0 : index
  memref.store %e, %x[%i] : memref<8xf32>
  return
}
