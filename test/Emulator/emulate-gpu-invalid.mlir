// What the emulator refuses, by name.
// RUN: uop-opt %s --uop-emulate-gpu -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32) kernel {
      // expected-error @below {{'gpu.rotate' op expected the width of a rotation to be at most 32, the subgroup's size, but got 64}}
      %a, %b = gpu.rotate %v, 1, 64 : i32
      gpu.return
    }
  }
  func.func @main(%v: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32) kernel {
      // expected-error @below {{'gpu.cluster_id' op is not supported by the emulator}}
      %a = gpu.cluster_id x
      gpu.return
    }
  }
  func.func @main(%v: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32) kernel {
      %w = arith.constant 64 : i32
      // expected-error @below {{'gpu.shuffle' op expected the width of a shuffle to be 1 to 32, the subgroup's size, but got 64}}
      %a, %b = gpu.shuffle xor %v, %v, %w : i32
      gpu.return
    }
  }
  func.func @main(%v: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32) kernel {
      %w = arith.constant 0 : i32
      // expected-error @below {{expected the width of a shuffle to be 1 to 32, the subgroup's size, but got 0}}
      %a, %b = gpu.shuffle up %v, %v, %w : i32
      gpu.return
    }
  }
  func.func @main(%v: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      %c1 = arith.constant 1 : index
      %true = arith.constant true
      // expected-error @below {{'memref.alloca_scope' op contains a gpu.barrier, which the emulator can split in scf.for, scf.if and scf.while only}}
      memref.alloca_scope {
        // expected-note @below {{the barrier is here}}
        gpu.barrier
      }
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32) kernel {
      // The combiner is no thread's code.
      %a = gpu.all_reduce %v {
      ^bb0(%x: i32, %y: i32):
        // expected-error @below {{'memref.alloca' op is not supported by the emulator in the combiner of a gpu.all_reduce}}
        %m = memref.alloca() : memref<1xi32>
        gpu.yield %y : i32
      } : (i32) -> (i32)
      gpu.return
    }
  }
  func.func @main(%v: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32) kernel {
      // expected-error @below {{'gpu.subgroup_reduce' op expected clusters of lanes of one subgroup, which has 32, but got 16 lanes at a stride of 4}}
      %a = gpu.subgroup_reduce add %v cluster(size = 16, stride = 4) : (i32) -> i32
      gpu.return
    }
  }
  func.func @main(%v: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32, %p: i1) kernel {
      // expected-error @below {{'nvvm.vote.sync' op expected a mask of all lanes, the constant -1, on the emulator}}
      %a = nvvm.vote.sync any %v, %p -> i1
      gpu.return
    }
  }
  func.func @main(%v: i32, %p: i1) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32, %p : i1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32) kernel {
      // expected-error @below {{'nvvm.barrier' op of a part of the block's threads is not supported by the emulator}}
      nvvm.barrier id = %v number_of_threads = %v
      gpu.return
    }
  }
  func.func @main(%v: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      // expected-error @below {{'gpu.dynamic_shared_memory' op expected a launch that gives dynamic shared memory, but got one of 0 bytes}}
      %a = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      // expected-error @below {{'memref.alloca' op cannot allocate workgroup memory inside a kernel; use a workgroup attribution of gpu.func or a private global of the gpu.module}}
      %a = memref.alloca() : memref<4xi32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%n: index) kernel {
      %zero = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      // expected-error @below {{'scf.parallel' op contains a gpu.barrier, which the emulator can split in scf.for, scf.if and scf.while only}}
      %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> i32 {
        // expected-note @below {{the barrier is here}}
        gpu.barrier
        scf.reduce(%zero : i32) {
        ^bb0(%a: i32, %b: i32):
          scf.reduce.return %a : i32
        }
      }
      gpu.return
    }
  }
  func.func @main(%n: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : index)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    // A function that calls itself cannot be inlined.
    // expected-note @below {{the function is defined here}}
    func.func @g() {
      func.call @h() : () -> ()
      return
    }
    func.func @h() {
      // expected-error @below {{'func.call' op calls 'g' while that runs: recursion is not supported by the emulator, which inlines device functions}}
      func.call @g() : () -> ()
      return
    }
    gpu.func @f() kernel {
      func.call @g() : () -> ()
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    // expected-note @below {{the function is declared here}}
    func.func private @__nv_fast_expf(f32) -> f32
    gpu.func @f(%v: f32) kernel {
      // expected-error @below {{'func.call' op calls '__nv_fast_expf', which has no body and is no function that the emulator knows}}
      %e = func.call @__nv_fast_expf(%v) : (f32) -> f32
      gpu.return
    }
  }
  func.func @main(%v: f32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : f32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    func.func @g() {
      return
    }
    gpu.func @f() kernel {
      %g = func.constant @g : () -> ()
      // expected-error @below {{'func.call_indirect' op of a function that is not known by name is not supported by the emulator}}
      func.call_indirect %g() : () -> ()
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

// A memref that a loop with a barrier carries cannot be kept for each thread.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %v = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      // expected-error @below {{'scf.for' op gives a value of type 'memref<4xf32>' that is used beyond a gpu.barrier or gpu.shuffle, which the emulator can keep for integers, floats and vectors only}}
      %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xf32>, memref<4xf32>) {
        gpu.barrier
        memref.store %v, %a[%t] : memref<4xf32>
        scf.yield %b, %a : memref<4xf32>, memref<4xf32>
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<4xf32>, %y : memref<4xf32>)
    return
  }
}

// -----

// A condition that is computed from thread ids and constants, and a block size
// that is known: no need to run it.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      %c16 = arith.constant 16 : index
      %t = gpu.thread_id x
      %low = arith.cmpi ult, %t, %c16 : index
      // expected-error @below {{'scf.if' op expected all threads of a block to agree at an op that contains a gpu.barrier, but got 32 threads that take it, the first is (0, 0, 0), and 96 others, the first is (16, 0, 0); move the barrier out of the thread-dependent control flow}}
      scf.if %low {
        // expected-note @below {{the barrier is here}}
        gpu.barrier
      }
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c64, %c2, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id y
      // expected-error @below {{but got 8 threads that run it 0 times, the first is (0, 0, 0), and 8 others, the first is (0, 1, 0)}}
      scf.for %i = %c0 to %t step %c1 {
        // expected-note @below {{the barrier is here}}
        gpu.barrier
      }
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c8, %c2, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c33 = arith.constant 33 : index
    // expected-error @below {{expected at most 1024 threads in a block, but got 1056}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c32, %c33, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c65 = arith.constant 65 : index
    // expected-error @below {{expected 1 to 64 threads along z, but got 65}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c65)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c65536 = arith.constant 65536 : index
    // expected-error @below {{expected at most 65535 blocks along y, but got 65536}}
    gpu.launch_func @k::@f blocks in (%c1, %c65536, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    // expected-note @below {{the kernel is defined here}}
    gpu.func @f() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    // expected-error @below {{expected 32 threads along x, which the kernel is made for, but got 64}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      gpu.return
    }
  }
  func.func @main(%bytes: i32) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{expected a constant number of bytes of dynamic shared memory on the emulator}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %bytes
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      gpu.return
    }
  }
  // expected-error @below {{expected no symbol of the name 'dprintf', which is a function of the C library that the emulated code calls; rename it}}
  func.func private @dprintf()
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32) kernel {
      // expected-error @below {{'gpu.printf' op expected conversions of integers and floats in the format, but got '%s'}}
      gpu.printf "%d %s", %v, %v : i32, i32
      gpu.return
    }
  }
  func.func @main(%v: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32) kernel {
      // expected-error @below {{'gpu.printf' op expected 2 arguments for the format, but got 1}}
      gpu.printf "%d %d", %v : i32
      gpu.return
    }
  }
  func.func @main(%v: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%v: i32) kernel {
      // expected-error @below {{'gpu.printf' op expected a float of at most 64 bits for the conversion '%5.2f' of argument 0, but got 'i32'}}
      gpu.printf "%5.2f", %v : i32
      gpu.return
    }
  }
  func.func @main(%v: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : i32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      %a = arith.constant dense<1.0> : vector<2x1xf64>
      %b = arith.constant dense<1.0> : vector<2x1xf64>
      %c = arith.constant dense<1.0> : vector<4x2xf64>
      // expected-error @below {{'nvgpu.mma.sync' op of shape 16 x 16 x 4 of 'f64' is not supported by the emulator}}
      %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 16, 4]} : (vector<2x1xf64>, vector<2x1xf64>, vector<4x2xf64>) -> vector<4x2xf64>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<16x16xf32>) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @below {{'gpu.subgroup_mma_load_matrix' op expected memory of 'f16' on the emulator, but got 'memref<16x16xf32>'}}
      %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf16, "AOp">
      gpu.return
    }
  }
  func.func @main(%x: memref<16x16xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<16x16xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<16x16xf16>) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @below {{'gpu.subgroup_mma_load_matrix' op expected a matrix whose elements can be dealt to a subgroup of 32, but got '!gpu.mma_matrix<3x5xf16, "AOp">'}}
      %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<3x5xf16, "AOp">
      gpu.return
    }
  }
  func.func @main(%x: memref<16x16xf16>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<16x16xf16>)
    return
  }
}
