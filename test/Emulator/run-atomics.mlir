// Atomic updates of every kind by 8 threads, from 5 each, and a view of dynamic
// shared memory. Thread t gives t: the order makes no difference.
// RUN: %emulate %s | %run-main | FileCheck %s

// Index 8 is whatever came last.
// CHECK: [33, 7, 0, 7, 0, 0, 7, 0, {{[0-7]}}, 5, 5, 5]
// CHECK: [33, 7, 0, 0, -23, 7]
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @f(%x: memref<12xi32>, %y: memref<6xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %f = arith.sitofp %v : i32 to f32
    %0 = memref.atomic_rmw addi %v, %x[%c0] : (i32, memref<12xi32>) -> i32
    %1 = memref.atomic_rmw maxs %v, %x[%c1] : (i32, memref<12xi32>) -> i32
    %2 = memref.atomic_rmw mins %v, %x[%c2] : (i32, memref<12xi32>) -> i32
    %3 = memref.atomic_rmw maxu %v, %x[%c3] : (i32, memref<12xi32>) -> i32
    %4 = memref.atomic_rmw minu %v, %x[%c4] : (i32, memref<12xi32>) -> i32
    %5 = memref.atomic_rmw andi %v, %x[%c5] : (i32, memref<12xi32>) -> i32
    %6 = memref.atomic_rmw ori %v, %x[%c6] : (i32, memref<12xi32>) -> i32
    %7 = memref.atomic_rmw muli %v, %x[%c7] : (i32, memref<12xi32>) -> i32
    %8 = memref.atomic_rmw assign %v, %x[%c8] : (i32, memref<12xi32>) -> i32
    %x9 = memref.atomic_rmw xori %v, %x[%c9] : (i32, memref<12xi32>) -> i32
    %f0 = memref.atomic_rmw addf %f, %y[%c0] : (f32, memref<6xf32>) -> f32
    %f1 = memref.atomic_rmw maximumf %f, %y[%c1] : (f32, memref<6xf32>) -> f32
    %f2 = memref.atomic_rmw minimumf %f, %y[%c2] : (f32, memref<6xf32>) -> f32
    %f3 = memref.atomic_rmw mulf %f, %y[%c3] : (f32, memref<6xf32>) -> f32
    %f4 = memref.generic_atomic_rmw %y[%c4] : memref<6xf32> {
    ^bb0(%old: f32):
      %n = arith.subf %old, %f : f32
      memref.atomic_yield %n : f32
    }
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %f, %view[%t] : memref<8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %m = arith.subi %c7, %t : index
    %r = memref.load %view[%m] : memref<8xf32, #gpu.address_space<workgroup>>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first { memref.store %r, %y[%c5] : memref<6xf32> }
    gpu.return
  }
}
func.func private @printMemrefI32(memref<*xi32>) attributes { llvm.emit_c_interface }
func.func private @printMemrefF32(memref<*xf32>) attributes { llvm.emit_c_interface }
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %s = arith.constant 5 : i32
  %f = arith.constant 5.0 : f32
  %bytes = arith.constant 32 : i32
  %x = memref.alloc() : memref<12xi32>
  %y = memref.alloc() : memref<6xf32>
  scf.for %i = %c0 to %c12 step %c1 { memref.store %s, %x[%i] : memref<12xi32> }
  scf.for %i = %c0 to %c6 step %c1 { memref.store %f, %y[%i] : memref<6xf32> }
  gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) dynamic_shared_memory_size %bytes args(%x : memref<12xi32>, %y : memref<6xf32>)
  %xu = memref.cast %x : memref<12xi32> to memref<*xi32>
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()
  %yu = memref.cast %y : memref<6xf32> to memref<*xf32>
  call @printMemrefF32(%yu) : (memref<*xf32>) -> ()
  return
}
}
