// Subgroups that go different ways to a collective of their own: each is run by
// itself from one barrier of the block to the next.
// RUN: %emulate %s | %run-main | FileCheck %s

!sums = memref<32xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {

gpu.module @kernels {
  func.func @subgroup_sum(%v: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %o0, %p0 = gpu.shuffle xor %v, %c16, %c32 : i32
    %s0 = arith.addi %v, %o0 : i32
    %o1, %p1 = gpu.shuffle xor %s0, %c8, %c32 : i32
    %s1 = arith.addi %s0, %o1 : i32
    %o2, %p2 = gpu.shuffle xor %s1, %c4, %c32 : i32
    %s2 = arith.addi %s1, %o2 : i32
    %o3, %p3 = gpu.shuffle xor %s2, %c2, %c32 : i32
    %s3 = arith.addi %s2, %o3 : i32
    %o4, %p4 = gpu.shuffle xor %s3, %c1, %c32 : i32
    %s4 = arith.addi %s3, %o4 : i32
    return %s4 : i32
  }

  // The sum of a block of 16 x 6 threads as CUDA programs write it: sums of
  // subgroups in shared memory, which the first subgroup alone sums.
  gpu.func @sum(%x: memref<6x16xi32>) workgroup(%s: !sums) kernel {
    %i0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %lane = gpu.lane_id
    %subgroup = gpu.subgroup_id : index
    %count = gpu.num_subgroups : index
    %v = memref.load %x[%ty, %tx] : memref<6x16xi32>
    %mine = func.call @subgroup_sum(%v) : (i32) -> i32
    %isFirstLane = arith.cmpi eq, %lane, %i0 : index
    scf.if %isFirstLane {
      memref.store %mine, %s[%subgroup] : !sums
    }
    gpu.barrier
    %isFirst = arith.cmpi eq, %subgroup, %i0 : index
    scf.if %isFirst {
      %has = arith.cmpi ult, %lane, %count : index
      %part = scf.if %has -> i32 {
        %w = memref.load %s[%lane] : !sums
        scf.yield %w : i32
      } else {
        scf.yield %zero : i32
      }
      %all = func.call @subgroup_sum(%part) : (i32) -> i32
      scf.if %isFirstLane {
        memref.store %all, %s[%i0] : !sums
      }
    }
    gpu.barrier
    %r = memref.load %s[%i0] : !sums
    memref.store %r, %x[%ty, %tx] : memref<6x16xi32>
    gpu.return
  }

  // Subgroup w takes w + 1 rounds around its ring of 32, a warp's barrier in
  // each, and writes its neighbour's number of rounds after a barrier. In the
  // block of 72, the last subgroup has 8 threads.
  gpu.func @rounds(%x: memref<2x72xi32>) workgroup(%s: !sums) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %all = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %mask = arith.constant 7 : i32
    %width = arith.constant 8 : i32
    %t = gpu.thread_id x
    %lane = gpu.lane_id
    %w = gpu.subgroup_id : index
    %n = arith.addi %w, %i1 : index
    %l = arith.index_cast %lane : index to i32
    %next = arith.addi %l, %one : i32
    %from = arith.andi %next, %mask : i32
    %v = scf.for %i = %i0 to %n step %i1 iter_args(%a = %l) -> i32 {
      %b, %p = gpu.shuffle idx %a, %from, %width : i32
      %k = arith.index_cast %i : index to i32
      memref.store %k, %s[%w] : !sums
      nvvm.bar.warp.sync %all : i32
      scf.yield %b : i32
    }
    gpu.barrier
    %m = arith.remui %n, %i3 : index
    %k = memref.load %s[%m] : !sums
    memref.store %v, %x[%i0, %t] : memref<2x72xi32>
    memref.store %k, %x[%i1, %t] : memref<2x72xi32>
    gpu.return
  }

  // The second subgroup has left for good; reductions of the block, in a loop,
  // alternate with shuffles that lanes of the others come to or not. Each round
  // doubles: the sum of the block is 40 * 2^i, i = 0 to 2, in all 280.
  gpu.func @mixed(%x: memref<72xi32>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant 8 : i32
    %t = gpu.thread_id x
    %w = gpu.subgroup_id : index
    %second = arith.cmpi eq, %w, %i1 : index
    %first = arith.cmpi eq, %w, %i0 : index
    cf.cond_br %second, ^leave, ^work
  ^leave:
    gpu.return
  ^work:
    %r:2 = scf.for %i = %i0 to %i3 step %i1 iter_args(%v = %one, %total = %zero) -> (i32, i32) {
      %sum = gpu.all_reduce add %v {} : (i32) -> (i32)
      %o = scf.if %first -> i32 {
        %b, %p = gpu.shuffle xor %v, %one, %width : i32
        %c = arith.select %p, %b, %v : i32
        scf.yield %c : i32
      } else {
        scf.yield %v : i32
      }
      %double = arith.addi %v, %o : i32
      %more = arith.addi %total, %sum : i32
      scf.yield %double, %more : i32, i32
    }
    memref.store %r#1, %x[%t] : memref<72xi32>
    gpu.return
  }

  // The first n lanes shuffle among themselves, the first 4 of these once more,
  // and all meet again in a rotation by one.
  gpu.func @lanes(%x: memref<32xi32>, %n: index, %width: i32) kernel {
    %i4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %four = arith.constant 4 : i32
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %low = arith.cmpi ult, %t, %n : index
    %a = scf.if %low -> i32 {
      %b, %p = gpu.shuffle xor %v, %four, %width : i32
      %lowest = arith.cmpi ult, %t, %i4 : index
      %c = scf.if %lowest -> i32 {
        %d, %q = gpu.shuffle xor %b, %two, %four : i32
        scf.yield %d : i32
      } else {
        scf.yield %b : i32
      }
      scf.yield %c : i32
    } else {
      scf.yield %v : i32
    }
    %r, %s = gpu.rotate %a, 1, 32 : i32
    memref.store %r, %x[%t] : memref<32xi32>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  %c72 = arith.constant 72 : index
  %sentinel = arith.constant -1 : i32

  // Of 16 i + j that is 0 + ... + 95 = 4560.
  // CHECK: [4560, {{(4560, )*}}4560]
  // CHECK-COUNT-5: [4560, {{(4560, )*}}4560]
  %x = memref.alloc() : memref<6x16xi32>
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %0 = arith.muli %i, %c16 : index
      %1 = arith.addi %0, %j : index
      %v = arith.index_cast %1 : index to i32
      memref.store %v, %x[%i, %j] : memref<6x16xi32>
    }
  }
  gpu.launch_func @kernels::@sum blocks in (%c1, %c1, %c1) threads in (%c16, %c6, %c1)
      args(%x : memref<6x16xi32>)
  %xu = memref.cast %x : memref<6x16xi32> to memref<*xi32>
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()

  // Lanes from 8 on do not take part in the ring.
  // CHECK: [1, 2, 3, 4, 5, 6, 7, 0, 8, 9, {{.*}}, 31, 2, 3, 4, 5, 6, 7, 0, 1, 8, 9, {{.*}}, 31, 3, 4, 5, 6, 7, 0, 1, 2]
  // CHECK-NEXT: [1, {{(1, )*}}1, 2, {{(2, )*}}2, 0, 0, 0, 0, 0, 0, 0, 0]
  %y = memref.alloc() : memref<2x72xi32>
  gpu.launch_func @kernels::@rounds blocks in (%c1, %c1, %c1) threads in (%c72, %c1, %c1)
      args(%y : memref<2x72xi32>)
  %yu = memref.cast %y : memref<2x72xi32> to memref<*xi32>
  call @printMemrefI32(%yu) : (memref<*xi32>) -> ()

  // CHECK: [280, {{(280, )*}}280, -1, {{(-1, )*}}-1, 280, 280, 280, 280, 280, 280, 280, 280]
  %z = memref.alloc() : memref<72xi32>
  scf.for %i = %c0 to %c72 step %c1 {
    memref.store %sentinel, %z[%i] : memref<72xi32>
  }
  gpu.launch_func @kernels::@mixed blocks in (%c1, %c1, %c1) threads in (%c72, %c1, %c1)
      args(%z : memref<72xi32>)
  %zu = memref.cast %z : memref<72xi32> to memref<*xi32>
  call @printMemrefI32(%zu) : (memref<*xi32>) -> ()

  // After the first shuffle 4 5 6 7 0 1 2 3, after the second 6 7 4 5 0 1 2 3.
  // CHECK: [7, 4, 5, 0, 1, 2, 3, 8, 9, 10, {{.*}}, 31, 6]
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %width = arith.constant 8 : i32
  %l = memref.alloc() : memref<32xi32>
  gpu.launch_func @kernels::@lanes blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%l : memref<32xi32>, %c8 : index, %width : i32)
  %lu = memref.cast %l : memref<32xi32> to memref<*xi32>
  call @printMemrefI32(%lu) : (memref<*xi32>) -> ()
  return
}

}
