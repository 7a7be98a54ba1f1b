// RUN: uop-opt %s --uop-simplify --split-input-file | FileCheck %s
// RUN: uop-opt %s --uop-simplify --cse --split-input-file | FileCheck %s --check-prefix=CSE
// Simplifying twice is simplifying once.
// RUN: uop-opt %s --uop-simplify --split-input-file > %t.once
// RUN: uop-opt %t.once --uop-simplify --split-input-file | diff %t.once -

// A flat index that is split again gives back the ranges.
// CHECK-LABEL: uop.kernel @split(
// CHECK:         %[[X:.*]] = uop.range loop 64
// CHECK:         %[[Y:.*]] = uop.range loop 16
// CHECK-NOT:     uop.floor
// CHECK:         uop.store %{{.*}}, %{{.*}}[%[[X]], %[[Y]]]
uop.kernel @split(%in: memref<1024xf32>, %out: memref<64x16xf32>) {
  %x = uop.range loop 64
  %y = uop.range loop 16
  %c16 = arith.constant 16 : index
  %row = arith.muli %x, %c16 : index
  %flat = arith.addi %row, %y : index
  %v = uop.load %in[%flat] : memref<1024xf32>
  %i = uop.floordiv %flat, %c16
  %j = uop.floormod %flat, %c16
  uop.store %v, %out[%i, %j] : memref<64x16xf32>
}

// -----

// A range split by div and mod is put together again.
// CHECK-LABEL: uop.kernel @merge(
// CHECK:         %[[X:.*]] = uop.range loop 1024
// CHECK-NOT:     index
// CHECK:         %[[V:.*]] = uop.load %{{.*}}[%[[X]]]
// CHECK-NEXT:    uop.store %[[V]], %{{.*}}[%[[X]]]
uop.kernel @merge(%in: memref<1024xf32>, %out: memref<1024xf32>) {
  %x = uop.range loop 1024
  %c16 = arith.constant 16 : index
  %i = uop.floordiv %x, %c16
  %j = uop.floormod %x, %c16
  %row = arith.muli %i, %c16 : index
  %flat = arith.addi %row, %j : index
  %v = uop.load %in[%flat] : memref<1024xf32>
  uop.store %v, %out[%x] : memref<1024xf32>
}

// -----

// Equal addresses written in different orders are one value, which makes one
// load of two.
// CHECK-LABEL: uop.kernel @order(
// CHECK:         %[[I:.*]] = arith.addi
// CHECK-NOT:     arith.addi
// CHECK:         uop.load %{{.*}}[%[[I]]]
// CHECK:         uop.load %{{.*}}[%[[I]]]
// CSE-LABEL:   uop.kernel @order(
// CSE:           %[[V:.*]] = uop.load
// CSE-NOT:       uop.load
// CSE:           arith.addf %[[V]], %[[V]]
uop.kernel @order(%in: memref<1024xf32>, %out: memref<64x16xf32>) {
  %x = uop.range loop 64
  %y = uop.range loop 16
  %c16 = arith.constant 16 : index
  %c4 = arith.constant 4 : index
  %row = arith.muli %c16, %x : index
  %first = arith.addi %y, %row : index
  %quarter = arith.muli %x, %c4 : index
  %four = arith.muli %quarter, %c4 : index
  %second = arith.addi %four, %y : index
  %a = uop.load %in[%first] : memref<1024xf32>
  %b = uop.load %in[%second] : memref<1024xf32>
  %sum = arith.addf %a, %b : f32
  uop.store %sum, %out[%x, %y] : memref<64x16xf32>
}

// -----

// Bounds that do not allow it: y may be 16, so x*16 + y may be in the next row.
// CHECK-LABEL: uop.kernel @too_wide(
// CHECK:         %[[X:.*]] = uop.range loop 64
// CHECK:         %[[Y:.*]] = uop.range loop 17
// CHECK:         %[[CARRY:.*]] = uop.floordiv %[[Y]], %c16
// CHECK:         %[[ROW:.*]] = arith.addi %[[X]], %[[CARRY]]
// CHECK:         uop.load %{{.*}}[%[[ROW]]]
uop.kernel @too_wide(%in: memref<65xf32>, %out: memref<64x17xf32>) {
  %x = uop.range loop 64
  %y = uop.range loop 17
  %c16 = arith.constant 16 : index
  %base = arith.muli %x, %c16 : index
  %flat = arith.addi %base, %y : index
  %i = uop.floordiv %flat, %c16
  %v = uop.load %in[%i] : memref<65xf32>
  uop.store %v, %out[%x, %y] : memref<64x17xf32>
}

// -----

// Rounding towards zero differs from floor below zero: only the second division,
// of what is not negative, is one by 8.
// CHECK-LABEL: uop.kernel @truncating(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         %[[X:.*]] = uop.range loop 64
// CHECK:         arith.divsi %[[N]], %c4
// CHECK:         uop.floordiv %[[X]], %c8
uop.kernel @truncating(%n: index, %in: memref<8x?xf32>, %out: memref<64xf32>) {
  %x = uop.range loop 64
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %signed = arith.divsi %n, %c4 : index
  %quarter = arith.divsi %x, %c4 : index
  %eighth = arith.divsi %quarter, %c2 : index
  %v = uop.load %in[%eighth, %signed] : memref<8x?xf32>
  uop.store %v, %out[%x] : memref<64xf32>
}

// -----

// Data wraps: (q + 10) - 10 and (q * 4) / 4 on i8 stay as they are.
// CHECK-LABEL: uop.kernel @data(
// CHECK:         arith.addi %{{.*}} : i8
// CHECK-NEXT:    arith.muli %{{.*}} : i8
// CHECK-NEXT:    arith.divsi %{{.*}} : i8
// CHECK-NEXT:    arith.cmpi slt, %{{.*}} : i8
// CHECK-NEXT:    arith.cmpi slt, %{{.*}} : i8
// CHECK-NEXT:    arith.andi %{{.*}} : i1
uop.kernel @data(%in: memref<16xi8>, %out: memref<16xi1>) {
  %i = uop.range loop 16
  %c4 = arith.constant 4 : i8
  %c10 = arith.constant 10 : i8
  %q = uop.load %in[%i] : memref<16xi8>
  %a = arith.addi %q, %c10 : i8
  %b = arith.muli %a, %c4 : i8
  %c = arith.divsi %b, %c4 : i8
  %d = arith.cmpi slt, %a, %q : i8
  %e = arith.cmpi slt, %c, %a : i8
  %f = arith.andi %e, %d : i1
  uop.store %f, %out[%i] : memref<16xi1>
}

// -----

// A mask is divided like its sum, and stays on the access also where it always
// holds.
// CHECK-LABEL: uop.kernel @mask(
// CHECK:         %[[I:.*]] = uop.range loop 256
// CHECK-DAG:     %[[INSIDE:.*]] = arith.cmpi slt, %[[I]], %c100
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK:         uop.load %{{.*}}[%{{.*}}] mask %[[INSIDE]]
// CHECK:         uop.load %{{.*}} mask %[[TRUE]]
uop.kernel @mask(%in: memref<400xf32>, %out: memref<256x4xf32>) {
  %i = uop.range loop 256
  %j = uop.range loop 4
  %c4 = arith.constant 4 : index
  %c400 = arith.constant 400 : index
  %c2000 = arith.constant 2000 : index
  %base = arith.muli %i, %c4 : index
  %flat = arith.addi %base, %j : index
  %inside = arith.cmpi slt, %flat, %c400 : index
  %always = arith.cmpi slt, %flat, %c2000 : index
  %v = uop.load %in[%flat] mask %inside : memref<400xf32>
  %w = uop.load %in[%j] mask %always : memref<400xf32>
  %s = arith.addf %v, %w : f32
  uop.store %s, %out[%i, %j] : memref<256x4xf32>
}

// -----

// A domain keeps its ranges when an index does without: r * 0 is 0, 32 times.
// CHECK-LABEL: uop.kernel @domain(
// CHECK:         %[[R:.*]] = uop.range loop 32
// CHECK:         uop.store add %{{.*}}, %{{.*}}[%c0{{.*}}] over(%[[R]])
uop.kernel @domain(%out: memref<1xi32>) {
  %r = uop.range loop 32
  %c0 = arith.constant 0 : index
  %zero = arith.muli %r, %c0 : index
  %one = arith.constant 1 : i32
  uop.store add %one, %out[%zero] : memref<1xi32>
}

// -----

// What is loaded in place stays free in the domain, a range of extent 1
// included.
// CHECK-LABEL: uop.kernel @in_place(
// CHECK:         %[[ONE:.*]] = uop.range loop 1
// CHECK:         %[[I:.*]] = arith.addi %{{.*}}, %[[ONE]]
// CHECK:         uop.load %{{.*}}[%[[I]]]
// CHECK:         uop.store %{{.*}}[%[[I]]]
uop.kernel @in_place(%x: memref<8xf32>) {
  %i = uop.range loop 8
  %one = uop.range loop 1
  %at = arith.addi %i, %one : index
  %v = uop.load %x[%at] : memref<8xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %x[%at] : memref<8xf32>
}

// -----

// The size of a memref is not negative, and an extent bounds its range.
// CHECK-LABEL: uop.kernel @dynamic(
// CHECK:         %[[I:.*]] = uop.range loop %{{.*}}
// CHECK:         uop.load %{{.*}}[%[[I]]] mask %true
uop.kernel @dynamic(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  %i = uop.range loop %n
  %inside = arith.cmpi sge, %i, %c0 : index
  %v = uop.load %in[%i] mask %inside : memref<?xf32>
  uop.store %v, %out[%i] : memref<?xf32>
}

// -----

// In loop form the bounds of loops count as well: 0, 4, ..., 60 by 64 is 0.
// CHECK-LABEL: uop.kernel loops @loops(
// CHECK:         %[[B:.*]] = uop.range global<x> 8
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NOT:     uop.floor
// CHECK:         memref.load %{{.*}}[%[[B]], %[[K]]]
uop.kernel loops @loops(%in: memref<8x64xf32>, %out: memref<8x64xf32>) {
  %b = uop.range global<x> 8
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c62 = arith.constant 62 : index
  %c64 = arith.constant 64 : index
  scf.for %k = %c0 to %c62 step %c4 {
    %base = arith.muli %b, %c64 : index
    %flat = arith.addi %base, %k : index
    %i = uop.floordiv %flat, %c64
    %j = uop.floormod %flat, %c64
    %v = memref.load %in[%i, %j] : memref<8x64xf32>
    memref.store %v, %out[%b, %k] : memref<8x64xf32>
  }
}
