// The same kernels on the emulated GPU and as plain loops of a CPU, against the
// reference interpreter, bit for bit: with contraction and without.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{contract} = on
// DEFINE: %{gemm} = uop-run %s --fp-contract=%{contract} rand rand nan -e
// DEFINE: %{check} = %{gemm} gemm --reference --save 2=%t/c.npy \
// DEFINE:   && %{gemm} gemm --device=cpu --compare 2=%t/c.npy \
// DEFINE:   && %{gemm} gemm --device=emulator --compare 2=%t/c.npy \
// DEFINE:   && %{gemm} gemm_thread --device=cpu --compare 2=%t/c.npy \
// DEFINE:   && %{gemm} twice --device=cpu --compare 2=%t/c.npy
// RUN: %{check}
// REDEFINE: %{contract} = off
// RUN: %{check}

// Plain loops: each thread has memory of its own, whose size only the run knows.
// RUN: uop-run %s -e histogram --device=cpu iota:6x5 nan:6 --save 1=%t/h.npy
// RUN: %python -c "import numpy as np; x = np.arange(30).reshape(6, 5); \
// RUN:   assert (np.load('%t/h.npy') == [(r % 4 == 1).sum() for r in x]).all()"

// A memory space of a GPU is no other memory on a CPU.
// RUN: uop-run %s -e fill nan --save %t/f.npy && uop-run %s -e fill nan --device=cpu --compare %t/f.npy

// RUN: uop-run %s -e gemm --device=cpu rand rand nan --time=3 | FileCheck %s --check-prefix=TIME
// TIME:      compile: {{[0-9.]+}} ms
// TIME-NEXT: run: {{[0-9.]+}} ms (median of 3, least {{[0-9.]+}}, {{[0-9]+}} thread{{s?}})

// A division by zero ends the run; the least number
// divided by -1 wraps.
// RUN: not uop-run %s -e divide --device=cpu iota iota nan 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: uop-run-device.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'arith.divsi' divides by zero in kernel 'divide'
// RUN: uop-run %s -e divide --device=cpu fill:-2147483648 fill:-1 nan --save 2=%t/d.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t/d.npy') == -2**31).all()"

// A bound with which sums would not fit 64 bits.
// RUN: uop-run %s -e up_to --device=cpu 9223372036854775807 zeros --save 1=%t/u.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t/u.npy') == 1).all()"
// RUN: uop-run %s -e up_to --device=cpu --save 1=%t/u.npy -- -9223372036854775808 zeros
// RUN: %python -c "import numpy as np; assert (np.load('%t/u.npy') == 0).all()"

// What cannot be, and why.
// RUN: not uop-run %s -e gemm_gpu --device=cpu rand rand nan 2>&1 | FileCheck %s --check-prefix=MAPPED
// MAPPED: error: 'uop.range' op expected the axis 'thread', the threads of a CPU, but got 'global<x>', which is of a GPU
// RUN: not uop-run %s -e gemm_thread rand rand nan 2>&1 | FileCheck %s --check-prefix=THREAD
// THREAD: error: 'uop.range' op expected an axis of a GPU (global, local or warp), but got 'thread'
// RUN: not uop-run %s -e launch --device=cpu nan 2>&1 | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: error: 'gpu.launch' op launches a kernel for a GPU, which is no plain CPU loop; run it with --device=emulator
// RUN: not uop-run %s -e gemm --device=cpu rand rand nan --reference 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: uop-run: error: --reference lowers nothing: leave out --device
// RUN: not uop-run %s -e gemm --device=cpu rand rand nan --print-launch 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: uop-run: error: --print-launch: plain CPU loops launch nothing; leave out --device=cpu

uop.kernel @gemm(%A: memref<24x20xf32>, %B: memref<20x28xf32>, %C: memref<24x28xf32>) {
  %m = uop.range loop 24
  %n = uop.range loop 28
  %k = uop.range reduce 20
  %a = uop.load %A[%m, %k] : memref<24x20xf32>
  %b = uop.load %B[%k, %n] : memref<20x28xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<24x28xf32>
}

// By hand: blocks of four rows to the threads, two copies of each column.
uop.kernel @gemm_thread(%A: memref<24x20xf32>, %B: memref<20x28xf32>, %C: memref<24x28xf32>) {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %t = uop.range thread 6
  %r = uop.range serial 4
  %j = uop.range serial 14
  %u = uop.range upcast 2
  %k = uop.range reduce 20
  %rows = arith.muli %t, %c4 : index
  %m = arith.addi %rows, %r : index
  %columns = arith.muli %j, %c2 : index
  %n = arith.addi %columns, %u : index
  %a = uop.load %A[%m, %k] : memref<24x20xf32>
  %b = uop.load %B[%k, %n] : memref<20x28xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<24x28xf32>
}

uop.kernel @gemm_gpu(%A: memref<24x20xf32>, %B: memref<20x28xf32>, %C: memref<24x28xf32>) {
  %m = uop.range global<x> 24
  %n = uop.range local<x> 28
  %k = uop.range reduce 20
  %a = uop.load %A[%m, %k] : memref<24x20xf32>
  %b = uop.load %B[%k, %n] : memref<20x28xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<24x28xf32>
}

// A host function that launches: once serial, once on threads.
func.func @twice(%A: memref<24x20xf32>, %B: memref<20x28xf32>, %C: memref<24x28xf32>) {
  uop.launch @gemm(%A, %B, %C) : memref<24x20xf32>, memref<20x28xf32>, memref<24x28xf32>
  uop.launch @gemm_thread(%A, %B, %C) : memref<24x20xf32>, memref<20x28xf32>, memref<24x28xf32>
  return
}

// How many numbers of each row are 1 modulo 4.
!bins = memref<4xi32, #gpu.address_space<private>>
uop.kernel loops @histogram(%x: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %rows = memref.dim %x, %c0 : memref<?x?xi32>
  %columns = memref.dim %x, %c1 : memref<?x?xi32>
  %t = uop.range thread %rows
  %bins = uop.alloc zero : !bins
  scf.for %j = %c0 to %columns step %c1 {
    %v = memref.load %x[%t, %j] : memref<?x?xi32>
    %i = arith.index_cast %v : i32 to index
    %bin = uop.floormod %i, %c4
    %count = memref.load %bins[%bin] : !bins
    %more = arith.addi %count, %one : i32
    memref.store %more, %bins[%bin] : !bins
  }
  %count = memref.load %bins[%c1] : !bins
  memref.store %count, %y[%t] : memref<?xi32>
}

!global = memref<8xi32, #gpu.address_space<global>>
uop.kernel @fill(%x: !global) {
  %i = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %x[%i] : !global
}

uop.kernel @divide(%a: memref<8xi32>, %b: memref<8xi32>, %out: memref<8xi32>) {
  %i = uop.range thread 8
  %x = uop.load %a[%i] : memref<8xi32>
  %y = uop.load %b[%i] : memref<8xi32>
  %q = arith.divsi %x, %y : i32
  uop.store %q, %out[%i] : memref<8xi32>
}

func.func @launch(%x: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}

uop.kernel @up_to(%n: index, %x: memref<80xi32>) {
  %i = uop.range loop 80
  %c4 = arith.constant 4 : index
  %j = arith.muli %i, %c4 : index
  %one = arith.constant 1 : i32
  %below = arith.cmpi sle, %j, %n : index
  uop.store %one, %x[%i] mask %below : memref<80xi32>
}
