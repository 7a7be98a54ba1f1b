// Index arithmetic takes 32 bits where its bounds prove that it fits, and 64
// where they do not.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx --check-prefixes=CHECK,AUTO
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 --index-width=64 -o %t.64.ptx
// RUN: FileCheck %s --input-file=%t.64.ptx --check-prefixes=CHECK,WIDE
// RUN: %ptxas -arch=sm_80 %t.64.ptx -o %t.64.cubin

// At most 7 * 63 + 255: the remainder is one of 32 bits.
// CHECK-LABEL: .entry fits(
// AUTO-NOT: mul.hi.{{[su]}}64
// AUTO: mul.hi.{{[su]}}32
// AUTO-NOT: mul.hi.{{[su]}}64
// WIDE-NOT: mul.hi.{{[su]}}32
// WIDE: mul.hi.{{[su]}}64

// 70000 * 70000 elements: a flat index does not fit. A row is 280000 bytes.
// CHECK-LABEL: .entry large(
// CHECK: mul.wide.u32 %rd{{.*}}, %r{{.*}}, 280000
// CHECK: add.s64

// Each term of the address fits 31 bits, their sum of up to 2189426687 does not:
// the terms are added in 64 bits, and nothing is extended by its sign.
// CHECK-LABEL: .entry sum_exceeds(
// AUTO-NOT: cvt.s64.s32
// AUTO-NOT: mul.wide.s32
// AUTO-DAG: mul.wide.u32 %rd{{[0-9]+}}, %r{{[0-9]+}}, 12582912
// AUTO-DAG: mul.wide.u32 %rd{{[0-9]+}}, %r{{[0-9]+}}, 729808896
// AUTO-DAG: mul.wide.u32 %rd{{[0-9]+}}, %r{{[0-9]+}}, 48
// AUTO: add.s64
// AUTO: add.s64
// AUTO: add.s64
// AUTO-NOT: cvt.s64.s32
// AUTO: st.global.b8

// With 64 in place of 262144 all of it fits: one addition in 64 bits is left,
// that of the offset to the buffer.
// CHECK-LABEL: .entry sum_fits(
// AUTO-NOT: {{(add|mul|mad).*64}}
// AUTO-NOT: mul.wide
// AUTO: mad.lo.s32
// AUTO: add.s64
// AUTO-NOT: {{(add|mul|mad).*64}}
// AUTO: st.global.b8
gpu.module @index_width {
  gpu.func @fits(%x: memref<64x48xf32> {llvm.noalias, llvm.readonly},
                 %y: memref<256xf32> {llvm.noalias}, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c48 = arith.constant 48 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %wide = arith.index_cast %n : i32 to index
    %end = arith.minsi %wide, %c64 : index
    %sum = scf.for %j = %c0 to %end step %c1 iter_args(%acc = %zero) -> f32 {
      %j7 = arith.muli %j, %c7 : index
      %s = arith.addi %j7, %t : index
      %k = arith.remsi %s, %c48 : index
      %v = memref.load %x[%j, %k] : memref<64x48xf32>
      %w = arith.addf %acc, %v : f32
      scf.yield %w : f32
    }
    memref.store %sum, %y[%t] : memref<256xf32>
    gpu.return
  }
  gpu.func @large(%x: memref<70000x70000xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 70000, 1, 1>} {
    %c70000 = arith.constant 70000 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %row = arith.muli %b, %c70000 : index
    %flat = arith.addi %row, %t : index
    %m = arith.divsi %flat, %c70000 : index
    %n = arith.remsi %flat, %c70000 : index
    %v = memref.load %x[%m, %n] : memref<70000x70000xf32>
    %w = arith.negf %v : f32
    memref.store %w, %x[%m, %n] : memref<70000x70000xf32>
    gpu.return
  }
  // out[58, 3, 262144, 16, 3], written in an order of its own.
  gpu.func @sum_exceeds(%x: memref<1xi8> {llvm.noalias, llvm.readonly},
                        %out: memref<58x3x262144x16x3xi8, strided<[12582912, 729808896, 48, 3, 1]>> {llvm.noalias}) kernel
      attributes {known_block_size = array<i32: 48, 1, 1>, known_grid_size = array<i32: 262144, 3, 58>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %a = gpu.block_id z
    %b = gpu.block_id y
    %c = gpu.block_id x
    %t = gpu.thread_id x
    %d = arith.divui %t, %c3 : index
    %e = arith.remui %t, %c3 : index
    %v = memref.load %x[%c0] : memref<1xi8>
    memref.store %v, %out[%a, %b, %c, %d, %e] : memref<58x3x262144x16x3xi8, strided<[12582912, 729808896, 48, 3, 1]>>
    gpu.return
  }
  gpu.func @sum_fits(%x: memref<1xi8> {llvm.noalias, llvm.readonly},
                     %out: memref<58x3x64x16x3xi8, strided<[3072, 178176, 48, 3, 1]>> {llvm.noalias}) kernel
      attributes {known_block_size = array<i32: 48, 1, 1>, known_grid_size = array<i32: 64, 3, 58>} {
    %c0 = arith.constant 0 : index
    %a = gpu.block_id z
    %b = gpu.block_id y
    %c = gpu.block_id x
    %t = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %d = arith.divui %t, %c3 : index
    %e = arith.remui %t, %c3 : index
    %v = memref.load %x[%c0] : memref<1xi8>
    memref.store %v, %out[%a, %b, %c, %d, %e] : memref<58x3x64x16x3xi8, strided<[3072, 178176, 48, 3, 1]>>
    gpu.return
  }
}
