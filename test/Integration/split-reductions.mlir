// Reductions in two kernels give what the reference interpreter gives for one,
// under the default mapping and under opts; and what NumPy gives.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; r = np.random.default_rng(5); \
// RUN:   save = lambda n, a: np.save('%t/' + n + '.npy', a); \
// RUN:   a, b = r.integers(-99, 99, (17, 403), np.int32), r.integers(-99, 99, (403, 19), np.int32); \
// RUN:   save('a', a); save('b', b); save('product', a @ b); \
// RUN:   x = r.integers(0, 5, (8, 100)).astype(np.float32); save('x', x); save('at', x.argmax(1).astype(np.int32)); \
// RUN:   l = r.integers(-9, 9, (8, 100)); save('l', l); m = l.max(1); \
// RUN:   save('two', np.stack([l[:, :90].sum(1) - m, m], 1)); \
// RUN:   y = r.integers(-9, 9, (8, 12, 10), np.int32); w = r.integers(-9, 9, 12, np.int32); \
// RUN:   save('y', y); save('w', w); save('nested', (y.sum(2) * w).sum(1).astype(np.int32)); \
// RUN:   [save('z%%d' %% n, z) or save('xor%%d' %% n, np.array([np.bitwise_xor.reduce(z)], np.int32)) \
// RUN:     for n in (0, 3, 1003) for z in [r.integers(-99, 99, n, np.int32)]]; \
// RUN:   g, h = r.integers(-3, 4, (64, 8192)).astype(np.float32), r.integers(-3, 4, (8192, 64)).astype(np.float32); \
// RUN:   save('g', g); save('h', h); save('gh', np.maximum(g @ h, 0))"
// RUN: uop-run %s -e gemm %t/a.npy %t/b.npy nan --compare=2=%t/product.npy --print-launch | FileCheck %s --check-prefix=GEMM
// GEMM: launch: @gemm_partial grid (2, 2, 4) block (16, 16, 1)
// GEMM: launch: @gemm_combine grid
// RUN: uop-run %s -e argmax %t/x.npy nan --compare=1=%t/at.npy
// RUN: uop-run %s -e two %t/l.npy nan --compare=1=%t/two.npy
// RUN: uop-run %s -e outer %t/y.npy %t/w.npy nan --compare=2=%t/nested.npy
// RUN: uop-run %s -e inner %t/y.npy %t/w.npy nan --compare=2=%t/nested.npy
// RUN: uop-run %s -e total %t/z0.npy nan --compare=1=%t/xor0.npy
// RUN: uop-run %s -e total %t/z3.npy nan --compare=1=%t/xor3.npy
// RUN: uop-run %s -e total %t/z1003.npy nan --compare=1=%t/xor1003.npy
// RUN: uop-run %s -e total --device=cpu %t/z1003.npy nan --compare=1=%t/xor1003.npy

// By default on a chip with few blocks at work, and exact for whole numbers:
// tiles in shared memory, in parts.
// RUN: uop-run %s -e skinny %t/g.npy %t/h.npy nan --compare=2=%t/gh.npy --print-launch --chip=sm_90 | FileCheck %s --check-prefix=SPLIT
// SPLIT: launch: @skinny_partial grid ({{[0-9]+, [0-9]+, [0-9]+}}) block (16, 16, 1) shared {{[1-9][0-9]*}} bytes
// SPLIT: launch: @skinny_combine
// RUN: uop-run %s -e skinny %t/g.npy %t/h.npy nan --compare=2=%t/gh.npy --print-launch --split-reductions=false | FileCheck %s --check-prefix=WHOLE
// WHOLE: launch: @skinny grid
// WHOLE-NOT: launch

// A host function that launches the kernel.
// RUN: uop-run %s -e twice %t/a.npy %t/b.npy nan nan --compare=2=%t/product.npy --compare=3=%t/product.npy

uop.kernel @gemm(%A: memref<17x403xi32>, %B: memref<403x19xi32>, %C: memref<17x19xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:4, LOCAL 0:16, LOCAL 1:16]>} {
  %m = uop.range loop 17
  %n = uop.range loop 19
  %k = uop.range reduce 403
  %a = uop.load %A[%m, %k] : memref<17x403xi32>
  %b = uop.load %B[%k, %n] : memref<403x19xi32>
  %p = arith.muli %a, %b : i32
  %c = uop.reduce add %p over(%k) : i32
  uop.store %c, %C[%m, %n] : memref<17x19xi32>
}

func.func @twice(%A: memref<17x403xi32>, %B: memref<403x19xi32>, %C: memref<17x19xi32>, %D: memref<17x19xi32>) {
  uop.launch @gemm(%A, %B, %C) : memref<17x403xi32>, memref<403x19xi32>, memref<17x19xi32>
  uop.launch @gemm(%A, %B, %D) : memref<17x403xi32>, memref<403x19xi32>, memref<17x19xi32>
  return
}

// Of equal elements the first one counts, also where they are in two parts.
uop.kernel @argmax(%in: memref<8x100xf32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:3]>} {
  %i = uop.range loop 8
  %j = uop.range reduce 100
  %x = uop.load %in[%i, %j] : memref<8x100xf32>
  %j32 = arith.index_cast %j : index to i32
  %lowest = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  %best, %at = uop.reduce (%x, %j32) init(%lowest, %none) over(%j)
      combine (%b: f32, %a: i32, %y: f32, %k: i32) {
    %more = arith.cmpf ogt, %y, %b : f32
    %b1 = arith.select %more, %y, %b : f32
    %a1 = arith.select %more, %k, %a : i32
    uop.yield %b1, %a1 : f32, i32
  } : f32, i32
  uop.store %at, %out[%i] : memref<8xi32>
}

// Two reductions of one axis, of which one has a mask, and two stores.
uop.kernel @two(%in: memref<8x100xi64>, %out: memref<8x2xi64>)
    attributes {schedule = #uop.schedule<[SPLITK 0:5]>} {
  %i = uop.range loop 8
  %j = uop.range reduce 100
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c90 = arith.constant 90 : index
  %ok = arith.cmpi slt, %j, %c90 : index
  %x = uop.load %in[%i, %j] : memref<8x100xi64>
  %s = uop.reduce add %x over(%j) mask %ok : i64
  %m = uop.reduce maxsi %x over(%j) : i64
  %d = arith.subi %s, %m : i64
  uop.store %d, %out[%i, %c0] over(%i) : memref<8x2xi64>
  uop.store %m, %out[%i, %c1] over(%i) : memref<8x2xi64>
}

// A reduction around another one: either can be split.
uop.kernel @outer(%in: memref<8x12x10xi32>, %w: memref<12xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:4]>} {
  %i = uop.range loop 8
  %j = uop.range reduce 12
  %k = uop.range reduce 10
  %x = uop.load %in[%i, %j, %k] : memref<8x12x10xi32>
  %s = uop.reduce add %x over(%k) : i32
  %v = uop.load %w[%j] : memref<12xi32>
  %p = arith.muli %s, %v : i32
  %t = uop.reduce add %p over(%j) : i32
  uop.store %t, %out[%i] : memref<8xi32>
}
uop.kernel @inner(%in: memref<8x12x10xi32>, %w: memref<12xi32>, %out: memref<8xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 1:5]>} {
  %i = uop.range loop 8
  %j = uop.range reduce 12
  %k = uop.range reduce 10
  %x = uop.load %in[%i, %j, %k] : memref<8x12x10xi32>
  %s = uop.reduce add %x over(%k) : i32
  %v = uop.load %w[%j] : memref<12xi32>
  %p = arith.muli %s, %v : i32
  %t = uop.reduce add %p over(%j) : i32
  uop.store %t, %out[%i] : memref<8xi32>
}

// A dynamic axis, also with no points and with fewer than parts.
uop.kernel @total(%in: memref<?xi32>, %out: memref<1xi32>)
    attributes {schedule = #uop.schedule<[SPLITK 0:8]>} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xi32>
  %j = uop.range reduce %n
  %x = uop.load %in[%j] : memref<?xi32>
  %s = uop.reduce xor %x over(%j) : i32
  uop.store %s, %out[%c0] over() : memref<1xi32>
}

uop.kernel @skinny(%A: memref<64x8192xf32>, %B: memref<8192x64xf32>, %C: memref<64x64xf32>) {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 8192
  %a = uop.load %A[%m, %k] : memref<64x8192xf32>
  %b = uop.load %B[%k, %n] : memref<8192x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  %zero = arith.constant 0.0 : f32
  %r = arith.maximumf %c, %zero : f32
  uop.store %r, %C[%m, %n] : memref<64x64xf32>
}
