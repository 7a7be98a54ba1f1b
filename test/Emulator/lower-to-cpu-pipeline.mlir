// The pipeline ends in the LLVM dialect, with the blocks of the grid as an
// OpenMP loop or as a plain one. Nothing may be fused, whatever flags the
// kernel has, and exact instructions stay what they are.
// RUN: uop-opt %s --uop-lower-to-cpu-pipeline=vector-width=1 | FileCheck %s --check-prefixes=CHECK,OMP
// RUN: uop-opt %s --uop-lower-to-cpu-pipeline="openmp=false vector-width=1" | FileCheck %s --check-prefixes=CHECK,SERIAL

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<?xf32>, %a: f32) kernel {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<?xf32>
      %m = arith.mulf %v, %a fastmath<contract> : f32
      %s = arith.addf %m, %a fastmath<contract> : f32
      %r = math.sqrt %s : f32
      %e = math.log1p %r : f32
      memref.store %e, %x[%t] : memref<?xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: llvm.func @main
  // CHECK: llvm.call @f_grid
  func.func @main(%x: memref<?xf32>, %a: f32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @k::@f blocks in (%c32, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<?xf32>, %a : f32)
    return
  }
  // CHECK-LABEL: llvm.func internal @f_block
  // CHECK: %[[M:.*]] = llvm.fmul %{{.*}}, %{{.*}} : f32
  // CHECK: %[[S:.*]] = llvm.fadd %[[M]], %{{.*}} : f32
  // CHECK: %[[R:.*]] = llvm.intr.sqrt(%[[S]])
  // CHECK: %[[W:.*]] = llvm.fpext %[[R]] : f32 to f64
  // CHECK-NOT: llvm.call
  // CHECK: llvm.intr.fma(%{{.*}}) : (f64, f64, f64) -> f64
  // CHECK: %[[E:.*]] = llvm.fptrunc %{{.*}} : f64 to f32
  // CHECK: llvm.store %[[E]]
  // CHECK-LABEL: llvm.func internal @f_grid
  // OMP: omp.parallel
  // OMP: omp.wsloop
  // SERIAL-NOT: omp.
}
