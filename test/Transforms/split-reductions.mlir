// One reduction in two kernels, and the function that launches them.
// RUN: uop-opt %s --uop-split-reductions | FileCheck %s
// RUN: uop-opt %s --uop-split-reductions | uop-opt | FileCheck %s
// RUN: uop-opt %s --uop-split-reductions="remarks=true chip=sm_90" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: uop-opt %s --uop-split-reductions="heuristic=none" | FileCheck %s --check-prefix=NONE

// The parts of the axis are blocks of the first kernel: point k of part s is
// point s * 1024 + k. What comes behind the sum, and the store, are in the
// second kernel. Each has the arguments that it uses.
// CHECK-LABEL: uop.kernel private @gemm_partial(
// CHECK-SAME: %[[A:.*]]: memref<16x4096xf32>, %[[B:.*]]: memref<4096x16xf32>, %[[W:.*]]: memref<4x16x16xf32>)
// CHECK-SAME: schedule = #uop.schedule<[LOCAL 1:16, LOCAL 2:8, UNROLL 0:4, STAGE 1:2]>
// CHECK:   %[[S:.*]] = uop.range loop 4
// CHECK:   %[[M:.*]] = uop.range loop 16
// CHECK:   %[[N:.*]] = uop.range loop 16
// CHECK:   %[[K:.*]] = uop.range reduce 1024
// CHECK:   %[[BASE:.*]] = arith.muli %[[S]], %{{.*}}
// CHECK:   %[[POINT:.*]] = arith.addi %[[BASE]], %[[K]]
// CHECK:   uop.load %[[A]][%[[M]], %[[POINT]]] :
// CHECK:   uop.load %[[B]][%[[POINT]], %[[N]]] :
// CHECK:   %[[SUM:.*]] = uop.reduce add %{{.*}} over(%[[K]]) : f32
// CHECK:   uop.store %[[SUM]], %[[W]][%[[S]], %[[M]], %[[N]]] :
// CHECK-LABEL: uop.kernel private @gemm_combine(
// CHECK-SAME: %[[BIAS:.*]]: memref<16xf32>, %[[C:.*]]: memref<16x16xf32>, %[[W:.*]]: memref<4x16x16xf32>) {
// CHECK:   %[[S:.*]] = uop.range reduce 4
// CHECK:   %[[M:.*]] = uop.range loop 16
// CHECK:   %[[N:.*]] = uop.range loop 16
// CHECK-NOT: uop.range
// CHECK:   %[[P:.*]] = uop.load %[[W]][%[[S]], %[[M]], %[[N]]]
// CHECK:   %[[SUM:.*]] = uop.reduce add %[[P]] over(%[[S]]) : f32
// CHECK:   %[[D:.*]] = uop.load %[[BIAS]][%[[N]]]
// CHECK:   %[[E:.*]] = arith.addf %[[SUM]], %[[D]]
// CHECK:   uop.store %[[E]], %[[C]][%[[M]], %[[N]]]
// CHECK-LABEL: func.func @gemm(
// CHECK-SAME: %[[A:.*]]: memref<16x4096xf32>, %[[B:.*]]: memref<4096x16xf32>, %[[BIAS:.*]]: memref<16xf32>, %[[C:.*]]: memref<16x16xf32>)
// CHECK:   %[[W:.*]] = gpu.alloc () : memref<4x16x16xf32>
// CHECK:   uop.launch @gemm_partial(%[[A]], %[[B]], %[[W]])
// CHECK:   uop.launch @gemm_combine(%[[BIAS]], %[[C]], %[[W]])
// CHECK:   gpu.dealloc %[[W]]
// NONE-LABEL: func.func @gemm(
uop.kernel @gemm(%A: memref<16x4096xf32>, %B: memref<4096x16xf32>, %bias: memref<16xf32>,
                 %C: memref<16x16xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:16, SPLITK 0:4, LOCAL 1:8, UNROLL 0:4, STAGE 1:2]>} {
  %m = uop.range loop 16
  %n = uop.range loop 16
  %k = uop.range reduce 4096
  %a = uop.load %A[%m, %k] : memref<16x4096xf32>
  %b = uop.load %B[%k, %n] : memref<4096x16xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  %d = uop.load %bias[%n] : memref<16xf32>
  %e = arith.addf %c, %d : f32
  uop.store %e, %C[%m, %n] : memref<16x16xf32>
}

// What launched the kernel calls the function.
// CHECK-LABEL: func.func @host(
// CHECK:   call @gemm(%{{.*}}) :
func.func @host(%A: memref<16x4096xf32>, %B: memref<4096x16xf32>, %bias: memref<16xf32>,
                %C: memref<16x16xf32>) {
  uop.launch @gemm(%A, %B, %bias, %C)
    : memref<16x4096xf32>, memref<4096x16xf32>, memref<16xf32>, memref<16x16xf32>
  return
}

// Parts that do not divide the axis begin at sectors of 16 floats; what the last
// one has too many is masked.
// CHECK-LABEL: uop.kernel private @tail_partial(
// CHECK:   uop.range loop 3
// CHECK:   uop.range reduce 336
// CHECK:   %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %c1000
// CHECK:   uop.load %{{.*}}[%{{.*}}] mask %[[IN]]
// CHECK:   uop.reduce add %{{.*}} over(%{{.*}}) mask %[[IN]]
uop.kernel @tail(%x: memref<1000xf32>, %out: memref<1xf32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:3]>} {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 1000
  %v = uop.load %x[%k] : memref<1000xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %out[%c0] over() : memref<1xf32>
}

// All reductions of the axis are divided, and those with several results; a part
// of one point closes a range of one point.
// CHECK-LABEL: uop.kernel private @two_partial(
// CHECK-SAME: memref<6x2xi32>, %{{.*}}: memref<6x2xi32>)
// CHECK:   %[[S:.*]] = uop.range loop 6
// CHECK-NOT: uop.range reduce
// CHECK:   uop.reduce add %{{.*}} over(%c0{{.*}}) : i32
// CHECK:   uop.reduce maxsi %{{.*}} over(%c0{{.*}}) : i32
// CHECK-LABEL: uop.kernel private @two_combine(
// CHECK:   %[[S:.*]] = uop.range reduce 6
// CHECK:   uop.reduce add %{{.*}} over(%[[S]]) : i32
// CHECK:   uop.reduce maxsi %{{.*}} over(%[[S]]) : i32
uop.kernel @two(%x: memref<2x6xi32>, %out: memref<2xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:6]>} {
  %i = uop.range loop 2
  %k = uop.range reduce 6
  %v = uop.load %x[%i, %k] : memref<2x6xi32>
  %s = uop.reduce add %v over(%k) : i32
  %m = uop.reduce maxsi %v over(%k) : i32
  %d = arith.subi %s, %m : i32
  uop.store %d, %out[%i] : memref<2xi32>
}

// A combiner is applied to the parts in their order.
// CHECK-LABEL: uop.kernel private @argmax_combine(
// CHECK:   %[[S:.*]] = uop.range reduce 2
// CHECK:   %[[X:.*]] = uop.load %{{.*}}[%[[S]]] : memref<2xf32>
// CHECK:   %[[I:.*]] = uop.load %{{.*}}[%[[S]]] : memref<2xi32>
// CHECK:   uop.reduce (%[[X]], %[[I]]) init(%{{.*}}, %{{.*}}) over(%[[S]])
uop.kernel @argmax(%x: memref<64xf32>, %out: memref<1xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:2]>} {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 64
  %v = uop.load %x[%k] : memref<64xf32>
  %k32 = arith.index_cast %k : index to i32
  %lowest = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  %best, %at = uop.reduce (%v, %k32) init(%lowest, %none) over(%k)
      combine (%b: f32, %a: i32, %y: f32, %j: i32) {
    %more = arith.cmpf ogt, %y, %b : f32
    %b1 = arith.select %more, %y, %b : f32
    %a1 = arith.select %more, %j, %a : i32
    uop.yield %b1, %a1 : f32, i32
  } : f32, i32
  uop.store %at, %out[%c0] over() : memref<1xi32>
}

// One part is a way to say that there are to be none.
// CHECK-LABEL: uop.kernel @whole(
// CHECK-NOT: SPLITK
// CHECK-NOT: @whole_partial
uop.kernel @whole(%x: memref<4194304xf32>, %out: memref<1xf32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:1]>} {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 4194304
  %v = uop.load %x[%k] : memref<4194304xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %out[%c0] over() : memref<1xf32>
}

// Without a schedule: one block for four million points is few.
// REMARK: remark: @sum default: SPLITK 0:128: its blocks are fewer than the 132 multiprocessors; parts, and a second kernel that combines them, take an estimated 1 % of the time
// CHECK-LABEL: uop.kernel private @sum_partial(
// NONE-NOT: @sum_partial
uop.kernel @sum(%x: memref<4194304xf32>, %out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 4194304
  %v = uop.load %x[%k] : memref<4194304xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %out[%c0] over() : memref<1xf32>
}

// What fills the machine, or is over sooner than a second launch, stays whole.
// REMARK-NOT: remark: @rows
// REMARK-NOT: remark: @short
// CHECK-LABEL: uop.kernel @rows(
uop.kernel @rows(%x: memref<4096x4096xf32>, %out: memref<4096xf32>) {
  %i = uop.range loop 4096
  %k = uop.range reduce 4096
  %v = uop.load %x[%i, %k] : memref<4096x4096xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %out[%i] : memref<4096xf32>
}
// CHECK-LABEL: uop.kernel @short(
uop.kernel @short(%x: memref<16384xf32>, %out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 16384
  %v = uop.load %x[%k] : memref<16384xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %out[%c0] over() : memref<1xf32>
}

// What is mapped by hand is not split by itself, and keeps its axis where it is
// told to be.
// REMARK-NOT: remark: @hand
// CHECK-LABEL: uop.kernel @hand(
uop.kernel @hand(%x: memref<2x4194304xf32>, %out: memref<2x1xf32>) {
  %c0 = arith.constant 0 : index
  %i = uop.range global<x> 2
  %k = uop.range reduce 4194304
  %v = uop.load %x[%i, %k] : memref<2x4194304xf32>
  %s = uop.reduce add %v over(%k) : f32
  %j = uop.range loop 1
  uop.store %s, %out[%i, %j] : memref<2x1xf32>
}
// CHECK-LABEL: uop.kernel private @told_partial(
// CHECK:   uop.range loop 4
// CHECK:   uop.range global<x> 2
uop.kernel @told(%x: memref<2x64xi32>, %out: memref<2x1xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:4]>} {
  %i = uop.range global<x> 2
  %k = uop.range reduce 64
  %v = uop.load %x[%i, %k] : memref<2x64xi32>
  %s = uop.reduce add %v over(%k) : i32
  %j = uop.range loop 1
  uop.store %s, %out[%i, %j] : memref<2x1xi32>
}
