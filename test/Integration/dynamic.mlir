// Kernels of dynamic memrefs give what NumPy does, on the emulator and on the
// reference interpreter, for sizes that fill the last block, leave one thread
// of it, or have no block at all.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; r = np.random.default_rng(7); f = np.float32; \
// RUN:   save = lambda n, a: np.save('%t/' + n + '.npy', a); s = lambda *n: r.standard_normal(n).astype(f); \
// RUN:   [(save(f'a{n}', a), save(f'b{n}', b), save(f'c{n}', a + b)) for n in (0, 1, 256, 257, 997, 1000003) for a, b in [(s(n), s(n))]]; \
// RUN:   i = lambda *n: r.integers(-4, 5, n).astype(f); \
// RUN:   [(save(f'm{m}', a), save(f'n{m}', b), save(f'p{m}', c), save(f'q{m}', e)) for m, n, k in ((2, 5, 7), (3, 3, 3), (19, 35, 11), (40, 2, 9)) \
// RUN:     for a, b, c in [(i(m, k), i(k, n), np.full((m, n), -7, f))] for e in [c.copy()] for e[1:-1, 1:-1] in [a[1:-1, 1:-1] @ b[1:-1, 1:-1]]]; \
// RUN:   t = r.integers(0, 99, (3, 5, 37), np.int16); save('t', t); save('u', t.transpose(2, 1, 0).copy())"

// DEFINE: %{n} =
// DEFINE: %{add} = uop-run %s -e add %t/a%{n}.npy %t/b%{n}.npy nan:%{n} --compare 2=%t/c%{n}.npy
// REDEFINE: %{n} = 0
// RUN: %{add} --print-launch | FileCheck %s --check-prefix=NONE
// RUN: %{add} --reference
// REDEFINE: %{n} = 1
// RUN: %{add} && %{add} --reference
// REDEFINE: %{n} = 256
// RUN: %{add} --print-launch | FileCheck %s --check-prefix=ONE
// RUN: %{add} --reference
// REDEFINE: %{n} = 257
// RUN: %{add} --print-launch | FileCheck %s --check-prefix=TWO
// RUN: %{add} --reference
// REDEFINE: %{n} = 997
// RUN: %{add} && %{add} --reference
// REDEFINE: %{n} = 1000003
// RUN: %{add} --print-launch | FileCheck %s --check-prefix=MANY
// RUN: %{add} --reference
// NONE-NOT: launch
// NONE: 0 elements
// ONE: launch: @add grid (1, 1, 1) block (256, 1, 1)
// TWO: launch: @add grid (2, 1, 1) block (256, 1, 1)
// MANY: launch: @add grid (3907, 1, 1) block (256, 1, 1)
uop.kernel @add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %c, %c0 : memref<?xf32>
  %sum = arith.addi %n, %c255 : index
  %blocks = uop.floordiv %sum, %c256
  %g = uop.range global<x> %blocks
  %t = uop.range local<x> 256
  %o = arith.muli %g, %c256 : index
  %i = arith.addi %o, %t : index
  %in = arith.cmpi slt, %i, %n : index
  %x = uop.load %a[%i] mask %in : memref<?xf32>
  %y = uop.load %b[%i] mask %in : memref<?xf32>
  %s = arith.addf %x, %y : f32
  uop.store %s, %c[%i] mask %in : memref<?xf32>
}

// The same without blocks and threads: the mapper makes them, and the guard.
// DEFINE: %{any} = uop-run %t/mapped.mlir -e add_any %t/a%{n}.npy %t/b%{n}.npy nan:%{n} --compare 2=%t/c%{n}.npy
// RUN: sed '1,/^.. The same without/d; /^.. The inner part/,$d' %s | uop-opt --uop-gpu-map=local=0:256 -o %t/mapped.mlir
// REDEFINE: %{n} = 0
// RUN: %{any}
// REDEFINE: %{n} = 257
// RUN: %{any} && %{any} --reference
// REDEFINE: %{n} = 1000003
// RUN: %{any}
uop.kernel @add_any(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %c, %c0 : memref<?xf32>
  %i = uop.range loop %n
  %x = uop.load %a[%i] : memref<?xf32>
  %y = uop.load %b[%i] : memref<?xf32>
  %s = arith.addf %x, %y : f32
  uop.store %s, %c[%i] : memref<?xf32>
}

// The inner part of matrices: strides and offsets of a dynamic layout, dynamic
// reductions, one of them empty, and outputs without rows or columns. What is
// around the part stays.
// DEFINE: %{gemm} = uop-run %s -e inner_gemm %t/m%{n}.npy %t/n%{n}.npy %t/p%{n}.npy --compare 2=%t/q%{n}.npy
// REDEFINE: %{n} = 2
// RUN: %{gemm}
// REDEFINE: %{n} = 3
// RUN: %{gemm}
// REDEFINE: %{n} = 19
// RUN: %{gemm}
// REDEFINE: %{n} = 40
// RUN: %{gemm}
!any = memref<?x?xf32, strided<[?, 1], offset: ?>>
uop.kernel @gemm(%a: !any, %b: !any, %c: !any) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %rows = memref.dim %c, %c0 : !any
  %columns = memref.dim %c, %c1 : !any
  %depth = memref.dim %a, %c1 : !any
  %sum = arith.addi %columns, %c15 : index
  %blocks = uop.floordiv %sum, %c16
  %i = uop.range global<y> %rows
  %g = uop.range global<x> %blocks
  %t = uop.range local<x> 16
  %k = uop.range reduce %depth
  %o = arith.muli %g, %c16 : index
  %j = arith.addi %o, %t : index
  %in = arith.cmpi slt, %j, %columns : index
  %x = uop.load %a[%i, %k] : !any
  %y = uop.load %b[%k, %j] mask %in : !any
  %p = arith.mulf %x, %y : f32
  %s = uop.reduce add %p over(%k) : f32
  uop.store %s, %c[%i, %j] mask %in : !any
}
func.func @inner_gemm(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %m2 = arith.subi %m, %c2 : index
  %n2 = arith.subi %n, %c2 : index
  %k2 = arith.subi %k, %c2 : index
  %sa = memref.subview %a[1, 1] [%m2, %k2] [1, 1] : memref<?x?xf32> to !any
  %sb = memref.subview %b[1, 1] [%k2, %n2] [1, 1] : memref<?x?xf32> to !any
  %sc = memref.subview %c[1, 1] [%m2, %n2] [1, 1] : memref<?x?xf32> to !any
  uop.launch @gemm(%sa, %sb, %sc) : !any, !any, !any
  return
}

// Three dimensions without any mapping: each becomes blocks. The strides of
// row-major arrays follow from their sizes.
// DEFINE: %{transpose} = uop-run %s -e transpose %t/t.npy nan:37x5x3 --compare 1=%t/u.npy
// RUN: %{transpose} && %{transpose} --reference
uop.kernel @transpose(%x: memref<?x5x?xi16>, %y: memref<?x?x?xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n0 = memref.dim %x, %c0 : memref<?x5x?xi16>
  %n1 = memref.dim %x, %c1 : memref<?x5x?xi16>
  %n2 = memref.dim %x, %c2 : memref<?x5x?xi16>
  %i = uop.range loop %n0
  %j = uop.range loop %n1
  %k = uop.range loop %n2
  %v = uop.load %x[%i, %j, %k] : memref<?x5x?xi16>
  uop.store %v, %y[%k, %j, %i] : memref<?x?x?xi16>
}

// One program, several sizes: the kernel is compiled once.
// RUN: uop-run %s -e several iota iota:97 nan nan:97 --print-launch --save 2=%t/v.npy --save 3=%t/w.npy | FileCheck %s --check-prefix=SEVERAL
// RUN: uop-run %s -e several iota iota:97 nan nan:97 --reference --compare 2=%t/v.npy --compare 3=%t/w.npy
// RUN: %python -c "import numpy as np; v, w = np.load('%t/v.npy'), np.load('%t/w.npy'); \
// RUN:   assert (v == 2 * np.arange(70)).all() and (w == 4 * np.arange(97)).all()"
// RUN: uop-opt %s --uop-lower-to-gpu-pipeline | FileCheck %s --check-prefix=ONCE
// SEVERAL:      launch: @double grid (3, 1, 1) block (32, 1, 1)
// SEVERAL-NEXT: launch: @double grid (4, 1, 1) block (32, 1, 1)
// SEVERAL-NEXT: launch: @double grid (4, 1, 1) block (32, 1, 1)
// ONCE-COUNT-1: gpu.func @double
// ONCE-NOT:     gpu.func @double
// ONCE:         func.func @several
// ONCE-COUNT-3: call @double
uop.kernel @double(%a: memref<?xi32>, %c: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %c, %c0 : memref<?xi32>
  %sum = arith.addi %n, %c31 : index
  %blocks = uop.floordiv %sum, %c32
  %g = uop.range global<x> %blocks
  %t = uop.range local<x> 32
  %o = arith.muli %g, %c32 : index
  %i = arith.addi %o, %t : index
  %in = arith.cmpi slt, %i, %n : index
  %x = uop.load %a[%i] mask %in : memref<?xi32>
  %s = arith.addi %x, %x : i32
  uop.store %s, %c[%i] mask %in : memref<?xi32>
}
func.func @several(%a: memref<70xi32>, %b: memref<?xi32>, %c: memref<70xi32>, %d: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %b, %c0 : memref<?xi32>
  %t = memref.alloc(%n) : memref<?xi32>
  %ad = memref.cast %a : memref<70xi32> to memref<?xi32>
  %cd = memref.cast %c : memref<70xi32> to memref<?xi32>
  uop.launch @double(%ad, %cd) : memref<?xi32>, memref<?xi32>
  uop.launch @double(%b, %t) : memref<?xi32>, memref<?xi32>
  uop.launch @double(%t, %d) : memref<?xi32>, memref<?xi32>
  memref.dealloc %t : memref<?xi32>
  return
}

// Loop form, with shared memory and a barrier under no guard: each whole or
// broken segment of 32 is reversed in its place. The number is an i32.
// RUN: uop-run %s -e reverse iota:70 nan:70 70 --save 1=%t/r.npy
// RUN: %python -c "import numpy as np; i = np.arange(70); \
// RUN:   assert (np.load('%t/r.npy') == np.where(i < 64, i // 32 * 32 + 31 - i % 32, 133 - i)).all()"
uop.kernel loops @reverse(%x: memref<?xf32>, %y: memref<?xf32>, %n: i32) {
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %count = arith.index_cast %n : i32 to index
  %blocks = arith.ceildivsi %count, %c32 : index
  %b = uop.range global<x> %blocks
  %t = uop.range local<x> 32
  %s = uop.alloc : memref<32xf32, #gpu.address_space<workgroup>>
  %o = arith.muli %b, %c32 : index
  %i = arith.addi %o, %t : index
  %in = arith.cmpi slt, %i, %count : index
  %rest = arith.subi %count, %o : index
  %segment = arith.minsi %rest, %c32 : index
  %last = arith.subi %segment, %c1 : index
  %from = arith.subi %last, %t : index
  %v = scf.if %in -> f32 {
    %w = memref.load %x[%i] : memref<?xf32>
    scf.yield %w : f32
  } else {
    scf.yield %zero : f32
  }
  memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
  uop.barrier
  scf.if %in {
    %w = memref.load %s[%from] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%i] : memref<?xf32>
  }
}

// More blocks than a launch can have, and a division by zero on the host: the
// run ends with a message. A negative number of blocks is none.
// RUN: uop-run %s -e fill -3 1 zeros:4
// RUN: uop-run %s -e fill 65535 1 zeros:4
// RUN: not uop-run %s -e fill 65536 1 zeros:4 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not uop-run %s -e fill 65536 0 zeros:4 2>&1 | FileCheck %s --check-prefix=ZERO
// LIMIT: dynamic.mlir:[[#FILL:]]:1: error: launch of @fill: expected at most 65535 blocks along y; split the range over several dimensions, or let each thread do more
// ZERO: error: launch of @fill: the number of blocks divides by zero
uop.kernel loops @fill(%n: index, %k: index, %y: memref<?xf32>) {
  %blocks = arith.divsi %n, %k : index
  %b = uop.range global<y> %blocks
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %in = arith.cmpi slt, %b, %c4 : index
  scf.if %in {
    %one = arith.constant 1.0 : f32
    memref.store %one, %y[%b] : memref<?xf32>
  }
}
