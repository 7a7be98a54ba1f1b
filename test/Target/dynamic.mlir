// A kernel for arrays of any size, to PTX and to a manifest that a launcher can
// act on.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx --implicit-check-not=".extern .func" --implicit-check-not=.local
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx --implicit-check-not=".extern .func" --implicit-check-not=.local
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_100 -o %t.100.ptx
// RUN: FileCheck %s --input-file=%t.100.ptx --implicit-check-not=".extern .func" --implicit-check-not=.local
// RUN: %ptxas -arch=sm_100 %t.100.ptx -o %t.100.cubin

// A pointer with its alignment, then a 64-bit size: the one of an array that is
// only read is read through the read-only cache.
// CHECK:      .entry saxpy(
// CHECK-NEXT: .param .u64 .ptr .align 16 saxpy_param_0,
// CHECK-NEXT: .param .u64 saxpy_param_1,
// CHECK-NEXT: .param .u64 .ptr .align 4 saxpy_param_2,
// CHECK-NEXT: .param .u64 saxpy_param_3,
// CHECK-NEXT: .param .f32 saxpy_param_4
// CHECK:      .reqntid 256, 1, 1
// CHECK-DAG:  ld.param.b64 %[[N:.*]], [saxpy_param_3];
// CHECK:      setp.{{..}}.s64 %{{.*}}, %[[N]],
// CHECK:      ld.global.nc.b32
// CHECK:      ld.global.b32
// CHECK:      fma.rn.f32
// CHECK:      st.global.b32
uop.kernel @saxpy(%x: memref<?xf32> {llvm.align = 16 : i64}, %y: memref<?xf32>, %a: f32) {
  %c0 = arith.constant 0 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  %sum = arith.addi %n, %c255 : index
  %blocks = uop.floordiv %sum, %c256
  %g = uop.range global<x> %blocks
  %t = uop.range local<x> 256
  %o = arith.muli %g, %c256 : index
  %i = arith.addi %o, %t : index
  %in = arith.cmpi slt, %i, %n : index
  %xi = uop.load %x[%i] mask %in : memref<?xf32>
  %yi = uop.load %y[%i] mask %in : memref<?xf32>
  %p = arith.mulf %a, %xi : f32
  %s = arith.addf %p, %yi : f32
  uop.store %s, %y[%i] mask %in : memref<?xf32>
}

// Sizes, strides and offset are 64-bit numbers; one row a thread reads
// sixteen bytes at once where it may.
// CHECK:      .entry rows(
// CHECK-NEXT: .param .u64 .ptr .align 16 rows_param_0,
// CHECK-NEXT: .param .u64 rows_param_1,
// CHECK-NEXT: .param .u64 .ptr .align 4 rows_param_2,
// CHECK-NEXT: .param .u64 rows_param_3,
// CHECK-NEXT: .param .u64 rows_param_4,
// CHECK-NEXT: .param .u64 rows_param_5
// CHECK:      ld.global.nc.v4.b32
// CHECK:      mul{{.*}}64
// CHECK:      st.global.b32
uop.kernel loops @rows(%x: memref<?x4xf32> {llvm.align = 16 : i64}, %y: memref<?x1xf32, strided<[?, 1], offset: ?>>,
                       %k: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %blocks = arith.divsi %n, %k : index
  %i = uop.range global<x> %blocks
  %zero = arith.constant 0.0 : f32
  %v = vector.load %x[%i, %c0] {alignment = 16} : memref<?x4xf32>, vector<4xf32>
  %s = vector.reduction <add>, %v, %zero : vector<4xf32> into f32
  memref.store %s, %y[%i, %c0] : memref<?x1xf32, strided<[?, 1], offset: ?>>
}

// The manifest names what is passed; shapes, strides and grids are numbers or
// expressions of these names.
// RUN: FileCheck %s --input-file=%t.90a.json --check-prefix=MANIFEST
// MANIFEST:      "kind": "memref",
// MANIFEST-NEXT: "name": "arg0",
// MANIFEST-NEXT: "noalias": true,
// MANIFEST-NEXT: "offset": 0,
// MANIFEST-NEXT: "readonly": true,
// MANIFEST-NEXT: "shape": [
// MANIFEST-NEXT:   "arg0_size0"
// MANIFEST-NEXT: ],
// MANIFEST-NEXT: "span": null,
// MANIFEST-NEXT: "strides": [
// MANIFEST-NEXT:   1
// MANIFEST-NEXT: ],
// MANIFEST-NEXT: "type": "f32"
// MANIFEST:      "bytes": 8,
// MANIFEST-NEXT: "dimension": 0,
// MANIFEST-NEXT: "kind": "size",
// MANIFEST-NEXT: "name": "arg0_size0",
// MANIFEST-NEXT: "of": "arg0",
// MANIFEST-NEXT: "type": "index"
// MANIFEST:      "grid": [
// MANIFEST-NEXT:   "(arg1_size0 + 255) >> 8",
// MANIFEST-NEXT:   1,
// MANIFEST-NEXT:   1
// MANIFEST-NEXT: ],

// The size of a dimension that is known only as the kernel runs is chosen by
// its number: no array of sizes in memory.
// CHECK:      .entry choice(
// CHECK:      selp.b
// CHECK:      st.global.b32
uop.kernel loops @choice(%x: memref<4x?xi32>, %d: index) {
  %n = memref.dim %x, %d : memref<4x?xi32>
  %i = uop.range global<x> 4
  %c0 = arith.constant 0 : index
  %v = arith.index_cast %n : index to i32
  memref.store %v, %x[%i, %c0] : memref<4x?xi32>
}
