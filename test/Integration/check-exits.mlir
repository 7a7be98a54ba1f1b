// A barrier does not order what a thread did that has returned before it. Where
// returning is no finding, or a warning, that is compared with what comes later.

// Threads 32 to 63 write and return; the others read that after a barrier.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_other_warp fill:0 --check-policy=cuda \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=OTHER
// OTHER-DAG: exit-before-barrier warning x1 scf.if 32 wait at the gpu.barrier 32 have returned
// OTHER-DAG: race shared same-block x32 memref.load memref.store %s[32] (0, 0, 0)/(0, 0, 0) (32, 0, 0)/(0, 0, 0)
// RUN: not uop-run %s -e run_other_warp fill:0 --check --check-policy=cuda 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TEXT
// TEXT: note: a barrier does not order this: one of the threads has returned and takes no part in it; let it come to the barrier

// By default the return itself is what is wrong.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_other_warp fill:0 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=STRICT
// STRICT: exit-before-barrier x1 scf.if 32 wait at the gpu.barrier 32 have returned
// STRICT-NOT: {{.}}

// The same in a warp, of global memory, and after two more barriers.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_later fill:0 --check-policy=cuda \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=LATER
// LATER-DAG: exit-before-barrier warning x1 scf.if 16 wait at the gpu.barrier 16 have returned
// LATER-DAG: race global same-warp x16 memref.load memref.store %x[16] (0, 0, 0)/(0, 0, 0) (16, 0, 0)/(0, 0, 0)
// LATER-NOT: {{.}}

// What came before a barrier to which they did come is ordered, and what the
// others write is.
// RUN: uop-run %s -e run_ordered fill:0 --check --check-policy=cuda 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ORDERED
// ORDERED: warning: @ordered: exit before a barrier (1 time)
// ORDERED-NOT: {{(warning|error)}}:

// A barrier of a warp does not wait for lanes that have returned; no policy
// finds fault with that.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_lanes fill:0 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=LANES
// RUN: %python %S/Inputs/check.py uop-run %s -e run_lanes fill:0 --check-policy=cuda \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=LANES
// LANES: race shared same-warp x16 memref.load memref.store %s[16] (0, 0, 0)/(0, 0, 0) (16, 0, 0)/(0, 0, 0)
// LANES-NOT: {{.}}

// What a lane did before a barrier of its warp is ordered by those that go on
// from there to the barrier of the block: only what it did after it is not.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_through fill:0 --check-policy=cuda \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=THROUGH
// THROUGH-DAG: exit-before-barrier warning x1 scf.if 32 wait at the gpu.barrier 32 have returned
// THROUGH-DAG: race shared same-warp x32 memref.load memref.store %s[80] (0, 0, 0)/(0, 0, 0) (16, 0, 0)/(0, 0, 0)
// THROUGH-DAG: race shared same-block x32 memref.load memref.store %s[80] (32, 0, 0)/(0, 0, 0) (16, 0, 0)/(0, 0, 0)
// THROUGH-NOT: {{.}}

// A reduction of the block waits for nobody who has returned, either.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_reduction fill:0 \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=REDUCTION
// REDUCTION: race shared same-block x32 memref.load memref.store %s[32] (0, 0, 0)/(0, 0, 0) (32, 0, 0)/(0, 0, 0)
// REDUCTION-NOT: {{.}}

!s = memref<128xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {

gpu.module @kernels {
  gpu.func @other_warp(%x: memref<128xi32>) workgroup(%s: !s) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %c32 = arith.constant 32 : index
    memref.store %v, %s[%t] : !s
    %leaves = arith.cmpi uge, %t, %c32 : index
    cf.cond_br %leaves, ^end, ^go
  ^go:
    gpu.barrier
    %i = arith.addi %t, %c32 : index
    %w = memref.load %s[%i] : !s
    memref.store %w, %x[%t] : memref<128xi32>
    gpu.return
  ^end:
    gpu.return
  }

  gpu.func @later(%x: memref<128xi32>) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    memref.store %v, %x[%t] : memref<128xi32>
    %leaves = arith.cmpi uge, %t, %c16 : index
    cf.cond_br %leaves, ^end, ^go
  ^go:
    gpu.barrier
    gpu.barrier
    gpu.barrier
    %i = arith.addi %t, %c16 : index
    %w = memref.load %x[%i] : memref<128xi32>
    %o = arith.addi %t, %c64 : index
    memref.store %w, %x[%o] : memref<128xi32>
    gpu.return
  ^end:
    gpu.return
  }

  gpu.func @ordered(%x: memref<128xi32>) workgroup(%s: !s) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c31 = arith.constant 31 : index
    memref.store %v, %s[%t] : !s
    gpu.barrier
    // Of its own, and read by nobody.
    %own = arith.addi %t, %c64 : index
    memref.store %v, %s[%own] : !s
    %leaves = arith.cmpi uge, %t, %c32 : index
    cf.cond_br %leaves, ^end, ^go
  ^go:
    gpu.barrier
    %i = arith.addi %t, %c32 : index
    %w = memref.load %s[%i] : !s
    %r = arith.subi %c31, %t : index
    %o = arith.addi %r, %c64 : index
    %z = memref.load %s[%o] : !s
    %sum = arith.addi %w, %z : i32
    memref.store %sum, %x[%t] : memref<128xi32>
    gpu.return
  ^end:
    gpu.return
  }

  gpu.func @lanes(%x: memref<128xi32>) workgroup(%s: !s) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %all = arith.constant -1 : i32
    %c16 = arith.constant 16 : index
    memref.store %v, %s[%t] : !s
    %leaves = arith.cmpi uge, %t, %c16 : index
    cf.cond_br %leaves, ^end, ^go
  ^go:
    nvvm.bar.warp.sync %all : i32
    %i = arith.addi %t, %c16 : index
    %w = memref.load %s[%i] : !s
    memref.store %w, %x[%t] : memref<128xi32>
    gpu.return
  ^end:
    gpu.return
  }

  // Lanes 16 to 31 of both warps leave.
  gpu.func @through(%x: memref<128xi32>) workgroup(%s: !s) kernel {
    %t = gpu.thread_id x
    %lane = gpu.lane_id
    %v = arith.index_cast %t : index to i32
    %all = arith.constant -1 : i32
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    memref.store %v, %s[%t] : !s
    nvvm.bar.warp.sync %all : i32
    %leaves = arith.cmpi uge, %lane, %c16 : index
    cf.cond_br %leaves, ^last, ^go
  ^go:
    gpu.barrier
    // What lanes of both warps wrote before their barrier, and after it.
    %mine = arith.addi %t, %c16 : index
    %other = arith.xori %mine, %c32 : index
    %a = memref.load %s[%mine] : !s
    %b = memref.load %s[%other] : !s
    %i = arith.addi %mine, %c64 : index
    %j = arith.addi %other, %c64 : index
    %c = memref.load %s[%i] : !s
    %d = memref.load %s[%j] : !s
    %ab = arith.addi %a, %b : i32
    %cd = arith.addi %c, %d : i32
    %sum = arith.addi %ab, %cd : i32
    memref.store %sum, %x[%t] : memref<128xi32>
    gpu.return
  ^last:
    %l = arith.addi %t, %c64 : index
    memref.store %v, %s[%l] : !s
    gpu.return
  }

  gpu.func @reduction(%x: memref<128xi32>) workgroup(%s: !s) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %c32 = arith.constant 32 : index
    memref.store %v, %s[%t] : !s
    %leaves = arith.cmpi uge, %t, %c32 : index
    cf.cond_br %leaves, ^end, ^go
  ^go:
    %sum = gpu.all_reduce add %v uniform {} : (i32) -> i32
    %i = arith.addi %t, %c32 : index
    %w = memref.load %s[%i] : !s
    %z = arith.addi %w, %sum : i32
    memref.store %z, %x[%t] : memref<128xi32>
    gpu.return
  ^end:
    gpu.return
  }
}

func.func @run_other_warp(%x: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  gpu.launch_func @kernels::@other_warp blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<128xi32>)
  return
}
func.func @run_later(%x: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  gpu.launch_func @kernels::@later blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<128xi32>)
  return
}
func.func @run_ordered(%x: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  gpu.launch_func @kernels::@ordered blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<128xi32>)
  return
}
func.func @run_lanes(%x: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  gpu.launch_func @kernels::@lanes blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<128xi32>)
  return
}
func.func @run_through(%x: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  gpu.launch_func @kernels::@through blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<128xi32>)
  return
}
func.func @run_reduction(%x: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  gpu.launch_func @kernels::@reduction blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<128xi32>)
  return
}
}
