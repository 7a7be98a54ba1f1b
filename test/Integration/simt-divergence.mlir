// A return before a barrier (k31), which in loop form is a branch around the
// rest. It has no race. Whether threads differ depends on the block, so that the
// verifier leaves it to the run: 28 threads of the second block do not come to
// the barrier.
// RUN: uop-opt %s --uop-verify-races --verify-diagnostics -o /dev/null
// RUN: uop-run %s -e early_return ones:128 nan:128 128 | count 0
// RUN: not uop-run %s -e early_return ones:128 nan:128 100 2>&1 | FileCheck %s
// CHECK: error: the threads of block (1, 0, 0) of kernel 'early_return' disagree at scf.if
// CHECK-NEXT: 36 of them wait at the gpu.barrier
// CHECK-NEXT: 28 of them reach the end of the kernel: (36, 0, 0)
!s = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @early_return(%x: memref<128xf32>, %o: memref<128xf32>, %n: index) {
  %b = uop.range global<x> 2
  %t = uop.range local<x> 64
  %c64 = arith.constant 64 : index
  %s = uop.alloc : !s
  %base = arith.muli %b, %c64 : index
  %i = arith.addi %base, %t : index
  %in = arith.cmpi slt, %i, %n : index
  scf.if %in {
    %v = memref.load %x[%i] : memref<128xf32>
    memref.store %v, %s[%t] : !s
    uop.barrier
    %w = memref.load %s[%t] : !s
    memref.store %w, %o[%i] : memref<128xf32>
  }
}
