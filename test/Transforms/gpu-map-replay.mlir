// The schedule that is printed on a mapped kernel, put on the kernel as it was
// before, maps it in the same way.
// RUN: split-file %s %t
// RUN: uop-opt %t/plain.mlir --uop-gpu-map="local=0:8 upcast=0:2,1:4 unroll=0:2 upcast-layout=cpu" -o %t/mapped.mlir
// RUN: FileCheck %t/plain.mlir --input-file=%t/mapped.mlir
// RUN: uop-opt %t/scheduled.mlir --uop-gpu-map -o %t/replayed.mlir
// RUN: diff %t/mapped.mlir %t/replayed.mlir
// Mapping again changes nothing.
// RUN: uop-opt %t/replayed.mlir --uop-gpu-map | diff %t/mapped.mlir -

// Options replace the attribute as a whole; the layout alone keeps its opts.
// RUN: uop-opt %t/scheduled.mlir --uop-gpu-map="local=1:4" | FileCheck %t/scheduled.mlir --check-prefix=OPTS
// RUN: uop-opt %t/scheduled.mlir --uop-gpu-map="heuristic=none" | FileCheck %t/scheduled.mlir --check-prefix=NONE
// RUN: uop-opt %t/scheduled.mlir --uop-gpu-map="upcast-layout=gpu" | FileCheck %t/scheduled.mlir --check-prefix=LAYOUT
// The same options in a textual pipeline.
// RUN: uop-opt %t/scheduled.mlir --pass-pipeline="builtin.module(uop.kernel(uop-gpu-map{local=1:4}))" | FileCheck %t/scheduled.mlir --check-prefix=OPTS

//--- plain.mlir
// CHECK: schedule = #uop.schedule<[LOCAL 0:8, UPCAST 0:2, UPCAST 1:4, UNROLL 0:2], upcast_layout = cpu>
uop.kernel @product(%a: memref<32x6xi32>, %b: memref<6x8xi32>,
                    %c: memref<32x8xi32>) {
  %i = uop.range loop 32
  %j = uop.range loop 8
  %k = uop.range reduce 6
  %x = uop.load %a[%i, %k] : memref<32x6xi32>
  %y = uop.load %b[%k, %j] : memref<6x8xi32>
  %p = arith.muli %x, %y : i32
  %s = uop.reduce add %p over(%k) : i32
  uop.store %s, %c[%i, %j] : memref<32x8xi32>
}

//--- scheduled.mlir
// OPTS:   schedule = #uop.schedule<[LOCAL 1:4]>
// NONE:   schedule = #uop.schedule<[]>
// LAYOUT: schedule = #uop.schedule<[LOCAL 0:8, UPCAST 0:2, UPCAST 1:4, UNROLL 0:2]>
uop.kernel @product(%a: memref<32x6xi32>, %b: memref<6x8xi32>,
                    %c: memref<32x8xi32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:8, UPCAST 0:2, UPCAST 1:4, UNROLL 0:2], upcast_layout = cpu>} {
  %i = uop.range loop 32
  %j = uop.range loop 8
  %k = uop.range reduce 6
  %x = uop.load %a[%i, %k] : memref<32x6xi32>
  %y = uop.load %b[%k, %j] : memref<6x8xi32>
  %p = arith.muli %x, %y : i32
  %s = uop.reduce add %p over(%k) : i32
  uop.store %s, %c[%i, %j] : memref<32x8xi32>
}
