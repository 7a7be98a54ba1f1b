// Kernels as they are written for GPUs, in checked mode: what is found, with the
// numbers of pairs that were worked out by hand, and no false alarm. A line is
// kind, space, who the threads are to each other, how often, the operations, and
// one example: the element, and the threads with their blocks.

// Free of races: no finding.
// RUN: uop-run %S/simt-kernels.mlir -e add_around rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e reuse rand rand rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e low_lanes rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e add_guarded rand rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e every_32nd rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e lengths rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e transpose_plain rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e transpose_padded rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e sum_strided rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e sum_halving rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e scan_inclusive rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e scan_exclusive rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-kernels.mlir -e gemm_32 rand rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-traffic.mlir -e sum_shuffle rand rand --check 2>&1 | count 0
// RUN: uop-run %S/simt-traffic.mlir -e early_return rand nan --check 2>&1 | count 0
// RUN: uop-run %S/simt-traffic.mlir -e rows_128 nan --check 2>&1 | count 0
// RUN: uop-run %S/simt-traffic.mlir -e rows_swizzled nan --check 2>&1 | count 0
// RUN: uop-run %s -e strides nan --check 2>&1 | count 0
// RUN: uop-run %s -e row_max rand nan --check 2>&1 | count 0
// RUN: uop-run %s -e swizzled rand nan --check 2>&1 | count 0

// x[i] = x[i + 1] in place (k03).
// RUN: %python %S/Inputs/check.py uop-run %S/simt-traffic.mlir -e shift rand \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=SHIFT
// SHIFT: race global cross-block x1 memref.load memref.store %x[64] (63, 0, 0)/(0, 0, 0) (0, 0, 0)/(1, 0, 0)
// SHIFT-NEXT: race global same-block x2 memref.load memref.store %x[32] (31, 0, 0)/(0, 0, 0) (32, 0, 0)/(0, 0, 0)
// SHIFT-NEXT: race global same-warp x124 memref.load memref.store %x[1] (0, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// SHIFT-NOT: {{.}}

// A transpose without its barrier (k11): also reads what is not written yet, in
// the order in which the emulator runs threads.
// RUN: %python %S/Inputs/check.py uop-run %S/simt-traffic.mlir -e transpose_33_block rand nan \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=TRANSPOSE
// TRANSPOSE: race shared same-block x896 memref.load memref.store %s[0, 1] (0, 1, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// TRANSPOSE-NEXT: race shared same-warp x96 memref.load memref.store %s[0, 8] (0, 0, 0)/(0, 0, 0) (8, 0, 0)/(0, 0, 0)
// TRANSPOSE-NEXT: uninitialized-read x496 memref.load %s[0, 8] (0, 0, 0)/(0, 0, 0)
// TRANSPOSE-NOT: {{.}}

// A tree without the barrier in its loop (k15).
// RUN: %python %S/Inputs/check.py uop-run %s -e sum_halving rand nan \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=HALVING
// HALVING: race shared same-block x128 memref.load memref.store %s[32] (0, 0, 0)/(0, 0, 0) (32, 0, 0)/(0, 0, 0)
// HALVING-NEXT: race shared same-warp x119 memref.load memref.store %s[1] (0, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// HALVING-NOT: {{.}}

// A scan with one barrier a step (k19).
// RUN: %python %S/Inputs/check.py uop-run %s -e scan_inclusive rand nan \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=SCAN
// SCAN: race shared same-block x157 memref.load memref.store %s[31] (32, 0, 0)/(0, 0, 0) (31, 0, 0)/(0, 0, 0)
// SCAN-NEXT: race shared same-warp x485 memref.load memref.store %s[1] (2, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// SCAN-NOT: {{.}}

// A histogram without atomic updates (k25).
// RUN: %python %S/Inputs/check.py uop-run %s -e histogram iota \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=HISTOGRAM
// HISTOGRAM: race shared same-block x1536 memref.load memref.store %s[0] (0, 0, 0)/(0, 0, 0) (32, 0, 0)/(0, 0, 0)
// HISTOGRAM-NEXT: race shared same-block x768 memref.store memref.store %s[0] (0, 0, 0)/(0, 0, 0) (32, 0, 0)/(0, 0, 0)
// HISTOGRAM-NEXT: race shared same-warp x128 memref.store memref.store %s[0] (0, 0, 0)/(0, 0, 0) (16, 0, 0)/(0, 0, 0)
// HISTOGRAM-NEXT: race shared same-warp x256 memref.load memref.store %s[0] (0, 0, 0)/(0, 0, 0) (16, 0, 0)/(0, 0, 0)
// HISTOGRAM-NOT: {{.}}

// Tiles without the second barrier (k27): rows of A are of one warp.
// RUN: %python %S/Inputs/check.py uop-run %S/simt-traffic.mlir -e gemm_block rand rand nan \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=GEMM
// GEMM: race shared same-block x3584 memref.load memref.store %sB[0, 0] (0, 2, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// GEMM-NEXT: race shared same-warp x256 memref.load memref.store %sB[0, 0] (0, 1, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// GEMM-NEXT: race shared same-warp x3840 memref.load memref.store %sA[0, 0] (1, 0, 0)/(0, 0, 0) (0, 0, 0)/(0, 0, 0)
// GEMM-NOT: {{.}}

// The last block reads what all have stored, without a fence (k34).
// RUN: %python %S/Inputs/check.py uop-run %s -e last_block rand nan zeros nan \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=LAST
// LAST: race global cross-block x3 memref.load memref.store %p[0] (0, 0, 0)/(3, 0, 0) (0, 0, 0)/(0, 0, 0)
// LAST-NOT: {{.}}

// One element too many (k36).
// RUN: %python %S/Inputs/check.py uop-run %S/simt-traffic.mlir -e off_by_one nan \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=BOUNDS
// BOUNDS: out-of-bounds x1 memref.store %o[100] (36, 0, 0)/(1, 0, 0)
// BOUNDS-NOT: {{.}}

// Threads 11 to 63 store one value (k43): 21 of the first block.
// RUN: %python %S/Inputs/check.py uop-run %s -e flag iota zeros \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=FLAG
// FLAG: equal-value-race global cross-block x672 memref.store memref.store %flag[] (11, 0, 0)/(0, 0, 0) (0, 0, 0)/(1, 0, 0)
// FLAG-NEXT: equal-value-race global same-warp x706 memref.store memref.store %flag[] (11, 0, 0)/(0, 0, 0) (12, 0, 0)/(0, 0, 0)
// FLAG-NOT: {{.}}

// Two barriers, of 40 and of 24 threads (k30).
// RUN: %python %S/Inputs/check.py uop-run %s -e run_two_sites nan \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=SITES
// SITES: divergence x1 scf.if 40 wait at the gpu.barrier 24 wait at the gpu.barrier
// SITES-NOT: {{.}}

// 28 threads of the second block return before a barrier (k31), which may be let
// pass: nothing else is wrong.
// RUN: %python %S/Inputs/check.py uop-run %s -e run_early_exit iota nan \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=STRICT
// STRICT: exit-before-barrier x1 scf.if 36 wait at the gpu.barrier 28 have returned
// STRICT-NOT: {{.}}

// RUN: %python %S/Inputs/check.py uop-run %s -e run_early_exit iota nan --check-policy=cuda \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=CUDA
// CUDA: exit-before-barrier warning x1 scf.if 36 wait at the gpu.barrier 28 have returned
// CUDA-NOT: {{.}}

// A maximum of 32 partial ones without the barrier, in each of 4 blocks.
// RUN: %python %S/Inputs/check.py uop-run %s -e row_max_racy rand nan \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=ROWMAX
// ROWMAX: race shared same-warp x124 memref.load memref.store %s[1] (0, 0, 0)/(0, 0, 0) (1, 0, 0)/(0, 0, 0)
// ROWMAX-NEXT: uninitialized-read x124 memref.load %s[1] (0, 0, 0)/(0, 0, 0)
// ROWMAX-NOT: {{.}}

!s32 = memref<32xf32, #gpu.address_space<workgroup>>
!s64 = memref<64xf32, #gpu.address_space<workgroup>>
!s128 = memref<128xf32, #gpu.address_space<workgroup>>
!s256 = memref<256xf32, #gpu.address_space<workgroup>>
!t16 = memref<16x16xf32, #gpu.address_space<workgroup>>
!line = memref<1056xf32, #gpu.address_space<workgroup>>
!h = memref<16xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {

uop.kernel loops @sum_halving(%x: memref<256xf32>, %o: memref<f32>) {
  %t = uop.range local<x> 256
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %s = uop.alloc : !s256
  %v = memref.load %x[%t] : memref<256xf32>
  memref.store %v, %s[%t] : !s256
  uop.barrier
  %end = scf.while (%st = %c128) : (index) -> index {
    %go = arith.cmpi sgt, %st, %c0 : index
    scf.condition(%go) %st : index
  } do {
  ^bb0(%st: index):
    %in = arith.cmpi slt, %t, %st : index
    scf.if %in {
      %j = arith.addi %t, %st : index
      %a = memref.load %s[%t] : !s256
      %b = memref.load %s[%j] : !s256
      %r = arith.addf %a, %b : f32
      memref.store %r, %s[%t] : !s256
    }
    %half = arith.shrui %st, %c1 : index
    scf.yield %half : index
  }
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %r = memref.load %s[%c0] : !s256
    memref.store %r, %o[] : memref<f32>
  }
}

uop.kernel loops @scan_inclusive(%x: memref<128xf32>, %o: memref<128xf32>) {
  %t = uop.range local<x> 128
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %s = uop.alloc : !s128
  %v = memref.load %x[%t] : memref<128xf32>
  memref.store %v, %s[%t] : !s128
  uop.barrier
  %end = scf.while (%d = %c1) : (index) -> index {
    %go = arith.cmpi slt, %d, %c128 : index
    scf.condition(%go) %d : index
  } do {
  ^bb0(%d: index):
    %in = arith.cmpi sge, %t, %d : index
    %left = scf.if %in -> f32 {
      %j = arith.subi %t, %d : index
      %a = memref.load %s[%j] : !s128
      scf.yield %a : f32
    } else {
      scf.yield %zero : f32
    }
    scf.if %in {
      %b = memref.load %s[%t] : !s128
      %r = arith.addf %b, %left : f32
      memref.store %r, %s[%t] : !s128
    }
    uop.barrier
    %d2 = arith.addi %d, %d : index
    scf.yield %d2 : index
  }
  %r = memref.load %s[%t] : !s128
  memref.store %r, %o[%t] : memref<128xf32>
}

uop.kernel loops @histogram(%x: memref<256xi32>) {
  %b = uop.range global<x> 2
  %t = uop.range local<x> 128
  %c128 = arith.constant 128 : index
  %c15 = arith.constant 15 : i32
  %one = arith.constant 1 : i32
  %s = uop.alloc zero : !h
  %base = arith.muli %b, %c128 : index
  %i = arith.addi %base, %t : index
  %v = memref.load %x[%i] : memref<256xi32>
  %bin = arith.andi %v, %c15 : i32
  %at = arith.index_cast %bin : i32 to index
  %n = memref.load %s[%at] : !h
  %m = arith.addi %n, %one : i32
  memref.store %m, %s[%at] : !h
}

uop.kernel loops @last_block(%x: memref<128xf32>, %p: memref<4xf32>,
                             %n: memref<i32>, %o: memref<f32>) {
  %g = uop.range global<x> 4
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %zero = arith.constant 0.0 : f32
  %b = arith.muli %g, %c32 : index
  %i = arith.addi %b, %t : index
  %v = memref.load %x[%i] : memref<128xf32>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %v, %p[%g] : memref<4xf32>
    %before = memref.atomic_rmw addi %one, %n[] : (i32, memref<i32>) -> i32
    %last = arith.cmpi eq, %before, %three : i32
    scf.if %last {
      %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f32 {
        %w = memref.load %p[%k] : memref<4xf32>
        %s = arith.addf %acc, %w : f32
        scf.yield %s : f32
      }
      memref.store %sum, %o[] : memref<f32>
    }
  }
}

uop.kernel loops @flag(%x: memref<64xf32>, %flag: memref<i32>) {
  %g = uop.range global<x> 2
  %t = uop.range local<x> 32
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %ten = arith.constant 10.0 : f32
  %b = arith.muli %g, %c32 : index
  %i = arith.addi %b, %t : index
  %v = memref.load %x[%i] : memref<64xf32>
  %p = arith.cmpf ogt, %v, %ten : f32
  scf.if %p {
    memref.store %one, %flag[] : memref<i32>
  }
}

// A transpose whose tile is swizzled.
uop.kernel loops @swizzled(%a: memref<16x16xf32>, %c: memref<16x16xf32>) {
  %x = uop.range local<x> 16
  %y = uop.range local<y> 16
  %s = uop.alloc : !t16
  %v = memref.load %a[%y, %x] : memref<16x16xf32>
  %to = arith.xori %x, %y : index
  memref.store %v, %s[%y, %to] : !t16
  uop.barrier
  %from = arith.xori %x, %y : index
  %w = memref.load %s[%x, %from] : !t16
  memref.store %w, %c[%y, %x] : memref<16x16xf32>
}

// s[stride * lane] for strides 1, 2, 4, ..., 32, one after another (k44).
uop.kernel loops @strides(%o: memref<32xf32>) {
  %t = uop.range local<x> 32
  %c1 = arith.constant 1 : index
  %c33 = arith.constant 33 : index
  %x = arith.constant 1.0 : f32
  %s = uop.alloc : !line
  %end = scf.while (%stride = %c1) : (index) -> index {
    %go = arith.cmpi slt, %stride, %c33 : index
    scf.condition(%go) %stride : index
  } do {
  ^bb0(%stride: index):
    %i = arith.muli %t, %stride : index
    memref.store %x, %s[%i] : !line
    %v = memref.load %s[%i] : !line
    memref.store %v, %o[%t] : memref<32xf32>
    uop.barrier
    %next = arith.addi %stride, %stride : index
    scf.yield %next : index
  }
}

uop.kernel loops @row_max_racy(%x: memref<4x32xf32>, %o: memref<4xf32>) {
  %b = uop.range global<x> 4
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant 0xFF800000 : f32
  %s = uop.alloc : !s32
  %v = memref.load %x[%b, %t] : memref<4x32xf32>
  memref.store %v, %s[%t] : !s32
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %m = scf.for %i = %c0 to %c32 step %c1 iter_args(%acc = %low) -> f32 {
      %w = memref.load %s[%i] : !s32
      %n = arith.maximumf %acc, %w : f32
      scf.yield %n : f32
    }
    memref.store %m, %o[%b] : memref<4xf32>
  }
}

uop.kernel loops @row_max(%x: memref<4x32xf32>, %o: memref<4xf32>) {
  %b = uop.range global<x> 4
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant 0xFF800000 : f32
  %s = uop.alloc : !s32
  %v = memref.load %x[%b, %t] : memref<4x32xf32>
  memref.store %v, %s[%t] : !s32
  uop.barrier
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %m = scf.for %i = %c0 to %c32 step %c1 iter_args(%acc = %low) -> f32 {
      %w = memref.load %s[%i] : !s32
      %n = arith.maximumf %acc, %w : f32
      scf.yield %n : f32
    }
    memref.store %m, %o[%b] : memref<4xf32>
  }
}

gpu.module @kernels {
  gpu.func @two_sites(%o: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %c40 = arith.constant 40 : index
    %f = arith.constant 1.0 : f32
    %low = arith.cmpi slt, %t, %c40 : index
    scf.if %low {
      gpu.barrier
    } else {
      gpu.barrier
    }
    memref.store %f, %o[%t] : memref<64xf32>
    gpu.return
  }

  gpu.func @early_exit(%x: memref<128xf32>, %o: memref<128xf32>, %n: index)
      workgroup(%s: !s64) kernel {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %base = arith.muli %b, %c64 : index
    %i = arith.addi %base, %t : index
    %out = arith.cmpi sge, %i, %n : index
    cf.cond_br %out, ^end, ^go
  ^go:
    %v = memref.load %x[%i] : memref<128xf32>
    memref.store %v, %s[%t] : !s64
    gpu.barrier
    %l = arith.subi %t, %c1 : index
    %p = arith.maxsi %l, %c0 : index
    %w = memref.load %s[%p] : !s64
    memref.store %w, %o[%i] : memref<128xf32>
    gpu.return
  ^end:
    gpu.return
  }
}

func.func @run_two_sites(%o: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels::@two_sites blocks in (%c1, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%o : memref<64xf32>)
  return
}

func.func @run_early_exit(%x: memref<128xf32>, %o: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 100 : index
  gpu.launch_func @kernels::@early_exit blocks in (%c2, %c1, %c1)
      threads in (%c64, %c1, %c1)
      args(%x : memref<128xf32>, %o : memref<128xf32>, %n : index)
  return
}
}
