// A large product with a residual that is read along the other axis: warps of 8 x
// 4 threads, with all that the default product has. All accesses of the loop are
// 16 bytes wide, its instructions are fma, but for few, and nothing spills. On
// sm_90a ptxas keeps one word of the epilogue on the stack, outside of the loop.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=WIDE
// RUN: %ptxas -v -arch=sm_80 %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=SPILL
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx 
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin
// RUN: %python %uop_src/benchmarks/ptx_quality/ptx_quality.py --kernel=%t.ptx --without=ptxas \
// RUN:   | FileCheck %s --check-prefix=SHARE

// CHECK:     .entry residual(
// CHECK:     .reqntid 256, 1, 1
// CHECK:     .minnctapersm 2
// CHECK-COUNT-2: .shared .align 16 .b8 {{.*}}[16384];
// CHECK-COUNT-4: cp.async.cg.shared.global
// CHECK:     cp.async.wait_group
// CHECK-COUNT-1: bar.sync
// CHECK-NOT: bar.sync
// WIDE-COUNT-64: ld.shared.v4.b32
// WIDE-NOT: ld.shared
// SHARE: fma, % of all {{ *(8[5-9]|9[0-9])\.}}
// SPILL: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// SPILL: Used {{(1[01][0-9]|12[0-8]|[1-9][0-9]) registers}}
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
