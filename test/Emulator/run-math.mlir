// Functions that neither LLVM nor the C library has: a reciprocal square root,
// and powers of integers, exactly.
// REQUIRES: numpy
// RUN: %python -c "import numpy as np; np.save(r'%t.x.npy', np.float32([1, 4, 16, 0.25])); np.save(r'%t.r.npy', np.float32([1, 0.5, 0.25, 2]))"
// RUN: uop-run %s -e rsqrt %t.x.npy nan --compare 1=%t.r.npy
// RUN: %python -c "import numpy as np; np.save(r'%t.n.npy', np.int32([-3, 2, 7, 0])); np.save(r'%t.p.npy', np.int32([-27, 8, 343, 0]))"
// RUN: uop-run %s -e cube %t.n.npy nan --compare 1=%t.p.npy
// RUN: uop-run %s -e cube %t.n.npy nan --compare 1=%t.p.npy --reference

uop.kernel @rsqrt(%x: memref<4xf32>, %y: memref<4xf32>) {
  %i = uop.range loop 4
  %v = uop.load %x[%i] : memref<4xf32>
  %w = math.rsqrt %v : f32
  uop.store %w, %y[%i] : memref<4xf32>
}

uop.kernel @cube(%x: memref<4xi32>, %y: memref<4xi32>) {
  %i = uop.range loop 4
  %three = arith.constant 3 : i32
  %v = uop.load %x[%i] : memref<4xi32>
  %w = math.ipowi %v, %three : i32
  uop.store %w, %y[%i] : memref<4xi32>
}
