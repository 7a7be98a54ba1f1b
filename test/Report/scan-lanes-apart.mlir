// The way down a tree, where no barrier holds lanes together: each begins with
// the first step that it takes part in, and the k-th steps of the lanes of a
// warp are one request. In step, it costs what the way up does.
// RUN: %python %S/Inputs/print_counts.py %s | FileCheck %s
// CHECK: @down_apart: grid 1,1,1, block 128,1,1, loop form
// CHECK-NEXT: shared load of %s: 1 wf x6/2 wf x4/4 wf x2; 255 elements, 255 addresses
// CHECK-NEXT: shared load of %s: 1 wf x6/2 wf x4/4 wf x2; 255 elements, 192 addresses
uop.kernel loops @down_apart(%o: memref<f32>) {
  %t = uop.range local<x> 128
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %s = uop.alloc : memref<256xf32, #gpu.address_space<workgroup>>
  %t2 = arith.muli %t, %c2 : index
  %p1 = arith.addi %t2, %c1 : index
  %p2 = arith.addi %t2, %c2 : index
  %skip:2 = scf.while (%off = %c128, %d = %c1) : (index, index) -> (index, index) {
    %go = arith.cmpi sge, %t, %d : index
    scf.condition(%go) %off, %d : index, index
  } do {
  ^bb0(%off: index, %d: index):
    %half = arith.shrui %off, %c1 : index
    %d2 = arith.muli %d, %c2 : index
    scf.yield %half, %d2 : index, index
  }
  %down:2 = scf.while (%off = %skip#0, %d = %skip#1) : (index, index) -> (index, index) {
    %go = arith.cmpi slt, %d, %c256 : index
    scf.condition(%go) %off, %d : index, index
  } do {
  ^bb0(%off: index, %d: index):
    %ai0 = arith.muli %off, %p1 : index
    %ai = arith.subi %ai0, %c1 : index
    %bi0 = arith.muli %off, %p2 : index
    %bi = arith.subi %bi0, %c1 : index
    %a = memref.load %s[%ai] : memref<256xf32, #gpu.address_space<workgroup>>
    %b = memref.load %s[%bi] : memref<256xf32, #gpu.address_space<workgroup>>
    %half = arith.shrui %off, %c1 : index
    %d2 = arith.muli %d, %c2 : index
    scf.yield %half, %d2 : index, index
  }
}
