// What a device would take for a fault, and what it does not have.
// RUN: split-file %s %t
// RUN: uop-run %t/run.mlir -e from rand nan 4
// RUN: not uop-run %t/run.mlir -e from rand nan 3 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: not uop-opt %t/groups.mlir --uop-emulate-gpu 2>&1 | FileCheck %s --check-prefix=GROUPS

// FAULT: run.mlir:6:15: error: asynchronous copy of 16 bytes: expected source and destination at multiples of as many
// GROUPS: error: 'nvgpu.device_async_wait' op expected 0 groups or more to be left under way, but got -2

//--- run.mlir
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @from(%x: memref<64xf32>, %y: memref<4xf32>, %i: index)
        workgroup(%s: memref<4xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %copy = nvgpu.device_async_copy %x[%i], %s[%c0], 4 : memref<64xf32> to memref<4xf32, #gpu.address_space<workgroup>>
      %group = nvgpu.device_async_create_group %copy
      nvgpu.device_async_wait %group
      %v = memref.load %s[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
      memref.store %v, %y[%c0] : memref<4xf32>
      gpu.return
    }
  }
  func.func @from(%x: memref<64xf32>, %y: memref<4xf32>, %i: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@from blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>, %y : memref<4xf32>, %i : index)
    return
  }
}

//--- groups.mlir
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @groups() kernel {
      %group = nvgpu.device_async_create_group {none}
      nvgpu.device_async_wait %group {numGroups = -2 : i32}
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@groups blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}
