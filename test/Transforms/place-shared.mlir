// Loads become tiles of shared memory, with the mapping or after it.
// RUN: split-file %s %t
// RUN: uop-opt %t/gemm.mlir --uop-place-shared="local=0:16,1:16 kstep=0:16" \
// RUN:   --uop-simplify --cse --uop-lower-to-loops --uop-simplify --cse \
// RUN:   | FileCheck %t/gemm.mlir
// RUN: uop-opt %t/gemm.mlir --uop-gpu-map="local=0:16,1:16" \
// RUN:   --uop-place-shared="kstep=0:16 stage=0:1,1:1" \
// RUN:   --uop-simplify --cse --uop-lower-to-loops --uop-simplify --cse \
// RUN:   | FileCheck %t/gemm.mlir
// RUN: uop-opt %t/gemm.mlir --uop-place-shared="local=0:16,1:16 kstep=0:16" \
// RUN:   --uop-lower-to-loops --uop-verify-races=strict

//--- gemm.mlir
// The kernel that one writes by hand: two tiles of 256 floats, two barriers in
// the loop over k, a block of 16 x 16 for 16 x 16 outputs. So does the mapped
// kernel, of which the loop is split. It has no races.
// CHECK-LABEL: uop.kernel loops @gemm
// CHECK-DAG:     uop.range global<x> 4
// CHECK-DAG:     uop.range global<y> 4
// CHECK-DAG:     %[[X:.*]] = uop.range local<x> 16
// CHECK-DAG:     %[[Y:.*]] = uop.range local<y> 16
// CHECK-DAG:     %[[A:.*]] = uop.alloc {{.*}}: memref<16x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG:     %[[B:.*]] = uop.alloc {{.*}}: memref<16x16xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     uop.alloc
// CHECK-NOT:     uop.barrier
// CHECK:         scf.for
// CHECK:           uop.barrier
// CHECK-COUNT-2:   memref.store {{.*}}[%[[Y]], %[[X]]] : memref<16x16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:      uop.barrier
// CHECK:           scf.for %[[K:[a-z0-9_]+]] =
// CHECK-DAG:         memref.load %{{.*}}[%[[Y]], %[[K]]] : memref<16x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG:         memref.load %{{.*}}[%[[K]], %[[X]]] : memref<16x16xf32, #gpu.address_space<workgroup>>
// CHECK:           scf.yield
// CHECK-NOT:       uop.barrier
// CHECK:         memref.store
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

//--- tails.mlir
// Where the axes do not divide, the tile has what is within the buffer and zero
// beyond; so the loads of the tile have no mask.
// RUN: uop-opt %t/tails.mlir --uop-place-shared="local=0:16,1:16 kstep=0:16" \
// RUN:   --uop-simplify --cse | FileCheck %t/tails.mlir
// CHECK-LABEL: uop.kernel @gemm
// CHECK:         %[[X:.*]] = uop.load %arg0[%{{.*}}, %{{.*}}] mask %{{.*}} : memref<33x40xf32>
// CHECK:         %[[T:.*]] = uop.stage %[[X]]
// CHECK:         uop.load %[[T]][%{{.*}}, %{{.*}}] : !uop.tile<16x16xf32, workgroup>
uop.kernel @gemm(%A: memref<33x40xf32>, %B: memref<40x17xf32>,
                 %C: memref<33x17xf32>) {
  %m = uop.range loop 33
  %n = uop.range loop 17
  %k = uop.range reduce 40
  %a = uop.load %A[%m, %k] : memref<33x40xf32>
  %b = uop.load %B[%k, %n] : memref<40x17xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<33x17xf32>
}

//--- window.mlir
// A convolution reads a window: 8 + 3 - 1 rows and 16 + 3 - 1 columns of one
// channel. Its padding is zero in the tile.
// RUN: uop-opt %t/window.mlir --uop-place-shared="local=1:8,2:16 kstep=0:1 stage=0:1" \
// RUN:   --uop-simplify --cse | FileCheck %t/window.mlir
// CHECK-LABEL: uop.kernel @conv
// CHECK:         uop.stage {{.*}} : !uop.tile<10x18xf32, workgroup>
// CHECK:         uop.load %{{.*}}[%{{.*}}, %{{.*}}] : !uop.tile<10x18xf32, workgroup>
uop.kernel @conv(%x: memref<3x16x16xf32>, %w: memref<4x3x3x3xf32>,
                 %out: memref<4x16x16xf32>) {
  %o = uop.range loop 4
  %i = uop.range loop 16
  %j = uop.range loop 16
  %c = uop.range reduce 3
  %di = uop.range reduce 3
  %dj = uop.range reduce 3
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.addi %i, %di : index
  %j1 = arith.addi %j, %dj : index
  %row = arith.subi %i1, %c1 : index
  %column = arith.subi %j1, %c1 : index
  %above = arith.cmpi sge, %row, %c0 : index
  %below = arith.cmpi slt, %row, %c16 : index
  %left = arith.cmpi sge, %column, %c0 : index
  %right = arith.cmpi slt, %column, %c16 : index
  %rows = arith.andi %above, %below : i1
  %columns = arith.andi %left, %right : i1
  %inside = arith.andi %rows, %columns : i1
  %a = uop.load %x[%c, %row, %column] mask %inside : memref<3x16x16xf32>
  %b = uop.load %w[%o, %c, %di, %dj] : memref<4x3x3x3xf32>
  %p = arith.mulf %a, %b : f32
  %sum = uop.reduce add %p over(%c, %di, %dj) : f32
  uop.store %sum, %out[%o, %i, %j] : memref<4x16x16xf32>
}

//--- default.mlir
// The choice for a large matrix product, each part of it explained, and stated
// of the arguments; a transposition through a tile; and what has no reuse.
// RUN: uop-opt %t/default.mlir --uop-place-shared="chip=sm_90 remarks" \
// RUN:   -o %t/default.out 2> %t/default.err
// RUN: FileCheck %t/default.mlir --check-prefix=REMARK < %t/default.err
// RUN: FileCheck %t/default.mlir < %t/default.out
// REMARK: @gemm default: LOCAL 0:16: a block has a tile of 128 x 128 outputs
// REMARK: @gemm default: UPCAST 0:8: a thread has 8 x 8 of them in registers
// REMARK: @gemm default: VECTORIZE 1:4: a thread reads adjacent elements of the tile at once
// REMARK: @gemm default: KSTEP 0:16: so many points of the reduction are staged at a time
// REMARK: @gemm default: UNROLL 0:16: so is there no loop inside of a step
// REMARK: @gemm default: STAGE 0:2: a block reads each of the 2048 elements 16 times
// REMARK: @gemm default: STAGE 1:2: a block reads each of the 2048 elements 16 times
// REMARK: @gemm place-shared: registers are limited so that 2 blocks share a multiprocessor
// REMARK: @transpose default: STAGE 0:1: both sides of a tile of 32 x 32 are coalesced
// CHECK-LABEL: uop.kernel @gemm(%{{.*}}: memref<4096x4096xf32> {llvm.align = 16 : i64}
// CHECK-SAME:    nvvm.minctasm = 2
// CHECK-SAME:    [LOCAL 0:16, UPCAST 0:8, LOCAL 1:16, UPCAST 1:2, VECTORIZE 1:4, KSTEP 0:16, UNROLL 0:16, STAGE 0:2, STAGE 1:2]
// CHECK:         uop.stage {{.*}} {buffers = 2 : i64, vector = 4 : i64} : !uop.tile<128x16xf32, workgroup>
// CHECK:         uop.stage {{.*}} {buffers = 2 : i64, vector = 4 : i64} : !uop.tile<16x128xf32, workgroup>
// CHECK-LABEL: uop.kernel @transpose
// CHECK:         uop.stage {{.*}} : !uop.tile<32x32xf32, workgroup>
// CHECK-LABEL: uop.kernel @saxpy(%{{.*}}: memref<4096xf32>, %{{.*}}: memref<4096xf32>)
// CHECK-NOT:     uop.stage
uop.kernel @gemm(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>,
                 %C: memref<4096x4096xf32>) {
  %m = uop.range loop 4096
  %n = uop.range loop 4096
  %k = uop.range reduce 4096
  %a = uop.load %A[%m, %k] : memref<4096x4096xf32>
  %b = uop.load %B[%k, %n] : memref<4096x4096xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<4096x4096xf32>
}
uop.kernel @transpose(%x: memref<1024x512xf32>, %y: memref<512x1024xf32>) {
  %i = uop.range loop 512
  %j = uop.range loop 1024
  %v = uop.load %x[%j, %i] : memref<1024x512xf32>
  uop.store %v, %y[%i, %j] : memref<512x1024xf32>
}
uop.kernel @saxpy(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %i = uop.range loop 4096
  %v = uop.load %x[%i] : memref<4096xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %y[%i] : memref<4096xf32>
}

//--- shared.mlir
// Two loads of one row read one tile.
// RUN: uop-opt %t/shared.mlir --uop-place-shared="local=1:16 stage=0:1,1:1" \
// RUN:   | FileCheck %t/shared.mlir
// CHECK-LABEL: uop.kernel @center
// CHECK:         %[[T:.*]] = uop.stage
// CHECK-COUNT-2: uop.load %[[T]][
// CHECK-NOT:     uop.stage
uop.kernel @center(%x: memref<8x16xf32>, %y: memref<8x16xf32>) {
  %i = uop.range loop 8
  %j = uop.range loop 16
  %k = uop.range reduce 16
  %v = uop.load %x[%i, %k] : memref<8x16xf32>
  %most = uop.reduce maximumf %v over(%k) : f32
  %own = uop.load %x[%i, %j] : memref<8x16xf32>
  %d = arith.subf %own, %most : f32
  uop.store %d, %y[%i, %j] : memref<8x16xf32>
}

//--- large.mlir
// Adjacent copies for wide accesses only where these will be wide: without
// tiles nothing is said of how arguments are aligned that do not say so.
// RUN: uop-opt %t/large.mlir --uop-place-shared | FileCheck %t/large.mlir
// CHECK-LABEL: uop.kernel @plain(
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 0:256]>
// CHECK-LABEL: uop.kernel @aligned(
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 0:256, VECTORIZE 0:4]>
uop.kernel @plain(%x: memref<4194304xf32>, %y: memref<4194304xf32>) {
  %i = uop.range loop 4194304
  %v = uop.load %x[%i] : memref<4194304xf32>
  uop.store %v, %y[%i] : memref<4194304xf32>
}
uop.kernel @aligned(%x: memref<4194304xf32> {llvm.align = 16 : i64},
                    %y: memref<4194304xf32> {llvm.align = 16 : i64}) {
  %i = uop.range loop 4194304
  %v = uop.load %x[%i] : memref<4194304xf32>
  uop.store %v, %y[%i] : memref<4194304xf32>
}
