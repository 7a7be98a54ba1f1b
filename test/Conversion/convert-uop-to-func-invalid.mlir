// What plain loops on a CPU do not have, by name.
// RUN: uop-opt %s --convert-uop-to-func -split-input-file -verify-diagnostics

// expected-error @below {{'uop.kernel' op expected loop form, but got graph form; run --uop-lower-to-loops first}}
uop.kernel @graph(%x: memref<8xf32>) {
  %i = uop.range thread 8
  %one = arith.constant 1.0 : f32
  uop.store %one, %x[%i] : memref<8xf32>
}

// -----

uop.kernel loops @block(%x: memref<8xf32>) {
  // expected-error @below {{'uop.range' op expected the axis 'thread', the threads of a CPU, but got 'global<x>', which is of a GPU; take the kernel before it is mapped, or run it with --convert-uop-to-gpu and the emulator}}
  %i = uop.range global<x> 8
  %one = arith.constant 1.0 : f32
  memref.store %one, %x[%i] : memref<8xf32>
}

// -----

uop.kernel loops @lanes(%x: memref<8xf32>) {
  // expected-error @below {{expected the axis 'thread', the threads of a CPU, but got 'warp'}}
  %i = uop.range warp 8
  %one = arith.constant 1.0 : f32
  memref.store %one, %x[%i] : memref<8xf32>
}

// -----

uop.kernel loops @barrier() {
  // expected-error @below {{'uop.barrier' op is about the threads of a GPU, which plain CPU loops do not have; run the kernel with --convert-uop-to-gpu and the emulator}}
  uop.barrier
}

// -----

uop.kernel loops @phase() {
  // expected-error @below {{'uop.phase' op is about the threads of a GPU}}
  uop.phase {
  }
}

// -----

uop.kernel loops @shared() {
  // expected-error @below {{'uop.alloc' op allocates workgroup memory, which belongs to a block of threads of a GPU; plain CPU loops have private memory only}}
  %s = uop.alloc : memref<8xf32, #gpu.address_space<workgroup>>
}

// -----

uop.kernel loops @dealloc(%x: memref<8xf32>) {
  // expected-error @below {{'memref.dealloc' op is not supported in a kernel; uop.alloc lasts as long as the thread that it belongs to}}
  memref.dealloc %x : memref<8xf32>
}

// -----

!private = memref<4xf32, #gpu.address_space<private>>
uop.kernel loops @escape(%on: i1) {
  %m = scf.if %on -> !private {
    // expected-error @below {{'uop.alloc' op leaves the region in which private memory is allocated; allocate it at the top of the kernel}}
    %p = uop.alloc : !private
    // expected-note @below {{it leaves the region here}}
    scf.yield %p : !private
  } else {
    %q = uop.alloc : !private
    scf.yield %q : !private
  }
}
