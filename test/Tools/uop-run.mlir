// Runs a kernel on arrays from NumPy and compares with what NumPy computes.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np, sys; r = np.random.default_rng(1); \
// RUN:   a = r.integers(-9, 9, (8, 12), np.int32); \
// RUN:   b = r.integers(-9, 9, (12, 16), np.int32); \
// RUN:   np.save('%t/a.npy', a); np.save('%t/b.npy', b); \
// RUN:   np.save('%t/c.npy', a @ b)"

// The only host function is what runs when no name is given; the only argument
// that is written is what is saved and compared when no number is given.
// RUN: uop-run %s %t/a.npy %t/b.npy nan --compare %t/c.npy \
// RUN:   --save %t/out.npy | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: argument #2 and '{{.*}}c.npy', 128 elements (max abs error 0, max rel error 0)

// What is saved is what NumPy writes itself.
// RUN: cmp %t/c.npy %t/out.npy

// A kernel runs by its name, on the emulator and on the reference interpreter.
// RUN: uop-run %s -e gemm %t/a.npy %t/b.npy nan --compare 2=%t/c.npy
// RUN: uop-run %s -e @gemm %t/a.npy %t/b.npy nan --compare 2=%t/c.npy --reference
// RUN: uop-run %s %t/a.npy %t/b.npy nan --compare 2=%t/c.npy --reference

// The launch, and the times of ten runs of it on the same input.
// RUN: uop-run %s %t/a.npy %t/b.npy nan --print-launch --time \
// RUN:   --compare %t/c.npy | FileCheck %s --check-prefix=TIME
// TIME:      launch: @gemm grid (1, 1, 1) block (16, 8, 1) shared 1152 bytes
// TIME-NEXT: compile: {{[0-9.]+}} ms
// TIME-NEXT: run: {{[0-9.]+}} ms (median of 10, least {{[0-9.]+}}, {{[0-9]+}} thread{{s?}})
// TIME-NEXT: equal

// A kernel that changes its input in place starts each run on the same input.
// RUN: uop-run %s -e increment zeros --time=3 --save %t/ones.npy \
// RUN:   | FileCheck %s --check-prefix=THREE
// THREE: median of 3,
// RUN: uop-run %s -e increment zeros --compare %t/ones.npy

uop.kernel @gemm(%A: memref<8x12xi32>, %B: memref<12x16xi32>,
                 %C: memref<8x16xi32>) {
  %m = uop.range loop 8
  %n = uop.range loop 16
  %k = uop.range reduce 12
  %a = uop.load %A[%m, %k] : memref<8x12xi32>
  %b = uop.load %B[%k, %n] : memref<12x16xi32>
  %p = arith.muli %a, %b : i32
  %c = uop.reduce add %p over(%k) : i32
  uop.store %c, %C[%m, %n] : memref<8x16xi32>
}

uop.kernel @increment(%x: memref<64xi32>) {
  %i = uop.range loop 64
  %v = uop.load %x[%i] : memref<64xi32>
  %one = arith.constant 1 : i32
  %w = arith.addi %v, %one : i32
  uop.store %w, %x[%i] : memref<64xi32>
}

func.func @main(%A: memref<8x12xi32>, %B: memref<12x16xi32>,
                %C: memref<8x16xi32>) {
  uop.launch @gemm(%A, %B, %C)
      : memref<8x12xi32>, memref<12x16xi32>, memref<8x16xi32>
  return
}
