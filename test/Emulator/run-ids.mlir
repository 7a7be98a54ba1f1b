// All ids and sizes of threads, with and without the bound that they may state,
// in a grid and a block of three dimensions.
// RUN: %emulate %s | %run-main | FileCheck %s
// RUN: uop-run %s -e main | FileCheck %s
// RUN: uop-run %s -e main --check | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @kernels {
  // 0 where each thread's number, along each axis, is what the others make it,
  // else 1. Blocks of 5 * 3 * 3 threads: subgroups of 32 and 13.
  gpu.func @ids(%x: memref<2x3x2x3x3x5xi32>) kernel {
    %bx = gpu.block_id x upper_bound 2
    %by = gpu.block_id y upper_bound 3
    %bz = gpu.block_id z
    %tx = gpu.thread_id x upper_bound 5
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z upper_bound 3
    %dx = gpu.block_dim x upper_bound 5
    %dy = gpu.block_dim y
    %dz = gpu.block_dim z upper_bound 3
    %gx = gpu.grid_dim x upper_bound 2
    %gy = gpu.grid_dim y upper_bound 3
    %gz = gpu.grid_dim z
    %ix = gpu.global_id x upper_bound 10
    %iy = gpu.global_id y
    %iz = gpu.global_id z upper_bound 6
    %lane = gpu.lane_id upper_bound 32
    %lane2 = gpu.lane_id
    %sub = gpu.subgroup_id upper_bound 2 : index
    %sub2 = gpu.subgroup_id : index
    %subs = gpu.num_subgroups upper_bound 2 : index
    %size = gpu.subgroup_size upper_bound 32 : index
    %size2 = gpu.subgroup_size : index

    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // Of 2 x 3 x 2 blocks, 3 x 3 x 5 threads, 2 subgroups, all different.
    %p0 = arith.muli %gx, %gy : index
    %p1 = arith.muli %p0, %gz : index
    %p2 = arith.muli %dx, %dy : index
    %p3 = arith.muli %p2, %dz : index
    %p4 = arith.muli %p1, %p3 : index
    %p5 = arith.muli %p4, %subs : index
    %all = arith.constant 1080 : index
    %e0 = arith.cmpi eq, %p5, %all : index
    // global = block * size + thread.
    %q0 = arith.muli %bx, %dx : index
    %q1 = arith.addi %q0, %tx : index
    %e1 = arith.cmpi eq, %q1, %ix : index
    %q2 = arith.muli %by, %dy : index
    %q3 = arith.addi %q2, %ty : index
    %e2 = arith.cmpi eq, %q3, %iy : index
    %q4 = arith.muli %bz, %dz : index
    %q5 = arith.addi %q4, %tz : index
    %e3 = arith.cmpi eq, %q5, %iz : index
    // subgroup * size + lane = the thread, counted x first.
    %r0 = arith.muli %tz, %dy : index
    %r1 = arith.addi %r0, %ty : index
    %r2 = arith.muli %r1, %dx : index
    %r3 = arith.addi %r2, %tx : index
    %r4 = arith.muli %sub, %size : index
    %r5 = arith.addi %r4, %lane2 : index
    %e4 = arith.cmpi eq, %r5, %r3 : index
    %r6 = arith.muli %sub2, %size2 : index
    %r7 = arith.addi %r6, %lane : index
    %e5 = arith.cmpi eq, %r7, %r3 : index
    %c32 = arith.constant 32 : index
    %e6 = arith.cmpi ult, %lane, %c32 : index
    %a0 = arith.andi %e0, %e1 : i1
    %a1 = arith.andi %a0, %e2 : i1
    %a2 = arith.andi %a1, %e3 : i1
    %a3 = arith.andi %a2, %e4 : i1
    %a4 = arith.andi %a3, %e5 : i1
    %a5 = arith.andi %a4, %e6 : i1
    %v = arith.select %a5, %c0, %c1 : i32
    memref.store %v, %x[%bz, %by, %bx, %tz, %ty, %tx] : memref<2x3x2x3x3x5xi32>
    gpu.return
  }
}

// Each of the 540 threads has written its own element.
// CHECK: 0
// CHECK-NOT: {{.}}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %none = arith.constant 1000 : i32
  %zero = arith.constant 0 : i32
  %x = memref.alloc() : memref<2x3x2x3x3x5xi32>
  linalg.fill ins(%none : i32) outs(%x : memref<2x3x2x3x3x5xi32>)
  gpu.launch_func @kernels::@ids blocks in (%c2, %c3, %c2) threads in (%c5, %c3, %c3)
      args(%x : memref<2x3x2x3x3x5xi32>)
  %flat = memref.collapse_shape %x [[0, 1, 2, 3, 4, 5]] : memref<2x3x2x3x3x5xi32> into memref<540xi32>
  %n = arith.constant 540 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i32 {
    %v = memref.load %flat[%i] : memref<540xi32>
    %t = arith.addi %s, %v : i32
    scf.yield %t : i32
  }
  vector.print %sum : i32
  memref.dealloc %x : memref<2x3x2x3x3x5xi32>
  return
}

}
