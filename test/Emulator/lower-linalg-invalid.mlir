// Tensors have no memory yet.
// RUN: uop-opt %s --uop-lower-linalg -verify-diagnostics

func.func @fill(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %v = arith.constant 1.0 : f32
  // expected-error @below {{'linalg.fill' op expected memrefs on the emulator, but got tensors; bufferize first (--one-shot-bufferize)}}
  %y = linalg.fill ins(%v : f32) outs(%x : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
