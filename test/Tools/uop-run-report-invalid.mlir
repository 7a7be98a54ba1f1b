// What --report does not go with, and what it cannot count.
// RUN: rm -rf %t && mkdir %t

// RUN: not uop-run %s -e copy rand nan --report-json=%t/r.json 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: error: --report-json is about --report, which is missing
// RUN: not uop-run %s -e copy rand nan --report --check 2>&1 | FileCheck %s --check-prefix=CHECK
// CHECK: error: --report counts a run that goes on past a fault: run --check on its own first
// RUN: not uop-run %s -e copy rand nan --report --reference 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: error: --report: the reference interpreter has no warps; leave out --reference
// RUN: not uop-run %s -e copy rand nan --report --device=cpu 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: --report: plain CPU loops have no warps; leave out --device=cpu
// RUN: not uop-run %s -e copy rand nan --report --time 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: --report runs once, and slowly: leave out --time
// RUN: not uop-run %s -e copy rand nan --report --subgroup-size=16 2>&1 | FileCheck %s --check-prefix=SUBGROUP
// SUBGROUP: error: --subgroup-size: expected 32 or 64, but got 16
// RUN: not uop-run %s -e copy rand nan --report --report-json=%t/none/r.json 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: {{.*}}none/r.json

// Nothing is written where the run fails.
// RUN: not uop-run %s -e run_foreign --report --report-json=%t/r.json 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: ls %t | count 0
// FOREIGN: [[#@LINE+19]]:5: error: 'memref.dma_start' op is not supported in counted mode, which does not know what memory it accesses

module attributes {gpu.container_module} {
uop.kernel loops @copy(%x: memref<32xf32>, %o: memref<32xf32>) {
  %t = uop.range local<x> 32
  %v = memref.load %x[%t] : memref<32xf32>
  memref.store %v, %o[%t] : memref<32xf32>
}

gpu.module @kernels {
  memref.global "private" @a : memref<4xf32> = dense<0.0>
  memref.global "private" @b : memref<4xf32, 2> = dense<0.0>
  memref.global "private" @tag : memref<1xi32> = dense<0>
  gpu.func @foreign() kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %a = memref.get_global @a : memref<4xf32>
    %b = memref.get_global @b : memref<4xf32, 2>
    %tag = memref.get_global @tag : memref<1xi32>
    memref.dma_start %a[%c0], %b[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 2>, memref<1xi32>
    gpu.return
  }
}
func.func @run_foreign() {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@foreign blocks in (%c1, %c1, %c1)
      threads in (%c1, %c1, %c1)
  return
}
}
