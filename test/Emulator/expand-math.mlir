// Functions become calls of the C library; what has one right answer stays.
// RUN: uop-opt %s --uop-expand-math | FileCheck %s

// CHECK-DAG: func.func private @exp2f(f32) -> f32
// CHECK-DAG: func.func private @sin(f64) -> f64

// CHECK-LABEL: func.func @functions
// CHECK-NEXT:    call @exp2f
// CHECK-NEXT:    call @sin
func.func @functions(%a: f32, %b: f64) -> (f32, f64) {
  %0 = math.exp2 %a : f32
  %1 = math.sin %b : f64
  return %0, %1 : f32, f64
}

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
