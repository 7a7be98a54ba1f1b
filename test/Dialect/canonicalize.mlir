// What canonicalisation folds, and what it must leave.
// RUN: uop-opt %s --canonicalize | FileCheck %s

// A range of extent 1 is 0, and its place in the domain stays.
// CHECK-LABEL: uop.kernel @extent_one
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         %[[I:.*]] = uop.range loop 4
// CHECK-NOT:     uop.range
// CHECK:         uop.store %{{.*}}, %{{.*}}[%[[I]], %[[ZERO]]] over(%[[I]], %[[ZERO]]) : memref<4x1xf32>
uop.kernel @extent_one(%x: f32, %out: memref<4x1xf32>) {
  %i = uop.range loop 4
  %j = uop.range loop 1
  uop.store %x, %out[%i, %j] : memref<4x1xf32>
}

// The same for what reduce and stage close. The reduction stays: 0 + x is not
// x for x = -0.0.
// CHECK-LABEL: uop.kernel @closed_extent_one
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         uop.reduce add %{{.*}} over(%[[ZERO]]) : f32
// CHECK:         uop.stage %{{.*}}[%[[ZERO]]] over(%[[ZERO]], %{{.*}}) : !uop.tile<1xf32, private>
uop.kernel @closed_extent_one(%x: f32, %in: memref<1xf32>,
                              %out: memref<4xf32>) {
  %i = uop.range loop 4
  %k = uop.range unroll 1
  %v = uop.load %in[%k] : memref<1xf32>
  %s = uop.reduce add %v over(%k) : f32
  %c0 = arith.constant 0 : index
  %one = uop.range loop 1
  %two = uop.range loop 1
  %t = uop.stage %s[%one] over(%one, %two) : !uop.tile<1xf32, private>
  %y = uop.load %t[%c0] : !uop.tile<1xf32, private>
  uop.store %y, %out[%i] : memref<4xf32>
}

// A range of no points stays what it is.
// CHECK-LABEL: uop.kernel @extent_zero
// CHECK:         %[[I:.*]] = uop.range loop 0
// CHECK:         uop.store %{{.*}}, %{{.*}}[%[[I]]] : memref<4xf32>
uop.kernel @extent_zero(%x: f32, %out: memref<4xf32>) {
  %i = uop.range loop 0
  uop.store %x, %out[%i] : memref<4xf32>
}

// A constant extent becomes a literal.
// CHECK-LABEL: uop.kernel @constant_extent
// CHECK:         uop.range loop 8
uop.kernel @constant_extent(%x: f32, %out: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n = arith.muli %c2, %c4 : index
  %i = uop.range loop %n
  uop.store %x, %out[%i] : memref<8xf32>
}

// A range that nothing uses goes away.
// CHECK-LABEL: uop.kernel @dead_range
// CHECK-COUNT-1: uop.range
// CHECK-NOT:     uop.range
// CHECK:         uop.store
uop.kernel @dead_range(%x: f32, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %j = uop.range loop 8
  %k = uop.range reduce 8
  %dead = uop.reduce add %x over(%k) : f32
  uop.store %x, %out[%i] : memref<4xf32>
}

// In loop form it says how many threads there are: 64 * 32 add one.
// CHECK-LABEL: uop.kernel loops @idle_ranges
// CHECK:         uop.range global<x> 64
// CHECK-NEXT:    uop.range local<x> 32
// CHECK-NEXT:    memref.atomic_rmw addi
uop.kernel loops @idle_ranges(%count: memref<i32>) {
  %one = arith.constant 1 : i32
  %b = uop.range global<x> 64
  %t = uop.range local<x> 32
  %old = memref.atomic_rmw addi %one, %count[] : (i32, memref<i32>) -> i32
}

// The index no longer varies with %j; the domain is what the store says.
// CHECK-LABEL: uop.kernel @domain_stays
// CHECK:         %[[I:.*]] = uop.range loop 4
// CHECK:         %[[J:.*]] = uop.range loop 8
// CHECK:         uop.store add %{{.*}}, %{{.*}}[%[[I]]] over(%[[I]], %[[J]]) : memref<4xf32>
uop.kernel @domain_stays(%x: f32, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %i = uop.range loop 4
  %j = uop.range loop 8
  %zero = arith.muli %j, %c0 : index
  %at = arith.addi %i, %zero : index
  uop.store add %x, %out[%at] : memref<4xf32>
}

// Masks that always hold are dropped.
// CHECK-LABEL: uop.kernel @true_masks
// CHECK:         %[[X:.*]] = uop.load %{{.*}}[%[[I:.*]]] : memref<4xf32>
// CHECK-NEXT:    %[[S:.*]] = uop.reduce add %[[X]] over(%{{.*}}) : f32
// CHECK-NEXT:    uop.store %[[S]], %{{.*}}[%[[I]]] : memref<4xf32>
uop.kernel @true_masks(%in: memref<4xf32>, %z: f32, %out: memref<4xf32>) {
  %true = arith.constant true
  %i = uop.range loop 4
  %k = uop.range reduce 4
  %x = uop.load %in[%i] mask %true else %z : memref<4xf32>
  %s = uop.reduce add %x over(%k) mask %true : f32
  uop.store %s, %out[%i] mask %true : memref<4xf32>
}

// A load under a mask that never holds is its `else`, or zero. The store stays:
// a kernel stores something.
// CHECK-LABEL: uop.kernel @false_masks
// CHECK-SAME:    %[[Z:[a-z0-9]*]]: f32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK-NOT:     uop.load
// CHECK:         uop.store %[[Z]], %{{.*}}[%[[I:.*]]] : memref<4xf32>
// CHECK-NEXT:    uop.store %[[ZERO]], %{{.*}}[%[[I]]] mask %[[FALSE]] : memref<4xf32>
uop.kernel @false_masks(%z: f32, %in: memref<4xf32>, %a: memref<4xf32>,
                        %b: memref<4xf32>) {
  %false = arith.constant false
  %i = uop.range loop 4
  %x = uop.load %in[%i] mask %false else %z : memref<4xf32>
  %y = uop.load %in[%i] mask %false : memref<4xf32>
  uop.store %x, %a[%i] : memref<4xf32>
  uop.store %y, %b[%i] mask %false : memref<4xf32>
}

// A reduction over no points is the identity of its kind.
// CHECK-LABEL: uop.kernel @no_points_integer
// CHECK-SAME:    (%[[OUT:.*]]: memref<9xi8>
// CHECK-DAG:     %[[ADD:.*]] = arith.constant 0 : i8
// CHECK-DAG:     %[[MUL:.*]] = arith.constant 1 : i8
// CHECK-DAG:     %[[ONES:.*]] = arith.constant -1 : i8
// CHECK-DAG:     %[[MIN:.*]] = arith.constant -128 : i8
// CHECK-DAG:     %[[MAX:.*]] = arith.constant 127 : i8
// CHECK-NOT:     uop.reduce
// CHECK:         uop.store %[[ADD]]
// CHECK-NEXT:    uop.store %[[MUL]]
// CHECK-NEXT:    uop.store %[[MAX]]
// CHECK-NEXT:    uop.store %[[ONES]]
// CHECK-NEXT:    uop.store %[[MIN]]
// CHECK-NEXT:    uop.store %[[ADD]]
// CHECK-NEXT:    uop.store %[[ONES]]
// CHECK-NEXT:    uop.store %[[ADD]]
// CHECK-NEXT:    uop.store %[[ADD]]
uop.kernel @no_points_integer(%out: memref<9xi8>, %x: i8, %m: i1) {
  %r = uop.range reduce 0
  %k = uop.range reduce 4
  %add = uop.reduce add %x over(%k, %r) : i8
  %mul = uop.reduce mul %x over(%r) mask %m : i8
  %minsi = uop.reduce minsi %x over(%r) : i8
  %minui = uop.reduce minui %x over(%r) : i8
  %maxsi = uop.reduce maxsi %x over(%r) : i8
  %maxui = uop.reduce maxui %x over(%r) : i8
  %and = uop.reduce and %x over(%r) : i8
  %or = uop.reduce or %x over(%r) : i8
  %xor = uop.reduce xor %x over(%r) : i8
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %4 = arith.constant 4 : index
  %5 = arith.constant 5 : index
  %6 = arith.constant 6 : index
  %7 = arith.constant 7 : index
  %8 = arith.constant 8 : index
  uop.store %add, %out[%0] : memref<9xi8>
  uop.store %mul, %out[%1] : memref<9xi8>
  uop.store %minsi, %out[%2] : memref<9xi8>
  uop.store %minui, %out[%3] : memref<9xi8>
  uop.store %maxsi, %out[%4] : memref<9xi8>
  uop.store %maxui, %out[%5] : memref<9xi8>
  uop.store %and, %out[%6] : memref<9xi8>
  uop.store %or, %out[%7] : memref<9xi8>
  uop.store %xor, %out[%8] : memref<9xi8>
}

// CHECK-LABEL: uop.kernel @no_points_float
// CHECK-DAG:     %[[ADD:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[MUL:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:     %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG:     %[[MINUS_INF:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG:     %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK-NOT:     uop.reduce
// CHECK:         uop.store %[[ADD]]
// CHECK-NEXT:    uop.store %[[MUL]]
// CHECK-NEXT:    uop.store %[[INF]]
// CHECK-NEXT:    uop.store %[[MINUS_INF]]
// CHECK-NEXT:    uop.store %[[NAN]]
// CHECK-NEXT:    uop.store %[[NAN]]
uop.kernel @no_points_float(%out: memref<6xf32>, %x: f32) {
  %r = uop.range reduce 0
  %add = uop.reduce add %x over(%r) : f32
  %mul = uop.reduce mul %x over(%r) : f32
  %minimumf = uop.reduce minimumf %x over(%r) : f32
  %maximumf = uop.reduce maximumf %x over(%r) : f32
  %minnumf = uop.reduce minnumf %x over(%r) : f32
  %maxnumf = uop.reduce maxnumf %x over(%r) : f32
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %4 = arith.constant 4 : index
  %5 = arith.constant 5 : index
  uop.store %add, %out[%0] : memref<6xf32>
  uop.store %mul, %out[%1] : memref<6xf32>
  uop.store %minimumf, %out[%2] : memref<6xf32>
  uop.store %maximumf, %out[%3] : memref<6xf32>
  uop.store %minnumf, %out[%4] : memref<6xf32>
  uop.store %maxnumf, %out[%5] : memref<6xf32>
}

// The general form has its identities as operands; a type without infinities
// begins with its least number, which is -6 for f4E2M1FN.
// CHECK-LABEL: uop.kernel @no_points_general
// CHECK-SAME:    %{{[a-z0-9]*}}: f32, %[[ID:[a-z0-9]*]]: f32
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant -6.000000e+00 : f4E2M1FN
// CHECK-NOT:     uop.reduce
// CHECK:         uop.store %[[ID]]
// CHECK-NEXT:    uop.store %[[LEAST]]
uop.kernel @no_points_general(%x: f32, %id: f32, %out: memref<4xf32>,
                              %y: f4E2M1FN, %small: memref<4xf4E2M1FN>) {
  %i = uop.range loop 4
  %r = uop.range reduce 0
  %s = uop.reduce (%x) init(%id) over(%r) combine (%a: f32, %b: f32) {
    uop.yield %b : f32
  } : f32
  %t = uop.reduce maximumf %y over(%r) : f4E2M1FN
  uop.store %s, %out[%i] : memref<4xf32>
  uop.store %t, %small[%i] : memref<4xf4E2M1FN>
}

// floordiv and floormod of all signs: 7 = 2*3 + 1, -7 = 2*(-4) + 1,
// 7 = -2*(-4) - 1, -7 = -2*3 - 1.
// CHECK-LABEL: func.func @floor
// CHECK-DAG:     %[[THREE:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[MINUS_FOUR:.*]] = arith.constant -4 : index
// CHECK-DAG:     %[[MINUS_ONE:.*]] = arith.constant -1 : index
// CHECK:         return %[[THREE]], %[[ONE]], %[[MINUS_FOUR]], %[[ONE]], %[[MINUS_FOUR]], %[[MINUS_ONE]], %[[THREE]], %[[MINUS_ONE]]
func.func @floor() -> (index, index, index, index, index, index, index, index) {
  %p7 = arith.constant 7 : index
  %m7 = arith.constant -7 : index
  %p2 = arith.constant 2 : index
  %m2 = arith.constant -2 : index
  %0 = uop.floordiv %p7, %p2
  %1 = uop.floormod %p7, %p2
  %2 = uop.floordiv %m7, %p2
  %3 = uop.floormod %m7, %p2
  %4 = uop.floordiv %p7, %m2
  %5 = uop.floormod %p7, %m2
  %6 = uop.floordiv %m7, %m2
  %7 = uop.floormod %m7, %m2
  return %0, %1, %2, %3, %4, %5, %6, %7
    : index, index, index, index, index, index, index, index
}

// Divisors of 1 and -1; the quotient 2^63 is no 64-bit number and stays.
// 2^63 is 3 * 3074457345618258602 + 2, so -2^63 floormod 3 is 1.
// CHECK-LABEL: func.func @floor_edges
// CHECK-SAME:    (%[[A:.*]]: index)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[MINUS_ONE:.*]] = arith.constant -1 : index
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant -9223372036854775808 : index
// CHECK:         %[[Q:.*]] = uop.floordiv %[[A]], %[[MINUS_ONE]]
// CHECK-NEXT:    %[[R:.*]] = uop.floordiv %[[LEAST]], %[[MINUS_ONE]]
// CHECK-NEXT:    return %[[A]], %[[ZERO]], %[[ZERO]], %[[Q]], %[[R]], %[[ONE]]
func.func @floor_edges(%a: index)
    -> (index, index, index, index, index, index) {
  %one = arith.constant 1 : index
  %minus_one = arith.constant -1 : index
  %three = arith.constant 3 : index
  %least = arith.constant -9223372036854775808 : index
  %0 = uop.floordiv %a, %one
  %1 = uop.floormod %a, %one
  %2 = uop.floormod %a, %minus_one
  %3 = uop.floordiv %a, %minus_one
  %4 = uop.floordiv %least, %minus_one
  %5 = uop.floormod %least, %three
  return %0, %1, %2, %3, %4, %5 : index, index, index, index, index, index
}
