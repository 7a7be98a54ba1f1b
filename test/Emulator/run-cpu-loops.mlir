// Plain loops without OpenMP run one after another, and a thread's memory does
// not pile up on the stack: 1,000,000 threads with 16 KiB each.
// RUN: uop-opt %s --uop-lower-to-cpu-loops-pipeline \
// RUN:     --uop-lower-to-cpu-pipeline=openmp=false \
// RUN:   | %run-main | FileCheck %s

!scratch = memref<4096xi32, #gpu.address_space<private>>
!large = memref<40000xi32, #gpu.address_space<private>>

// Each thread leaves its number in its own memory, at a place that the first
// element of %at says, and reads it back; one of them is kept.
uop.kernel loops @pile(%n: index, %at: memref<4xi32>, %out: memref<4xi32>) {
  %t = uop.range thread %n
  %c0 = arith.constant 0 : index
  %last = arith.constant 999999 : index
  %s = uop.alloc : !scratch
  %v = arith.index_cast %t : index to i32
  %a = memref.load %at[%c0] : memref<4xi32>
  %i = arith.index_cast %a : i32 to index
  memref.store %v, %s[%i] : !scratch
  %w = memref.load %s[%i] : !scratch
  %keep = arith.cmpi eq, %t, %last : index
  scf.if %keep {
    memref.store %w, %out[%c0] : memref<4xi32>
  }
}

// Memory from the heap, and zeros in it in each of three iterations: the sums
// do not grow from one to the next.
uop.kernel loops @zeros(%at: memref<4xi32>, %out: memref<4xi32>) {
  %t = uop.range thread 4
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = memref.load %at[%t] : memref<4xi32>
  %i = arith.index_cast %a : i32 to index
  %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> i32 {
    %s = uop.alloc zero : !large
    %old = memref.load %s[%i] : !large
    %new = arith.addi %old, %one : i32
    memref.store %new, %s[%i] : !large
    %w = memref.load %s[%i] : !large
    %next = arith.addi %acc, %w : i32
    scf.yield %next : i32
  }
  memref.store %sum, %out[%t] : memref<4xi32>
}

// Not mapped at all: a loop of one thread. 10 * t + what the loop before left.
uop.kernel @unmapped(%out: memref<4xi32>) {
  %i = uop.range loop 4
  %ten = arith.constant 10 : i32
  %t = arith.index_cast %i : index to i32
  %h = arith.muli %t, %ten : i32
  %v = uop.load %out[%i] : memref<4xi32>
  %w = arith.addi %h, %v : i32
  uop.store %w, %out[%i] : memref<4xi32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1000000 : index
  %at = memref.alloc() : memref<4xi32>
  %out = memref.alloc() : memref<4xi32>
  %places = arith.constant dense<[4095, 7, 39999, 0]> : vector<4xi32>
  %sentinels = arith.constant dense<-1> : vector<4xi32>
  vector.store %places, %at[%c0] : memref<4xi32>, vector<4xi32>
  vector.store %sentinels, %out[%c0] : memref<4xi32>, vector<4xi32>

  // CHECK: ( 999999, -1, -1, -1 )
  uop.launch @pile(%n, %at, %out) : index, memref<4xi32>, memref<4xi32>
  %0 = vector.load %out[%c0] : memref<4xi32>, vector<4xi32>
  vector.print %0 : vector<4xi32>

  // CHECK-NEXT: ( 3, 3, 3, 3 )
  uop.launch @zeros(%at, %out) : memref<4xi32>, memref<4xi32>
  %1 = vector.load %out[%c0] : memref<4xi32>, vector<4xi32>
  vector.print %1 : vector<4xi32>

  // CHECK-NEXT: ( 3, 13, 23, 33 )
  uop.launch @unmapped(%out) : memref<4xi32>
  %2 = vector.load %out[%c0] : memref<4xi32>, vector<4xi32>
  vector.print %2 : vector<4xi32>
  return
}
