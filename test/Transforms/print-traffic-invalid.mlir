// RUN: uop-opt %s --split-input-file --uop-print-traffic --verify-diagnostics -o /dev/null
// RUN: not uop-opt %s --uop-print-traffic="args=x:1" 2>&1 | FileCheck %s --check-prefix=ARGS
// RUN: not uop-opt %s --uop-print-traffic="args=0.0:-1" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not uop-opt %s --uop-print-traffic="block=1,2" 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not uop-opt %s --uop-print-traffic="max-requests=0" 2>&1 | FileCheck %s --check-prefix=MAX
// RUN: not uop-opt %s --uop-print-traffic="warp-size=16" 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: not uop-opt %s --split-input-file --uop-print-traffic="block=0,3,0" 2>&1 | FileCheck %s --check-prefix=GRID
// ARGS: uop-print-traffic: expected args to be a list of argument:value and argument.dimension:size, such as args=2:500,0.1:64, but got 'x:1'
// SIZE: but got '0.0:-1'
// BLOCK: uop-print-traffic: expected block to be 3 indices x,y,z, but got 2
// MAX: uop-print-traffic: expected max-requests to be 1 or more, but got 0
// WARP: uop-print-traffic: expected warp-size to be 32 or 64, but got 16
// GRID: expected a block within the grid of @zero, which has 1 blocks along dimension #1, but got index 3

// Thread 3 divides by zero.
uop.kernel loops @zero(%x: memref<64xf32>) {
  %t = uop.range local<x> 32
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %d = arith.subi %t, %c3 : index
  // expected-error@+1 {{cannot count the memory requests: a thread divides by zero, on which an address or a condition depends}}
  %i = arith.divsi %c9, %d : index
  %v = memref.load %x[%i] : memref<64xf32>
}

// -----

uop.kernel loops @far(%x: memref<64xf32>) {
  %t = uop.range local<x> 32
  %w = arith.index_cast %t : index to i16
  // expected-error@+1 {{cannot count the memory requests: a thread shifts by the width of the value or more, on which an address or a condition depends}}
  %s = arith.shli %w, %w : i16
  %i = arith.index_cast %s : i16 to index
  %v = memref.load %x[%i] : memref<64xf32>
}

// -----

uop.kernel loops @cpu(%x: memref<64xf32>) {
  // expected-error@+1 {{cannot count the memory requests of @cpu: the axis 'thread' is for a CPU, which has no warps; map the kernel for a GPU}}
  %t = uop.range thread 64
  %v = memref.load %x[%t] : memref<64xf32>
}

// -----

uop.kernel loops @step(%x: memref<64xf32>) {
  %t = uop.range local<x> 32
  %c9 = arith.constant 9 : index
  // expected-error@+1 {{cannot count the memory requests: a thread runs a loop with a step that is not positive, on which an address or a condition depends}}
  scf.for %i = %t to %c9 step %t {
    %v = memref.load %x[%i] : memref<64xf32>
  }
}
