// Between what an argument is decides the width of index arithmetic, reaches
// LLVM, and is in the manifest.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %ptxas -arch=sm_80 %t.ptx -o %t.cubin
// RUN: uop-translate %s --uop-to-llvmir --chip=sm_80 | FileCheck %s --check-prefix=LLVM
// RUN: FileCheck %s --input-file=%t.json --check-prefix=MANIFEST

// 10,000 columns of at most 100,000 rows, and so at most 391 blocks: a flat
// index fits, and so does its remainder.
// CHECK-LABEL: .entry few(
// CHECK-NOT:     {{(div|rem)\.[su]64}}
// CHECK:         {{(div|rem)\.[su]32}}
// CHECK-NOT:     {{(div|rem)\.[su]64}}
// LLVM:        define ptx_kernel void @few(i64 range(i64 1, 100001) %{{[0-9a-z]+}},
// MANIFEST:      "kind": "scalar",
// MANIFEST-NEXT: "name": "arg0",
// MANIFEST-NEXT: "range": [
// MANIFEST-NEXT:   1,
// MANIFEST-NEXT:   100000
// MANIFEST-NEXT: ],
uop.kernel loops @few(%n: index {llvm.range = #llvm.constant_range<i64, 1, 100001>}, %y: memref<100000xi32>) {
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %sum = arith.addi %n, %c255 : index
  %blocks = uop.floordiv %sum, %c256
  %b = uop.range global<x> %blocks
  %t = uop.range local<x> 256
  %base = arith.muli %b, %c256 : index
  %i = arith.addi %base, %t : index
  %at = uop.floormod %i, %n
  %v = arith.index_cast %at : index to i32
  memref.store %v, %y[%at] : memref<100000xi32>
}

// Of any size a remainder takes 64 bits.
// CHECK-LABEL: .entry many(
// CHECK:         {{(div|rem)\.[su]64}}
uop.kernel loops @many(%n: index {llvm.range = #llvm.constant_range<i64, 1, 9223372036854775807>}, %y: memref<100000xi32>) {
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %sum = arith.addi %n, %c255 : index
  %blocks = uop.floordiv %sum, %c256
  %b = uop.range global<x> %blocks
  %t = uop.range local<x> 256
  %base = arith.muli %b, %c256 : index
  %i = arith.addi %base, %t : index
  %at = uop.floormod %i, %n
  %v = arith.index_cast %at : index to i32
  memref.store %v, %y[%at] : memref<100000xi32>
}
