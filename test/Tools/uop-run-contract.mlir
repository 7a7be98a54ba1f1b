// Contraction rounds a product and the sum that it enters once; it is on unless
// the command line says otherwise, on the emulator as on the reference.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// x * x - 1 for x = 1 + 2^-12 is 2^-11 + 2^-24; x * x alone rounds to
// 1 + 2^-11 in f32.
// RUN: %python -c "import numpy as np; \
// RUN:   np.save('%t/on.npy', np.full(4, 2.0**-11 + 2.0**-24, np.float32)); \
// RUN:   np.save('%t/off.npy', np.full(4, 2.0**-11, np.float32))"
// RUN: uop-run %s fill:0x1.001p0 nan --compare %t/on.npy
// RUN: uop-run %s fill:0x1.001p0 nan --compare %t/on.npy --fp-contract=on
// RUN: uop-run %s fill:0x1.001p0 nan --compare %t/off.npy --fp-contract=off
// RUN: uop-run %s fill:0x1.001p0 nan --compare %t/on.npy --reference
// RUN: uop-run %s fill:0x1.001p0 nan --compare %t/off.npy --fp-contract=off --reference

uop.kernel @square(%x: memref<4xf32>, %y: memref<4xf32>) {
  %i = uop.range loop 4
  %one = arith.constant 1.0 : f32
  %v = uop.load %x[%i] : memref<4xf32>
  %p = arith.mulf %v, %v : f32
  %d = arith.subf %p, %one : f32
  uop.store %d, %y[%i] : memref<4xf32>
}
