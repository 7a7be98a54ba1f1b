// The rules of loop form.
// RUN: uop-opt %s --split-input-file --verify-diagnostics

// Which ops there are.

uop.kernel loops @load(%a: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'uop.load' op is not allowed in loop form; use memref and scf, or write the kernel in graph form}}
  %x = uop.load %a[%i] : memref<4xf32>
}

// -----

uop.kernel loops @store(%a: memref<4xf32>, %i: index, %x: f32) {
  // expected-error@+1 {{'uop.store' op is not allowed in loop form; use memref and scf, or write the kernel in graph form}}
  uop.store %x, %a[%i] : memref<4xf32>
}

// -----

uop.kernel loops @alloca() {
  memref.alloca_scope {
    // expected-error@+1 {{'memref.alloca' op is not allowed in a kernel; use uop.alloc for workgroup or private memory}}
    %m = memref.alloca() : memref<4xf32>
  }
}

// -----

uop.kernel loops @alloc_workgroup() {
  // expected-error@+1 {{'memref.alloc' op is not allowed in a kernel; use uop.alloc for workgroup or private memory}}
  %m = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
}

// -----

uop.kernel loops @foreign() {
  // expected-error@+1 {{'gpu.barrier' op is not allowed in loop form: expected scf, memref, vector, arith, math and uop ops, gpu.shuffle, or nvgpu.device_async_copy, _create_group and _wait}}
  gpu.barrier
}

// -----

uop.kernel loops @launch() {
  // expected-error@+1 {{'uop.launch' op is not allowed in loop form: expected scf, memref, vector, arith, math and uop ops, gpu.shuffle, or nvgpu.device_async_copy, _create_group and _wait}}
  uop.launch @launch()
}

// -----

// Ranges.

uop.kernel loops @serial() {
  // expected-error@+1 {{'uop.range' op expected a hardware axis (global, local, warp or thread) in loop form, but got 'serial'; write the loop with scf.for}}
  %i = uop.range serial 4
}

// -----

uop.kernel loops @group_reduce() {
  // expected-error@+1 {{'uop.range' op expected a hardware axis (global, local, warp or thread) in loop form, but got 'group_reduce<x>'; write the loop with scf.for}}
  %i = uop.range group_reduce<x> 4
}

// -----

uop.kernel loops @range_in_branch(%c: i1) {
  scf.if %c {
    // expected-error@+1 {{'uop.range' op expected ranges at the top of the kernel or directly in a phase}}
    %i = uop.range local<x> 4
  }
}

// -----

uop.kernel loops @two_of_one_dimension() {
  // expected-note@+1 {{the first range is defined here}}
  %i = uop.range local<x> 4
  // expected-error@+2 {{'uop.range' op is free in two ranges of one hardware dimension, 'local<x> 4' and 'local<x> 8'; give one of them another dimension or a serial axis}}
  // expected-note@+1 {{the second range is defined here}}
  %j = uop.range local<x> 8
}

// -----

uop.kernel loops @block() {
  %i = uop.range local<x> 1024
  // expected-error@+1 {{'uop.range' op makes a block of 1024x2x1 threads: expected at most 1024; give each thread more outputs, or split the range over more blocks}}
  %j = uop.range local<y> 2
}

// -----

// Allocations, barriers and phases.

func.func @alloc_outside() {
  // expected-error@+1 {{'uop.alloc' op expected to be inside a uop.kernel}}
  %0 = uop.alloc : memref<4xf32, #gpu.address_space<private>>
  return
}

// -----

func.func @barrier_outside() {
  // expected-error@+1 {{'uop.barrier' op expected to be inside a uop.kernel}}
  uop.barrier
  return
}

// -----

func.func @phase_outside() {
  // expected-error@+1 {{'uop.phase' op expected to be inside a uop.kernel}}
  uop.phase {
  }
  return
}

// -----

uop.kernel loops @alloc_default() {
  // expected-error@+1 {{'uop.alloc' op expected the memory space #gpu.address_space<workgroup> or #gpu.address_space<private>, but got 'memref<4xf32>'}}
  %0 = uop.alloc : memref<4xf32>
}

// -----

uop.kernel loops @alloc_global() {
  // expected-error@+1 {{'uop.alloc' op expected the memory space #gpu.address_space<workgroup> or #gpu.address_space<private>, but got 'memref<4xf32, #gpu.address_space<global>>'}}
  %0 = uop.alloc : memref<4xf32, #gpu.address_space<global>>
}

// -----

uop.kernel loops @alloc_layout() {
  // expected-error@+1 {{'uop.alloc' op expected an identity layout, but got 'memref<4x4xf32, strided<[8, 1]>, #gpu.address_space<private>>'}}
  %0 = uop.alloc : memref<4x4xf32, strided<[8, 1]>, #gpu.address_space<private>>
}

// -----

uop.kernel loops @alloc_dynamic() {
  // expected-error@+1 {{'uop.alloc' op result #0 must be statically shaped memref of signless integer or floating-point values, but got 'memref<?xf32, #gpu.address_space<private>>'}}
  %0 = uop.alloc : memref<?xf32, #gpu.address_space<private>>
}

// -----

uop.kernel loops @alloc_alignment() {
  // expected-error@+1 {{'uop.alloc' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive whose value is a power of two > 0}}
  %0 = uop.alloc {alignment = 24} : memref<4xf32, #gpu.address_space<private>>
}

// -----

uop.kernel loops @nested_phases() {
  // expected-note@+1 {{the outer phase is here}}
  uop.phase {
    // expected-error@+1 {{'uop.phase' op is nested in another phase; expected phases one after another}}
    uop.phase {
    }
  }
}

// -----

uop.kernel loops @barrier_in_phase() {
  uop.phase {
    %t = uop.range local<x> 4
    // expected-error@+1 {{'uop.barrier' op is not allowed in a phase, of which only some threads take part; end the phase and begin another: a barrier lies between}}
    uop.barrier
  }
}

// -----

uop.kernel loops @store_outside_phase(%a: memref<4xf32>, %x: f32, %i: index) {
  // expected-note@+1 {{the first phase is here}}
  uop.phase {
  }
  // expected-error@+1 {{'memref.store' op stores outside of a phase, in a kernel of phases; move it into a phase, which says what threads execute it}}
  memref.store %x, %a[%i] : memref<4xf32>
}

// -----

uop.kernel loops @atomic_outside_phase(%a: memref<4xf32>, %i: index) {
  // expected-note@+1 {{the first phase is here}}
  uop.phase {
  }
  // expected-error@+1 {{'memref.generic_atomic_rmw' op stores outside of a phase, in a kernel of phases; move it into a phase, which says what threads execute it}}
  %x = memref.generic_atomic_rmw %a[%i] : memref<4xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
}

// -----

uop.kernel loops @threads_outside_phase() {
  // expected-error@+1 {{'uop.range' op is a thread range outside of the phases; each phase has thread ranges of its own}}
  %t = uop.range local<x> 4
  // expected-note@+1 {{the first phase is here}}
  uop.phase {
  }
}

// -----

uop.kernel loops @blocks_in_phase() {
  uop.phase {
    // expected-error@+1 {{'uop.range' op expected only thread ranges in a phase, but got 'global<x>'; move it to the top of the kernel}}
    %b = uop.range global<x> 4
  }
}

// -----

uop.kernel loops @phase_dynamic(%n: index) {
  uop.phase {
    // expected-error@+1 {{'uop.range' op expected a static extent, a literal or constant, for axis 'local<x>', but got a dynamic one}}
    %b = uop.range local<x> %n
  }
}

// -----

uop.kernel loops @phase_empty() {
  uop.phase {
    // expected-error@+1 {{'uop.range' op expected an extent of at least 1 for axis 'local<x>', but got 0}}
    %b = uop.range local<x> 0
  }
}

// -----

// expected-error@+1 {{'uop.kernel' op makes a block of 64x32x1 threads, the largest of its phases along each dimension: expected at most 1024}}
uop.kernel loops @phases_together() {
  uop.phase {
    %t = uop.range local<x> 64
  }
  uop.phase {
    %t = uop.range local<y> 32
  }
}

// -----

// Barriers under control flow that depends on the thread.

uop.kernel loops @branch() {
  %t = uop.range local<x> 32
  %c16 = arith.constant 16 : index
  %low = arith.cmpi ult, %t, %c16 : index
  // expected-note@+1 {{the control flow is here}}
  scf.if %low {
    // expected-error@+1 {{'uop.barrier' op is under control flow that depends on the thread: scf.if differs between threads (0, 0, 0) and (16, 0, 0); every thread of the block must come to a barrier}}
    uop.barrier
  }
}

// -----

// Deep inside, along y, and of 32-bit integers.
uop.kernel loops @deep(%n: index) {
  %t = uop.range local<x> 8
  %u = uop.range local<y> 4
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u32 = arith.index_cast %u : index to i32
  %c3 = arith.constant 3 : i32
  %last = arith.cmpi eq, %u32, %c3 : i32
  // expected-note@+1 {{the control flow is here}}
  scf.if %last {
  } else {
    scf.for %i = %c0 to %n step %c1 {
      // expected-error@+1 {{'uop.barrier' op is under control flow that depends on the thread: scf.if differs between threads (0, 0, 0) and (0, 3, 0); every thread of the block must come to a barrier}}
      uop.barrier
    }
  }
}

// -----

// Thread t goes round t times.
uop.kernel loops @trips() {
  %t = uop.range local<x> 4
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note@+1 {{the control flow is here}}
  scf.for %i = %c0 to %t step %c1 {
    // expected-error@+1 {{'uop.barrier' op is under control flow that depends on the thread: scf.for differs between threads (0, 0, 0) and (1, 0, 0); every thread of the block must come to a barrier}}
    uop.barrier
  }
}

// -----

// 100 elements are not a multiple of 32 threads: the last ones go round less.
uop.kernel loops @strided_trips() {
  %t = uop.range local<x> 32
  %c32 = arith.constant 32 : index
  %c100 = arith.constant 100 : index
  // expected-note@+1 {{the control flow is here}}
  scf.for %i = %t to %c100 step %c32 {
    // expected-error@+1 {{'uop.barrier' op is under control flow that depends on the thread: scf.for differs between threads (0, 0, 0) and (4, 0, 0); every thread of the block must come to a barrier}}
    uop.barrier
  }
}

// -----

uop.kernel loops @switch() {
  %t = uop.range local<x> 4
  %c2 = arith.constant 2 : index
  %parity = uop.floormod %t, %c2
  // expected-note@+1 {{the control flow is here}}
  scf.index_switch %parity
  case 1 {
    // expected-error@+1 {{'uop.barrier' op is under control flow that depends on the thread: scf.index_switch differs between threads (0, 0, 0) and (1, 0, 0); every thread of the block must come to a barrier}}
    uop.barrier
    scf.yield
  }
  default {
  }
}

// -----

uop.kernel loops @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error@+1 {{'uop.barrier' op is not allowed in scf.parallel; expected scf.for, scf.while, scf.if or scf.index_switch around it}}
    uop.barrier
  }
}

// -----

// A shuffle, like a barrier, is for all threads of the block.

uop.kernel loops @shuffle(%x: memref<32xf32>) {
  %t = uop.range local<x> 32
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  %v = memref.load %x[%t] : memref<32xf32>
  %low = arith.cmpi slt, %t, %c16 : index
  // expected-note@+1 {{the control flow is here}}
  scf.if %low {
    // expected-error@+1 {{'gpu.shuffle' op is under control flow that depends on the thread: scf.if differs between threads (0, 0, 0) and (16, 0, 0); every thread of the block must come to a shuffle}}
    %other, %valid = gpu.shuffle xor %v, %one, %width : f32
    memref.store %other, %x[%t] : memref<32xf32>
  }
}

// -----

uop.kernel loops @shuffle_in_phase(%x: memref<32xf32>) {
  uop.phase {
    %t = uop.range local<x> 32
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = memref.load %x[%t] : memref<32xf32>
    // expected-error@+1 {{'gpu.shuffle' op is not allowed in a phase, of which only some threads take part; use it outside of phases, or exchange values through workgroup memory}}
    %other, %valid = gpu.shuffle xor %v, %one, %width : f32
    memref.store %other, %x[%t] : memref<32xf32>
  }
}

// -----

// Between phases lies a barrier, which every thread must come to.
uop.kernel loops @phase_in_branch(%a: memref<4xf32>) {
  %b = uop.range global<x> 4
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%b) step (%c1) {
    // expected-error@+1 {{'uop.phase' op is not allowed in scf.parallel; expected scf.for, scf.while, scf.if or scf.index_switch around it}}
    uop.phase {
    }
  }
}

// -----

// The generic form.

uop.kernel loops @phase_regions() {
  // expected-error@+1 {{'uop.phase' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "uop.phase"() ({}) : () -> ()
}

// -----

uop.kernel loops @phase_arguments() {
  // expected-error@+1 {{'uop.phase' op region should have no arguments}}
  "uop.phase"() ({
  ^bb0(%x: i32):
  }) : () -> ()
}

// -----

// Asynchronous copies go from an argument to shared memory.
uop.kernel loops @there(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %s = uop.alloc : memref<8xf32, #gpu.address_space<workgroup>>
  // expected-note @below {{the memory is this}}
  %p = uop.alloc : memref<8xf32, #gpu.address_space<private>>
  // expected-error @below {{'nvgpu.device_async_copy' op expected a copy from an argument of the kernel to a workgroup uop.alloc, or views of these, but got 'memref<8xf32, #gpu.address_space<private>>'}}
  %copy = nvgpu.device_async_copy %p[%c0], %s[%c0], 4 : memref<8xf32, #gpu.address_space<private>> to memref<8xf32, #gpu.address_space<workgroup>>
}

// -----

uop.kernel loops @groups(%x: memref<8xf32>) {
  %group = nvgpu.device_async_create_group {none}
  // expected-error @below {{'nvgpu.device_async_wait' op expected 0 groups or more to be left under way, but got -1}}
  nvgpu.device_async_wait %group {numGroups = -1 : i32}
}

// -----

uop.kernel loops @others() {
  // expected-error @below {{'nvgpu.mbarrier.create' op is not allowed in loop form: expected scf, memref, vector, arith, math and uop ops, gpu.shuffle, or nvgpu.device_async_copy, _create_group and _wait}}
  %0 = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
}

// -----

// Two barriers, of which each thread comes to one (k30): threads that wait at
// different ones never meet.
uop.kernel loops @two_sites(%o: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c40 = arith.constant 40 : index
  %one = arith.constant 1.0 : f32
  %low = arith.cmpi ult, %t, %c40 : index
  // expected-note@+1 {{the control flow is here}}
  scf.if %low {
    // expected-error@+1 {{'uop.barrier' op is under control flow that depends on the thread: scf.if differs between threads (0, 0, 0) and (40, 0, 0); every thread of the block must come to a barrier}}
    uop.barrier
  } else {
    uop.barrier
  }
  memref.store %one, %o[%t] : memref<64xf32>
}
