// The alignment of an access follows from that of its buffer, the strides and
// the factors of the indices.
// RUN: uop-opt %s --pass-pipeline="builtin.module(gpu.module(uop-align-accesses))" | FileCheck %s

gpu.module @m {
  // Rows of 400 bytes, and every fourth element; one further is on its own.
  // CHECK-LABEL: gpu.func @rows
  // CHECK: memref.load %{{.*}}[%{{.*}}, %[[I:.*]]] {alignment = 16 : i64}
  // CHECK: memref.load %{{.*}}[%{{.*}}, %[[J:.*]]] : memref
  // CHECK: memref.load %{{.*}}[%{{.*}}, %[[K:.*]]] {alignment = 8 : i64}
  // CHECK: memref.store %{{.*}}[%{{.*}}, %[[I]]] {alignment = 16 : i64}
  gpu.func @rows(%x: memref<8x100xf32> {llvm.align = 16 : i64}) kernel {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %j = arith.addi %i, %c1 : index
    %k = arith.addi %i, %c2 : index
    %u = memref.load %x[%b, %i] : memref<8x100xf32>
    %v = memref.load %x[%b, %j] : memref<8x100xf32>
    %w = memref.load %x[%b, %k] : memref<8x100xf32>
    memref.store %u, %x[%b, %i] : memref<8x100xf32>
    gpu.return
  }

  // Rows of 404 bytes: even blocks have aligned ones. An offset of 2 elements
  // leaves 8 bytes, and what is not said of a buffer is not assumed.
  // CHECK-LABEL: gpu.func @odd
  // CHECK: memref.load %{{.*}}[%[[B:.*]], %[[I:.*]]] : memref<8x101xf32>
  // CHECK: memref.load %{{.*}}[%[[E:.*]], %[[I]]] {alignment = 8 : i64} : memref<8x101xf32>
  // CHECK: memref.load %{{.*}}[%[[I]]] {alignment = 8 : i64} : memref<64xf32, strided<[1], offset: 2>>
  // CHECK: memref.load %{{.*}}[%[[I]]] : memref<64xf32>
  gpu.func @odd(%x: memref<8x101xf32> {llvm.align = 16 : i64},
                %y: memref<64xf32, strided<[1], offset: 2>> {llvm.align = 16 : i64},
                %z: memref<64xf32>) kernel {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %e = arith.muli %b, %c2 : index
    %i = arith.muli %t, %c4 : index
    %u = memref.load %x[%b, %i] : memref<8x101xf32>
    %v = memref.load %x[%e, %i] : memref<8x101xf32>
    %w = memref.load %y[%i] : memref<64xf32, strided<[1], offset: 2>>
    %z0 = memref.load %z[%i] : memref<64xf32>
    gpu.return
  }

  // Loops, quotients and remainders: what a folded grid comes to.
  // CHECK-LABEL: gpu.func @arithmetic
  // CHECK: memref.load %{{.*}} {alignment = 8 : i64} : memref<4096xf16>
  // CHECK: memref.load %{{.*}} {alignment = 16 : i64} : memref<4096xf16>
  // CHECK: memref.load %{{.*}} : memref<4096xf16>
  gpu.func @arithmetic(%x: memref<4096xf16> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %b = gpu.block_id x
    %b64 = arith.muli %b, %c64 : index
    scf.for %k = %c0 to %c64 step %c4 {
      %rest = arith.remui %b64, %c12 : index
      %i = arith.addi %rest, %k : index
      %u = memref.load %x[%i] : memref<4096xf16>
      %half = arith.divui %b64, %c2 : index
      %v = memref.load %x[%half] : memref<4096xf16>
      %third = arith.divui %b64, %c12 : index
      %w = memref.load %x[%third] : memref<4096xf16>
    }
    gpu.return
  }

  // A dynamic buffer comes as a pointer: a row may begin anywhere, unless its
  // length is a multiple.
  // CHECK-LABEL: gpu.func @dynamic
  // CHECK: memref.load %{{.*}} {alignment = 16 : i64} : memref<?xf32>
  // CHECK: memref.load %{{.*}} : memref<?x?xf32, strided<[?, 1]>>
  gpu.func @dynamic(%x: memref<f32> {llvm.align = 16 : i64}, %n: index) kernel {
    %c4 = arith.constant 4 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %flat = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32>
    %rows = memref.reinterpret_cast %x to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<f32> to memref<?x?xf32, strided<[?, 1]>>
    %u = memref.load %flat[%i] : memref<?xf32>
    %v = memref.load %rows[%b, %i] : memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }
}
