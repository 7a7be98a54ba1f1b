// Functions of f32 and narrower types become arithmetic of f64, the same for
// numbers and for vectors, rounded once; those of f64 become calls of the C
// library; what has one right answer stays.
// RUN: uop-opt %s --uop-expand-math --split-input-file | FileCheck %s

// 2^n times a polynomial: the integer nearest to the argument is added to the
// exponent of the polynomial of the rest.
// CHECK-LABEL: func.func @single
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK:         %[[ROUNDER:.*]] = arith.constant 0x4338000000000000 : f64
// CHECK-NEXT:    %[[ROUNDED:.*]] = arith.addf %[[X:.*]], %[[ROUNDER]] : f64
// CHECK-NEXT:    %[[WHOLE:.*]] = arith.subf %[[ROUNDED]], %[[ROUNDER]] : f64
// CHECK-NEXT:    %[[REST:.*]] = arith.subf %[[X]], %[[WHOLE]] : f64
// CHECK-COUNT-7: math.fma
// CHECK:         %[[P:.*]] = math.fma %{{.*}}, %[[REST]], %{{.*}} : f64
// CHECK-NEXT:    %[[N:.*]] = arith.bitcast %[[ROUNDED]] : f64 to i64
// CHECK-NEXT:    %[[P_BITS:.*]] = arith.bitcast %[[P]] : f64 to i64
// CHECK-NEXT:    %[[SHIFT:.*]] = arith.constant 52 : i64
// CHECK-NEXT:    %[[N_BITS:.*]] = arith.shli %[[N]], %[[SHIFT]] : i64
// CHECK-NEXT:    %[[BITS:.*]] = arith.addi %[[P_BITS]], %[[N_BITS]] : i64
// CHECK-NEXT:    %[[R:.*]] = arith.bitcast %[[BITS]] : i64 to f64
// CHECK-NEXT:    %[[S:.*]] = arith.truncf %[[R]] : f64 to f32
// CHECK-NEXT:    return %[[S]]
func.func @single(%a: f32) -> f32 {
  %0 = math.exp2 %a : f32
  return %0 : f32
}

// -----

// Of every shape.
// CHECK-LABEL: func.func @vectors
// CHECK-NOT:     math.exp
// CHECK-NOT:     call
// CHECK:         arith.truncf %{{.*}} : vector<2x4xf64> to vector<2x4xf32>
// CHECK:         arith.truncf %{{.*}} : vector<[4]xf64> to vector<[4]xf32>
// CHECK:         arith.truncf %{{.*}} : vector<f64> to vector<f32>
func.func @vectors(%a: vector<2x4xf32>, %b: vector<[4]xf32>, %c: vector<f32>)
    -> (vector<2x4xf32>, vector<[4]xf32>, vector<f32>) {
  %0 = math.exp %a : vector<2x4xf32>
  %1 = math.exp %b : vector<[4]xf32>
  %2 = math.exp %c : vector<f32>
  return %0, %1, %2 : vector<2x4xf32>, vector<[4]xf32>, vector<f32>
}

// -----

// From f64 at once to the types that uop-narrow-floats knows, to others by way
// of f32.
// CHECK-LABEL: func.func @narrow
// CHECK:         arith.extf %{{.*}} : f16 to f64
// CHECK:         arith.truncf %{{.*}} : f64 to f16
// CHECK:         arith.extf %{{.*}} : bf16 to f64
// CHECK:         arith.truncf %{{.*}} : f64 to bf16
// CHECK:         %[[F:.*]] = arith.extf %{{.*}} : f8E5M2 to f32
// CHECK:         arith.extf %[[F]] : f32 to f64
// CHECK:         %[[R:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK:         arith.truncf %[[R]] : f32 to f8E5M2
func.func @narrow(%a: f16, %b: bf16, %c: f8E5M2) -> (f16, bf16, f8E5M2) {
  %0 = math.tanh %a : f16
  %1 = math.log %b : bf16
  %2 = math.sin %c : f8E5M2
  return %0, %1, %2 : f16, bf16, f8E5M2
}

// -----

// CHECK-LABEL: func.func @every_function
// CHECK-NOT:     math.{{exp|log|sin|cos|tan|asin|acos|atan|erf|pow|fpow|cbrt|rsqrt}}
// CHECK-NOT:     call
// CHECK:         return
func.func @every_function(%a: f32, %b: f32, %n: i32) {
  %0 = math.exp %a : f32
  %1 = math.exp2 %a : f32
  %2 = math.expm1 %a : f32
  %3 = math.log %a : f32
  %4 = math.log2 %a : f32
  %5 = math.log10 %a : f32
  %6 = math.log1p %a : f32
  %7 = math.sin %a : f32
  %8 = math.cos %a : f32
  %9, %10 = math.sincos %a : f32
  %11 = math.tan %a : f32
  %12 = math.asin %a : f32
  %13 = math.acos %a : f32
  %14 = math.atan %a : f32
  %15 = math.atan2 %a, %b : f32
  %16 = math.sinh %a : f32
  %17 = math.cosh %a : f32
  %18 = math.tanh %a : f32
  %19 = math.asinh %a : f32
  %20 = math.acosh %a : f32
  %21 = math.atanh %a : f32
  %22 = math.erf %a : f32
  %23 = math.erfc %a : f32
  %24 = math.powf %a, %b : f32
  %25 = math.fpowi %a, %n : f32, i32
  %26 = math.cbrt %a : f32
  %27 = math.rsqrt %a : f32
  return
}

// -----

// CHECK-DAG: func.func private @sin(f64) -> f64
// CHECK-DAG: func.func private @cos(f64) -> f64
// CHECK-DAG: func.func private @pow(f64, f64) -> f64

// CHECK-LABEL: func.func @double
// CHECK-NEXT:    call @sin
func.func @double(%a: f64) -> f64 {
  %0 = math.sin %a : f64
  return %0 : f64
}

// What the C library lacks is made of what it has.
// CHECK-LABEL: func.func @compounds(
// CHECK-SAME:      %[[A:.*]]: f64, %[[N:.*]]: i32)
// CHECK:         %[[S:.*]] = call @sin(%[[A]])
// CHECK:         %[[C:.*]] = call @cos(%[[A]])
// CHECK:         %[[ROOT:.*]] = math.sqrt %[[A]] : f64
// CHECK:         arith.divf %{{.*}}, %[[ROOT]] : f64
// CHECK:         %[[ODD:.*]] = arith.trunci %[[N]] : i32 to i1
// CHECK:         %[[Y:.*]] = arith.sitofp %[[N]] : i32 to f64
// CHECK:         %[[B:.*]] = math.absf %[[A]] : f64
// CHECK:         %[[P:.*]] = call @pow(%[[B]], %[[Y]])
// CHECK:         %[[SIGNED:.*]] = math.copysign %[[P]], %[[A]] : f64
// CHECK:         arith.select %[[ODD]], %[[SIGNED]], %[[P]] : f64
func.func @compounds(%a: f64, %n: i32) -> (f64, f64, f64, f64) {
  %0, %1 = math.sincos %a : f64
  %2 = math.rsqrt %a : f64
  %3 = math.fpowi %a, %n : f64, i32
  return %0, %1, %2, %3 : f64, f64, f64, f64
}

// -----

// CHECK-LABEL: func.func @exact
// CHECK-NEXT:    math.sqrt
// CHECK-NEXT:    math.fma
// CHECK-NEXT:    math.floor
func.func @exact(%a: f32) -> (f32, f32, f32) {
  %0 = math.sqrt %a : f32
  %1 = math.fma %a, %a, %a : f32
  %2 = math.floor %a : f32
  return %0, %1, %2 : f32, f32, f32
}
