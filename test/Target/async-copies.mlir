// Asynchronous copies of 4, 8 and 16 bytes, short ones, and groups, in the PTX of
// chips that have them; a clear refusal for others.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin
// RUN: not uop-translate %s --uop-to-ptx --chip=sm_75 -o %t.75.ptx 2>&1 | FileCheck %s --check-prefix=OLD

!shared = memref<4x64xf16, #gpu.address_space<workgroup>>

// CHECK-LABEL: .entry copies(
// CHECK:       cp.async.ca.shared.global [%{{.*}}], [%{{.*}}], 4;
// CHECK:       cp.async.ca.shared.global [%{{.*}}], [%{{.*}}], 8;
// CHECK:       cp.async.commit_group;
// CHECK:       cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16;
// CHECK:       cp.async.ca.shared.global [%{{.*}}], [%{{.*}}], 16, %r{{.*}};
// CHECK:       cp.async.commit_group;
// CHECK:       cp.async.wait_group 1;
// CHECK:       bar.sync
// CHECK:       cp.async.wait_group 0;
// CHECK:       bar.sync
// OLD: async-copies.mlir:[[#@LINE+9]]:8: error: 'nvgpu.device_async_copy' has no instruction on sm_75: expected sm_80 or later; copy through registers instead, with a load and a store
uop.kernel loops @copies(%x: memref<?x64xf16> {llvm.align = 16 : i64}, %y: memref<64xf16>, %n: index) {
  %t = uop.range local<x> 8
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %s = uop.alloc : !shared
  %i = arith.muli %t, %c8 : index
  %row = memref.subview %s[1, 0] [1, 64] [1, 1] : !shared to memref<64xf16, strided<[1], offset: 64>, #gpu.address_space<workgroup>>
  %a = nvgpu.device_async_copy %x[%n, %i], %s[%c0, %i], 2 : memref<?x64xf16> to !shared
  %b = nvgpu.device_async_copy %x[%n, %i], %row[%i], 4 : memref<?x64xf16> to memref<64xf16, strided<[1], offset: 64>, #gpu.address_space<workgroup>>
  %first = nvgpu.device_async_create_group %a, %b
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c = nvgpu.device_async_copy %x[%n, %i], %s[%c2, %i], 8 {bypassL1} : memref<?x64xf16> to !shared
  %d = nvgpu.device_async_copy %x[%n, %i], %s[%c3, %i], 8, %t : memref<?x64xf16> to !shared
  %second = nvgpu.device_async_create_group %c, %d
  nvgpu.device_async_wait %first {numGroups = 1 : i32}
  uop.barrier
  %r = arith.subi %c63, %i : index
  %v = memref.load %s[%c0, %r] : !shared
  nvgpu.device_async_wait %second
  uop.barrier
  %w = memref.load %s[%c3, %r] : !shared
  %sum = arith.addf %v, %w : f16
  memref.store %sum, %y[%i] : memref<64xf16>
}
