// Updates that LLVM has as instructions stay; others become loops that compare
// and swap bits, also of i1, which takes a byte.
// RUN: uop-opt %s --uop-lower-atomics | FileCheck %s

// CHECK-LABEL: func.func @instruction
// CHECK: memref.atomic_rmw addi
// CHECK: return
func.func @instruction(%m: memref<4xi32>, %v: i32, %i: index) {
  %old = memref.atomic_rmw addi %v, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}

// CHECK-LABEL: func.func @product
// CHECK: %[[FIRST:.*]] = llvm.load %[[P:.*]] : !llvm.ptr -> i32
// CHECK: scf.while (%[[OLD:.*]] = %[[FIRST]])
// CHECK: %[[X:.*]] = arith.bitcast %[[OLD]] : i32 to f32
// CHECK: %[[Y:.*]] = arith.mulf %[[X]], %{{.*}} : f32
// CHECK: %[[NEW:.*]] = arith.bitcast %[[Y]] : f32 to i32
// CHECK: llvm.cmpxchg %[[P]], %[[OLD]], %[[NEW]] acq_rel monotonic : !llvm.ptr, i32
// CHECK: scf.condition
func.func @product(%m: memref<4xf32>, %v: f32, %i: index) -> f32 {
  %old = memref.atomic_rmw mulf %v, %m[%i] : (f32, memref<4xf32>) -> f32
  return %old : f32
}

// CHECK-LABEL: func.func @bit
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: arith.trunci %{{.*}} : i8 to i1
// CHECK: arith.ori %{{.*}} : i1
// CHECK: arith.extui %{{.*}} : i1 to i8
func.func @bit(%m: memref<4xi1>, %v: i1, %i: index) {
  %old = memref.atomic_rmw ori %v, %m[%i] : (i1, memref<4xi1>) -> i1
  return
}

// CHECK-LABEL: func.func @body
// CHECK: scf.while
// CHECK: math.absi
// CHECK: llvm.cmpxchg
func.func @body(%m: memref<4xi64>, %i: index) {
  %old = memref.generic_atomic_rmw %m[%i] : memref<4xi64> {
  ^bb0(%x: i64):
    %y = math.absi %x : i64
    memref.atomic_yield %y : i64
  }
  return
}
