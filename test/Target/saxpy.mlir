// A guarded elementwise kernel, from the gpu dialect to PTX.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx --check-prefixes=CHECK,SM80 --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx --check-prefixes=CHECK,SM90A --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_100 -o %t.100.ptx
// RUN: FileCheck %s --input-file=%t.100.ptx --check-prefixes=CHECK,SM100 --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_100 %t.100.ptx -o %t.100.cubin

// The lowest PTX version that has the chip.
// SM80: .version 7.0
// SM80-NEXT: .target sm_80
// SM90A: .version 8.0
// SM90A-NEXT: .target sm_90a
// SM100: .version 8.6
// SM100-NEXT: .target sm_100

// The block size is a required one; the alignment and "noalias, readonly" are
// seen: a load through the read-only cache. Product and sum round twice.
// CHECK: .entry saxpy(
// CHECK-NEXT: .param .u64 .ptr .align 16 saxpy_param_0
// CHECK: .reqntid 256, 1, 1
// CHECK-NOT: fma
// CHECK-DAG: ld.global.nc.b32
// CHECK-DAG: ld.global.b32
// CHECK: mul.rn.f32
// CHECK-NEXT: add.rn.f32
// CHECK: st.global.b32
gpu.module @saxpy {
  gpu.func @saxpy(%x: memref<1000xf32> {llvm.noalias, llvm.readonly, llvm.align = 16 : i64},
                  %y: memref<1000xf32> {llvm.noalias}, %a: f32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c256 = arith.constant 256 : index
    %c1000 = arith.constant 1000 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %b, %c256 : index
    %i = arith.addi %o, %t : index
    %in = arith.cmpi slt, %i, %c1000 : index
    scf.if %in {
      %xi = memref.load %x[%i] : memref<1000xf32>
      %yi = memref.load %y[%i] : memref<1000xf32>
      %p = arith.mulf %a, %xi : f32
      %s = arith.addf %p, %yi : f32
      memref.store %s, %y[%i] : memref<1000xf32>
    }
    gpu.return
  }
}
