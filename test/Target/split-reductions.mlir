// A reduction in two kernels: both are in the code, and the manifest says in
// which order they are launched, and on what.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin
// RUN: FileCheck %s --input-file=%t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.json --check-prefix=MANIFEST
// RUN: uop-translate %s --uop-to-ptx --split-reductions=false -o - | FileCheck %s --check-prefix=WHOLE
// RUN: uop-opt %s --uop-lower-to-nvvm-pipeline="split-reductions=false" | FileCheck %s --check-prefix=WHOLE-NVVM
// RUN: uop-opt %s --convert-to-nvvm | FileCheck %s --check-prefix=NVVM

// CHECK-DAG: .entry sum_partial(
// CHECK-DAG: .entry sum_combine(
// CHECK-NOT: .entry sum(
// WHOLE-NOT: sum_partial
// WHOLE:     .entry sum(
// WHOLE-NVVM-NOT: sum_partial
// NVVM: llvm.func @sum_partial

// MANIFEST:      "functions": [
// MANIFEST-NEXT: {
// MANIFEST-NEXT: "arguments": [
// MANIFEST-NEXT: "arg0",
// MANIFEST-NEXT: "arg1"
// MANIFEST-NEXT: ],
// MANIFEST-NEXT: "launches": [
// MANIFEST-NEXT: {
// MANIFEST-NEXT: "arguments": [
// MANIFEST-NEXT: "arg0",
// MANIFEST-NEXT: "workspace0"
// MANIFEST-NEXT: ],
// MANIFEST-NEXT: "kernel": "sum_partial"
// MANIFEST-NEXT: },
// MANIFEST-NEXT: {
// MANIFEST-NEXT: "arguments": [
// MANIFEST-NEXT: "arg1",
// MANIFEST-NEXT: "workspace0"
// MANIFEST-NEXT: ],
// MANIFEST-NEXT: "kernel": "sum_combine"
// MANIFEST-NEXT: }
// MANIFEST-NEXT: ],
// MANIFEST-NEXT: "name": "sum",
// MANIFEST-NEXT: "workspaces": [
// MANIFEST-NEXT: {
// 128 partial sums of 4 bytes.
// MANIFEST-NEXT: "bytes": 512,
// MANIFEST-NEXT: "name": "workspace0"
// MANIFEST-NEXT: }
// MANIFEST-NEXT: ]
// MANIFEST-NEXT: }
// MANIFEST-NEXT: ],
// MANIFEST-NEXT: "kernels": [
uop.kernel @sum(%x: memref<4194304xf32>, %out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 4194304
  %v = uop.load %x[%k] : memref<4194304xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %out[%c0] over() : memref<1xf32>
}
