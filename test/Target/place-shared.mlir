// The default for a large product: tiles of 128 x 128, twice, filled by copies of
// 16 bytes under way while the others are read 16 bytes at a time, one barrier.
// Nothing spills, and two blocks of 256 threads have registers; the loop over
// steps has no loop inside, and its instructions are fma, but for few.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx
// RUN: %ptxas -v -arch=sm_80 %t.80.ptx -o %t.80.cubin 2>&1 | FileCheck %s --check-prefix=SPILL
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx
// RUN: %ptxas -v -arch=sm_90a %t.90a.ptx -o %t.90a.cubin 2>&1 | FileCheck %s --check-prefix=SPILL
// RUN: FileCheck %s --input-file=%t.90a.ptx --check-prefix=WIDE
// RUN: FileCheck %s --input-file=%t.90a.ptx --check-prefix=FMA
// RUN: %python %uop_src/benchmarks/ptx_quality/ptx_quality.py --kernel=%t.90a.ptx --without=ptxas \
// RUN:   | FileCheck %s --check-prefix=SHARE
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a --place-shared=false -o - | FileCheck %s --check-prefix=PLAIN
// RUN: uop-opt %s --uop-gpu-map --convert-to-nvvm | FileCheck %s --check-prefix=MAPPED
// RUN: uop-opt %s --uop-lower-to-nvvm-pipeline="chip=sm_90" | FileCheck %s --check-prefix=NVVM

// CHECK:     .entry gemm(
// CHECK:     .reqntid 16, 16, 1
// CHECK:     .minnctapersm 2
// CHECK-COUNT-2: .shared .align 16 .b8 {{.*}}[16384];
// CHECK-COUNT-4: cp.async.cg.shared.global
// CHECK-NOT: ld.global
// CHECK:     cp.async.wait_group
// CHECK-COUNT-1: bar.sync
// CHECK-NOT: bar.sync
// CHECK:     st.global.v4.b32
// WIDE-COUNT-64: ld.shared.v4.b32
// WIDE-NOT: ld.shared
// FMA-COUNT-1024: fma.rn.f32
// FMA-NOT: fma.rn.f32
// SHARE: fma, % of all {{ *(8[5-9]|9[0-9])\.}}
// SPILL: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// SPILL: Used {{(1[01][0-9]|12[0-8]|[1-9][0-9]) registers}}
// PLAIN-NOT: .shared
// MAPPED-NOT: nvvm.cp.async
// NVVM: nvvm.cp.async
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
