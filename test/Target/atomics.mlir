// Every kind of atomic update, for every element type, assembles: with one
// instruction where the chip has it, else as a loop that compares and swaps.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx --check-prefixes=CHECK,SM80 --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx --check-prefixes=CHECK,SM90A --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin

// CHECK-LABEL: .entry f16(
// CHECK: atom.{{.*}}add.noftz.f16
// CHECK-LABEL: .entry bf16(
// SM80: atom.{{.*}}cas.b32
// SM90A: atom.{{.*}}add.noftz.bf16
// CHECK-LABEL: .entry f32(
// CHECK: atom.{{.*}}global.add.f32
// CHECK-COUNT-5: atom.{{.*}}global.cas.b32
// CHECK-LABEL: .entry f64(
// CHECK: atom.{{.*}}global.add.f64
// CHECK-COUNT-5: atom.{{.*}}global.cas.b64
// CHECK-LABEL: .entry i1(
// CHECK-COUNT-3: atom.{{.*}}global.cas.b
// CHECK-LABEL: .entry i8(
// CHECK-COUNT-10: atom.{{.*}}{{(cas|exch|and|or|xor)}}
// CHECK-LABEL: .entry i16(
// CHECK-LABEL: .entry i32(
// CHECK: atom.{{.*}}global.add.u32
// CHECK: atom.{{.*}}global.cas.b32
// CHECK: atom.{{.*}}global.max.s32
// CHECK: atom.{{.*}}global.max.u32
// CHECK: atom.{{.*}}global.min.s32
// CHECK: atom.{{.*}}global.min.u32
// CHECK: atom.{{.*}}global.and.b32
// CHECK: atom.{{.*}}global.or.b32
// CHECK: atom.{{.*}}global.xor.b32
// CHECK: atom.{{.*}}global.exch.b32
// CHECK-LABEL: .entry i64(
// CHECK: atom.{{.*}}global.add.u64
// CHECK-LABEL: .entry shared(
// CHECK: atom.{{.*}}shared.add.f32
// CHECK: atom.{{.*}}shared.cas.b32
// CHECK-LABEL: .entry generic(
// CHECK: atom.{{.*}}global.cas.b32
gpu.module @atomics {
  gpu.func @f16(%x: memref<32xf16>, %v: f16) kernel {
    %i = gpu.thread_id x
    %0 = memref.atomic_rmw addf %v, %x[%i] : (f16, memref<32xf16>) -> f16
    %1 = memref.atomic_rmw mulf %v, %x[%i] : (f16, memref<32xf16>) -> f16
    %2 = memref.atomic_rmw maximumf %v, %x[%i] : (f16, memref<32xf16>) -> f16
    %3 = memref.atomic_rmw minimumf %v, %x[%i] : (f16, memref<32xf16>) -> f16
    %4 = memref.atomic_rmw maxnumf %v, %x[%i] : (f16, memref<32xf16>) -> f16
    %5 = memref.atomic_rmw minnumf %v, %x[%i] : (f16, memref<32xf16>) -> f16
    gpu.return
  }
  gpu.func @bf16(%x: memref<32xbf16>, %v: bf16) kernel {
    %i = gpu.thread_id x
    %0 = memref.atomic_rmw addf %v, %x[%i] : (bf16, memref<32xbf16>) -> bf16
    %1 = memref.atomic_rmw mulf %v, %x[%i] : (bf16, memref<32xbf16>) -> bf16
    %2 = memref.atomic_rmw maximumf %v, %x[%i] : (bf16, memref<32xbf16>) -> bf16
    %3 = memref.atomic_rmw minimumf %v, %x[%i] : (bf16, memref<32xbf16>) -> bf16
    %4 = memref.atomic_rmw maxnumf %v, %x[%i] : (bf16, memref<32xbf16>) -> bf16
    %5 = memref.atomic_rmw minnumf %v, %x[%i] : (bf16, memref<32xbf16>) -> bf16
    gpu.return
  }
  gpu.func @f32(%x: memref<32xf32>, %v: f32) kernel {
    %i = gpu.thread_id x
    %0 = memref.atomic_rmw addf %v, %x[%i] : (f32, memref<32xf32>) -> f32
    %1 = memref.atomic_rmw mulf %v, %x[%i] : (f32, memref<32xf32>) -> f32
    %2 = memref.atomic_rmw maximumf %v, %x[%i] : (f32, memref<32xf32>) -> f32
    %3 = memref.atomic_rmw minimumf %v, %x[%i] : (f32, memref<32xf32>) -> f32
    %4 = memref.atomic_rmw maxnumf %v, %x[%i] : (f32, memref<32xf32>) -> f32
    %5 = memref.atomic_rmw minnumf %v, %x[%i] : (f32, memref<32xf32>) -> f32
    gpu.return
  }
  gpu.func @f64(%x: memref<32xf64>, %v: f64) kernel {
    %i = gpu.thread_id x
    %0 = memref.atomic_rmw addf %v, %x[%i] : (f64, memref<32xf64>) -> f64
    %1 = memref.atomic_rmw mulf %v, %x[%i] : (f64, memref<32xf64>) -> f64
    %2 = memref.atomic_rmw maximumf %v, %x[%i] : (f64, memref<32xf64>) -> f64
    %3 = memref.atomic_rmw minimumf %v, %x[%i] : (f64, memref<32xf64>) -> f64
    %4 = memref.atomic_rmw maxnumf %v, %x[%i] : (f64, memref<32xf64>) -> f64
    %5 = memref.atomic_rmw minnumf %v, %x[%i] : (f64, memref<32xf64>) -> f64
    gpu.return
  }
  gpu.func @i1(%x: memref<32xi1>, %v: i1) kernel {
    %i = gpu.thread_id x
    %0 = memref.atomic_rmw addi %v, %x[%i] : (i1, memref<32xi1>) -> i1
    %1 = memref.atomic_rmw andi %v, %x[%i] : (i1, memref<32xi1>) -> i1
    %2 = memref.atomic_rmw assign %v, %x[%i] : (i1, memref<32xi1>) -> i1
    gpu.return
  }
  gpu.func @i8(%x: memref<32xi8>, %v: i8) kernel {
    %i = gpu.thread_id x
    %0 = memref.atomic_rmw addi %v, %x[%i] : (i8, memref<32xi8>) -> i8
    %1 = memref.atomic_rmw muli %v, %x[%i] : (i8, memref<32xi8>) -> i8
    %2 = memref.atomic_rmw maxs %v, %x[%i] : (i8, memref<32xi8>) -> i8
    %3 = memref.atomic_rmw maxu %v, %x[%i] : (i8, memref<32xi8>) -> i8
    %4 = memref.atomic_rmw mins %v, %x[%i] : (i8, memref<32xi8>) -> i8
    %5 = memref.atomic_rmw minu %v, %x[%i] : (i8, memref<32xi8>) -> i8
    %6 = memref.atomic_rmw andi %v, %x[%i] : (i8, memref<32xi8>) -> i8
    %7 = memref.atomic_rmw ori %v, %x[%i] : (i8, memref<32xi8>) -> i8
    %8 = memref.atomic_rmw xori %v, %x[%i] : (i8, memref<32xi8>) -> i8
    %9 = memref.atomic_rmw assign %v, %x[%i] : (i8, memref<32xi8>) -> i8
    gpu.return
  }
  gpu.func @i16(%x: memref<32xi16>, %v: i16) kernel {
    %i = gpu.thread_id x
    %0 = memref.atomic_rmw addi %v, %x[%i] : (i16, memref<32xi16>) -> i16
    %1 = memref.atomic_rmw muli %v, %x[%i] : (i16, memref<32xi16>) -> i16
    %2 = memref.atomic_rmw maxs %v, %x[%i] : (i16, memref<32xi16>) -> i16
    %3 = memref.atomic_rmw maxu %v, %x[%i] : (i16, memref<32xi16>) -> i16
    %4 = memref.atomic_rmw mins %v, %x[%i] : (i16, memref<32xi16>) -> i16
    %5 = memref.atomic_rmw minu %v, %x[%i] : (i16, memref<32xi16>) -> i16
    %6 = memref.atomic_rmw andi %v, %x[%i] : (i16, memref<32xi16>) -> i16
    %7 = memref.atomic_rmw ori %v, %x[%i] : (i16, memref<32xi16>) -> i16
    %8 = memref.atomic_rmw xori %v, %x[%i] : (i16, memref<32xi16>) -> i16
    %9 = memref.atomic_rmw assign %v, %x[%i] : (i16, memref<32xi16>) -> i16
    gpu.return
  }
  gpu.func @i32(%x: memref<32xi32>, %v: i32) kernel {
    %i = gpu.thread_id x
    %0 = memref.atomic_rmw addi %v, %x[%i] : (i32, memref<32xi32>) -> i32
    %1 = memref.atomic_rmw muli %v, %x[%i] : (i32, memref<32xi32>) -> i32
    %2 = memref.atomic_rmw maxs %v, %x[%i] : (i32, memref<32xi32>) -> i32
    %3 = memref.atomic_rmw maxu %v, %x[%i] : (i32, memref<32xi32>) -> i32
    %4 = memref.atomic_rmw mins %v, %x[%i] : (i32, memref<32xi32>) -> i32
    %5 = memref.atomic_rmw minu %v, %x[%i] : (i32, memref<32xi32>) -> i32
    %6 = memref.atomic_rmw andi %v, %x[%i] : (i32, memref<32xi32>) -> i32
    %7 = memref.atomic_rmw ori %v, %x[%i] : (i32, memref<32xi32>) -> i32
    %8 = memref.atomic_rmw xori %v, %x[%i] : (i32, memref<32xi32>) -> i32
    %9 = memref.atomic_rmw assign %v, %x[%i] : (i32, memref<32xi32>) -> i32
    gpu.return
  }
  gpu.func @i64(%x: memref<32xi64>, %v: i64) kernel {
    %i = gpu.thread_id x
    %0 = memref.atomic_rmw addi %v, %x[%i] : (i64, memref<32xi64>) -> i64
    %1 = memref.atomic_rmw muli %v, %x[%i] : (i64, memref<32xi64>) -> i64
    %2 = memref.atomic_rmw maxs %v, %x[%i] : (i64, memref<32xi64>) -> i64
    %3 = memref.atomic_rmw maxu %v, %x[%i] : (i64, memref<32xi64>) -> i64
    %4 = memref.atomic_rmw mins %v, %x[%i] : (i64, memref<32xi64>) -> i64
    %5 = memref.atomic_rmw minu %v, %x[%i] : (i64, memref<32xi64>) -> i64
    %6 = memref.atomic_rmw andi %v, %x[%i] : (i64, memref<32xi64>) -> i64
    %7 = memref.atomic_rmw ori %v, %x[%i] : (i64, memref<32xi64>) -> i64
    %8 = memref.atomic_rmw xori %v, %x[%i] : (i64, memref<32xi64>) -> i64
    %9 = memref.atomic_rmw assign %v, %x[%i] : (i64, memref<32xi64>) -> i64
    gpu.return
  }
  gpu.func @shared(%x: memref<32xf32>, %v: f32)
      workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %i = gpu.thread_id x
    memref.store %v, %s[%i] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %0 = memref.atomic_rmw addf %v, %s[%i] : (f32, memref<32xf32, #gpu.address_space<workgroup>>) -> f32
    %1 = memref.atomic_rmw mulf %v, %s[%i] : (f32, memref<32xf32, #gpu.address_space<workgroup>>) -> f32
    %r = arith.addf %0, %1 : f32
    memref.store %r, %x[%i] : memref<32xf32>
    gpu.return
  }
  gpu.func @generic(%x: memref<32xf32>, %v: f32) kernel {
    %i = gpu.thread_id x
    %0 = memref.generic_atomic_rmw %x[%i] : memref<32xf32> {
    ^bb0(%old: f32):
      %d = arith.divf %old, %v : f32
      memref.atomic_yield %d : f32
    }
    gpu.return
  }
}
