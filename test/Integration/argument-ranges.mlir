// What a kernel states of a scalar argument (`llvm.range`) is held against what
// it is given, before the grid is computed with it: on a GPU, as plain loops,
// and by the reference interpreter.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; f = np.float32; y = np.full(1000, np.nan, f); y[:997] = 2; np.save('%t/most.npy', y)"
// RUN: uop-run %s -e fill 997 nan:1000 --print-launch --compare 1=%t/most.npy | FileCheck %s
// RUN: uop-run %s -e fill 997 nan:1000 --reference --compare 1=%t/most.npy
// RUN: uop-run %s -e fill 997 nan:1000 --device=cpu --compare 1=%t/most.npy
// RUN: not uop-run %s -e fill 1001 nan:1000 2>&1 | FileCheck %s --check-prefix=HIGH
// RUN: not uop-run %s -e fill 1001 nan:1000 --device=cpu 2>&1 | FileCheck %s --check-prefix=HIGH
// RUN: not uop-run %s -e fill -1 nan:1000 2>&1 | FileCheck %s --check-prefix=HIGH
// RUN: not uop-run %s -e fill 1001 nan:1000 --reference 2>&1 | FileCheck %s --check-prefix=REFERENCE
// CHECK: launch: @fill grid (4, 1, 1) block (256, 1, 1)
// HIGH: argument-ranges.mlir:[[#@LINE+2]]:1: error: launch of @fill: expected argument 0 to be 0 to 1000, as its llvm.range says
// REFERENCE: argument-ranges.mlir:[[#@LINE+1]]:1: error: 'uop.kernel' op argument #0: expected 0 to 1000, as its llvm.range says, but got 1001
uop.kernel @fill(%n: index {llvm.range = #llvm.constant_range<i64, 0, 1001>}, %y: memref<1000xf32>) {
  %two = arith.constant 2.0 : f32
  %i = uop.range loop %n
  uop.store %two, %y[%i] : memref<1000xf32>
}

// The ends of a type, and negative numbers of a narrow one.
// RUN: uop-run %s -e ends -128 9223372036854775807 zeros:1 | count 0
// RUN: not uop-run %s -e ends -3 0 zeros:1 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not uop-run %s -e ends -128 -1 zeros:1 2>&1 | FileCheck %s --check-prefix=ENDS
// NARROW: error: launch of @ends: expected argument 0 to be -128 to -4, as its llvm.range says
// ENDS: error: launch of @ends: expected argument 1 to be 0 to 9223372036854775807, as its llvm.range says
uop.kernel loops @ends(%a: i8 {llvm.range = #llvm.constant_range<i8, -128, -3>},
                       %b: index {llvm.range = #llvm.constant_range<i64, 0, -9223372036854775808>},
                       %y: memref<1xi8>) {
  %c0 = arith.constant 0 : index
  memref.store %a, %y[%c0] : memref<1xi8>
}

// An argument of one value is that value: a static grid, and no parameter is
// read.
// RUN: uop-run %s -e one 70 nan:70 --print-launch | FileCheck %s --check-prefix=ONE
// RUN: not uop-run %s -e one 71 nan:70 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: uop-opt %s --uop-gpu-map=local=0:35 | FileCheck %s --check-prefix=STATIC
// ONE: launch: @one grid ({{.*}}, 1, 1)
// OTHER: error: launch of @one: expected argument 0 to be 70 to 70, as its llvm.range says
// STATIC-LABEL: uop.kernel @one(
// STATIC:         uop.range global<x> 2
// STATIC:         uop.range local<x> 35
// STATIC-NOT:     mask
uop.kernel @one(%n: index {llvm.range = #llvm.constant_range<i64, 70, 71>}, %y: memref<70xf32>) {
  %two = arith.constant 2.0 : f32
  %i = uop.range loop %n
  uop.store %two, %y[%i] : memref<70xf32>
}
