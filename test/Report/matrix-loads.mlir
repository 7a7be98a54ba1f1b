// Rows of matrices that the lanes of a warp give, k39 and k41 of the SIMT cases: a
// pitch of 128 bytes has the 8 rows of a quarter in the same four banks; with
// chunks of 16 bytes at an exclusive or with the row they are apart. Of two
// matrices only 16 lanes give a row, which only a run tells.
// RUN: uop-report %s --registers=estimate --races=false | FileCheck %s
// CHECK-LABEL: @pitch:
// CHECK: shared load: 1 request, 32 wf x1 (ideal 4); nvgpu.ldmatrix of %s
// CHECK: 8-way bank conflict
// CHECK-LABEL: @swizzled:
// CHECK: shared load: 1 request, 4 wf x1 (ideal 4); nvgpu.ldmatrix of %s
// CHECK-LABEL: @two:
// CHECK: shared load is not counted: its lowering makes several accesses of it; lower it before; nvgpu.ldmatrix of %s

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @pitch() workgroup(%s: memref<32x64xf16, #gpu.address_space<workgroup>>) kernel
      attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %m = nvgpu.ldmatrix %s[%t, %c0] {numTiles = 4 : i32, transpose = false} : memref<32x64xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    gpu.return
  }
  gpu.func @swizzled() workgroup(%s: memref<32x64xf16, #gpu.address_space<workgroup>>) kernel
      attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %chunk = arith.andi %t, %c7 : index
    %column = arith.muli %chunk, %c8 : index
    %m = nvgpu.ldmatrix %s[%t, %column] {numTiles = 4 : i32, transpose = false} : memref<32x64xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    gpu.return
  }
  gpu.func @two() workgroup(%s: memref<32x64xf16, #gpu.address_space<workgroup>>) kernel
      attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %m = nvgpu.ldmatrix %s[%t, %c0] {numTiles = 2 : i32, transpose = false} : memref<32x64xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
    gpu.return
  }
}
}
