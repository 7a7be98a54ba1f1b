// What a loop hands to its next iteration shares a place with the variable that
// it becomes, but not where that variable is still read. A private buffer that is
// used across barriers has the elements of neighbouring threads side by side.
// RUN: %emulate %s | %run-main | FileCheck %s
// RUN: uop-opt %s --uop-emulate-gpu | FileCheck %s --check-prefix=PLACES

module attributes {gpu.container_module} {

gpu.module @kernels {
  // Two arrays of 8 floats: the accumulator and x.
  // PLACES-LABEL: func private @sum_block
  // PLACES: memref.alloca() {{.*}} : memref<8xf32>
  // PLACES: memref.alloca() {{.*}} : memref<8xf32>
  // PLACES-NOT: memref.alloca() {{.*}} : memref<8xf32>
  // PLACES: memref.store
  gpu.func @sum(%out: memref<8x1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %x = arith.sitofp %i : i32 to f32
    %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %zero) -> f32 {
      gpu.barrier
      %next = arith.addf %s, %x : f32
      gpu.barrier
      scf.yield %next : f32
    }
    memref.store %sum, %out[%t, %c0] : memref<8x1xf32>
    gpu.return
  }

  // Each thread adds to its own words between barriers, by an index that it only
  // knows when it runs.
  // PLACES-LABEL: func private @buffer_block
  // PLACES: memref.alloca() {{.*}} : memref<2x3x8xi32>
  // PLACES: memref.subview %{{.*}}[0, 0, %{{.*}}] [2, 3, 1] [1, 1, 1]
  gpu.func @buffer(%out: memref<8x6xi32>)
      private(%own: memref<2x3xi32, #gpu.address_space<private>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %x = arith.index_cast %t : index to i32
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c3 step %c1 {
        memref.store %zero, %own[%i, %j]
            : memref<2x3xi32, #gpu.address_space<private>>
      }
    }
    scf.for %k = %c0 to %c5 step %c1 {
      gpu.barrier
      %sum = arith.addi %t, %k : index
      %i = arith.remui %sum, %c2 : index
      %j = arith.remui %sum, %c3 : index
      %old = memref.load %own[%i, %j]
          : memref<2x3xi32, #gpu.address_space<private>>
      %ki = arith.index_cast %k : index to i32
      %more = arith.addi %x, %ki : i32
      %new = arith.addi %old, %more : i32
      memref.store %new, %own[%i, %j]
          : memref<2x3xi32, #gpu.address_space<private>>
    }
    gpu.barrier
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c3 step %c1 {
        %v = memref.load %own[%i, %j]
            : memref<2x3xi32, #gpu.address_space<private>>
        %i3 = arith.muli %i, %c3 : index
        %ij = arith.addi %i3, %j : index
        memref.store %v, %out[%t, %ij] : memref<8x6xi32>
      }
    }
    gpu.return
  }

  // The old value is read after the new one is there and a barrier has passed:
  // by itself, by way of arithmetic that is done again, and as what another
  // variable becomes.
  gpu.func @late(%out: memref<8x4xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ten = arith.constant 10 : i32
    %t = gpu.thread_id x
    %x = arith.index_cast %t : index to i32
    %r:4 = scf.for %k = %c0 to %c3 step %c1
        iter_args(%a = %x, %b = %zero, %p = %one, %q = %ten)
        -> (i32, i32, i32, i32) {
      %again = arith.addi %a, %one : i32
      %a3 = arith.muli %a, %a : i32
      %nextA = arith.addi %a3, %x : i32
      gpu.barrier
      %b10 = arith.muli %b, %ten : i32
      %b1 = arith.addi %b10, %a : i32
      %nextB = arith.addi %b1, %again : i32
      %nextP = arith.addi %p, %x : i32
      gpu.barrier
      scf.yield %nextA, %nextB, %q, %nextP : i32, i32, i32, i32
    }
    memref.store %r#0, %out[%t, %c0] : memref<8x4xi32>
    memref.store %r#1, %out[%t, %c1] : memref<8x4xi32>
    memref.store %r#2, %out[%t, %c2] : memref<8x4xi32>
    memref.store %r#3, %out[%t, %c3] : memref<8x4xi32>
    gpu.return
  }

  // Floats, and a loop in a loop whose result is what the outer one carries; the
  // outer variable is read in the inner loop and not after it.
  gpu.func @nest(%out: memref<8x1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %x = arith.sitofp %i : i32 to f32
    %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %x) -> f32 {
      %inner = scf.for %l = %c0 to %c2 step %c1 iter_args(%c = %a) -> f32 {
        gpu.barrier
        %ca = arith.mulf %c, %a : f32
        %next = arith.addf %ca, %x : f32
        gpu.barrier
        scf.yield %next : f32
      }
      gpu.barrier
      scf.yield %inner : f32
    }
    memref.store %r, %out[%t, %c0] : memref<8x1xf32>
    gpu.return
  }
}

func.func private @printMemrefI32(memref<*xi32>)
func.func private @printMemrefF32(memref<*xf32>)

func.func @main() {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sentinel = arith.constant -99 : i32
  %nan = arith.constant 0x7FC00000 : f32
  %sums = memref.alloc() : memref<8x1xf32>
  %printSums = memref.cast %sums : memref<8x1xf32> to memref<*xf32>
  linalg.fill ins(%nan : f32) outs(%sums : memref<8x1xf32>)
  gpu.launch_func @kernels::@sum blocks in (%c1, %c1, %c1)
      threads in (%c8, %c1, %c1) args(%sums : memref<8x1xf32>)
  // CHECK: {{\[\[}}0],
  // CHECK-NEXT: [3],
  // CHECK-NEXT: [6],
  // CHECK-NEXT: [9],
  // CHECK-NEXT: [12],
  // CHECK-NEXT: [15],
  // CHECK-NEXT: [18],
  // CHECK-NEXT: [21]
  call @printMemrefF32(%printSums) : (memref<*xf32>) -> ()
  linalg.fill ins(%nan : f32) outs(%sums : memref<8x1xf32>)
  gpu.launch_func @kernels::@nest blocks in (%c1, %c1, %c1)
      threads in (%c8, %c1, %c1) args(%sums : memref<8x1xf32>)
  // CHECK: {{\[\[}}0],
  // CHECK-NEXT: [31],
  // CHECK-NEXT: [2774],
  // CHECK-NEXT: [59439],
  // CHECK-NEXT: [593044],
  // CHECK-NEXT: [3.72466e+06],
  // CHECK-NEXT: [1.71751e+07],
  // CHECK-NEXT: [6.3524e+07]
  call @printMemrefF32(%printSums) : (memref<*xf32>) -> ()
  %out = memref.alloc() : memref<8x4xi32>
  linalg.fill ins(%sentinel : i32) outs(%out : memref<8x4xi32>)
  gpu.launch_func @kernels::@late blocks in (%c1, %c1, %c1)
      threads in (%c8, %c1, %c1) args(%out : memref<8x4xi32>)
  %print = memref.cast %out : memref<8x4xi32> to memref<*xi32>
  // CHECK: {{\[\[}}0, 111, 10, 1],
  // CHECK-NEXT: [26, 361, 11, 3],
  // CHECK-NEXT: [1446, 707, 12, 5],
  // CHECK-NEXT: [21612, 1245, 13, 7],
  // CHECK-NEXT: [163220, 2119, 14, 9],
  // CHECK-NEXT: [819030, 3521, 15, 11],
  // CHECK-NEXT: [3132906, 5691, 16, 13],
  // CHECK-NEXT: [9878456, 8917, 17, 15]
  call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  %words = memref.alloc() : memref<8x6xi32>
  linalg.fill ins(%sentinel : i32) outs(%words : memref<8x6xi32>)
  gpu.launch_func @kernels::@buffer blocks in (%c1, %c1, %c1)
      threads in (%c8, %c1, %c1) args(%words : memref<8x6xi32>)
  %printWords = memref.cast %words : memref<8x6xi32> to memref<*xi32>
  // CHECK: {{\[\[}}0, 4, 2, 3, 1, 0],
  // CHECK-NEXT: [0, 4, 2, 3, 1, 5],
  // CHECK-NEXT: [6, 4, 2, 3, 0, 5],
  // CHECK-NEXT: [6, 4, 0, 3, 7, 5],
  // CHECK-NEXT: [6, 4, 8, 0, 7, 5],
  // CHECK-NEXT: [6, 0, 8, 9, 7, 5],
  // CHECK-NEXT: [6, 10, 8, 9, 7, 0],
  // CHECK-NEXT: [0, 10, 8, 9, 7, 11]
  call @printMemrefI32(%printWords) : (memref<*xi32>) -> ()
  memref.dealloc %words : memref<8x6xi32>
  memref.dealloc %out : memref<8x4xi32>
  memref.dealloc %sums : memref<8x1xf32>
  return
}
}
