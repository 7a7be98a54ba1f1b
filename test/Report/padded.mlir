// A reduction of 5 points in tiles of 16: what is staged beyond the fifth is not
// loaded again, as in the code of the device. 48 x 48 outputs in tiles of 16 x 16
// are 72 warps; 2 vectors of 4 elements and 5 scalars a thread.
// RUN: uop-report %s --registers=estimate | FileCheck %s
// CHECK: shared load: 144 requests, 4 wf x144 (ideal 576); vector.load of %x, 2 copies
// CHECK: shared load: 360 requests, 1 wf x360 (ideal 360); memref.load of %y, 5 copies
// RUN: uop-opt %s --uop-lower-to-gpu-pipeline --canonicalize | uop-report - --registers=estimate | FileCheck %s --check-prefix=GPU
// GPU: shared loads          504 requests, 29952 elements, 936 wavefronts (ideal 936)

// Values that are about no kernel.
// RUN: not uop-report %s --args=9:1 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not uop-report %s --args=0:1 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: a value is given for argument #{{[09]}}, but no kernel that is reported on has an integer there
// RUN: not uop-report %s --args=0.2:1 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: a size is given for dimension #2 of argument #0, but no kernel that is reported on has a memref of so many dimensions there
uop.kernel @product_48x48(%a: memref<48x5xi32>, %b: memref<5x48xi32>,
                          %c: memref<48x48xi32>) {
  %i = uop.range loop 48
  %j = uop.range loop 48
  %k = uop.range reduce 5
  %x = uop.load %a[%i, %k] : memref<48x5xi32>
  %y = uop.load %b[%k, %j] : memref<5x48xi32>
  %p = arith.muli %x, %y : i32
  %s = uop.reduce add %p over(%k) : i32
  uop.store %s, %c[%i, %j] : memref<48x48xi32>
}
