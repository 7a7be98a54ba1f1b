// Maximum and minimum of every pair of zeros, infinities, NaNs and numbers, as
// operations, reductions and accumulating stores: the emulator gives the bits
// of the reference interpreter in every floating-point type. Quotients,
// products with zero and differences of such numbers are not folded away.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t

// DEFINE: %{t} = f32
// DEFINE: %{run} = sed 's/f32/%{t}/g' %s > %t/%{t}.mlir && uop-run %t/%{t}.mlir -e
// DEFINE: %{same} = %python %S/Inputs/same_bits.py
// DEFINE: %{x} = %python -c "import numpy as np; \
// DEFINE:   x = np.array([0, -0., 1, -1.5, np.inf, -np.inf, np.nan, 3e-5], np.float32); \
// DEFINE:   r = x[np.array([[0]*5, [1]*5, [6]*5, [1,0,1,0,1], [6,0,6,1,6], [2,6,3,4,5], [0,1,0,1,7], [4]*5])]; \
// DEFINE:   to = lambda a: (a.view(np.uint32) >> 16).astype(np.uint16).view('V2') if '%{t}' == 'bf16' else a.astype('%{t}'.replace('f', 'float')); \
// DEFINE:   np.save('%t/x.npy', to(x)); np.save('%t/r.npy', to(r)); np.save('%t/y.npy', to(x))"
// DEFINE: %{check} = %{x} \
// DEFINE:   && %{run} pairs %t/x.npy nan --save 1=%t/a.npy \
// DEFINE:   && %{run} pairs %t/x.npy nan --save 1=%t/b.npy --reference \
// DEFINE:   && %{same} %t/a.npy %t/b.npy \
// DEFINE:   && %{run} rows %t/r.npy nan --save 1=%t/c.npy \
// DEFINE:   && %{run} rows %t/r.npy nan --save 1=%t/d.npy --reference \
// DEFINE:   && %{same} %t/c.npy %t/d.npy \
// DEFINE:   && %{run} accumulate %t/r.npy %t/y.npy %t/y.npy %t/y.npy %t/y.npy \
// DEFINE:        --save 1=%t/p1.npy --save 2=%t/p2.npy --save 3=%t/p3.npy --save 4=%t/p4.npy \
// DEFINE:   && %{run} accumulate %t/r.npy %t/y.npy %t/y.npy %t/y.npy %t/y.npy --reference \
// DEFINE:        --save 1=%t/q1.npy --save 2=%t/q2.npy --save 3=%t/q3.npy --save 4=%t/q4.npy \
// DEFINE:   && %{same} %t/p1.npy %t/q1.npy && %{same} %t/p2.npy %t/q2.npy \
// DEFINE:   && %{same} %t/p3.npy %t/q3.npy && %{same} %t/p4.npy %t/q4.npy

// RUN: %{check}
// RUN: uop-opt %s --uop-simplify --canonicalize --cse --uop-simplify -o %t/simplified.mlir
// RUN: uop-run %t/simplified.mlir -e pairs %t/x.npy nan --save 1=%t/s.npy && %{same} %t/a.npy %t/s.npy

// What it is, by hand: a NaN wins over a number in maximumf and minimumf, and
// loses in maxnumf and minnumf; +0 is greater than -0 in all four.
// RUN: %python -c "import numpy as np; y = np.load('%t/a.npy'); n = np.isnan; s = np.signbit; \
// RUN:   assert n(y[:2, 6]).all() and n(y[:2, :, 6]).all(); \
// RUN:   assert (~n(y[2:4, 6, :6])).all() and (~n(y[2:4, :6, 6])).all() and n(y[2:4, 6, 6]).all(); \
// RUN:   assert (~s(y[[0, 2], 0, 1])).all() and (~s(y[[0, 2], 1, 0])).all(); \
// RUN:   assert s(y[[1, 3], 0, 1]).all() and s(y[[1, 3], 1, 0]).all(); \
// RUN:   assert y[0, 4, 5] == np.inf and y[1, 4, 5] == -np.inf; \
// RUN:   assert list(n(y[4, :, 0])) == [1, 1, 0, 0, 1, 1, 1, 0]; \
// RUN:   assert list(n(y[5, :, 0])) == [0, 0, 0, 0, 1, 1, 1, 0]; \
// RUN:   assert list(s(y[5, :4, 0])) == [0, 1, 0, 1]; \
// RUN:   assert list(n(y[6, :, 0])) == [0, 0, 0, 0, 1, 1, 1, 0]; \
// RUN:   assert (~s(y[7, :2, 0])).all()"

// REDEFINE: %{t} = f16
// RUN: %{check}
// REDEFINE: %{t} = bf16
// RUN: %{check}
// REDEFINE: %{t} = f64
// RUN: %{check}

uop.kernel @pairs(%x: memref<8xf32>, %y: memref<8x8x8xf32>) {
  %i = uop.range loop 8
  %j = uop.range loop 8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %a = uop.load %x[%i] : memref<8xf32>
  %b = uop.load %x[%j] : memref<8xf32>
  %0 = arith.maximumf %a, %b : f32
  %1 = arith.minimumf %a, %b : f32
  %2 = arith.maxnumf %a, %b : f32
  %3 = arith.minnumf %a, %b : f32
  %4 = arith.divf %a, %a : f32
  %5 = arith.mulf %a, %zero : f32
  %6 = arith.subf %a, %a : f32
  %7 = arith.addf %a, %zero : f32
  uop.store %0, %y[%c0, %i, %j] : memref<8x8x8xf32>
  uop.store %1, %y[%c1, %i, %j] : memref<8x8x8xf32>
  uop.store %2, %y[%c2, %i, %j] : memref<8x8x8xf32>
  uop.store %3, %y[%c3, %i, %j] : memref<8x8x8xf32>
  uop.store %4, %y[%c4, %i, %j] over(%i, %j) : memref<8x8x8xf32>
  uop.store %5, %y[%c5, %i, %j] over(%i, %j) : memref<8x8x8xf32>
  uop.store %6, %y[%c6, %i, %j] over(%i, %j) : memref<8x8x8xf32>
  uop.store %7, %y[%c7, %i, %j] over(%i, %j) : memref<8x8x8xf32>
}

uop.kernel @rows(%x: memref<8x5xf32>, %y: memref<4x8xf32>) {
  %i = uop.range loop 8
  %k = uop.range reduce 5
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = uop.load %x[%i, %k] : memref<8x5xf32>
  %0 = uop.reduce maximumf %v over(%k) : f32
  %1 = uop.reduce minimumf %v over(%k) : f32
  %2 = uop.reduce maxnumf %v over(%k) : f32
  %3 = uop.reduce minnumf %v over(%k) : f32
  uop.store %0, %y[%c0, %i] : memref<4x8xf32>
  uop.store %1, %y[%c1, %i] : memref<4x8xf32>
  uop.store %2, %y[%c2, %i] : memref<4x8xf32>
  uop.store %3, %y[%c3, %i] : memref<4x8xf32>
}

uop.kernel @accumulate(%x: memref<8x5xf32>, %a: memref<8xf32>, %b: memref<8xf32>,
                       %c: memref<8xf32>, %d: memref<8xf32>) {
  %i = uop.range loop 8
  %k = uop.range loop 5
  %v = uop.load %x[%i, %k] : memref<8x5xf32>
  uop.store maximumf %v, %a[%i] over(%i, %k) : memref<8xf32>
  uop.store minimumf %v, %b[%i] over(%i, %k) : memref<8xf32>
  uop.store maxnumf %v, %c[%i] over(%i, %k) : memref<8xf32>
  uop.store minnumf %v, %d[%i] over(%i, %k) : memref<8xf32>
}
