// RUN: uop-opt %s --uop-lower-to-loops --split-input-file --verify-diagnostics

uop.kernel @stage(%in: memref<4x16xf32>, %out: memref<4x16xf32>) {
  %b = uop.range global<x> 4
  %i = uop.range loop 16
  %x = uop.load %in[%b, %i] : memref<4x16xf32>
  // expected-error @below {{'uop.stage' op is not lowered to loops yet; write the tile by hand, in loop form with uop.alloc}}
  %t = uop.stage %x over(%i) : !uop.tile<16xf32, workgroup>
  %l = uop.range local<x> 16
  %y = uop.load %t[%l] : !uop.tile<16xf32, workgroup>
  uop.store %y, %out[%b, %l] : memref<4x16xf32>
}

// -----

uop.kernel @group_reduce(%in: memref<4x16xf32>, %out: memref<4xf32>) {
  %b = uop.range global<x> 4
  // expected-error @below {{'uop.range' op axis 'group_reduce<x>' is not lowered to loops yet; use reduce instead}}
  %i = uop.range group_reduce<x> 16
  %x = uop.load %in[%b, %i] : memref<4x16xf32>
  %y = uop.reduce add %x over(%i) : f32
  uop.store %y, %out[%b] : memref<4xf32>
}
