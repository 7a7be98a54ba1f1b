// RUN: uop-opt %s --uop-lower-copies -verify-diagnostics

func.func @unranked(%a: memref<*xf32>, %b: memref<4xf32>) {
  // expected-error @below {{'memref.copy' op expected ranked memrefs on the emulator, but got 'memref<*xf32>' and 'memref<4xf32>'; cast them to ranked ones}}
  memref.copy %a, %b : memref<*xf32> to memref<4xf32>
  return
}
