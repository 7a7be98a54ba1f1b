// An integer division by zero names the op and the block, and ends with status
// 1, as on the reference interpreter; the least number divided by -1 wraps.
// REQUIRES: numpy
// RUN: not uop-run %s -e divide iota iota nan 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not uop-run %s -e divide iota iota nan --reference 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: uop-run %s -e divide fill:-2147483648 fill:-1 nan --save 2=%t.npy
// RUN: %python -c "import numpy as np; assert list(np.load(r'%t.npy')) == [-2**31, 0] * 4"
// RUN: uop-run %s -e divide fill:-7 fill:2 nan --save 2=%t.npy
// RUN: %python -c "import numpy as np; assert list(np.load(r'%t.npy')) == [-3, -1] * 4"

// ZERO: run-division.mlir:[[#@LINE+8]]:{{[0-9]+}}: error: 'arith.divsi' divides by zero in block (0, 0, 0) of kernel 'divide'
// REFERENCE: 'arith.divsi' op is undefined: 0 is divided by zero
uop.kernel @divide(%a: memref<8xi32>, %b: memref<8xi32>, %out: memref<8xi32>) {
  %i = uop.range loop 8
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %x = uop.load %a[%i] : memref<8xi32>
  %y = uop.load %b[%i] : memref<8xi32>
  %quotient = arith.divsi %x, %y : i32
  %remainder = arith.remsi %x, %y : i32
  %parity = uop.floormod %i, %c2
  %even = arith.cmpi eq, %parity, %c0 : index
  %v = arith.select %even, %quotient, %remainder : i32
  uop.store %v, %out[%i] : memref<8xi32>
}
