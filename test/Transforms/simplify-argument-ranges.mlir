// The algebra knows between what an argument is, where its `llvm.range` says so.
// RUN: uop-opt %s --uop-simplify --split-input-file | FileCheck %s

// A row of at most 64: what is below it, divided by 64, is 0, and modulo 64 it
// stays. The larger of it and 0 is itself.
// CHECK-LABEL: uop.kernel @below
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[I:.*]] = uop.range loop %[[N]]
// CHECK-NEXT:    %[[V:.*]] = uop.load %{{.*}}[%[[C0]], %[[I]]]
// CHECK-NEXT:    uop.store %[[V]], %{{.*}}[%[[I]]]
// CHECK-NEXT:  }
uop.kernel @below(%n: index {llvm.range = #llvm.constant_range<i64, 1, 65>},
                  %x: memref<4x64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %size = arith.maxsi %n, %c0 : index
  %i = uop.range loop %size
  %row = uop.floordiv %i, %c64
  %column = uop.floormod %i, %c64
  %v = uop.load %x[%row, %column] : memref<4x64xf32>
  uop.store %v, %y[%i] : memref<64xf32>
}

// -----

// A number of 32 bits as an index, of either sign: it is at least -8 + 16.
// CHECK-LABEL: uop.kernel @cast
// CHECK:         %[[D:.*]] = arith.index_cast
// CHECK-NOT:     cmpi
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         uop.store %{{.*}}, %{{.*}}[%{{.*}}] mask %[[TRUE]] : memref<64xf32>
uop.kernel @cast(%n: i32 {llvm.range = #llvm.constant_range<i32, -8, 9>}, %y: memref<64xf32>) {
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  %i = uop.range loop 32
  %d = arith.index_cast %n : i32 to index
  %shifted = arith.addi %i, %d : index
  %at = arith.addi %shifted, %c16 : index
  %c8 = arith.constant 8 : index
  %in = arith.cmpi sge, %at, %c8 : index
  uop.store %one, %y[%at] mask %in : memref<64xf32>
}

// -----

// One value: data, too.
// CHECK-LABEL: uop.kernel @known
// CHECK-SAME:    %[[S:[^:]*]]: i32
// CHECK-NOT:     %[[S]]
// CHECK:         %[[C:.*]] = arith.constant 5 : i32
// CHECK:         arith.muli %{{.*}}, %[[C]] : i32
uop.kernel @known(%s: i32 {llvm.range = #llvm.constant_range<i32, 5, 6>}, %x: memref<8xi32>, %y: memref<8xi32>) {
  %i = uop.range loop 8
  %v = uop.load %x[%i] : memref<8xi32>
  %w = arith.muli %v, %s : i32
  uop.store %w, %y[%i] : memref<8xi32>
}
