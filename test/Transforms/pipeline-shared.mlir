// What is filled ahead, and how; and what is not, and why.
// RUN: uop-opt %s --uop-pipeline-shared=remarks=true 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: uop-opt %s --uop-pipeline-shared="remarks=true copy=async" 2>&1 >/dev/null | FileCheck %s --check-prefix=ASYNC
// RUN: uop-opt %s --uop-pipeline-shared=chip=sm_75 | FileCheck %s --check-prefix=OLD

// OLD-NOT: nvgpu

!tile = memref<64xf32, #gpu.address_space<workgroup>>
!halves = memref<64xf16, #gpu.address_space<workgroup>>

// One tile is filled before the loop, and the next one while this is read; the
// iterations are counted from 0. The barriers of the loop are made anew: one.
// REMARK: pipeline-shared.mlir:[[#@LINE+29]]:8: remark: the allocation is filled 1 iteration ahead, by asynchronous copies
// CHECK-LABEL: uop.kernel loops @sums(
// CHECK:         %[[S:.*]] = uop.alloc : memref<2x64xf32, #gpu.address_space<workgroup>>
// CHECK:         nvgpu.device_async_copy %{{.*}}[%{{.*}}, %[[T:.*]]], %[[S]][%{{.*}}, %[[T]]], 1
// CHECK:         %[[GROUP:.*]] = nvgpu.device_async_create_group {uop.ahead = 1 : i64}
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %c3{{.*}} step %c1{{.*}} iter_args
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK-NEXT:      nvgpu.device_async_wait %[[GROUP]] {numGroups = 0 : i32}
// CHECK-NEXT:      uop.barrier
// CHECK:           %[[INTO:.*]] = uop.floormod %[[NEXT]], %c2
// CHECK-NEXT:      %[[IN:.*]] = arith.cmpi slt, %[[NEXT]], %c3
// CHECK-NEXT:      scf.if %[[IN]] {
// CHECK-NEXT:        %[[DISTANCE:.*]] = arith.muli %[[NEXT]], %c2
// CHECK-NEXT:        %[[K:.*]] = arith.addi %[[DISTANCE]], %c5
// CHECK-NEXT:        nvgpu.device_async_copy %{{.*}}[%[[K]], %[[T]]], %[[S]][%[[INTO]], %[[T]]], 1
// CHECK-NEXT:      }
// CHECK-NEXT:      nvgpu.device_async_create_group
// CHECK:           %[[FROM:.*]] = uop.floormod %[[I]], %c2
// CHECK-NEXT:      memref.load %[[S]][%[[FROM]], %{{.*}}]
// CHECK-NOT:       barrier
// CHECK:           scf.yield
uop.kernel loops @sums(%x: memref<16x64xf32>, %y: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 2 : i64} : !tile
  %sum = scf.for %k = %c5 to %c10 step %c2 iter_args(%acc = %zero) -> f32 {
    %v = memref.load %x[%k, %t] : memref<16x64xf32>
    memref.store %v, %s[%t] : !tile
    uop.barrier
    %w = memref.load %s[%r] : !tile
    uop.barrier
    %next = arith.addf %acc, %w : f32
    scf.yield %next : f32
  }
  memref.store %sum, %y[%t] : memref<64xf32>
}

// What it is filled with is only known an iteration before.
// REMARK: remark: the allocation is not filled ahead: what fills it depends on what its loop carries
// CHECK-LABEL: uop.kernel loops @carried(
// CHECK:         uop.alloc : memref<64x
// CHECK-NOT:     nvgpu
uop.kernel loops @carried(%x: memref<16x64xf32>, %y: memref<64xf32>, %n: index) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 2 : i64} : !tile
  %sum = scf.for %k = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> f32 {
    memref.store %acc, %s[%t] : !tile
    uop.barrier
    %w = memref.load %s[%r] : !tile
    uop.barrier
    %next = arith.addf %acc, %w : f32
    scf.yield %next : f32
  }
  memref.store %sum, %y[%t] : memref<64xf32>
}

// The argument may have another value by then.
// REMARK: remark: the allocation is not filled ahead: what fills it reads an argument that the kernel stores to
// CHECK-LABEL: uop.kernel loops @written(
// CHECK:         uop.alloc : memref<64x
// CHECK-NOT:     nvgpu
uop.kernel loops @written(%x: memref<16x64xf32>, %y: memref<64xf32>, %n: index) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 2 : i64} : !tile
  %sum = scf.for %k = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> f32 {
    %v = memref.load %x[%k, %t] : memref<16x64xf32>
    memref.store %v, %x[%c0, %t] : memref<16x64xf32>
    memref.store %v, %s[%t] : !tile
    uop.barrier
    %w = memref.load %s[%r] : !tile
    uop.barrier
    %next = arith.addf %acc, %w : f32
    scf.yield %next : f32
  }
  memref.store %sum, %y[%t] : memref<64xf32>
}

// An iteration leaves out elements that the one before has filled.
// REMARK: remark: the allocation is not filled ahead: not every iteration fills the same elements
// CHECK-LABEL: uop.kernel loops @guarded(
// CHECK:         uop.alloc : memref<64x
// CHECK-NOT:     nvgpu
uop.kernel loops @guarded(%x: memref<16x64xf32>, %y: memref<64xf32>, %n: index) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 2 : i64} : !tile
  %sum = scf.for %k = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> f32 {
    %v = memref.load %x[%k, %t] : memref<16x64xf32>
    %in = arith.cmpi slt, %k, %t : index
    scf.if %in {
      memref.store %v, %s[%t] : !tile
    }
    uop.barrier
    %w = memref.load %s[%r] : !tile
    uop.barrier
    %next = arith.addf %acc, %w : f32
    scf.yield %next : f32
  }
  memref.store %sum, %y[%t] : memref<64xf32>
}

// Or fills others.
// REMARK: remark: the allocation is not filled ahead: not every iteration fills the same elements
// CHECK-LABEL: uop.kernel loops @moving(
// CHECK:         uop.alloc : memref<64x
// CHECK-NOT:     nvgpu
uop.kernel loops @moving(%x: memref<16x64xf32>, %y: memref<64xf32>, %n: index) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 2 : i64} : !tile
  %sum = scf.for %k = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> f32 {
    %v = memref.load %x[%k, %t] : memref<16x64xf32>
    %i = arith.addi %t, %k : index
    %j = uop.floormod %i, %c63
    memref.store %v, %s[%j] : !tile
    uop.barrier
    %w = memref.load %s[%r] : !tile
    uop.barrier
    %next = arith.addf %acc, %w : f32
    scf.yield %next : f32
  }
  memref.store %sum, %y[%t] : memref<64xf32>
}

// It is what the iteration before has left.
// REMARK: remark: the allocation is not filled ahead: it is read before all of it is filled
// CHECK-LABEL: uop.kernel loops @read_first(
// CHECK:         uop.alloc : memref<64x
// CHECK-NOT:     nvgpu
uop.kernel loops @read_first(%x: memref<16x64xf32>, %y: memref<64xf32>, %n: index) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 2 : i64} : !tile
  %sum = scf.for %k = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> f32 {
    %w = memref.load %s[%r] : !tile
    uop.barrier
    %v = memref.load %x[%k, %t] : memref<16x64xf32>
    memref.store %v, %s[%t] : !tile
    uop.barrier
    %next = arith.addf %acc, %w : f32
    scf.yield %next : f32
  }
  memref.store %sum, %y[%t] : memref<64xf32>
}

// There is no loop.
// REMARK: remark: the allocation is not filled ahead: there is no scf.for around all of its accesses
// CHECK-LABEL: uop.kernel loops @once(
// CHECK:         uop.alloc : memref<64x
// CHECK-NOT:     nvgpu
uop.kernel loops @once(%x: memref<16x64xf32>, %y: memref<64xf32>, %n: index) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 2 : i64} : !tile
  %v = memref.load %x[%n, %t] : memref<16x64xf32>
  memref.store %v, %s[%t] : !tile
  uop.barrier
  %w = memref.load %s[%r] : !tile
  memref.store %w, %y[%t] : memref<64xf32>
}

// Other memory would be stored to too early.
// REMARK: remark: the allocation is not filled ahead: what fills it also stores to other memory
// CHECK-LABEL: uop.kernel loops @other(
// CHECK:         uop.alloc : memref<64x
// CHECK-NOT:     nvgpu
uop.kernel loops @other(%x: memref<16x64xf32>, %y: memref<64xf32>, %n: index) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 2 : i64} : !tile
  %sum = scf.for %k = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> f32 {
    %v = memref.load %x[%k, %t] : memref<16x64xf32>
    %in = arith.cmpi slt, %t, %n : index
    scf.if %in {
      memref.store %v, %s[%t] : !tile
      memref.store %v, %y[%t] : memref<64xf32>
    }
    uop.barrier
    %w = memref.load %s[%r] : !tile
    uop.barrier
    %next = arith.addf %acc, %w : f32
    scf.yield %next : f32
  }
  memref.store %sum, %y[%t] : memref<64xf32>
}

// Views are not followed.
// REMARK: remark: the allocation is not filled ahead: it is used by memref.cast, and only loads and stores of elements are followed
// CHECK-LABEL: uop.kernel loops @view(
// CHECK:         uop.alloc : memref<64x
// CHECK-NOT:     nvgpu
uop.kernel loops @view(%x: memref<16x64xf32>, %y: memref<64xf32>, %n: index) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 2 : i64} : !tile
  %any = memref.cast %s : !tile to memref<?xf32, #gpu.address_space<workgroup>>
  scf.for %k = %c0 to %c10 step %c1 {
    %v = memref.load %x[%k, %t] : memref<16x64xf32>
    memref.store %v, %any[%t] : memref<?xf32, #gpu.address_space<workgroup>>
  }
}

// Threads that come to the loop differently often could not wait for each other.
// REMARK: remark: the allocation is not filled ahead: threads may come to its loop differently often
// CHECK-LABEL: uop.kernel loops @often(
// CHECK:         uop.alloc : memref<64x
// CHECK-NOT:     nvgpu
uop.kernel loops @often(%x: memref<16x64xf32>, %y: memref<64xf32>, %n: index) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 2 : i64} : !tile
  scf.for %k = %c0 to %t step %c1 {
    %v = memref.load %x[%k, %t] : memref<16x64xf32>
    memref.store %v, %s[%t] : !tile
    %w = memref.load %s[%t] : !tile
    memref.store %w, %y[%t] : memref<64xf32>
  }
}

// Two bytes are too few for an asynchronous copy.
// REMARK: remark: the allocation is filled 2 iterations ahead, through registers
// ASYNC: remark: the allocation is not filled ahead: not every store has 4, 8 or 16 aligned bytes as they are loaded
// CHECK-LABEL: uop.kernel loops @halves(
// CHECK:         uop.alloc : memref<3x64xf16
// CHECK-NOT:     nvgpu
// CHECK:         scf.for
// CHECK:           scf.if {{.*}} -> (f16) {
// CHECK:           uop.barrier derived
// CHECK-NEXT:      memref.load
// CHECK-NOT:       barrier
// CHECK:           scf.if
// CHECK:             memref.store
uop.kernel loops @halves(%x: memref<16x64xf16>, %y: memref<64xf16>) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f16
  %r = arith.subi %c63, %t : index
  %s = uop.alloc {buffers = 3 : i64} : !halves
  %sum = scf.for %k = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> f16 {
    %v = memref.load %x[%k, %t] : memref<16x64xf16>
    memref.store %v, %s[%t] : !halves
    uop.barrier
    %w = memref.load %s[%r] : !halves
    uop.barrier
    %next = arith.addf %acc, %w : f16
    scf.yield %next : f16
  }
  memref.store %sum, %y[%t] : memref<64xf16>
}
