// Checked mode: what fences and atomic updates order between them, in the order
// in which the updates come. See Inputs/check.py for the lines.
// DEFINE: %{check} = %python %S/Inputs/check.py uop-run %s

!s1 = memref<1xi32, #gpu.address_space<workgroup>>
!s64 = memref<64xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
gpu.module @kernels {
  // Each block stores 32 values, and the last one that counts itself reads those
  // of all. Which fences there are is what the arguments say.
  gpu.func @last_block(%p: memref<4x32xi32>, %count: memref<i32>, %o: memref<32xi32>,
                       %releases: i1, %acquires: i1) workgroup(%s: !s1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %v = arith.index_cast %t : index to i32
    memref.store %v, %p[%b, %t] : memref<4x32xi32>
    gpu.barrier
    %isFirst = arith.cmpi eq, %t, %c0 : index
    scf.if %isFirst {
      scf.if %releases {
        llvm.fence release
      }
      %before = memref.atomic_rmw addi %one, %count[] : (i32, memref<i32>) -> i32
      scf.if %acquires {
        llvm.fence acquire
      }
      memref.store %before, %s[%c0] : !s1
    }
    gpu.barrier
    %number = memref.load %s[%c0] : !s1
    %isLast = arith.cmpi eq, %number, %three : i32
    scf.if %isLast {
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> i32 {
        %w = memref.load %p[%i, %t] : memref<4x32xi32>
        %next = arith.addi %sum, %w : i32
        scf.yield %next : i32
      }
      memref.store %sum, %o[%t] : memref<32xi32>
    }
    gpu.return
  }

  // The fence comes before the store that it is to release.
  gpu.func @fence_early(%p: memref<4x32xi32>, %count: memref<i32>, %o: memref<32xi32>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    nvvm.memory.barrier <gpu>
    memref.store %one, %p[%c0, %t] : memref<4x32xi32>
    %before = memref.atomic_rmw addi %one, %count[] : (i32, memref<i32>) -> i32
    nvvm.memory.barrier <gpu>
    gpu.return
  }

  // Block 0 hands on to block 1 by one count, block 1 to block 2 by another.
  gpu.func @chain(%p: memref<4x32xi32>, %a: memref<i32>, %c: memref<i32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %is0 = arith.cmpi eq, %b, %c0 : index
    %is1 = arith.cmpi eq, %b, %c1 : index
    %is2 = arith.cmpi eq, %b, %c2 : index
    scf.if %is0 {
      memref.store %one, %p[%c0, %t] : memref<4x32xi32>
      llvm.fence seq_cst
      %x = memref.atomic_rmw addi %one, %a[] : (i32, memref<i32>) -> i32
    }
    scf.if %is1 {
      %x = memref.atomic_rmw addi %one, %a[] : (i32, memref<i32>) -> i32
      llvm.fence seq_cst
      %y = memref.atomic_rmw addi %one, %c[] : (i32, memref<i32>) -> i32
    }
    scf.if %is2 {
      %y = memref.atomic_rmw addi %one, %c[] : (i32, memref<i32>) -> i32
      llvm.fence seq_cst
      %w = memref.load %p[%c0, %t] : memref<4x32xi32>
    }
    gpu.return
  }

  // Threads of a block: each stores, releases, counts itself, acquires and reads
  // what thread 0 has stored; the last one stores there.
  gpu.func @threads(%count: memref<i32>, %o: memref<64xi32>) workgroup(%s: !s64, %n: !s1) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %isFirst = arith.cmpi eq, %t, %c0 : index
    scf.if %isFirst {
      memref.store %zero, %n[%c0] : !s1
    }
    gpu.barrier
    memref.store %one, %s[%t] : !s64
    llvm.fence acq_rel
    %before = memref.atomic_rmw addi %one, %n[%c0] : (i32, !s1) -> i32
    llvm.fence acq_rel
    %v = memref.load %s[%c0] : !s64
    %isLast = arith.cmpi eq, %t, %c63 : index
    scf.if %isLast {
      memref.store %zero, %s[%c0] : !s64
    }
    gpu.return
  }
}

// RUN: %{check} -e last_block nan zeros nan 1 1 | FileCheck %s --match-full-lines --check-prefix=CLEAN
// RUN: %{check} -e chain nan zeros zeros | FileCheck %s --match-full-lines --check-prefix=CLEAN
// CLEAN: clean

// Three blocks are not ordered before the last one.
// RUN: %{check} -e last_block nan zeros nan 0 1 | FileCheck %s --match-full-lines --check-prefix=LAST
// RUN: %{check} -e last_block nan zeros nan 1 0 | FileCheck %s --match-full-lines --check-prefix=LAST
// RUN: %{check} -e last_block nan zeros nan 0 0 | FileCheck %s --match-full-lines --check-prefix=LAST
// LAST: race global cross-block x96 memref.load memref.store %p[0, 0] (0, 0, 0)/(3, 0, 0) (0, 0, 0)/(0, 0, 0)
// LAST-NOT: {{.}}
func.func @last_block(%p: memref<4x32xi32>, %count: memref<i32>, %o: memref<32xi32>, %releases: i1, %acquires: i1) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@last_block blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%p : memref<4x32xi32>, %count : memref<i32>, %o : memref<32xi32>, %releases : i1, %acquires : i1)
  return
}

// 6 pairs of blocks, by 32 threads.
// RUN: %{check} -e fence_early nan zeros nan | FileCheck %s --match-full-lines --check-prefix=STORES
// STORES: equal-value-race global cross-block x192 memref.store memref.store %p[0, 0] (0, 0, 0)/(0, 0, 0) (0, 0, 0)/(1, 0, 0)
// STORES-NOT: {{.}}
func.func @fence_early(%p: memref<4x32xi32>, %count: memref<i32>, %o: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@fence_early blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%p : memref<4x32xi32>, %count : memref<i32>, %o : memref<32xi32>)
  return
}
func.func @chain(%p: memref<4x32xi32>, %a: memref<i32>, %c: memref<i32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@chain blocks in (%c3, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%p : memref<4x32xi32>, %a : memref<i32>, %c : memref<i32>)
  return
}

// All have counted themselves before the last one, but they read after that: 63
// reads, 31 of them in its warp. A block after this one knows nothing of what the
// first has done with the same memory.
// RUN: %{check} -e threads zeros nan | FileCheck %s --match-full-lines --check-prefix=THREADS
// THREADS: race shared same-block x64 memref.load memref.store %s[0] (0, 0, 0)/(0, 0, 0) (63, 0, 0)/(0, 0, 0)
// THREADS-NEXT: race shared same-warp x62 memref.load memref.store %s[0] (32, 0, 0)/(0, 0, 0) (63, 0, 0)/(0, 0, 0)
// THREADS-NOT: {{.}}
func.func @threads(%count: memref<i32>, %o: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@threads blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%count : memref<i32>, %o : memref<64xi32>)
  return
}
}
