// Ids and sizes of clusters. Without clusters in the launch a block is one.
// RUN: %emulate %s | %run-main | FileCheck %s
// RUN: uop-run %s -e main | FileCheck %s
// RUN: uop-run %s -e main --check | FileCheck %s

module attributes {gpu.container_module} {

gpu.module @kernels {
  // A row for each block: the cluster, where the block is in it, the number of
  // clusters, and of blocks in one; x, y, z each. The bounds are those of one
  // of the launches, or none.
  gpu.func @ids(%m: memref<16x12xi32>) kernel {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %gx = gpu.grid_dim x
    %gy = gpu.grid_dim y
    %z = arith.muli %bz, %gy : index
    %zy = arith.addi %z, %by : index
    %r = arith.muli %zy, %gx : index
    %row = arith.addi %r, %bx : index
    %v0 = gpu.cluster_id x upper_bound 4
    %v1 = gpu.cluster_id y
    %v2 = gpu.cluster_id z upper_bound 4
    %v3 = gpu.cluster_block_id x upper_bound 8
    %v4 = gpu.cluster_block_id y
    %v5 = gpu.cluster_block_id z upper_bound 8
    %v6 = gpu.cluster_dim x
    %v7 = gpu.cluster_dim y
    %v8 = gpu.cluster_dim z
    %v9 = gpu.cluster_dim_blocks x upper_bound 8
    %v10 = gpu.cluster_dim_blocks y
    %v11 = gpu.cluster_dim_blocks z upper_bound 8
    %c0 = arith.constant 0 : index
    %i0 = arith.index_cast %v0 : index to i32
    memref.store %i0, %m[%row, %c0] : memref<16x12xi32>
    %c1 = arith.constant 1 : index
    %i1 = arith.index_cast %v1 : index to i32
    memref.store %i1, %m[%row, %c1] : memref<16x12xi32>
    %c2 = arith.constant 2 : index
    %i2 = arith.index_cast %v2 : index to i32
    memref.store %i2, %m[%row, %c2] : memref<16x12xi32>
    %c3 = arith.constant 3 : index
    %i3 = arith.index_cast %v3 : index to i32
    memref.store %i3, %m[%row, %c3] : memref<16x12xi32>
    %c4 = arith.constant 4 : index
    %i4 = arith.index_cast %v4 : index to i32
    memref.store %i4, %m[%row, %c4] : memref<16x12xi32>
    %c5 = arith.constant 5 : index
    %i5 = arith.index_cast %v5 : index to i32
    memref.store %i5, %m[%row, %c5] : memref<16x12xi32>
    %c6 = arith.constant 6 : index
    %i6 = arith.index_cast %v6 : index to i32
    memref.store %i6, %m[%row, %c6] : memref<16x12xi32>
    %c7 = arith.constant 7 : index
    %i7 = arith.index_cast %v7 : index to i32
    memref.store %i7, %m[%row, %c7] : memref<16x12xi32>
    %c8 = arith.constant 8 : index
    %i8 = arith.index_cast %v8 : index to i32
    memref.store %i8, %m[%row, %c8] : memref<16x12xi32>
    %c9 = arith.constant 9 : index
    %i9 = arith.index_cast %v9 : index to i32
    memref.store %i9, %m[%row, %c9] : memref<16x12xi32>
    %c10 = arith.constant 10 : index
    %i10 = arith.index_cast %v10 : index to i32
    memref.store %i10, %m[%row, %c10] : memref<16x12xi32>
    %c11 = arith.constant 11 : index
    %i11 = arith.index_cast %v11 : index to i32
    memref.store %i11, %m[%row, %c11] : memref<16x12xi32>
    gpu.return
  }

  // What the kernel is made for holds for a launch that says nothing.
  gpu.func @stated(%m: memref<16x12xi32>) kernel attributes {known_cluster_size = array<i32: 2, 1, 2>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %gx = gpu.grid_dim x
    %gy = gpu.grid_dim y
    %z = arith.muli %bz, %gy : index
    %zy = arith.addi %z, %by : index
    %r = arith.muli %zy, %gx : index
    %row = arith.addi %r, %bx : index
    %v0 = gpu.cluster_id x upper_bound 4
    %v1 = gpu.cluster_id y
    %v2 = gpu.cluster_id z upper_bound 4
    %v3 = gpu.cluster_block_id x upper_bound 8
    %v4 = gpu.cluster_block_id y
    %v5 = gpu.cluster_block_id z upper_bound 8
    %v6 = gpu.cluster_dim x
    %v7 = gpu.cluster_dim y
    %v8 = gpu.cluster_dim z
    %v9 = gpu.cluster_dim_blocks x upper_bound 8
    %v10 = gpu.cluster_dim_blocks y
    %v11 = gpu.cluster_dim_blocks z upper_bound 8
    %c0 = arith.constant 0 : index
    %i0 = arith.index_cast %v0 : index to i32
    memref.store %i0, %m[%row, %c0] : memref<16x12xi32>
    %c1 = arith.constant 1 : index
    %i1 = arith.index_cast %v1 : index to i32
    memref.store %i1, %m[%row, %c1] : memref<16x12xi32>
    %c2 = arith.constant 2 : index
    %i2 = arith.index_cast %v2 : index to i32
    memref.store %i2, %m[%row, %c2] : memref<16x12xi32>
    %c3 = arith.constant 3 : index
    %i3 = arith.index_cast %v3 : index to i32
    memref.store %i3, %m[%row, %c3] : memref<16x12xi32>
    %c4 = arith.constant 4 : index
    %i4 = arith.index_cast %v4 : index to i32
    memref.store %i4, %m[%row, %c4] : memref<16x12xi32>
    %c5 = arith.constant 5 : index
    %i5 = arith.index_cast %v5 : index to i32
    memref.store %i5, %m[%row, %c5] : memref<16x12xi32>
    %c6 = arith.constant 6 : index
    %i6 = arith.index_cast %v6 : index to i32
    memref.store %i6, %m[%row, %c6] : memref<16x12xi32>
    %c7 = arith.constant 7 : index
    %i7 = arith.index_cast %v7 : index to i32
    memref.store %i7, %m[%row, %c7] : memref<16x12xi32>
    %c8 = arith.constant 8 : index
    %i8 = arith.index_cast %v8 : index to i32
    memref.store %i8, %m[%row, %c8] : memref<16x12xi32>
    %c9 = arith.constant 9 : index
    %i9 = arith.index_cast %v9 : index to i32
    memref.store %i9, %m[%row, %c9] : memref<16x12xi32>
    %c10 = arith.constant 10 : index
    %i10 = arith.index_cast %v10 : index to i32
    memref.store %i10, %m[%row, %c10] : memref<16x12xi32>
    %c11 = arith.constant 11 : index
    %i11 = arith.index_cast %v11 : index to i32
    memref.store %i11, %m[%row, %c11] : memref<16x12xi32>
    gpu.return
  }

  // The registers of NVVM, and the rank and the number of the blocks.
  gpu.func @registers(%m: memref<16x14xi32>) kernel {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %gx = gpu.grid_dim x
    %gy = gpu.grid_dim y
    %z = arith.muli %bz, %gy : index
    %zy = arith.addi %z, %by : index
    %r = arith.muli %zy, %gx : index
    %row = arith.addi %r, %bx : index
    %v0 = nvvm.read.ptx.sreg.clusterid.x : i32
    %v1 = nvvm.read.ptx.sreg.clusterid.y : i32
    %v2 = nvvm.read.ptx.sreg.clusterid.z : i32
    %v3 = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    %v4 = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
    %v5 = nvvm.read.ptx.sreg.cluster.ctaid.z : i32
    %v6 = nvvm.read.ptx.sreg.nclusterid.x : i32
    %v7 = nvvm.read.ptx.sreg.nclusterid.y : i32
    %v8 = nvvm.read.ptx.sreg.nclusterid.z : i32
    %v9 = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    %v10 = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
    %v11 = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
    %v12 = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %v13 = nvvm.read.ptx.sreg.cluster.nctarank : i32
    %c0 = arith.constant 0 : index
    memref.store %v0, %m[%row, %c0] : memref<16x14xi32>
    %c1 = arith.constant 1 : index
    memref.store %v1, %m[%row, %c1] : memref<16x14xi32>
    %c2 = arith.constant 2 : index
    memref.store %v2, %m[%row, %c2] : memref<16x14xi32>
    %c3 = arith.constant 3 : index
    memref.store %v3, %m[%row, %c3] : memref<16x14xi32>
    %c4 = arith.constant 4 : index
    memref.store %v4, %m[%row, %c4] : memref<16x14xi32>
    %c5 = arith.constant 5 : index
    memref.store %v5, %m[%row, %c5] : memref<16x14xi32>
    %c6 = arith.constant 6 : index
    memref.store %v6, %m[%row, %c6] : memref<16x14xi32>
    %c7 = arith.constant 7 : index
    memref.store %v7, %m[%row, %c7] : memref<16x14xi32>
    %c8 = arith.constant 8 : index
    memref.store %v8, %m[%row, %c8] : memref<16x14xi32>
    %c9 = arith.constant 9 : index
    memref.store %v9, %m[%row, %c9] : memref<16x14xi32>
    %c10 = arith.constant 10 : index
    memref.store %v10, %m[%row, %c10] : memref<16x14xi32>
    %c11 = arith.constant 11 : index
    memref.store %v11, %m[%row, %c11] : memref<16x14xi32>
    %c12 = arith.constant 12 : index
    memref.store %v12, %m[%row, %c12] : memref<16x14xi32>
    %c13 = arith.constant 13 : index
    memref.store %v13, %m[%row, %c13] : memref<16x14xi32>
    gpu.return
  }
}

func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @print(%m: memref<16x12xi32>) {
  %u = memref.cast %m : memref<16x12xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}

// The sizes are not known here.
func.func @launch(%m: memref<16x12xi32>, %x: index, %y: index, %z: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  gpu.launch_func @kernels::@ids clusters in (%x, %y, %z) blocks in (%c4, %c2, %c2) threads in (%c1, %c1, %c1)
      args(%m : memref<16x12xi32>)
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant -1 : i32
  %m = memref.alloc() : memref<16x12xi32>
  %n = memref.alloc() : memref<16x14xi32>
  linalg.fill ins(%none : i32) outs(%m : memref<16x12xi32>)
  linalg.fill ins(%none : i32) outs(%n : memref<16x14xi32>)

  // CHECK: [0, 0, 0, 0, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 0, 0, 1, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 0, 0, 0, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 0, 0, 1, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 1, 0, 0, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 1, 0, 1, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 1, 0, 0, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 1, 0, 1, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 0, 0, 0, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 0, 0, 1, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 0, 0, 0, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 0, 0, 1, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 1, 0, 0, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 1, 0, 1, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 1, 0, 0, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 1, 0, 1, 0, 1, 2, 2, 1, 2, 1, 2]
  gpu.launch_func @kernels::@ids clusters in (%c2, %c1, %c2) blocks in (%c4, %c2, %c2) threads in (%c1, %c1, %c1)
      args(%m : memref<16x12xi32>)
  call @print(%m) : (memref<16x12xi32>) -> ()
  // CHECK: [0, 0, 0, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [1, 0, 0, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [2, 0, 0, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [3, 0, 0, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [0, 1, 0, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [1, 1, 0, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [2, 1, 0, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [3, 1, 0, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [0, 0, 1, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [1, 0, 1, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [2, 0, 1, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [3, 0, 1, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [0, 1, 1, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [1, 1, 1, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [2, 1, 1, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  // CHECK-NEXT: [3, 1, 1, 0, 0, 0, 4, 2, 2, 1, 1, 1]
  gpu.launch_func @kernels::@ids blocks in (%c4, %c2, %c2) threads in (%c1, %c1, %c1)
      args(%m : memref<16x12xi32>)
  call @print(%m) : (memref<16x12xi32>) -> ()
  // CHECK: [0, 0, 0, 0, 0, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 0, 1, 0, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 0, 2, 0, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 0, 3, 0, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 0, 0, 1, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 0, 1, 1, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 0, 2, 1, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 0, 3, 1, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 1, 0, 0, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 1, 1, 0, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 1, 2, 0, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 1, 3, 0, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 1, 0, 1, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 1, 1, 1, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 1, 2, 1, 0, 1, 1, 2, 4, 2, 1]
  // CHECK-NEXT: [0, 0, 1, 3, 1, 0, 1, 1, 2, 4, 2, 1]
  call @launch(%m, %c4, %c2, %c1) : (memref<16x12xi32>, index, index, index) -> ()
  call @print(%m) : (memref<16x12xi32>) -> ()
  // CHECK: [0, 0, 0, 0, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 0, 0, 1, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 0, 0, 0, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 0, 0, 1, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 1, 0, 0, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 1, 0, 1, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 1, 0, 0, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 1, 0, 1, 0, 0, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 0, 0, 0, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 0, 0, 1, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 0, 0, 0, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 0, 0, 1, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 1, 0, 0, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [0, 1, 0, 1, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 1, 0, 0, 0, 1, 2, 2, 1, 2, 1, 2]
  // CHECK-NEXT: [1, 1, 0, 1, 0, 1, 2, 2, 1, 2, 1, 2]
  gpu.launch_func @kernels::@stated blocks in (%c4, %c2, %c2) threads in (%c1, %c1, %c1)
      args(%m : memref<16x12xi32>)
  call @print(%m) : (memref<16x12xi32>) -> ()
  // CHECK: [0, 0, 0, 0, 0, 0, 2, 1, 1, 2, 2, 2, 0, 8]
  // CHECK-NEXT: [0, 0, 0, 1, 0, 0, 2, 1, 1, 2, 2, 2, 1, 8]
  // CHECK-NEXT: [1, 0, 0, 0, 0, 0, 2, 1, 1, 2, 2, 2, 0, 8]
  // CHECK-NEXT: [1, 0, 0, 1, 0, 0, 2, 1, 1, 2, 2, 2, 1, 8]
  // CHECK-NEXT: [0, 0, 0, 0, 1, 0, 2, 1, 1, 2, 2, 2, 2, 8]
  // CHECK-NEXT: [0, 0, 0, 1, 1, 0, 2, 1, 1, 2, 2, 2, 3, 8]
  // CHECK-NEXT: [1, 0, 0, 0, 1, 0, 2, 1, 1, 2, 2, 2, 2, 8]
  // CHECK-NEXT: [1, 0, 0, 1, 1, 0, 2, 1, 1, 2, 2, 2, 3, 8]
  // CHECK-NEXT: [0, 0, 0, 0, 0, 1, 2, 1, 1, 2, 2, 2, 4, 8]
  // CHECK-NEXT: [0, 0, 0, 1, 0, 1, 2, 1, 1, 2, 2, 2, 5, 8]
  // CHECK-NEXT: [1, 0, 0, 0, 0, 1, 2, 1, 1, 2, 2, 2, 4, 8]
  // CHECK-NEXT: [1, 0, 0, 1, 0, 1, 2, 1, 1, 2, 2, 2, 5, 8]
  // CHECK-NEXT: [0, 0, 0, 0, 1, 1, 2, 1, 1, 2, 2, 2, 6, 8]
  // CHECK-NEXT: [0, 0, 0, 1, 1, 1, 2, 1, 1, 2, 2, 2, 7, 8]
  // CHECK-NEXT: [1, 0, 0, 0, 1, 1, 2, 1, 1, 2, 2, 2, 6, 8]
  // CHECK-NEXT: [1, 0, 0, 1, 1, 1, 2, 1, 1, 2, 2, 2, 7, 8]
  gpu.launch_func @kernels::@registers clusters in (%c2, %c2, %c2) blocks in (%c4, %c2, %c2) threads in (%c1, %c1, %c1)
      args(%n : memref<16x14xi32>)
  %u = memref.cast %n : memref<16x14xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()

  // The size of a cluster in the body of a launch is that of the launch.
  // CHECK: [0, 2, 0, 2, 0]
  // CHECK-NEXT: [0, 2, 1, 2, 0]
  // CHECK-NEXT: [1, 2, 0, 2, 0]
  // CHECK-NEXT: [1, 2, 1, 2, 0]
  %l = memref.alloc() : memref<4x5xi32>
  gpu.launch clusters(%cx, %cy, %cz) in (%sx = %c2, %sy = %c1, %sz = %c1)
      blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) {
    %at = gpu.cluster_block_id x
    %count = gpu.cluster_dim x
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %v0 = arith.index_cast %cx : index to i32
    %v1 = arith.index_cast %sx : index to i32
    %v2 = arith.index_cast %at : index to i32
    %v3 = arith.index_cast %count : index to i32
    %v4 = arith.index_cast %cy : index to i32
    memref.store %v0, %l[%bx, %i0] : memref<4x5xi32>
    memref.store %v1, %l[%bx, %i1] : memref<4x5xi32>
    memref.store %v2, %l[%bx, %i2] : memref<4x5xi32>
    memref.store %v3, %l[%bx, %i3] : memref<4x5xi32>
    memref.store %v4, %l[%bx, %i4] : memref<4x5xi32>
    gpu.terminator
  }
  %lu = memref.cast %l : memref<4x5xi32> to memref<*xi32>
  call @printMemrefI32(%lu) : (memref<*xi32>) -> ()
  memref.dealloc %l : memref<4x5xi32>
  memref.dealloc %m : memref<16x12xi32>
  memref.dealloc %n : memref<16x14xi32>
  return
}

}
