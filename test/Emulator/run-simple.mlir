// Kernels without a loop.
// RUN: %emulate %s | %run-main | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @kernels {
  // 200 elements in 7 blocks of 32 threads: the guard keeps 24 threads out.
  gpu.func @add(%x: memref<200xi32>, %y: memref<256xi32>) kernel {
    %i = gpu.global_id x
    %n = arith.constant 200 : index
    %in = arith.cmpi ult, %i, %n : index
    scf.if %in {
      %u = memref.load %x[%i] : memref<200xi32>
      %v = memref.load %y[%i] : memref<256xi32>
      %s = arith.addi %u, %v : i32
      memref.store %s, %y[%i] : memref<256xi32>
    }
    gpu.return
  }

  // Each segment of 32 is reversed through workgroup memory.
  gpu.func @reverse(%x: memref<64xf32>)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %c31 = arith.constant 31 : index
    %i = gpu.global_id x
    %t = gpu.thread_id x
    %v = memref.load %x[%i] : memref<64xf32>
    memref.store %v, %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c31, %t : index
    %w = memref.load %tile[%r] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %x[%i] : memref<64xf32>
    gpu.return
  }

  // A three-dimensional grid of three-dimensional blocks: each thread writes
  // its block and thread coordinates as decimal digits, and counts its visits.
  gpu.func @ids(%x: memref<2x2x2x2x3x2xi32>) kernel {
    %c10 = arith.constant 10 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %0 = arith.muli %bz, %c10 : index
    %1 = arith.addi %0, %by : index
    %2 = arith.muli %1, %c10 : index
    %3 = arith.addi %2, %bx : index
    %4 = arith.muli %3, %c10 : index
    %5 = arith.addi %4, %tz : index
    %6 = arith.muli %5, %c10 : index
    %7 = arith.addi %6, %ty : index
    %8 = arith.muli %7, %c10 : index
    %9 = arith.addi %8, %tx : index
    %v = arith.index_cast %9 : index to i32
    %old = memref.load %x[%bz, %by, %bx, %tz, %ty, %tx] : memref<2x2x2x2x3x2xi32>
    %new = arith.addi %old, %v : i32
    memref.store %new, %x[%bz, %by, %bx, %tz, %ty, %tx] : memref<2x2x2x2x3x2xi32>
    gpu.return
  }

  // Lanes and subgroups of a block of 8 x 5 threads: 40 threads, 2 subgroups.
  gpu.func @lanes(%x: memref<40xi32>) kernel {
    %c100 = arith.constant 100 : index
    %c1000 = arith.constant 1000 : index
    %c8 = arith.constant 8 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %row = arith.muli %ty, %c8 : index
    %t = arith.addi %row, %tx : index
    %lane = gpu.lane_id
    %sub = gpu.subgroup_id : index
    %count = gpu.num_subgroups : index
    %0 = arith.muli %count, %c1000 : index
    %1 = arith.muli %sub, %c100 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.addi %2, %lane : index
    %v = arith.index_cast %3 : index to i32
    memref.store %v, %x[%t] : memref<40xi32>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF32(%m: memref<*xf32>) attributes {llvm.emit_c_interface}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c200 = arith.constant 200 : index
  %c256 = arith.constant 256 : index
  %sentinel = arith.constant -1 : i32
  %zero = arith.constant 0 : i32

  // x[i] = i and y[i] = -1 give i - 1; what is not written stays -1.
  // CHECK: [-1, 0, 1, {{.*}}, 197, 198, -1, -1, {{(-1, )*}}-1]
  %x = memref.alloc() : memref<200xi32>
  %y = memref.alloc() : memref<256xi32>
  scf.for %i = %c0 to %c200 step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %x[%i] : memref<200xi32>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %sentinel, %y[%i] : memref<256xi32>
  }
  gpu.launch_func @kernels::@add blocks in (%c7, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%x : memref<200xi32>, %y : memref<256xi32>)
  %yu = memref.cast %y : memref<256xi32> to memref<*xi32>
  call @printMemrefI32(%yu) : (memref<*xi32>) -> ()

  // CHECK: [31, 30, 29, {{.*}}, 1, 0, 63, 62, {{.*}}, 33, 32]
  %f = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = arith.index_cast %i : index to i32
    %w = arith.sitofp %v : i32 to f32
    memref.store %w, %f[%i] : memref<64xf32>
  }
  gpu.launch_func @kernels::@reverse blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%f : memref<64xf32>)
  %fu = memref.cast %f : memref<64xf32> to memref<*xf32>
  call @printMemrefF32(%fu) : (memref<*xf32>) -> ()

  // The last block: coordinates (1, 1, 1), threads (z, y, x) up to (1, 2, 1).
  // CHECK: [0, 1]
  // CHECK: [111100, 111101]
  // CHECK-NEXT: [111110, 111111]
  // CHECK-NEXT: [111120, 111121]
  %g = memref.alloc() : memref<2x2x2x2x3x2xi32>
  %flat = memref.collapse_shape %g [[0, 1, 2, 3, 4], [5]]
      : memref<2x2x2x2x3x2xi32> into memref<48x2xi32>
  %c48 = arith.constant 48 : index
  scf.for %i = %c0 to %c48 step %c1 {
    memref.store %zero, %flat[%i, %c0] : memref<48x2xi32>
    memref.store %zero, %flat[%i, %c1] : memref<48x2xi32>
  }
  gpu.launch_func @kernels::@ids blocks in (%c2, %c2, %c2) threads in (%c2, %c3, %c2)
      args(%g : memref<2x2x2x2x3x2xi32>)
  %gu = memref.cast %flat : memref<48x2xi32> to memref<*xi32>
  call @printMemrefI32(%gu) : (memref<*xi32>) -> ()

  // CHECK: [2000, 2001, {{.*}}, 2030, 2031, 2100, 2101, {{.*}}, 2106, 2107]
  %l = memref.alloc() : memref<40xi32>
  gpu.launch_func @kernels::@lanes blocks in (%c1, %c1, %c1) threads in (%c8, %c5, %c1)
      args(%l : memref<40xi32>)
  %lu = memref.cast %l : memref<40xi32> to memref<*xi32>
  call @printMemrefI32(%lu) : (memref<*xi32>) -> ()
  return
}

}
