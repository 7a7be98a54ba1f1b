// Numbers of blocks that 64 bits do not hold: the expressions of a manifest are
// of Python's integers, which hold them; the host function that launches the
// kernel refuses them, like every number beyond the limits.
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.json
// RUN: %python %S/Inputs/compare-grids.py uop-run %s %t.json 0 3 1099511627776 9223372036854775807

// Sums that leave 64 bits have the other sign, and would be no blocks at all:
// 2^63-1 and 2^40 are too many, and 2^63-1 + 3 is, too.
// CHECK: "(arg0 + 255) >> 8",
// CHECK: "name": "rounded"
uop.kernel loops @rounded(%n: index) {
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %sum = arith.addi %n, %c255 : index
  %blocks = uop.floordiv %sum, %c256
  %b = uop.range global<x> %blocks
}

// Products: 2^40 * 2^40 is 0 modulo 2^64, and then any product of it. But times
// 0 it is nothing, in whatever order.
// CHECK: "(arg0 * arg1) * arg2",
// CHECK: "name": "volume"
uop.kernel loops @volume(%n: index, %m: index, %k: index) {
  %area = arith.muli %m, %k : index
  %volume = arith.muli %n, %area : index
  %b = uop.range global<x> %volume
}

// Along y, the difference of what is too large and a number.
// CHECK: "name": "difference"
uop.kernel loops @difference(%n: index, %m: index) {
  %c_5 = arith.constant -5 : index
  %c1 = arith.constant 1 : index
  %negative = arith.muli %m, %c_5 : index
  %less = arith.subi %n, %negative : index
  %twice = arith.shli %less, %c1 : index
  %b = uop.range global<y> %twice
}
