// Kernels in the schedules of the reference facts: every tool says the same
// launch shape, and the results are those of plain loops in NumPy, bit for bit,
// with contraction (one rounding) and without (two). See check_schedule.py.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import sys; sys.path.insert(0, '%S/Inputs'); \
// RUN:   from arithmetic import *; \
// RUN:   save = lambda n, a: np.save('%t/' + n + '.npy', a); \
// RUN:   both = lambda n, f: [save(n + '.on', f(True)), save(n + '.off', f(False))]; \
// RUN:   A, B, a, b = (random(i, *s) for i, s in enumerate([(32, 48), (48, 64), (64, 64), (64, 64)])); \
// RUN:   x, y = random(4, 64, 128), random(5, 64, 128); \
// RUN:   [save(n, v) for n, v in dict(A=A, B=B, a=a, b=b, x=x, y=y).items()]; \
// RUN:   both('gemm_32x64x48', lambda on: gemm(A, B, on)); \
// RUN:   both('gemm_64x64x64', lambda on: gemm(a, b, on)); \
// RUN:   both('elementwise', lambda on: x * np.float32(2) + y)"

// DEFINE: %{check} = %python %S/Inputs/check_schedule.py %s

// One thread a block: its index is not read.
// RUN: %{check} gemm_32x64x48 heuristic=none 64,32,1 1,1,1 %t A B --accumulators=1
// RUN: %{check} gemm_32x64x48 local=0:4,1:8 8,8,1 8,4,1 %t A B --accumulators=1
// Threads along one axis only, and four outputs a thread.
// RUN: %{check} gemm_32x64x48 "local=1:16 upcast=0:2,1:2" 2,16,1 16,1,1 %t A B --accumulators=4
uop.kernel @gemm_32x64x48(%A: memref<32x48xf32>, %B: memref<48x64xf32>,
                          %C: memref<32x64xf32>) {
  %m = uop.range loop 32
  %n = uop.range loop 64
  %k = uop.range reduce 48
  %a = uop.load %A[%m, %k] : memref<32x48xf32>
  %b = uop.load %B[%k, %n] : memref<48x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<32x64xf32>
}

// RUN: %{check} gemm_64x64x64 heuristic=none 64,64,1 1,1,1 %t a b --accumulators=1
// RUN: %{check} gemm_64x64x64 local=0:8,1:16 4,8,1 16,8,1 %t a b --accumulators=1
// RUN: %{check} gemm_64x64x64 "local=0:16,1:16 upcast=0:2,1:2" 2,2,1 16,16,1 %t a b --accumulators=4
// So do warps of another shape.
// RUN: %{check} gemm_64x64x64 "local=0:16,1:16 upcast=0:2,1:2 warp=0:8,1:4" 2,2,1 256,1,1 %t a b --accumulators=4
// RUN: %{check} gemm_64x64x64 "local=0:16,1:8 warp=0:16,1:2" 8,4,1 128,1,1 %t a b --accumulators=1
// The CPU's layout of the copies computes the same.
// RUN: %{check} gemm_64x64x64 "local=0:16,1:16 upcast=0:2,1:2 upcast-layout=cpu" 2,2,1 16,16,1 %t a b --accumulators=4
// The heuristic upcasts twice, and leaves 32 for threads, at most 16 an axis.
// RUN: %{check} gemm_64x64x64 heuristic=basic 2,2,1 16,16,1 %t a b --accumulators=4
uop.kernel @gemm_64x64x64(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                          %C: memref<64x64xf32>) {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 64
  %a = uop.load %A[%m, %k] : memref<64x64xf32>
  %b = uop.load %B[%k, %n] : memref<64x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}

// No loop is left in the kernel. Twice a number is exact, so that contraction
// makes no difference.
// RUN: %{check} elementwise local=0:16,1:16 8,4,1 16,16,1 %t x y --no-loop
// RUN: %{check} elementwise heuristic=basic 8,4,1 16,16,1 %t x y --no-loop
uop.kernel @elementwise(%a: memref<64x128xf32>, %b: memref<64x128xf32>,
                        %out: memref<64x128xf32>) {
  %i = uop.range loop 64
  %j = uop.range loop 128
  %two = arith.constant 2.0 : f32
  %x = uop.load %a[%i, %j] : memref<64x128xf32>
  %y = uop.load %b[%i, %j] : memref<64x128xf32>
  %p = arith.mulf %x, %two : f32
  %s = arith.addf %p, %y : f32
  uop.store %s, %out[%i, %j] : memref<64x128xf32>
}

// One block, whose index nobody reads. On whole numbers each power of two is
// exact. On others the emulator's exp2 is that of the C library, whose error
// glibc gives as less than one ulp, and the reference interpreter's is rounded
// from more precision: both within 1 ulp of the power in f64, rounded to f32.
// RUN: %python -c "import sys; sys.path.insert(0, '%S/Inputs'); \
// RUN:   from arithmetic import *; \
// RUN:   v = random(6, 16, 32) * np.float32(8); \
// RUN:   save = lambda n, x: (np.save('%t/' + n + '.npy', x), \
// RUN:     [np.save('%t/' + n + '.' + mode + '.npy', \
// RUN:       np.exp2((x - x.max(1, keepdims=True)).astype(np.float64)).astype(np.float32)) \
// RUN:      for mode in ('on', 'off')]); \
// RUN:   save('v', v); save('whole', np.round(v))"
// RUN: %{check} numerator "local=0:16,1:16 upcast=1:2" 1,1,1 16,16,1 %t whole --expect=whole
// RUN: %{check} numerator "local=0:16,1:16 upcast=1:2" 1,1,1 16,16,1 %t v --expect=v --ulps=1
uop.kernel @numerator(%X: memref<16x32xf32>, %Y: memref<16x32xf32>) {
  %i = uop.range loop 16
  %j = uop.range loop 32
  %k = uop.range reduce 32
  %candidate = uop.load %X[%i, %k] : memref<16x32xf32>
  %max = uop.reduce maximumf %candidate over(%k) : f32
  %x = uop.load %X[%i, %j] : memref<16x32xf32>
  %shifted = arith.subf %x, %max : f32
  %y = math.exp2 %shifted : f32
  uop.store %y, %Y[%i, %j] : memref<16x32xf32>
}
