// What cannot be staged, and options that say nothing.
// RUN: uop-opt %s --split-input-file --verify-diagnostics --uop-place-shared="kstep=0:4 stage=0:1"
// RUN: not uop-opt %s --uop-place-shared="buffers=-1" 2>&1 | FileCheck %s --check-prefix=BUFFERS
// BUFFERS: error: uop-place-shared: expected buffers to be 0 to 64, but got -1
// RUN: not uop-opt %s --uop-place-shared="buffers=99999999999" 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: uop-place-shared: expected buffers to be 0 to 64, but got 99999999999
// Opts that do not apply are refused once.
// RUN: not uop-opt %s --uop-place-shared="kstep=9:4" 2>&1 | FileCheck %s --check-prefix=AXIS
// AXIS: KSTEP 9:4 names
// RUN: not uop-opt %s --uop-place-shared="layout=xor" 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: error: uop-place-shared: expected layout to be plain, or pad, xor or rotate with a chunk and possibly a period, such as pad:1 or xor:4:2, but got 'xor'
// RUN: not uop-opt %s --uop-place-shared="assume-aligned=12" 2>&1 | FileCheck %s --check-prefix=ALIGN
// ALIGN: error: uop-place-shared: expected assume-aligned to be 0 or a power of two, but got 12
// RUN: not uop-opt %s --uop-place-shared="chip=sm_1" 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: uop-place-shared: expected a known chip, but got 'sm_1'

// A mapped kernel counts the ranges that its reductions close.
// expected-error@+1 {{cannot map @unrolled: KSTEP 0:4 expects a range on axis 'reduce', but it is 'unroll'; count the ranges that reductions close}}
uop.kernel @unrolled(%x: memref<8x16xf32>, %y: memref<8xf32>) {
  %i = uop.range local<x> 8
  %k = uop.range unroll 16
  %v = uop.load %x[%i, %k] : memref<8x16xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %y[%i] : memref<8xf32>
}

// -----

// expected-error@+1 {{cannot map @in_place: the load cannot be staged: the kernel stores to its buffer as well; leave it out, or give its reduce axes a KSTEP}}
uop.kernel @in_place(%x: memref<8xf32>, %w: memref<16xf32>) {
  %i = uop.range local<x> 8
  %k = uop.range reduce 16
  // expected-note@+1 {{the load is here}}
  %v = uop.load %x[%i] : memref<8xf32>
  %u = uop.load %w[%k] : memref<16xf32>
  %s = uop.reduce add %u over(%k) : f32
  %r = arith.addf %v, %s : f32
  uop.store %r, %x[%i] : memref<8xf32>
}

// -----

// An index that divides what moves the tile and what moves in it.
// expected-error@+1 {{cannot map @mixed: the load cannot be staged: its index #0 is not a sum of what moves in the tile and what moves the tile; leave it out, or give its reduce axes a KSTEP}}
uop.kernel @mixed(%x: memref<64xf32>, %y: memref<8xf32>) {
  %i = uop.range local<x> 8
  %k = uop.range reduce 16
  %c3 = arith.constant 3 : index
  %sum = arith.addi %i, %k : index
  %at = uop.floordiv %sum, %c3
  // expected-note@+1 {{the load is here}}
  %v = uop.load %x[%at] : memref<64xf32>
  %s = uop.reduce add %v over(%k) : f32
  uop.store %s, %y[%i] : memref<8xf32>
}
