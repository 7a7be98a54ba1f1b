// Accumulating stores whose update LLVM has no instruction for: products in
// every type, and booleans, which are a byte each.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t

// Eight threes into 2: 2 * 3^8 = 13122; modulo 2^8 it is 66.
// RUN: %python -c "import numpy as np; save = lambda n, v, d: np.save('%t/' + n + '.npy', np.array([v], d)); \
// RUN:   [(save(t + '.two', 2, d), save(t + '.product', v, d)) for t, d, v in [ \
// RUN:    ('i8', np.int8, 66), ('i16', np.int16, 13122), ('i32', np.int32, 13122), ('i64', np.int64, 13122), \
// RUN:    ('f16', np.float16, 13128), ('f32', np.float32, 13122), ('f64', np.float64, 13122)]]"
// DEFINE: %{t} =
// DEFINE: %{three} = 3
// DEFINE: %{run} = sed 's/TYPE/%{t}/g;s/THREE/%{three}/' %s > %t/%{t}.mlir \
// DEFINE:   && uop-run %t/%{t}.mlir -e product %t/%{t}.two.npy --compare 0=%t/%{t}.product.npy
// REDEFINE: %{t} = i8
// RUN: %{run} && %{run} --reference
// REDEFINE: %{t} = i16
// RUN: %{run} && %{run} --reference
// REDEFINE: %{t} = i32
// RUN: %{run} && %{run} --reference
// REDEFINE: %{t} = i64
// RUN: %{run} && %{run} --reference
// REDEFINE: %{three} = 3.0
// In f16 2 * 3^7 = 4374 is a tie, which rounds to 4376; three times that is
// 13128.
// REDEFINE: %{t} = f16
// RUN: %{run} && %{run} --reference
// REDEFINE: %{t} = f32
// RUN: %{run} && %{run} --reference
// REDEFINE: %{t} = f64
// RUN: %{run} && %{run} --reference
uop.kernel @product(%y: memref<1xTYPE>) {
  %k = uop.range loop 8
  %c0 = arith.constant 0 : index
  %three = arith.constant THREE : TYPE
  uop.store mul %three, %y[%c0] over(%k) : memref<1xTYPE>
}

// Rows of 0 0, 0 1, 1 0, 1 1, into 0 and into 1.
// RUN: %python -c "import numpy as np; save = lambda n, v: np.save('%t/' + n + '.npy', np.array(v, bool)); \
// RUN:   save('rows', [[0, 0], [0, 1], [1, 0], [1, 1]] * 2); save('first', [0] * 4 + [1] * 4); \
// RUN:   save('and', [0, 0, 0, 0, 0, 0, 0, 1]); save('or', [0, 1, 1, 1, 1, 1, 1, 1]); \
// RUN:   save('xor', [0, 1, 1, 0, 1, 0, 0, 1])"
// DEFINE: %{bools} = uop-run %t/i8.mlir -e bools %t/rows.npy %t/first.npy %t/first.npy %t/first.npy \
// DEFINE:   --compare 1=%t/and.npy --compare 2=%t/or.npy --compare 3=%t/xor.npy
// RUN: %{bools} && %{bools} --reference
uop.kernel @bools(%x: memref<8x2xi1>, %and: memref<8xi1>, %or: memref<8xi1>,
                  %xor: memref<8xi1>) {
  %i = uop.range loop 8
  %k = uop.range loop 2
  %v = uop.load %x[%i, %k] : memref<8x2xi1>
  uop.store and %v, %and[%i] over(%i, %k) : memref<8xi1>
  uop.store or %v, %or[%i] over(%i, %k) : memref<8xi1>
  uop.store xor %v, %xor[%i] over(%i, %k) : memref<8xi1>
}
