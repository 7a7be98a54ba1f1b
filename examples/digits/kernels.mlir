//===- kernels.mlir - A two-layer perceptron on handwritten digits --------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1797 images of 8x8 pixels (0 to 16) through 64 -> 128 -> 10: one kernel a
// step, called in order by the host function. network.py says the same in
// NumPy.
//
//===----------------------------------------------------------------------===//

// Pixels 0 to 16 become 0.0 to 1.0; the factor is exact.
uop.kernel @scale(%pixels: memref<1797x64xi8>, %x: memref<1797x64xf32>) {
  %i = uop.range loop 1797
  %k = uop.range loop 64
  %sixteenth = arith.constant 0.0625 : f32
  %pixel = uop.load %pixels[%i, %k] : memref<1797x64xi8>
  %value = arith.uitofp %pixel : i8 to f32
  %scaled = arith.mulf %value, %sixteenth : f32
  uop.store %scaled, %x[%i, %k] : memref<1797x64xf32>
}

// hidden = relu(x @ w1 + b1)
uop.kernel @hidden(%x: memref<1797x64xf32>, %w1: memref<64x128xf32>,
                   %b1: memref<128xf32>, %hidden: memref<1797x128xf32>) {
  %i = uop.range loop 1797
  %j = uop.range loop 128
  %k = uop.range reduce 64
  %zero = arith.constant 0.0 : f32
  %a = uop.load %x[%i, %k] : memref<1797x64xf32>
  %b = uop.load %w1[%k, %j] : memref<64x128xf32>
  %product = arith.mulf %a, %b : f32
  %sum = uop.reduce add %product over(%k) : f32
  %bias = uop.load %b1[%j] : memref<128xf32>
  %biased = arith.addf %sum, %bias : f32
  %relu = arith.maximumf %biased, %zero : f32
  uop.store %relu, %hidden[%i, %j] : memref<1797x128xf32>
}

// logits = hidden @ w2 + b2
uop.kernel @logits(%hidden: memref<1797x128xf32>, %w2: memref<128x10xf32>,
                   %b2: memref<10xf32>, %logits: memref<1797x10xf32>) {
  %i = uop.range loop 1797
  %j = uop.range loop 10
  %k = uop.range reduce 128
  %a = uop.load %hidden[%i, %k] : memref<1797x128xf32>
  %b = uop.load %w2[%k, %j] : memref<128x10xf32>
  %product = arith.mulf %a, %b : f32
  %sum = uop.reduce add %product over(%k) : f32
  %bias = uop.load %b2[%j] : memref<10xf32>
  %biased = arith.addf %sum, %bias : f32
  uop.store %biased, %logits[%i, %j] : memref<1797x10xf32>
}

// probs = exp(logits - rowmax) / rowsum. The maximum, the sum and the output
// walk the row separately: each has a range of its own.
uop.kernel @softmax(%logits: memref<1797x10xf32>, %probs: memref<1797x10xf32>) {
  %i = uop.range loop 1797
  %j = uop.range loop 10
  %m = uop.range reduce 10
  %s = uop.range reduce 10

  %lm = uop.load %logits[%i, %m] : memref<1797x10xf32>
  %max = uop.reduce maximumf %lm over(%m) : f32

  %ls = uop.load %logits[%i, %s] : memref<1797x10xf32>
  %ds = arith.subf %ls, %max : f32
  %es = math.exp %ds : f32
  %sum = uop.reduce add %es over(%s) : f32

  %l = uop.load %logits[%i, %j] : memref<1797x10xf32>
  %d = arith.subf %l, %max : f32
  %e = math.exp %d : f32
  %p = arith.divf %e, %sum : f32
  uop.store %p, %probs[%i, %j] : memref<1797x10xf32>
}

// labels = argmax(probs): a reduction of two values. The lowest index wins a
// tie, and the identity loses against every element.
uop.kernel @argmax(%probs: memref<1797x10xf32>, %labels: memref<1797xi32>) {
  %i = uop.range loop 1797
  %j = uop.range reduce 10
  %lowest = arith.constant 0xFF800000 : f32
  %last = arith.constant 2147483647 : i32
  %p = uop.load %probs[%i, %j] : memref<1797x10xf32>
  %j32 = arith.index_cast %j : index to i32
  %best, %label = uop.reduce (%p, %j32) init(%lowest, %last) over(%j)
      combine (%av: f32, %ai: i32, %bv: f32, %bi: i32) {
    %greater = arith.cmpf ogt, %bv, %av : f32
    %equal = arith.cmpf oeq, %bv, %av : f32
    %before = arith.cmpi slt, %bi, %ai : i32
    %tie = arith.andi %equal, %before : i1
    %take = arith.ori %greater, %tie : i1
    %v = arith.select %take, %bv, %av : f32
    %n = arith.select %take, %bi, %ai : i32
    uop.yield %v, %n : f32, i32
  } : f32, i32
  uop.store %label, %labels[%i] : memref<1797xi32>
}

// The main job: all images, from pixels to probabilities and labels.
func.func @digits(%pixels: memref<1797x64xi8>,
                  %w1: memref<64x128xf32>, %b1: memref<128xf32>,
                  %w2: memref<128x10xf32>, %b2: memref<10xf32>,
                  %probs: memref<1797x10xf32>, %labels: memref<1797xi32>) {
  %x = memref.alloc() : memref<1797x64xf32>
  %hidden = memref.alloc() : memref<1797x128xf32>
  %logits = memref.alloc() : memref<1797x10xf32>
  uop.launch @scale(%pixels, %x) : memref<1797x64xi8>, memref<1797x64xf32>
  uop.launch @hidden(%x, %w1, %b1, %hidden)
      : memref<1797x64xf32>, memref<64x128xf32>, memref<128xf32>,
        memref<1797x128xf32>
  uop.launch @logits(%hidden, %w2, %b2, %logits)
      : memref<1797x128xf32>, memref<128x10xf32>, memref<10xf32>,
        memref<1797x10xf32>
  uop.launch @softmax(%logits, %probs)
      : memref<1797x10xf32>, memref<1797x10xf32>
  uop.launch @argmax(%probs, %labels) : memref<1797x10xf32>, memref<1797xi32>
  memref.dealloc %logits : memref<1797x10xf32>
  memref.dealloc %hidden : memref<1797x128xf32>
  memref.dealloc %x : memref<1797x64xf32>
  return
}
