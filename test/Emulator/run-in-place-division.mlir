// A kernel divides by what it overwrites, beside a store over more blocks: the
// blocks that do not take part have read nothing, and divide by nothing.
// REQUIRES: numpy
// RUN: %python -c "import numpy as np; np.save(r'%t.x.npy', np.int32([1, 2, 5, 20])); np.save(r'%t.r.npy', np.int32([20, 10, 4, 1])); np.save(r'%t.o.npy', np.ones((3, 4), np.int32))"
// RUN: uop-run %s %t.x.npy nan --compare 0=%t.r.npy --compare 1=%t.o.npy
// RUN: uop-run %s %t.x.npy nan --compare 0=%t.r.npy --compare 1=%t.o.npy --reference

uop.kernel @divide(%x: memref<4xi32>, %y: memref<3x4xi32>) {
  %g = uop.range global<x> 3
  %l = uop.range local<x> 4
  %l2 = uop.range local<x> 4
  %twenty = arith.constant 20 : i32
  %one = arith.constant 1 : i32
  %v = uop.load %x[%l] : memref<4xi32>
  %w = arith.divsi %twenty, %v : i32
  uop.store %w, %x[%l] : memref<4xi32>
  uop.store %one, %y[%g, %l2] : memref<3x4xi32>
}
