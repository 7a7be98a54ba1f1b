// The hand-written tiled GEMM of examples/smem_gemm, with this host code, on
// small whole numbers, so that every sum is exact: A[i, k] = (i + 2k) mod 7,
// B[k, j] = (3k + j) mod 5. C starts as -1, and is compared with the plain
// triple loop: all of it for N = 64, every 73rd row and column for N = 1024.
// Where a barrier is missing some elements are wrong, where both are missing
// every one is. Fused or not, whole numbers come out the same.

// RUN: cat %examples/smem_gemm/smem_gemm.mlir %s > %t.mlir
// RUN: uop-opt %t.mlir --convert-uop-to-gpu | %emulate | %run-main | FileCheck %s --check-prefix=RIGHT
// RUN: uop-opt %t.mlir --uop-contract-fma --convert-uop-to-gpu | %emulate | %run-main | FileCheck %s --check-prefix=RIGHT
// RUN: sed 's|uop.barrier // both tiles are written||' %t.mlir | uop-opt --convert-uop-to-gpu | %emulate | %run-main | FileCheck %s --check-prefix=WRONG
// RUN: sed 's|uop.barrier // both tiles are read||' %t.mlir | uop-opt --convert-uop-to-gpu | %emulate | %run-main | FileCheck %s --check-prefix=WRONG
// RUN: sed 's|uop.barrier // both tiles.*||' %t.mlir | uop-opt --convert-uop-to-gpu | %emulate | %run-main | FileCheck %s --check-prefix=NONE

// RIGHT:      wrong elements of N = 64: 0{{$}}
// RIGHT-NEXT: wrong elements of N = 1024: 0{{$}}
// WRONG:      wrong elements of N = 64: {{[1-9]}}
// WRONG-NEXT: wrong elements of N = 1024: {{[1-9]}}
// NONE:       wrong elements of N = 64: 4096{{$}}
// NONE-NEXT:  wrong elements of N = 1024: 225{{$}}

func.func @fill(%m: memref<?x?xf32>, %fi: index, %fj: index, %mod: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = arith.muli %i, %fi : index
      %y = arith.muli %j, %fj : index
      %s = arith.addi %x, %y : index
      %r = uop.floormod %s, %mod
      %w = arith.index_cast %r : index to i32
      %f = arith.sitofp %w : i32 to f32
      memref.store %f, %m[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

func.func @prepare(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  call @fill(%A, %c1, %c2, %c7) : (memref<?x?xf32>, index, index, index) -> ()
  call @fill(%B, %c3, %c1, %c5) : (memref<?x?xf32>, index, index, index) -> ()
  %sentinel = arith.constant -1.0 : f32
  %n = memref.dim %C, %c0 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %sentinel, %C[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

func.func @count_wrong(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>, %step: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %C, %c0 : memref<?x?xf32>
  %wrong = scf.for %i = %c0 to %n step %step iter_args(%w0 = %c0) -> (index) {
    %wi = scf.for %j = %c0 to %n step %step iter_args(%w1 = %w0) -> (index) {
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %a = memref.load %A[%i, %k] : memref<?x?xf32>
        %b = memref.load %B[%k, %j] : memref<?x?xf32>
        %p = arith.mulf %a, %b : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      %c = memref.load %C[%i, %j] : memref<?x?xf32>
      // A NaN is not equal to anything: it counts as wrong.
      %ne = arith.cmpf une, %c, %sum : f32
      %one = arith.index_castui %ne : i1 to index
      %w2 = arith.addi %w1, %one : index
      scf.yield %w2 : index
    }
    scf.yield %wi : index
  }
  return %wrong : index
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c73 = arith.constant 73 : index

  %A = memref.alloc() : memref<64x64xf32>
  %B = memref.alloc() : memref<64x64xf32>
  %C = memref.alloc() : memref<64x64xf32>
  %a = memref.cast %A : memref<64x64xf32> to memref<?x?xf32>
  %b = memref.cast %B : memref<64x64xf32> to memref<?x?xf32>
  %c = memref.cast %C : memref<64x64xf32> to memref<?x?xf32>
  call @prepare(%a, %b, %c) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  uop.launch @smem_gemm(%A, %B, %C) : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>
  %wrong = call @count_wrong(%a, %b, %c, %c1) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, index) -> index
  vector.print str "wrong elements of N = 64: "
  vector.print %wrong : index

  %A2 = memref.alloc() : memref<1024x1024xf32>
  %B2 = memref.alloc() : memref<1024x1024xf32>
  %C2 = memref.alloc() : memref<1024x1024xf32>
  %a2 = memref.cast %A2 : memref<1024x1024xf32> to memref<?x?xf32>
  %b2 = memref.cast %B2 : memref<1024x1024xf32> to memref<?x?xf32>
  %c2 = memref.cast %C2 : memref<1024x1024xf32> to memref<?x?xf32>
  call @prepare(%a2, %b2, %c2) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  uop.launch @smem_gemm_1024(%A2, %B2, %C2) : memref<1024x1024xf32>, memref<1024x1024xf32>, memref<1024x1024xf32>
  %wrong2 = call @count_wrong(%a2, %b2, %c2, %c73) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, index) -> index
  vector.print str "wrong elements of N = 1024: "
  vector.print %wrong2 : index
  return
}
