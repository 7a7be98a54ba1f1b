// RUN: uop-opt %s --uop-contract-fma | FileCheck %s

// A sum with a product as either operand rounds once; the product goes.
// CHECK-LABEL: uop.kernel loops @sums
// CHECK-NOT:     arith.mulf
// CHECK:         %[[P:.*]] = math.fma %[[A:.*]], %[[B:.*]], %[[C:.*]] : f32
// CHECK-NEXT:    %[[Q:.*]] = math.fma %[[A]], %[[B]], %[[C]] : f32
// CHECK-NEXT:    memref.store %[[P]]
// CHECK-NEXT:    memref.store %[[Q]]
uop.kernel loops @sums(%a: f32, %b: f32, %c: f32, %x: memref<2x8xf32>) {
  %i = uop.range local<x> 8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.mulf %a, %b : f32
  %s = arith.addf %p, %c : f32
  %q = arith.mulf %a, %b : f32
  %t = arith.addf %c, %q : f32
  memref.store %s, %x[%c0, %i] : memref<2x8xf32>
  memref.store %t, %x[%c1, %i] : memref<2x8xf32>
}

// A difference negates the addend or a factor, which is exact.
// CHECK-LABEL: uop.kernel loops @differences
// CHECK-SAME:    (%[[A:.*]]: f64, %[[B:.*]]: f64, %[[C:.*]]: f64, %{{.*}})
// CHECK:         %[[NC:.*]] = arith.negf %[[C]] : f64
// CHECK-NEXT:    math.fma %[[A]], %[[B]], %[[NC]] : f64
// CHECK-NEXT:    %[[NA:.*]] = arith.negf %[[A]] : f64
// CHECK-NEXT:    math.fma %[[NA]], %[[B]], %[[C]] : f64
uop.kernel loops @differences(%a: f64, %b: f64, %c: f64, %x: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.mulf %a, %b : f64
  %s = arith.subf %p, %c : f64
  %t = arith.subf %c, %p : f64
  memref.store %s, %x[%c0] : memref<2xf64>
  memref.store %t, %x[%c1] : memref<2xf64>
}

// Of two products the first is fused. One with other uses is fused as well and
// stays for these.
// CHECK-LABEL: uop.kernel loops @products
// CHECK-SAME:    (%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}})
// CHECK-DAG:     %[[P:.*]] = arith.mulf %[[A]], %[[A]] : f32
// CHECK-DAG:     %[[Q:.*]] = arith.mulf %[[B]], %[[B]] : f32
// CHECK:         %[[S:.*]] = math.fma %[[A]], %[[A]], %[[Q]] : f32
// CHECK-NEXT:    memref.store %[[S]]
// CHECK-NEXT:    memref.store %[[P]]
uop.kernel loops @products(%a: f32, %b: f32, %x: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.mulf %a, %a : f32
  %q = arith.mulf %b, %b : f32
  %s = arith.addf %p, %q : f32
  memref.store %s, %x[%c0] : memref<2xf32>
  memref.store %p, %x[%c1] : memref<2xf32>
}

// The accumulation of a dot product, and chains: a fused sum is an addend or a
// factor like any other value.
// CHECK-LABEL: uop.kernel loops @dot
// CHECK:         scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f32)
// CHECK:           %[[NEXT:.*]] = math.fma %[[V:.*]], %[[V]], %[[ACC]] : f32
// CHECK-NEXT:      scf.yield %[[NEXT]]
// CHECK:         %[[E:.*]] = math.fma %[[SUM:.*]], %[[SUM]], %[[SUM]] : f32
// CHECK-NEXT:    math.fma %[[E]], %[[SUM]], %[[SUM]] : f32
uop.kernel loops @dot(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> f32 {
    %v = memref.load %x[%i] : memref<8xf32>
    %p = arith.mulf %v, %v : f32
    %next = arith.addf %acc, %p : f32
    scf.yield %next : f32
  }
  %p = arith.mulf %sum, %sum : f32
  %e = arith.addf %p, %sum : f32
  %q = arith.mulf %e, %sum : f32
  %f = arith.addf %q, %sum : f32
  memref.store %f, %x[%c0] : memref<8xf32>
}

// Half precision and vectors are fused; types without a fused operation of one
// rounding, and integers, are not.
// CHECK-LABEL: uop.kernel loops @types
// CHECK:         math.fma {{.*}} : f16
// CHECK:         math.fma {{.*}} : bf16
// CHECK:         math.fma {{.*}} : vector<4xf32>
// CHECK:         arith.mulf {{.*}} : f8E5M2
// CHECK-NEXT:    arith.addf {{.*}} : f8E5M2
// CHECK:         arith.muli
// CHECK-NEXT:    arith.addi
uop.kernel loops @types(%h: f16, %b: bf16, %x: memref<4xf32>, %q: f8E5M2, %i: i32) {
  %c0 = arith.constant 0 : index
  %h0 = arith.mulf %h, %h : f16
  %h1 = arith.addf %h0, %h : f16
  %b0 = arith.mulf %b, %b : bf16
  %b1 = arith.addf %b, %b0 : bf16
  %v = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
  %v0 = arith.mulf %v, %v : vector<4xf32>
  %v1 = arith.addf %v0, %v : vector<4xf32>
  vector.store %v1, %x[%c0] : memref<4xf32>, vector<4xf32>
  %q0 = arith.mulf %q, %q : f8E5M2
  %q1 = arith.addf %q0, %q : f8E5M2
  %i0 = arith.muli %i, %i : i32
  %i1 = arith.addi %i0, %i : i32
}

// Graph form is left as it is.
// CHECK-LABEL: uop.kernel @graph
// CHECK:         arith.mulf
// CHECK:         arith.addf
uop.kernel @graph(%x: memref<8xf32>, %y: memref<8xf32>) {
  %i = uop.range loop 8
  %v = uop.load %x[%i] : memref<8xf32>
  %p = arith.mulf %v, %v : f32
  %s = arith.addf %p, %v : f32
  uop.store %s, %y[%i] : memref<8xf32>
}

// Host code is left as it is.
// CHECK-LABEL: func.func @host
// CHECK:         arith.mulf
// CHECK:         arith.addf
func.func @host(%a: f32) -> f32 {
  %p = arith.mulf %a, %a : f32
  %s = arith.addf %p, %a : f32
  return %s : f32
}
