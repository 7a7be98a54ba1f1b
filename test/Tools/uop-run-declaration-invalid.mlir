// A function that is only declared, and is in no library.
// RUN: not uop-run %s -e main ones 2>&1 | FileCheck %s
// CHECK: uop-run-declaration-invalid.mlir:6:1: error: expected a definition of @nowhere_to_be_found, which no library of this process has
// CHECK-NOT: error

func.func private @nowhere_to_be_found(memref<8xf32>)
func.func @main(%x: memref<8xf32>) {
  func.call @nowhere_to_be_found(%x) : (memref<8xf32>) -> ()
  return
}
