// What f32 would round a second time is computed in f64 and rounded to odd
// before: unittests/Emulator/NarrowFloatsTest.cpp has the results. What f32
// gives exactly is left alone.
// RUN: uop-opt %s --uop-narrow-floats | FileCheck %s

// CHECK-LABEL: func.func @once
// CHECK-NOT: math.fma
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @once(%a: bf16) -> bf16 {
  %r = math.fma %a, %a, %a : bf16
  return %r : bf16
}

// CHECK-LABEL: func.func @vectors
// CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<4xf64>
// CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
func.func @vectors(%a: vector<4xf16>) -> vector<4xf16> {
  %r = math.fma %a, %a, %a : vector<4xf16>
  return %r : vector<4xf16>
}

// CHECK-LABEL: func.func @conversions
// CHECK-NOT: f64 to f16
// CHECK-NOT: i64 to bf16
// CHECK: return
func.func @conversions(%d: f64, %i: i64) -> (f16, bf16) {
  %h = arith.truncf %d : f64 to f16
  %b = arith.sitofp %i : i64 to bf16
  return %h, %b : f16, bf16
}

// CHECK-LABEL: func.func @exact
// CHECK-NEXT: math.fma %{{.*}} : f32
// CHECK-NEXT: arith.truncf %{{.*}} : f32 to bf16
// CHECK-NEXT: arith.sitofp %{{.*}} : i16 to bf16
// CHECK-NEXT: arith.uitofp %{{.*}} : i64 to f16
// CHECK-NEXT: arith.mulf %{{.*}} : bf16
func.func @exact(%s: f32, %i: i16, %l: i64) -> (bf16, f16) {
  %f = math.fma %s, %s, %s : f32
  %b = arith.truncf %f : f32 to bf16
  %c = arith.sitofp %i : i16 to bf16
  %h = arith.uitofp %l : i64 to f16
  %p = arith.mulf %b, %c : bf16
  return %p, %h : bf16, f16
}
