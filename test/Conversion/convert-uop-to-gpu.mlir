// RUN: uop-opt %s --convert-uop-to-gpu --split-input-file | FileCheck %s

// A kernel becomes a gpu.func that states its launch, and a host function that
// launches it; memrefs that are only read are readonly, no two overlap. The
// indices carry their bounds.
// CHECK-LABEL: module attributes {gpu.container_module}
// CHECK:       gpu.module @uop_kernels
// CHECK:         gpu.func @reverse(
// CHECK-SAME:      %[[IN:[a-z0-9]+]]: memref<256xf32> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME:      %[[OUT:[a-z0-9]+]]: memref<256xf32> {llvm.align = 4 : i64, llvm.noalias})
// CHECK-SAME:      workgroup(%[[TILE:[a-z0-9]+]] : memref<32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK-SAME:      kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 8, 1, 1>}
// CHECK:           %[[B:.*]] = gpu.block_id x upper_bound 8
// CHECK:           %[[T:.*]] = gpu.thread_id x upper_bound 32
// CHECK:           memref.store %{{.*}}, %[[TILE]][%[[T]]]
// CHECK-NEXT:      gpu.barrier
// CHECK:           memref.load %[[TILE]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[OUT]]
// CHECK-NEXT:      gpu.return
// CHECK:       func.func @reverse(%[[HIN:.*]]: memref<256xf32>, %[[HOUT:.*]]: memref<256xf32>) {
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK:         gpu.launch_func @uop_kernels::@reverse blocks in (%[[C8]], %{{.*}}, %{{.*}}) threads in (%[[C32]], %{{.*}}, %{{.*}}) args(%[[HIN]] : memref<256xf32>, %[[HOUT]] : memref<256xf32>)
// CHECK-NEXT:    return
!tile = memref<32xf32, #gpu.address_space<workgroup>>
uop.kernel loops @reverse(%in: memref<256xf32>, %out: memref<256xf32>) {
  %b = uop.range global<x> 8
  %t = uop.range local<x> 32
  %c32 = arith.constant 32 : index
  %c31 = arith.constant 31 : index
  %base = arith.muli %b, %c32 : index
  %i = arith.addi %base, %t : index
  %s = uop.alloc : !tile
  %x = memref.load %in[%i] : memref<256xf32>
  memref.store %x, %s[%t] : !tile
  uop.barrier
  %r = arith.subi %c31, %t : index
  %y = memref.load %s[%r] : !tile
  memref.store %y, %out[%i] : memref<256xf32>
}

// -----

// All kernels of a module share one gpu.module; launches become calls, and the
// visibility and the order of the kernels stay.
// CHECK:     gpu.module @uop_kernels
// CHECK:       gpu.func @first
// CHECK:       gpu.func @second
// CHECK:     func.func @first(%{{.*}}: memref<8xf32>)
// CHECK:     func.func private @second(%{{.*}}: memref<8xf32>, %{{.*}}: f32)
// CHECK:     func.func @main
// CHECK-NEXT:  call @first(%{{.*}}) : (memref<8xf32>) -> ()
// CHECK-NEXT:  call @second(%{{.*}}, %{{.*}}) : (memref<8xf32>, f32) -> ()
uop.kernel loops @first(%x: memref<8xf32>) {
}
uop.kernel loops private @second(%x: memref<8xf32>, %v: f32) {
}
func.func @main(%x: memref<8xf32>, %v: f32) {
  uop.launch @first(%x) : memref<8xf32>
  uop.launch @second(%x, %v) : memref<8xf32>, f32
  return
}

// -----

// The name of the gpu.module gives way to one that is there.
// CHECK: gpu.module @uop_kernels_0
// CHECK: func.func @uop_kernels
uop.kernel loops @uop_kernels(%x: memref<8xf32>) {
}

// -----

// A dimension of one block or thread has no index: the thread index is read
// exactly when there is a local axis.
// CHECK-LABEL: gpu.func @ones
// CHECK-SAME:    known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 1, 1, 1>
// CHECK-NOT:     gpu.block_id
// CHECK-NOT:     gpu.thread_id
// CHECK:         gpu.return
uop.kernel loops @ones(%x: memref<4x4xf32>) {
  %b = uop.range global<x> 1
  %t = uop.range local<y> 1
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%b, %t] : memref<4x4xf32>
}

// -----

// Each dimension of a range is that of the index.
// CHECK-LABEL: gpu.func @dimensions
// CHECK-SAME:    known_block_size = array<i32: 2, 3, 5>, known_grid_size = array<i32: 7, 11, 13>
// CHECK-DAG:     %[[BX:.*]] = gpu.block_id x upper_bound 7
// CHECK-DAG:     %[[BY:.*]] = gpu.block_id y upper_bound 11
// CHECK-DAG:     %[[BZ:.*]] = gpu.block_id z upper_bound 13
// CHECK-DAG:     %[[TX:.*]] = gpu.thread_id x upper_bound 2
// CHECK-DAG:     %[[TY:.*]] = gpu.thread_id y upper_bound 3
// CHECK-DAG:     %[[TZ:.*]] = gpu.thread_id z upper_bound 5
// CHECK:         memref.store %{{.*}}, %{{.*}}[%[[BX]], %[[BY]], %[[BZ]], %[[TX]], %[[TY]], %[[TZ]]]
uop.kernel loops @dimensions(%x: memref<7x11x13x2x3x5xf32>) {
  %bx = uop.range global<x> 7
  %by = uop.range global<y> 11
  %bz = uop.range global<z> 13
  %tx = uop.range local<x> 2
  %ty = uop.range local<y> 3
  %tz = uop.range local<z> 5
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%bx, %by, %bz, %tx, %ty, %tz] : memref<7x11x13x2x3x5xf32>
}

// -----

// The host computes a dynamic grid with the kernel's arithmetic, and launches
// only where there are blocks, and no more than a launch can have. The device
// does not compute it.
// CHECK-LABEL: gpu.func @dynamic
// CHECK-SAME:    attributes {known_block_size = array<i32: 64, 1, 1>}
// CHECK-NEXT:    gpu.block_id x upper_bound 2147483647
// CHECK:         gpu.thread_id x upper_bound 64
// CHECK:       func.func @dynamic(%[[X:.*]]: memref<4096xf32>, %[[N:.*]]: index)
// CHECK:         %[[SUM:.*]] = arith.addi %[[N]], %{{.*}} : index
// CHECK:         %[[A:.*]] = arith.xori %[[N]], %[[SUM]] : index
// CHECK:         %[[B:.*]] = arith.xori %{{.*}}, %[[SUM]] : index
// CHECK:         %[[SIGNS:.*]] = arith.andi %[[A]], %[[B]] : index
// CHECK:         %[[EXACT:.*]] = arith.cmpi sge, %[[SIGNS]], %{{.*}} : index
// CHECK:         %[[BLOCKS:.*]] = arith.shrsi %[[SUM]], %{{.*}} : index
// CHECK:         %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[POSITIVE:.*]] = arith.cmpi sgt, %[[BLOCKS]], %[[C0]] : index
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         %[[SOME:.*]] = arith.select %[[EXACT]], %[[POSITIVE]], %[[TRUE]] : i1
// CHECK:         scf.if %[[SOME]] {
// CHECK-NEXT:      %[[MOST:.*]] = arith.constant 2147483647 : index
// CHECK-NEXT:      %[[SMALL:.*]] = arith.cmpi sle, %[[BLOCKS]], %[[MOST]] : index
// CHECK-NEXT:      %[[FITS:.*]] = arith.andi %[[EXACT]], %[[SMALL]] : i1
// CHECK-NEXT:      cf.assert %[[FITS]], "launch of @dynamic: expected at most 2147483647 blocks along x; split the range over several dimensions, or let each thread do more"
// CHECK-NEXT:      gpu.launch_func @uop_kernels::@dynamic blocks in (%[[BLOCKS]],
// CHECK-NEXT:    }
// CHECK-NEXT:    return
uop.kernel loops @dynamic(%x: memref<4096xf32>, %n: index) {
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %sum = arith.addi %n, %c63 : index
  %blocks = uop.floordiv %sum, %c64
  %b = uop.range global<x> %blocks
  %t = uop.range local<x> 64
  %v = arith.constant 1.0 : f32
  %i = arith.muli %b, %t : index
  memref.store %v, %x[%i] : memref<4096xf32>
}

// -----

// A grid that follows from a static memref is static.
// CHECK-LABEL: gpu.func @from_dim
// CHECK-SAME:    known_grid_size = array<i32: 4, 1, 1>
// CHECK-NOT:     memref.dim
uop.kernel loops @from_dim(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %d = memref.dim %x, %c0 : memref<64xf32>
  %blocks = uop.floordiv %d, %c16
  %b = uop.range global<x> %blocks
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%b] : memref<64xf32>
}

// -----

// A grid without blocks is not launched.
// CHECK-LABEL: gpu.func @nothing
// CHECK-NOT:     known_grid_size
// CHECK:       func.func @nothing
// CHECK-NEXT:    return
uop.kernel loops @nothing(%x: memref<64xf32>) {
  %b = uop.range global<x> 0
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%b] : memref<64xf32>
}

// -----

// Lanes fill whole warps; those beyond the extent do nothing.
// CHECK-LABEL: gpu.func @lanes
// CHECK-SAME:    known_block_size = array<i32: 32, 2, 1>
// CHECK:         %[[X:.*]] = gpu.thread_id x upper_bound 32
// CHECK:         %[[C16:.*]] = arith.constant 16 : index
// CHECK:         %[[IN:.*]] = arith.cmpi ult, %[[X]], %[[C16]]
// CHECK:         scf.if %[[IN]] {
// CHECK:           %[[LANE:.*]] = gpu.thread_id x upper_bound 32
// CHECK:           %[[ROW:.*]] = gpu.thread_id y upper_bound 2
// CHECK:           memref.store %{{.*}}, %{{.*}}[%[[ROW]], %[[LANE]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.return
uop.kernel loops @lanes(%x: memref<2x16xf32>) {
  %l = uop.range warp 16
  %w = uop.range local<y> 2
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%w, %l] : memref<2x16xf32>
}

// -----

// Workgroup memory is the block's wherever it is written. Zeroed memory is
// stored to by all threads, by linear id, before anything else; private memory
// is zeroed where it is allocated.
// CHECK-LABEL: gpu.func @zeros
// CHECK-SAME:    workgroup(%[[S:[a-z0-9]+]] : memref<3x5xi32, #gpu.address_space<workgroup>> {llvm.align = 4 : i64})
// CHECK-SAME:    private(%[[P:[a-z0-9]+]] : memref<2xf64, #gpu.address_space<private>> {llvm.align = 64 : i64})
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:         %[[Y:.*]] = gpu.thread_id y upper_bound 2
// CHECK:         %[[X:.*]] = gpu.thread_id x upper_bound 4
// CHECK:         %[[SCALED:.*]] = arith.muli %[[Y]], %c4
// CHECK:         %[[LINEAR:.*]] = arith.addi %[[X]], %[[SCALED]]
// CHECK:         %[[COUNT:.*]] = arith.constant 15 : index
// CHECK:         %[[THREADS:.*]] = arith.constant 8 : index
// CHECK:         scf.for %[[I:.*]] = %[[LINEAR]] to %[[COUNT]] step %[[THREADS]] {
// CHECK-NEXT:      %[[C5:.*]] = arith.constant 5 : index
// CHECK-NEXT:      %[[COL:.*]] = arith.remui %[[I]], %[[C5]]
// CHECK-NEXT:      %[[ROW:.*]] = arith.divui %[[I]], %[[C5]]
// CHECK-NEXT:      memref.store %[[ZERO]], %[[S]][%[[ROW]], %[[COL]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.barrier
// CHECK:         scf.for
// CHECK:           scf.for %[[J:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK-NEXT:        memref.store %{{.*}}, %[[P]][%[[J]]]
// CHECK:           memref.load %[[S]]
uop.kernel loops @zeros(%x: memref<4x2xi32>) {
  %tx = uop.range local<x> 4
  %ty = uop.range local<y> 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %s = uop.alloc zero : memref<3x5xi32, #gpu.address_space<workgroup>>
    %p = uop.alloc zero {alignment = 64} : memref<2xf64, #gpu.address_space<private>>
    %v = memref.load %s[%i, %tx] : memref<3x5xi32, #gpu.address_space<workgroup>>
    memref.store %v, %x[%tx, %ty] : memref<4x2xi32>
  }
}

// -----

// Threads beyond a phase skip it, a barrier lies between the phases, never
// under the guard, and neither before the first nor after the last.
// CHECK-LABEL: gpu.func @sum
// CHECK-SAME:    known_block_size = array<i32: 64, 1, 1>
// CHECK-NOT:     gpu.barrier
// CHECK:         %[[T:.*]] = gpu.thread_id x upper_bound 64
// CHECK:         memref.store %{{.*}}, %{{.*}}[%[[T]]]
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    %[[U:.*]] = gpu.thread_id x upper_bound 64
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[FIRST:.*]] = arith.cmpi ult, %[[U]], %[[C1]] : index
// CHECK-NEXT:    scf.if %[[FIRST]] {
// CHECK:           memref.store
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.return
!sums = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @sum(%in: memref<8x64xf32>, %out: memref<8xf32>) {
  %b = uop.range global<x> 8
  %s = uop.alloc : !sums
  uop.phase {
    %t = uop.range local<x> 64
    %x = memref.load %in[%b, %t] : memref<8x64xf32>
    memref.store %x, %s[%t] : !sums
  }
  uop.phase {
    %c0 = arith.constant 0 : index
    %x = memref.load %s[%c0] : !sums
    memref.store %x, %out[%b] : memref<8xf32>
  }
}

// -----

// In a loop the first phase comes after the last one of the iteration before.
// Each dimension of a phase is guarded where the block is larger.
// CHECK-LABEL: gpu.func @sweep
// CHECK-SAME:    known_block_size = array<i32: 32, 4, 1>
// CHECK:         scf.for
// CHECK-NEXT:      gpu.barrier
// CHECK:           arith.cmpi ult, %thread_id_y
// CHECK-NEXT:      scf.if
// CHECK:           }
// CHECK-NEXT:      gpu.barrier
// CHECK:           arith.cmpi ult, %thread_id_x
// CHECK-NEXT:      scf.if
// CHECK:           }
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.return
!line = memref<32xf32, #gpu.address_space<workgroup>>
uop.kernel loops @sweep(%in: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %s = uop.alloc : !line
  scf.for %i = %c0 to %c9 step %c1 {
    uop.phase {
      %t = uop.range local<x> 32
      %x = memref.load %in[%t] : memref<32xf32>
      memref.store %x, %s[%t] : !line
    }
    uop.phase {
      %t = uop.range local<x> 8
      %u = uop.range local<y> 4
      %x = memref.load %s[%t] : !line
      memref.store %x, %in[%t] : memref<32xf32>
    }
  }
}

// -----

// What every thread reads outside of the phases is read after a barrier.
// CHECK-LABEL: gpu.func @until
// CHECK:         scf.while
// CHECK:           memref.load
// CHECK:           scf.condition
// CHECK:         } do {
// CHECK-NEXT:      gpu.barrier
// CHECK:           memref.store
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      scf.yield
!flag = memref<1xi32, #gpu.address_space<workgroup>>
uop.kernel loops @until(%in: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %s = uop.alloc zero : !flag
  scf.while : () -> () {
    %x = memref.load %s[%c0] : !flag
    %more = arith.cmpi eq, %x, %z : i32
    scf.condition(%more)
  } do {
    uop.phase {
      %one = arith.constant 1 : i32
      memref.store %one, %s[%c0] : !flag
    }
    scf.yield
  }
}

// -----

// Divisions of what is proved not to be negative are unsigned, also by the
// extents of a phase that is smaller than the block; others round towards
// negative infinity, also by shifts and masks.
// CHECK-LABEL: gpu.func @divisions
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index)
// CHECK:         %[[T:.*]] = gpu.thread_id x
// CHECK:         arith.divui %[[T]], %[[C3:.*]] : index
// CHECK-NEXT:    arith.remui %[[T]], %[[C3]] : index
// CHECK-NEXT:    arith.floordivsi %[[N]], %[[C3]] : index
// CHECK:         %[[R:.*]] = arith.remsi %[[N]], %[[C3]] : index
// CHECK-NEXT:    %[[NONZERO:.*]] = arith.cmpi ne, %[[R]], %[[ZERO:.*]] : index
// CHECK-NEXT:    %[[SIGNS:.*]] = arith.xori %[[R]], %[[C3]] : index
// CHECK-NEXT:    %[[DIFFER:.*]] = arith.cmpi slt, %[[SIGNS]], %[[ZERO]] : index
// CHECK-NEXT:    %[[ADJUST:.*]] = arith.andi %[[NONZERO]], %[[DIFFER]] : i1
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %[[R]], %[[C3]] : index
// CHECK-NEXT:    arith.select %[[ADJUST]], %[[SUM]], %[[R]] : index
// CHECK-NEXT:    %[[LOG:.*]] = arith.constant 3 : index
// CHECK-NEXT:    arith.shrsi %[[N]], %[[LOG]] : index
// CHECK-NEXT:    %[[MASK:.*]] = arith.constant 7 : index
// CHECK-NEXT:    arith.andi %[[N]], %[[MASK]] : index
// CHECK-NEXT:    arith.floordivsi %[[T]], %[[N]] : index
uop.kernel loops @divisions(%x: memref<32xi64>, %n: index) {
  %t = uop.range local<x> 32
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %0 = uop.floordiv %t, %c3
  %1 = uop.floormod %t, %c3
  %2 = uop.floordiv %n, %c3
  %3 = uop.floormod %n, %c3
  %4 = uop.floordiv %n, %c8
  %5 = uop.floormod %n, %c8
  %6 = uop.floordiv %t, %n
}

// -----

// A phase that is smaller than the block has the tighter bounds: 7 - t is not
// negative for its 8 threads.
// CHECK-LABEL: gpu.func @phase_bounds
// CHECK:         scf.if
// CHECK:           arith.divui
uop.kernel loops @phase_bounds(%x: memref<32xf32>) {
  %v = arith.constant 1.0 : f32
  uop.phase {
    %t = uop.range local<x> 32
    memref.store %v, %x[%t] : memref<32xf32>
  }
  uop.phase {
    %t = uop.range local<x> 8
    %c7 = arith.constant 7 : index
    %c3 = arith.constant 3 : index
    %back = arith.subi %c7, %t : index
    %i = uop.floordiv %back, %c3
    memref.store %v, %x[%i] : memref<32xf32>
  }
}

// -----

// Host code has floor divisions, too.
// CHECK-LABEL: func.func @host
// CHECK:         arith.floordivsi
func.func @host(%n: index) -> index {
  %c3 = arith.constant 3 : index
  %0 = uop.floordiv %n, %c3
  return %0 : index
}

// -----

// A view or cast of an argument that is written to writes to the argument, and
// so does an atomic; a view that is read does not. What the kernel states of an
// argument stays, the host's keeps what is not about the pointer.
// CHECK-LABEL: gpu.func @arguments(
// CHECK-SAME:    %{{.*}}: memref<8x4xf32> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME:    %{{.*}}: memref<32xf32> {llvm.align = 128 : i64, llvm.noalias, test.mark}
// CHECK-SAME:    %{{.*}}: memref<4xi32> {llvm.align = 4 : i64, llvm.noalias}
// CHECK-SAME:    %{{.*}}: memref<4xi1> {llvm.align = 1 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME:    %{{.*}}: memref<4xbf16> {llvm.align = 2 : i64, llvm.noalias}
// CHECK-SAME:    %{{.*}}: i32)
// CHECK-SAME:    nvvm.maxnreg = 32
// CHECK-LABEL: func.func @arguments(
// CHECK-SAME:    %{{.*}}: memref<8x4xf32>,
// CHECK-SAME:    %{{.*}}: memref<32xf32> {test.mark},
// CHECK-SAME:    %{{.*}}: memref<4xi32>,
// CHECK-NOT:     nvvm
uop.kernel loops @arguments(%read: memref<8x4xf32>,
                            %written: memref<32xf32> {llvm.align = 128 : i64, test.mark},
                            %counted: memref<4xi32>, %unused: memref<4xi1>,
                            %chosen: memref<4xbf16>, %one: i32)
    attributes {nvvm.maxnreg = 32 : i32} {
  %t = uop.range local<x> 4
  %flat = memref.collapse_shape %read [[0, 1]] : memref<8x4xf32> into memref<32xf32>
  %v = memref.load %flat[%t] : memref<32xf32>
  %part = memref.subview %written[4] [4] [1] : memref<32xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.store %v, %part[%t] : memref<4xf32, strided<[1], offset: 4>>
  %old = memref.atomic_rmw addi %one, %counted[%t] : (i32, memref<4xi32>) -> i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : bf16
  scf.for %i = %c0 to %c1 step %c1 iter_args(%m = %chosen) -> memref<4xbf16> {
    memref.store %z, %m[%t] : memref<4xbf16>
    scf.yield %m : memref<4xbf16>
  }
}

// -----

// Memory asks for the alignment of wide accesses where its size allows these.
// CHECK-LABEL: gpu.func @alignment
// CHECK-SAME:    memref<8xf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}
// CHECK-SAME:    memref<7xf16, #gpu.address_space<workgroup>> {llvm.align = 2 : i64}
uop.kernel loops @alignment(%x: memref<4xf32>) {
  %a = uop.alloc : memref<8xf16, #gpu.address_space<workgroup>>
  %b = uop.alloc : memref<7xf16, #gpu.address_space<workgroup>>
}

// -----

// An allocation may stand first, before one that is zeroed.
// CHECK-LABEL: gpu.func @zeroed_second
// CHECK-SAME:    workgroup(%[[FIRST:[a-z0-9]+]] : memref<64xf32, {{.*}}> {llvm.align = 16 : i64}, %[[SECOND:[a-z0-9]+]] : memref<64xf32
// CHECK:         %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK:         scf.for %[[I:.*]] = %thread_id_x to
// CHECK-NEXT:      memref.store %[[ZERO]], %[[SECOND]][%[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.barrier
// CHECK:         memref.load %[[SECOND]]
!shared = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @zeroed_second(%y: memref<16xf32>) {
  %s = uop.alloc : !shared
  %q = uop.alloc zero : !shared
  %t = uop.range local<x> 7
  %v = memref.load %q[%t] : !shared
  memref.store %v, %y[%t] : memref<16xf32>
}
