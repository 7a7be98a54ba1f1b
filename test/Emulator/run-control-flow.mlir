// Barriers inside of control flow, and values that live across them. Blocks
// have 8 threads; the block size is a constant for some launches and a value
// that the compiler does not see for others.
// RUN: %emulate %s | %run-main | FileCheck %s

!tile = memref<8xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {

gpu.module @kernels {
  // A tree reduction: the stride halves from 4 to 1, a loop with a carried
  // value and a barrier in each step. The sum of 1..8 is 36.
  gpu.func @tree(%x: memref<8xi32>) workgroup(%s: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<8xi32>
    memref.store %v, %s[%t] : !tile
    gpu.barrier
    %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%stride = %c4) -> (index) {
      %low = arith.cmpi ult, %t, %stride : index
      scf.if %low {
        %o = arith.addi %t, %stride : index
        %a = memref.load %s[%t] : !tile
        %b = memref.load %s[%o] : !tile
        %sum = arith.addi %a, %b : i32
        memref.store %sum, %s[%t] : !tile
      }
      gpu.barrier
      %half = arith.divui %stride, %c2 : index
      scf.yield %half : index
    }
    %r = memref.load %s[%c0] : !tile
    memref.store %r, %x[%t] : memref<8xi32>
    gpu.return
  }

  // Neighbours are read 3 times around a ring; each thread keeps a value from
  // before all the barriers, one that the loop carries, and the counter. After
  // three steps thread t holds t+3 (mod 8) and the sum over i of i*(t+i+1)
  // besides: out = 1000*t + 100*ring + sum.
  gpu.func @ring(%x: memref<8xi32>, %n: index) workgroup(%s: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %k100 = arith.constant 100 : i32
    %k1000 = arith.constant 1000 : i32
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %mine = arith.index_cast %t : index to i32
    %kept = arith.muli %mine, %k1000 : i32
    %next = arith.addi %t, %c1 : index
    %other = arith.remui %next, %c8 : index
    %res:2 = scf.for %i = %c0 to %n step %c1
        iter_args(%ring = %mine, %sum = %zero) -> (i32, i32) {
      memref.store %ring, %s[%t] : !tile
      gpu.barrier
      %v = memref.load %s[%other] : !tile
      %i32 = arith.index_cast %i : index to i32
      %p = arith.muli %i32, %v : i32
      %new = arith.addi %sum, %p : i32
      gpu.barrier
      scf.yield %v, %new : i32, i32
    }
    %h = arith.muli %res#0, %k100 : i32
    %0 = arith.addi %kept, %h : i32
    %1 = arith.addi %0, %res#1 : i32
    memref.store %1, %x[%t] : memref<8xi32>
    gpu.return
  }

  // A barrier under a condition that is the same for all threads of a block:
  // block 0 rotates its segment, block 1 takes the other branch and negates.
  gpu.func @branch(%x: memref<16xi32>) workgroup(%s: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<16xi32>
    %first = arith.cmpi eq, %b, %c0 : index
    %r = scf.if %first -> (i32) {
      memref.store %v, %s[%t] : !tile
      gpu.barrier
      %next = arith.addi %t, %c1 : index
      %o = arith.remui %next, %c8 : index
      %w = memref.load %s[%o] : !tile
      scf.yield %w : i32
    } else {
      %neg = arith.subi %zero, %v : i32
      scf.yield %neg : i32
    }
    memref.store %r, %x[%i] : memref<16xi32>
    gpu.return
  }

  // Loops in loops, barriers in both: each of 2 rounds moves the ring by 3
  // steps and then flips it: t -> t+3 -> (7-t)+3 ..., twice.
  gpu.func @nest(%x: memref<8xi32>) workgroup(%s: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %next = arith.addi %t, %c1 : index
    %other = arith.remui %next, %c8 : index
    %flip = arith.subi %c7, %t : index
    %mine = arith.index_cast %t : index to i32
    %res = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %mine) -> (i32) {
      %b = scf.for %j = %c0 to %c3 step %c1 iter_args(%v = %a) -> (i32) {
        memref.store %v, %s[%t] : !tile
        gpu.barrier
        %w = memref.load %s[%other] : !tile
        gpu.barrier
        scf.yield %w : i32
      }
      memref.store %b, %s[%t] : !tile
      gpu.barrier
      %c = memref.load %s[%flip] : !tile
      gpu.barrier
      scf.yield %c : i32
    }
    memref.store %res, %x[%t] : memref<8xi32>
    gpu.return
  }

  // A loop whose barrier is not in every iteration (only for even i), under a
  // condition that the compiler knows to be uniform.
  gpu.func @sometimes(%x: memref<8xi32>, %n: index) workgroup(%s: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %k10 = arith.constant 10 : i32
    %t = gpu.thread_id x
    %next = arith.addi %t, %c1 : index
    %other = arith.remui %next, %c8 : index
    %mine = arith.index_cast %t : index to i32
    %res = scf.for %i = %c0 to %n step %c1 iter_args(%v = %mine) -> (i32) {
      %bit = arith.remui %i, %c2 : index
      %even = arith.cmpi eq, %bit, %c0 : index
      %w = scf.if %even -> (i32) {
        memref.store %v, %s[%t] : !tile
        gpu.barrier
        %u = memref.load %s[%other] : !tile
        gpu.barrier
        scf.yield %u : i32
      } else {
        %u = arith.addi %v, %k10 : i32
        scf.yield %u : i32
      }
      scf.yield %w : i32
    }
    memref.store %res, %x[%t] : memref<8xi32>
    gpu.return
  }

  // scf.while with a barrier in its condition part: moves the ring until the
  // value that all threads read in thread 0's place is 3. The decision comes
  // from memory, so it is voted on.
  gpu.func @until(%x: memref<8xi32>) workgroup(%s: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %k3 = arith.constant 3 : i32
    %t = gpu.thread_id x
    %next = arith.addi %t, %c1 : index
    %other = arith.remui %next, %c8 : index
    %mine = arith.index_cast %t : index to i32
    %res = scf.while (%v = %mine) : (i32) -> i32 {
      memref.store %v, %s[%t] : !tile
      gpu.barrier
      %head = memref.load %s[%c0] : !tile
      %more = arith.cmpi ne, %head, %k3 : i32
      scf.condition(%more) %v : i32
    } do {
    ^bb0(%v: i32):
      %w = memref.load %s[%other] : !tile
      gpu.barrier
      scf.yield %w : i32
    }
    memref.store %res, %x[%t] : memref<8xi32>
    gpu.return
  }

  // The same as @ring with one step, in unstructured control flow.
  gpu.func @blocks(%x: memref<8xi32>, %n: index) workgroup(%s: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %next = arith.addi %t, %c1 : index
    %other = arith.remui %next, %c8 : index
    %mine = arith.index_cast %t : index to i32
    cf.br ^head(%c0, %mine : index, i32)
  ^head(%i: index, %v: i32):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^exit
  ^body:
    memref.store %v, %s[%t] : !tile
    gpu.barrier
    %w = memref.load %s[%other] : !tile
    gpu.barrier
    %j = arith.addi %i, %c1 : index
    cf.br ^head(%j, %w : index, i32)
  ^exit:
    memref.store %v, %x[%t] : memref<8xi32>
    gpu.return
  }

  // An early return, as CUDA kernels begin: the last two threads do nothing.
  gpu.func @early(%x: memref<8xi32>, %n: index) kernel {
    %k9 = arith.constant 9 : i32
    %t = gpu.thread_id x
    %out = arith.cmpi uge, %t, %n : index
    cf.cond_br %out, ^leave, ^work
  ^leave:
    gpu.return
  ^work:
    memref.store %k9, %x[%t] : memref<8xi32>
    gpu.return
  }

  // Loop variables that swap in each iteration keep their values apart.
  gpu.func @swap(%x: memref<8xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %k10 = arith.constant 10 : i32
    %t = gpu.thread_id x
    %mine = arith.index_cast %t : index to i32
    %plus = arith.addi %mine, %k10 : i32
    %res:2 = scf.for %i = %c0 to %c3 step %c1
        iter_args(%a = %mine, %b = %plus) -> (i32, i32) {
      gpu.barrier
      scf.yield %b, %a : i32, i32
    }
    memref.store %res#0, %x[%t] : memref<8xi32>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}

// Fills the memref with 1, 2, 3 ...
func.func private @count(%m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %v = arith.index_cast %j : index to i32
    memref.store %v, %m[%i] : memref<?xi32>
  }
  return
}

func.func @run(%x: memref<8xi32>, %y: memref<16xi32>, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %xd = memref.cast %x : memref<8xi32> to memref<?xi32>
  %yd = memref.cast %y : memref<16xi32> to memref<?xi32>
  %xu = memref.cast %x : memref<8xi32> to memref<*xi32>
  %yu = memref.cast %y : memref<16xi32> to memref<*xi32>

  // CHECK: [36, 36, 36, 36, 36, 36, 36, 36]
  call @count(%xd) : (memref<?xi32>) -> ()
  gpu.launch_func @kernels::@tree blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // Thread 0: 0 + 100*3 + (1*2 + 2*3) = 308. Thread 7: 7000 + 100*2 +
  // (1*1 + 2*2) = 7205. Known and unknown block size.
  // CHECK: [308, 1411, 2514, 3617, 4720, 5007, 6102, 7205]
  gpu.launch_func @kernels::@ring blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>, %c3 : index)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()
  // CHECK: [308, 1411, 2514, 3617, 4720, 5007, 6102, 7205]
  call @count(%xd) : (memref<?xi32>) -> ()
  gpu.launch_func @kernels::@ring blocks in (%c1, %c1, %c1) threads in (%size, %c1, %c1)
      args(%x : memref<8xi32>, %c3 : index)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()
  // A loop that runs no iteration: 1000*t + 100*t.
  // CHECK: [0, 1100, 2200, 3300, 4400, 5500, 6600, 7700]
  gpu.launch_func @kernels::@ring blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>, %c0 : index)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // CHECK: [2, 3, 4, 5, 6, 7, 8, 1, -9, -10, -11, -12, -13, -14, -15, -16]
  call @count(%yd) : (memref<?xi32>) -> ()
  gpu.launch_func @kernels::@branch blocks in (%c2, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%y : memref<16xi32>)
  call @printMemrefI32(%yu) : (memref<*xi32>) -> ()

  // One round sends the value at u to 7-(u-3) = 10-u (mod 8); two undo it.
  // CHECK: [0, 1, 2, 3, 4, 5, 6, 7]
  gpu.launch_func @kernels::@nest blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // i = 0 and 2 move by one, i = 1 and 3 add 10: t+2 (mod 8) + 20.
  // CHECK: [22, 23, 24, 25, 26, 27, 20, 21]
  gpu.launch_func @kernels::@sometimes blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>, %c4 : index)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // CHECK: [3, 4, 5, 6, 7, 0, 1, 2]
  gpu.launch_func @kernels::@until blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // CHECK: [2, 3, 4, 5, 6, 7, 0, 1]
  gpu.launch_func @kernels::@blocks blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>, %c2 : index)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // Three swaps: the second value is first.
  // CHECK: [10, 11, 12, 13, 14, 15, 16, 17]
  gpu.launch_func @kernels::@swap blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // CHECK: [9, 9, 9, 9, 9, 9, 7, 8]
  %c6 = arith.constant 6 : index
  call @count(%xd) : (memref<?xi32>) -> ()
  gpu.launch_func @kernels::@early blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>, %c6 : index)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()
  return
}

func.func @main() {
  %x = memref.alloc() : memref<8xi32>
  %y = memref.alloc() : memref<16xi32>
  %c8 = arith.constant 8 : index
  call @run(%x, %y, %c8) : (memref<8xi32>, memref<16xi32>, index) -> ()
  return
}

}
