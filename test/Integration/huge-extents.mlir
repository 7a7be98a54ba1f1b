// Extents near 2^63, and products of extents beyond it: more blocks than a
// launch can have, whatever their number is modulo 2^64.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; f = np.float32; np.save('%t/untouched.npy', np.full(8, np.nan, f)); \
// RUN:   np.save('%t/nothing.npy', np.full((1, 1, 1, 1), np.nan, f)); np.save('%t/one.npy', np.ones((1, 1, 1, 1), f))"
// DEFINE: %{many} = FileCheck %s --check-prefix=MANY

// 2^63-1 rounded up to whole blocks leaves 64 bits; so does the next smaller
// number of blocks' worth. A negative size is taken for none by a launch, and
// reported by the reference.
// RUN: not uop-run %s -e lines 9223372036854775807 zeros:8 2>&1 | %{many}
// RUN: not uop-run %s -e lines 9223372036854775553 zeros:8 2>&1 | %{many}
// RUN: not uop-run %s -e lines 9223372036854775552 zeros:8 2>&1 | %{many}
// RUN: uop-run %s -e lines -1 nan:8 --print-launch --compare 1=%t/untouched.npy | FileCheck %s --check-prefix=NONE
// RUN: not uop-run %s -e lines -7 nan:8 --reference 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: uop-run %s -e lines -9223372036854775808 nan:8 --print-launch --compare 1=%t/untouched.npy | FileCheck %s --check-prefix=NONE
// NONE-NOT: launch
// NONE: {{[18]}} element
// MANY: huge-extents.mlir:[[#]]:1: error: launch of @{{.*}}: expected at most 2147483647 blocks along x; split the range over several dimensions, or let each thread do more
// NEGATIVE: error: 'uop.range' op expected an extent of 0 or more, but got -7
uop.kernel @lines(%n: index, %y: memref<8xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:256]>} {
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %i = uop.range loop %n
  %in = arith.cmpi slt, %i, %c8 : index
  uop.store %one, %y[%i] mask %in : memref<8xf32>
}

// Four sizes on one dimension of the grid. 2^32 * 2^32 is 0 modulo 2^64, and
// (2^32 + 1) * 2^32 is 2^32. Times 0 either is nothing; so is a product of two
// negative sizes, which is positive.
// RUN: uop-run %s -e planes 2 3 1 2 nan:1x1x1x1 --print-launch --compare 4=%t/one.npy | FileCheck %s --check-prefix=SOME
// RUN: not uop-run %s -e planes 4294967296 4294967296 1 1 zeros:1x1x1x1 2>&1 | %{many}
// RUN: not uop-run %s -e planes 1 4294967297 1 4294967296 zeros:1x1x1x1 2>&1 | %{many}
// RUN: not uop-run %s -e planes 2097152 2097152 2097152 9223372036854775807 zeros:1x1x1x1 2>&1 | %{many}
// RUN: uop-run %s -e planes 4294967296 4294967296 0 1 zeros:1x1x1x1 --print-launch | count 0
// RUN: uop-run %s -e planes 0 4294967296 4294967296 4294967296 zeros:1x1x1x1 --print-launch | count 0
// RUN: uop-run %s -e planes -2 -3 1 1 nan:1x1x1x1 --print-launch --compare 4=%t/nothing.npy | FileCheck %s --check-prefix=NONE
// SOME: launch: @planes grid (12, 1, 1)
uop.kernel @planes(%n: index, %m: index, %k: index, %l: index, %y: memref<?x?x?x?xf32>)
    attributes {schedule = #uop.schedule<[NOLOCALS]>} {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %h = uop.range loop %n
  %i = uop.range loop %m
  %j = uop.range loop %k
  %g = uop.range loop %l
  %a = arith.addi %h, %i : index
  %b = arith.addi %a, %j : index
  %sum = arith.addi %b, %g : index
  %in = arith.cmpi slt, %sum, %c1 : index
  uop.store %one, %y[%h, %i, %j, %g] mask %in : memref<?x?x?x?xf32>
}

// The least number by -1 is not divided: it stops the program with a message.
// RUN: uop-run %s -e quotient 7 -1 zeros:1 --print-launch | count 0
// RUN: not uop-run %s -e quotient -9223372036854775808 -1 zeros:1 2>&1 | FileCheck %s --check-prefix=QUOTIENT
// QUOTIENT: error: launch of @quotient: the number of blocks has a quotient of more than 64 bits
uop.kernel loops @quotient(%n: index, %k: index, %y: memref<1xf32>) {
  %blocks = arith.divsi %n, %k : index
  %b = uop.range global<x> %blocks
}
