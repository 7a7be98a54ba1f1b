// Kernels that are not mapped for a CPU, each with the way out.
// RUN: uop-opt %s --uop-cpu-map="thread=1:4" --split-input-file --verify-diagnostics

// expected-error@+1 {{cannot map @two_threads: THREAD is given, but the threads are those of a range on axis 'thread'; make it loop, or leave THREAD out}}
uop.kernel @two_threads(%out: memref<8x9xi32>) {
  // expected-note@+1 {{the range is defined here}}
  %i = uop.range thread 8
  %j = uop.range loop 9
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<8x9xi32>
}

// -----

// expected-error@+1 {{cannot map @gpu_block: it has a range on axis 'global<x>', which is for a GPU; map the other axes for that, too}}
uop.kernel @gpu_block(%out: memref<8x9xi32>) {
  // expected-note@+1 {{the range is defined here}}
  %i = uop.range global<x> 8
  %j = uop.range loop 9
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i, %j] : memref<8x9xi32>
}

// -----

// expected-error@+1 {{cannot map @no_axis: THREAD 1:4 names output axis 1, but the kernel has one output axis, 0}}
uop.kernel @no_axis(%out: memref<8xi32>) {
  %i = uop.range loop 8
  %one = arith.constant 1 : i32
  uop.store %one, %out[%i] : memref<8xi32>
}
