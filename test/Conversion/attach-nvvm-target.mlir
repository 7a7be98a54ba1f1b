// The target, the block size and the shapes that pointers lose.
// RUN: uop-opt %s --uop-attach-nvvm-target="chip=sm_90 features=+ptx80 opt-level=2" | FileCheck %s

// CHECK: gpu.module @m [#nvvm.target<chip = "sm_90", features = "+ptx80">]
// CHECK: gpu.func @k
// CHECK-SAME: known_block_size = array<i32: 32, 2, 1>
// CHECK-SAME: uop.signature = (memref<4xf32>) -> ()
module attributes {gpu.container_module} {
  gpu.module @m [#nvvm.target<chip = "sm_80">, #nvvm.target<chip = "sm_86">] {
    gpu.func @k(%x: memref<4xf32>) kernel {
      gpu.return
    }
  }
  func.func @main(%x: memref<4xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @m::@k blocks in (%n, %c1, %c1) threads in (%c32, %c2, %c1) args(%x : memref<4xf32>)
    return
  }
}
