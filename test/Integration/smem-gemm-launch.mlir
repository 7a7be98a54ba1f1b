// The kernels of examples/smem_gemm survive a round trip, and are launched as
// their README says: two tiles of 256 floats, one barrier before and one after
// the tiles are read, both in the loop along K.

// RUN: uop-opt %examples/smem_gemm/smem_gemm.mlir --mlir-print-op-generic | uop-opt | uop-opt --convert-uop-to-gpu | FileCheck %s

// CHECK-LABEL: gpu.func @smem_gemm(
// CHECK-SAME:    workgroup(%{{.*}} : memref<16x16xf32, #gpu.address_space<workgroup>> {{.*}}, %{{.*}} : memref<16x16xf32, #gpu.address_space<workgroup>>
// CHECK-SAME:    known_block_size = array<i32: 16, 16, 1>, known_grid_size = array<i32: 4, 4, 1>
// CHECK:         scf.for
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.store
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    scf.for
// CHECK:         }
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    scf.yield
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return

// CHECK-LABEL: gpu.func @smem_gemm_1024(
// CHECK-SAME:    known_block_size = array<i32: 16, 16, 1>, known_grid_size = array<i32: 64, 64, 1>

// CHECK-LABEL: gpu.func @reverse(
// CHECK-SAME:    workgroup(%{{[a-z0-9]+}} : memref<32xf32, #gpu.address_space<workgroup>> {{[^,]*}}) kernel
// CHECK-SAME:    known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 8, 1, 1>
