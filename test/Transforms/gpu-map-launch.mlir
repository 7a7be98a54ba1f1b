// The launch shapes that opts give, worked out by hand: an axis of size s has
// s / local / upcast blocks, and the last axis is x.
// RUN: split-file %s %t
// RUN: uop-opt %t/gemm.mlir --uop-gpu-map="heuristic=none" --uop-print-launch -o /dev/null 2>&1 | FileCheck %t/gemm.mlir --check-prefix=NONE
// RUN: uop-opt %t/gemm.mlir --uop-gpu-map="local=0:4,1:8" --uop-print-launch -o /dev/null 2>&1 | FileCheck %t/gemm.mlir --check-prefix=L4X8
// RUN: uop-opt %t/gemm.mlir --uop-gpu-map="local=0:8,1:16" --uop-print-launch -o /dev/null 2>&1 | FileCheck %t/gemm.mlir --check-prefix=L8X16
// RUN: uop-opt %t/gemm.mlir --uop-gpu-map="local=1:16 upcast=0:2,1:2" --uop-print-launch -o /dev/null 2>&1 | FileCheck %t/gemm.mlir --check-prefix=L16U2
// RUN: uop-opt %t/gemm.mlir --uop-gpu-map="local=0:16,1:16 upcast=0:2,1:2" --uop-print-launch -o /dev/null 2>&1 | FileCheck %t/gemm.mlir --check-prefix=U2
// RUN: uop-opt %t/elementwise.mlir --uop-gpu-map="local=0:16,1:16" --uop-print-launch -o /dev/null 2>&1 | FileCheck %t/elementwise.mlir --check-prefix=L16X16
// RUN: uop-opt %t/softmax.mlir --uop-gpu-map="local=0:16,1:16 upcast=1:2" --uop-print-launch 2>&1 | FileCheck %t/softmax.mlir

//--- gemm.mlir
// NONE:   @gemm_32x64x48: grid (64,32,1), block (1,1,1), 2048 threads, 2048 warps, 3.125 % useful lanes
// L4X8:   @gemm_32x64x48: grid (8,8,1), block (8,4,1), 2048 threads, 64 warps, 100 % useful lanes
// Half of each warp has nothing to do.
// L16U2:  @gemm_32x64x48: grid (2,16,1), block (16,1,1), 512 threads, 32 warps, 50 % useful lanes
uop.kernel @gemm_32x64x48(%A: memref<32x48xf32>, %B: memref<48x64xf32>,
                          %C: memref<32x64xf32>) {
  %m = uop.range loop 32
  %n = uop.range loop 64
  %k = uop.range reduce 48
  %a = uop.load %A[%m, %k] : memref<32x48xf32>
  %b = uop.load %B[%k, %n] : memref<48x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<32x64xf32>
}

// NONE:   @gemm_64x64x64: grid (64,64,1), block (1,1,1), 4096 threads, 4096 warps, 3.125 % useful lanes
// L8X16:  @gemm_64x64x64: grid (4,8,1), block (16,8,1), 4096 threads, 128 warps, 100 % useful lanes
// Four accumulators a thread.
// U2:     @gemm_64x64x64: grid (2,2,1), block (16,16,1), 1024 threads, 32 warps, 100 % useful lanes
uop.kernel @gemm_64x64x64(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                          %C: memref<64x64xf32>) {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 64
  %a = uop.load %A[%m, %k] : memref<64x64xf32>
  %b = uop.load %B[%k, %n] : memref<64x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}

//--- elementwise.mlir
// L16X16: @elementwise: grid (8,4,1), block (16,16,1), 8192 threads, 256 warps, 100 % useful lanes
uop.kernel @elementwise(%in: memref<64x128xf32>, %out: memref<64x128xf32>) {
  %i = uop.range loop 64
  %j = uop.range loop 128
  %two = arith.constant 2.0 : f32
  %one = arith.constant 1.0 : f32
  %x = uop.load %in[%i, %j] : memref<64x128xf32>
  %y = arith.mulf %x, %two : f32
  %z = arith.addf %y, %one : f32
  uop.store %z, %out[%i, %j] : memref<64x128xf32>
}

//--- softmax.mlir
// One block covers both axes: no block index.
// CHECK:       @softmax: grid (1,1,1), block (16,16,1), 256 threads, 8 warps, 100 % useful lanes
// CHECK-LABEL: uop.kernel @softmax
// CHECK-NOT:     global
// CHECK:         uop.range local<y> 16
// CHECK:         uop.range upcast 2
// CHECK:         uop.range local<x> 16
// CHECK-NOT:     global
uop.kernel @softmax(%in: memref<16x32xf32>, %out: memref<16x32xf32>) {
  %i = uop.range loop 16
  %j = uop.range loop 32
  %k = uop.range reduce 32
  %row = uop.load %in[%i, %k] : memref<16x32xf32>
  %max = uop.reduce maximumf %row over(%k) : f32
  %x = uop.load %in[%i, %j] : memref<16x32xf32>
  %d = arith.subf %x, %max : f32
  %e = math.exp2 %d : f32
  uop.store %e, %out[%i, %j] : memref<16x32xf32>
}
