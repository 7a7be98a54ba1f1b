// Threads that leave a kernel by an early return take no part in what follows:
// neither in barriers nor in collectives. Blocks have 8 threads.
// RUN: %emulate %s | %run-main | FileCheck %s

!tile = memref<8xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {

gpu.module @kernels {
  // if (t >= n) return; the others meet at a barrier and mirror their values.
  gpu.func @guard(%x: memref<8xi32>, %n: index) workgroup(%s: !tile) kernel {
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %out = arith.cmpi uge, %t, %n : index
    cf.cond_br %out, ^leave, ^work
  ^leave:
    gpu.return
  ^work:
    %v = arith.index_cast %t : index to i32
    memref.store %v, %s[%t] : !tile
    gpu.barrier
    %last = arith.subi %n, %c1 : index
    %m = arith.subi %last, %t : index
    %w = memref.load %s[%m] : !tile
    memref.store %w, %x[%t] : memref<8xi32>
    gpu.return
  }

  // The same with one return for all, as a C compiler writes it.
  gpu.func @shared(%x: memref<8xi32>, %n: index) workgroup(%s: !tile) kernel {
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %out = arith.cmpi uge, %t, %n : index
    cf.cond_br %out, ^end, ^work
  ^work:
    %v = arith.index_cast %t : index to i32
    memref.store %v, %s[%t] : !tile
    gpu.barrier
    %last = arith.subi %n, %c1 : index
    %m = arith.subi %last, %t : index
    %w = memref.load %s[%m] : !tile
    memref.store %w, %x[%t] : memref<8xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // In round i, thread i leaves; the others wait for each other and count.
  // Thread t counts t rounds.
  gpu.func @rounds(%x: memref<8xi32>) workgroup(%s: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    cf.br ^head(%c0, %zero : index, i32)
  ^head(%i: index, %v: i32):
    %more = arith.cmpi ult, %i, %c8 : index
    cf.cond_br %more, ^round, ^end
  ^end:
    gpu.return
  ^round:
    memref.store %v, %x[%t] : memref<8xi32>
    %mine = arith.cmpi eq, %i, %t : index
    cf.cond_br %mine, ^leave, ^stay
  ^leave:
    gpu.return
  ^stay:
    gpu.barrier
    %next = arith.addi %v, %one : i32
    %j = arith.addi %i, %c1 : index
    cf.br ^head(%j, %next : index, i32)
  }

  // Threads below n have left: their values are in no reduction, their lanes
  // give nothing, and the first lane that is left is lane n.
  gpu.func @collectives(%x: memref<4x8xi32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1 : i32
    %none = arith.constant -1 : i32
    %width = arith.constant 32 : i32
    %t = gpu.thread_id x
    %out = arith.cmpi ult, %t, %n : index
    cf.cond_br %out, ^leave, ^work
  ^leave:
    gpu.return
  ^work:
    %v = arith.index_cast %t : index to i32
    %sum = gpu.all_reduce add %v {} : (i32) -> (i32)
    memref.store %sum, %x[%c0, %t] : memref<4x8xi32>
    %pair = gpu.subgroup_reduce add %v cluster(size = 2) : (i32) -> i32
    memref.store %pair, %x[%c1, %t] : memref<4x8xi32>
    %up, %valid = gpu.shuffle up %v, %one, %width : i32
    %r = arith.select %valid, %up, %none : i32
    memref.store %r, %x[%c2, %t] : memref<4x8xi32>
    %first = gpu.subgroup_broadcast %v, first_active_lane : i32
    memref.store %first, %x[%c3, %t] : memref<4x8xi32>
    gpu.return
  }

  // Even threads leave as soon as they have the value of their neighbours, who
  // take theirs all the same.
  gpu.func @last_words(%x: memref<8xi32>) kernel {
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %s, %valid = gpu.shuffle xor %v, %c1, %c8 : i32
    %minus = arith.constant -1 : i32
    %r = arith.select %valid, %s, %minus : i32
    %even = arith.cmpi ult, %v, %s : i32
    cf.cond_br %even, ^leave, ^stay
  ^leave:
    memref.store %r, %x[%t] : memref<8xi32>
    gpu.return
  ^stay:
    gpu.barrier
    memref.store %r, %x[%t] : memref<8xi32>
    gpu.return
  }
  // Threads below %n leave: the others are alone at a vote, which is the only
  // place where threads meet, and in a case of a switch.
  gpu.func @votes(%x: memref<8xi32>, %n: index) kernel {
    %mask = arith.constant -1 : i32
    %none = arith.constant 0 : i32
    %case = arith.constant 1 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %leaves = arith.cmpi ult, %t, %n : index
    cf.cond_br %leaves, ^leave, ^stay
  ^leave:
    gpu.return
  ^stay:
    %lanes = scf.index_switch %case -> i32
    case 1 {
      %b = nvvm.vote.sync ballot %mask, %true -> i32
      scf.yield %b : i32
    }
    default {
      scf.yield %none : i32
    }
    memref.store %lanes, %x[%t] : memref<8xi32>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @fill(%m: memref<8xi32>) {
  %sentinel = arith.constant -1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %sentinel, %m[%i] : memref<8xi32>
  }
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<8xi32>
  %xu = memref.cast %x : memref<8xi32> to memref<*xi32>

  // CHECK: [4, 3, 2, 1, 0, -1, -1, -1]
  call @fill(%x) : (memref<8xi32>) -> ()
  gpu.launch_func @kernels::@guard blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>, %c5 : index)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // CHECK: [4, 3, 2, 1, 0, -1, -1, -1]
  call @fill(%x) : (memref<8xi32>) -> ()
  gpu.launch_func @kernels::@shared blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>, %c5 : index)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // CHECK: [0, 1, 2, 3, 4, 5, 6, 7]
  call @fill(%x) : (memref<8xi32>) -> ()
  gpu.launch_func @kernels::@rounds blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // CHECK: [1, 0, 3, 2, 5, 4, 7, 6]
  call @fill(%x) : (memref<8xi32>) -> ()
  gpu.launch_func @kernels::@last_words blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // Lanes 5, 6 and 7: 32 + 64 + 128.
  // CHECK: [-1, -1, -1, -1, -1, 224, 224, 224]
  call @fill(%x) : (memref<8xi32>) -> ()
  gpu.launch_func @kernels::@votes blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xi32>, %c5 : index)
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // 3 + ... + 7 = 25; thread 3 has lost its neighbour 2.
  // CHECK: [-1, -1, -1, 25, 25, 25, 25, 25]
  // CHECK-NEXT: [-1, -1, -1, 3, 9, 9, 13, 13]
  // CHECK-NEXT: [-1, -1, -1, -1, 3, 4, 5, 6]
  // CHECK-NEXT: [-1, -1, -1, 3, 3, 3, 3, 3]
  %y = memref.alloc() : memref<4x8xi32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %row = memref.subview %y[%i, 0] [1, 8] [1, 1] : memref<4x8xi32> to memref<8xi32, strided<[1], offset: ?>>
    func.call @fill(%x) : (memref<8xi32>) -> ()
    memref.copy %x, %row : memref<8xi32> to memref<8xi32, strided<[1], offset: ?>>
  }
  gpu.launch_func @kernels::@collectives blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%y : memref<4x8xi32>, %c3 : index)
  %yu = memref.cast %y : memref<4x8xi32> to memref<*xi32>
  call @printMemrefI32(%yu) : (memref<*xi32>) -> ()
  return
}

}
