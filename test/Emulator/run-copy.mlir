// Copies between layouts need no library: here a transposition, of 0, 1, 2, ...
// REQUIRES: numpy
// RUN: uop-run %s -e transpose iota nan --save 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load(r'%t.npy') == np.arange(24).reshape(4, 6).T).all()"

func.func @transpose(%a: memref<4x6xi32>, %b: memref<6x4xi32>) {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x6xi32> to memref<6x4xi32, strided<[1, 6]>>
  memref.copy %t, %b : memref<6x4xi32, strided<[1, 6]>> to memref<6x4xi32>
  return
}
