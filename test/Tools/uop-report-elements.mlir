// How far apart elements are that are vectors or complex numbers, and how often
// a byte counts where indices share it: the same in the report of the code and
// in that of a run.
// RUN: uop-report %s --registers=estimate | FileCheck %s
// RUN: uop-run %s --report | FileCheck %s --check-prefix=RAN

// A vector of 3 takes the place of one of 4.
// CHECK-LABEL: @threes:
// CHECK: global load: 1 request, 16 sec x1 (ideal 16)
// CHECK: global store: 1 request, 8 sec x1 (ideal 8)
// CHECK: global loads {{ *}}2 requests, 64 elements
// RAN-LABEL: @threes:
// RAN: global load: 1 request, 16 sec x1 (ideal 16)
// RAN: global store: 1 request, 8 sec x1 (ideal 8)
// RAN: global loads {{ *}}2 requests, 64 elements

// One thread accesses one element, however many requests that takes.
// CHECK-LABEL: @wide:
// CHECK: global loads {{ *}}2 requests, 1 element,
// RAN-LABEL: @wide:
// RAN: global loads {{ *}}2 requests, 1 element,

// Rows that are one and the same: 32 threads store 4 bytes, at most 128.
// CHECK-LABEL: @overlap:
// CHECK: %a write 128 B 4 B <= 128 B

module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @threes(%a: memref<32xvector<3xf32>>, %b: memref<32xcomplex<f32>>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<32xvector<3xf32>>
    memref.store %v, %a[%t] : memref<32xvector<3xf32>>
    %z = memref.load %b[%t] : memref<32xcomplex<f32>>
    memref.store %z, %b[%t] : memref<32xcomplex<f32>>
    gpu.return
  }
  gpu.func @wide(%a: memref<2xvector<4xf64>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %a[%c0] : memref<2xvector<4xf64>>
    memref.store %v, %a[%c1] : memref<2xvector<4xf64>>
    gpu.return
  }
  gpu.func @overlap(%a: memref<32x4xf32, strided<[0, 1]>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %a[%t, %c0] : memref<32x4xf32, strided<[0, 1]>>
    gpu.return
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xvector<3xf32>>
  %b = memref.alloc() : memref<32xcomplex<f32>>
  gpu.launch_func @m::@threes blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%a : memref<32xvector<3xf32>>, %b : memref<32xcomplex<f32>>)
  %c = memref.alloc() : memref<2xvector<4xf64>>
  gpu.launch_func @m::@wide blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%c : memref<2xvector<4xf64>>)
  %d = memref.alloc() : memref<128xf32>
  %rows = memref.reinterpret_cast %d to offset: [0], sizes: [32, 4], strides: [0, 1]
      : memref<128xf32> to memref<32x4xf32, strided<[0, 1]>>
  gpu.launch_func @m::@overlap blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%rows : memref<32x4xf32, strided<[0, 1]>>)
  return
}
}
