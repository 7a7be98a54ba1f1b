// Which threads of a tile are a warp: given as opts, or chosen by the counts.
// RUN: split-file %s %t

//--- given.mlir
// A warp has 8 x 4 of 16 x 16 threads, which are 2 x 4 such parts. All threads
// are along x: lanes first, the last axis fastest, then warps in the same order.
// RUN: uop-opt %t/given.mlir --uop-gpu-map="local=0:16,1:16 warp=0:8,1:4 remarks" \
// RUN:   --uop-simplify --cse 2> %t/given.err | FileCheck %t/given.mlir
// RUN: FileCheck %t/given.mlir --check-prefix=REMARK < %t/given.err
// What is printed can be given again.
// RUN: uop-opt %t/given.mlir --uop-gpu-map="local=0:16,1:16 warp=0:8,1:4" \
// RUN:   | uop-opt --uop-print-launch -o /dev/null 2>&1 | FileCheck %t/given.mlir --check-prefix=LAUNCH
// REMARK: @fill folds the threads of output axes 0 and 1 onto x, so that a warp has 8 x 4 of them
// LAUNCH: block (256,1,1)
// CHECK-LABEL: uop.kernel @fill
// CHECK-SAME:    schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, WARP 0:8, WARP 1:4]>
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:     %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG:     %[[T:.*]] = uop.range local<x> 256
// CHECK-DAG:     uop.floordiv %[[T]], %[[C128]]
// CHECK-DAG:     uop.floordiv %[[T]], %[[C4]]
// CHECK-DAG:     uop.floormod %[[T]], %[[C4]]
// CHECK-NOT:     uop.range local
// CHECK:         uop.store {{.*}} unique
uop.kernel @fill(%out: memref<64x64xi32>) {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

//--- equal.mlir
// The counts of the default product are those of any warp tile.
// RUN: uop-opt %t/equal.mlir --uop-place-shared="chip=sm_90 remarks" \
// RUN:   2>&1 | FileCheck %t/equal.mlir --implicit-check-not=WARP
// CHECK: remark: @gemm default: a warp has 2 x 16 threads: with each of the 3 other shapes a block takes the same 557056 wavefronts and 2048 sectors
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

//--- worse.mlir
// Single elements are stored here, 16 of them in two sectors: of the other
// shapes 4 x 8 takes as many, and narrower ones take more.
// RUN: uop-opt %t/worse.mlir --uop-place-shared="chip=sm_90 remarks" \
// RUN:   2>&1 | FileCheck %t/worse.mlir --implicit-check-not=WARP
// CHECK: remark: @small default: a warp has 2 x 16 threads: with none of the 3 other shapes a block takes less than the 1700 wavefronts and 40 sectors
uop.kernel @small(%A: memref<100x100xf32>, %B: memref<100x100xf32>,
                  %C: memref<100x100xf32>) {
  %m = uop.range loop 100
  %n = uop.range loop 100
  %k = uop.range reduce 100
  %a = uop.load %A[%m, %k] : memref<100x100xf32>
  %b = uop.load %B[%k, %n] : memref<100x100xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<100x100xf32>
}

//--- residual.mlir
// A residual that is read along the other axis: 4 threads along n and 8 along m
// share its sectors, and still store whole ones. The counter of loop form finds
// the same: 2048 sectors of the residual and 131072 of the tiles are loaded, of
// the 10240 that 2 x 16 threads take 8192 are of the residual.
// RUN: uop-opt %t/residual.mlir --uop-place-shared="chip=sm_90 remarks" \
// RUN:   -o %t/residual.out 2>&1 | FileCheck %t/residual.mlir --check-prefix=REMARK
// RUN: FileCheck %t/residual.mlir < %t/residual.out
// DEFINE: %{count} = --uop-simplify --cse --uop-lower-to-loops --uop-simplify --cse \
// DEFINE:   --uop-merge-guards --uop-widen-accesses --uop-layout-shared \
// DEFINE:   --uop-print-traffic=block=0,0,0 -o /dev/null
// RUN: uop-opt %t/residual.out %{count} 2>&1 | FileCheck %t/residual.mlir --check-prefix=COUNT
// RUN: uop-opt %t/residual.mlir --uop-place-shared="local=0:16,1:16 upcast=0:8,1:2 vectorize=1:4 kstep=0:16 unroll=0:16 stage=0:2,1:2" \
// RUN:   %{count} 2>&1 | FileCheck %t/residual.mlir --check-prefix=ORDER
// REMARK: remark: @residual default: WARP 0:8: with 8 x 4 threads a warp a block takes 557056 wavefronts and 4096 sectors, instead of 557056 wavefronts and 10240 sectors with 2 x 16 threads
// REMARK: remark: @residual default: WARP 1:4: with 8 x 4 threads a warp
// CHECK: STAGE 1:2, WARP 0:8, WARP 1:4]>
// CHECK: uop.range local<x> 256
// COUNT: @residual; global loads: {{.*}} 133120 sectors (ideal 133120){{.*}}; global stores: {{.*}} 2048 sectors (ideal 2048){{.*}}; shared loads: {{.*}} 524288 wavefronts (ideal 524288); shared stores: {{.*}} 32768 wavefronts (ideal 32768)
// ORDER: @residual; global loads: {{.*}} 139264 sectors (ideal 133120)
uop.kernel @residual(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>,
                     %D: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  %m = uop.range loop 4096
  %n = uop.range loop 4096
  %k = uop.range reduce 4096
  %a = uop.load %A[%m, %k] : memref<4096x4096xf32>
  %b = uop.load %B[%k, %n] : memref<4096x4096xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  %d = uop.load %D[%n, %m] : memref<4096x4096xf32>
  %r = arith.addf %c, %d : f32
  uop.store %r, %C[%m, %n] : memref<4096x4096xf32>
}

//--- transpose.mlir
// A tile of which columns are read, and that is filled 16 bytes at a time: no
// layout that keeps these together serves a column of 32 at once, but one serves
// 4 rows of 8.
// RUN: uop-opt %t/transpose.mlir --uop-place-shared="remarks" \
// RUN:   -o %t/transpose.out 2>&1 | FileCheck %t/transpose.mlir --check-prefix=REMARK
// RUN: uop-opt %t/transpose.out %{count} 2>&1 | FileCheck %t/transpose.mlir --check-prefix=COUNT
// RUN: uop-opt %t/transpose.mlir --uop-place-shared="local=0:8,1:32 upcast=0:4 stage=0:1" \
// RUN:   %{count} 2>&1 | FileCheck %t/transpose.mlir --check-prefix=ORDER
// REMARK: remark: @transpose default: WARP 0:4: with 4 x 8 threads a warp a block takes 64 wavefronts and 128 sectors, instead of 160 wavefronts and 128 sectors with 1 x 32 threads
// COUNT: @transpose; {{.*}} 128 sectors (ideal 128){{.*}} 128 sectors (ideal 128){{.*}}; shared loads: {{.*}} 32 wavefronts (ideal 32); shared stores: {{.*}} 32 wavefronts (ideal 32)
// ORDER: @transpose; {{.*}} 128 sectors (ideal 128){{.*}} 128 sectors (ideal 128){{.*}}; shared loads: {{.*}} 128 wavefronts (ideal 32); shared stores: {{.*}} 32 wavefronts (ideal 32)
uop.kernel @transpose(%x: memref<1024x512xf32>, %y: memref<512x1024xf32>) {
  %i = uop.range loop 512
  %j = uop.range loop 1024
  %v = uop.load %x[%j, %i] : memref<1024x512xf32>
  uop.store %v, %y[%i, %j] : memref<512x1024xf32>
}

//--- replay.mlir
// What the attribute says is done, not chosen again; min-blocks that takes
// threads away takes the warp tile as well.
// RUN: uop-opt %t/replay.mlir --uop-gpu-map | FileCheck %t/replay.mlir
// RUN: uop-opt %t/replay.mlir --uop-gpu-map="min-blocks=64" 2>&1 | FileCheck %t/replay.mlir --check-prefix=FILL
// CHECK: schedule = #uop.schedule<[WARP 1:16, LOCAL 1:16, LOCAL 0:8, WARP 0:2]>
// CHECK: uop.range local<x> 128
// FILL: remark: @replay gives up the warp tile: it was a part of more threads
// FILL: schedule = #uop.schedule<[LOCAL 1:8, LOCAL 0:8]>
uop.kernel @replay(%out: memref<64x64xi32>) attributes {
    schedule = #uop.schedule<[WARP 1:16, LOCAL 1:16, LOCAL 0:8, WARP 0:2]>} {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

//--- masked.mlir
// Tails: a range that an index and the mask depend on is counted once.
// RUN: uop-opt %t/masked.mlir --uop-place-shared="remarks" -o /dev/null 2>&1 \
// RUN:   | FileCheck %t/masked.mlir
// CHECK: remark: @masked default: a warp has
uop.kernel @masked(%A: memref<200x200xf32>, %B: memref<200x200xf32>,
                   %C: memref<200x200xf32>) {
  %m = uop.range loop 200
  %n = uop.range loop 200
  %k = uop.range reduce 200
  %a = uop.load %A[%m, %k] : memref<200x200xf32>
  %b = uop.load %B[%k, %n] : memref<200x200xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<200x200xf32>
}
