// RUN: uop-opt %s --convert-uop-to-gpu --split-input-file --verify-diagnostics

// Graph form has no order of execution yet.
// expected-error @below {{'uop.kernel' op expected loop form, but got graph form; run --uop-gpu-map and --uop-lower-to-loops first}}
uop.kernel @unmapped(%x: memref<8xf32>) {
  %i = uop.range loop 8
  %v = arith.constant 1.0 : f32
  uop.store %v, %x[%i] : memref<8xf32>
}

// -----

// expected-error @below {{'uop.kernel' op expected loop form, but got graph form; run --uop-lower-to-loops first}}
uop.kernel @mapped(%x: memref<8xf32>) {
  %i = uop.range local<x> 8
  %v = arith.constant 1.0 : f32
  uop.store %v, %x[%i] : memref<8xf32>
}

// -----

// A GPU has no CPU threads.
uop.kernel loops @cpu(%x: memref<8xf32>) {
  // expected-error @below {{expected an axis of a GPU (global, local or warp), but got 'thread', the threads of a CPU; map the kernel for a GPU}}
  %i = uop.range thread 8
}

// -----

// Every kernel at fault is reported.
uop.kernel loops @first() {
  // expected-error @below {{expected an axis of a GPU}}
  %i = uop.range thread 8
}
uop.kernel loops @second() {
  // expected-error @below {{expected an axis of a GPU}}
  %i = uop.range thread 16
}

// -----

// The host computes the grid: it does not read what the device has.
uop.kernel loops @loaded(%x: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the extent depends on this}}
  %n = memref.load %x[%c0] : memref<8xi64>
  %blocks = arith.index_cast %n : i64 to index
  // expected-error @below {{expected an extent of constants, scalar arguments, memref dimensions and arithmetic on these, but it depends on memref.load}}
  %b = uop.range global<x> %blocks
}

// -----

// More shared memory than any chip has.
// expected-error @below {{allocates 262160 bytes of workgroup memory: expected at most 232448, the most that any chip has; use smaller tiles or fewer buffers}}
uop.kernel loops @shared(%x: memref<8xf32>) {
  // expected-note @below {{2 bytes are here}}
  %s = uop.alloc : memref<1xf16, #gpu.address_space<workgroup>>
  // expected-note @below {{262144 bytes are here}}
  %t = uop.alloc : memref<256x256xf32, #gpu.address_space<workgroup>>
}

// -----

// Nobody can ask a launch for more than 128.
uop.kernel loops @alignment(%x: memref<8xf32>) {
  // expected-error @below {{expected an alignment of at most 128 bytes in a kernel with more than 49152 bytes of workgroup memory, but got 256}}
  %t = uop.alloc {alignment = 256} : memref<128x128xf32, #gpu.address_space<workgroup>>
}

// -----

// The iterations of a loop share one private allocation.
uop.kernel loops @escape(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = uop.alloc : memref<2xf32, #gpu.address_space<private>>
  %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%m = %first) -> memref<2xf32, #gpu.address_space<private>> {
    // expected-error @below {{leaves the region in which private memory is allocated; allocate it at the top of the kernel}}
    %next = uop.alloc : memref<2xf32, #gpu.address_space<private>>
    // expected-note @below {{it leaves the region here}}
    scf.yield %next : memref<2xf32, #gpu.address_space<private>>
  }
}

// -----

// Lanes beyond the extent are kept from the whole kernel, and its barriers.
uop.kernel loops @part_of_a_warp(%x: memref<16xf32>) {
  // expected-error @below {{expected 32 lanes, a whole warp, in a kernel with barriers or shuffles, but got 16; use a whole warp and guard single accesses, or uop.phase}}
  %l = uop.range warp 16
  uop.barrier
}

// -----

// Constants are as good as literals, and as limited.
uop.kernel loops @threads(%x: memref<16xf32>) {
  %c2048 = arith.constant 2048 : index
  // expected-error @below {{expected an extent of at most 1024 for axis 'local<x>', but got 2048; split the range}}
  %t = uop.range local<x> %c2048
}

// -----

uop.kernel loops @blocks(%x: memref<16xf32>) {
  %c65536 = arith.constant 65536 : index
  // expected-error @below {{expected an extent of at most 65535 for axis 'global<y>', but got 65536; split the range over several dimensions}}
  %b = uop.range global<y> %c65536
}

// -----

// Kernels are compiled for the device from the module that launches them.
gpu.module @elsewhere {
  // expected-error @below {{expected a kernel directly in a module}}
  uop.kernel loops @inside(%x: memref<16xf32>) {
  }
}

// -----

// The module's globals are the host's.
memref.global @table : memref<4xf32> = dense<1.0>
uop.kernel loops @global(%x: memref<16xf32>) {
  // expected-error @below {{is not supported in a kernel; pass the global as an argument}}
  %g = memref.get_global @table : memref<4xf32>
}

// -----

uop.kernel loops @heap(%x: memref<16xf32>) {
  %p = uop.alloc : memref<4xf32, #gpu.address_space<private>>
  // expected-error @below {{is not supported in a kernel; uop.alloc lasts as long as the block or thread that it belongs to}}
  memref.dealloc %p : memref<4xf32, #gpu.address_space<private>>
}
