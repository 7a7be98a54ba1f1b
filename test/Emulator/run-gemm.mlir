// The tiled GEMM of N = 64 with tiles of 16 x 16 and two barriers in its loop,
// on small whole numbers, so that every sum is exact: A[i, k] = (i + 2k) mod 7,
// B[k, j] = (3k + j) mod 5, compared with the plain triple loop of the host.
// The kernel as it should be has no wrong element; without either barrier it
// has some, and run thread after thread as if barriers were nothing (both gone)
// every element is wrong: see the counts.

// RUN: %emulate %s | %run-main | FileCheck %s --check-prefix=RIGHT
// RUN: sed 's|gpu.barrier // first||' %s | %emulate | %run-main | FileCheck %s --check-prefix=FIRST
// RUN: sed 's|gpu.barrier // second||' %s | %emulate | %run-main | FileCheck %s --check-prefix=SECOND
// RUN: sed 's|gpu.barrier.*||' %s | %emulate | %run-main | FileCheck %s --check-prefix=NONE

// RIGHT: wrong elements: 0{{$}}
// FIRST: wrong elements: {{[1-9]}}
// SECOND: wrong elements: {{[1-9]}}
// NONE: wrong elements: 4096{{$}}

module attributes {gpu.container_module} {

gpu.module @kernels {
  gpu.func @gemm(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>, %n: index)
      workgroup(%sA: memref<16x16xf32, #gpu.address_space<workgroup>>,
                %sB: memref<16x16xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row0 = arith.muli %by, %c16 : index
    %row = arith.addi %row0, %ty : index
    %col0 = arith.muli %bx, %c16 : index
    %col = arith.addi %col0, %tx : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> (f32) {
      %ka = arith.addi %k, %tx : index
      %a = memref.load %A[%row, %ka] : memref<?x?xf32>
      memref.store %a, %sA[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      %kb = arith.addi %k, %ty : index
      %b = memref.load %B[%kb, %col] : memref<?x?xf32>
      memref.store %b, %sB[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      gpu.barrier // first
      %part = scf.for %i = %c0 to %c16 step %c1 iter_args(%p = %acc) -> (f32) {
        %x = memref.load %sA[%ty, %i] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %y = memref.load %sB[%i, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %xy = arith.mulf %x, %y : f32
        %q = arith.addf %p, %xy : f32
        scf.yield %q : f32
      }
      gpu.barrier // second
      scf.yield %part : f32
    }
    memref.store %sum, %C[%row, %col] : memref<?x?xf32>
    gpu.return
  }
}

func.func @fill(%m: memref<?x?xf32>, %fi: index, %fj: index, %mod: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = arith.muli %i, %fi : index
      %y = arith.muli %j, %fj : index
      %s = arith.addi %x, %y : index
      %r = arith.remui %s, %mod : index
      %w = arith.index_cast %r : index to i32
      %f = arith.sitofp %w : i32 to f32
      memref.store %f, %m[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 64 : index
  %sentinel = arith.constant -1.0 : f32
  %zero = arith.constant 0.0 : f32
  %A = memref.alloc(%n, %n) : memref<?x?xf32>
  %B = memref.alloc(%n, %n) : memref<?x?xf32>
  %C = memref.alloc(%n, %n) : memref<?x?xf32>
  call @fill(%A, %c1, %c2, %c7) : (memref<?x?xf32>, index, index, index) -> ()
  call @fill(%B, %c3, %c1, %c5) : (memref<?x?xf32>, index, index, index) -> ()
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %sentinel, %C[%i, %j] : memref<?x?xf32>
    }
  }
  gpu.launch_func @kernels::@gemm blocks in (%c4, %c4, %c1) threads in (%c16, %c16, %c1)
      args(%A : memref<?x?xf32>, %B : memref<?x?xf32>, %C : memref<?x?xf32>, %n : index)
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%w0 = %c0) -> (index) {
    %wi = scf.for %j = %c0 to %n step %c1 iter_args(%w1 = %w0) -> (index) {
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
  vector.print str "wrong elements: "
  vector.print %wrong : index
  return
}

}
