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

// -----

// A range of 17 padded to 8 * 4: where the mask holds, an address that was
// folded is the row and the range. The mask stays.
// CHECK-LABEL: uop.kernel @padded(
// CHECK:         %[[X:.*]] = uop.range loop 10
// CHECK-NOT:     uop.floor
// CHECK:         %[[R:.*]] = arith.addi
// CHECK-NEXT:    %[[M:.*]] = arith.cmpi slt, %[[R]], %c17
// CHECK-NEXT:    uop.load %{{.*}}[%[[X]], %[[R]]] mask %[[M]]
// CHECK-NEXT:    uop.store %{{.*}}, %{{.*}}[%[[X]], %[[R]]] mask %[[M]]
uop.kernel @padded(%t: memref<10x17xf32>, %out: memref<10x17xf32>) {
  %x = uop.range loop 10
  %g = uop.range loop 8
  %l = uop.range loop 4
  %c4 = arith.constant 4 : index
  %c17 = arith.constant 17 : index
  %base = arith.muli %g, %c4 : index
  %r = arith.addi %base, %l : index
  %m = arith.cmpi slt, %r, %c17 : index
  %row = arith.muli %x, %c17 : index
  %flat = arith.addi %row, %r : index
  %i = uop.floordiv %flat, %c17
  %j = uop.floormod %flat, %c17
  %v = uop.load %t[%i, %j] mask %m : memref<10x17xf32>
  uop.store %v, %out[%x, %r] mask %m : memref<10x17xf32>
}

// -----

// A value that an access without the mask uses, too, stays as it is for that.
// CHECK-LABEL: uop.kernel @shared(
// CHECK:         %[[R:.*]] = uop.range loop 32
// CHECK:         %[[I:.*]] = uop.floordiv %[[R]], %c17
// CHECK:         %[[V:.*]] = uop.load %{{.*}}[%c0{{.*}}, %[[R]]] mask
// CHECK:         %[[W:.*]] = uop.load %{{.*}}[%[[I]], %[[R]]] :
uop.kernel @shared(%t: memref<2x32xf32>, %a: memref<32xf32>,
                   %b: memref<32xf32>) {
  %r = uop.range loop 32
  %c17 = arith.constant 17 : index
  %m = arith.cmpi slt, %r, %c17 : index
  %i = uop.floordiv %r, %c17
  %v = uop.load %t[%i, %r] mask %m : memref<2x32xf32>
  %w = uop.load %t[%i, %r] : memref<2x32xf32>
  uop.store %v, %a[%r] : memref<32xf32>
  uop.store %w, %b[%r] : memref<32xf32>
}

// -----

// The proof that a store writes no element twice knows nothing of masks: 31 - r
// stays where the mask would make it 0.
// CHECK-LABEL: uop.kernel @injective(
// CHECK:         %[[I:.*]] = arith.subi %c31
// CHECK-NOT:     arith.constant
// CHECK:         uop.store %{{.*}}, %{{.*}}[%[[I]]] mask
uop.kernel @injective(%t: memref<32xf32>, %out: memref<32xf32>) {
  %r = uop.range loop 32
  %c31 = arith.constant 31 : index
  %m = arith.cmpi eq, %r, %c31 : index
  %v = uop.load %t[%r] : memref<32xf32>
  %i = arith.subi %c31, %r : index
  uop.store %v, %out[%i] mask %m : memref<32xf32>
}

// -----

// Of two masks the one that implies the other is left: a sum of what is not
// negative is below 17 only where its parts are below 5.
// CHECK-LABEL: uop.kernel @implied(
// CHECK-NOT:     arith.andi
// CHECK:         %[[M:.*]] = arith.cmpi slt, %{{.*}}, %c17
// CHECK-NOT:     arith.andi
// CHECK:         uop.load %{{.*}} mask %[[M]]
uop.kernel @implied(%t: memref<32xf32>, %out: memref<8x4xf32>) {
  %g = uop.range loop 8
  %l = uop.range loop 4
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c17 = arith.constant 17 : index
  %base = arith.muli %g, %c4 : index
  %r = arith.addi %base, %l : index
  %p = arith.cmpi slt, %r, %c17 : index
  %q = arith.cmpi slt, %g, %c5 : index
  %m = arith.andi %p, %q : i1
  %v = uop.load %t[%r] mask %m : memref<32xf32>
  uop.store %v, %out[%g, %l] : memref<8x4xf32>
}

// -----

// A divisor that a mask keeps from being zero is kept from it all the same: the
// division is computed where the mask is false, too.
// CHECK-LABEL: uop.kernel @guarded_divisor(
// CHECK:         %[[D:.*]] = arith.maxsi
// CHECK:         uop.floordiv %{{.*}}, %[[D]]
uop.kernel @guarded_divisor(%t: memref<32xf32>, %out: memref<32x8xf32>) {
  %r = uop.range loop 32
  %d = uop.range loop 8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.cmpi ne, %d, %c0 : index
  %safe = arith.select %m, %d, %c1 : index
  %i = uop.floordiv %r, %safe
  %v = uop.load %t[%i] mask %m : memref<32xf32>
  uop.store %v, %out[%r, %d] : memref<32x8xf32>
}

// -----

// In loop form the conditions around an access are its mask.
// CHECK-LABEL: uop.kernel loops @guard(
// CHECK:         %[[R:.*]] = uop.range global<x> 32
// CHECK-NOT:     uop.floor
// CHECK:         scf.if
// CHECK:           memref.load %{{.*}}[%c0{{.*}}, %[[R]]]
uop.kernel loops @guard(%t: memref<2x17xf32>, %out: memref<32xf32>) {
  %r = uop.range global<x> 32
  %c17 = arith.constant 17 : index
  %m = arith.cmpi slt, %r, %c17 : index
  %i = uop.floordiv %r, %c17
  %j = uop.floormod %r, %c17
  scf.if %m {
    %v = memref.load %t[%i, %j] : memref<2x17xf32>
    memref.store %v, %out[%r] : memref<32xf32>
  }
}

// -----

// Quotients rounded up are like others.
// CHECK-LABEL: uop.kernel @round_up(
// CHECK:         %[[X:.*]] = uop.range loop 64
// CHECK-NOT:     arith.ceildivsi
// CHECK:         uop.load %{{.*}}[%[[X]]]
uop.kernel @round_up(%in: memref<64xf32>, %out: memref<64x4xf32>) {
  %x = uop.range loop 64
  %y = uop.range loop 4
  %c4 = arith.constant 4 : index
  %base = arith.muli %x, %c4 : index
  %flat = arith.subi %base, %y : index
  %i = arith.ceildivsi %flat, %c4 : index
  %v = uop.load %in[%i] : memref<64xf32>
  uop.store %v, %out[%x, %y] : memref<64x4xf32>
}

// -----

// Extents that are not known until run time: an address over two such ranges,
// taken apart again, is the ranges. Conditions that the extents decide go.
// CHECK-LABEL: uop.kernel @dynamic_extents(
// CHECK:         %[[I:.*]] = uop.range loop %[[N:.*]]
// CHECK:         %[[J:.*]] = uop.range loop %[[M:.*]]
// CHECK-NOT:     uop.floor
// CHECK-NOT:     arith.cmpi
// CHECK:         uop.load %{{.*}}[%[[I]], %[[J]]] mask %true
uop.kernel @dynamic_extents(%in: memref<?x?xf32>, %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %in, %c0 : memref<?x?xf32>
  %m = memref.dim %in, %c1 : memref<?x?xf32>
  %i = uop.range loop %n
  %j = uop.range loop %m
  %row = arith.muli %i, %m : index
  %flat = arith.addi %row, %j : index
  %size = arith.muli %n, %m : index
  %inside = arith.cmpi slt, %flat, %size : index
  %a = uop.floordiv %flat, %m
  %b = uop.floormod %flat, %m
  %v = uop.load %in[%a, %b] mask %inside : memref<?x?xf32>
  uop.store %v, %out[%i, %j] : memref<?x?xf32>
}
