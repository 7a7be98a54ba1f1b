// No operation is allowed more than it says: the flags go.
// RUN: uop-opt %s --uop-drop-fast-math | FileCheck %s --implicit-check-not=fastmath

// CHECK-LABEL: func.func @sum
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    math.exp
func.func @sum(%a: f32, %b: f32) -> f32 {
  %0 = arith.mulf %a, %b fastmath<contract> : f32
  %1 = arith.addf %0, %b fastmath<fast> : f32
  %2 = math.exp %1 fastmath<afn> : f32
  return %2 : f32
}
