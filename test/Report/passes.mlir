// Reports as remarks, of kernels in every form.
// RUN: split-file %s %t

//--- traffic.mlir
// RUN: uop-opt %t/traffic.mlir --uop-report-traffic --verify-diagnostics -o /dev/null
// RUN: uop-opt %t/traffic.mlir --uop-report-traffic | FileCheck %t/traffic.mlir
// The module is as before.
// CHECK: uop.kernel loops @column(
// CHECK: gpu.func @turn(
uop.kernel loops @column(%x: memref<32x32xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %s = uop.alloc : memref<32x32xf32, #gpu.address_space<workgroup>>
  // expected-remark@+1 {{global load: 1 request, 32 sec x1 (ideal 4); memref.load of }}
  %v = memref.load %x[%t, %c0] : memref<32x32xf32>
  // expected-remark@+1 {{shared store: 1 request, 32 wf x1 (ideal 1); memref.store of }}
  memref.store %v, %s[%t, %c0] : memref<32x32xf32, #gpu.address_space<workgroup>>
}
gpu.module @kernels {
  // expected-remark@+1 {{@turn: 1 access is not in the sums}}
  gpu.func @turn(%x: memref<32x8xf32>, %i: memref<8x32xi32>) kernel
      attributes {known_block_size = array<i32: 8, 32, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    // expected-remark@+1 {{global load: 8 requests, 8 sec x8 (ideal 32)}}
    %n = memref.load %i[%tx, %ty] : memref<8x32xi32>
    %at = arith.index_cast %n : i32 to index
    // expected-remark@+1 {{global load is not counted: its address depends on the result of memref.load; memref.load of }}
    %v = memref.load %x[%at, %tx] : memref<32x8xf32>
    gpu.return
  }
}

//--- machine.mlir
// RUN: uop-opt %t/machine.mlir --uop-report-occupancy="registers=80" -o /dev/null 2>&1 | FileCheck %t/machine.mlir --check-prefix=OCCUPANCY
// RUN: uop-opt %t/machine.mlir --uop-report-occupancy="registers=80 chip=sm_90 kernel=@gemm" -o /dev/null 2>&1 | FileCheck %t/machine.mlir --check-prefix=H100
// RUN: uop-opt %t/machine.mlir --uop-report-roofline -o /dev/null 2>&1 | FileCheck %t/machine.mlir --check-prefix=ROOFLINE
// RUN: uop-opt %t/machine.mlir --uop-report-advice -o /dev/null 2>&1 | FileCheck %t/machine.mlir --check-prefix=ADVICE
// OCCUPANCY: remark: @gemm: 3 blocks a multiprocessor, 24 of 64 warps, 37.5 %, limited by registers; 80 registers a thread (given), 0 bytes of shared memory a block; for 4 blocks: at most 64 registers a thread, or at most 192 threads a block
// OCCUPANCY: remark: @copy: {{.*}}; 80 registers a thread (given)
// H100: remark: @gemm: 3 blocks a multiprocessor
// H100-NOT: remark
// ROOFLINE: remark: @gemm: 524.3 kFLOP, DRAM 32.77 kB read and 16.38 kB written, 10.67 FLOP/B beside a ridge of 12.54; bound by DRAM latency: at least {{.*}} us; 4 blocks on 108 multiprocessors, 3.704 % in use
// ROOFLINE: remark: @copy: 0 FLOP, DRAM
// ADVICE: machine.mlir:[[#]]:1: remark: 104 of 108 multiprocessors are idle: the grid has 4 blocks (about 96.3 % of the time); make more blocks
// ADVICE-NOT: remark
uop.kernel @gemm(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) attributes {schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16, UPCAST 0:2, UPCAST 1:2]>} {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 64
  %a = uop.load %A[%m, %k] : memref<64x64xf32>
  %b = uop.load %B[%k, %n] : memref<64x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}
uop.kernel @copy(%x: memref<8388608xf32>, %y: memref<8388608xf32>) {
  %i = uop.range loop 8388608
  %v = uop.load %x[%i] : memref<8388608xf32>
  uop.store %v, %y[%i] : memref<8388608xf32>
}

//--- args.mlir
// What the launch leaves open.
// RUN: uop-opt %t/args.mlir --uop-report-traffic="args=0:70,1.0:70" -o /dev/null 2>&1 | FileCheck %t/args.mlir
// CHECK: global store: 3 requests, 4 sec x2/1 sec x1 (ideal 9)
uop.kernel loops @fill(%n: index, %x: memref<?xf32>) {
  %c32 = arith.constant 32 : index
  %one = arith.constant 1.0 : f32
  %blocks = arith.ceildivsi %n, %c32 : index
  %g = uop.range global<x> %blocks
  %t = uop.range local<x> 32
  %base = arith.muli %g, %c32 : index
  %i = arith.addi %base, %t : index
  %in = arith.cmpi slt, %i, %n : index
  scf.if %in {
    memref.store %one, %x[%i] : memref<?xf32>
  }
}
