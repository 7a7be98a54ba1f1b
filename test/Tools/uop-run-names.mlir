// A kernel may have any name, also one that the C library, the OpenMP runtime
// or the emulator itself uses. The first kernel sums 4 * e^0.
// REQUIRES: numpy
// RUN: sed 's/NAME/malloc/' %s > %t.mlir
// RUN: uop-run %t.mlir -e host zeros nan --save 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load(r'%t.npy') == 4).all()"
// RUN: sed 's/NAME/expf/' %s > %t.mlir
// RUN: uop-run %t.mlir -e host zeros nan --save 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load(r'%t.npy') == 4).all()"
// RUN: sed 's/NAME/dprintf/' %s > %t.mlir
// RUN: uop-run %t.mlir -e host zeros nan --save 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load(r'%t.npy') == 4).all()"
// RUN: sed 's/NAME/uop_reporting/' %s > %t.mlir
// RUN: uop-run %t.mlir -e host zeros nan --save 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load(r'%t.npy') == 4).all()"
// RUN: sed 's/NAME/__kmpc_fork_call/' %s > %t.mlir
// RUN: uop-run %t.mlir -e host zeros nan --save 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load(r'%t.npy') == 4).all()"
// RUN: sed 's/NAME/_mlir_ciface_other/' %s > %t.mlir
// RUN: uop-run %t.mlir -e host zeros nan --save 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load(r'%t.npy') == 4).all()"

uop.kernel @NAME(%a: memref<64xf32>, %o: memref<64xf32>) {
  %i = uop.range loop 64
  %k = uop.range reduce 4
  %x = uop.load %a[%i] : memref<64xf32>
  %e = math.exp %x : f32
  %y = uop.reduce add %e over(%k) : f32
  uop.store %y, %o[%i] : memref<64xf32>
}
uop.kernel @other(%a: memref<64xf32>, %o: memref<64xf32>) {
  %i = uop.range loop 64
  %x = uop.load %a[%i] : memref<64xf32>
  uop.store %x, %o[%i] : memref<64xf32>
}
func.func @host(%a: memref<64xf32>, %o: memref<64xf32>) {
  %t = memref.alloc() : memref<64xf32>
  uop.launch @NAME(%a, %t) : memref<64xf32>, memref<64xf32>
  uop.launch @other(%t, %o) : memref<64xf32>, memref<64xf32>
  memref.dealloc %t : memref<64xf32>
  return
}
