// What shows only when a kernel runs: a width of a shuffle, blocks without
// whole subgroups, and subgroups without all their threads.
// RUN: split-file --leading-lines %s %t
// RUN: %emulate %t/width.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: %emulate %t/block.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: %emulate %t/left.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=LEFT

//--- width.mlir
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @f(%w: i32) kernel {
    // WIDTH: width.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'gpu.shuffle' op expected a width of 1 to 32, the subgroup's size
    %a, %b = gpu.shuffle xor %w, %w, %w : i32
    gpu.return
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %w = arith.constant 33 : i32
  gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : i32)
  return
}
}

//--- block.mlir
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @f(%x: memref<16x16xf32>) kernel {
    %c0 = arith.constant 0 : index
    // BLOCK: block.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'gpu.subgroup_mma_load_matrix' op expected a block of whole subgroups of 32 threads
    %c = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %c, %x[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    gpu.return
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %x = memref.alloc() : memref<16x16xf32>
  gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c48, %c1, %c1) args(%x : memref<16x16xf32>)
  return
}
}

//--- left.mlir
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @f(%x: memref<2xi32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %out = arith.cmpi uge, %t, %n : index
    cf.cond_br %out, ^leave, ^work
  ^leave:
    gpu.return
  ^work:
    %a = arith.constant dense<1> : vector<1x4xi8>
    %c = arith.constant dense<0> : vector<1x2xi32>
    // LEFT: left.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'nvgpu.mma.sync' op expected all threads of a subgroup, but some have left the kernel
    %r = nvgpu.mma.sync(%a, %a, %c) {mmaShape = [8, 8, 16]} : (vector<1x4xi8>, vector<1x4xi8>, vector<1x2xi32>) -> vector<1x2xi32>
    %0 = vector.extract %r[0, 0] : i32 from vector<1x2xi32>
    memref.store %0, %x[%c0] : memref<2xi32>
    gpu.return
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %x = memref.alloc() : memref<2xi32>
  gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%x : memref<2xi32>, %c31 : index)
  return
}
}
