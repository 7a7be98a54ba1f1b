// The default heuristic, by cases. Each choice is explained with `remarks`.
// RUN: uop-opt %s --uop-gpu-map="remarks" --uop-print-launch --split-input-file -o /dev/null 2>&1 | FileCheck %s
// RUN: uop-opt %s --uop-gpu-map --split-input-file | FileCheck %s --check-prefix=IR
// A chip with fewer multiprocessors gets fewer blocks; an unknown one is refused.
// RUN: uop-opt %s --uop-gpu-map="chip=sm_75" --uop-print-launch --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=SM75
// RUN: not uop-opt %s --uop-gpu-map="chip=gfx942" --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not uop-opt %s --uop-gpu-map="chip=sm_999" --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-CHIP
// NO-CHIP: error: uop-gpu-map: expected a known chip, but got 'sm_999'
// One without a line of its own has the figures of the next one below it.
// RUN: uop-opt %s --uop-gpu-map="chip=sm_121a remarks" --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=SM121
// SM121: @gemm64 default: gives up upcast 4 of output axis 0: the grid has 1 of 170 blocks
// SM75: @gemm64: grid (8,8,1), block (8,8,1)
// CHIP: error: uop-gpu-map: expected a known chip, but got 'gfx942'; choose one of sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_101, sm_103, sm_110, sm_120, sm_121

// A reduction whose outputs share loads is computed in tiles. But 64x64 outputs
// are few for 108 multiprocessors: the tiles are given up for blocks, one warp
// each at least.
// CHECK: @gemm64 default: LOCAL 1:16: the contiguous output axis
// CHECK: @gemm64 default: UPCAST 1:4: outputs along the axis share a load
// CHECK: @gemm64 default: LOCAL 0:16: the next output axis
// CHECK: @gemm64 default: UPCAST 0:4: outputs along the axis share a load
// CHECK: @gemm64 default: UNROLL 0:4: loads of several steps are under way at once
// CHECK: @gemm64 default: gives up upcast 4 of output axis 0: the grid has 1 of 108 blocks
// CHECK: @gemm64 default: gives up upcast 4 of output axis 1: the grid has 4 of 108 blocks
// CHECK: @gemm64 default: reduces local 16 of output axis 0 to 8: the grid has 16 of 108 blocks
// CHECK: @gemm64 default: reduces local 16 of output axis 1 to 8: the grid has 32 of 108 blocks
// CHECK: @gemm64 default: reduces local 8 of output axis 0 to 4: the grid has 64 of 108 blocks
// CHECK: @gemm64: grid (8,16,1), block (8,4,1), 4096 threads, 128 warps, 100 % useful lanes
uop.kernel @gemm64(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 64
  %a = uop.load %A[%m, %k] : memref<64x64xf32>
  %b = uop.load %B[%k, %n] : memref<64x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}

// -----

// Larger ones keep their tiles of 64x64 outputs a block.
// CHECK: @gemm1024: grid (16,16,1), block (16,16,1)
// IR-LABEL: uop.kernel @gemm1024
// IR-SAME:    #uop.schedule<[LOCAL 1:16, UPCAST 1:4, LOCAL 0:16, UPCAST 0:4, UNROLL 0:4]>
uop.kernel @gemm1024(%A: memref<1024x1024xf32>, %B: memref<1024x1024xf32>, %C: memref<1024x1024xf32>) {
  %m = uop.range loop 1024
  %n = uop.range loop 1024
  %k = uop.range reduce 1024
  %a = uop.load %A[%m, %k] : memref<1024x1024xf32>
  %b = uop.load %B[%k, %n] : memref<1024x1024xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<1024x1024xf32>
}

// -----

// What only moves data is one axis, as long as possible.
// CHECK: @add default: MERGE 0:3: these output axes are contiguous in every access
// CHECK: @add default: LOCAL 0:256: the contiguous output axis
// CHECK: @add: grid (128,1,1), block (256,1,1)
uop.kernel @add(%a: memref<8x64x64xf32> {llvm.align = 16 : i64}, %o: memref<8x64x64xf32> {llvm.align = 16 : i64}) {
  %i = uop.range loop 8
  %j = uop.range loop 64
  %k = uop.range loop 64
  %x = uop.load %a[%i, %j, %k] : memref<8x64x64xf32>
  %y = arith.addf %x, %x : f32
  uop.store %y, %o[%i, %j, %k] : memref<8x64x64xf32>
}

// -----

// Wide accesses, where pointers are aligned and there is enough to do.
// CHECK: @big default: VECTORIZE 0:4: all accesses along it are contiguous and aligned
// CHECK: @big: grid (16384,1,1), block (256,1,1)
uop.kernel @big(%a: memref<16777216xf32> {llvm.align = 16 : i64}, %o: memref<16777216xf32> {llvm.align = 16 : i64}) {
  %i = uop.range loop 16777216
  %x = uop.load %a[%i] : memref<16777216xf32>
  %y = arith.addf %x, %x : f32
  uop.store %y, %o[%i] : memref<16777216xf32>
}

// -----

// A row's maximum is computed once, by the threads that then use it.
// CHECK: @softmax_num default: LOCAL 1:32: the reduction over axis 0 does not vary with output axis 1, of which one block has the row
// CHECK: @softmax_num default: GROUP 0:32: the threads of the row reduce together
// CHECK: @softmax_num: grid (16,1,1), block (32,1,1), 512 threads, 16 warps, 100 % useful lanes, 0 bytes of shared memory
uop.kernel @softmax_num(%a: memref<16x32xf32>, %o: memref<16x32xf32>) {
  %i = uop.range loop 16
  %j = uop.range loop 32
  %k = uop.range reduce 32
  %x = uop.load %a[%i, %k] : memref<16x32xf32>
  %m = uop.reduce maximumf %x over(%k) : f32
  %y = uop.load %a[%i, %j] : memref<16x32xf32>
  %d = arith.subf %y, %m : f32
  %e = math.exp2 %d : f32
  uop.store %e, %o[%i, %j] : memref<16x32xf32>
}

// -----

// A warp for each row of a matrix times a vector: its loads are contiguous.
// CHECK: @matvec default: GROUP 0:32: loads are contiguous along the reduction, as of a matrix times a vector
// CHECK: @matvec default: LOCAL 0:4: several rows make up a block
// CHECK: @matvec: grid (1024,1,1), block (32,4,1)
uop.kernel @matvec(%A: memref<4096x4096xf32>, %x: memref<4096xf32>, %y: memref<4096xf32>) {
  %i = uop.range loop 4096
  %k = uop.range reduce 4096
  %a = uop.load %A[%i, %k] : memref<4096x4096xf32>
  %b = uop.load %x[%k] : memref<4096xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %y[%i] : memref<4096xf32>
}

// -----

// One long sum: all threads of a block.
// CHECK: @sum default: GROUP 0:1024
// CHECK: @sum: grid (1,1,1), block (1024,1,1), 1024 threads, 32 warps, 100 % useful lanes, 128 bytes of shared memory
uop.kernel @sum(%A: memref<16384xf32>, %y: memref<f32>) {
  %k = uop.range reduce 16384
  %a = uop.load %A[%k] : memref<16384xf32>
  %c = uop.reduce add %a over(%k) : f32
  uop.store %c, %y[] : memref<f32>
}

// -----

// Few columns, each long: threads along x have neighbouring columns, those along
// y share a column.
// CHECK: @colsum default: GROUP 0:32: 100 outputs do not fill 108 multiprocessors
// CHECK: @colsum default: LOCAL 0:32: neighbouring threads load neighbouring elements
// CHECK: @colsum: grid (4,1,1), block (32,32,1), 4096 threads, 128 warps, 78.125 % useful lanes
uop.kernel @colsum(%A: memref<4096x100xf32>, %y: memref<100xf32>) {
  %i = uop.range loop 100
  %k = uop.range reduce 4096
  %a = uop.load %A[%k, %i] : memref<4096x100xf32>
  %c = uop.reduce add %a over(%k) : f32
  uop.store %c, %y[%i] : memref<100xf32>
}

// -----

// So little that no grid fills the machine: blocks of one warp.
// CHECK: @odd default: keeps 32 threads a block: the grid has 10 of 108 blocks
// CHECK: @odd: grid (10,1,1), block (32,1,1), 320 threads, 10 warps, 93.75 % useful lanes
uop.kernel @odd(%A: memref<3x100xf32>, %y: memref<3x100xf32>) {
  %i = uop.range loop 3
  %k = uop.range loop 100
  %a = uop.load %A[%i, %k] : memref<3x100xf32>
  %b = arith.addf %a, %a : f32
  uop.store %b, %y[%i, %k] : memref<3x100xf32>
}

// -----

// The store decides which axis is x.
// CHECK: @trans: grid (2,512,1), block (256,1,1)
uop.kernel @trans(%A: memref<512x512xf32>, %y: memref<512x512xf32>) {
  %i = uop.range loop 512
  %k = uop.range loop 512
  %a = uop.load %A[%k, %i] : memref<512x512xf32>
  uop.store %a, %y[%i, %k] : memref<512x512xf32>
}

// -----

// A row that is too long for one block: each block reduces it again.
// CHECK: @long_row default: LOCAL 1:1024: the reduction over axis 0 does not vary with output axis 1, of which a block has as much as it can
// CHECK: @long_row default: UPCAST 1:8: more outputs share the result
// CHECK: @long_row: grid (2,4,1), block (1024,1,1)
uop.kernel @long_row(%a: memref<4x16384xf32>, %o: memref<4x16384xf32>) {
  %i = uop.range loop 4
  %j = uop.range loop 16384
  %k = uop.range reduce 16384
  %x = uop.load %a[%i, %k] : memref<4x16384xf32>
  %m = uop.reduce maximumf %x over(%k) : f32
  %y = uop.load %a[%i, %j] : memref<4x16384xf32>
  %d = arith.subf %y, %m : f32
  uop.store %d, %o[%i, %j] : memref<4x16384xf32>
}
