// An assertion that does not hold, in host code or in a kernel, ends the run
// with its message on the standard error, and status 1.
// RUN: uop-run %s -e host 3 | count 0
// RUN: not uop-run %s -e host 5 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: uop-run %s -e device 3
// RUN: not uop-run %s -e device 5 2>&1 | FileCheck %s --check-prefix=DEVICE

// HOST: run-assertions.mlir:[[#@LINE+15]]:5: error: at most 100% of 4
// DEVICE: run-assertions.mlir:[[#@LINE+6]]:7: error: 4 or less
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @check(%n: index) kernel {
      %c4 = arith.constant 4 : index
      %fits = arith.cmpi sle, %n, %c4 : index
      cf.assert %fits, "4 or less"
      gpu.return
    }
  }
  func.func @host(%n: index) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %fits = arith.cmpi sle, %n, %c4 : index
    cf.assert %fits, "at most 100% of 4"
    gpu.launch_func @kernels::@check blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c1 : index)
    return
  }
  func.func @device(%n: index) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@check blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%n : index)
    return
  }
}
