// Checked mode where the threads of a warp wait for each other alone. See
// Inputs/check.py for the lines; a block of 64 threads has two warps.
// DEFINE: %{check} = %python %S/Inputs/check.py uop-run %s

!s64 = memref<64xi32, #gpu.address_space<workgroup>>
!s256 = memref<256xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
gpu.module @kernels {
  // A value goes from lane to lane and back by way of shared memory.
  gpu.func @exchange(%x: memref<64xi32>) workgroup(%s: !s64) kernel {
    %all = arith.constant -1 : i32
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %other = arith.xori %t, %c1 : index
    %third = arith.xori %t, %c2 : index
    %v = memref.load %x[%t] : memref<64xi32>
    memref.store %v, %s[%t] : !s64
    nvvm.bar.warp.sync %all : i32
    %a = memref.load %s[%other] : !s64
    nvvm.bar.warp.sync %all : i32
    memref.store %a, %s[%t] : !s64
    nvvm.bar.warp.sync %all : i32
    %b = memref.load %s[%third] : !s64
    memref.store %b, %x[%t] : memref<64xi32>
    gpu.return
  }

  // Without the second barrier; one of the block, beside two of the warp, orders
  // the rest.
  gpu.func @exchange_early(%x: memref<64xi32>) workgroup(%s: !s64) kernel {
    %all = arith.constant -1 : i32
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %other = arith.xori %t, %c1 : index
    %far = arith.xori %t, %c32 : index
    %v = memref.load %x[%t] : memref<64xi32>
    memref.store %v, %s[%t] : !s64
    nvvm.bar.warp.sync %all : i32
    %a = memref.load %s[%other] : !s64
    memref.store %a, %s[%t] : !s64
    nvvm.bar.warp.sync %all : i32
    gpu.barrier
    nvvm.bar.warp.sync %all : i32
    %b = memref.load %s[%far] : !s64
    memref.store %b, %x[%t] : memref<64xi32>
    gpu.return
  }

  gpu.func @without(%x: memref<64xi32>) workgroup(%s: !s64) kernel {
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %other = arith.xori %t, %c1 : index
    %v = memref.load %x[%t] : memref<64xi32>
    memref.store %v, %s[%t] : !s64
    %a = memref.load %s[%other] : !s64
    memref.store %a, %x[%t] : memref<64xi32>
    gpu.return
  }

  // The warps are not ordered by barriers of their own.
  gpu.func @between(%x: memref<64xi32>) workgroup(%s: !s64) kernel {
    %all = arith.constant -1 : i32
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %far = arith.xori %t, %c32 : index
    %v = memref.load %x[%t] : memref<64xi32>
    memref.store %v, %s[%t] : !s64
    nvvm.bar.warp.sync %all : i32
    %a = memref.load %s[%far] : !s64
    memref.store %a, %x[%t] : memref<64xi32>
    gpu.return
  }

  // A tree of sums in each warp: a step reads from lanes that do not write.
  gpu.func @tree(%x: memref<64xi32>) workgroup(%s: !s64) kernel {
    %all = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %lane = gpu.lane_id
    %v = memref.load %x[%t] : memref<64xi32>
    memref.store %v, %s[%t] : !s64
    nvvm.bar.warp.sync %all : i32
    scf.for %i = %c0 to %c5 step %c1 {
      %off = arith.shrui %c16, %i : index
      %takes = arith.cmpi ult, %lane, %off : index
      scf.if %takes {
        %j = arith.addi %t, %off : index
        %a = memref.load %s[%t] : !s64
        %b = memref.load %s[%j] : !s64
        %sum = arith.addi %a, %b : i32
        memref.store %sum, %s[%t] : !s64
      }
      nvvm.bar.warp.sync %all : i32
    }
    %sum = memref.load %s[%t] : !s64
    memref.store %sum, %x[%t] : memref<64xi32>
    gpu.return
  }

  // A scan with one barrier a step: lane l reads what lane l - d writes in the
  // same step, where l >= 2 d.
  gpu.func @scan(%x: memref<64xi32>) workgroup(%s: !s64) kernel {
    %all = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %t = gpu.thread_id x
    %lane = gpu.lane_id
    %v = memref.load %x[%t] : memref<64xi32>
    memref.store %v, %s[%t] : !s64
    nvvm.bar.warp.sync %all : i32
    scf.for %i = %c0 to %c5 step %c1 {
      %d = arith.shli %c1, %i : index
      %takes = arith.cmpi uge, %lane, %d : index
      scf.if %takes {
        %j = arith.subi %t, %d : index
        %a = memref.load %s[%t] : !s64
        %b = memref.load %s[%j] : !s64
        %sum = arith.addi %a, %b : i32
        memref.store %sum, %s[%t] : !s64
      }
      nvvm.bar.warp.sync %all : i32
    }
    gpu.return
  }

  // Each warp goes as many turns as it has a number, from one on. Then it reads
  // what the other one has stored last.
  gpu.func @turns(%x: memref<64xi32>, %waits: i1) workgroup(%s: !s64) kernel {
    %all = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %warp = gpu.subgroup_id : index
    %turns = arith.addi %warp, %c1 : index
    %other = arith.xori %t, %c1 : index
    %far = arith.xori %t, %c32 : index
    scf.for %i = %c0 to %turns step %c1 {
      memref.store %all, %s[%t] : !s64
      nvvm.bar.warp.sync %all : i32
      %a = memref.load %s[%other] : !s64
      nvvm.bar.warp.sync %all : i32
    }
    scf.if %waits {
      gpu.barrier
    }
    %b = memref.load %s[%far] : !s64
    memref.store %b, %x[%t] : memref<64xi32>
    gpu.return
  }

  // Through global memory, by two blocks at the same elements.
  gpu.func @global(%x: memref<32xi32>) kernel {
    %all = arith.constant -1 : i32
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %other = arith.xori %t, %c1 : index
    %v = arith.index_cast %t : index to i32
    memref.store %v, %x[%t] : memref<32xi32>
    nvvm.bar.warp.sync %all : i32
    %a = memref.load %x[%other] : memref<32xi32>
    gpu.return
  }

  // What a warp has copied and waited for is seen by it after a barrier.
  gpu.func @copy(%x: memref<256xi32>) workgroup(%s: !s256) kernel {
    %all = arith.constant -1 : i32
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %c = nvgpu.device_async_copy %x[%i], %s[%i], 4 : memref<256xi32> to !s256
    %g = nvgpu.device_async_create_group %c
    nvgpu.device_async_wait %g
    nvvm.bar.warp.sync %all : i32
    %other = arith.xori %t, %c1 : index
    %j = arith.muli %other, %c4 : index
    %a = memref.load %s[%j] : !s256
    nvvm.bar.warp.sync %all : i32
    memref.store %a, %s[%i] : !s256
    gpu.return
  }

  // Two barriers do not end a copy; the barrier after the wait does, for those
  // of the warp.
  gpu.func @copy_early(%x: memref<256xi32>) workgroup(%s: !s256) kernel {
    %all = arith.constant -1 : i32
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %c = nvgpu.device_async_copy %x[%i], %s[%i], 4 : memref<256xi32> to !s256
    %g = nvgpu.device_async_create_group %c
    nvvm.bar.warp.sync %all : i32
    nvvm.bar.warp.sync %all : i32
    %other = arith.xori %t, %c1 : index
    %far = arith.xori %t, %c32 : index
    %j = arith.muli %other, %c4 : index
    %k = arith.muli %far, %c4 : index
    memref.store %all, %s[%j] : !s256
    nvgpu.device_async_wait %g
    nvvm.bar.warp.sync %all : i32
    %b = memref.load %s[%j] : !s256
    %d = memref.load %s[%k] : !s256
    %sum = arith.addi %b, %d : i32
    gpu.return
  }
}

// RUN: %{check} -e exchange iota | FileCheck %s --match-full-lines --check-prefix=CLEAN
// RUN: %{check} -e tree iota | FileCheck %s --match-full-lines --check-prefix=CLEAN
// RUN: %{check} -e copy iota | FileCheck %s --match-full-lines --check-prefix=CLEAN
// CLEAN: clean
func.func @exchange(%x: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@exchange blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xi32>)
  return
}
func.func @tree(%x: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@tree blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xi32>)
  return
}
func.func @copy(%x: memref<256xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<256xi32>)
  return
}

// Each thread reads what its neighbour then writes: one pair each.
// RUN: %{check} -e exchange_early iota | FileCheck %s --match-full-lines --check-prefix=EARLY
// EARLY: race shared same-warp x64 memref.load memref.store %s[0] (1, 0, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// EARLY-NOT: {{.}}
func.func @exchange_early(%x: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@exchange_early blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xi32>)
  return
}

// RUN: %{check} -e without iota | FileCheck %s --match-full-lines --check-prefix=WITHOUT
// WITHOUT: race shared same-warp x64 memref.load memref.store %s[0] (1, 0, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// WITHOUT-NEXT: uninitialized-read x32 memref.load %s[1] (0, 0, 0)/(0, 0, 0)
// WITHOUT-NOT: {{.}}
func.func @without(%x: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@without blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xi32>)
  return
}

// RUN: %{check} -e between iota | FileCheck %s --match-full-lines --check-prefix=BETWEEN
// BETWEEN: race shared same-block x64 memref.load memref.store %s[0] (32, 0, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// BETWEEN-NOT: {{.}}
func.func @between(%x: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@between blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xi32>)
  return
}

// (32 - 2) + (32 - 4) + (32 - 8) + (32 - 16) pairs in each of two warps.
// RUN: %{check} -e scan iota | FileCheck %s --match-full-lines --check-prefix=SCAN
// SCAN: race shared same-warp x196 memref.load memref.store %s[1] (2, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// SCAN-NOT: {{.}}
func.func @scan(%x: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@scan blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xi32>)
  return
}

// 32 threads read what has been stored once, 32 what has been stored twice; those
// of the first warp before it is stored.
// RUN: %{check} -e turns iota 1 | FileCheck %s --match-full-lines --check-prefix=CLEAN
// RUN: %{check} -e turns iota 0 | FileCheck %s --match-full-lines --check-prefix=TURNS
// TURNS: race shared same-block x96 memref.load memref.store %s[0] (32, 0, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// TURNS-NEXT: uninitialized-read x32 memref.load %s[32] (0, 0, 0)/(0, 0, 0)
// TURNS-NOT: {{.}}
func.func @turns(%x: memref<64xi32>, %waits: i1) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@turns blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xi32>, %waits : i1)
  return
}

// RUN: %{check} -e global iota | FileCheck %s --match-full-lines --check-prefix=GLOBAL
// GLOBAL: equal-value-race global cross-block x32 memref.store memref.store %x[0] (0, 0, 0)/(0, 0, 0) (0, 0, 0)/(1, 0, 0)
// GLOBAL-NEXT: race global cross-block x64 memref.load memref.store %x[0] (1, 0, 0)/(1, 0, 0) (0, 0, 0)/(0, 0, 0)
// GLOBAL-NOT: {{.}}
func.func @global(%x: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@global blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xi32>)
  return
}

// The store into what the neighbour still copies, and the loads of what the other
// warp has copied and stored: one pair for each thread, however many barriers
// there are.
// RUN: %{check} -e copy_early iota | FileCheck %s --match-full-lines --check-prefix=COPY
// COPY: race shared same-block x64 memref.load memref.store %s[0] (32, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// COPY-NEXT: race shared same-block x64 memref.load nvgpu.device_async_copy %s[0] (32, 0, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// COPY-NEXT: race shared same-warp x64 nvgpu.device_async_copy memref.store %s[0] (0, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// COPY-NOT: {{.}}
func.func @copy_early(%x: memref<256xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@copy_early blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<256xi32>)
  return
}
}
