// The maximum of +0 and -0 is +0, the minimum -0, in either order; a NaN wins.
// REQUIRES: numpy
// RUN: uop-run %s -e extrema fill:0.0 fill:-0.0 nan --save 2=%t.npy
// RUN: %python -c "import numpy as np; assert list(np.signbit(np.load(r'%t.npy'))) == [False, True]"
// RUN: uop-run %s -e extrema fill:-0.0 fill:0.0 nan --save 2=%t.npy
// RUN: %python -c "import numpy as np; assert list(np.signbit(np.load(r'%t.npy'))) == [False, True]"
// RUN: uop-run %s -e extrema nan fill:0.0 zeros --save 2=%t.npy
// RUN: %python -c "import numpy as np; assert np.isnan(np.load(r'%t.npy')).all()"

uop.kernel @extrema(%a: memref<2xf32>, %b: memref<2xf32>, %out: memref<2xf32>) {
  %i = uop.range loop 2
  %c0 = arith.constant 0 : index
  %x = uop.load %a[%i] : memref<2xf32>
  %y = uop.load %b[%i] : memref<2xf32>
  %max = arith.maximumf %x, %y : f32
  %min = arith.minimumf %x, %y : f32
  %first = arith.cmpi eq, %i, %c0 : index
  %v = arith.select %first, %max, %min : f32
  uop.store %v, %out[%i] : memref<2xf32>
}
