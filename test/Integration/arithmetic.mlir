// Data wraps and is not mathematics; masks stay where they are written; every
// schedule gives the same numbers, worked out by hand.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; f = np.float32; r = np.random.default_rng(1); \
// RUN:   save = lambda n, a, d: np.save('%t/' + n + '.npy', np.array(a, d)); \
// RUN:   save('x', np.arange(972).reshape(54, 18), f); \
// RUN:   save('sums17', [136, 442, 748], f); save('sums16', [120, 408, 696], f); save('max17', [-1, -19, -37], f); \
// RUN:   save('u8', [250, 251, 255, 0], np.uint8); save('small8', [1, 0, 0, 0], bool); \
// RUN:   save('i32', [2**31 - 1, 4], np.int32); save('small32', [1, 0], bool); save('n128', 128, np.int32); \
// RUN:   i, w, b = r.integers(-9, 9, (3, 16, 16)), r.integers(-9, 9, (4, 3, 3, 3)), r.integers(-9, 9, 4); \
// RUN:   p = np.pad(i, ((0, 0), (1, 1), (1, 1))); \
// RUN:   y = sum(w[:, c, u, v, None, None] * p[c, u:u + 16, v:v + 16] for c in range(3) for u in range(3) for v in range(3)); \
// RUN:   save('image', i[None], f); save('w', w, f); save('b', b, f); save('conv', y + b[:, None, None], f)"

// The first 17 of 18 columns; 0 + ... + 16 = 136.
// DEFINE: %{run} = uop-run %s -e
// RUN: %{run} rows17 %t/x.npy nan --compare 1=%t/sums17.npy
// RUN: %{run} rows17 %t/x.npy nan --compare 1=%t/sums17.npy --reference
uop.kernel @rows17(%x: memref<54x18xf32>, %y: memref<3xf32>) {
  %i = uop.range loop 3
  %k = uop.range reduce 17
  %v = uop.load %x[%i, %k] : memref<54x18xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %y[%i] : memref<3xf32>
}

// Unrolled as a whole, the store is still there.
// RUN: %{run} rows16 %t/x.npy nan --compare 1=%t/sums16.npy
// RUN: %{run} rows16 %t/x.npy nan --compare 1=%t/sums16.npy --reference
uop.kernel @rows16(%x: memref<54x18xf32>, %y: memref<3xf32>)
    attributes {schedule = #uop.schedule<[UNROLL 0:16]>} {
  %i = uop.range loop 3
  %k = uop.range reduce 16
  %v = uop.load %x[%i, %k] : memref<54x18xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %y[%i] : memref<3xf32>
}

// The maximum of -x - 1 over 32 points, of which 17 take part: the others would
// be -1 if they entered as zeros.
// RUN: %{run} max17 %t/x.npy nan --compare 1=%t/max17.npy
// RUN: %{run} max17 %t/x.npy nan --compare 1=%t/max17.npy --reference
uop.kernel @max17(%x: memref<54x18xf32>, %y: memref<3xf32>)
    attributes {schedule = #uop.schedule<[UNROLL 0:4]>} {
  %i = uop.range loop 3
  %k = uop.range reduce 32
  %c17 = arith.constant 17 : index
  %inside = arith.cmpi slt, %k, %c17 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %v = uop.load %x[%i, %k] mask %inside : memref<54x18xf32>
  %n = arith.subf %zero, %v : f32
  %m = arith.subf %n, %one : f32
  %s = uop.reduce maximumf %m over(%k) mask %inside : f32
  uop.store %s, %y[%i] : memref<3xf32>
}

// A convolution of 3x3 with zeros around the image: the mask is on the load, and
// the bias comes after the sum.
// RUN: %{run} conv %t/image.npy %t/w.npy %t/b.npy nan --compare 3=%t/conv.npy
// RUN: %{run} conv %t/image.npy %t/w.npy %t/b.npy nan --compare 3=%t/conv.npy --reference
uop.kernel @conv(%x: memref<1x3x16x16xf32>, %w: memref<4x3x3x3xf32>,
                 %b: memref<4xf32>, %y: memref<4x16x16xf32>) {
  %o = uop.range loop 4
  %i = uop.range loop 16
  %j = uop.range loop 16
  %c = uop.range reduce 3
  %p = uop.range reduce 3
  %q = uop.range reduce 3
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %ip = arith.addi %i, %p : index
  %row = arith.subi %ip, %c1 : index
  %jq = arith.addi %j, %q : index
  %col = arith.subi %jq, %c1 : index
  %m0 = arith.cmpi sge, %row, %c0 : index
  %m1 = arith.cmpi slt, %row, %c16 : index
  %m2 = arith.cmpi sge, %col, %c0 : index
  %m3 = arith.cmpi slt, %col, %c16 : index
  %m01 = arith.andi %m0, %m1 : i1
  %m23 = arith.andi %m2, %m3 : i1
  %inside = arith.andi %m01, %m23 : i1
  %v = uop.load %x[%c0, %c, %row, %col] mask %inside : memref<1x3x16x16xf32>
  %u = uop.load %w[%o, %c, %p, %q] : memref<4x3x3x3xf32>
  %z = arith.mulf %v, %u : f32
  %sum = uop.reduce add %z over(%c, %p, %q) : f32
  %bias = uop.load %b[%o] : memref<4xf32>
  %t = arith.addf %sum, %bias : f32
  uop.store %t, %y[%o, %i, %j] : memref<4x16x16xf32>
}

// q + 10 < 5 in u8 is true of 250 only, which wraps to 4; x + 1 < 5 in i32 is
// true of the largest x. Of 0 to 255 half are negative in i8.
// RUN: %{run} small8 %t/u8.npy nan --compare 1=%t/small8.npy
// RUN: %{run} small8 %t/u8.npy nan --compare 1=%t/small8.npy --reference
// RUN: uop-opt %s --uop-simplify --canonicalize --cse --uop-simplify -o %t/simplified.mlir
// DEFINE: %{simplified} = uop-run %t/simplified.mlir -e
// RUN: %{simplified} small8 %t/u8.npy nan --compare 1=%t/small8.npy
uop.kernel @small8(%x: memref<4xi8>, %y: memref<4xi1>) {
  %i = uop.range loop 4
  %c10 = arith.constant 10 : i8
  %c5 = arith.constant 5 : i8
  %v = uop.load %x[%i] : memref<4xi8>
  %w = arith.addi %v, %c10 : i8
  %p = arith.cmpi ult, %w, %c5 : i8
  uop.store %p, %y[%i] : memref<4xi1>
}

// RUN: %{run} small32 %t/i32.npy nan --compare 1=%t/small32.npy
// RUN: %{run} small32 %t/i32.npy nan --compare 1=%t/small32.npy --reference
// RUN: %{simplified} small32 %t/i32.npy nan --compare 1=%t/small32.npy
uop.kernel @small32(%x: memref<2xi32>, %y: memref<2xi1>) {
  %i = uop.range loop 2
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %v = uop.load %x[%i] : memref<2xi32>
  %w = arith.addi %v, %c1 : i32
  %p = arith.cmpi slt, %w, %c5 : i32
  uop.store %p, %y[%i] : memref<2xi1>
}

// The same in every width: v + 1 is less than v for the greatest value only, and
// v - 1 is greater than v for the least; doubled and halved, it loses its first
// bit.
// DEFINE: %{w} = 8
// DEFINE: %{x} = %python -c "import numpy as np; lo, hi = -2**(%{w}-1), 2**(%{w}-1)-1; \
// DEFINE:   v = np.array([lo, lo+1, -1, 0, 1, hi//2, hi//2+1, hi], np.int%{w}); np.save('%t/v.npy', v); \
// DEFINE:   half = [0, 1, -1, 0, 1, hi//2, -(hi//2) - 1, -1]; \
// DEFINE:   np.save('%t/wrapped.npy', np.array([[0]*7+[1], [1]+[0]*7, half], np.int%{w}))"
// DEFINE: %{wraps} = %{x} && sed 's/i16/i%{w}/g' %s > %t/w.mlir \
// DEFINE:   && uop-run %t/w.mlir -e wraps %t/v.npy nan --compare 1=%t/wrapped.npy \
// DEFINE:   && uop-opt %t/w.mlir --uop-simplify --canonicalize --cse -o %t/ws.mlir \
// DEFINE:   && uop-run %t/ws.mlir -e wraps %t/v.npy nan --compare 1=%t/wrapped.npy \
// DEFINE:   && uop-run %t/w.mlir -e wraps %t/v.npy nan --compare 1=%t/wrapped.npy --reference
// RUN: %{wraps}
// REDEFINE: %{w} = 16
// RUN: %{wraps}
// REDEFINE: %{w} = 32
// RUN: %{wraps}
// REDEFINE: %{w} = 64
// RUN: %{wraps}
uop.kernel @wraps(%x: memref<8xi16>, %y: memref<3x8xi16>) {
  %i = uop.range loop 8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i16
  %two = arith.constant 2 : i16
  %zero = arith.constant 0 : i16
  %v = uop.load %x[%i] : memref<8xi16>
  %next = arith.addi %v, %one : i16
  %p = arith.cmpi slt, %next, %v : i16
  %less = arith.select %p, %one, %zero : i16
  %last = arith.subi %v, %one : i16
  %q = arith.cmpi sgt, %last, %v : i16
  %greater = arith.select %q, %one, %zero : i16
  %double = arith.muli %v, %two : i16
  %half = arith.divsi %double, %two : i16
  uop.store %less, %y[%c0, %i] : memref<3x8xi16>
  uop.store %greater, %y[%c1, %i] : memref<3x8xi16>
  uop.store %half, %y[%c2, %i] : memref<3x8xi16>
}

// RUN: %{run} negative nan --compare 0=%t/n128.npy
// RUN: %{run} negative nan --compare 0=%t/n128.npy --reference
// RUN: %{simplified} negative nan --compare 0=%t/n128.npy
uop.kernel @negative(%n: memref<i32>) {
  %k = uop.range reduce 256
  %c0 = arith.constant 0 : i8
  %v = arith.index_cast %k : index to i8
  %p = arith.cmpi slt, %v, %c0 : i8
  %one = arith.extui %p : i1 to i32
  %s = uop.reduce add %one over(%k) : i32
  uop.store %s, %n[] : memref<i32>
}
