// Exact by default: IEEE division and square root; --fast-math takes the
// approximate ones. The functions come from libdevice and are linked in.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx --implicit-check-not=".extern .func" --implicit-check-not=sqrt.approx --implicit-check-not=div.full
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx --implicit-check-not=".extern .func" --implicit-check-not=sqrt.approx --implicit-check-not=div.full
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 --fast-math -o %t.fast.ptx
// RUN: FileCheck %s --input-file=%t.fast.ptx --check-prefix=FAST --implicit-check-not=".extern .func"
// RUN: %ptxas -arch=sm_80 %t.fast.ptx -o %t.fast.cubin

// CHECK-LABEL: .entry exact_f32(
// CHECK: div.rn.f32
// CHECK: sqrt.rn.f32
// FAST-LABEL: .entry exact_f32(
// FAST: div.approx.f32
// FAST: sqrt.approx.f32

// CHECK-LABEL: .entry exact_f64(
// CHECK: div.rn.f64
// CHECK: sqrt.rn.f64
// FAST-LABEL: .entry exact_f64(
// FAST: div.rn.f64
// FAST: sqrt.rn.f64

// A vector of two rounds like two scalars.
// CHECK-LABEL: .entry exact_vector(
// CHECK-COUNT-2: div.rn.f32
// CHECK-COUNT-2: sqrt.rn.f32

// CHECK-LABEL: .entry fma(
// CHECK: fma.rn.f32

// Rounded once in narrow types, too, not to f32 before.
// CHECK-LABEL: .entry narrow_fma(
// CHECK-DAG: fma.rn.f16
// CHECK-DAG: fma.rn.bf16
// CHECK-NOT: fma.rn.f32

// CHECK-LABEL: .entry two_roundings(
// CHECK: mul.rn.f32
// CHECK-NEXT: add.rn.f32
// FAST-LABEL: .entry two_roundings(
// FAST: mul.rn.f32
// FAST-NEXT: add.rn.f32

// CHECK-LABEL: .entry functions(
// CHECK: ex2.approx
// CHECK: st.global
// FAST-LABEL: .entry functions(
// FAST: ex2.approx.f32
// FAST: lg2.approx.f32
// FAST: sin.approx.f32

// CHECK-LABEL: .entry nan(
// CHECK-DAG: max.NaN.f32
// CHECK-DAG: max.f32
gpu.module @math {
  gpu.func @exact_f32(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf32>
    %b = memref.load %y[%i] : memref<32xf32>
    %d = arith.divf %a, %b : f32
    %s = math.sqrt %d : f32
    memref.store %s, %x[%i] : memref<32xf32>
    gpu.return
  }
  gpu.func @exact_f64(%x: memref<32xf64>, %y: memref<32xf64>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf64>
    %b = memref.load %y[%i] : memref<32xf64>
    %d = arith.divf %a, %b : f64
    %s = math.sqrt %d : f64
    memref.store %s, %x[%i] : memref<32xf64>
    gpu.return
  }
  gpu.func @exact_vector(%x: memref<32xvector<2xf32>>, %y: memref<32xvector<2xf32>>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xvector<2xf32>>
    %b = memref.load %y[%i] : memref<32xvector<2xf32>>
    %d = arith.divf %a, %b : vector<2xf32>
    %s = math.sqrt %d : vector<2xf32>
    memref.store %s, %x[%i] : memref<32xvector<2xf32>>
    gpu.return
  }
  gpu.func @fma(%x: memref<32xf32>, %b: f32, %c: f32) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf32>
    %d = math.fma %a, %b, %c : f32
    memref.store %d, %x[%i] : memref<32xf32>
    gpu.return
  }
  gpu.func @narrow_fma(%x: memref<32xf16>, %y: memref<32xbf16>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf16>
    %b = math.fma %a, %a, %a : f16
    memref.store %b, %x[%i] : memref<32xf16>
    %c = memref.load %y[%i] : memref<32xbf16>
    %d = math.fma %c, %c, %c : bf16
    memref.store %d, %y[%i] : memref<32xbf16>
    gpu.return
  }
  gpu.func @two_roundings(%x: memref<32xf32>, %b: f32, %c: f32) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf32>
    %p = arith.mulf %a, %b : f32
    %d = arith.addf %p, %c : f32
    memref.store %d, %x[%i] : memref<32xf32>
    gpu.return
  }
  gpu.func @functions(%x: memref<32xf32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf32>
    %e = math.exp %a : f32
    %l = math.log %e : f32
    %s = math.sin %l : f32
    %t = math.tanh %s : f32
    memref.store %t, %x[%i] : memref<32xf32>
    gpu.return
  }
  gpu.func @nan(%x: memref<32xf32>, %y: memref<32xf32>, %b: f32) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf32>
    %p = arith.maximumf %a, %b : f32
    memref.store %p, %x[%i] : memref<32xf32>
    %q = arith.maxnumf %a, %b : f32
    memref.store %q, %y[%i] : memref<32xf32>
    gpu.return
  }
}
