// Asynchronous operations: tokens through loops and functions, and launches in
// asynchronous regions.
// RUN: split-file --leading-lines %s %t
// RUN: uop-run %t/tokens.mlir -e main | FileCheck %s --check-prefix=TOKENS
// RUN: %emulate %t/tokens.mlir | %run-main | FileCheck %s --check-prefix=TOKENS
// RUN: uop-run %t/fork.mlir -e main | FileCheck %s --check-prefix=FORK
// RUN: %emulate %t/fork.mlir | %run-main -O0 -shared-libs=%mlir_lib_dir/libmlir_async_runtime.so | FileCheck %s --check-prefix=FORK
// RUN: uop-opt --uop-emulate-gpu %t/tokens.mlir | FileCheck %s --check-prefix=INORDER

// 0 to 7 reversed, plus 10, 20, 30, 40, 10, ..., and that once more: after the
// first step 17 26 35 44 13 22 31 40.
// TOKENS: [50, {{ *}}51, {{ *}}52, {{ *}}53, {{ *}}54, {{ *}}55, {{ *}}56, {{ *}}57]
// In the order of the text, without a library.
// INORDER-NOT: async
//--- tokens.mlir
module attributes {gpu.container_module} {
gpu.module @m {
  memref.global "private" constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
  gpu.func @reverse(%x: memref<?xi32, 1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %n = gpu.block_dim x
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %s = memref.view %bytes[%c0][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%t] : memref<?xi32, 1>
    memref.store %v, %s[%t] : memref<?xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = arith.subi %n, %c1 : index
    %r = arith.subi %last, %t : index
    %w = memref.load %s[%r] : memref<?xi32, #gpu.address_space<workgroup>>
    %table = memref.get_global @table : memref<4xi32>
    %i = arith.remui %t, %c4 : index
    %e = memref.load %table[%i] : memref<4xi32>
    %sum = arith.addi %w, %e : i32
    memref.store %sum, %x[%t] : memref<?xi32, 1>
    gpu.return
  }
}
func.func @step(%x: memref<?xi32, 1>, %n: index, %t: !gpu.async.token) -> !gpu.async.token {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %threads = arith.index_cast %n : index to i32
  %bytes = arith.muli %threads, %c4 : i32
  %u = gpu.launch_func async [%t] @m::@reverse blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) : i32
      dynamic_shared_memory_size %bytes args(%x : memref<?xi32, 1>)
  return %u : !gpu.async.token
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %h = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %h[%i] : memref<?xi32>
  }
  %t0 = gpu.wait async
  %d, %t1 = gpu.alloc async [%t0] (%n) : memref<?xi32, 1>
  %t2 = gpu.memset async [%t1] %d, %zero : memref<?xi32, 1>, i32
  %t3 = gpu.memcpy async [%t2] %d, %h : memref<?xi32, 1>, memref<?xi32>
  %t4 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %t3) -> (!gpu.async.token) {
    %u = func.call @step(%d, %n, %t) : (memref<?xi32, 1>, index, !gpu.async.token) -> !gpu.async.token
    scf.yield %u : !gpu.async.token
  }
  %t5 = gpu.memcpy async [%t4] %h, %d : memref<?xi32>, memref<?xi32, 1>
  %t6 = gpu.dealloc async [%t5] %d : memref<?xi32, 1>
  gpu.wait [%t6]
  %u = memref.cast %h : memref<?xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  memref.dealloc %h : memref<?xi32>
  return
}
func.func private @printMemrefI32(memref<*xi32>)
}

// Two asynchronous regions work on copies of what a third one made; a fourth
// one waits for both: 3 * 5 + 3 * 5 + 1.
// FORK: [31, {{ *}}31, {{ *}}31]
//--- fork.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %n = arith.constant 3 : index
  %five = arith.constant 5 : i32
  %one = arith.constant 1 : i32
  %h = memref.alloc(%n) : memref<?xi32>
  %u = memref.cast %h : memref<?xi32> to memref<*xi32>
  gpu.host_register %u : memref<*xi32>
  %made, %first = async.execute -> !async.value<memref<?xi32>> {
    %a = gpu.alloc (%n) : memref<?xi32>
    gpu.memset %a, %five : memref<?xi32>, i32
    async.yield %a : memref<?xi32>
  }
  %left, %b = async.execute [%made] (%first as %a: !async.value<memref<?xi32>>) -> !async.value<memref<?xi32>> {
    %copy = func.call @triple(%a, %n) : (memref<?xi32>, index) -> memref<?xi32>
    async.yield %copy : memref<?xi32>
  }
  %right, %c = async.execute [%made] (%first as %a: !async.value<memref<?xi32>>) -> !async.value<memref<?xi32>> {
    %copy = func.call @triple(%a, %n) : (memref<?xi32>, index) -> memref<?xi32>
    async.yield %copy : memref<?xi32>
  }
  %done = async.execute [%left, %right] (%b as %x: !async.value<memref<?xi32>>,
                                         %c as %y: !async.value<memref<?xi32>>) {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
      %v = memref.load %x[%tx] : memref<?xi32>
      %w = memref.load %y[%tx] : memref<?xi32>
      %sum = arith.addi %v, %w : i32
      %more = arith.addi %sum, %one : i32
      memref.store %more, %h[%tx] : memref<?xi32>
      gpu.terminator
    }
    gpu.dealloc %x : memref<?xi32>
    gpu.dealloc %y : memref<?xi32>
    async.yield
  }
  async.await %done : !async.token
  %a = async.await %first : !async.value<memref<?xi32>>
  gpu.dealloc %a : memref<?xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  memref.dealloc %h : memref<?xi32>
  return
}
func.func @triple(%a: memref<?xi32>, %n: index) -> memref<?xi32> {
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %copy = gpu.alloc (%n) : memref<?xi32>
  gpu.memcpy %copy, %a : memref<?xi32>, memref<?xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %copy[%bx] : memref<?xi32>
    %w = arith.muli %v, %three : i32
    memref.store %w, %copy[%bx] : memref<?xi32>
    gpu.terminator
  }
  return %copy : memref<?xi32>
}
func.func private @printMemrefI32(memref<*xi32>)
