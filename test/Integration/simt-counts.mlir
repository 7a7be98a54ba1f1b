// The global sectors and shared wavefronts of each request of the kernels of
// simt-traffic.mlir, simt-checks.mlir and simt-kernels.mlir, as their run has
// them: the same as worked by hand, and of accesses that depend on data, too.

// k01: a guarded addition.
// RUN: uop-run %S/simt-kernels.mlir -e add_guarded rand rand nan --report | FileCheck %s --check-prefix=K01
// K01: global load: {{[0-9]+}} request{{s?}}, 4 sec x15/3 sec x1 (
// K01-NEXT: global load: {{[0-9]+}} request{{s?}}, 4 sec x15/3 sec x1 (
// K01-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x15/3 sec x1 (
// K01-NOT: {{(load|store|update):}}

// k03: x[i] = x[i + 1] in place.
// RUN: uop-run %S/simt-traffic.mlir -e shift rand --report | FileCheck %s --check-prefix=K03
// K03: global load: {{[0-9]+}} request{{s?}}, 5 sec x4 (
// K03-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x4 (
// K03-NOT: {{(load|store|update):}}

// k04: lanes 128 bytes apart.
// RUN: uop-run %S/simt-kernels.mlir -e every_32nd rand nan --report | FileCheck %s --check-prefix=K04
// K04: global load: {{[0-9]+}} request{{s?}}, 32 sec x2 (
// K04-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x2 (
// K04-NOT: {{(load|store|update):}}

// k05: a field of structs.
// RUN: uop-run %S/simt-kernels.mlir -e lengths rand nan --report | FileCheck %s --check-prefix=K05
// K05: global load: {{[0-9]+}} request{{s?}}, 12 sec x2 (
// K05-NEXT: global load: {{[0-9]+}} request{{s?}}, 12 sec x2 (
// K05-NEXT: global load: {{[0-9]+}} request{{s?}}, 12 sec x2 (
// K05-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x2 (
// K05-NOT: {{(load|store|update):}}

// k07: a transpose through global memory.
// RUN: uop-run %S/simt-kernels.mlir -e transpose_plain rand nan --report | FileCheck %s --check-prefix=K07
// K07: global load: {{[0-9]+}} request{{s?}}, 4 sec x32 (
// K07-NEXT: global store: {{[0-9]+}} request{{s?}}, 32 sec x32 (
// K07-NOT: {{(load|store|update):}}

// k08 and k09: through a tile of 32x32, and of 32x33.
// RUN: uop-run %S/simt-traffic.mlir -e transpose_32 rand nan --report | FileCheck %s --check-prefix=K08
// K08: global load: {{[0-9]+}} request{{s?}}, 4 sec x128 (
// K08-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x128 (
// K08-NEXT: shared load: {{[0-9]+}} request{{s?}}, 32 wf x128 (
// K08-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x128 (
// K08-NOT: {{(load|store|update):}}
// RUN: uop-run %S/simt-kernels.mlir -e transpose_padded rand nan --report | FileCheck %s --check-prefix=K09
// K09: global load: {{[0-9]+}} request{{s?}}, 4 sec x128 (
// K09-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x128 (
// K09-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x128 (
// K09-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x128 (
// K09-NOT: {{(load|store|update):}}

// k11: without the barrier.
// RUN: uop-run %S/simt-traffic.mlir -e transpose_33_block rand nan --report | FileCheck %s --check-prefix=K11
// K11: global load: {{[0-9]+}} request{{s?}}, 4 sec x32 (
// K11-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x32 (
// K11-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x32 (
// K11-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x32 (
// K11-NOT: {{(load|store|update):}}

// k13: a tree with bank conflicts.
// RUN: uop-run %S/simt-kernels.mlir -e sum_strided rand nan --report | FileCheck %s --check-prefix=K13
// K13: global load: {{[0-9]+}} request{{s?}}, 4 sec x8 (
// K13-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x8 (
// K13-NEXT: shared load: {{[0-9]+}} request{{s?}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// K13-NEXT: shared load: {{[0-9]+}} request{{s?}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// K13-NEXT: shared store: {{[0-9]+}} request{{s?}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// K13-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x1 (
// K13-NEXT: global store: {{[0-9]+}} request{{s?}}, 1 sec x1 (
// K13-NOT: {{(load|store|update):}}

// k14 and k15: a tree without them, and without its barrier.
// RUN: uop-run %S/simt-kernels.mlir -e sum_halving rand nan --report | FileCheck %s --check-prefix=K14
// K14: global load: {{[0-9]+}} request{{s?}}, 4 sec x8 (
// K14-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x8 (
// K14-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x12 (
// K14-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x12 (
// K14-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x12 (
// K14-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x1 (
// K14-NEXT: global store: {{[0-9]+}} request{{s?}}, 1 sec x1 (
// K14-NOT: {{(load|store|update):}}
// RUN: uop-run %S/simt-checks.mlir -e sum_halving rand nan --report | FileCheck %s --check-prefix=K14

// k18: shuffles, and partial sums through shared memory.
// RUN: uop-run %S/simt-traffic.mlir -e sum_shuffle rand nan --report | FileCheck %s --check-prefix=K18
// K18: global load: {{[0-9]+}} request{{s?}}, 4 sec x8 (
// K18-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x8 (
// K18-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x8 (
// K18-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x1 (
// K18-NEXT: global store: {{[0-9]+}} request{{s?}}, 1 sec x1 (
// K18-NOT: {{(load|store|update):}}

// k19 and k20: a scan with one barrier a step, and with two.
// RUN: uop-run %S/simt-checks.mlir -e scan_inclusive rand nan --report | FileCheck %s --check-prefix=K19
// K19: global load: {{[0-9]+}} request{{s?}}, 4 sec x4 (
// K19-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x4 (
// K19-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x25 (
// K19-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x25 (
// K19-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x25 (
// K19-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x4 (
// K19-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x4 (
// K19-NOT: {{(load|store|update):}}
// RUN: uop-run %S/simt-kernels.mlir -e scan_inclusive rand nan --report | FileCheck %s --check-prefix=K19

// k22: up and down a tree; down with the strides of the way up. The handed figures
// of the way down, 4 wf x2/2 wf x4/1 wf x6, are those of one without barriers.
// RUN: uop-run %S/simt-kernels.mlir -e scan_exclusive rand nan --report | FileCheck %s --check-prefix=K22
// K22: global load: {{[0-9]+}} request{{s?}}, 4 sec x4 (
// K22-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x4 (
// K22-NEXT: global load: {{[0-9]+}} request{{s?}}, 4 sec x4 (
// K22-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x4 (
// K22-NEXT: shared load: {{[0-9]+}} request{{s?}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// K22-NEXT: shared load: {{[0-9]+}} request{{s?}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// K22-NEXT: shared store: {{[0-9]+}} request{{s?}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// K22-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x1 (
// K22-NEXT: shared load: {{[0-9]+}} request{{s?}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// K22-NEXT: shared load: {{[0-9]+}} request{{s?}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// K22-NEXT: shared store: {{[0-9]+}} request{{s?}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// K22-NEXT: shared store: {{[0-9]+}} request{{s?}}, 2 wf x5/4 wf x3/8 wf x3/1 wf x1 (
// K22-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x4 (
// K22-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x4 (
// K22-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x4 (
// K22-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x4 (
// K22-NOT: {{(load|store|update):}}

// k25: a histogram, whose bins depend on data.
// RUN: uop-run %S/simt-traffic.mlir -e histogram rand zeros --report | FileCheck %s --check-prefix=K25
// K25: shared store: {{[0-9]+}} request{{s?}}, 1 wf x2 (
// K25-NEXT: global load: {{[0-9]+}} request{{s?}}, 4 sec x8 (
// K25-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x8 (
// K25-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x8 (
// K25-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x2 (
// K25-NEXT: global atomic update: {{[0-9]+}} request{{s?}}, 2 sec x2 (
// K25-NOT: {{(load|store|update):}}

// k26 and k27: a product in tiles of 16x16, and one block of it.
// RUN: uop-run %S/simt-kernels.mlir -e gemm_32 rand rand nan --report | FileCheck %s --check-prefix=K26
// K26: global load: {{[0-9]+}} request{{s?}}, 4 sec x64 (
// K26-NEXT: global load: {{[0-9]+}} request{{s?}}, 4 sec x64 (
// K26-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x64 (
// K26-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x64 (
// K26-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x1024 (
// K26-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x1024 (
// K26-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x32 (
// K26-NOT: {{(load|store|update):}}
// RUN: uop-run %S/simt-traffic.mlir -e gemm_block rand rand nan --report | FileCheck %s --check-prefix=K27
// K27: global load: {{[0-9]+}} request{{s?}}, 4 sec x16 (
// K27-NEXT: global load: {{[0-9]+}} request{{s?}}, 4 sec x16 (
// K27-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x16 (
// K27-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x16 (
// K27-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x256 (
// K27-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x256 (
// K27-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x8 (
// K27-NOT: {{(load|store|update):}}

// k30: two branches, of 40 and 24 threads.
// RUN: uop-run %S/simt-traffic.mlir -e two_branches nan --report | FileCheck %s --check-prefix=K30
// K30: global store: {{[0-9]+}} request{{s?}}, 4 sec x2 (
// K30-NOT: {{(load|store|update):}}

// k31: 28 threads return before a barrier, which does not hold the others up.
// RUN: uop-run %S/simt-checks.mlir -e run_early_exit rand nan --report | FileCheck %s --check-prefix=K31
// K31: global load: {{[0-9]+}} request{{s?}}, 4 sec x3/1 sec x1 (
// K31-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x4 (
// K31-NEXT: shared load: {{[0-9]+}} request{{s?}}, 1 wf x4 (
// K31-NEXT: global store: {{[0-9]+}} request{{s?}}, 4 sec x3/1 sec x1 (
// K31-NOT: {{(load|store|update):}}

// k34: the last block, which the run tells, reads what all have stored.
// RUN: uop-run %S/simt-checks.mlir -e last_block rand nan zeros nan --report | FileCheck %s --check-prefix=K34
// K34: global load: {{[0-9]+}} request{{s?}}, 4 sec x4 (
// K34-NEXT: global store: {{[0-9]+}} request{{s?}}, 1 sec x4 (
// K34-NEXT: global atomic update: {{[0-9]+}} request{{s?}}, 1 sec x4 (
// K34-NEXT: global load: {{[0-9]+}} request{{s?}}, 1 sec x4 (
// K34-NEXT: global store: {{[0-9]+}} request{{s?}}, 1 sec x1 (
// K34-NOT: {{(load|store|update):}}

// k36: one element too many, of a larger array here.
// RUN: uop-run %s -e off_by_one nan:104 --report | FileCheck %s --check-prefix=K36
// K36: global store: {{[0-9]+}} request{{s?}}, 4 sec x3/1 sec x1 (
// K36-NOT: {{(load|store|update):}}

// k39 and k41: rows of 128 bytes by ldmatrix, plain and swizzled.
// RUN: uop-run %s -e run_rows 0 --report | FileCheck %s --check-prefix=K39
// K39: shared store: {{[0-9]+}} request{{s?}}, 32 wf x2 (
// K39-NEXT: shared load: {{[0-9]+}} request{{s?}}, 32 wf x2 (
// K39-NOT: {{(load|store|update):}}
// RUN: uop-run %s -e run_rows 7 --report | FileCheck %s --check-prefix=K41
// K41: shared store: {{[0-9]+}} request{{s?}}, 4 wf x2 (
// K41-NEXT: shared load: {{[0-9]+}} request{{s?}}, 4 wf x2 (
// K41-NOT: {{(load|store|update):}}

// k43: threads 11 to 63 store a flag.
// RUN: uop-run %S/simt-checks.mlir -e flag iota zeros --report | FileCheck %s --check-prefix=K43
// K43: global load: {{[0-9]+}} request{{s?}}, 4 sec x2 (
// K43-NEXT: global store: {{[0-9]+}} request{{s?}}, 1 sec x2 (
// K43-NOT: {{(load|store|update):}}

// k44: s[stride * lane].
// RUN: uop-run %S/simt-traffic.mlir -e strides --report | FileCheck %s --check-prefix=K44
// K44: shared store: {{[0-9]+}} request{{s?}}, 1 wf x1 (
// K44-NEXT: shared store: {{[0-9]+}} request{{s?}}, 2 wf x1 (
// K44-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x1 (
// K44-NEXT: shared store: {{[0-9]+}} request{{s?}}, 4 wf x1 (
// K44-NEXT: shared store: {{[0-9]+}} request{{s?}}, 8 wf x1 (
// K44-NEXT: shared store: {{[0-9]+}} request{{s?}}, 16 wf x1 (
// K44-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x1 (
// K44-NEXT: shared store: {{[0-9]+}} request{{s?}}, 32 wf x1 (
// K44-NEXT: shared store: {{[0-9]+}} request{{s?}}, 1 wf x1 (
// K44-NOT: {{(load|store|update):}}

!tile = memref<32x64xf16, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {

uop.kernel loops @off_by_one(%o: memref<?xf32>) {
  %g = uop.range global<x> 2
  %t = uop.range local<x> 64
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %x = arith.constant 1.0 : f32
  %b = arith.muli %g, %c64 : index
  %i = arith.addi %b, %t : index
  %in = arith.cmpi sle, %i, %c100 : index
  scf.if %in {
    memref.store %x, %o[%i] : memref<?xf32>
  }
}

// Chunk c of row r is at c, or at c ^ (r mod 8).
gpu.module @kernels {
  gpu.func @rows(%mask: index) workgroup(%s: !tile) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %v = arith.constant dense<1.0> : vector<8xf16>
    %r = arith.andi %t, %mask : index
    scf.for %c = %c0 to %c2 step %c1 {
      %m = arith.xori %c, %r : index
      %i = arith.muli %m, %c8 : index
      vector.store %v, %s[%t, %i] : !tile, vector<8xf16>
    }
    gpu.barrier
    scf.for %c = %c0 to %c2 step %c1 {
      %m = arith.xori %c, %r : index
      %i = arith.muli %m, %c8 : index
      %x = nvgpu.ldmatrix %s[%t, %i] {numTiles = 4 : i32, transpose = false} : !tile -> vector<4x2xf16>
    }
    gpu.return
  }
}

func.func @run_rows(%mask: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@rows blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%mask : index)
  return
}
}
