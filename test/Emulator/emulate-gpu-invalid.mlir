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
      // expected-error @below {{'nvvm.cluster.arrive' op is not supported by the emulator, which starts from gpu, scf, memref, arith, math and vector}}
      nvvm.cluster.arrive
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
    // expected-error @below {{expected 1 to 65535 blocks along y, but got 65536}}
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
  func.func @main() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 0 : index
    // expected-error @below {{'gpu.launch_func' op expected 1 to 2147483647 blocks along x, but got 0; leave out a launch of nothing}}
    gpu.launch_func @k::@f blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
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
    %n = arith.constant 0 : index
    // expected-error @below {{'gpu.launch_func' op expected 1 to 1024 threads along y, but got 0; leave out a launch of nothing}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %n, %c1)
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
    %m = arith.constant 1 : i32
    %n = arith.constant 2147483648 : i32
    // expected-error @below {{'gpu.launch_func' op expected 1 to 2147483647 blocks along x, but got 2147483648}}
    gpu.launch_func @k::@f blocks in (%n, %m, %m) threads in (%m, %m, %m) : i32
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
    %n = arith.constant 1025 : index
    // expected-error @below {{'gpu.launch_func' op expected 1 to 1024 threads along x, but got 1025}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
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
    %n = arith.constant 32 : index
    %m = arith.constant 2 : index
    // expected-error @below {{'gpu.launch_func' op expected at most 1024 threads in a block, but got 2048}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%n, %n, %m)
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
    %n = arith.constant 65536 : index
    // expected-error @below {{'gpu.launch_func' op expected 1 to 65535 blocks along z, but got 65536}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %n) threads in (%c1, %c1, %c1)
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
    %c9 = arith.constant 9 : index
    // expected-error @below {{'gpu.launch_func' op expected 1 to 8 blocks of a cluster along z, but got 9}}
    gpu.launch_func @k::@f clusters in (%c1, %c1, %c9) blocks in (%c1, %c1, %c9) threads in (%c1, %c1, %c1)
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
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    // expected-error @below {{'gpu.launch_func' op expected at most 8 blocks in a cluster, but got 12}}
    gpu.launch_func @k::@f clusters in (%c4, %c3, %c1) blocks in (%c4, %c3, %c1) threads in (%c1, %c1, %c1)
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
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    // expected-error @below {{'gpu.launch_func' op expected a grid of whole clusters along y, a multiple of 2 blocks, but got 3}}
    gpu.launch_func @k::@f clusters in (%c1, %c2, %c1) blocks in (%c4, %c3, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    // expected-note @below {{the kernel is defined here}}
    gpu.func @f() kernel attributes {known_cluster_size = array<i32: 2, 1, 1>} {
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error @below {{'gpu.launch_func' op expected 2 blocks of a cluster along x, which the kernel is made for, but got 4}}
    gpu.launch_func @k::@f clusters in (%c4, %c1, %c1) blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
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
    %n = arith.constant 166913 : i32
    // expected-error @below {{'gpu.launch_func' op expected at most 166912 bytes of shared memory a block on sm_80, but got 166913; use smaller tiles or fewer buffers}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %n
    return
  }
}

// -----

// Static shared memory has a limit of its own, on every chip; buffers of the
// module count.
module attributes {gpu.container_module} {
  gpu.module @k {
    memref.global "private" @s : memref<1xi8, #gpu.address_space<workgroup>>
    // expected-error @below {{expected at most 49152 bytes of static shared memory a block, but got 49153; use gpu.dynamic_shared_memory}}
    gpu.func @f() workgroup(%a: memref<12288xf32, #gpu.address_space<workgroup>>) kernel {
      %b = memref.get_global @s : memref<1xi8, #gpu.address_space<workgroup>>
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
    // expected-error @below {{'memref.global' op expected a value of a buffer that a kernel uses, but got a declaration; give it one, or say 'uninitialized'}}
    memref.global "private" @x : memref<4xi32>
    gpu.func @f() kernel {
      %c0 = arith.constant 0 : index
      %v = arith.constant 1 : i32
      // expected-note @below {{it is used here}}
      %x = memref.get_global @x : memref<4xi32>
      memref.store %v, %x[%c0] : memref<4xi32>
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

// Code for a device is not for the emulator.
module attributes {gpu.container_module} {
  gpu.module @k {
    // expected-note @below {{it is defined here}}
    llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    // expected-error @below {{'gpu.launch_func' op expected the kernel @k::@f to be a gpu.func with the kernel attribute, but got llvm.func; run the emulator before the kernel is lowered for a device}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  // expected-note @below {{the binary is here}}
  gpu.binary @k [#gpu.object<#nvvm.target, "">]
  func.func @main() {
    %c1 = arith.constant 1 : index
    // expected-error @below {{'gpu.launch_func' op expected the kernel in a gpu.module, but got a gpu.binary, which is compiled for a device; run the emulator before gpu-module-to-binary}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module {
  module attributes {gpu.container_module} {
    gpu.module @k {
      gpu.func @f() kernel {
        gpu.return
      }
    }
    func.func @main() {
      %c1 = arith.constant 1 : index
      // expected-error @below {{'gpu.launch_func' op expected a launch in the module itself, but got it in a module inside; run the pass on that one}}
      gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      return
    }
  }
}

// -----

// A kernel launches none.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      %c1 = arith.constant 1 : index
      // expected-error @below {{'gpu.launch_func' op is not supported by the emulator}}
      gpu.launch_func @k::@g blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      gpu.return
    }
    gpu.func @g() kernel {
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

// Libraries for sparse matrices are not emulated.
func.func @sparse(%size: index, %memory: memref<?xf32>) {
  %t0 = gpu.wait async
  // expected-error @below {{'gpu.create_dn_tensor' op is not supported by the emulator, whose hosts launch kernels (gpu.launch, gpu.launch_func), manage memory (gpu.alloc, gpu.dealloc, gpu.memcpy, gpu.memset, gpu.host_register, gpu.host_unregister) and wait (gpu.wait)}}
  %d, %t1 = gpu.create_dn_tensor async [%t0] %memory, %size : index into memref<?xf32>
  gpu.wait [%t1]
  return
}

// -----

func.func @thread_of_the_host() -> index {
  // expected-error @below {{'gpu.thread_id' op is an operation of a kernel, but got it in host code; move it into a gpu.func or a gpu.launch}}
  %t = gpu.thread_id x
  return %t : index
}

// -----

func.func private @mgpuStreamCreate() -> !llvm.ptr
func.func @wrapper() {
  // expected-error @below {{'func.call' op calls @mgpuStreamCreate of upstream's run-time library for devices, which the emulator does not have; use operations of the gpu dialect}}
  %s = call @mgpuStreamCreate() : () -> !llvm.ptr
  return
}

// -----

func.func @layout(%n: index) {
  // expected-error @below {{'gpu.alloc' op expected a strided layout on the emulator, but got 'memref<?xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>'}}
  %a = gpu.alloc (%n) : memref<?xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>
  return
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

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<64xf32>) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @below {{'vector.load' op gives a value of type 'vector<[4]xf32>' that is used beyond a gpu.barrier}}
      %v = vector.load %x[%c0] : memref<64xf32>, vector<[4]xf32>
      gpu.barrier
      vector.store %v, %x[%c0] : memref<64xf32>, vector<[4]xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<64xf32>) kernel {
      // expected-error @below {{expected a private buffer of at most 524288 bytes, the local memory of a thread, but got 'memref<100000000000xf32>'}}
      %b = memref.alloca() : memref<100000000000xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    // expected-error @below {{expected at most 49152 bytes of static shared memory a block, but got}}
    gpu.func @f(%x: memref<64xf32>)
        workgroup(%w: memref<4611686018427387904x8xf32, #gpu.address_space<workgroup>>) kernel {
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<64xf32>)
        workgroup(%w: memref<f16, #gpu.address_space<workgroup>>) kernel {
      // expected-error @below {{'nvgpu.ldmatrix' op expected a memref with an axis along which a row is, but got 'memref<f16, #gpu.address_space<workgroup>>'}}
      %m = nvgpu.ldmatrix %w[] {numTiles = 1 : i32, transpose = false} : memref<f16, #gpu.address_space<workgroup>> -> vector<1x2xf16>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>)
    return
  }
}

// -----

// expected-error @below {{'uop.kernel' op expected kernels of the gpu dialect: run --uop-lower-to-gpu-pipeline or --uop-lower-to-cpu-loops-pipeline first}}
uop.kernel @left(%y: memref<4xf32>) {
  %i = uop.range loop 4
  %one = arith.constant 1.0 : f32
  uop.store %one, %y[%i] : memref<4xf32>
}
