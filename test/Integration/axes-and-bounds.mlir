// Kernels that are hard on a mapper: offsets that are not aligned, five axes,
// too many blocks, indices out of bounds, no elements at all. The emulator, plain
// loops and the reference interpreter give what NumPy does.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; r = np.random.default_rng(1); f = np.float32; \
// RUN:   save = lambda n, a: np.save('%t/' + n + '.npy', a); \
// RUN:   x = r.standard_normal((5, 6, 7)).astype(f); save('whole', x); \
// RUN:   save('window', x[1:, 1:, 1:].copy()); save('window_out', x[1:, 1:, 1:] + f(1)); \
// RUN:   y = x.copy(); y[1:, 1:, 1:] += f(1); save('whole_out', y); \
// RUN:   p = r.integers(-2**15, 2**15, (3, 5, 7, 11, 13)).astype(np.int16); save('p', p); \
// RUN:   save('permuted', p.transpose(4, 2, 0, 3, 1).copy()); \
// RUN:   t = r.standard_normal((256, 256)).astype(f); save('table', t); \
// RUN:   i = np.array([[-19238, -257, 256, 495, 10982377], [0, -1, 255, 3, 256]], np.int32); \
// RUN:   save('rows0', i[0]); save('gathered0', np.zeros((5, 256), f)); save('rows1', i[1]); \
// RUN:   g = t[i[1] % 256].copy(); g[[1, 4]] = 0; save('gathered1', g); \
// RUN:   z = lambda *s: np.zeros(s, f); save('8x8', z(8, 8) + f(1)); save('8x0', z(8, 0)); save('0x8', z(0, 8)); \
// RUN:   save('zeros', z(8, 8)); save('4x0', z(4, 0)); save('sums', z(4)); save('lowest', np.full(4, -np.inf, f))"

// A window of an array, as a strided argument and by indices in place. With one
// thread a block the grid is 6, 5, 4.
// DEFINE: %{window} = uop-run %s -e window %t/window.npy nan --compare 1=%t/window_out.npy
// RUN: %{window} && %{window} --reference && %{window} --device=cpu
// RUN: sed '/^.. A permutation/,$d' %s | uop-opt --uop-gpu-map=heuristic=none --uop-print-launch -o /dev/null 2>&1 | FileCheck %s --check-prefix=WINDOW
// WINDOW: @window: grid (6,5,4), block (1,1,1)
// WINDOW: @window_in_place: grid (6,5,4), block (1,1,1)
!window = memref<4x5x6xf32, strided<[42, 7, 1], offset: 50>>
uop.kernel @window(%x: !window, %y: memref<4x5x6xf32>) {
  %i = uop.range loop 4
  %j = uop.range loop 5
  %k = uop.range loop 6
  %one = arith.constant 1.0 : f32
  %v = uop.load %x[%i, %j, %k] : !window
  %w = arith.addf %v, %one : f32
  uop.store %w, %y[%i, %j, %k] : memref<4x5x6xf32>
}

// DEFINE: %{in_place} = uop-run %s -e window_in_place %t/whole.npy --compare 0=%t/whole_out.npy
// RUN: %{in_place} && %{in_place} --reference && %{in_place} --device=cpu
uop.kernel @window_in_place(%x: memref<5x6x7xf32>) {
  %i = uop.range loop 4
  %j = uop.range loop 5
  %k = uop.range loop 6
  %c1 = arith.constant 1 : index
  %i1 = arith.addi %i, %c1 : index
  %j1 = arith.addi %j, %c1 : index
  %k1 = arith.addi %k, %c1 : index
  %one = arith.constant 1.0 : f32
  %v = uop.load %x[%i1, %j1, %k1] : memref<5x6x7xf32>
  %w = arith.addf %v, %one : f32
  uop.store %w, %x[%i1, %j1, %k1] : memref<5x6x7xf32>
}

// A permutation of five axes: three of them on the grid, two as loops of each
// thread; and all five on the grid, where three are folded onto z.
// DEFINE: %{permute} = uop-run %s -e permute %t/p.npy nan --compare 1=%t/permuted.npy
// RUN: %{permute} && %{permute} --reference && %{permute} --device=cpu
// RUN: sed '/@permute(/,/^}/s/serial/loop/' %s > %t/five.mlir
// RUN: uop-run %t/five.mlir -e permute %t/p.npy nan --compare 1=%t/permuted.npy
// RUN: uop-run %t/five.mlir -e permute %t/p.npy nan --compare 1=%t/permuted.npy --reference
// RUN: uop-run %t/five.mlir -e permute %t/p.npy nan --compare 1=%t/permuted.npy --device=cpu
// RUN: sed -n '/@permute(/,/^}/p' %t/five.mlir | uop-opt --uop-gpu-map=heuristic=none --uop-print-launch -o /dev/null 2>&1 | FileCheck %s --check-prefix=FIVE
// FIVE: @permute: grid (5,13,231), block (1,1,1)
uop.kernel @permute(%x: memref<3x5x7x11x13xi16>, %y: memref<13x7x3x11x5xi16>) {
  %a = uop.range loop 3
  %b = uop.range serial 5
  %c = uop.range loop 7
  %d = uop.range serial 11
  %e = uop.range loop 13
  %v = uop.load %x[%a, %b, %c, %d, %e] : memref<3x5x7x11x13xi16>
  uop.store %v, %y[%e, %c, %a, %d, %b] : memref<13x7x3x11x5xi16>
}

// 256x256 rows by indices, of which some lie outside: zeros, and no access.
// DEFINE: %{n} = 0
// DEFINE: %{gather} = uop-run %s -e gather %t/table.npy %t/rows%{n}.npy nan --compare 2=%t/gathered%{n}.npy
// RUN: %{gather} && %{gather} --reference && %{gather} --device=cpu
// REDEFINE: %{n} = 1
// RUN: %{gather} && %{gather} --reference && %{gather} --device=cpu
uop.kernel @gather(%t: memref<256x256xf32>, %rows: memref<5xi32>,
                   %y: memref<5x256xf32>) {
  %i = uop.range loop 5
  %j = uop.range loop 256
  %r = uop.load %rows[%i] : memref<5xi32>
  %row = arith.index_cast %r : i32 to index
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %above = arith.cmpi sge, %row, %c0 : index
  %below = arith.cmpi slt, %row, %c256 : index
  %inside = arith.andi %above, %below : i1
  %v = uop.load %t[%row, %j] mask %inside : memref<256x256xf32>
  uop.store %v, %y[%i, %j] : memref<5x256xf32>
}

// No elements: no launch for an empty output; zeros for an empty sum, and
// the identity for an empty maximum.
// DEFINE: %{wide} = uop-run %s -e empty_output %t/8x8.npy %t/8x0.npy nan --compare 2=%t/8x0.npy
// RUN: %{wide} --print-launch | FileCheck %s --check-prefix=EMPTY --implicit-check-not=launch
// RUN: %{wide} --reference && %{wide} --device=cpu
// EMPTY: equal: argument #2
uop.kernel @empty_output(%a: memref<8x8xf32>, %b: memref<8x0xf32>,
                         %c: memref<8x0xf32>) {
  %m = uop.range loop 8
  %n = uop.range loop 0
  %k = uop.range reduce 8
  %x = uop.load %a[%m, %k] : memref<8x8xf32>
  %y = uop.load %b[%k, %n] : memref<8x0xf32>
  %p = arith.mulf %x, %y : f32
  %s = uop.reduce add %p over(%k) : f32
  uop.store %s, %c[%m, %n] : memref<8x0xf32>
}

// DEFINE: %{deep} = uop-run %s -e empty_product %t/8x0.npy %t/0x8.npy nan --compare 2=%t/zeros.npy
// RUN: %{deep} && %{deep} --reference && %{deep} --device=cpu
uop.kernel @empty_product(%a: memref<8x0xf32>, %b: memref<0x8xf32>,
                          %c: memref<8x8xf32>) {
  %m = uop.range loop 8
  %n = uop.range loop 8
  %k = uop.range reduce 0
  %x = uop.load %a[%m, %k] : memref<8x0xf32>
  %y = uop.load %b[%k, %n] : memref<0x8xf32>
  %p = arith.mulf %x, %y : f32
  %s = uop.reduce add %p over(%k) : f32
  uop.store %s, %c[%m, %n] : memref<8x8xf32>
}

// Also where only the launch says that there is nothing to add up.
// DEFINE: %{rows} = uop-run %s -e empty_rows 0 %t/4x0.npy nan nan --compare 2=%t/sums.npy --compare 3=%t/lowest.npy
// RUN: %{rows} && %{rows} --reference && %{rows} --device=cpu
uop.kernel @empty_rows(%n: index, %a: memref<4x0xf32>, %c: memref<4xf32>,
                       %d: memref<4xf32>) {
  %m = uop.range loop 4
  %k = uop.range reduce %n
  %x = uop.load %a[%m, %k] : memref<4x0xf32>
  %s = uop.reduce add %x over(%k) : f32
  %t = uop.reduce maximumf %x over(%k) : f32
  uop.store %s, %c[%m] : memref<4xf32>
  uop.store %t, %d[%m] : memref<4xf32>
}

// Three bytes to 58 x 3 x 262144 x 16 x 3: every term of the address fits 32
// bits, the sum does not, and is done in 64.
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 | FileCheck %s --check-prefix=WIDE
// WIDE-LABEL: .entry broadcast(
// WIDE:       mul.wide.u32 [[A:%rd[0-9]+]], {{.*}}, 37748736;
// WIDE:       add.s64 {{.*}}, [[A]]
// WIDE:       st.global.b8 [%rd{{[0-9]+}}],
// WIDE:       st.global.b8 [%rd{{[0-9]+}}+25165826],
// WIDE:       ret;
!wide = memref<58x3x262144x16x3xi8>
uop.kernel @broadcast(%x: memref<3xi8>, %y: !wide) {
  %a = uop.range global<y> 58
  %b = uop.range serial 3
  %c = uop.range global<x> 262144
  %d = uop.range local<x> 16
  %e = uop.range serial 3
  %v = uop.load %x[%b] : memref<3xi8>
  uop.store %v, %y[%a, %b, %c, %d, %e] : !wide
}

// The same with the sum written out. What is below 2^31 is done in 32 bits.
// RUN: uop-opt %s --convert-to-nvvm | FileCheck %s --check-prefix=NARROW
// NARROW-LABEL: llvm.func @broadcast_flat(
// NARROW:         llvm.mul {{.*}} : i64
// NARROW:         llvm.mul {{.*}} : i32
// NARROW-COUNT-3: llvm.add {{.*}} : i64
// NARROW-NEXT:    [[S:%[0-9]+]] = llvm.add {{.*}} : i64
// NARROW-NEXT:    llvm.getelementptr {{.*}}[[[S]]] : (!llvm.ptr, i64)
!flat = memref<2189426688xi8>
uop.kernel @broadcast_flat(%x: memref<3xi8>, %y: !flat) {
  %a = uop.range global<y> 58
  %b = uop.range serial 3
  %c = uop.range global<x> 262144
  %d = uop.range local<x> 16
  %e = uop.range serial 3
  %ca = arith.constant 37748736 : index
  %cb = arith.constant 12582912 : index
  %cc = arith.constant 48 : index
  %cd = arith.constant 3 : index
  %ta = arith.muli %a, %ca : index
  %tb = arith.muli %b, %cb : index
  %tc = arith.muli %c, %cc : index
  %td = arith.muli %d, %cd : index
  %tcd = arith.addi %tc, %td : index
  %tcde = arith.addi %tcd, %e : index
  %tbcde = arith.addi %tb, %tcde : index
  %i = arith.addi %ta, %tbcde : index
  %v = uop.load %x[%b] : memref<3xi8>
  uop.store %v, %y[%i] : !flat
}
