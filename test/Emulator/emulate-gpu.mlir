// The form of the emulated code.
// RUN: uop-opt %s --uop-emulate-gpu -split-input-file | FileCheck %s
// RUN: uop-opt %s --uop-emulate-gpu=parallel=false -split-input-file | FileCheck %s --check-prefix=SERIAL

// A kernel without a barrier is one nest of loops over the threads, x
// innermost, in a function for one block; the grid is a parallel loop. Nothing
// of the gpu dialect is left.
// CHECK-LABEL: module
// CHECK-NOT: gpu
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @scale(%x: memref<8x4xf32>, %f: f32) kernel {
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %v = memref.load %x[%ty, %tx] : memref<8x4xf32>
      %w = arith.mulf %v, %f : f32
      memref.store %w, %x[%ty, %tx] : memref<8x4xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @main
  // CHECK: call @scale_grid(%{{.*}}, %{{.*}}, %c1, %c1, %c1, %c4, %c8, %c1)
  func.func @main(%x: memref<8x4xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @k::@scale blocks in (%c1, %c1, %c1) threads in (%c4, %c8, %c1)
        args(%x : memref<8x4xf32>, %f : f32)
    return
  }
  // CHECK-LABEL: func.func private @scale_block(
  // CHECK-SAME: %[[X:.*]]: memref<8x4xf32>, %[[F:.*]]: f32,
  // CHECK: scf.for %[[TY:.*]] = %c0 to %c8 step %c1
  // CHECK-NEXT: scf.for %[[TX:.*]] = %c0 to %c4 step %c1
  // CHECK: %[[V:.*]] = memref.load %[[X]][%[[TY]], %[[TX]]]
  // CHECK: arith.mulf %[[V]], %[[F]]
  // CHECK: memref.store
  // CHECK: return
  // CHECK-LABEL: func.func private @scale_grid(
  // CHECK: scf.parallel
  // CHECK: func.call @scale_block
  // SERIAL-NOT: scf.parallel
}

// -----

// One barrier: two loops over threads, one after the other. The loaded value is
// kept by linear thread id; the thread id is not kept but known.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @reverse(%x: memref<32xf32>)
        workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
      %c31 = arith.constant 31 : index
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = arith.subi %c31, %t : index
      %w = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
      %sum = arith.addf %v, %w : f32
      memref.store %sum, %x[%t] : memref<32xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func private @reverse_block(
  // CHECK: %[[KEPT:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32xf32>
  // CHECK: %[[S:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32xf32>
  // CHECK: %[[POISON:.*]] = arith.constant 0x7FE5A5A5 : f32
  // CHECK: memref.store %[[POISON]], %[[S]]
  // CHECK: scf.for %[[T:.*]] = %c0 to %c32 step %c1 {
  // CHECK-NEXT: %[[V:.*]] = memref.load
  // CHECK-NEXT: memref.store %[[V]], %[[KEPT]][%[[T]]]
  // CHECK-NEXT: memref.store %[[V]], %[[S]][%[[T]]]
  // CHECK-NEXT: } {uop.thread_loop = "x"}
  // CHECK-NEXT: scf.for %[[U:.*]] = %c0 to %c32 step %c1 {
  // CHECK-NEXT: %[[R:.*]] = arith.subi %{{.*}}, %[[U]]
  // CHECK-NEXT: %[[W:.*]] = memref.load %[[S]][%[[R]]]
  // CHECK-NEXT: %[[OLD:.*]] = memref.load %[[KEPT]][%[[U]]]
  // CHECK-NEXT: arith.addf %[[OLD]], %[[W]]
  // CHECK: } {uop.thread_loop = "x"}
  // CHECK-NEXT: return
  func.func @main(%x: memref<32xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @k::@reverse blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<32xf32>)
    return
  }
}

// -----

// A loop with two barriers. What follows the second one and what comes before
// the first one of the next iteration is one interval: one loop over threads.
// The bounds are arguments, so no vote is taken.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @loop(%x: memref<4xi32>, %n: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %k1 = arith.constant 11 : i32
      %k2 = arith.constant 22 : i32
      %k3 = arith.constant 33 : i32
      %t = gpu.thread_id x
      scf.for %i = %c0 to %n step %c1 {
        memref.store %k1, %x[%t] : memref<4xi32>
        gpu.barrier
        memref.store %k2, %x[%t] : memref<4xi32>
        gpu.barrier
        memref.store %k3, %x[%t] : memref<4xi32>
      }
      gpu.return
    }
  }
  // CHECK-LABEL: func.func private @loop_block(
  // CHECK-DAG: %[[K1:.*]] = arith.constant 11 : i32
  // CHECK-DAG: %[[K2:.*]] = arith.constant 22 : i32
  // CHECK-DAG: %[[K3:.*]] = arith.constant 33 : i32
  // CHECK: scf.for
  // CHECK: memref.store %[[K1]]
  // CHECK: {uop.thread_loop = "x"}
  // CHECK: scf.while
  // CHECK: do {
  // CHECK: scf.for
  // CHECK-NEXT: memref.store %[[K2]]
  // CHECK-NEXT: {uop.thread_loop = "x"}
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: memref.store %[[K3]]
  // CHECK: scf.if
  // CHECK: memref.store %[[K1]]
  // CHECK: {uop.thread_loop = "x"}
  // CHECK-NOT: func.func private @loop_vote
  func.func @main(%x: memref<4xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @k::@loop blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%x : memref<4xi32>, %n : index)
    return
  }
}

// -----

// A bound that is loaded may differ among the threads: they vote.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @loop(%x: memref<1xindex>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.load %x[%c0] : memref<1xindex>
      scf.for %i = %c0 to %n step %c1 {
        gpu.barrier
      }
      gpu.return
    }
  }
  // CHECK-LABEL: func.func private @loop_block(
  // CHECK: call @loop_vote
  // CHECK: func.func private @loop_vote(
  func.func @main(%x: memref<1xindex>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @k::@loop blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%x : memref<1xindex>)
    return
  }
}

// -----

// Two block sizes are two versions of a kernel; a third launch shares one.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<64xi32>) kernel {
      %t = gpu.thread_id x
      %k = arith.constant 1 : i32
      memref.store %k, %x[%t] : memref<64xi32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @main
  // CHECK: call @[[ONE:f_grid.*]](
  // CHECK: call @[[TWO:f_grid.*]](
  // CHECK: call @[[ONE]](
  func.func @main(%x: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<64xi32>)
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<64xi32>)
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<64xi32>)
    return
  }
}

// -----

// The largest grid: block ids are indices of 64 bits, so nothing wraps.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @main
  // CHECK: call @f_grid(%c2147483647,
  // CHECK: func.func private @f_grid(%{{.*}}: index,
  func.func @main() {
    %c1 = arith.constant 1 : index
    %most = arith.constant 2147483647 : index
    gpu.launch_func @k::@f blocks in (%most, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

// A block has 128 KiB of the stack. What is larger, or of a size that is known
// only at the launch, is on the heap, and freed at the end.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @large(%x: memref<40000xf32>, %i: index) kernel {
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %s = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<40000xf32, #gpu.address_space<workgroup>>
      %v = memref.load %x[%t] : memref<40000xf32>
      memref.store %v, %s[%i] : memref<40000xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      memref.store %v, %x[%t] : memref<40000xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func private @large_block(
  // CHECK: %[[S:.*]] = memref.alloc() {alignment = 64 : i64} : memref<160000xi8>
  // CHECK: %[[KEPT:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xf32>
  // CHECK: memref.dealloc %[[S]]
  // CHECK: memref.dealloc %[[KEPT]]
  func.func @main(%x: memref<40000xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 160000 : i32
    gpu.launch_func @k::@large blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%x : memref<40000xf32>, %n : index)
    return
  }
}

// -----

// Dynamic shared memory of a size that the launch decides: one more argument
// of the kernel. What is not constant of a launch is checked before it.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @dynamic(%i: index) kernel {
      %v = arith.constant 1 : i8
      %s = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      memref.store %v, %s[%i] : memref<?xi8, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @main(
  // CHECK-SAME: %[[N:.*]]: index, %[[BYTES:.*]]: i32)
  // CHECK: %[[B:.*]] = arith.index_castui %[[BYTES]] : i32 to index
  // CHECK: call @uop_check_launch(%{{.*}}, %[[B]], %{{.*}})
  // CHECK: call @dynamic_grid(%[[N]], %[[B]],
  // CHECK-LABEL: func.func private @dynamic_block(
  // CHECK-SAME: %{{[^ ]*}}: index, %[[SIZE:[^ ]*]]: index,
  // CHECK: %[[S:.*]] = memref.alloc(%[[SIZE]]) {alignment = 64 : i64} : memref<?xi8>
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[SIZE]]
  // CHECK-NEXT: memref.store %{{.*}}, %[[S]][%[[I]]]
  // CHECK: memref.dealloc %[[S]]
  func.func @main(%n: index, %bytes: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@dynamic blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%n : index)
    return
  }
}

// -----

// Constants are constants in a kernel that is outlined, too, and sizes are, of
// any type.
// CHECK-LABEL: func.func @launches
// CHECK-NOT: @uop_check_launch
// CHECK: call @launches_kernel_grid(%{{[^,]*}}, %{{[^,]*}}, %c1
func.func @launches(%x: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c7 = arith.constant 7 : i32
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
      threads(%g, %h, %i) in (%j = %c64, %k = %c1, %l = %c1) {
    memref.store %c7, %x[%g] : memref<64xi32>
    gpu.terminator
  }
  return
}
// CHECK-LABEL: func.func private @launches_kernel_block(
// CHECK-SAME: %{{.*}}: memref<64xi32>, %{{.*}}: index,
// CHECK: scf.for %{{.*}} = %c0 to %c64
// CHECK: memref.store %c7_i32

// -----

// What the host asks of the device becomes what it is in one memory, in the
// order of the text. Tokens may go anywhere.
// CHECK-LABEL: func.func @host(
// CHECK-SAME: %[[H:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[T:.*]]: i1) -> i1
// CHECK: %[[V:.*]] = arith.constant 2.0
// CHECK: %[[D:.*]] = memref.alloc(%[[N]]) {alignment = 256 : i64} : memref<?xf32, 1>
// CHECK: scf.for
// CHECK: memref.store %[[V]], %[[D]]
// CHECK: memref.copy %[[H]], %[[D]]
// CHECK: memref.dealloc %[[D]]
// CHECK: %[[L:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (i1)
// CHECK: return %[[L]] : i1
func.func @host(%h: memref<?xf32>, %n: index, %t: !gpu.async.token) -> !gpu.async.token {
  %v = arith.constant 2.0 : f32
  %d, %t0 = gpu.alloc async [%t] (%n) : memref<?xf32, 1>
  %t1 = gpu.memset async [%t0] %d, %v : memref<?xf32, 1>, f32
  %t2 = gpu.memcpy async [%t1] %d, %h : memref<?xf32, 1>, memref<?xf32>
  %t3 = gpu.dealloc async [%t2] %d : memref<?xf32, 1>
  %u = memref.cast %h : memref<?xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.host_unregister %u : memref<*xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t3) -> (!gpu.async.token) {
    %b = gpu.wait async [%a]
    scf.yield %b : !gpu.async.token
  }
  return %l : !gpu.async.token
}

// -----

// A complex number that a thread keeps beyond a barrier has a place of its own.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // CHECK-LABEL: func.func private @swap_block
    // CHECK: %[[KEPT:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2xcomplex<f32>>
    // CHECK: memref.store %{{.*}}, %[[KEPT]][%{{.*}}] : memref<2xcomplex<f32>>
    // CHECK: memref.load %[[KEPT]][%{{.*}}] : memref<2xcomplex<f32>>
    gpu.func @swap(%x: memref<2xcomplex<f32>>) kernel {
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<2xcomplex<f32>>
      gpu.barrier
      %other = arith.subi %c1, %t : index
      memref.store %v, %x[%other] : memref<2xcomplex<f32>>
      gpu.return
    }
  }
  func.func @main(%x: memref<2xcomplex<f32>>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @kernels::@swap blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1)
        args(%x : memref<2xcomplex<f32>>)
    return
  }
}
