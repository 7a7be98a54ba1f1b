// An asynchronous copy is not there before it has been waited for.
// RUN: uop-opt %s --uop-lower-to-gpu-pipeline | %emulate | %run-main | FileCheck %s

!tile = memref<32xi32, #gpu.address_space<workgroup>>
!tiles = memref<4x32xi32, #gpu.address_space<workgroup>>

func.func private @printMemrefI32(memref<*xi32>)

// 8 threads copy 4 elements each into a tile of zeros, and each takes those of its
// opposite as they then are.
// Without a wait nothing has come; with a group, the wait that leaves one group
// finds none that is due; the one that leaves none has it.
uop.kernel loops @wait(%x: memref<32xi32> {llvm.align = 16 : i64}, %y: memref<4x32xi32>) {
  %t = uop.range local<x> 8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c31 = arith.constant 31 : index
  %s = uop.alloc zero : !tile
  %i = arith.muli %t, %c4 : index
  %r0 = arith.subi %c31, %i : index
  %copy = nvgpu.device_async_copy %x[%i], %s[%i], 4 : memref<32xi32> to !tile
  uop.barrier
  scf.for %e = %c0 to %c4 step %c1 {
    %r = arith.subi %r0, %e : index
    %v = memref.load %s[%r] : !tile
    memref.store %v, %y[%c0, %r] : memref<4x32xi32>
  }
  // Not in a group yet.
  nvgpu.device_async_wait %copy
  uop.barrier
  scf.for %e = %c0 to %c4 step %c1 {
    %r = arith.subi %r0, %e : index
    %v = memref.load %s[%r] : !tile
    memref.store %v, %y[%c1, %r] : memref<4x32xi32>
  }
  %group = nvgpu.device_async_create_group %copy
  nvgpu.device_async_wait %group {numGroups = 1 : i32}
  uop.barrier
  scf.for %e = %c0 to %c4 step %c1 {
    %r = arith.subi %r0, %e : index
    %v = memref.load %s[%r] : !tile
    memref.store %v, %y[%c2, %r] : memref<4x32xi32>
  }
  uop.barrier
  nvgpu.device_async_wait %group
  uop.barrier
  scf.for %e = %c0 to %c4 step %c1 {
    %r = arith.subi %r0, %e : index
    %v = memref.load %s[%r] : !tile
    memref.store %v, %y[%c3, %r] : memref<4x32xi32>
  }
}

// A ring of 4 tiles, filled 3 ahead, more often than a queue has room at first;
// tokens go around the loop, and mean nothing. The source is read when the copy
// is issued (a device may also see what the thread stores to it afterwards). What is under way
// at the end is dropped.
uop.kernel loops @ring(%x: memref<64x32xi32> {llvm.align = 16 : i64}, %y: memref<32xi32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c31 = arith.constant 31 : index
  %c61 = arith.constant 61 : index
  %zero = arith.constant 0 : i32
  %minus = arith.constant -1 : i32
  %s = uop.alloc : !tiles
  %none = nvgpu.device_async_create_group {none}
  %first = scf.for %k = %c0 to %c3 step %c1 iter_args(%before = %none) -> !nvgpu.device.async.token {
    %copy = nvgpu.device_async_copy %x[%k, %t], %s[%k, %t], 1 : memref<64x32xi32> to !tiles
    memref.store %minus, %x[%k, %t] : memref<64x32xi32>
    %group = nvgpu.device_async_create_group %copy
    scf.yield %group : !nvgpu.device.async.token
  }
  %r = arith.subi %c31, %t : index
  %sum, %last = scf.for %k = %c0 to %c61 step %c1 iter_args(%acc = %zero, %before = %first) -> (i32, !nvgpu.device.async.token) {
    nvgpu.device_async_wait %before {numGroups = 2 : i32}
    uop.barrier
    %next = arith.addi %k, %c3 : index
    %into = uop.floormod %next, %c4
    %copy = nvgpu.device_async_copy %x[%next, %t], %s[%into, %t], 1 : memref<64x32xi32> to !tiles
    memref.store %minus, %x[%next, %t] : memref<64x32xi32>
    %group = nvgpu.device_async_create_group %copy
    %from = uop.floormod %k, %c4
    %v = memref.load %s[%from, %r] : !tiles
    %more = arith.addi %acc, %v : i32
    scf.yield %more, %group : i32, !nvgpu.device.async.token
  }
  memref.store %sum, %y[%t] : memref<32xi32>
}

// The rest of a short copy is zero.
uop.kernel loops @short(%x: memref<16xf16> {llvm.align = 16 : i64}, %y: memref<4x8xi32>) {
  %t = uop.range local<x> 4
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = uop.alloc : memref<4x8xf16, #gpu.address_space<workgroup>>
  %n = arith.addi %t, %t : index
  %copy = nvgpu.device_async_copy %x[%c8], %s[%t, %c0], 8, %n {bypassL1} : memref<16xf16> to memref<4x8xf16, #gpu.address_space<workgroup>>
  %group = nvgpu.device_async_create_group %copy
  nvgpu.device_async_wait %group
  scf.for %e = %c0 to %c8 step %c1 {
    %v = memref.load %s[%t, %e] : memref<4x8xf16, #gpu.address_space<workgroup>>
    %i = arith.fptosi %v : f16 to i32
    memref.store %i, %y[%t, %e] : memref<4x8xi32>
  }
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() {alignment = 16 : i64} : memref<64x32xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %h = arith.muli %i, %c32 : index
      %k = arith.addi %h, %j : index
      %v = arith.index_cast %k : index to i32
      memref.store %v, %x[%i, %j] : memref<64x32xi32>
    }
  }
  %flat = memref.reinterpret_cast %x to offset: [0], sizes: [32], strides: [1] : memref<64x32xi32> to memref<32xi32>
  %y = memref.alloc() : memref<4x32xi32>
  uop.launch @wait(%flat, %y) : memref<32xi32>, memref<4x32xi32>
  %uy = memref.cast %y : memref<4x32xi32> to memref<*xi32>
  // CHECK: sizes = [4, 32]
  // CHECK-COUNT-3: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  // CHECK: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
  call @printMemrefI32(%uy) : (memref<*xi32>) -> ()
  %z = memref.alloc() : memref<32xi32>
  uop.launch @ring(%x, %z) : memref<64x32xi32>, memref<32xi32>
  %uz = memref.cast %z : memref<32xi32> to memref<*xi32>
  // Of 61 rows, 32 * (0 + 1 + ... + 60) + 61 * (31 - t).
  // CHECK: sizes = [32]
  // CHECK: [60451, 60390, 60329, {{.*}}, 58560]
  call @printMemrefI32(%uz) : (memref<*xi32>) -> ()
  %a = memref.alloc() {alignment = 16 : i64} : memref<16xf16>
  scf.for %i = %c0 to %c16 step %c1 {
    %v = arith.index_cast %i : index to i32
    %f = arith.sitofp %v : i32 to f16
    memref.store %f, %a[%i] : memref<16xf16>
  }
  %b = memref.alloc() : memref<4x8xi32>
  uop.launch @short(%a, %b) : memref<16xf16>, memref<4x8xi32>
  %ub = memref.cast %b : memref<4x8xi32> to memref<*xi32>
  // CHECK:      [0, 0, 0, 0, 0, 0, 0, 0]
  // CHECK-NEXT: [8, 9, 0, 0, 0, 0, 0, 0]
  // CHECK-NEXT: [8, 9, 10, 11, 0, 0, 0, 0]
  // CHECK-NEXT: [8, 9, 10, 11, 12, 13, 0, 0]
  call @printMemrefI32(%ub) : (memref<*xi32>) -> ()
  return
}
