// Functions that are no kernels belong to their module: two modules may use
// one name, and what is inlined does not stay in the PTX.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx --implicit-check-not=.func
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx --implicit-check-not=.func
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin

// CHECK: .entry square(
// CHECK: mul.rn.f32
// CHECK: .entry twice(
// CHECK: add.rn.f32
gpu.module @first {
  func.func private @f(%a: f32) -> f32 {
    %r = arith.mulf %a, %a : f32
    return %r : f32
  }
  gpu.func @square(%x: memref<32xf32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf32>
    %r = func.call @f(%a) : (f32) -> f32
    memref.store %r, %x[%i] : memref<32xf32>
    gpu.return
  }
}
gpu.module @second {
  func.func @f(%a: f32) -> f32 {
    %r = arith.addf %a, %a : f32
    return %r : f32
  }
  gpu.func @twice(%x: memref<32xf32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf32>
    %r = func.call @f(%a) : (f32) -> f32
    memref.store %r, %x[%i] : memref<32xf32>
    gpu.return
  }
}
