// RUN: consumer-opt --convert-poly-to-uop --map-poly --split-input-file --verify-diagnostics %s

func.func @none(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'poly.eval' op expected at least one coefficient, but got none}}
  poly.eval [] of %x into %y : memref<4xf32>
  return
}

// -----

func.func @cube(%x: memref<4x4x4xf32>, %y: memref<4x4x4xf32>) {
  // expected-error @+1 {{expected one or two output axes, but found 3}}
  poly.eval [1.0] of %x into %y : memref<4x4x4xf32>
  return
}
