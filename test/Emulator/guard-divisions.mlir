// Divisions of a function that was a kernel are checked for a divisor of zero,
// unless it is a constant; host code is left alone.
// RUN: uop-opt %s --uop-guard-divisions | FileCheck %s

// CHECK: func.func @kernel(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[X:.*]]: memref<2xi32>) {
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : i32
// CHECK: scf.if %[[ZERO]] {
// CHECK: llvm.call @_exit
// CHECK: arith.divui %[[A]], %[[B]] : i32
// CHECK-NOT: scf.if
// CHECK: arith.divui %[[A]], %{{.*}} : i32
func.func @kernel(%a: i32, %b: i32, %x: memref<2xi32>) attributes {uop.kernel = "kernel"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %q = arith.divui %a, %b : i32
  %r = arith.divui %a, %three : i32
  memref.store %q, %x[%c0] : memref<2xi32>
  memref.store %r, %x[%c1] : memref<2xi32>
  return
}

// CHECK: func.func @host(
// CHECK-NEXT: arith.divui
// CHECK-NEXT: return
func.func @host(%a: i32, %b: i32) -> i32 {
  %q = arith.divui %a, %b : i32
  return %q : i32
}
