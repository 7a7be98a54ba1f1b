// A copy between buffers of unequal sizes would write beyond the smaller one: it
// ends the run with a message and status 1.
// RUN: %emulate %s | not %run-main 2>&1 | FileCheck %s
// RUN: not uop-run %s -e main 2>&1 | FileCheck %s

// CHECK: run-memcpy-invalid.mlir:[[#@LINE+4]]:3: error: gpu.memcpy expected equal sizes along axis 1, but got 3 elements to write and 4 to read
func.func @copy(%n: index, %m: index) {
  %small = gpu.alloc (%n) : memref<2x?xi32>
  %large = gpu.alloc (%m) : memref<2x?xi32>
  gpu.memcpy %small, %large : memref<2x?xi32>, memref<2x?xi32>
  return
}

func.func @main() {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  call @copy(%c3, %c4) : (index, index) -> ()
  return
}
