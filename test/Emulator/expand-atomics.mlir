// Only the updates that LLVM lacks, or leaves open in part, become loops.
// RUN: uop-opt %s --uop-expand-atomics | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK-NEXT:    memref.atomic_rmw addi
// CHECK-NOT:     scf.while
func.func @sum(%x: memref<4xi32>, %v: i32, %i: index) {
  %0 = memref.atomic_rmw addi %v, %x[%i] : (i32, memref<4xi32>) -> i32
  return
}

// The bits of a float are swapped.
// CHECK-LABEL: func.func @product
// CHECK-SAME:    [[X:%[a-z0-9]+]]: memref<4xf32>, [[V:%[a-z0-9]+]]: f32
// CHECK:         [[FIRST:%.+]] = memref.load [[X]]
// CHECK:         [[BITS:%.+]] = arith.bitcast [[FIRST]] : f32 to i32
// CHECK:         scf.while ([[OLD:%.+]] = [[BITS]])
// CHECK:           [[VALUE:%.+]] = arith.bitcast [[OLD]] : i32 to f32
// CHECK:           [[P:%.+]] = arith.mulf [[VALUE]], [[V]] : f32
// CHECK:           [[NEW:%.+]] = arith.bitcast [[P]] : f32 to i32
// CHECK:           llvm.cmpxchg {{.*}}, [[OLD]], [[NEW]]
func.func @product(%x: memref<4xf32>, %v: f32, %i: index) {
  %0 = memref.atomic_rmw mulf %v, %x[%i] : (f32, memref<4xf32>) -> f32
  return
}

// A boolean is a byte.
// CHECK-LABEL: func.func @all
// CHECK:         [[FIRST:%.+]] = memref.load
// CHECK:         arith.extui [[FIRST]] : i1 to i8
// CHECK:         scf.while
// CHECK:           arith.trunci {{.*}} : i8 to i1
// CHECK:           arith.andi {{.*}} : i1
// CHECK:           llvm.cmpxchg {{.*}} : !llvm.ptr, i8
func.func @all(%x: memref<4xi1>, %v: i1, %i: index) {
  %0 = memref.atomic_rmw andi %v, %x[%i] : (i1, memref<4xi1>) -> i1
  return
}

// Zeros and NaN are those of the operation.
// CHECK-LABEL: func.func @maximum
// CHECK:         scf.while
// CHECK:           arith.maxnumf
func.func @maximum(%x: memref<4xf32>, %v: f32, %i: index) {
  %0 = memref.atomic_rmw maxnumf %v, %x[%i] : (f32, memref<4xf32>) -> f32
  return
}

// So is an update with a body of its own.
// CHECK-LABEL: func.func @body
// CHECK:         scf.while
// CHECK:           math.absi
// CHECK:           llvm.cmpxchg
func.func @body(%x: memref<4xi64>, %i: index) {
  %0 = memref.generic_atomic_rmw %x[%i] : memref<4xi64> {
  ^bb0(%old: i64):
    %new = math.absi %old : i64
    memref.atomic_yield %new : i64
  }
  return
}
