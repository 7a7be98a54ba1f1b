// Subgroups of 64 threads: ids, reductions, shuffles and matrices.
// RUN: uop-opt --uop-lower-to-cpu-pipeline="openmp=false subgroup-size=64" %s | %run-main | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @kernels {
  gpu.func @sixtyfour(%x: memref<4x128xi32>, %a: memref<16x16xf16>, %d: memref<16x16xf32>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i100 = arith.constant 100 : index
    %k32 = arith.constant 32 : i32
    %k64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    // 100 * subgroup + lane + size + number of subgroups.
    %lane = gpu.lane_id
    %w = gpu.subgroup_id : index
    %size = gpu.subgroup_size : index
    %count = gpu.num_subgroups : index
    %0 = arith.muli %w, %i100 : index
    %1 = arith.addi %0, %lane : index
    %2 = arith.addi %1, %size : index
    %3 = arith.addi %2, %count : index
    %ids = arith.index_cast %3 : index to i32
    memref.store %ids, %x[%i0, %t] : memref<4x128xi32>
    %sum = gpu.subgroup_reduce add %v : (i32) -> i32
    memref.store %sum, %x[%i1, %t] : memref<4x128xi32>
    %far, %p = gpu.shuffle xor %v, %k32, %k64 : i32
    memref.store %far, %x[%i2, %t] : memref<4x128xi32>
    %r, %q = gpu.rotate %v, 63, 64 : i32
    memref.store %r, %x[%i3, %t] : memref<4x128xi32>
    // Both subgroups compute the same product of matrices of 2: 16 * 4.
    %fa = gpu.subgroup_mma_load_matrix %a[%i0, %i0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %fb = gpu.subgroup_mma_load_matrix %a[%i0, %i0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %fc = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %fd = gpu.subgroup_mma_compute %fa, %fb, %fc : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %fd, %d[%i0, %i0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF32(%m: memref<*xf32>) attributes {llvm.emit_c_interface}

// 0 + ... + 63 = 2016; 64 + ... + 127 = 6112.
// CHECK: [66, 67, {{.*}}, 129, 166, {{.*}}, 229]
// CHECK-NEXT: [2016, {{(2016, )*}}6112, {{(6112, )*}}6112]
// CHECK-NEXT: [32, 33, {{.*}}, 63, 0, 1, {{.*}}, 31, 96, {{.*}}, 127, 64, {{.*}}, 95]
// CHECK-NEXT: [63, 0, 1, {{.*}}, 62, 127, 64, {{.*}}, 126]
// CHECK: [64, {{(64, )*}}64]
// CHECK-COUNT-15: [64, {{(64, )*}}64]
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %two = arith.constant 2.0 : f16
  %x = memref.alloc() : memref<4x128xi32>
  %a = memref.alloc() : memref<16x16xf16>
  %d = memref.alloc() : memref<16x16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %two, %a[%i, %j] : memref<16x16xf16>
    }
  }
  gpu.launch_func @kernels::@sixtyfour blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%x : memref<4x128xi32>, %a : memref<16x16xf16>, %d : memref<16x16xf32>)
  %xu = memref.cast %x : memref<4x128xi32> to memref<*xi32>
  call @printMemrefI32(%xu) : (memref<*xi32>) -> ()
  %du = memref.cast %d : memref<16x16xf32> to memref<*xf32>
  call @printMemrefF32(%du) : (memref<*xf32>) -> ()
  return
}

}
