// What the passes that report refuse, each in the same words.
// RUN: split-file %s %t

//--- options.mlir
// RUN: not uop-opt %t/options.mlir --uop-report-traffic=chip=sm_1 -o /dev/null 2>&1 | FileCheck %t/options.mlir --check-prefix=CHIP
// CHIP: error: uop-report-traffic: expected a known chip, but got 'sm_1'; known chips: sm_70,
// RUN: not uop-opt %t/options.mlir --uop-report-occupancy=registers=-1 -o /dev/null 2>&1 | FileCheck %t/options.mlir --check-prefix=REGISTERS
// REGISTERS: error: uop-report-occupancy: expected registers to be 0 or more, but got -1
// RUN: not uop-opt %t/options.mlir --uop-report-roofline=args=0:1:2 -o /dev/null 2>&1 | FileCheck %t/options.mlir --check-prefix=ARGS
// ARGS: error: uop-report-roofline: expected args to be a list of argument:value and argument.dimension:size, such as args=2:500,0.1:64, but got '0:1:2'
// RUN: not uop-opt %t/options.mlir --uop-report-advice=kernel=@none -o /dev/null 2>&1 | FileCheck %t/options.mlir --check-prefix=NAME
// NAME: error: expected a kernel @none, but the file has none of that name
uop.kernel loops @fill(%y: memref<32xf32>) {
  %t = uop.range local<x> 32
  %v = arith.constant 1.0 : f32
  memref.store %v, %y[%t] : memref<32xf32>
}

//--- none.mlir
// RUN: not uop-opt %t/none.mlir --uop-report-traffic -o /dev/null 2>&1 | FileCheck %t/none.mlir
// RUN: not uop-opt %t/none.mlir --uop-report-occupancy -o /dev/null 2>&1 | FileCheck %t/none.mlir
// RUN: not uop-opt %t/none.mlir --uop-report-roofline -o /dev/null 2>&1 | FileCheck %t/none.mlir
// RUN: not uop-opt %t/none.mlir --uop-report-advice -o /dev/null 2>&1 | FileCheck %t/none.mlir
// CHECK: error: expected kernels to report on (uop.kernel, gpu.func or gpu.launch), but the file has none
func.func @f() {
  return
}

//--- open.mlir
// RUN: not uop-opt %t/open.mlir --uop-report-traffic -o /dev/null 2>&1 | FileCheck %t/open.mlir
// CHECK: error: cannot report on @fill: expected a launch with constant sizes of grid and block, or known_grid_size and known_block_size
gpu.module @kernels {
  gpu.func @fill(%y: memref<32xf32>) kernel {
    gpu.return
  }
}

//--- cpu.mlir
// RUN: not uop-opt %t/cpu.mlir --uop-report-roofline -o /dev/null 2>&1 | FileCheck %t/cpu.mlir
// CHECK: error: cannot count the memory requests of @cpu: the axis 'thread' is for a CPU, which has no warps; map the kernel for a GPU
uop.kernel loops @cpu(%y: memref<32xf32>) {
  %t = uop.range thread 32
  %v = arith.constant 1.0 : f32
  memref.store %v, %y[%t] : memref<32xf32>
}
