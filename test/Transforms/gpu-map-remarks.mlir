// What the pass says about its choices.
// RUN: split-file %s %t
// RUN: uop-opt %t/explain.mlir --uop-gpu-map="heuristic=basic remarks" --verify-diagnostics -o /dev/null
// RUN: uop-opt %t/fill.mlir --uop-gpu-map="local=0:16,1:16 upcast=0:2,1:2 min-blocks=16" --verify-diagnostics | FileCheck %t/fill.mlir
// RUN: uop-opt %t/halve.mlir --uop-gpu-map="local=0:4,1:6 upcast=0:3 min-blocks=30" --verify-diagnostics | FileCheck %t/halve.mlir
// RUN: uop-opt %t/spent.mlir --uop-gpu-map="local=0:2 min-blocks=5" --verify-diagnostics | FileCheck %t/spent.mlir

//--- explain.mlir
// Each decision of the heuristic, with its reason.
// expected-remark@+5 {{@f basic: upcast 2 on output axis 1 of size 48: the kernel reduces, and the size is even and at least 32}}
// expected-remark@+4 {{@f basic: 8 threads on output axis 1: the largest power of two up to 16 that divides the 24 points left}}
// expected-remark@+3 {{@f basic: no threads on output axis 0: 3 points are left, which is odd}}
// expected-remark@+2 {{@f basic: no threads on output axis 2: it has at most one point}}
// expected-remark@+1 {{@f basic: no threads on output axis 3: it is dynamic}}
uop.kernel @f(%n: index, %in: memref<3x48x5xi32>, %out: memref<3x48x1x?xi32>) {
  %i = uop.range loop 3
  %j = uop.range loop 48
  %u = uop.range loop 1
  %d = uop.range loop %n
  %k = uop.range reduce 5
  %x = uop.load %in[%i, %j, %k] : memref<3x48x5xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%i, %j, %u, %d] : memref<3x48x1x?xi32>
}

//--- fill.mlir
// 2x2 blocks: the upcasts go first, the threads stay.
// CHECK: schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16]>
// expected-remark@+2 {{@fill gives up upcast 2 of output axis 0: the grid has 4 of 16 blocks}}
// expected-remark@+1 {{@fill gives up upcast 2 of output axis 1: the grid has 8 of 16 blocks}}
uop.kernel @fill(%out: memref<64x64xi32>) {
  %i = uop.range loop 64
  %j = uop.range loop 64
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<64x64xi32>
}

//--- halve.mlir
// After the upcast, the largest local is halved; an odd one is given up.
// CHECK: schedule = #uop.schedule<[LOCAL 0:2]>
// expected-remark@+4 {{@halve gives up upcast 3 of output axis 0: the grid has 2 of 30 blocks}}
// expected-remark@+3 {{@halve reduces local 6 of output axis 1 to 3: the grid has 6 of 30 blocks}}
// expected-remark@+2 {{@halve reduces local 4 of output axis 0 to 2: the grid has 12 of 30 blocks}}
// expected-remark@+1 {{@halve reduces local 3 of output axis 1 to 1: the grid has 24 of 30 blocks}}
uop.kernel @halve(%out: memref<12x12xi32>) {
  %i = uop.range loop 12
  %j = uop.range loop 12
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<12x12xi32>
}

//--- spent.mlir
// Four outputs never make five blocks.
// CHECK: schedule = #uop.schedule<[]>
// expected-remark@+2 {{@spent reduces local 2 of output axis 0 to 1: the grid has 2 of 5 blocks}}
// expected-remark@+1 {{@spent has nothing left to give up: the grid has 4 of 5 blocks}}
uop.kernel @spent(%out: memref<4xi32>) {
  %i = uop.range loop 4
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<4xi32>
}
