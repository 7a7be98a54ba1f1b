// An empty axis leaves stores that do not have it in their domain as they are:
// they run once, also where the grid would be empty. Mapped by the heuristic, by
// hand with a static extent, and by hand with a dynamic one that is 0, 1 or 3.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; f = np.float32; \
// RUN:   save = lambda n, a: np.save('%t/' + n + '.npy', a); save('sevens', np.full(4, 7, f)); \
// RUN:   [save(f'ones{n}', np.ones((n, 4), f)) for n in (0, 1, 3)]"

// DEFINE: %{k} = open
// DEFINE: %{n} = 0
// DEFINE: %{run} = uop-run %s -e %{k} nan nan --compare 0=%t/ones0.npy --compare 1=%t/sevens.npy
// RUN: %{run} && %{run} --reference && %{run} --device=cpu
// RUN: uop-opt %s --uop-gpu-map --uop-print-launch -o /dev/null 2>&1 | FileCheck %s
// CHECK: @open: grid (1,1,1), block (4,1,1)
// CHECK: @by_hand: grid (1,1,1), block (4,1,1)
uop.kernel @open(%a: memref<0x4xf32>, %b: memref<4xf32>) {
  %i = uop.range loop 0
  %j = uop.range loop 4
  %one = arith.constant 1.0 : f32
  %seven = arith.constant 7.0 : f32
  uop.store %one, %a[%i, %j] : memref<0x4xf32>
  uop.store %seven, %b[%j] : memref<4xf32>
}

// REDEFINE: %{k} = by_hand
// RUN: %{run} && %{run} --reference
uop.kernel @by_hand(%a: memref<0x4xf32>, %b: memref<4xf32>) {
  %i = uop.range global<x> 0
  %j = uop.range local<x> 4
  %one = arith.constant 1.0 : f32
  %seven = arith.constant 7.0 : f32
  uop.store %one, %a[%i, %j] : memref<0x4xf32>
  uop.store %seven, %b[%j] : memref<4xf32>
}

// DEFINE: %{dynamic} = uop-run %s -e dynamic nan:%{n}x4 nan --compare 0=%t/ones%{n}.npy --compare 1=%t/sevens.npy
// RUN: %{dynamic} && %{dynamic} --reference
// REDEFINE: %{n} = 1
// RUN: %{dynamic} && %{dynamic} --reference
// REDEFINE: %{n} = 3
// RUN: %{dynamic} && %{dynamic} --reference
uop.kernel @dynamic(%a: memref<?x4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x4xf32>
  %i = uop.range global<x> %n
  %j = uop.range local<x> 4
  %one = arith.constant 1.0 : f32
  %seven = arith.constant 7.0 : f32
  uop.store %one, %a[%i, %j] : memref<?x4xf32>
  uop.store %seven, %b[%j] : memref<4xf32>
}
