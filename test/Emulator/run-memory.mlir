// Workgroup, private and global memory of kernels, and memory operations of the
// host.
// RUN: %emulate %s | %run-main | FileCheck %s

!tile = memref<4xi32, #gpu.address_space<workgroup>>
!mine = memref<2xi32, #gpu.address_space<private>>

module attributes {gpu.container_module} {

gpu.module @kernels {
  memref.global "private" @buffer : memref<4xi32, #gpu.address_space<workgroup>>
  memref.global "private" constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>

  // What nobody wrote: the poison pattern, or zero where the attribution says
  // so. Every block finds it anew although each overwrites it.
  gpu.func @fresh(%x: memref<2x4xi32>, %y: memref<2x4xi32>)
      workgroup(%poison: !tile, %zero: !tile {uop.zero}) kernel {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %k7 = arith.constant 7 : i32
    %p = memref.load %poison[%t] : !tile
    %z = memref.load %zero[%t] : !tile
    memref.store %p, %x[%b, %t] : memref<2x4xi32>
    memref.store %z, %y[%b, %t] : memref<2x4xi32>
    memref.store %k7, %poison[%t] : !tile
    memref.store %k7, %zero[%t] : !tile
    gpu.return
  }

  // A global of the module in workgroup memory, and a constant table.
  gpu.func @globals(%x: memref<4xi32>) kernel {
    %c3 = arith.constant 3 : index
    %t = gpu.thread_id x
    %s = memref.get_global @buffer : !tile
    %table = memref.get_global @table : memref<4xi32>
    %v = memref.load %table[%t] : memref<4xi32>
    memref.store %v, %s[%t] : !tile
    gpu.barrier
    %again = memref.get_global @buffer : !tile
    %r = arith.subi %c3, %t : index
    %w = memref.load %again[%r] : !tile
    memref.store %w, %x[%t] : memref<4xi32>
    gpu.return
  }

  // Private memory belongs to a thread, also beyond a barrier, and also
  // through a view of it.
  gpu.func @private(%x: memref<4xi32>) private(%p: !mine) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k10 = arith.constant 10 : i32
    %t = gpu.thread_id x
    %q = memref.alloca() : memref<3xi32>
    %view = memref.subview %q[1][2][1] : memref<3xi32> to memref<2xi32, strided<[1], offset: 1>>
    %v = arith.index_cast %t : index to i32
    %w = arith.muli %v, %k10 : i32
    memref.store %v, %p[%c1] : !mine
    memref.store %w, %view[%c1] : memref<2xi32, strided<[1], offset: 1>>
    gpu.barrier
    %a = memref.load %p[%c1] : !mine
    %b = memref.load %view[%c1] : memref<2xi32, strided<[1], offset: 1>>
    %s = arith.addi %a, %b : i32
    memref.store %s, %x[%t] : memref<4xi32>
    gpu.return
  }

  // All threads of all blocks add to one place.
  gpu.func @atomic(%x: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %v = arith.constant 0.5 : f32
    %old = memref.atomic_rmw addf %v, %x[%c0] : (f32, memref<1xf32>) -> f32
    gpu.return
  }

  gpu.func @twice(%x: memref<4xi32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<4xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %x[%t] : memref<4xi32>
    gpu.return
  }
}

// A kernel in terms of memory that the host calls global.
gpu.module @spaces {
  gpu.func @twice(%x: memref<4xi32, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<4xi32, #gpu.address_space<global>>
    %w = arith.addi %v, %v : i32
    memref.store %w, %x[%t] : memref<4xi32, #gpu.address_space<global>>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF32(%m: memref<*xf32>) attributes {llvm.emit_c_interface}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c100 = arith.constant 100 : index
  %c0 = arith.constant 0 : index

  // 0xA5A5A5A5 as a signed number.
  // CHECK: -1515870811, -1515870811, -1515870811, -1515870811
  // CHECK-NEXT: -1515870811, -1515870811, -1515870811, -1515870811
  // CHECK: 0, 0, 0, 0
  // CHECK-NEXT: 0, 0, 0, 0
  %x = memref.alloc() : memref<2x4xi32>
  %y = memref.alloc() : memref<2x4xi32>
  gpu.launch_func @kernels::@fresh blocks in (%c2, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%x : memref<2x4xi32>, %y : memref<2x4xi32>)
  %xu = memref.cast %x : memref<2x4xi32> to memref<*xi32>
  %yu = memref.cast %y : memref<2x4xi32> to memref<*xi32>
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()
  call @printMemrefI32(%yu) : (memref<*xi32>) -> ()

  // CHECK: [40, 30, 20, 10]
  %r = memref.alloc() : memref<4xi32>
  %ru = memref.cast %r : memref<4xi32> to memref<*xi32>
  gpu.launch_func @kernels::@globals blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%r : memref<4xi32>)
  call @printMemrefI32(%ru) : (memref<*xi32>) -> ()

  // CHECK: [0, 11, 22, 33]
  gpu.launch_func @kernels::@private blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%r : memref<4xi32>)
  call @printMemrefI32(%ru) : (memref<*xi32>) -> ()

  // 400 halves, and all of these sums are exact.
  // CHECK: [200]
  %f = memref.alloc() : memref<1xf32>
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %f[%c0] : memref<1xf32>
  gpu.launch_func @kernels::@atomic blocks in (%c100, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%f : memref<1xf32>)
  %fu = memref.cast %f : memref<1xf32> to memref<*xf32>
  call @printMemrefF32(%fu) : (memref<*xf32>) -> ()

  // The asynchronous form happens in the order of the text.
  // CHECK: [6, 6, 6, 6]
  %three = arith.constant 3 : i32
  %t0 = gpu.wait async
  %d, %t1 = gpu.alloc async [%t0] () : memref<4xi32>
  %t2 = gpu.memset async [%t1] %d, %three : memref<4xi32>, i32
  %t3 = gpu.launch_func async [%t2] @kernels::@twice
      blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%d : memref<4xi32>)
  %t4 = gpu.memcpy async [%t3] %r, %d : memref<4xi32>, memref<4xi32>
  %t5 = gpu.dealloc async [%t4] %d : memref<4xi32>
  gpu.wait [%t5]
  call @printMemrefI32(%ru) : (memref<*xi32>) -> ()

  // gpu.launch is outlined first.
  // CHECK: [12, 12, 12, 12]
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%nx = %c4, %ny = %c1, %nz = %c1) {
    %v = memref.load %r[%tx] : memref<4xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %r[%tx] : memref<4xi32>
    gpu.terminator
  }
  call @printMemrefI32(%ru) : (memref<*xi32>) -> ()

  // CHECK: [24, 24, 24, 24]
  %global = memref.memory_space_cast %r
      : memref<4xi32> to memref<4xi32, #gpu.address_space<global>>
  gpu.launch_func @spaces::@twice blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%global : memref<4xi32, #gpu.address_space<global>>)
  call @printMemrefI32(%ru) : (memref<*xi32>) -> ()
  return
}

}
