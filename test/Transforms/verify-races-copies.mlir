// Asynchronous copies in loops: which wait completes which copy follows from the
// groups that are made in between, and the buffer from the iteration.
// RUN: split-file %s %t
// RUN: uop-opt %t/proved.mlir --split-input-file '--uop-verify-races=strict remarks' --verify-diagnostics
// RUN: uop-opt %t/refused.mlir --split-input-file --uop-verify-races --verify-diagnostics

// The tiles of a product are filled ahead as the pass does it: proved with two
// buffers and with three, also where their rows are swizzled and where the last
// tiles are partial.
// RUN: uop-opt %t/gemm.mlir --uop-place-shared=buffers=2 --uop-lower-to-loops --uop-pipeline-shared=copy=async '--uop-verify-races=strict remarks' 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: uop-opt %t/gemm.mlir --uop-place-shared=buffers=3 --uop-lower-to-loops --uop-pipeline-shared=copy=async -o %t/three.mlir
// RUN: uop-opt %t/three.mlir '--uop-verify-races=strict remarks' 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: uop-opt %t/gemm.mlir --uop-place-shared='buffers=3 layout=xor:4' --uop-lower-to-loops --uop-pipeline-shared=copy=async '--uop-verify-races=strict remarks' 2>&1 | FileCheck %s --check-prefix=PROVED
// PROVED: remark: race-free: {{[0-9]+}} pairs of accesses proved

// With one group too few it is not, nor without the barrier of the loop, nor with
// two of three buffers: two threads and two ops are named.
// RUN: sed 's/numGroups = 1 /numGroups = 2 /' %t/three.mlir > %t/few.mlir
// RUN: not uop-opt %t/few.mlir --uop-verify-races 2>&1 | FileCheck %s --check-prefix=WAY
// RUN: sed '/async_wait/,$ {/uop.barrier/d}' %t/three.mlir > %t/none.mlir
// RUN: not uop-opt %t/none.mlir --uop-verify-races 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: sed -E 's/(uop.floormod %%[a-z0-9_]+, )%%c3.*/\1%%c2/' %t/three.mlir > %t/two.mlir
// RUN: not uop-opt %t/two.mlir --uop-verify-races 2>&1 | FileCheck %s --check-prefix=WAY
// WAY: error: race on shared memory ({{.*}}): thread ({{.*}}) (iteration at {{.*}}) reads element [{{.*}}] that thread ({{.*}}) {{.*}}writes, while the copy is under way; wait for its group
// WAY: note: the other access, which writes, is here
// WAY-NEXT: nvgpu.device_async_copy
// BARRIER: error: race on shared memory ({{.*}}): thread ({{.*}}) (iteration at {{.*}}) reads element [{{.*}}] that thread ({{.*}}) {{.*}}writes, with no barrier in between
// BARRIER: note: the other access, which writes, is here
// BARRIER-NEXT: nvgpu.device_async_copy

//--- gemm.mlir
uop.kernel @gemm(%A: memref<40x72xf32>, %B: memref<72x40xf32>,
                 %C: memref<40x40xf32>) {
  %m = uop.range loop 40
  %n = uop.range loop 40
  %k = uop.range reduce 72
  %a = uop.load %A[%m, %k] : memref<40x72xf32>
  %b = uop.load %B[%k, %n] : memref<72x40xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<40x40xf32>
}

//--- proved.mlir
// A copy that is waited for in its own iteration, into two buffers in turn.
!s = memref<2x64xf32, #gpu.address_space<workgroup>>
// expected-remark @below {{race-free: 3 pairs of accesses proved}}
uop.kernel loops @in_turn(%a: memref<8x64xf32>, %c: memref<8x64xf32>) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %s = uop.alloc : !s
  scf.for %k = %c0 to %c8 step %c1 {
    %slot = uop.floormod %k, %c2
    %p = nvgpu.device_async_copy %a[%k, %t], %s[%slot, %t], 1 : memref<8x64xf32> to !s
    %g = nvgpu.device_async_create_group %p
    nvgpu.device_async_wait %g
    uop.barrier
    %v = memref.load %s[%slot, %r] : !s
    memref.store %v, %c[%k, %t] : memref<8x64xf32>
  }
}

// -----

// A number of iterations that is not known: where there is none the first copy is
// not issued, and where there is one it is completed; the memory is written after
// the loop.
!s = memref<2x64xf32, #gpu.address_space<workgroup>>
// expected-remark @below {{race-free}}
uop.kernel loops @so_many(%n: index, %a: memref<?x64xf32>,
                          %c: memref<?x64xf32>) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc : !s
  %any = arith.cmpi slt, %c0, %n : index
  scf.if %any {
    %p = nvgpu.device_async_copy %a[%c0, %t], %s[%c0, %t], 1 : memref<?x64xf32> to !s
  }
  %g = nvgpu.device_async_create_group {uop.ahead = 1 : i64}
  scf.for %k = %c0 to %n step %c1 {
    nvgpu.device_async_wait %g
    uop.barrier
    %next = arith.addi %k, %c1 : index
    %to = uop.floormod %next, %c2
    %in = arith.cmpi slt, %next, %n : index
    scf.if %in {
      %p = nvgpu.device_async_copy %a[%next, %t], %s[%to, %t], 1 : memref<?x64xf32> to !s
    }
    %h = nvgpu.device_async_create_group {uop.ahead = 1 : i64}
    %from = uop.floormod %k, %c2
    %v = memref.load %s[%from, %r] : !s
    memref.store %v, %c[%k, %t] : memref<?x64xf32>
  }
  uop.barrier
  memref.store %zero, %s[%c0, %r] : !s
}

// -----

// The last iteration waits for everything, by the condition under which the
// copies before were made.
!s = memref<2x64xf32, #gpu.address_space<workgroup>>
// expected-remark @below {{race-free}}
uop.kernel loops @all_at_the_end(%a: memref<8x64xf32>, %c: memref<8x64xf32>) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %s = uop.alloc : !s
  %p0 = nvgpu.device_async_copy %a[%c0, %t], %s[%c0, %t], 1 : memref<8x64xf32> to !s
  %g0 = nvgpu.device_async_create_group %p0
  scf.for %k = %c0 to %c8 step %c1 {
    %next = arith.addi %k, %c1 : index
    %to = uop.floormod %next, %c2
    %more = arith.cmpi slt, %next, %c8 : index
    scf.if %more {
      %p = nvgpu.device_async_copy %a[%next, %t], %s[%to, %t], 1 : memref<8x64xf32> to !s
      %g = nvgpu.device_async_create_group %p
    }
    scf.if %more {
      nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    } else {
      nvgpu.device_async_wait %g0
    }
    uop.barrier
    %from = uop.floormod %k, %c2
    %v = memref.load %s[%from, %r] : !s
    memref.store %v, %c[%k, %t] : memref<8x64xf32>
    uop.barrier
  }
}

//--- refused.mlir
// A copy that is in no group is not waited for.
!s = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @no_group(%a: memref<64xf32>, %c: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %s = uop.alloc : !s
  %g = nvgpu.device_async_create_group {uop.ahead = 1 : i64}
  // expected-note @below {{the other access, which writes, is here}}
  %p = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<64xf32> to !s
  nvgpu.device_async_wait %g
  uop.barrier
  // expected-error @below {{race on shared memory (same block): thread (63, 0, 0) reads element [0] that thread (0, 0, 0) writes, while the copy is under way; wait for its group, and put a uop.barrier after that}}
  %v = memref.load %s[%r] : !s
  memref.store %v, %c[%t] : memref<64xf32>
}

// -----

// What is copied is read until the copy is completed.
!s = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @source(%a: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc : !s
  // expected-note @below {{the other access, which reads, is here}}
  %p = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<64xf32> to !s
  %g = nvgpu.device_async_create_group %p
  uop.barrier
  // expected-error @below {{race on global memory (same block): thread (63, 0, 0) writes element [0] that thread (0, 0, 0) reads, while the copy is under way}}
  memref.store %f, %a[%r] : memref<64xf32>
  nvgpu.device_async_wait %g
}

// -----

// After the loop the last two copies are under way.
!s = memref<8x64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @after_the_loop(%a: memref<8x64xf32>, %c: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %s = uop.alloc : !s
  scf.for %k = %c0 to %c8 step %c1 {
    // expected-note @below {{the other access, which writes, is here}}
    %p = nvgpu.device_async_copy %a[%k, %t], %s[%k, %t], 1 : memref<8x64xf32> to !s
    %g = nvgpu.device_async_create_group %p
    nvgpu.device_async_wait %g {numGroups = 2 : i32}
    uop.barrier
  }
  %u = memref.load %s[%c5, %r] : !s
  // expected-error @below {{race on shared memory (same block): thread (63, 0, 0) reads element [6, 0] that thread (0, 0, 0) (iteration at 6) writes, while the copy is under way}}
  %v = memref.load %s[%c6, %r] : !s
  %w = arith.addf %u, %v : f32
  memref.store %w, %c[%t] : memref<64xf32>
}

// -----

// Which way was taken before is not known.
!s = memref<64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @some_wait(%n: index, %a: memref<64xf32>, %c: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %s = uop.alloc : !s
  // expected-note @below {{the other access, which writes, is here}}
  %p = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<64xf32> to !s
  %g = nvgpu.device_async_create_group %p
  %some = arith.cmpi eq, %n, %c0 : index
  scf.if %some {
    nvgpu.device_async_wait %g
  }
  uop.barrier
  // expected-warning @below {{not provably free of races: two threads of a block may access one element of shared memory, of which one writes and one reads it, in no order: whether the copy is completed by then depends on a condition}}
  %v = memref.load %s[%r] : !s
  memref.store %v, %c[%t] : memref<64xf32>
}
