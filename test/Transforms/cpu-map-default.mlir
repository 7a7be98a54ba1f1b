// What the heuristic for a CPU chooses, and what it says; and its errors.
// RUN: uop-opt %s --uop-cpu-map="threads=4 remarks" -o /dev/null 2>&1 | FileCheck %s
// RUN: not uop-opt %s --uop-cpu-map="heuristic=basic" 2>&1 | FileCheck %s --check-prefix=HEURISTIC
// RUN: not uop-opt %s --uop-cpu-map="heuristic=default tile=0:4" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not uop-opt %s --uop-cpu-map="threads=-1" 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not uop-opt %s --uop-cpu-map="tile=0:0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not uop-opt %s --uop-cpu-map --uop-cpu-map=heuristic=none 2>&1 | FileCheck %s --check-prefix=MAPPED
// HEURISTIC: error: uop-cpu-map: expected heuristic to be default or none, but got 'basic'
// BOTH: error: uop-cpu-map: expected either heuristic=default or opts (thread, tile, upcast, ...), but got both
// THREADS: error: uop-cpu-map: expected threads to be 0 or more, but got -1
// ZERO: error: uop-cpu-map: expected tile to be a list of axis:amount, with axes from 0 and amounts from 1, such as tile=0:16,1:8, but got '0:0'
// MAPPED: error: cannot map @gemm: it is mapped already; give uop-cpu-map the kernel as it was before, or no options

// 16 floats fill 64 bytes, 8 rows share them, and 64/8 steps go to 4 threads.
// CHECK: @gemm default: UPCAST 1:16: outputs along the contiguous axis make a vector
// CHECK: @gemm default: UPCAST 0:8: outputs along the axis share a load
// CHECK: @gemm default: THREAD 0:4: the outermost axis
uop.kernel @gemm(%A: memref<64x16xf32>, %B: memref<16x64xf32>, %C: memref<64x64xf32>) {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 16
  %a = uop.load %A[%m, %k] : memref<64x16xf32>
  %b = uop.load %B[%k, %n] : memref<16x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}

// 7 divides 35 and is near 8; 61 columns have a tail of 13. What is no more than
// a vector or the rows has copies for all.
// CHECK: @tails default: UPCAST 1:16:
// CHECK: @tails default: UPCAST 0:7:
// CHECK: @narrow default: UPCAST 1:10:
// CHECK: @narrow default: UPCAST 0:3:
uop.kernel @tails(%A: memref<35x9xf32>, %B: memref<9x61xf32>, %C: memref<35x61xf32>) {
  %m = uop.range loop 35
  %n = uop.range loop 61
  %k = uop.range reduce 9
  %a = uop.load %A[%m, %k] : memref<35x9xf32>
  %b = uop.load %B[%k, %n] : memref<9x61xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<35x61xf32>
}
uop.kernel @narrow(%A: memref<3x9xf32>, %B: memref<9x10xf32>, %C: memref<3x10xf32>) {
  %m = uop.range loop 3
  %n = uop.range loop 10
  %k = uop.range reduce 9
  %a = uop.load %A[%m, %k] : memref<3x9xf32>
  %b = uop.load %B[%k, %n] : memref<9x10xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<3x10xf32>
}

// A size that nobody knows is taken to be large.
// CHECK: @dynamic default: UPCAST 1:16:
// CHECK: @dynamic default: UPCAST 0:8:
// CHECK: @dynamic default: THREAD 0:4:
uop.kernel @dynamic(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = memref.dim %C, %c0 : memref<?x?xf32>
  %N = memref.dim %C, %c1 : memref<?x?xf32>
  %K = memref.dim %A, %c1 : memref<?x?xf32>
  %m = uop.range loop %M
  %n = uop.range loop %N
  %k = uop.range reduce %K
  %a = uop.load %A[%m, %k] : memref<?x?xf32>
  %b = uop.load %B[%k, %n] : memref<?x?xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<?x?xf32>
}

// 64 bytes are 64 elements of i8, of which two rows are as many accumulators as
// there may be.
// CHECK: @bytes default: UPCAST 1:64:
// CHECK: @bytes default: UPCAST 0:2:
uop.kernel @bytes(%A: memref<64x9xi8>, %B: memref<9x64xi8>, %C: memref<64x64xi8>) {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 9
  %a = uop.load %A[%m, %k] : memref<64x9xi8>
  %b = uop.load %B[%k, %n] : memref<9x64xi8>
  %p = arith.muli %a, %b : i8
  %c = uop.reduce add %p over(%k) : i8
  uop.store %c, %C[%m, %n] : memref<64x64xi8>
}

// Rows are loaded and columns stored.
// CHECK: @transpose default: TILE 0:32: what is loaded along one axis is stored along another
// CHECK: @transpose default: TILE 1:32:
// CHECK: @transpose default: THREAD 0:4:
uop.kernel @transpose(%x: memref<256x256xf32>, %y: memref<256x256xf32>) {
  %i = uop.range loop 256
  %j = uop.range loop 256
  %v = uop.load %x[%j, %i] : memref<256x256xf32>
  uop.store %v, %y[%i, %j] : memref<256x256xf32>
}

// CHECK: @small default: no threads: 100 points are not worth starting them
uop.kernel @small(%out: memref<100xi32>) {
  %i = uop.range loop 100
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<100xi32>
}

// A prime number of points has no divisor near 4: unequal parts.
// CHECK: @prime default: THREAD 0:4: the outermost axis
uop.kernel @prime(%out: memref<1000003xi32>) {
  %i = uop.range loop 1000003
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<1000003xi32>
}

// CHECK: @gpu_schedule has a schedule for a GPU, which is left aside
uop.kernel @gpu_schedule(%out: memref<100xi32>)
    attributes {schedule = #uop.schedule<[NOLOCALS]>} {
  %i = uop.range loop 100
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<100xi32>
}
