// Each access is tested and reported; a store after it is made, with the table of
// what there is. An operation that is not known is refused.
// RUN: uop-opt %s --uop-emulate-gpu=checked --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func private @copy_block(
// CHECK:         llvm.call @uop_check_begin_thread(
// CHECK:         llvm.call @uop_check_begin_view(
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c8{{.*}} : index
// CHECK:         llvm.call @uop_check_fault(
// CHECK:         scf.if %{{.*}} -> (f32) {
// CHECK:           llvm.call @uop_check_access(
// CHECK:           memref.load
// CHECK:         } else {
// CHECK:           arith.constant 0.0
// CHECK:         scf.if
// CHECK:           memref.store
// CHECK-NEXT:      arith.constant
// CHECK:           llvm.call @uop_check_access(
// CHECK-LABEL: func.func private @copy_grid(
// CHECK:         llvm.call @uop_check_begin_launch(
// CHECK-NOT:     scf.parallel
// CHECK:         llvm.call @uop_check_end_launch()
// CHECK:       llvm.mlir.global internal constant @uop_text{{.*}}accesses
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @copy(%x: memref<8xf32>, %y: memref<8xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<8xf32>
    memref.store %v, %y[%t] : memref<8xf32>
    gpu.return
  }
}
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch_func @m::@copy blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xf32>, %y : memref<8xf32>)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @expand(%x: memref<8xf32>, %y: memref<4xf32>, %mask: vector<4xi1>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @below {{'vector.expandload' op is not supported in checked mode, which does not know what memory it accesses}}
    %v = vector.expandload %x[%c0], %mask, %zero : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.store %v, %y[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}
func.func @main(%x: memref<8xf32>, %y: memref<4xf32>, %mask: vector<4xi1>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @m::@expand blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<8xf32>, %y : memref<4xf32>, %mask : vector<4xi1>)
  return
}
}

// -----

// What has no size that is known is refused, wherever it is.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<4xmemref<4xf32>>) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @below {{'memref.load' op is not supported in checked mode, which does not know what memory it accesses}}
      %v = memref.load %x[%c0] : memref<4xmemref<4xf32>>
      gpu.return
    }
  }
  func.func @main(%x: memref<4xmemref<4xf32>>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xmemref<4xf32>>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<4xf32>)
        // expected-error @below {{expected workgroup memory of integers, floats or vectors of these, but got 'memref<4xmemref<4xf32>}}
        workgroup(%w: memref<4xmemref<4xf32>, #gpu.address_space<workgroup>>) kernel {
      gpu.return
    }
  }
  func.func @main(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    memref.global "private" @g : memref<4xmemref<4xf32>, #gpu.address_space<workgroup>>
    gpu.func @f(%x: memref<4xf32>) kernel {
      // expected-error @below {{'memref.get_global' op expected a buffer of integers, floats or vectors of these in checked mode, but got 'memref<4xmemref<4xf32>, #gpu.address_space<workgroup>>'}}
      %g = memref.get_global @g : memref<4xmemref<4xf32>, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  func.func @main(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>)
    return
  }
}

// -----

// A row of a matrix is 16 bytes one after the other.
module attributes {gpu.container_module} {
  gpu.module @k {
    memref.global "private" @g : memref<16x32xf16, #gpu.address_space<workgroup>>
    gpu.func @f(%x: memref<4xf32>) kernel {
      %c0 = arith.constant 0 : index
      %g = memref.get_global @g : memref<16x32xf16, #gpu.address_space<workgroup>>
      %v = memref.subview %g[0, 0] [16, 16] [1, 2] : memref<16x32xf16, #gpu.address_space<workgroup>> to memref<16x16xf16, strided<[32, 2]>, #gpu.address_space<workgroup>>
      // expected-error @below {{'nvgpu.ldmatrix' op expected a memref with unit stride along its last axis, in which a row is, in checked mode, but got 'memref<16x16xf16, strided<[32, 2]>, #gpu.address_space<workgroup>>'}}
      %m = nvgpu.ldmatrix %v[%c0, %c0] {numTiles = 1 : i32, transpose = false} : memref<16x16xf16, strided<[32, 2]>, #gpu.address_space<workgroup>> -> vector<1x2xf16>
      gpu.return
    }
  }
  func.func @main(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<4xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: memref<4xf32>) kernel {
      // expected-error @below {{'llvm.fence' op of scope 'block' is not supported in checked mode, which knows fences of the device only; use one, or a barrier}}
      nvvm.memory.barrier <cta>
      gpu.return
    }
  }
  func.func @main(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>)
    return
  }
}
