// nvgpu.ldmatrix, and products by gpu.subgroup_mma_*. Expected values by hand.
// RUN: %emulate %s | %run-main | FileCheck %s

!tile = memref<16x16xf16, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {

gpu.module @kernels {
  // Element (i, j) of the tile is 16 i + j. Lanes 0 to 15 name the rows of the
  // two tiles on the left, the others those on the right.
  gpu.func @load(%x: memref<2x32x8xf32>) workgroup(%s: !tile) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i4 = arith.constant 4 : index
    %i8 = arith.constant 8 : index
    %i16 = arith.constant 16 : index
    %i256 = arith.constant 256 : index
    %i32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %e = %t to %i256 step %i32 {
      %i = arith.divui %e, %i16 : index
      %j = arith.remui %e, %i16 : index
      %n = arith.index_cast %e : index to i32
      %v = arith.sitofp %n : i32 to f16
      memref.store %v, %s[%i, %j] : !tile
    }
    gpu.barrier
    %row = arith.remui %t, %i16 : index
    %half = arith.divui %t, %i16 : index
    %col = arith.muli %half, %i8 : index
    %a = nvgpu.ldmatrix %s[%row, %col] {numTiles = 4 : i32, transpose = false} : !tile -> vector<4x2xf16>
    %b = nvgpu.ldmatrix %s[%row, %col] {numTiles = 4 : i32, transpose = true} : !tile -> vector<4x2xf16>
    %a1 = arith.extf %a : vector<4x2xf16> to vector<4x2xf32>
    %b1 = arith.extf %b : vector<4x2xf16> to vector<4x2xf32>
    %a2 = vector.shape_cast %a1 : vector<4x2xf32> to vector<8xf32>
    %b2 = vector.shape_cast %b1 : vector<4x2xf32> to vector<8xf32>
    vector.store %a2, %x[%i0, %t, %i0] : memref<2x32x8xf32>, vector<8xf32>
    vector.store %b2, %x[%i1, %t, %i0] : memref<2x32x8xf32>, vector<8xf32>
    gpu.return
  }

  // Two subgroups, one for each half of the columns: D = A * B + C over K in two
  // steps, then twice that plus 1. B is loaded transposed. A[i, k] = i, B[k, j] =
  // j and C[i, j] = 0.5: D = 32 i j + 0.5, and the result 64 i j + 2.
  gpu.func @product(%a: memref<16x32xf16>, %b: memref<32x32xf16>, %d: memref<16x32xf32>) kernel {
    %i0 = arith.constant 0 : index
    %i16 = arith.constant 16 : index
    %i32 = arith.constant 32 : index
    %c = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %w = gpu.subgroup_id : index
    %n = arith.muli %w, %i16 : index
    %init = gpu.subgroup_mma_constant_matrix %c : !gpu.mma_matrix<16x16xf32, "COp">
    %sum = scf.for %k = %i0 to %i32 step %i16 iter_args(%acc = %init) -> (!gpu.mma_matrix<16x16xf32, "COp">) {
      %fa = gpu.subgroup_mma_load_matrix %a[%i0, %k] {leadDimension = 32 : index} : memref<16x32xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %fb = gpu.subgroup_mma_load_matrix %b[%n, %k] {leadDimension = 32 : index, transpose} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %fd = gpu.subgroup_mma_compute %fa, %fb, %acc : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      scf.yield %fd : !gpu.mma_matrix<16x16xf32, "COp">
    }
    %twice = gpu.subgroup_mma_elementwise addf %sum, %sum : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    %ones = gpu.subgroup_mma_constant_matrix %one : !gpu.mma_matrix<16x16xf32, "COp">
    %r = gpu.subgroup_mma_elementwise addf %twice, %ones : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %r, %d[%i0, %n] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x32xf32>
    gpu.return
  }

  // Signed times unsigned bytes, plus 7, stored transposed.
  gpu.func @bytes(%a: memref<16x16xi8>, %d: memref<16x16xi32>) kernel {
    %i0 = arith.constant 0 : index
    %c = arith.constant 7 : i32
    %fa = gpu.subgroup_mma_load_matrix %a[%i0, %i0] {leadDimension = 16 : index} : memref<16x16xi8> -> !gpu.mma_matrix<16x16xsi8, "AOp">
    %fb = gpu.subgroup_mma_load_matrix %a[%i0, %i0] {leadDimension = 16 : index} : memref<16x16xi8> -> !gpu.mma_matrix<16x16xui8, "BOp">
    %fc = gpu.subgroup_mma_constant_matrix %c : !gpu.mma_matrix<16x16xi32, "COp">
    %fd = gpu.subgroup_mma_compute %fa, %fb, %fc : !gpu.mma_matrix<16x16xsi8, "AOp">, !gpu.mma_matrix<16x16xui8, "BOp"> -> !gpu.mma_matrix<16x16xi32, "COp">
    gpu.subgroup_mma_store_matrix %fd, %d[%i0, %i0] {leadDimension = 16 : index, transpose} : !gpu.mma_matrix<16x16xi32, "COp">, memref<16x16xi32>
    gpu.return
  }

  // 127 * 127 * 16 is added to nearly the largest number: clamped. The low bits
  // of tf32 are not seen: (1 + 2^-11) is 1.
  gpu.func @edges(%x: memref<2xi32>, %y: memref<1xf32>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %a = arith.constant dense<127> : vector<1x4xi8>
    %b = arith.constant dense<-127> : vector<1x4xi8>
    %c = arith.constant dense<2147483000> : vector<1x2xi32>
    %d = arith.constant dense<-2147483000> : vector<1x2xi32>
    %r = nvgpu.mma.sync(%a, %a, %c) {mmaShape = [8, 8, 16]} : (vector<1x4xi8>, vector<1x4xi8>, vector<1x2xi32>) -> vector<1x2xi32>
    %s = nvgpu.mma.sync(%a, %b, %d) {mmaShape = [8, 8, 16]} : (vector<1x4xi8>, vector<1x4xi8>, vector<1x2xi32>) -> vector<1x2xi32>
    %r0 = vector.extract %r[0, 0] : i32 from vector<1x2xi32>
    %s0 = vector.extract %s[0, 0] : i32 from vector<1x2xi32>
    memref.store %r0, %x[%i0] : memref<2xi32>
    memref.store %s0, %x[%i1] : memref<2xi32>
    %e = arith.constant dense<1.00048828125> : vector<2x1xf32>
    %f = arith.constant dense<1.0> : vector<1x1xf32>
    %g = arith.constant dense<0.0> : vector<2x2xf32>
    %t = nvgpu.mma.sync(%e, %f, %g) {mmaShape = [16, 8, 4], tf32Enabled} : (vector<2x1xf32>, vector<1x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    %t0 = vector.extract %t[1, 1] : f32 from vector<2x2xf32>
    memref.store %t0, %y[%i0] : memref<1xf32>
    gpu.return
  }
}

func.func private @printMemrefF32(%m: memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(%m: memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index

  // Lane 5 is in row 1 of its tiles and has columns 2 and 3; transposed, it is
  // in column 1 and has rows 2 and 3.
  // CHECK: [0, 1, 128, 129, 8, 9, 136, 137]
  // CHECK-NEXT: [2, 3, 130, 131, 10, 11, 138, 139]
  // CHECK-NEXT: [4, 5,
  // CHECK-NEXT: [6, 7,
  // CHECK-NEXT: [16, 17, 144, 145, 24, 25, 152, 153]
  // CHECK-NEXT: [18, 19, 146, 147, 26, 27, 154, 155]
  // CHECK: [118, 119, 246, 247, 126, 127, 254, 255]
  // CHECK: [0, 16, 128, 144, 8, 24, 136, 152]
  // CHECK-NEXT: [32, 48,
  // CHECK-NEXT: [64, 80,
  // CHECK-NEXT: [96, 112,
  // CHECK-NEXT: [1, 17,
  // CHECK-NEXT: [33, 49, 161, 177, 41, 57, 169, 185]
  %x = memref.alloc() : memref<2x32x8xf32>
  gpu.launch_func @kernels::@load blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%x : memref<2x32x8xf32>)
  %xu = memref.cast %x : memref<2x32x8xf32> to memref<*xf32>
  call @printMemrefF32(%xu) : (memref<*xf32>) -> ()

  // CHECK: [2, {{(2, )*}}2]
  // CHECK-NEXT: [2, 66, 130, {{.*}}, 1986]
  // CHECK: [2, 962, 1922, {{.*}}, 29762]
  %a = memref.alloc() : memref<16x32xf16>
  %b = memref.alloc() : memref<32x32xf16>
  %d = memref.alloc() : memref<16x32xf32>
  scf.for %i = %c0 to %c32 step %c1 {
    %n = arith.index_cast %i : index to i32
    %v = arith.sitofp %n : i32 to f16
    scf.for %j = %c0 to %c32 step %c1 {
      memref.store %v, %b[%i, %j] : memref<32x32xf16>
    }
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %n = arith.index_cast %i : index to i32
    %v = arith.sitofp %n : i32 to f16
    scf.for %j = %c0 to %c32 step %c1 {
      memref.store %v, %a[%i, %j] : memref<16x32xf16>
    }
  }
  gpu.launch_func @kernels::@product blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%a : memref<16x32xf16>, %b : memref<32x32xf16>, %d : memref<16x32xf32>)
  %du = memref.cast %d : memref<16x32xf32> to memref<*xf32>
  call @printMemrefF32(%du) : (memref<*xf32>) -> ()

  // A is B: row 3 is of 1, with which B has, in each column, 15 times 255 and 1.
  // The other rows sum to -(15 * 255 + 1) + 7 = -3819, that one to 3833; in
  // memory rows are columns.
  // CHECK: [-3819, -3819, -3819, 3833, -3819, {{.*}}, -3819]
  // CHECK-NEXT: [-3819, -3819, -3819, 3833,
  %e = memref.alloc() : memref<16x16xi8>
  %f = memref.alloc() : memref<16x16xi32>
  %c3 = arith.constant 3 : index
  %minus = arith.constant -1 : i8
  %plus = arith.constant 1 : i8
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %third = arith.cmpi eq, %i, %c3 : index
      %v = arith.select %third, %plus, %minus : i8
      memref.store %v, %e[%i, %j] : memref<16x16xi8>
    }
  }
  gpu.launch_func @kernels::@bytes blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%e : memref<16x16xi8>, %f : memref<16x16xi32>)
  %fu = memref.cast %f : memref<16x16xi32> to memref<*xi32>
  call @printMemrefI32(%fu) : (memref<*xi32>) -> ()

  // CHECK: [2147483647, -2147483648]
  // CHECK: [4]
  %g = memref.alloc() : memref<2xi32>
  %h = memref.alloc() : memref<1xf32>
  gpu.launch_func @kernels::@edges blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%g : memref<2xi32>, %h : memref<1xf32>)
  %gu = memref.cast %g : memref<2xi32> to memref<*xi32>
  call @printMemrefI32(%gu) : (memref<*xi32>) -> ()
  %hu = memref.cast %h : memref<1xf32> to memref<*xf32>
  call @printMemrefF32(%hu) : (memref<*xf32>) -> ()
  return
}

}
