// RUN: uop-opt %s --uop-lower-to-loops --split-input-file --verify-diagnostics

// Threads exchange values of up to 64 bits.
uop.kernel @wide(%in: memref<4x16xi128>, %out: memref<4xi128>) {
  %b = uop.range global<x> 4
  %i = uop.range group_reduce<x> 16
  %x = uop.load %in[%b, %i] : memref<4x16xi128>
  // expected-error @below {{'uop.reduce' op expected values of at most 64 bits in a reduction over threads, but got 'i128'; use the axis reduce instead of group_reduce}}
  %y = uop.reduce add %x over(%i) : i128
  uop.store %y, %out[%b] : memref<4xi128>
}

// -----

// Copies that no thread has registers for, and that take minutes to compile.
uop.kernel @copies(%in: memref<128xf32>, %out: memref<128x64xf32>) {
  %i = uop.range upcast 128
  // expected-note @below {{one of the axes is here}}
  %j = uop.range upcast 64
  %x = uop.load %in[%i] : memref<128xf32>
  // expected-error @below {{'uop.store' op expected at most 4096 copies of an op, but its upcast and unroll axes make 128 times 64; use a serial or reduce axis for a part of them}}
  uop.store %x, %out[%i, %j] over(%j, %i) : memref<128x64xf32>
}

// -----

uop.kernel @unrolled(%in: memref<8xf32>, %out: memref<8xf32>) {
  %i = uop.range local<x> 8
  // expected-note @below {{one of the axes is here}}
  %k = uop.range unroll 2147483648
  %x = uop.load %in[%i] : memref<8xf32>
  // expected-error @below {{'uop.reduce' op expected at most 4096 copies of an op, but its upcast and unroll axes make 1 times 2147483648}}
  %r = uop.reduce add %x over(%k) : f32
  uop.store %r, %out[%i] : memref<8xf32>
}

// -----

// A tile that has no number of bytes.
uop.kernel @huge(%in: memref<4xf32>, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %x = uop.load %in[%i] : memref<4xf32>
  %c0 = arith.constant 0 : index
  // expected-error @below {{'uop.stage' op expected a tile of at most 2147483647 bytes, but got '!uop.tile<4294967296x4294967296xf32, workgroup>'; stage a smaller part}}
  %t = uop.stage %x[%c0, %i] over(%i) : !uop.tile<4294967296x4294967296xf32, workgroup>
  %l = uop.range local<x> 4
  %y = uop.load %t[%c0, %l] : !uop.tile<4294967296x4294967296xf32, workgroup>
  uop.store %y, %out[%l] : memref<4xf32>
}

// -----

// Copies for neighbours, times those of the reduction inside.
uop.kernel @neighbours(%in: memref<128x64xf32>, %out: memref<128xf32>) {
  %i = uop.range loop 128
  %u = uop.range unroll 64
  %x = uop.load %in[%i, %u] : memref<128x64xf32>
  %s = uop.reduce add %x over(%u) : f32
  // expected-error @below {{'uop.stage' op expected at most 4096 copies of an op, but the 128 elements that a thread copies at a time and the upcast and unroll axes make more; use a smaller 'vector'}}
  %t = uop.stage %s over(%i) {vector = 128} : !uop.tile<128xf32, workgroup>
  %l = uop.range local<x> 128
  %y = uop.load %t[%l] : !uop.tile<128xf32, workgroup>
  uop.store %y, %out[%l] : memref<128xf32>
}
