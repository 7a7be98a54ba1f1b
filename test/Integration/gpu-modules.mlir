// Several modules and kernels: equal names in two of them, buffers that live
// from launch to launch and belong to a module, sizes that the host computes,
// and grids and blocks of three dimensions.
// RUN: uop-run %s -e main | FileCheck %s
// RUN: %emulate %s | %run-main | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @first {
  memref.global "private" @count : memref<1xi32> = dense<100>
  gpu.func @next(%x: memref<?xi32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %count = memref.get_global @count : memref<1xi32>
    %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    memref.store %old, %x[%i] : memref<?xi32>
    gpu.return
  }
}

gpu.module @second {
  memref.global "private" @count : memref<1xi32> = dense<200>
  gpu.func @next(%x: memref<?xi32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %two = arith.constant 2 : i32
    %count = memref.get_global @count : memref<1xi32>
    %old = memref.atomic_rmw addi %two, %count[%c0] : (i32, memref<1xi32>) -> i32
    memref.store %old, %x[%i] : memref<?xi32>
    gpu.return
  }

  // The number of a thread in all of its grid.
  gpu.func @number(%x: memref<?xi32>) kernel {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %gx = gpu.grid_dim x
    %gy = gpu.grid_dim y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %sx = gpu.block_dim x
    %sy = gpu.block_dim y
    %sz = gpu.block_dim z
    %b0 = arith.muli %bz, %gy : index
    %b1 = arith.addi %b0, %by : index
    %b2 = arith.muli %b1, %gx : index
    %b3 = arith.addi %b2, %bx : index
    %t0 = arith.muli %b3, %sz : index
    %t1 = arith.addi %t0, %tz : index
    %t2 = arith.muli %t1, %sy : index
    %t3 = arith.addi %t2, %ty : index
    %t4 = arith.muli %t3, %sx : index
    %t5 = arith.addi %t4, %tx : index
    %v = arith.index_cast %t5 : index to i32
    %old = memref.atomic_rmw addi %v, %x[%t5] : (i32, memref<?xi32>) -> i32
    gpu.return
  }
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32

  // CHECK: [100, {{ *}}200, {{ *}}101, {{ *}}202]
  %x = memref.alloc(%c4) : memref<?xi32>
  scf.for %i = %c0 to %c4 step %c2 {
    %j = arith.addi %i, %c1 : index
    gpu.launch_func @first::@next blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<?xi32>, %i : index)
    gpu.launch_func @second::@next blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<?xi32>, %j : index)
  }
  %u = memref.cast %x : memref<?xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()

  // Grids of (1, 2, 3) and (2, 3, 4) blocks of (3, 2, 1) and (4, 3, 2) threads:
  // the sum of all numbers below n is n * (n - 1) / 2, for 36 and 576.
  // CHECK-NEXT: 630
  // CHECK-NEXT: 165600
  scf.for %i = %c1 to %c3 step %c1 {
    %j = arith.addi %i, %c1 : index
    %k = arith.addi %j, %c1 : index
    %g0 = arith.muli %i, %j : index
    %g1 = arith.muli %g0, %k : index
    %n = arith.muli %g1, %g1 : index
    %y = gpu.alloc (%n) : memref<?xi32>
    gpu.memset %y, %zero : memref<?xi32>, i32
    gpu.launch_func @second::@number blocks in (%i, %j, %k) threads in (%k, %j, %i)
        args(%y : memref<?xi32>)
    %sum = scf.for %at = %c0 to %n step %c1 iter_args(%s = %zero) -> i32 {
      %v = memref.load %y[%at] : memref<?xi32>
      %t = arith.addi %s, %v : i32
      scf.yield %t : i32
    }
    vector.print %sum : i32
    gpu.dealloc %y : memref<?xi32>
  }
  memref.dealloc %x : memref<?xi32>
  return
}

func.func private @printMemrefI32(memref<*xi32>)
}
