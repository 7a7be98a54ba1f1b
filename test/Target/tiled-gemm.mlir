// A GEMM 64x64x64 through two 16x16 tiles in shared memory, with two barriers
// in the loop, whose four rounds LLVM unrolls.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin
// RUN: FileCheck %s --input-file=%t.80.json --check-prefix=JSON
// RUN: uop-translate %s --uop-to-cubin --chip=sm_90a -o %t.direct.cubin
// RUN: uop-translate %s --uop-to-llvmir | FileCheck %s --check-prefix=IR

// CHECK: .entry gemm(
// CHECK: .reqntid 16, 16, 1
// CHECK-COUNT-2: .shared .align 4 .b8 {{.*}}[1024];
// CHECK: ld.global.nc.b32
// CHECK: st.shared.b32
// CHECK: bar.sync
// CHECK: ld.shared
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK-COUNT-7: bar.sync
// CHECK-NOT: bar.sync
// CHECK: st.global.b32

// JSON: "shared_bytes": 2048

// IR: target triple = "nvptx64-nvidia-cuda"
// IR: addrspace(3) global [256 x float]
// IR: define ptx_kernel void @gemm(

#shared = #gpu.address_space<workgroup>
gpu.module @gemm {
  gpu.func @gemm(%A: memref<64x64xf32> {llvm.noalias, llvm.readonly},
                 %B: memref<64x64xf32> {llvm.noalias, llvm.readonly},
                 %C: memref<64x64xf32> {llvm.noalias})
      workgroup(%sA: memref<16x16xf32, #shared>, %sB: memref<16x16xf32, #shared>)
      kernel attributes {known_block_size = array<i32: 16, 16, 1>, known_grid_size = array<i32: 4, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %m0 = arith.muli %by, %c16 : index
    %n0 = arith.muli %bx, %c16 : index
    %m = arith.addi %m0, %ty : index
    %n = arith.addi %n0, %tx : index
    %sum = scf.for %k0 = %c0 to %c64 step %c16 iter_args(%acc = %zero) -> f32 {
      %ka = arith.addi %k0, %tx : index
      %kb = arith.addi %k0, %ty : index
      %a = memref.load %A[%m, %ka] : memref<64x64xf32>
      %b = memref.load %B[%kb, %n] : memref<64x64xf32>
      memref.store %a, %sA[%ty, %tx] : memref<16x16xf32, #shared>
      memref.store %b, %sB[%ty, %tx] : memref<16x16xf32, #shared>
      gpu.barrier
      %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc2 = %acc) -> f32 {
        %x = memref.load %sA[%ty, %k] : memref<16x16xf32, #shared>
        %y = memref.load %sB[%k, %tx] : memref<16x16xf32, #shared>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %acc2, %p : f32
        scf.yield %s : f32
      }
      gpu.barrier
      scf.yield %part : f32
    }
    memref.store %sum, %C[%m, %n] : memref<64x64xf32>
    gpu.return
  }
}
