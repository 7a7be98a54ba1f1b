// Threads of a block that do not agree at control flow around a barrier end the
// run with status 1 and a message that says who is where. What was printed
// before is not lost.
// RUN: split-file --leading-lines %s %t
// RUN: %emulate %t/if.mlir | not %run-main > %t/if.out 2> %t/if.err
// RUN: FileCheck %s --check-prefix=BEFORE < %t/if.out
// RUN: FileCheck %s --check-prefix=IF < %t/if.err
// RUN: %emulate %t/for.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=FOR
// RUN: %emulate %t/way.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=WAY
// RUN: %emulate %t/shuffle.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=SHUFFLE
// RUN: %emulate %t/subgroups.mlir | not %run-main 2>&1 | FileCheck %s --check-prefix=SUBGROUPS

// BEFORE: before the launch
// BEFORE-NOT: after the launch

//--- if.mlir
module attributes {gpu.container_module} {
gpu.module @kernels {
  // The last 8 of 64 threads (4 x 4 x 4) find a zero and skip the barrier. In
  // block (0, 1, 0) only: block (0, 0, 0) runs to its end.
  // IF: if.mlir:[[@LINE+1]]:3: error: the threads of block (0, 1, 0) of kernel 'skip' disagree at scf.if at {{.*}}if.mlir:[[@LINE+14]]:5
  gpu.func @skip(%flags: memref<2x64xi32>) kernel {
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %by = gpu.block_id y
    %0 = arith.muli %tz, %c4 : index
    %1 = arith.addi %0, %ty : index
    %2 = arith.muli %1, %c4 : index
    %3 = arith.addi %2, %tx : index
    %flag = memref.load %flags[%by, %3] : memref<2x64xi32>
    %on = arith.cmpi ne, %flag, %zero : i32
    scf.if %on {
      // IF-NEXT: 56 of them wait at the gpu.barrier at {{.*}}if.mlir:[[@LINE+1]]:7: (0, 0, 0) (1, 0, 0) (2, 0, 0) (3, 0, 0) ...
      gpu.barrier
    }
    // IF-NEXT: 8 of them reach the end of the kernel: (0, 2, 3) (1, 2, 3) (2, 2, 3) (3, 2, 3) ...
    gpu.return
  }
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c56 = arith.constant 56 : index
  %c64 = arith.constant 64 : index
  %flags = memref.alloc() : memref<2x64xi32>
  scf.for %b = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c64 step %c1 {
      %low = arith.cmpi ult, %i, %c56 : index
      %first = arith.cmpi eq, %b, %c0 : index
      %on = arith.ori %low, %first : i1
      %v = arith.extui %on : i1 to i32
      memref.store %v, %flags[%b, %i] : memref<2x64xi32>
    }
  }
  vector.print str "before the launch\n"
  gpu.launch_func @kernels::@skip blocks in (%c1, %c2, %c1) threads in (%c4, %c4, %c4)
      args(%flags : memref<2x64xi32>)
  vector.print str "after the launch\n"
  return
}
}

//--- for.mlir
module attributes {gpu.container_module} {
gpu.module @kernels {
  // Thread t runs n - t/3 iterations with n = 2: 3 threads run 2, 1 runs one.
  // FOR: error: the threads of block (0, 0, 0) of kernel 'trips' disagree at scf.for at {{.*}}for.mlir:[[@LINE+10]]:5
  // FOR-NEXT: 3 of them wait at the gpu.barrier at {{.*}}: (0, 0, 0) (1, 0, 0) (2, 0, 0){{$}}
  // FOR-NEXT: 1 of them reach the end of the kernel: (3, 0, 0){{$}}
  gpu.func @trips(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %t = gpu.thread_id x
    %less = arith.divui %t, %c3 : index
    %end = arith.subi %n, %less : index
    scf.for %i = %c0 to %end step %c1 {
      gpu.barrier
    }
    gpu.return
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  gpu.launch_func @kernels::@trips blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%c2 : index)
  return
}
}

//--- way.mlir
module attributes {gpu.container_module} {
gpu.module @kernels {
  // All threads come to the same barrier, but not in the same iteration.
  // WAY: disagree at scf.if
  // WAY-NEXT: 1 of them wait at the gpu.barrier
  // WAY-NEXT: 1 of them wait at the gpu.barrier
  // WAY-NEXT: they came there by different control flow
  gpu.func @turns(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      %mine = arith.cmpi eq, %i, %t : index
      scf.if %mine {
        gpu.barrier
      }
    }
    gpu.return
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch_func @kernels::@turns blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1)
      args(%c2 : index)
  return
}
}

//--- shuffle.mlir
module attributes {gpu.container_module} {
gpu.module @kernels {
  // A half of the first subgroup shuffles. (The second does not, as it may.)
  // SHUFFLE: error: the threads of block (0, 0, 0) of kernel 'half' disagree at scf.if at {{.*}}shuffle.mlir:[[@LINE+8]]:5
  // SHUFFLE-NEXT: 16 of them wait at the gpu.shuffle at {{.*}}shuffle.mlir:[[@LINE+8]]:{{[0-9]+}} (the whole subgroup must): (0, 0, 0) (1, 0, 0) (2, 0, 0) (3, 0, 0) ...
  // SHUFFLE-NEXT: 16 of them reach the end of the kernel: (16, 0, 0) (17, 0, 0) (18, 0, 0) (19, 0, 0) ...
  gpu.func @half(%n: index) kernel {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %t = gpu.thread_id x
    %low = arith.cmpi ult, %t, %n : index
    scf.if %low {
      %v, %p = gpu.shuffle xor %one, %one, %width : i32
    }
    gpu.return
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%c16 : index)
  return
}
}

//--- subgroups.mlir
module attributes {gpu.container_module} {
gpu.module @kernels {
  // The subgroups go different ways to shuffles, which they may, and then one
  // of them comes to a barrier, which it may not.
  // SUBGROUPS: error: the threads of block (0, 0, 0) of kernel 'part' disagree at scf.if at {{.*}}subgroups.mlir:[[@LINE+11]]:5
  // SUBGROUPS-NEXT: 32 of them wait at the gpu.barrier at {{.*}}: (0, 0, 0) (1, 0, 0) (2, 0, 0) (3, 0, 0) ...
  // SUBGROUPS-NEXT: 8 of them reach the end of the kernel: (32, 0, 0) (33, 0, 0) (34, 0, 0) (35, 0, 0) ...
  gpu.func @part(%n: index) kernel {
    %one = arith.constant 1 : i32
    %width = arith.constant 8 : i32
    %t = gpu.thread_id x
    %low = arith.cmpi ult, %t, %n : index
    scf.if %low {
      %v, %p = gpu.shuffle xor %one, %one, %width : i32
    }
    scf.if %low {
      gpu.barrier
    }
    gpu.return
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c40 = arith.constant 40 : index
  gpu.launch_func @kernels::@part blocks in (%c1, %c1, %c1) threads in (%c40, %c1, %c1)
      args(%c32 : index)
  return
}
}
