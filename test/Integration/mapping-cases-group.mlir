// Reductions over the threads of a block, beside threads, copies and unrolled
// steps. Under every schedule the emulator gives what NumPy does, and so do
// plain loops; see check_mapping.py. Sums are of small multiples of a power of
// two, and so are exact in any order.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; r = np.random.default_rng(1); f = np.float32; \
// RUN:   save = lambda n, a: np.save('%t/' + n + '.npy', a); \
// RUN:   x = r.integers(-99, 100, 16384).astype(f); save('x', x); save('sum', x.sum(dtype=np.float64).astype(f)); \
// RUN:   a = (r.integers(-2, 3, (4, 4, 128, 128)) / 64 - 1).astype(f); save('a', a); \
// RUN:   b = r.random((4, 4, 128), dtype=f); save('b', b); \
// RUN:   save('fused', np.sqrt(b) + np.exp((a.astype(np.float64) + 1).sum(3)).astype(f)); \
// RUN:   v = r.standard_normal((32, 32)).astype(f); save('v', v); \
// RUN:   e = np.exp(v.astype(np.float64) - v.max(1, keepdims=True)); \
// RUN:   save('softmax', (e / e.sum(1, keepdims=True)).astype(f))"
// DEFINE: %{check} = %python %S/Inputs/check_mapping.py %s

// All elements, by one block.
// RUN: %{check} sum %t x --opts "grouptop=0:16 -> 1,1,1 16,1,1" \
// RUN:   --opts "grouptop=0:32 -> 1,1,1 32,1,1" --opts "grouptop=0:256 -> 1,1,1 256,1,1" \
// RUN:   --opts "group=0:256 unroll=0:4 -> 1,1,1 256,1,1"
uop.kernel @sum(%x: memref<16384xf32>, %out: memref<f32>) {
  %k = uop.range reduce 16384
  %v = uop.load %x[%k] : memref<16384xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %out[] : memref<f32>
}

// One output axis of 2048, which three axes are merged to. NumPy's exp and ours
// are within an ulp each.
// RUN: %{check} fused %t a b --tolerance 4e-7 \
// RUN:   --opts "merge-axes local=0:2 -> 1024,1,1 2,1,1" --opts "merge-axes local=0:8" \
// RUN:   --opts "merge-axes local=0:16" --opts "merge-axes local=0:32 -> 64,1,1 32,1,1" \
// RUN:   --opts "merge-axes grouptop=0:2" --opts "merge-axes grouptop=0:32 -> 2048,1,1 32,1,1" \
// RUN:   --opts "merge-axes grouptop=0:64" --opts "merge-axes local=0:2 grouptop=0:64" \
// RUN:   --opts "merge=0:3 local=0:2 grouptop=0:2 upcast=0:8 unroll=0:4" \
// RUN:   --opts "merge=0:3 group=0:2,0:2,0:2,0:2 -> 2048,1,1 16,1,1"
uop.kernel @fused(%a: memref<4x4x128x128xf32>, %b: memref<4x4x128xf32>,
                  %out: memref<4x4x128xf32>) {
  %i = uop.range loop 4
  %j = uop.range loop 4
  %l = uop.range loop 128
  %k = uop.range reduce 128
  %one = arith.constant 1.0 : f32
  %x = uop.load %a[%i, %j, %l, %k] : memref<4x4x128x128xf32>
  %x1 = arith.addf %x, %one : f32
  %s = uop.reduce add %x1 over(%k) : f32
  %e = math.exp %s : f32
  %y = uop.load %b[%i, %j, %l] : memref<4x4x128xf32>
  %q = math.sqrt %y : f32
  %r = arith.addf %q, %e : f32
  uop.store %r, %out[%i, %j, %l] : memref<4x4x128xf32>
}

// Both reductions of a softmax. The sum of the rounded exponentials depends on
// the order of its terms.
// RUN: %{check} softmax %t v --tolerance 2e-6 \
// RUN:   --opts "group=0:32,1:32 -> 32,32,1 32,1,1" --opts "grouptop=0:8,1:16" \
// RUN:   --opts "group=0:32,1:32 local=1:32" --opts "group=0:16,1:16 local=0:4 upcast=1:4" \
// RUN:   --opts "grouptop=0:64,1:64 local=1:4"
uop.kernel @softmax(%in: memref<32x32xf32>, %out: memref<32x32xf32>) {
  %i = uop.range loop 32
  %j = uop.range loop 32
  %k = uop.range reduce 32
  %l = uop.range reduce 32
  %x = uop.load %in[%i, %k] : memref<32x32xf32>
  %max = uop.reduce maximumf %x over(%k) : f32
  %y = uop.load %in[%i, %l] : memref<32x32xf32>
  %d = arith.subf %y, %max : f32
  %e = math.exp %d : f32
  %s = uop.reduce add %e over(%l) : f32
  %z = uop.load %in[%i, %j] : memref<32x32xf32>
  %c = arith.subf %z, %max : f32
  %n = math.exp %c : f32
  %q = arith.divf %n, %s : f32
  uop.store %q, %out[%i, %j] : memref<32x32xf32>
}
