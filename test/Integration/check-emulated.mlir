// Checked mode beside what else the emulator does.
// RUN: rm -rf %t && mkdir %t

module attributes {gpu.container_module} {

// A reduction that is split in two kernels is checked like any other.
// RUN: uop-run %s -e sum ones nan --check --save=1=%t/sum.npy --print-launch | FileCheck %s --check-prefix=SUM
// RUN: uop-run %s -e sum ones fill:65536 --split-reductions=false --compare=1=%t/sum.npy
// SUM: launch: @sum_partial
// SUM: launch: @sum_combine
uop.kernel @sum(%x: memref<65536xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %k = uop.range reduce 65536
  %a = uop.load %x[%k] : memref<65536xf32>
  %c = uop.reduce add %a over(%k) : f32
  uop.store %c, %y[%c0] over() : memref<1xf32>
}

gpu.module @kernels {
  // Elements 128 to 163 are in the view and not in the buffer: nothing is written
  // there.
  gpu.func @beyond(%x: memref<128xi32>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c100 = arith.constant 100 : index
    %offset = arith.addi %b, %c100 : index
    %view = memref.subview %x[%offset] [64] [1] : memref<128xi32> to memref<64xi32, strided<[1], offset: ?>>
    %v = arith.index_cast %t : index to i32
    memref.store %v, %view[%t] : memref<64xi32, strided<[1], offset: ?>>
    gpu.return
  }

  // Odd threads return; even ones ask them.
  gpu.func @left(%x: memref<32xi32>) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %one = arith.constant 1 : i32
    %bit = arith.andi %v, %one : i32
    %isEven = arith.cmpi ne, %bit, %one : i32
    cf.cond_br %isEven, ^even, ^end
  ^even:
    %width = arith.constant 32 : i32
    %r, %valid = gpu.shuffle xor %v, %one, %width : i32
    memref.store %r, %x[%t] : memref<32xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // Lanes that are needed are at the end, by the same control flow.
  gpu.func @apart(%x: memref<32xi32>) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %one = arith.constant 1 : i32
    %bit = arith.andi %v, %one : i32
    %isOdd = arith.cmpi eq, %bit, %one : i32
    scf.if %isOdd {
      %width = arith.constant 32 : i32
      %r, %valid = gpu.shuffle xor %v, %one, %width : i32
      memref.store %r, %x[%t] : memref<32xi32>
    }
    gpu.return
  }

  // A reduction of the block is a barrier.
  gpu.func @ordered(%x: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %sum = gpu.all_reduce add %v uniform {} : (f32) -> f32
    %c63 = arith.constant 63 : index
    %r = arith.subi %c63, %t : index
    %w = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    %z = arith.addf %w, %sum : f32
    memref.store %z, %x[%t] : memref<64xf32>
    gpu.return
  }
}

// RUN: not uop-run %s -e beyond fill:-1 --check --save=0=%t/beyond.npy 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: @beyond: out of bounds (36 accesses): thread (28, 0, 0) of block (0, 0, 0) writes %view[28], but the view of the buffer is larger than the buffer
// BEYOND-NOT: error:
func.func @beyond(%x: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@beyond blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%x : memref<128xi32>)
  return
}

// RUN: not uop-run %s -e left fill:-1 --check 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: error: @left: shuffle from an inactive lane (16 times): thread (0, 0, 0) of block (0, 0, 0) reads from lane 1, which has returned
// LEFT-NOT: error:
func.func @left(%x: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@left blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%x : memref<32xi32>)
  return
}

// No policy excuses that, and nothing that comes after it is run.
// RUN: not uop-run %s -e apart fill:-1 --check --save=0=%t/apart.npy 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not uop-run %s -e apart fill:-1 --check --check-policy=cuda 2>&1 | FileCheck %s --check-prefix=APART
// RUN: uop-run %s -e nothing fill:-1 --compare=0=%t/apart.npy
// APART: error: @apart: barrier divergence (1 time): the threads of block (0, 0, 0) disagree at the scf.if
// APART: note: 16 threads (have returned): (0, 0, 0), (2, 0, 0)
// APART: note: 16 threads (wait at the gpu.shuffle): (1, 0, 0), (3, 0, 0)
// APART-NOT: error:
func.func @apart(%x: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@apart blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%x : memref<32xi32>)
  return
}
func.func @nothing(%x: memref<32xi32>) {
  return
}

// RUN: uop-run %s -e ordered iota --check 2>&1 | FileCheck %s --allow-empty --check-prefix=ORDERED
// ORDERED-NOT: {{.}}
func.func @ordered(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@ordered blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%x : memref<64xf32>)
  return
}

}
