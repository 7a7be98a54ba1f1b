// RUN: uop-opt %s --uop-expand-atomics -verify-diagnostics

func.func @width(%m: memref<4xi24>, %v: i24, %i: index) {
  // expected-error @below {{'memref.atomic_rmw' op is not supported by the emulator for elements of type 'i24': expected 1, 8, 16, 32 or 64 bits}}
  %old = memref.atomic_rmw addi %v, %m[%i] : (i24, memref<4xi24>) -> i24
  return
}
