// Points at which the mask of a store does not hold are not written: a tail, as
// a person or the mapper writes it, needs no `unique`.
// RUN: uop-opt %s --split-input-file | FileCheck %s

// What the mapper makes of tails, copies, merged and folded axes is proved, too,
// with and without simplification.
// RUN: uop-opt %s --split-input-file --uop-gpu-map -o %t.mapped
// RUN: grep -c " unique" %t.mapped | grep -x 5
// RUN: sed 's/ unique//' %t.mapped | uop-opt --split-input-file -o /dev/null
// RUN: uop-opt %s --split-input-file --uop-gpu-map --uop-simplify --cse --canonicalize -o %t.simple
// RUN: sed 's/ unique//' %t.simple | uop-opt --split-input-file -o /dev/null

// Rows of 100 in blocks of 32: j may be 127, which is in the next row.
// CHECK-LABEL: uop.kernel @flat(
// CHECK: uop.store %{{.*}}, %{{.*}}[%{{.*}}] mask
uop.kernel @flat(%out: memref<300xf32>, %v: f32) {
  %i = uop.range global<y> 3
  %g = uop.range global<x> 4
  %l = uop.range local<x> 32
  %c32 = arith.constant 32 : index
  %c100 = arith.constant 100 : index
  %o = arith.muli %g, %c32 : index
  %j = arith.addi %o, %l : index
  %in = arith.cmpi slt, %j, %c100 : index
  %row = arith.muli %i, %c100 : index
  %at = arith.addi %row, %j : index
  uop.store %v, %out[%at] mask %in : memref<300xf32>
}

// -----

// A sum that is bounded within a sum that is: 13 of 16 parts of 8, of which 100
// elements count.
// CHECK-LABEL: uop.kernel @nested(
uop.kernel @nested(%out: memref<300xf32>, %v: f32) {
  %i = uop.range loop 3
  %a = uop.range loop 4
  %b = uop.range loop 4
  %l = uop.range loop 8
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c13 = arith.constant 13 : index
  %c100 = arith.constant 100 : index
  %a4 = arith.muli %a, %c4 : index
  %g = arith.addi %a4, %b : index
  %g8 = arith.muli %g, %c8 : index
  %j = arith.addi %g8, %l : index
  %inner = arith.cmpi ult, %g, %c13 : index
  %outer = arith.cmpi sgt, %c100, %j : index
  %in = arith.andi %inner, %outer : i1
  %row = arith.muli %i, %c100 : index
  %at = arith.addi %row, %j : index
  uop.store %v, %out[%at] mask %in : memref<300xf32>
}

// -----

// Each four elements of a folded axis are written by one of its points.
// CHECK-LABEL: uop.kernel @leader(
uop.kernel @leader(%out: memref<16xf32>, %v: f32) {
  %i = uop.range loop 64
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %q = uop.floordiv %i, %c4
  %r = uop.floormod %i, %c4
  %first = arith.cmpi eq, %r, %c0 : index
  uop.store %v, %out[%q] mask %first : memref<16xf32>
}

// -----

// CHECK-LABEL: uop.kernel @tail(
uop.kernel @tail(%out: memref<3x100xf32>, %v: f32) attributes {
    schedule = #uop.schedule<[LOCAL 1:32]>} {
  %i = uop.range loop 3
  %j = uop.range loop 100
  uop.store %v, %out[%i, %j] : memref<3x100xf32>
}

// -----

// CHECK-LABEL: uop.kernel @copies(
uop.kernel @copies(%out: memref<3001xf32>, %v: f32) attributes {
    schedule = #uop.schedule<[LOCAL 0:8, LOCAL 1:32, UPCAST 0:2, UPCAST 1:2, VECTORIZE 1:4]>} {
  %i = uop.range loop 3
  %j = uop.range loop 1000
  %c1000 = arith.constant 1000 : index
  %row = arith.muli %i, %c1000 : index
  %at = arith.addi %row, %j : index
  uop.store %v, %out[%at] : memref<3001xf32>
}

// -----

// CHECK-LABEL: uop.kernel @merged(
uop.kernel @merged(%out: memref<30x1000xf32>, %v: f32) attributes {
    schedule = #uop.schedule<[MERGE 0:2, LOCAL 0:64, VECTORIZE 0:4]>} {
  %i = uop.range loop 30
  %j = uop.range loop 1000
  uop.store %v, %out[%i, %j] : memref<30x1000xf32>
}

// -----

// CHECK-LABEL: uop.kernel @folded(
uop.kernel @folded(%out: memref<3x5x2x7x99xf32>, %v: f32) attributes {
    schedule = #uop.schedule<[LOCAL 3:4, LOCAL 4:8, VECTORIZE 4:2]>} {
  %a = uop.range loop 3
  %b = uop.range loop 5
  %c = uop.range loop 2
  %d = uop.range loop 7
  %e = uop.range loop 99
  uop.store %v, %out[%a, %b, %c, %d, %e] : memref<3x5x2x7x99xf32>
}

// -----

// Two dynamic axes on x would be recovered by a division that is not affine; one
// keeps its tail.
// CHECK-LABEL: uop.kernel @dynamic(
uop.kernel @dynamic(%out: memref<3x?xf32>, %v: f32) attributes {
    schedule = #uop.schedule<[LOCAL 1:32, UPCAST 1:2]>} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %out, %c1 : memref<3x?xf32>
  %i = uop.range loop 3
  %j = uop.range loop %n
  uop.store %v, %out[%i, %j] : memref<3x?xf32>
}
