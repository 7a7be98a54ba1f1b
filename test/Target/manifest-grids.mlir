// The grids of a manifest come to what the host computes, whatever the signs
// and the widths of the numbers are.
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.json
// RUN: %python %S/Inputs/compare-grids.py uop-run %s %t.json

// The blocks for 96 threads each; a floor division; one that truncates.
// CHECK: "-(-arg0_size1 // 96)",
// CHECK: "(arg0_size0 * arg0_size1) // 7",
// CHECK: "(arg1 // arg2 if (arg1 < 0) == (arg2 < 0) else -(-arg1 // arg2)) + 300"
// CHECK: "name": "divisions"
uop.kernel loops @divisions(%x: memref<?x?xf32>, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c96 = arith.constant 96 : index
  %c300 = arith.constant 300 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf32>
  %columns = memref.dim %x, %c1 : memref<?x?xf32>
  %blocks = arith.ceildivsi %columns, %c96 : index
  %i = uop.range global<x> %blocks
  %all = arith.muli %rows, %columns : index
  %sevenths = uop.floordiv %all, %c7
  %j = uop.range global<y> %sevenths
  %quotient = arith.divsi %n, %k : index
  %some = arith.addi %quotient, %c300 : index
  %l = uop.range global<z> %some
}

// Remainders of either rule, and the larger and smaller ones of two numbers.
// CHECK: "name": "remainders"
uop.kernel loops @remainders(%n: index, %k: index) {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c_9 = arith.constant -9 : index
  %c10 = arith.constant 10 : index
  %r = arith.remsi %n, %c_9 : index
  %x = arith.addi %r, %c9 : index
  %i = uop.range global<x> %x
  %m = uop.floormod %n, %c9
  %a = arith.maxsi %m, %c5 : index
  %y = arith.minsi %a, %k : index
  %j = uop.range global<y> %y
  %f = uop.floordiv %n, %c_9
  %b = arith.maxui %f, %k : index
  %z = arith.minui %b, %c10 : index
  %l = uop.range global<z> %z
}

// Numbers of 8 bits wrap; conditions are bits; shifts keep the sign or not.
// CHECK: "name": "narrow"
uop.kernel loops @narrow(%n: i32, %p: i1, %k: i16) {
  %c3 = arith.constant 3 : i8
  %c100 = arith.constant 100 : index
  %c_2 = arith.constant -2 : i16
  %c4 = arith.constant 4 : i16
  %c20 = arith.constant 20 : i32
  %byte = arith.trunci %n : i32 to i8
  %triple = arith.muli %byte, %c3 : i8
  %i0 = arith.index_cast %triple : i8 to index
  %x = arith.addi %i0, %c100 : index
  %i = uop.range global<x> %x
  %less = arith.cmpi ult, %k, %c4 : i16
  %both = arith.xori %less, %p : i1
  %half = arith.shrsi %k, %c4 : i16
  %quarter = arith.shrui %k, %c4 : i16
  %chosen = arith.select %both, %half, %quarter : i16
  %odd = arith.ori %chosen, %c4 : i16
  %j0 = arith.index_castui %odd : i16 to index
  %bit = arith.extui %p : i1 to i32
  %sign = arith.extsi %p : i1 to i32
  %twice = arith.subi %bit, %sign : i32
  %z0 = arith.addi %twice, %c20 : i32
  %z = arith.index_castui %z0 : i32 to index
  %j = uop.range global<y> %j0
  %l = uop.range global<z> %z
}
