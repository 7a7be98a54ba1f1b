// The kernels of examples/smem_gemm: every tool says the same launch shape, and
// the results are right. See Inputs/check_schedule.py.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import sys; sys.path.insert(0, '%S/Inputs'); \
// RUN:   from arithmetic import *; \
// RUN:   save = lambda n, a: np.save('%t/' + n + '.npy', a); \
// RUN:   both = lambda n, f: [save(n + '.on', f(True)), save(n + '.off', f(False))]; \
// RUN:   a, b = random(1, 64, 64), random(2, 64, 64); save('a', a); save('b', b); \
// RUN:   both('smem_gemm', lambda on: gemm(a, b, on)); \
// RUN:   A, B = np.random.default_rng(3).integers(-9, 9, (2, 1024, 1024)).astype(np.float32); \
// RUN:   save('A', A); save('B', B); both('smem_gemm_1024', lambda on: A @ B); \
// RUN:   x = random(4, 256); save('x', x); \
// RUN:   both('reverse', lambda on: x.reshape(8, 32)[:, ::-1].reshape(256))"
// DEFINE: %{check} = %python %S/Inputs/check_schedule.py %examples/smem_gemm/smem_gemm.mlir

// Two tiles of 256 floats. The order of the sum is that of the plain loops.
// RUN: %{check} smem_gemm loops 4,4,1 16,16,1 %t a b --shared=2048
// On whole numbers, of which every sum is exact.
// RUN: %{check} smem_gemm_1024 loops 64,64,1 16,16,1 %t A B --shared=2048
// One tile of 32 floats; each 32 elements are reversed.
// RUN: %{check} reverse loops 8,1,1 32,1,1 %t x --shared=128

// Two barriers in the loop along k, one in the reversal.
// RUN: uop-opt %examples/smem_gemm/smem_gemm.mlir --uop-lower-to-gpu-pipeline | FileCheck %s
// CHECK-LABEL: gpu.func @smem_gemm(
// CHECK-SAME:    workgroup({{.*}} : memref<16x16xf32, {{.*}}> {{.*}}, {{.*}} : memref<16x16xf32, {{.*}}> {{.*}})
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.for
// CHECK:           gpu.barrier
// CHECK:           scf.for
// CHECK:             scf.yield
// CHECK:           }
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      scf.yield
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @smem_gemm_1024(
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @reverse(
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
