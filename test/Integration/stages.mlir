// Tiles, on the emulator against the reference interpreter, bit for bit. The
// outputs begin as a sentinel, so that what is not written differs.
// RUN: rm -rf %t && mkdir %t

// DEFINE: %{k} =
// DEFINE: %{args} = rand nan
// DEFINE: %{out} = 1
// DEFINE: %{both} = uop-run %s -e %{k} %{args} --reference --save %{out}=%t/%{k}.npy && uop-run %s -e %{k} %{args} --compare %{out}=%t/%{k}.npy

// Each row of 16 reversed, through a tile.
// REDEFINE: %{k} = rows
// RUN: %{both}
uop.kernel @rows(%in: memref<4x16xf32>, %out: memref<4x16xf32>) {
  %b = uop.range global<x> 4
  %i = uop.range loop 16
  %x = uop.load %in[%b, %i] : memref<4x16xf32>
  %t = uop.stage %x over(%i) : !uop.tile<16xf32, workgroup>
  %l = uop.range local<x> 16
  %c15 = arith.constant 15 : index
  %r = arith.subi %c15, %l : index
  %y = uop.load %t[%r] : !uop.tile<16xf32, workgroup>
  uop.store %y, %out[%b, %l] : memref<4x16xf32>
}

// Each segment of 32 reversed in place: all of it is read before any of it is
// written. The numbers are 0, 1, 2, ...
// RUN: uop-run %s -e reverse iota --save 0=%t/reversed.npy
// RUN: uop-run %s -e reverse %t/reversed.npy --save 0=%t/twice.npy
// RUN: uop-run %s -e copy iota nan --compare 1=%t/twice.npy
uop.kernel loops @reverse(%x: memref<96xf32>) {
  %b = uop.range global<x> 3
  %t = uop.range local<x> 32
  %c32 = arith.constant 32 : index
  %c31 = arith.constant 31 : index
  %s = uop.alloc : memref<32xf32, #gpu.address_space<workgroup>>
  %base = arith.muli %b, %c32 : index
  %i = arith.addi %base, %t : index
  %v = memref.load %x[%i] : memref<96xf32>
  memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
  uop.barrier
  %r = arith.subi %c31, %t : index
  %w = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
  memref.store %w, %x[%i] : memref<96xf32>
}
uop.kernel @copy(%in: memref<96xf32>, %out: memref<96xf32>) {
  %i = uop.range loop 96
  %x = uop.load %in[%i] : memref<96xf32>
  uop.store %x, %out[%i] : memref<96xf32>
}

// A transpose: both sides of it along x. The tile is written transposed, with a
// padded row.
// REDEFINE: %{k} = transpose
// RUN: %{both}
uop.kernel @transpose(%in: memref<64x32xf32>, %out: memref<32x64xf32>) {
  %by = uop.range global<y> 2
  %bx = uop.range global<x> 4
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  %m0 = arith.muli %by, %c16 : index
  %n0 = arith.muli %bx, %c16 : index
  %i = uop.range loop 16
  %j = uop.range loop 16
  %row = arith.addi %n0, %i : index
  %column = arith.addi %m0, %j : index
  %x = uop.load %in[%row, %column] : memref<64x32xf32>
  %t = uop.stage %x[%j, %i] over(%i, %j) {vector = 4} : !uop.tile<16x17xf32, workgroup>
  %ly = uop.range local<y> 8
  %lx = uop.range local<x> 16
  %u = uop.range upcast 2
  %u8 = arith.muli %u, %c8 : index
  %m = arith.addi %u8, %ly : index
  %y = uop.load %t[%m, %lx] : !uop.tile<16x17xf32, workgroup>
  %om = arith.addi %m0, %m : index
  %on = arith.addi %n0, %lx : index
  uop.store %y, %out[%om, %on] : memref<32x64xf32>
}

// The tile of an expression that holds a reduction, in a loop over rows.
// REDEFINE: %{k} = expression
// RUN: %{both}
uop.kernel @expression(%in: memref<10x33x5xf32>, %out: memref<10x33xf32>) {
  %b = uop.range global<x> 2
  %s = uop.range serial 5
  %c5 = arith.constant 5 : index
  %b5 = arith.muli %b, %c5 : index
  %row = arith.addi %b5, %s : index
  %i = uop.range loop 33
  %k = uop.range reduce 5
  %x = uop.load %in[%row, %i, %k] : memref<10x33x5xf32>
  %xx = arith.mulf %x, %x : f32
  %sum = uop.reduce add %xx over(%k) : f32
  %one = arith.constant 1.0 : f32
  %value = arith.addf %sum, %one : f32
  %t = uop.stage %value over(%i) : !uop.tile<33xf32, workgroup>
  %l = uop.range local<x> 33
  %c32 = arith.constant 32 : index
  %r = arith.subi %c32, %l : index
  %y = uop.load %t[%r] : !uop.tile<33xf32, workgroup>
  %z = uop.load %t[%l] : !uop.tile<33xf32, workgroup>
  %w = arith.subf %y, %z : f32
  uop.store %w, %out[%row, %l] : memref<10x33xf32>
}

// A product of matrices with two tiles in the loop over k, for threads of 2x2
// elements each.
// REDEFINE: %{k} = gemm
// REDEFINE: %{args} = rand rand nan
// REDEFINE: %{out} = 2
// RUN: %{both}
uop.kernel @gemm(%A: memref<32x48xf32>, %B: memref<48x64xf32>, %C: memref<32x64xf32>) {
  %bm = uop.range global<y> 2
  %bn = uop.range global<x> 4
  %tm = uop.range local<y> 8
  %tn = uop.range local<x> 8
  %um = uop.range upcast 2
  %un = uop.range upcast 2
  %ko = uop.range reduce 3
  %ki = uop.range reduce 16
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %m0 = arith.muli %bm, %c16 : index
  %n0 = arith.muli %bn, %c16 : index
  %k0 = arith.muli %ko, %c16 : index
  %i = uop.range loop 16
  %j = uop.range loop 16
  %p = uop.range loop 16
  %q = uop.range loop 16
  %ai = arith.addi %m0, %i : index
  %aj = arith.addi %k0, %j : index
  %a = uop.load %A[%ai, %aj] : memref<32x48xf32>
  %sa = uop.stage %a[%j, %i] over(%i, %j) {vector = 4} : !uop.tile<16x16xf32, workgroup>
  %bi = arith.addi %k0, %p : index
  %bj = arith.addi %n0, %q : index
  %b = uop.load %B[%bi, %bj] : memref<48x64xf32>
  %sb = uop.stage %b over(%p, %q) {vector = 2} : !uop.tile<16x16xf32, workgroup>
  %um8 = arith.muli %um, %c8 : index
  %un8 = arith.muli %un, %c8 : index
  %mi = arith.addi %um8, %tm : index
  %ni = arith.addi %un8, %tn : index
  %x = uop.load %sa[%ki, %mi] : !uop.tile<16x16xf32, workgroup>
  %y = uop.load %sb[%ki, %ni] : !uop.tile<16x16xf32, workgroup>
  %z = arith.mulf %x, %y : f32
  %s = uop.reduce add %z over(%ko, %ki) : f32
  %m = arith.addi %m0, %mi : index
  %n = arith.addi %n0, %ni : index
  uop.store %s, %C[%m, %n] : memref<32x64xf32>
}

// A tile that feeds a reduction over threads, and the tile of a result of one.
// REDEFINE: %{k} = group
// REDEFINE: %{args} = rand nan
// REDEFINE: %{out} = 1
// RUN: %{both} --tolerance 1e-5
uop.kernel @group(%in: memref<6x100xf32>, %out: memref<6x40xf32>) {
  %b = uop.range global<x> 6
  %i = uop.range loop 100
  %x = uop.load %in[%b, %i] : memref<6x100xf32>
  %t = uop.stage %x over(%i) : !uop.tile<100xf32, workgroup>
  %g = uop.range group_reduce<x> 40
  %r = uop.range reduce 2
  %c2 = arith.constant 2 : index
  %g2 = arith.muli %g, %c2 : index
  %at = arith.addi %g2, %r : index
  %y = uop.load %t[%at] : !uop.tile<100xf32, workgroup>
  %sum = uop.reduce add %y over(%g, %r) : f32
  %j = uop.range loop 40
  %z = uop.load %t[%j] : !uop.tile<100xf32, workgroup>
  %d = arith.subf %z, %sum : f32
  %u = uop.stage %d over(%j) : !uop.tile<40xf32, workgroup>
  %l = uop.range local<x> 40
  %c39 = arith.constant 39 : index
  %back = arith.subi %c39, %l : index
  %w = uop.load %u[%back] : !uop.tile<40xf32, workgroup>
  uop.store %w, %out[%b, %l] : memref<6x40xf32>
}

// The same tile in each iteration of a loop inside of the tile that is filled
// from it: every pass of that one needs the whole block.
// REDEFINE: %{k} = nested
// RUN: %{both}
// The two tiles of 80 bytes are not in use at one time, and share memory.
// RUN: uop-run %s -e nested rand nan --print-launch --save 1=%t/nested.npy | FileCheck %s --check-prefix=NESTED
// NESTED: shared 80 bytes
uop.kernel @nested(%in: memref<3x20xi32>, %out: memref<20xi32>) {
  %k = uop.range reduce 3
  %i = uop.range loop 20
  %x = uop.load %in[%k, %i] : memref<3x20xi32>
  %t = uop.stage %x over(%i) : !uop.tile<20xi32, workgroup>
  %j = uop.range loop 20
  %c19 = arith.constant 19 : index
  %r = arith.subi %c19, %j : index
  %y = uop.load %t[%r] : !uop.tile<20xi32, workgroup>
  %sum = uop.reduce add %y over(%k) : i32
  %u = uop.stage %sum over(%j) : !uop.tile<20xi32, workgroup>
  %l = uop.range local<x> 8
  %s = uop.range serial 3
  %c8 = arith.constant 8 : index
  %s8 = arith.muli %s, %c8 : index
  %p = arith.addi %s8, %l : index
  %c20 = arith.constant 20 : index
  %inside = arith.cmpi slt, %p, %c20 : index
  %z = uop.load %u[%p] mask %inside : !uop.tile<20xi32, workgroup>
  uop.store %z, %out[%p] over(%l, %s) mask %inside : memref<20xi32>
}

// One point; fewer points than threads; a prime number of points, four at a
// time, in a block of 48x3.
// REDEFINE: %{k} = size_1
// RUN: %{both}
// REDEFINE: %{k} = size_7
// RUN: %{both}
// REDEFINE: %{k} = size_33
// RUN: %{both}
// REDEFINE: %{k} = size_1031
// RUN: %{both}
uop.kernel @size_1(%in: memref<1xf32>, %out: memref<3x48xf32>) {
  %i = uop.range loop 1
  %x = uop.load %in[%i] : memref<1xf32>
  %t = uop.stage %x over(%i) {vector = 4} : !uop.tile<1xf32, workgroup>
  %ly = uop.range local<y> 3
  %lx = uop.range local<x> 48
  %c0 = arith.constant 0 : index
  %y = uop.load %t[%c0] : !uop.tile<1xf32, workgroup>
  uop.store %y, %out[%ly, %lx] over(%ly, %lx) : memref<3x48xf32>
}
uop.kernel @size_7(%in: memref<7xf32>, %out: memref<3x48xf32>) {
  %i = uop.range loop 7
  %x = uop.load %in[%i] : memref<7xf32>
  %t = uop.stage %x over(%i) {vector = 4} : !uop.tile<7xf32, workgroup>
  %ly = uop.range local<y> 3
  %lx = uop.range local<x> 48
  %c7 = arith.constant 7 : index
  %at = uop.floormod %lx, %c7
  %y = uop.load %t[%at] : !uop.tile<7xf32, workgroup>
  uop.store %y, %out[%ly, %lx] over(%ly, %lx) : memref<3x48xf32>
}
uop.kernel @size_33(%in: memref<11x3xf32>, %out: memref<3x48xf32>) {
  %i = uop.range loop 11
  %j = uop.range loop 3
  %x = uop.load %in[%i, %j] : memref<11x3xf32>
  %t = uop.stage %x[%j, %i] over(%i, %j) {vector = 2} : !uop.tile<3x11xf32, workgroup>
  %ly = uop.range local<y> 3
  %lx = uop.range local<x> 48
  %c11 = arith.constant 11 : index
  %at = uop.floormod %lx, %c11
  %y = uop.load %t[%ly, %at] : !uop.tile<3x11xf32, workgroup>
  uop.store %y, %out[%ly, %lx] : memref<3x48xf32>
}
uop.kernel @size_1031(%in: memref<1031xf32>, %out: memref<3x48xf32>) {
  %i = uop.range loop 1031
  %x = uop.load %in[%i] : memref<1031xf32>
  %t = uop.stage %x over(%i) {vector = 4} : !uop.tile<1031xf32, workgroup>
  %ly = uop.range local<y> 3
  %lx = uop.range local<x> 48
  %c7 = arith.constant 7 : index
  %c48 = arith.constant 48 : index
  %c1030 = arith.constant 1030 : index
  %y48 = arith.muli %ly, %c48 : index
  %l = arith.addi %y48, %lx : index
  %l7 = arith.muli %l, %c7 : index
  %at = arith.subi %c1030, %l7 : index
  %y = uop.load %t[%at] : !uop.tile<1031xf32, workgroup>
  uop.store %y, %out[%ly, %lx] : memref<3x48xf32>
}

// More passes than are copies of the code, with a tail: a loop, and what is
// left. One thread fills all of it, where there is no other.
// REDEFINE: %{k} = many_passes
// RUN: %{both}
// REDEFINE: %{k} = one_thread
// RUN: %{both}
uop.kernel @many_passes(%in: memref<83x7xi16>, %out: memref<7x83xi16>) {
  %i = uop.range loop 83
  %j = uop.range loop 7
  %x = uop.load %in[%i, %j] : memref<83x7xi16>
  %t = uop.stage %x[%j, %i] over(%i, %j) : !uop.tile<7x83xi16, workgroup>
  %l = uop.range local<x> 28
  %s = uop.range serial 3
  %m = uop.range serial 7
  %c28 = arith.constant 28 : index
  %c83 = arith.constant 83 : index
  %s28 = arith.muli %s, %c28 : index
  %n = arith.addi %s28, %l : index
  %inside = arith.cmpi slt, %n, %c83 : index
  %y = uop.load %t[%m, %n] mask %inside : !uop.tile<7x83xi16, workgroup>
  uop.store %y, %out[%m, %n] over(%m, %s, %l) mask %inside : memref<7x83xi16>
}
uop.kernel @one_thread(%in: memref<5x9xi16>, %out: memref<9x5xi16>) {
  %i = uop.range loop 5
  %j = uop.range loop 9
  %x = uop.load %in[%i, %j] : memref<5x9xi16>
  %t = uop.stage %x over(%i, %j) {vector = 4} : !uop.tile<5x9xi16, workgroup>
  %m = uop.range serial 9
  %n = uop.range serial 5
  %y = uop.load %t[%n, %m] : !uop.tile<5x9xi16, workgroup>
  uop.store %y, %out[%m, %n] : memref<9x5xi16>
}

// Other types.
// REDEFINE: %{k} = half
// RUN: %{both}
// REDEFINE: %{k} = byte
// RUN: %{both}
// REDEFINE: %{k} = double
// RUN: %{both}
uop.kernel @half(%in: memref<40xf16>, %out: memref<40xf16>) {
  %i = uop.range loop 40
  %x = uop.load %in[%i] : memref<40xf16>
  %t = uop.stage %x over(%i) {vector = 8} : !uop.tile<40xf16, workgroup>
  %l = uop.range local<x> 40
  %c39 = arith.constant 39 : index
  %r = arith.subi %c39, %l : index
  %y = uop.load %t[%r] : !uop.tile<40xf16, workgroup>
  uop.store %y, %out[%l] : memref<40xf16>
}
uop.kernel @byte(%in: memref<40xi8>, %out: memref<40xi8>) {
  %i = uop.range loop 40
  %x = uop.load %in[%i] : memref<40xi8>
  %t = uop.stage %x over(%i) {vector = 16} : !uop.tile<40xi8, workgroup>
  %l = uop.range local<x> 40
  %c39 = arith.constant 39 : index
  %r = arith.subi %c39, %l : index
  %y = uop.load %t[%r] : !uop.tile<40xi8, workgroup>
  uop.store %y, %out[%l] : memref<40xi8>
}
uop.kernel @double(%in: memref<40xf64>, %out: memref<40xf64>) {
  %i = uop.range loop 40
  %x = uop.load %in[%i] : memref<40xf64>
  %t = uop.stage %x over(%i) {vector = 2} : !uop.tile<40xf64, workgroup>
  %l = uop.range local<x> 40
  %c39 = arith.constant 39 : index
  %r = arith.subi %c39, %l : index
  %y = uop.load %t[%r] : !uop.tile<40xf64, workgroup>
  uop.store %y, %out[%l] : memref<40xf64>
}

// A tile with a border around what is in the matrix, of which only the inside
// is read from it; its size is known when it runs.
// REDEFINE: %{k} = border
// REDEFINE: %{args} = rand:13x9 nan:13x9
// RUN: %{both}
uop.kernel @border(%in: memref<?x?xf32>, %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %m = memref.dim %in, %c0 : memref<?x?xf32>
  %n = memref.dim %in, %c1 : memref<?x?xf32>
  %m3 = arith.addi %m, %c7 : index
  %n3 = arith.addi %n, %c7 : index
  %c8 = arith.constant 8 : index
  %bm = uop.floordiv %m3, %c8
  %bn = uop.floordiv %n3, %c8
  %by = uop.range global<y> %bm
  %bx = uop.range global<x> %bn
  %i = uop.range loop 10
  %j = uop.range loop 10
  %y0 = arith.muli %by, %c8 : index
  %x0 = arith.muli %bx, %c8 : index
  %yi = arith.addi %y0, %i : index
  %xj = arith.addi %x0, %j : index
  %y1 = arith.subi %yi, %c1 : index
  %x1 = arith.subi %xj, %c1 : index
  %above = arith.cmpi sge, %y1, %c0 : index
  %left = arith.cmpi sge, %x1, %c0 : index
  %below = arith.cmpi slt, %y1, %m : index
  %right = arith.cmpi slt, %x1, %n : index
  %rows = arith.andi %above, %below : i1
  %columns = arith.andi %left, %right : i1
  %inside = arith.andi %rows, %columns : i1
  %edge = arith.constant -2.0 : f32
  %v = uop.load %in[%y1, %x1] mask %inside else %edge : memref<?x?xf32>
  %t = uop.stage %v over(%i, %j) {vector = 2} : !uop.tile<10x12xf32, workgroup>
  %ly = uop.range local<y> 8
  %lx = uop.range local<x> 8
  %dy = uop.range reduce 3
  %dx = uop.range unroll 3
  %ty = arith.addi %ly, %dy : index
  %tx = arith.addi %lx, %dx : index
  %w = uop.load %t[%ty, %tx] : !uop.tile<10x12xf32, workgroup>
  %sum = uop.reduce maximumf %w over(%dy, %dx) : f32
  %oy = arith.addi %y0, %ly : index
  %ox = arith.addi %x0, %lx : index
  %in_y = arith.cmpi slt, %oy, %m : index
  %in_x = arith.cmpi slt, %ox, %n : index
  %is_in = arith.andi %in_y, %in_x : i1
  uop.store %sum, %out[%oy, %ox] mask %is_in unique : memref<?x?xf32>
}

// Private tiles: small ones, large ones, one for each upcast copy, of which the
// other half is written by the next copy; and one inside of a workgroup tile.
// REDEFINE: %{k} = private
// REDEFINE: %{args} = rand nan
// RUN: %{both}
// REDEFINE: %{k} = private_inside
// RUN: %{both}
uop.kernel @private(%in: memref<8x50xf32>, %out: memref<8x2x50xf32>) {
  %l = uop.range local<x> 8
  %u = uop.range upcast 2
  %i = uop.range loop 25
  %s = uop.range serial 50
  %c25 = arith.constant 25 : index
  %c2 = arith.constant 2 : index
  %u25 = arith.muli %u, %c25 : index
  %at = arith.addi %u25, %i : index
  %x = uop.load %in[%l, %at] : memref<8x50xf32>
  %t = uop.stage %x[%u, %i] over(%i) : !uop.tile<2x25xf32, private>
  %h = uop.floordiv %s, %c2
  %y = uop.load %t[%u, %h] : !uop.tile<2x25xf32, private>
  %k = uop.range loop 3
  %sk = arith.addi %s, %k : index
  %c49 = arith.constant 49 : index
  %last = arith.minsi %sk, %c49 : index
  %p = uop.load %in[%l, %last] : memref<8x50xf32>
  %small = uop.stage %p over(%k) : !uop.tile<3xf32, private>
  %q = uop.load %small[%c2] : !uop.tile<3xf32, private>
  %z = arith.subf %y, %q : f32
  uop.store %z, %out[%l, %u, %s] : memref<8x2x50xf32>
}
uop.kernel @private_inside(%in: memref<37x4xf32>, %out: memref<37xf32>) {
  %i = uop.range loop 37
  %k = uop.range loop 4
  %x = uop.load %in[%i, %k] : memref<37x4xf32>
  %p = uop.stage %x over(%k) : !uop.tile<4xf32, private>
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %a = uop.load %p[%c3] : !uop.tile<4xf32, private>
  %b = uop.load %p[%c1] : !uop.tile<4xf32, private>
  %d = arith.subf %a, %b : f32
  %t = uop.stage %d over(%i) {vector = 2} : !uop.tile<37xf32, workgroup>
  %l = uop.range local<x> 16
  %g = uop.range global<x> 3
  %c16 = arith.constant 16 : index
  %g16 = arith.muli %g, %c16 : index
  %o = arith.addi %g16, %l : index
  %c36 = arith.constant 36 : index
  %r = arith.subi %c36, %o : index
  %inside = arith.cmpi sle, %o, %c36 : index
  %y = uop.load %t[%r] mask %inside : !uop.tile<37xf32, workgroup>
  uop.store %y, %out[%o] mask %inside : memref<37xf32>
}

// No ranges to close: one point. No points: nothing is read.
// REDEFINE: %{k} = one_point
// RUN: %{both}
// REDEFINE: %{k} = no_points
// RUN: %{both}
uop.kernel @one_point(%in: memref<3xf32>, %out: memref<3x20xf32>) {
  %b = uop.range global<x> 3
  %x = uop.load %in[%b] : memref<3xf32>
  %t = uop.stage %x[] over() : !uop.tile<f32, workgroup>
  %p = uop.stage %x[] over() : !uop.tile<f32, private>
  %l = uop.range local<x> 20
  %y = uop.load %t[] : !uop.tile<f32, workgroup>
  %z = uop.load %p[] : !uop.tile<f32, private>
  %w = arith.addf %y, %z : f32
  uop.store %w, %out[%b, %l] over(%b, %l) : memref<3x20xf32>
}
uop.kernel @no_points(%in: memref<3xf32>, %out: memref<20xf32>) {
  %i = uop.range loop 0
  %x = uop.load %in[%i] : memref<3xf32>
  %t = uop.stage %x over(%i) : !uop.tile<3xf32, workgroup>
  %l = uop.range local<x> 20
  %no = arith.constant false
  %c0 = arith.constant 0 : index
  %y = uop.load %t[%c0] mask %no : !uop.tile<3xf32, workgroup>
  uop.store %y, %out[%l] over(%l) : memref<20xf32>
}

// Blocks and threads beyond the extents of ranges: the longer ones belong to
// another store. All threads fill the tile.
// REDEFINE: %{k} = beyond
// REDEFINE: %{args} = rand nan nan
// RUN: %{both}
// REDEFINE: %{out} = 2
// RUN: %{both}
uop.kernel @beyond(%in: memref<2x30xf32>, %out: memref<2x10xf32>, %other: memref<3x45xf32>) {
  %b = uop.range global<x> 2
  %i = uop.range loop 30
  %x = uop.load %in[%b, %i] : memref<2x30xf32>
  %t = uop.stage %x over(%i) : !uop.tile<30xf32, workgroup>
  %l = uop.range local<x> 10
  %c3 = arith.constant 3 : index
  %l3 = arith.muli %l, %c3 : index
  %y = uop.load %t[%l3] : !uop.tile<30xf32, workgroup>
  uop.store %y, %out[%b, %l] : memref<2x10xf32>
  %b1 = uop.range global<x> 3
  %l1 = uop.range local<x> 45
  %c45 = arith.constant 45 : index
  %n = arith.muli %b1, %c45 : index
  %m = arith.addi %n, %l1 : index
  %m32 = arith.index_cast %m : index to i32
  %f = arith.sitofp %m32 : i32 to f32
  uop.store %f, %other[%b1, %l1] : memref<3x45xf32>
}

// A quotient in a tile: the divisor is not zero where the tile has points.
// REDEFINE: %{k} = quotient
// REDEFINE: %{args} = iota nan
// REDEFINE: %{out} = 1
// RUN: %{both}
uop.kernel @quotient(%in: memref<20xi32>, %out: memref<20xi32>) {
  %i = uop.range loop 20
  %one = arith.constant 1 : i32
  %hundred = arith.constant 100 : i32
  %x = uop.load %in[%i] : memref<20xi32>
  %x1 = arith.addi %x, %one : i32
  %i32 = arith.index_cast %i : index to i32
  %twenty = arith.constant 20 : i32
  %rest = arith.subi %twenty, %i32 : i32
  %d = arith.divsi %hundred, %rest : i32
  %e = arith.divsi %d, %x1 : i32
  %t = uop.stage %e over(%i) : !uop.tile<20xi32, workgroup>
  %l = uop.range local<x> 64
  %c20 = arith.constant 20 : index
  %inside = arith.cmpi slt, %l, %c20 : index
  %y = uop.load %t[%l] mask %inside : !uop.tile<20xi32, workgroup>
  uop.store %y, %out[%l] mask %inside : memref<20xi32>
}

// In place: all threads of the block need the element that one of them writes.
// REDEFINE: %{k} = in_place
// REDEFINE: %{args} = rand rand nan
// REDEFINE: %{out} = 0
// RUN: %{both}
uop.kernel @in_place(%x: memref<5xf32>, %y: memref<5x8xf32>, %z: memref<5x8xf32>) {
  %b = uop.range global<x> 5
  %v = uop.load %x[%b] : memref<5xf32>
  %i = uop.range loop 8
  %w = uop.load %y[%b, %i] : memref<5x8xf32>
  %p = arith.mulf %v, %w : f32
  %t = uop.stage %p over(%i) : !uop.tile<8xf32, workgroup>
  %r = uop.range reduce 8
  %e = uop.load %t[%r] : !uop.tile<8xf32, workgroup>
  %m = uop.reduce maximumf %e over(%r) : f32
  uop.store %m, %x[%b] : memref<5xf32>
  %l = uop.range local<x> 8
  %one = arith.constant 1.0 : f32
  uop.store %one, %z[%b, %l] over(%b, %l) : memref<5x8xf32>
}
