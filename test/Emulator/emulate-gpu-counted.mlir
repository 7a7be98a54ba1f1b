// Kernels that tell what they ask of memory: an access with the distance from
// where its buffer begins, loops, branches, barriers.
// RUN: uop-opt %s --uop-emulate-gpu=counted=true | FileCheck %s
// RUN: not uop-opt %s --uop-emulate-gpu="counted=true checked=true" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not uop-opt %s --uop-emulate-gpu="counted=true subgroup-size=128" 2>&1 | FileCheck %s --check-prefix=WIDE
// BOTH: error: expected the option 'checked' or 'counted', but got both
// WIDE: error: expected a subgroup of at most 64 threads in counted mode, but got 128

module attributes {gpu.container_module} {
gpu.module @kernels {
  // CHECK-LABEL: func.func private @k_block
  // CHECK: call @uop_count_begin_thread
  // CHECK: call @uop_count_enter_loop
  // CHECK: scf.for
  // CHECK: call @uop_count_iterate
  // CHECK: call @uop_count_branch
  // CHECK: scf.if
  // CHECK: call @uop_count_access
  // CHECK-NEXT: memref.load
  // CHECK: call @uop_count_leave_loop
  // CHECK: call @uop_count_barrier
  // CHECK: call @uop_count_access
  // CHECK-NEXT: memref.store
  // CHECK-LABEL: func.func private @k_grid
  // CHECK: call @uop_count_begin_launch
  // CHECK: call @uop_count_end_launch
  gpu.func @k(%x: memref<32xf32>, %n: index)
      workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>)
      private(%p: memref<1xf32, #gpu.address_space<private>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %in = arith.cmpi slt, %t, %i : index
      scf.if %in {
        %v = memref.load %x[%i] : memref<32xf32>
        memref.store %v, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
      }
    }
    gpu.barrier
    %w = memref.load %p[%c0] : memref<1xf32, #gpu.address_space<private>>
    memref.store %w, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
func.func @main(%x: memref<32xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%x : memref<32xf32>, %n : index)
  return
}
}
