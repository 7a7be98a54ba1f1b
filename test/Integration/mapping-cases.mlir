// Kernels that break mappers: tails, too many blocks, padding in every
// combination. Under every schedule the emulator gives what NumPy does, and so
// do plain loops; see check_mapping.py. The numbers are small and whole, so that
// no order of the terms makes a difference.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; r = np.random.default_rng(1); f = np.float32; \
// RUN:   save = lambda n, a: np.save('%t/' + n + '.npy', a); \
// RUN:   whole = lambda *s: r.integers(-8, 9, s).astype(f); \
// RUN:   x, y = whole(1000003), whole(1000003); save('x', x); save('y', y); save('add', x + y); \
// RUN:   save('fill', np.full((2, 70001, 3), 7, np.int8)); \
// RUN:   a, b = whole(17, 17), whole(17, 17); save('a', a); save('b', b); save('product', a @ b); \
// RUN:   rows = np.arange(54, dtype=np.int32).reshape(3, 18); save('rows', rows); \
// RUN:   save('sum17', np.array([136, 442, 748], np.int32)); \
// RUN:   save('sum16', rows[:, :16].sum(1).astype(np.int32)); \
// RUN:   save('lowest', np.array([-1, -19, -37], np.int32)); \
// RUN:   p, w, c = whole(1, 3, 16, 16), whole(4, 3, 3, 3), whole(4); \
// RUN:   q = np.pad(p, ((0, 0), (0, 0), (1, 1), (1, 1))); \
// RUN:   save('image', p); save('weights', w); save('bias', c); \
// RUN:   save('convolution', sum(np.einsum('bchw,oc->bohw', q[:, :, i:i + 16, j:j + 16], w[:, :, i, j]) \
// RUN:     for i in range(3) for j in range(3)) + c[None, :, None, None])"
// DEFINE: %{check} = %python %S/Inputs/check_mapping.py %s

// A prime number of elements, 256 threads a block: 3907 blocks, of which the
// last has 67 elements.
// RUN: %{check} add %t x y --opts "local=0:256 -> 3907,1,1 256,1,1" \
// RUN:   --opts "local=0:64 upcast=0:2 vectorize=0:4 -> 1954,1,1 64,1,1"
uop.kernel @add(%x: memref<1000003xf32>, %y: memref<1000003xf32>,
                %out: memref<1000003xf32>) {
  %i = uop.range loop 1000003
  %a = uop.load %x[%i] : memref<1000003xf32>
  %b = uop.load %y[%i] : memref<1000003xf32>
  %c = arith.addf %a, %b : f32
  uop.store %c, %out[%i] : memref<1000003xf32>
}

// The middle axis is longer than y may be: it shares x with the last one.
// RUN: %{check} fill %t --opts "heuristic=none -> 210003,2,1 1,1,1" \
// RUN:   --opts "local=1:128 -> 3,547,2 1,128,1" \
// RUN:   --opts "merge-axes local=0:256 -> 1641,1,1 256,1,1"
uop.kernel @fill(%out: memref<2x70001x3xi8>) {
  %i = uop.range loop 2
  %j = uop.range loop 70001
  %k = uop.range loop 3
  %v = arith.constant 7 : i8
  uop.store %v, %out[%i, %j, %k] : memref<2x70001x3xi8>
}

// 17 x 17 times 17 x 17, padded along each axis alone, in pairs, and all; then
// with four outputs a thread.
// RUN: %{check} product %t a b \
// RUN:   --opts "padto=0:32 -> 17,32,1 1,1,1" --opts "padto=1:32 -> 32,17,1 1,1,1" \
// RUN:   --opts "padto=2:32 -> 17,17,1 1,1,1" --opts "padto=0:32,1:32 -> 32,32,1 1,1,1" \
// RUN:   --opts padto=0:32,2:32 --opts padto=1:32,2:32 --opts padto=0:32,1:32,2:32 \
// RUN:   --opts "upcast=0:2,1:2 -> 9,9,1 1,1,1" \
// RUN:   --opts "padto=0:32 upcast=0:2,1:2 -> 9,16,1 1,1,1" \
// RUN:   --opts "padto=1:32 upcast=0:2,1:2" --opts "padto=2:32 upcast=0:2,1:2" \
// RUN:   --opts "padto=0:32,1:32 upcast=0:2,1:2" --opts "padto=0:32,2:32 upcast=0:2,1:2" \
// RUN:   --opts "padto=1:32,2:32 upcast=0:2,1:2" \
// RUN:   --opts "padto=0:32,1:32,2:32 upcast=0:2,1:2 -> 16,16,1 1,1,1" \
// RUN:   --opts "padto=0:32,1:32,2:32 local=0:8,1:8 upcast=0:2,1:2 unroll=0:4 -> 2,2,1 8,8,1" \
// RUN:   --opts "padto=2:32 group=0:32 local=0:2" --opts "padto=2:32 grouptop=0:8 unroll=0:4"
uop.kernel @product(%A: memref<17x17xf32>, %B: memref<17x17xf32>,
                    %C: memref<17x17xf32>) {
  %m = uop.range loop 17
  %n = uop.range loop 17
  %k = uop.range reduce 17
  %a = uop.load %A[%m, %k] : memref<17x17xf32>
  %b = uop.load %B[%k, %n] : memref<17x17xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<17x17xf32>
}

// Of rows of 18 the first 17: what pads the reduction is not the next element.
// RUN: %{check} sum17 %t rows --opts "padto=1:32 unroll=0:4" \
// RUN:   --opts "padto=1:32 unroll=0:16" --opts "padto=1:32 grouptop=0:32"
uop.kernel @sum17(%in: memref<3x18xi32>, %out: memref<3xi32>) {
  %i = uop.range loop 3
  %k = uop.range reduce 17
  %x = uop.load %in[%i, %k] : memref<3x18xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%i] : memref<3xi32>
}

// The store does not vanish where copies take the whole reduction.
// RUN: %{check} sum16 %t rows --opts "padto=1:32 unroll=0:32 -> 3,1,1 1,1,1"
uop.kernel @sum16(%in: memref<3x18xi32>, %out: memref<3xi32>) {
  %i = uop.range loop 3
  %k = uop.range reduce 16
  %x = uop.load %in[%i, %k] : memref<3x18xi32>
  %s = uop.reduce add %x over(%k) : i32
  uop.store %s, %out[%i] : memref<3xi32>
}

// A maximum of negative numbers, of which 0 is not the identity.
// RUN: %{check} lowest %t rows --opts "padto=1:32 grouptop=0:32 -> 3,1,1 32,1,1" \
// RUN:   --opts "padto=1:32 group=0:32" --opts "grouptop=0:64" --opts "padto=1:32 unroll=0:4"
uop.kernel @lowest(%in: memref<3x18xi32>, %out: memref<3xi32>) {
  %i = uop.range loop 3
  %k = uop.range reduce 17
  %x = uop.load %in[%i, %k] : memref<3x18xi32>
  %minus1 = arith.constant -1 : i32
  %n = arith.xori %x, %minus1 : i32
  %s = uop.reduce maxsi %n over(%k) : i32
  uop.store %s, %out[%i] : memref<3xi32>
}

// A convolution with a frame of zeros: its masks stay on the loads, and those of
// padding come on top.
// RUN: %{check} convolution %t image weights bias \
// RUN:   --opts "heuristic=none -> 16,16,4 1,1,1" --opts heuristic=basic \
// RUN:   --opts "local=1:2,2:5,3:16 upcast=1:3 -> 1,4,1 16,5,2" \
// RUN:   --opts "local=3:8 vectorize=3:2 upcast=2:3 unroll=2:2 padto=4:2" \
// RUN:   --opts "group=0:3 local=3:4 unroll=1:3,2:3"
uop.kernel @convolution(%image: memref<1x3x16x16xf32>,
                        %weights: memref<4x3x3x3xf32>, %bias: memref<4xf32>,
                        %out: memref<1x4x16x16xf32>) {
  %b = uop.range loop 1
  %o = uop.range loop 4
  %h = uop.range loop 16
  %w = uop.range loop 16
  %c = uop.range reduce 3
  %i = uop.range reduce 3
  %j = uop.range reduce 3
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %hi = arith.addi %h, %i : index
  %wj = arith.addi %w, %j : index
  %y = arith.subi %hi, %c1 : index
  %x = arith.subi %wj, %c1 : index
  %below = arith.cmpi sge, %y, %c0 : index
  %above = arith.cmpi slt, %y, %c16 : index
  %right = arith.cmpi sge, %x, %c0 : index
  %left = arith.cmpi slt, %x, %c16 : index
  %rows = arith.andi %below, %above : i1
  %columns = arith.andi %right, %left : i1
  %inside = arith.andi %rows, %columns : i1
  %v = uop.load %image[%b, %c, %y, %x] mask %inside : memref<1x3x16x16xf32>
  %u = uop.load %weights[%o, %c, %i, %j] : memref<4x3x3x3xf32>
  %p = arith.mulf %v, %u : f32
  %s = uop.reduce add %p over(%c, %i, %j) : f32
  %z = uop.load %bias[%o] : memref<4xf32>
  %r = arith.addf %s, %z : f32
  uop.store %r, %out[%b, %o, %h, %w] : memref<1x4x16x16xf32>
}

// More threads than a block has are refused, each with what to do instead.
// RUN: sed -n '/@product(/,/^}/p' %s > %t/product.mlir
// RUN: not uop-opt %t/product.mlir --uop-gpu-map=local=0:1031 2>&1 | FileCheck %s --check-prefix=PRIME
// PRIME: error: cannot map @product: a block of 1031 threads exceeds the limit of 1024; give output axis 0 less local, and more upcast if each thread is to do more
// RUN: not uop-opt %t/product.mlir --uop-gpu-map=local=1:2048 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: cannot map @product: a block of 2048 threads exceeds the limit of 1024; give output axis 1 less local
// RUN: not uop-opt %t/product.mlir --uop-gpu-map=local=0:1024,1:1024 2>&1 | FileCheck %s --check-prefix=SQUARE
// SQUARE: error: cannot map @product: a block of 1024 * 1024 threads exceeds the limit of 1024
