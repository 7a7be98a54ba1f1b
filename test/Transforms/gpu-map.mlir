// What a kernel looks like once its axes are split and mapped.
// RUN: uop-opt %s --uop-gpu-map="local=0:16,1:16 upcast=0:2,1:2 unroll=0:4" | FileCheck %s
// RUN: uop-opt %s --uop-gpu-map="local=0:16,1:16 upcast=0:2,1:2 upcast-layout=cpu" | FileCheck %s --check-prefix=CPU
// RUN: uop-opt %s --uop-gpu-map=heuristic=none | FileCheck %s --check-prefix=NONE

// Block g, copy c of U = 2 and thread l of L = 16 are at (g*U + c)*L + l. The
// last axis has dimension x. The schedule is kept, and a reduce axis ascends:
// its outer part first.
// CHECK-LABEL: uop.kernel @gemm
// CHECK-SAME:    #uop.schedule<[LOCAL 0:16, LOCAL 1:16, UPCAST 0:2, UPCAST 1:2, UNROLL 0:4]>
// CHECK:         %[[GY:.*]] = uop.range global<y> 2
// CHECK:         %[[CY:.*]] = uop.range upcast 2
// CHECK:         %[[U:.*]] = arith.constant 2 : index
// CHECK:         %[[GUY:.*]] = arith.muli %[[GY]], %[[U]] : index
// CHECK:         %[[GCY:.*]] = arith.addi %[[GUY]], %[[CY]] : index
// CHECK:         %[[LY:.*]] = uop.range local<y> 16
// CHECK:         %[[L:.*]] = arith.constant 16 : index
// CHECK:         %[[GCLY:.*]] = arith.muli %[[GCY]], %[[L]] : index
// CHECK:         %[[M:.*]] = arith.addi %[[GCLY]], %[[LY]] : index
// CHECK:         %[[GX:.*]] = uop.range global<x> 2
// CHECK:         %[[CX:.*]] = uop.range upcast 2
// CHECK:         %[[LX:.*]] = uop.range local<x> 16
// CHECK:         %[[N:.*]] = arith.addi %{{.*}}, %[[LX]] : index
// CHECK:         %[[KO:.*]] = uop.range reduce 16
// CHECK:         %[[KI:.*]] = uop.range unroll 4
// CHECK:         %[[C4:.*]] = arith.constant 4 : index
// CHECK:         %[[KO4:.*]] = arith.muli %[[KO]], %[[C4]] : index
// CHECK:         %[[K:.*]] = arith.addi %[[KO4]], %[[KI]] : index
// CHECK:         uop.load %{{.*}}[%[[M]], %[[K]]]
// CHECK:         uop.load %{{.*}}[%[[K]], %[[N]]]
// CHECK:         %[[SUM:.*]] = uop.reduce add %{{.*}} over(%[[KO]], %[[KI]])
// The domain is all six ranges, which is what the operands are free in.
// CHECK:         uop.store %[[SUM]], %{{.*}}[%[[M]], %[[N]]] : memref<64x64xf32>

// In the CPU layout the copies of a thread are neighbours: (g*L + l)*U + c.
// CPU-LABEL: uop.kernel @gemm
// CPU-SAME:    upcast_layout = cpu
// CPU:         %[[G:.*]] = uop.range global<y> 2
// CPU:         %[[LY:.*]] = uop.range local<y> 16
// CPU:         %[[L:.*]] = arith.constant 16 : index
// CPU:         %[[GL:.*]] = arith.muli %[[G]], %[[L]] : index
// CPU:         %[[GLL:.*]] = arith.addi %[[GL]], %[[LY]] : index
// CPU:         %[[C:.*]] = uop.range upcast 2
// CPU:         %[[U:.*]] = arith.constant 2 : index
// CPU:         %[[GLU:.*]] = arith.muli %[[GLL]], %[[U]] : index
// CPU:         arith.addi %[[GLU]], %[[C]] : index

// Without opts each output is a block of one thread: no thread index at all.
// NONE-LABEL: uop.kernel @gemm
// NONE-SAME:    schedule = #uop.schedule<[]>
// NONE-NOT:     local
// NONE-NOT:     upcast
// NONE:         uop.range global<y> 64
// NONE:         uop.range global<x> 64
// NONE-NOT:     local
uop.kernel @gemm(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
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
