// What cannot be split is refused, and left as it was.
// RUN: uop-opt %s --uop-split-reductions --verify-diagnostics --split-input-file
// RUN: not uop-opt %s --uop-split-reductions="splitk=0:2,1:2" 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not uop-opt %s --uop-split-reductions="splitk=0:0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not uop-opt %s --uop-split-reductions="heuristic=basic" 2>&1 | FileCheck %s --check-prefix=HEURISTIC
// RUN: not uop-opt %s --uop-split-reductions="chip=gfx90a" 2>&1 | FileCheck %s --check-prefix=CHIP
// TWO: error: uop-split-reductions: expected one axis to split, but got 2
// ZERO: error: uop-split-reductions: expected splitk to be a list of axis:amount, with axes from 0 and amounts from 1, such as splitk=0:16,1:8, but got '0:0'
// HEURISTIC: error: uop-split-reductions: expected heuristic to be default or none, but got 'basic'
// CHIP: error: uop-split-reductions: expected a known chip, but got 'gfx90a'; choose one of sm_75

// expected-error @below {{cannot split a reduction of @no_axis: SPLITK 1:2 names reduce axis 1, but the kernel has 1 reduce axis}}
uop.kernel @no_axis(%x: memref<8xi32>, %out: memref<1xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 1:2]>} {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 8
  %v = uop.load %x[%k] : memref<8xi32>
  %s = uop.reduce add %v over(%k) : i32
  uop.store %s, %out[%c0] over() : memref<1xi32>
}

// -----

// expected-error @below {{cannot split a reduction of @short: expected 2 parts or more, and no more than the axis has points, 8; but got 9}}
uop.kernel @short(%x: memref<8xi32>, %out: memref<1xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:9]>} {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 8
  %v = uop.load %x[%k] : memref<8xi32>
  %s = uop.reduce add %v over(%k) : i32
  uop.store %s, %out[%c0] over() : memref<1xi32>
}

// -----

// expected-error @below {{cannot split a reduction of @twice: SPLITK is given twice; give the axis that you mean once}}
uop.kernel @twice(%x: memref<8xi32>, %out: memref<1xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:2, SPLITK 0:4]>} {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 8
  %v = uop.load %x[%k] : memref<8xi32>
  %s = uop.reduce add %v over(%k) : i32
  uop.store %s, %out[%c0] over() : memref<1xi32>
}

// -----

// The size of the workspace has to be known.
// expected-error @below {{cannot split a reduction of @dynamic: expected static extents of the axes along which its results vary, which is the size of the workspace; but one is dynamic}}
uop.kernel @dynamic(%x: memref<?x64xi32>, %out: memref<?xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:2]>} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %out, %c0 : memref<?xi32>
  // expected-note @below {{the axis is defined here}}
  %i = uop.range loop %n
  %k = uop.range reduce 64
  %v = uop.load %x[%i, %k] : memref<?x64xi32>
  %s = uop.reduce add %v over(%k) : i32
  uop.store %s, %out[%i] : memref<?xi32>
}

// -----

// Partial results of an inner axis would come in another order.
// expected-error @below {{cannot split a reduction of @ordered: a combiner takes the points in their order, and reduce axis 1 is not the outermost of its axes; split the outermost one}}
uop.kernel @ordered(%x: memref<4x8xf32>, %out: memref<1xf32>)
    attributes {schedule = #uop.schedule<[SPLITK 1:2]>} {
  %c0 = arith.constant 0 : index
  %j = uop.range reduce 4
  %k = uop.range reduce 8
  %v = uop.load %x[%j, %k] : memref<4x8xf32>
  %zero = arith.constant 0.0 : f32
  // expected-note @below {{the combiner is here}}
  %last = uop.reduce (%v) init(%zero) over(%j, %k) combine (%a: f32, %y: f32) {
    uop.yield %y : f32
  } : f32
  uop.store %last, %out[%c0] over() : memref<1xf32>
}

// -----

// expected-error @below {{cannot split a reduction of @merged: MERGE 0:2 names what the partial results do not have; leave it out, or split first and map the two kernels}}
uop.kernel @merged(%x: memref<2x2x8xi32>, %out: memref<2x2xi32>)
    attributes {schedule = #uop.schedule<[MERGE 0:2, SPLITK 0:2]>} {
  %i = uop.range loop 2
  %j = uop.range loop 2
  %k = uop.range reduce 8
  %v = uop.load %x[%i, %j, %k] : memref<2x2x8xi32>
  %s = uop.reduce add %v over(%k) : i32
  uop.store %s, %out[%i, %j] : memref<2x2xi32>
}

// -----

// expected-error @below {{cannot split a reduction of @tiles: it has tiles of its own (uop.stage); split it by hand, or leave the tiles to --uop-place-shared}}
uop.kernel @tiles(%x: memref<8xi32>, %out: memref<4xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:2]>} {
  %i = uop.range loop 4
  %l = uop.range loop 8
  %k = uop.range reduce 8
  %v = uop.load %x[%l] : memref<8xi32>
  %t = uop.stage %v[%l] over(%l) : !uop.tile<8xi32, workgroup>
  %w = uop.load %t[%k] : !uop.tile<8xi32, workgroup>
  %s = uop.reduce add %w over(%k) : i32
  uop.store %s, %out[%i] over(%i) : memref<4xi32>
}

// -----

// expected-error @below {{cannot split a reduction of @mapped: it is mapped already; split it before}}
uop.kernel @mapped(%x: memref<4x8xi32>, %out: memref<4xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:2]>} {
  %i = uop.range local<x> 4
  %k = uop.range reduce 8
  %v = uop.load %x[%i, %k] : memref<4x8xi32>
  %s = uop.reduce add %v over(%k) : i32
  uop.store %s, %out[%i] : memref<4xi32>
}
