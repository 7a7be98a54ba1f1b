// The memory traffic of matrix products, by how they are mapped.
// RUN: split-file %s %t

//--- small.mlir
// Blocks of 16x16 threads: .x along the last axis, then along the first.
// RUN: uop-opt %t/small.mlir --uop-gpu-map=local=0:16,1:16 --uop-lower-to-loops --uop-print-traffic -o /dev/null 2>&1 | FileCheck %t/small.mlir --check-prefix=LAST
// RUN: uop-opt %t/small.mlir --uop-gpu-map="local=0:16,1:16 swap=0:1" --uop-lower-to-loops --uop-print-traffic -o /dev/null 2>&1 | FileCheck %t/small.mlir --check-prefix=FIRST
// LAST: global load: 8192 requests, 2 sec x8192 (
// LAST: global load: 8192 requests, 2 sec x8192 (
// LAST: global store: 128 requests, 4 sec x128 (
// FIRST: global load: 8192 requests, 16 sec x8192 (
// FIRST: global load: 8192 requests, 1 sec x8192 (
// FIRST: global store: 128 requests, 16 sec x128 (

// 2x2 outputs a thread: neighbouring lanes stay adjacent, unless the copies do.
// RUN: uop-opt %t/small.mlir --uop-gpu-map="local=0:16,1:16 upcast=0:2,1:2" --uop-lower-to-loops --uop-print-traffic -o /dev/null 2>&1 | FileCheck %t/small.mlir --check-prefix=LANES
// RUN: uop-opt %t/small.mlir --uop-gpu-map="local=0:16,1:16 upcast=0:2,1:2 upcast-layout=cpu" --uop-lower-to-loops --uop-print-traffic -o /dev/null 2>&1 | FileCheck %t/small.mlir --check-prefix=COPIES
// LANES-COUNT-4: global load: 2048 requests, 2 sec x2048 (
// LANES-COUNT-4: global store: 32 requests, 4 sec x32 (
// COPIES: small.mlir:[[#]]:8: remark: global load: 2048 requests, 2 sec x2048 (
// COPIES-COUNT-2: global load: 2048 requests, 4 sec x2048 (
// COPIES: global load: 2048 requests, 2 sec x2048 (
// COPIES-COUNT-4: global store: 32 requests, 8 sec x32 (
uop.kernel @gemm(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 64
  %a = uop.load %A[%m, %k] : memref<64x64xf32>
  %b = uop.load %B[%k, %n] : memref<64x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}

//--- tiles.mlir
// N = 32 and blocks of 8x8 threads. Plain: 65,536 elements are loaded, and
// 5120 + 128 = 5248 transactions made. Through tiles of 8x8 in shared memory:
// 8,192 elements, 1024 + 128 = 1152 transactions.
// RUN: uop-opt %t/tiles.mlir --uop-gpu-map=local=0:8,1:8 --uop-lower-to-loops --uop-print-traffic -o /dev/null 2>&1 | FileCheck %t/tiles.mlir
// CHECK: @plain; global loads: 2048 requests, 65536 elements, 5120 sectors (ideal 8192), 5120 transactions; global stores: 32 requests, 1024 elements, 128 sectors (ideal 128), 128 transactions{{$}}
// CHECK: @tiled; global loads: 256 requests, 8192 elements, 1024 sectors (ideal 1024), 1024 transactions; global stores: 32 requests, 1024 elements, 128 sectors (ideal 128), 128 transactions;
uop.kernel @plain(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  %m = uop.range loop 32
  %n = uop.range loop 32
  %k = uop.range reduce 32
  %a = uop.load %A[%m, %k] : memref<32x32xf32>
  %b = uop.load %B[%k, %n] : memref<32x32xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<32x32xf32>
}
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
uop.kernel loops @tiled(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  %by = uop.range global<y> 4
  %bx = uop.range global<x> 4
  %ty = uop.range local<y> 8
  %tx = uop.range local<x> 8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %sA = uop.alloc : !tile
  %sB = uop.alloc : !tile
  %by8 = arith.muli %by, %c8 : index
  %bx8 = arith.muli %bx, %c8 : index
  %row = arith.addi %by8, %ty : index
  %col = arith.addi %bx8, %tx : index
  %sum = scf.for %k0 = %c0 to %c32 step %c8 iter_args(%acc = %zero) -> f32 {
    %ka = arith.addi %k0, %tx : index
    %kb = arith.addi %k0, %ty : index
    %a = memref.load %A[%row, %ka] : memref<32x32xf32>
    %b = memref.load %B[%kb, %col] : memref<32x32xf32>
    memref.store %a, %sA[%ty, %tx] : !tile
    memref.store %b, %sB[%ty, %tx] : !tile
    uop.barrier
    %part = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %acc) -> f32 {
      %x = memref.load %sA[%ty, %k] : !tile
      %y = memref.load %sB[%k, %tx] : !tile
      %p = arith.mulf %x, %y : f32
      %n = arith.addf %s, %p : f32
      scf.yield %n : f32
    }
    uop.barrier
    scf.yield %part : f32
  }
  memref.store %sum, %C[%row, %col] : memref<32x32xf32>
}

//--- large.mlir
// N = 4096, whose requests are far too many to be made one by one. Elements
// loaded from global memory, times 4 bytes: 549.8 GB plain, 34.4 with block
// tiles of 16x16, 17.2 with 32x32, 8.6 with 64x64, 4.3 with 128x128.
// Shared loads a multiply-add (4096^3 = 68,719,476,736): 2, 2, then with thread
// tiles of 4x4 and 8x8 0.5 and 0.25.
// RUN: uop-opt %t/large.mlir --uop-gpu-map --uop-lower-to-loops --uop-print-traffic -o /dev/null 2>&1 | FileCheck %t/large.mlir
// CHECK: @plain; global loads: {{[0-9]+}} requests, 137438953472 elements
// CHECK: @t16; global loads: {{[0-9]+}} requests, 8589934592 elements, {{.*}}; shared loads: {{[0-9]+}} requests, 137438953472 elements
// CHECK: @t32; global loads: {{[0-9]+}} requests, 4294967296 elements, {{.*}}; shared loads: {{[0-9]+}} requests, 137438953472 elements
// CHECK: @t64; global loads: {{[0-9]+}} requests, 2147483648 elements, {{.*}}; shared loads: {{[0-9]+}} requests, 34359738368 elements
// CHECK: @t128; global loads: {{[0-9]+}} requests, 1073741824 elements, {{.*}}; shared loads: {{[0-9]+}} requests, 17179869184 elements
!m = memref<4096x4096xf32>
uop.kernel @plain(%A: !m, %B: !m, %C: !m) attributes {schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16]>} {
  %m = uop.range loop 4096
  %n = uop.range loop 4096
  %k = uop.range reduce 4096
  %a = uop.load %A[%m, %k] : !m
  %b = uop.load %B[%k, %n] : !m
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !m
}
uop.kernel @t16(%A: !m, %B: !m, %C: !m) attributes {schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, KSTEP 0:16, STAGE 0:1, STAGE 1:1]>} {
  %m = uop.range loop 4096
  %n = uop.range loop 4096
  %k = uop.range reduce 4096
  %a = uop.load %A[%m, %k] : !m
  %b = uop.load %B[%k, %n] : !m
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !m
}
uop.kernel @t32(%A: !m, %B: !m, %C: !m) attributes {schedule = #uop.schedule<[LOCAL 0:32, LOCAL 1:32, KSTEP 0:32, STAGE 0:1, STAGE 1:1]>} {
  %m = uop.range loop 4096
  %n = uop.range loop 4096
  %k = uop.range reduce 4096
  %a = uop.load %A[%m, %k] : !m
  %b = uop.load %B[%k, %n] : !m
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !m
}
uop.kernel @t64(%A: !m, %B: !m, %C: !m) attributes {schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, UPCAST 0:4, UPCAST 1:4, KSTEP 0:16, STAGE 0:1, STAGE 1:1]>} {
  %m = uop.range loop 4096
  %n = uop.range loop 4096
  %k = uop.range reduce 4096
  %a = uop.load %A[%m, %k] : !m
  %b = uop.load %B[%k, %n] : !m
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !m
}
uop.kernel @t128(%A: !m, %B: !m, %C: !m) attributes {schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, UPCAST 0:8, UPCAST 1:8, KSTEP 0:16, STAGE 0:1, STAGE 1:1]>} {
  %m = uop.range loop 4096
  %n = uop.range loop 4096
  %k = uop.range reduce 4096
  %a = uop.load %A[%m, %k] : !m
  %b = uop.load %B[%k, %n] : !m
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !m
}

//--- tiled.mlir
// N = 1024: 2 * 1024^3 elements plain, 1/16 of them through tiles of 16x16, and
// 1/32 through 32x32, whose block is just allowed. A block of the first loads
// 32,768 elements, one of the second 65,536: 8 and 16 multiply-adds for each
// (1024^3 in all), against a half.
// RUN: uop-opt %t/tiled.mlir --uop-gpu-map --uop-lower-to-loops --uop-print-traffic -o /dev/null 2>&1 | FileCheck %t/tiled.mlir
// RUN: uop-opt %t/tiled.mlir --uop-gpu-map --uop-lower-to-loops --uop-print-traffic="block=0,0,0" -o /dev/null 2>&1 | FileCheck %t/tiled.mlir --check-prefix=BLOCK
// CHECK: @plain; global loads: {{[0-9]+}} requests, 2147483648 elements
// CHECK: @t16; global loads: {{[0-9]+}} requests, 134217728 elements
// CHECK: @t32; global loads: {{[0-9]+}} requests, 67108864 elements
// BLOCK: @t16; global loads: {{[0-9]+}} requests, 32768 elements
// BLOCK: @t32; global loads: {{[0-9]+}} requests, 65536 elements
!m = memref<1024x1024xf32>
uop.kernel @plain(%A: !m, %B: !m, %C: !m) attributes {schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16]>} {
  %m = uop.range loop 1024
  %n = uop.range loop 1024
  %k = uop.range reduce 1024
  %a = uop.load %A[%m, %k] : !m
  %b = uop.load %B[%k, %n] : !m
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !m
}
uop.kernel @t16(%A: !m, %B: !m, %C: !m) attributes {schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, KSTEP 0:16, STAGE 0:1, STAGE 1:1]>} {
  %m = uop.range loop 1024
  %n = uop.range loop 1024
  %k = uop.range reduce 1024
  %a = uop.load %A[%m, %k] : !m
  %b = uop.load %B[%k, %n] : !m
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !m
}
uop.kernel @t32(%A: !m, %B: !m, %C: !m) attributes {schedule = #uop.schedule<[LOCAL 0:32, LOCAL 1:32, KSTEP 0:32, STAGE 0:1, STAGE 1:1]>} {
  %m = uop.range loop 1024
  %n = uop.range loop 1024
  %k = uop.range reduce 1024
  %a = uop.load %A[%m, %k] : !m
  %b = uop.load %B[%k, %n] : !m
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : !m
}
