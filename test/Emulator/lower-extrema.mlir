// Each extremum is one intrinsic, which orders zeros.
// RUN: uop-opt %s --uop-lower-extrema | FileCheck %s

// CHECK-LABEL: func.func @extrema
// CHECK-SAME:    [[A:%[a-z0-9]+]]: f32, [[B:%[a-z0-9]+]]: f32
// CHECK-NEXT:    llvm.intr.maximum([[A]], [[B]]) : (f32, f32) -> f32
// CHECK-NEXT:    llvm.intr.minimum([[A]], [[B]]) : (f32, f32) -> f32
// CHECK-NEXT:    llvm.call_intrinsic "llvm.maximumnum"([[A]], [[B]]) : (f32, f32) -> f32
// CHECK-NEXT:    llvm.call_intrinsic "llvm.minimumnum"([[A]], [[B]]) : (f32, f32) -> f32
func.func @extrema(%a: f32, %b: f32) -> (f32, f32, f32, f32) {
  %0 = arith.maximumf %a, %b : f32
  %1 = arith.minimumf %a, %b : f32
  %2 = arith.maxnumf %a, %b : f32
  %3 = arith.minnumf %a, %b : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// CHECK-LABEL: func.func @vectors
// CHECK:         llvm.call_intrinsic "llvm.maximumnum"({{.*}}) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
func.func @vectors(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.maxnumf %a, %b : vector<4xf32>
  return %0 : vector<4xf32>
}

// A type that LLVM has not is left to the passes that compute it in another.
// CHECK-LABEL: func.func @narrow
// CHECK:         arith.maximumf
func.func @narrow(%a: f8E5M2, %b: f8E5M2) -> f8E5M2 {
  %0 = arith.maximumf %a, %b : f8E5M2
  return %0 : f8E5M2
}

// With one operand that is a number LLVM's intrinsic is compiled to NaN where
// the other is NaN. With two there is no NaN to beat.
// CHECK-LABEL: func.func @number
// CHECK-SAME:    [[A:%[a-z0-9]+]]: f32, [[B:%[a-z0-9]+]]: i32
// CHECK-NEXT:    [[N:%.+]] = arith.sitofp [[B]]
// CHECK-NEXT:    [[M:%.+]] = llvm.intr.maximum([[A]], [[N]]) : (f32, f32) -> f32
// CHECK-NEXT:    [[NAN:%.+]] = arith.cmpf uno, [[A]], [[A]] : f32
// CHECK-NEXT:    [[R:%.+]] = arith.select [[NAN]], [[N]], [[M]] : f32
// CHECK-NEXT:    [[S:%.+]] = llvm.intr.minimum([[R]], [[N]]) : (f32, f32) -> f32
// CHECK-NEXT:    return [[S]]
func.func @number(%a: f32, %b: i32) -> f32 {
  %n = arith.sitofp %b : i32 to f32
  %0 = arith.maxnumf %a, %n : f32
  %1 = arith.minnumf %0, %n : f32
  return %1 : f32
}
