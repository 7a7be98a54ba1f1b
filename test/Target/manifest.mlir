// The manifest says what a launcher must know; two gpu.modules go to one file.
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.json
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PTX
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90 --manifest=%t.other.json | FileCheck %s --check-prefix=PTX
// RUN: FileCheck %s --input-file=%t.other.json --check-prefix=STDOUT
// A file that is in NVVM already says the same.
// RUN: uop-opt %s --convert-to-nvvm=chip=sm_90 | uop-translate --uop-to-ptx -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s --input-file=%t.json

// PTX-COUNT-1: .version
// PTX: .entry scale(
// PTX: .entry one()
// PTX: .reqntid 1, 1, 1

// STDOUT: "code": null

// Element [0, 0] of the argument lies three elements after the pointer, and
// the last one, [3, 7], 3 + 3 * 16 + 7 after it: 59 elements, 236 bytes.
// CHECK:      "chip": "sm_90",
// CHECK-NEXT: "code": "manifest.mlir.tmp.ptx",
// CHECK-NEXT: "functions": [],
// CHECK-NEXT: "kernels": [
// CHECK-NEXT:   {
// CHECK-NEXT:     "arguments": [
// CHECK-NEXT:       {
// CHECK-NEXT:         "align": 16,
// CHECK-NEXT:         "bytes": 4,
// CHECK-NEXT:         "kind": "memref",
// CHECK-NEXT:         "name": "arg0",
// CHECK-NEXT:         "noalias": true,
// CHECK-NEXT:         "offset": 3,
// CHECK-NEXT:         "readonly": false,
// CHECK-NEXT:         "shape": [
// CHECK-NEXT:           4,
// CHECK-NEXT:           8
// CHECK-NEXT:         ],
// CHECK-NEXT:         "span": 236,
// CHECK-NEXT:         "strides": [
// CHECK-NEXT:           16,
// CHECK-NEXT:           1
// CHECK-NEXT:         ],
// CHECK-NEXT:         "type": "f32"
// CHECK-NEXT:       },
// CHECK-NEXT:       {
// CHECK-NEXT:         "bytes": 2,
// CHECK-NEXT:         "kind": "scalar",
// CHECK-NEXT:         "name": "arg1",
// CHECK-NEXT:         "type": "bf16"
// CHECK-NEXT:       },
// CHECK-NEXT:       {
// CHECK-NEXT:         "bytes": 8,
// CHECK-NEXT:         "kind": "scalar",
// CHECK-NEXT:         "name": "arg2",
// CHECK-NEXT:         "type": "index"
// CHECK-NEXT:       }
// CHECK-NEXT:     ],
// The sizes are those of the launch.
// CHECK-NEXT:     "block": [
// CHECK-NEXT:       8,
// CHECK-NEXT:       4,
// CHECK-NEXT:       1
// CHECK-NEXT:     ],
// CHECK-NEXT:     "dynamic_shared_bytes": 0,
// CHECK-NEXT:     "grid": [
// CHECK-NEXT:       2,
// CHECK-NEXT:       1,
// CHECK-NEXT:       1
// CHECK-NEXT:     ],
// CHECK-NEXT:     "module": "first",
// CHECK-NEXT:     "name": "scale",
// CHECK-NEXT:     "shared_bytes": 128
// CHECK-NEXT:   },
// CHECK-NEXT:   {
// CHECK-NEXT:     "arguments": [],
// CHECK-NEXT:     "block": [
// CHECK-NEXT:       1,
// CHECK-NEXT:       1,
// CHECK-NEXT:       1
// CHECK-NEXT:     ],
// CHECK-NEXT:     "dynamic_shared_bytes": 0,
// Nobody says how many blocks.
// CHECK-NEXT:     "grid": null,
// CHECK-NEXT:     "module": "second",
// CHECK-NEXT:     "name": "one",
// CHECK-NEXT:     "shared_bytes": 0
// CHECK-NEXT:   }
// CHECK-NEXT: ],
// CHECK-NEXT: "version": 1
#layout = strided<[16, 1], offset: 3>
#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  gpu.module @first {
    gpu.func @scale(%x: memref<4x8xf32, #layout> {llvm.noalias, llvm.align = 16 : i64}, %s: bf16, %n: index)
        workgroup(%tile: memref<4x8xf32, #shared>) kernel {
      %i = gpu.thread_id x
      %j = gpu.thread_id y
      %f = arith.extf %s : bf16 to f32
      %v = memref.load %x[%j, %i] : memref<4x8xf32, #layout>
      memref.store %v, %tile[%j, %i] : memref<4x8xf32, #shared>
      gpu.barrier
      %w = memref.load %tile[%i, %j] : memref<4x8xf32, #shared>
      %r = arith.mulf %w, %f : f32
      memref.store %r, %x[%j, %i] : memref<4x8xf32, #layout>
      gpu.return
    }
  }
  gpu.module @second {
    gpu.func @one() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
  func.func @main(%x: memref<4x8xf32, #layout>, %s: bf16, %n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @first::@scale blocks in (%c2, %c1, %c1) threads in (%c8, %c4, %c1) args(%x : memref<4x8xf32, #layout>, %s : bf16, %n : index)
    return
  }
}
