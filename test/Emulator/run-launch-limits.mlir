// A launch beyond the limits ends the run before any of it has run, with a
// message and status 1.
// RUN: split-file --leading-lines %s %t
// RUN: %emulate %t/threads.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: %emulate %t/z.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=Z
// RUN: %emulate %t/block.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: %emulate %t/grid-x.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=GRIDX
// RUN: %emulate %t/grid-y.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=GRIDY
// RUN: %emulate %t/empty.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: %emulate %t/stated.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=STATED
// RUN: uop-opt --uop-lower-to-cpu-pipeline="openmp=false chip=sm_90" %t/shared.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %emulate %t/cluster-size.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=CLUSTERSIZE
// RUN: %emulate %t/cluster-blocks.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=CLUSTERBLOCKS
// RUN: %emulate %t/cluster-grid.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=CLUSTERGRID
// RUN: %emulate %t/cluster-stated.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=CLUSTERSTATED
// RUN: %emulate %t/cluster-stated-grid.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=CLUSTERGRID
// RUN: %emulate %t/within.mlir | %run-main | FileCheck %s --check-prefix=WITHIN
// RUN: uop-opt --uop-lower-to-cpu-pipeline="openmp=false chip=sm_90" %t/within.mlir | %run-main | FileCheck %s --check-prefix=WITHIN

// THREADS: threads.mlir:[[#@LINE+5]]:3: error: launch of kernel 'nothing': expected at most 1024 threads in a block, but got 1056
//--- threads.mlir
module attributes {gpu.container_module} {
func.func @launch(%x: index, %y: index) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@nothing blocks in (%c1, %c1, %c1) threads in (%x, %y, %c1)
  return
}
func.func @main() {
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  call @launch(%c32, %c33) : (index, index) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}

// Z: error: launch of kernel 'nothing': expected 1 to 64 threads along z, but got 65
//--- z.mlir
module attributes {gpu.container_module} {
func.func @launch(%z: i64) {
  %c1 = arith.constant 1 : i64
  gpu.launch_func @kernels::@nothing blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %z) : i64
  return
}
func.func @main() {
  %c65 = arith.constant 65 : i64
  call @launch(%c65) : (i64) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}

// BLOCK: error: launch of kernel 'nothing': expected 1 to 1024 threads along x, but got 1025
//--- block.mlir
module attributes {gpu.container_module} {
func.func @launch(%x: index) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@nothing blocks in (%c1, %c1, %c1) threads in (%x, %c1, %c1)
  return
}
func.func @main() {
  %c1025 = arith.constant 1025 : index
  call @launch(%c1025) : (index) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}

// 2^31 of 32 bits: a size has no sign.
// GRIDX: error: launch of kernel 'nothing': expected 1 to 2147483647 blocks along x, but got 2147483648
//--- grid-x.mlir
module attributes {gpu.container_module} {
func.func @launch(%x: i32) {
  %c1 = arith.constant 1 : i32
  gpu.launch_func @kernels::@nothing blocks in (%x, %c1, %c1) threads in (%c1, %c1, %c1) : i32
  return
}
func.func @main() {
  %x = arith.constant 2147483648 : i32
  call @launch(%x) : (i32) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}

// GRIDY: error: launch of kernel 'nothing': expected 1 to 65535 blocks along y, but got 65536
//--- grid-y.mlir
module attributes {gpu.container_module} {
func.func @launch(%y: index) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@nothing blocks in (%c1, %y, %c1) threads in (%c1, %c1, %c1)
  return
}
func.func @main() {
  %y = arith.constant 65536 : index
  call @launch(%y) : (index) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}

// As the driver has it: a grid of no blocks is an invalid value.
// EMPTY: error: launch of kernel 'nothing': expected 1 to 65535 blocks along z, but got 0
//--- empty.mlir
module attributes {gpu.container_module} {
func.func @launch(%z: index) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@nothing blocks in (%c1, %c1, %z) threads in (%c1, %c1, %c1)
  return
}
func.func @main() {
  %z = arith.constant 0 : index
  call @launch(%z) : (index) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}

// STATED: error: launch of kernel 'nothing': expected 32 threads along x, which the kernel is made for, but got 16
//--- stated.mlir
module attributes {gpu.container_module} {
func.func @launch(%x: index) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@nothing blocks in (%c1, %c1, %c1) threads in (%x, %c1, %c1)
  return
}
func.func @main() {
  %x = arith.constant 16 : index
  call @launch(%x) : (index) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}
}

// The kernel has 16 bytes of its own, of the 227 KiB of the chip.
// SHARED: error: launch of kernel 'nothing': expected at most 232432 bytes of dynamic shared memory a block, but got 232433
//--- shared.mlir
module attributes {gpu.container_module} {
func.func @launch(%bytes: i32) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@nothing blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      dynamic_shared_memory_size %bytes
  return
}
func.func @main() {
  %bytes = arith.constant 232433 : i32
  call @launch(%bytes) : (i32) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() workgroup(%own: memref<4xi32, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}
}

// CLUSTERSIZE: error: launch of kernel 'nothing': expected 1 to 8 blocks of a cluster along x, but got 0
//--- cluster-size.mlir
module attributes {gpu.container_module} {
func.func @launch(%x: index, %y: index, %grid: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch_func @kernels::@nothing clusters in (%x, %y, %c1) blocks in (%grid, %c4, %c1) threads in (%c1, %c1, %c1)
  return
}
func.func @main() {
  %x = arith.constant 0 : index
  %y = arith.constant 1 : index
  %grid = arith.constant 8 : index
  call @launch(%x, %y, %grid) : (index, index, index) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}

// CLUSTERBLOCKS: error: launch of kernel 'nothing': expected at most 8 blocks in a cluster, but got 16
//--- cluster-blocks.mlir
module attributes {gpu.container_module} {
func.func @launch(%x: index, %y: index, %grid: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch_func @kernels::@nothing clusters in (%x, %y, %c1) blocks in (%grid, %c4, %c1) threads in (%c1, %c1, %c1)
  return
}
func.func @main() {
  %x = arith.constant 4 : index
  %y = arith.constant 4 : index
  %grid = arith.constant 8 : index
  call @launch(%x, %y, %grid) : (index, index, index) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}

// CLUSTERGRID: error: launch of kernel 'nothing': expected a grid of whole clusters along x, a multiple of 4 blocks, but got 6
//--- cluster-grid.mlir
module attributes {gpu.container_module} {
func.func @launch(%x: index, %y: index, %grid: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch_func @kernels::@nothing clusters in (%x, %y, %c1) blocks in (%grid, %c4, %c1) threads in (%c1, %c1, %c1)
  return
}
func.func @main() {
  %x = arith.constant 4 : index
  %y = arith.constant 2 : index
  %grid = arith.constant 6 : index
  call @launch(%x, %y, %grid) : (index, index, index) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}

// CLUSTERSTATED: error: launch of kernel 'nothing': expected 4 blocks of a cluster along x, which the kernel is made for, but got 2
//--- cluster-stated.mlir
module attributes {gpu.container_module} {
func.func @launch(%x: index, %y: index, %grid: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch_func @kernels::@nothing clusters in (%x, %y, %c1) blocks in (%grid, %c4, %c1) threads in (%c1, %c1, %c1)
  return
}
func.func @main() {
  %x = arith.constant 2 : index
  %y = arith.constant 1 : index
  %grid = arith.constant 8 : index
  call @launch(%x, %y, %grid) : (index, index, index) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel attributes {known_cluster_size = array<i32: 4, 1, 1>} {
    gpu.return
  }
}
}

// What the kernel states is the cluster of a launch that says nothing: the same
// message.
//--- cluster-stated-grid.mlir
module attributes {gpu.container_module} {
func.func @launch(%x: index, %y: index, %grid: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch_func @kernels::@nothing blocks in (%grid, %c4, %c1) threads in (%c1, %c1, %c1)
  return
}
func.func @main() {
  %x = arith.constant 1 : index
  %y = arith.constant 1 : index
  %grid = arith.constant 6 : index
  call @launch(%x, %y, %grid) : (index, index, index) -> ()
  return
}
gpu.module @kernels {
  gpu.func @nothing() kernel attributes {known_cluster_size = array<i32: 4, 1, 1>} {
    gpu.return
  }
}
}

// A launch at the limits runs: the last block of the last axis stores. On the
// way it counts what the driver would: 65535 blocks of 1024 threads.
// WITHIN: 67107840
//--- within.mlir
module attributes {gpu.container_module} {
func.func @launch(%grid: index, %block: index, %bytes: i32, %x: memref<1xi64>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@last blocks in (%c1, %c1, %grid) threads in (%block, %c1, %c1)
      dynamic_shared_memory_size %bytes args(%x : memref<1xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %grid = arith.constant 65535 : index
  %block = arith.constant 1024 : index
  %bytes = arith.constant 16 : i32
  %x = gpu.alloc host_shared () : memref<1xi64>
  memref.store %zero, %x[%c0] : memref<1xi64>
  call @launch(%grid, %block, %bytes, %x) : (index, index, i32, memref<1xi64>) -> ()
  %v = memref.load %x[%c0] : memref<1xi64>
  vector.print %v : i64
  gpu.dealloc %x : memref<1xi64>
  return
}
gpu.module @kernels {
  gpu.func @last(%x: memref<1xi64>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %threads = gpu.block_dim x
    %n = arith.index_cast %threads : index to i64
    %is_first = arith.cmpi eq, %t, %c0 : index
    scf.if %is_first {
      %old = memref.atomic_rmw addi %n, %x[%c0] : (i64, memref<1xi64>) -> i64
    }
    gpu.return
  }
}
}
