// Explicit layouts that an allocation cannot have.
// RUN: uop-opt %s --split-input-file --uop-layout-shared --verify-diagnostics
// RUN: not uop-opt %s --uop-layout-shared=layout=spiral 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: uop-layout-shared: expected layout to be auto, plain, pad, xor or rotate, but got 'spiral'

uop.kernel loops @three_chunks(%x: memref<32xf32>) {
  %t = uop.range local<x> 32
  // expected-error@+1 {{'uop.alloc' op cannot have the layout xor 8: a row has 3 chunks, which is no power of two; rotate takes any number}}
  %s = uop.alloc {layout = #uop.tile_layout<xor 8>} : memref<32x24xf32, #gpu.address_space<workgroup>>
}

// -----

uop.kernel loops @no_chunks(%x: memref<32xf32>) {
  %t = uop.range local<x> 32
  // expected-error@+1 {{cannot have the layout rotate 7, 2: a row of 24 elements has no whole number of chunks of 7}}
  %s = uop.alloc {layout = #uop.tile_layout<rotate 7, 2>} : memref<32x24xf32, #gpu.address_space<workgroup>>
}

// -----

uop.kernel loops @one_row(%x: memref<32xf32>) {
  %t = uop.range local<x> 32
  // expected-error@+1 {{cannot have the layout pad 1: the tile has one row}}
  %s = uop.alloc {layout = #uop.tile_layout<pad 1>} : memref<32xf32, #gpu.address_space<workgroup>>
}

// -----

uop.kernel loops @private(%x: memref<32xf32>) {
  %t = uop.range local<x> 32
  // expected-error@+1 {{cannot have the layout pad 1: it is private memory, which has no banks}}
  %s = uop.alloc {layout = #uop.tile_layout<pad 1>} : memref<4x4xf32, #gpu.address_space<private>>
}

// -----

uop.kernel loops @narrow_chunks(%x: memref<32xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{cannot have the layout xor 2: vector.load accesses 4 elements, which chunks of 2 do not hold whole}}
  %s = uop.alloc {layout = #uop.tile_layout<xor 2>} : memref<32x32xf32, #gpu.address_space<workgroup>>
  %v = vector.load %s[%t, %c0] : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
}

// -----

uop.kernel loops @straddles(%x: memref<32xf32>) {
  %t = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{cannot have the layout xor 4: vector.load accesses 4 elements at an index that is not proved to be a multiple of that, and may straddle two chunks}}
  %s = uop.alloc {layout = #uop.tile_layout<xor 4>} : memref<32x32xf32, #gpu.address_space<workgroup>>
  %v = vector.load %s[%c0, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
}

// -----

uop.kernel loops @view(%x: memref<32xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{cannot have the layout pad 1: it is used by memref.collapse_shape, which is no direct access to elements or rows}}
  %s = uop.alloc {layout = #uop.tile_layout<pad 1>} : memref<4x4xf32, #gpu.address_space<workgroup>>
  %v = memref.collapse_shape %s [[0, 1]] : memref<4x4xf32, #gpu.address_space<workgroup>> into memref<16xf32, #gpu.address_space<workgroup>>
}
