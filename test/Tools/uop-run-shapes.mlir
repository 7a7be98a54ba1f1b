// Arrays without dimensions, without elements, and with one element, on the
// emulator and on the reference interpreter.
// REQUIRES: numpy
// RUN: uop-run %s -e twice fill:2.5 nan --save %t.npy
// RUN: %python -c "import numpy as np; a = np.load(r'%t.npy'); assert a.shape == () and a == 5"
// RUN: uop-run %s -e twice fill:2.5 nan --reference --compare %t.npy
// RUN: uop-run %s -e nothing ones nan --save %t.npy
// RUN: %python -c "import numpy as np; assert np.load(r'%t.npy').shape == (0,)"
// RUN: uop-run %s -e nothing ones nan --reference --compare %t.npy
// RUN: uop-run %s -e sum_of_nothing ones nan --save %t.npy
// RUN: %python -c "import numpy as np; assert list(np.load(r'%t.npy')) == [0, 0, 0, 0]"
// RUN: uop-run %s -e sum_of_nothing ones nan --reference --compare %t.npy
// RUN: uop-run %s -e one fill:2.5 nan --save %t.npy
// RUN: %python -c "import numpy as np; assert list(np.load(r'%t.npy')) == [2.5]"

uop.kernel @twice(%a: memref<f32>, %o: memref<f32>) {
  %x = uop.load %a[] : memref<f32>
  %y = arith.addf %x, %x : f32
  uop.store %y, %o[] : memref<f32>
}
uop.kernel @nothing(%a: memref<0xf32>, %o: memref<0xf32>) {
  %i = uop.range loop 0
  %x = uop.load %a[%i] : memref<0xf32>
  uop.store %x, %o[%i] : memref<0xf32>
}
uop.kernel @sum_of_nothing(%a: memref<4x0xf32>, %o: memref<4xf32>) {
  %i = uop.range loop 4
  %k = uop.range reduce 0
  %x = uop.load %a[%i, %k] : memref<4x0xf32>
  %s = uop.reduce add %x over(%k) : f32
  uop.store %s, %o[%i] : memref<4xf32>
}
uop.kernel @one(%a: memref<1xf32>, %o: memref<1xf32>) {
  %i = uop.range loop 1
  %x = uop.load %a[%i] : memref<1xf32>
  uop.store %x, %o[%i] : memref<1xf32>
}
