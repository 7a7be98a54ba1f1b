// Each type of the dialect goes through a file, the emulator and the reference
// interpreter as it is.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; \
// RUN:   save = lambda n, d: np.save('%t/' + n + '.npy', np.array([0, 1, 60, 127]).astype(d)); \
// RUN:   [save(d, d) for d in 'bool i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8'.split()]; \
// RUN:   np.save('%t/V2.npy', np.zeros(4, 'V2'))"

// RUN: uop-run %s -e i1 %t/bool.npy nan --save %t/o.npy && cmp %t/bool.npy %t/o.npy
// RUN: uop-run %s -e i8 %t/i1.npy nan --save %t/o.npy && cmp %t/i1.npy %t/o.npy
// RUN: uop-run %s -e i16 %t/i2.npy nan --save %t/o.npy && cmp %t/i2.npy %t/o.npy
// RUN: uop-run %s -e i32 %t/i4.npy nan --save %t/o.npy && cmp %t/i4.npy %t/o.npy
// RUN: uop-run %s -e i64 %t/i8.npy nan --save %t/o.npy && cmp %t/i8.npy %t/o.npy
// RUN: uop-run %s -e f16 %t/f2.npy nan --save %t/o.npy && cmp %t/f2.npy %t/o.npy
// RUN: uop-run %s -e f32 %t/f4.npy nan --save %t/o.npy && cmp %t/f4.npy %t/o.npy
// RUN: uop-run %s -e f64 %t/f8.npy nan --save %t/o.npy && cmp %t/f8.npy %t/o.npy

// bf16 and 8-bit floating-point numbers are their bit patterns in NumPy.
// RUN: uop-run %s -e bf16 %t/u2.npy nan --save %t/o.npy && cmp %t/u2.npy %t/o.npy
// RUN: uop-run %s -e bf16 %t/V2.npy nan --compare %t/V2.npy
// RUN: uop-run %s -e f8 %t/u1.npy nan --compare %t/u1.npy --reference

// The reference interpreter.
// RUN: uop-run %s -e i1 %t/bool.npy nan --compare %t/bool.npy --reference
// RUN: uop-run %s -e i8 %t/i1.npy nan --compare %t/i1.npy --reference
// RUN: uop-run %s -e i16 %t/i2.npy nan --compare %t/i2.npy --reference
// RUN: uop-run %s -e i32 %t/i4.npy nan --compare %t/i4.npy --reference
// RUN: uop-run %s -e i64 %t/i8.npy nan --compare %t/i8.npy --reference
// RUN: uop-run %s -e f16 %t/f2.npy nan --compare %t/f2.npy --reference
// RUN: uop-run %s -e bf16 %t/u2.npy nan --compare %t/u2.npy --reference
// RUN: uop-run %s -e f32 %t/f4.npy nan --compare %t/f4.npy --reference
// RUN: uop-run %s -e f64 %t/f8.npy nan --compare %t/f8.npy --reference

// Integers may be signed or not; an argument keeps the dtype of its file.
// RUN: uop-run %s -e i8 %t/u1.npy %t/u1.npy --save %t/o.npy && cmp %t/u1.npy %t/o.npy
// RUN: uop-run %s -e i16 %t/u2.npy %t/i2.npy --compare %t/u2.npy
// RUN: uop-run %s -e i32 %t/u4.npy nan --compare %t/i4.npy
// RUN: uop-run %s -e i64 %t/u8.npy nan --compare %t/u8.npy

// An index is an int64.
// RUN: uop-run %s -e index %t/i8.npy --compare 0=%t/i8.npy

uop.kernel @i1(%in: memref<4xi1>, %out: memref<4xi1>) {
  %i = uop.range loop 4
  %v = uop.load %in[%i] : memref<4xi1>
  uop.store %v, %out[%i] : memref<4xi1>
}

uop.kernel @i8(%in: memref<4xi8>, %out: memref<4xi8>) {
  %i = uop.range loop 4
  %v = uop.load %in[%i] : memref<4xi8>
  uop.store %v, %out[%i] : memref<4xi8>
}

uop.kernel @i16(%in: memref<4xi16>, %out: memref<4xi16>) {
  %i = uop.range loop 4
  %v = uop.load %in[%i] : memref<4xi16>
  uop.store %v, %out[%i] : memref<4xi16>
}

uop.kernel @i32(%in: memref<4xi32>, %out: memref<4xi32>) {
  %i = uop.range loop 4
  %v = uop.load %in[%i] : memref<4xi32>
  uop.store %v, %out[%i] : memref<4xi32>
}

uop.kernel @i64(%in: memref<4xi64>, %out: memref<4xi64>) {
  %i = uop.range loop 4
  %v = uop.load %in[%i] : memref<4xi64>
  uop.store %v, %out[%i] : memref<4xi64>
}

uop.kernel @f16(%in: memref<4xf16>, %out: memref<4xf16>) {
  %i = uop.range loop 4
  %v = uop.load %in[%i] : memref<4xf16>
  uop.store %v, %out[%i] : memref<4xf16>
}

uop.kernel @bf16(%in: memref<4xbf16>, %out: memref<4xbf16>) {
  %i = uop.range loop 4
  %v = uop.load %in[%i] : memref<4xbf16>
  uop.store %v, %out[%i] : memref<4xbf16>
}

uop.kernel @f32(%in: memref<4xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %v = uop.load %in[%i] : memref<4xf32>
  uop.store %v, %out[%i] : memref<4xf32>
}

uop.kernel @f64(%in: memref<4xf64>, %out: memref<4xf64>) {
  %i = uop.range loop 4
  %v = uop.load %in[%i] : memref<4xf64>
  uop.store %v, %out[%i] : memref<4xf64>
}

uop.kernel @f8(%in: memref<4xf8E4M3FN>, %out: memref<4xf8E4M3FN>) {
  %i = uop.range loop 4
  %v = uop.load %in[%i] : memref<4xf8E4M3FN>
  uop.store %v, %out[%i] : memref<4xf8E4M3FN>
}

func.func @index(%a: memref<4xindex>) {
  return
}
