// The schedule that is printed on a mapped kernel, put on the kernel as it was
// before, maps it in the same way.
// RUN: split-file %s %t
// RUN: uop-opt %t/plain.mlir --uop-gpu-map="local=0:8 upcast=0:2,1:4 unroll=0:2 upcast-layout=cpu" -o %t/mapped.mlir
// RUN: FileCheck %t/plain.mlir --input-file=%t/mapped.mlir
// RUN: uop-opt %t/scheduled.mlir --uop-gpu-map -o %t/replayed.mlir
// RUN: diff %t/mapped.mlir %t/replayed.mlir
// Mapping again changes nothing.
// RUN: uop-opt %t/replayed.mlir --uop-gpu-map | diff %t/mapped.mlir -

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
