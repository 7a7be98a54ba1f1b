// What is one instruction needs no device library, and so no toolkit.
// RUN: uop-translate --uop-to-ptx --chip=sm_80 --cuda-path=/nonexistent %s | FileCheck %s

// CHECK-NOT: .extern .func
// CHECK-LABEL: .entry single(
// CHECK-DAG: fma.rn.f32
// CHECK-DAG: abs.f32
// CHECK-DAG: cvt.rmi.f32.f32
// CHECK-DAG: cvt.rpi.f32.f32
// CHECK-DAG: cvt.rni.f32.f32
// CHECK-DAG: copysign.f32
// CHECK-DAG: sqrt.rn.f32
// CHECK-LABEL: .entry others(
// CHECK-DAG: fma.rn.f64
// CHECK-DAG: fma.rn.f16
// CHECK-DAG: fma.rn.bf16
gpu.module @exact {
  gpu.func @single(%x: memref<32xf32>) kernel {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%i] : memref<32xf32>
    %w = memref.load %x[%c0] : memref<32xf32>
    %a = math.fma %v, %w, %v : f32
    %b = math.absf %a : f32
    %c = math.sqrt %b : f32
    %d = math.floor %c : f32
    %e = math.ceil %a : f32
    %f = math.roundeven %v : f32
    %g = math.copysign %d, %e : f32
    %h = arith.addf %g, %f : f32
    memref.store %h, %x[%i] : memref<32xf32>
    gpu.return
  }
  gpu.func @others(%x: memref<32xf64>, %y: memref<32xf16>, %z: memref<32xbf16>) kernel {
    %i = gpu.thread_id x
    %u = memref.load %x[%i] : memref<32xf64>
    %u1 = math.fma %u, %u, %u : f64
    memref.store %u1, %x[%i] : memref<32xf64>
    %v = memref.load %y[%i] : memref<32xf16>
    %v1 = math.fma %v, %v, %v : f16
    memref.store %v1, %y[%i] : memref<32xf16>
    %w = memref.load %z[%i] : memref<32xbf16>
    %w1 = math.fma %w, %w, %w : bf16
    memref.store %w1, %z[%i] : memref<32xbf16>
    gpu.return
  }
}
